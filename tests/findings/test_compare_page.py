"""docs/compare.md names every field of the JSON of a comparison, and no other."""

import re
from pathlib import Path

from pylatencymap.findings import compare_sides
from pylatencymap.record import Mark, Stamp
from tests.findings.sides import UTC, load, with_incident
from tests.findings.test_report_page import paths

ALIKE = ("series[].after.", "series[].percentiles.p90.", "series[].percentiles.p99.", "series[].stated.")
"""Fields that the page describes once, at ``before``, p50 and ``shares``."""


def test_the_page_names_every_field(root: Path) -> None:
    page = (root / "docs/compare.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| `([a-z_0-9.\[\]]+)` \|", page.split("## JSON")[1], re.MULTILINE))
    before = {"sda": load(300, 1), "sdb": load(), "few": load(20)}
    after = {"sda": with_incident(2), "sdc": load(), "few": with_incident(2, 0, 20, 20)}
    mark = Mark(Stamp(int(before["sda"].selection.columns["end"][0])), "deploy")
    found = set(paths(compare_sides([before], [after], UTC, marks=([mark], [])).as_dict()))
    told = {name for name in found if not name.startswith(ALIKE)}
    told |= {one.removesuffix(".") for one in ALIKE}
    told -= {"series[].plain", "series[].one_sided"}  # null or empty for some of the series
    assert told == named

"""Rows without a latency, as pandas writes a number that is missing: they must not hide the rows below them."""

import pytest

from pylatencymap import registry
from pylatencymap.collector import Known
from pylatencymap.record import Sample
from pylatencymap.report import Report
from pylatencymap.text.lines import lines_of

COLUMNS = registry.load_collector("columns")


@pytest.mark.parametrize("word", ["", "nan", "NaN", "<NA>", "null", "-"])
def test_the_first_rows_can_lack_it(word: str) -> None:
    head = f"time,latency_ms,op\n1795000000.1,{word},get\n1795000000.2,{word},put\n1795000000.3,1.5,get\n"
    assert COLUMNS.detect(head).value == 0.9
    report = Report("t")
    found = [one for one in COLUMNS.decode(lines_of(head), report, Known()) if isinstance(one, Sample)]
    assert [(one.latency, one.unit.value, one.micros) for one in found] == [(1500, "us", 1795000000_300000)]
    assert report.bad_count == 2


@pytest.mark.parametrize("row", ["1795000000.1,fast,get", "once,,get", "upon a time"])
def test_but_what_is_no_row_shows_that_this_is_no_table(row: str) -> None:
    assert COLUMNS.detect(f"time,latency_ms,op\n{row}\n1795000000.3,1.5,get\n").value == 0.0

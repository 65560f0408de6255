"""Commands that a page or a view gives, pasted on a machine in another zone: the same times, read in the same way."""

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.text import moment_option, zone_name, zone_named
from tests.cli.conftest import stream

Command = Callable[..., Any]
ELSEWHERE = {"TZ": "Asia/Kolkata"}
CLOCKS_GO_BACK = 1_792_890_000
"""2026-10-25 01:00 UTC: in Zurich from 03:00 to 02:00."""
TWO_TO_THREE = CLOCKS_GO_BACK - 3600
"""02:00 in Zurich, which comes again an hour later."""


def load(begin: int, incident: int, columns: int = 7200, step: int = 10) -> str:
    """Ten seconds a column, with a slow band for five minutes from a moment on."""
    counters, fast, slow = [], 0, 0
    for column in range(columns // step + 1):
        counters.append({128: fast, 131072: slow} if slow else {128: fast})
        fast += 1000 + column % 3
        slow += 40 if incident <= begin + column * step < incident + 300 else 0
    return stream("sda", *counters, first=begin, step=step)


def see_it(page: str) -> list[str]:
    """The words behind the name of the program."""
    return shlex.split(page.partition("see it: ")[2].replace("\\\n", ""))[1:]


def epochs(said: dict[str, Any]) -> tuple[str, str]:
    """Begin and end of a report, in UTC."""
    from datetime import datetime, timezone

    begin, end = (datetime.fromisoformat(said[key]).astimezone(timezone.utc) for key in ("begin", "end"))
    return f"{begin:%H:%M:%S}", f"{end:%H:%M:%S}"


@pytest.mark.parametrize(("again", "utc"), [(0, "00:30"), (3600, "01:30")])
def test_the_report_names_one_of_two_equal_hours(command: Command, tmp_path: Path, again: int, utc: str) -> None:
    """02:30 comes twice when clocks are put back; the incident is at the first, or at the second."""
    file = tmp_path / "night.lmap"
    file.write_text(load(TWO_TO_THREE, TWO_TO_THREE + 1800 + again))
    page = command("report", file, "--full", "--tz", "Europe/Zurich").out
    assert "02:30-02:35" in page
    words = see_it(page)
    assert words[words.index("--tz") + 1] == "Europe/Zurich"
    again_said = json.loads(command("report", *words, "--json", env=ELSEWHERE).out)
    hour, minute = map(int, utc.split(":"))
    assert epochs(again_said) == (f"{hour:02d}:{minute - 5:02d}:00", f"{hour:02d}:{minute + 10:02d}:00")


@pytest.mark.parametrize("zone", ["America/New_York", "UTC", ":Asia/Tokyo", "XST-5:30"])
def test_the_machines_own_zone_is_named_or_each_moment_has_its_offset(
    command: Command, tmp_path: Path, zone: str
) -> None:
    file = tmp_path / "night.lmap"
    file.write_text(load(1_792_000_000, 1_792_003_600))
    words = see_it(command("report", file, "--full", env={"TZ": zone}).out)
    assert ("--tz" in words) is ("-" not in zone)
    here, there = (
        json.loads(command("report", *words, "--json", env={"TZ": name}).out) for name in (zone, ELSEWHERE["TZ"])
    )
    assert epochs(here) == epochs(there)


def test_the_report_says_how_the_file_was_read(command: Command, tmp_path: Path) -> None:
    """Times without a zone, and latencies without a unit: other zones and units would be other data."""
    rows = [
        f"2026-03-02 {7 + second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d},a;b,100"
        for second in range(1800)
    ]
    rows += [row.replace(",100", ",90000") for row in rows[900:960]]
    file = tmp_path / "log.csv"
    file.write_text("when,which,took\n" + "\n".join(sorted(rows)) + "\n")
    how = "--time when --latency took --by which --unit us --interval 2"
    page = command("report", file, "--full", *how.split(), env={"TZ": "Europe/Zurich"}).out
    words = see_it(page)
    assert " ".join(words).count("--interval 2") == 1
    here, there = (
        json.loads(command("report", *words, "--json", env={"TZ": name}).out)
        for name in ("Europe/Zurich", ELSEWHERE["TZ"])
    )
    assert here == there
    assert here["series"][0]["name"] == "a;b"
    assert here["interval"] == 2


def test_a_report_of_some_series_opens_one_of_them(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "two.lmap"
    many = load(1_792_000_000, 1_792_003_600).replace("label,sda", "label,disk[1]")
    more = load(1_792_000_000, 1).replace("label,sda", "label,other").replace("\n128,", "\n1048576,")
    file.write_text(many + more)
    words = see_it(command("report", file, "--full", "--series", "disk*").out)
    shown = json.loads(command("report", *words, "--json").out)
    assert [one["name"] for one in shown["series"]] == ["disk[1]"]


@pytest.mark.parametrize("zone", ["Europe/Zurich", "UTC", "America/New_York", "Australia/Lord_Howe"])
def test_each_moment_is_read_as_it_was_written(zone: str) -> None:
    """Every half hour of a year, and of the local zone as well."""
    from pylatencymap.session.input import Excerpt, parse_moment

    tz = zone_named(zone)
    assert zone_name(tz) == zone
    for seconds in range(1_767_225_600, 1_767_225_600 + 366 * 86400, 1800):
        words = parse_moment(moment_option(seconds * 1_000_000, tz))
        assert Excerpt(words, None, tz, 0.0).bounds() == (seconds * 1_000_000, None)


def test_events_name_the_zone_of_their_times(command: Command, root: Path) -> None:
    trace = root / "tests/collectors/samples/strace/follow-epoch.txt"
    page = command("events", trace, "--from", "+0s", "--to", "+1h", env={"TZ": "Europe/Zurich"}).out
    assert re.search(r"\d\d:\d\d(:[\d.]+)? to .* CES?T", page), page

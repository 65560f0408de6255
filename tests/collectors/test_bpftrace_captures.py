"""The captures of bpftrace against a second, independent reading of their text and against truth.json."""

import ast
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pylatencymap import registry
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.stages import resolve_times
from pylatencymap.record import Record, Semantics, Tick
from pylatencymap.report import Report
from pylatencymap.text.lines import lines_of
from tests.collectors.captures import captured, check_pauses

BPFTRACE = registry.load_collector("bpftrace")
MAPS = [
    "bpftrace-hist-dev",
    "bpftrace-hist-dupkeys",
    "bpftrace-hist-multikey",
    "bpftrace-lhist",
    "bpftrace-lhist-uneven",
    "bpftrace-onexit",
    "bpftrace-two-maps",
]
TEXTS = [*MAPS, "bpftrace-hist-nokey-cumulative", "bpftrace-runqlat.bt"]
ALL = [
    *TEXTS,
    *(f"{name}-json" for name in MAPS),
    "coldstart-bpftrace-hist-dev-json",
    "coldstart-slow-bpftrace-hist-dev",
    "spindle-bpftrace-lhist",
]
CUT = {"bpftrace-hist-dupkeys"}
"""Cut to 60 kB in the middle of a line."""
Buckets = Counter[tuple[int, int | None]]
Reading = list[tuple[str, dict[tuple[str, str], Buckets]]]
"""The heading of each print, and the events of its maps and keys."""


def number(text: str) -> int:
    """16K by the table of bpftrace's letters."""
    return int(text.rstrip("KMG")) * {"K": 1024, "M": 1024**2, "G": 1024**3}.get(text[-1], 1)


def text_again(text: str) -> Reading:
    """The prints of plain text, cut at the lines that every script of the captures prints above its maps."""
    parts = re.split(r"^((?:--- tick )?[\d-]{0,11}\s?\d\d:\d\d:\d\d|\d{4})$", text, flags=re.MULTILINE)
    prints = list(zip(parts[1::2], parts[2::2], strict=True)) or [("", text)]
    reading: Reading = []
    for heading, body in prints:
        maps: dict[tuple[str, str], Buckets] = {}
        for name, key, rows in re.findall(r"^@(\w+)(?:\[(.*)\])?: *\n((?:[\[(].* \|.*\|\n?)+)", body, re.MULTILINE):
            buckets = maps.setdefault((name, key.replace(", ", ",")), Counter())
            for row in rows.splitlines():
                bounds, count = row.split("|")[0].rsplit(maxsplit=1)
                low, _, high = bounds.strip("[]() ").partition(", ")
                lower = 0 if low == "..." else number(low)
                upper = lower + 1 if not high else None if high == "..." else number(high)
                buckets[lower, upper] += int(count)
        reading.append((heading, maps))
    return reading


def json_again(text: str) -> Reading:
    """The prints of messages, read with Python's own grammar: objects are pairs, so that equal names are kept."""
    reading: Reading = []
    for line in filter(None, text.splitlines()):
        kind = line[10:].partition('"')[0]
        if kind == "time":
            reading.append((line.rpartition(": ")[2].strip('"}').removesuffix("\\n"), {}))
        elif kind == "hist":
            if not reading:
                reading.append(("", {}))
            for name, body in re.findall(r'"@(\w+)": (.*)\}\}$', line):
                keyed = re.findall(r'"([^"]*)": (\[[^\]]*\])', body) if body.startswith("{") else [("", body)]
                for key, rows in keyed:
                    buckets = reading[-1][1].setdefault((name, key), Counter())
                    for row in ast.literal_eval(rows):
                        upper = row["max"] + 1 if "max" in row else None
                        buckets[row.get("min", 0), upper] += row["count"]
    return reading


def read_again(shared: Path, name: str) -> Reading:
    text = captured(shared, name)
    reading = json_again(text) if name.endswith("-json") else text_again(text)
    for _, maps in reading:
        maps.pop(("bytes", ""), None)
        for buckets in maps.values():
            for bounds in [bounds for bounds, count in buckets.items() if not count]:
                del buckets[bounds]
    return reading


def read_by_collector(shared: Path, name: str) -> Reading:
    report = Report(name)
    reading: Reading = []
    for event in BPFTRACE.decode(lines_of(captured(shared, name)), report):
        if isinstance(event, Tick):
            seconds = event.stamp.micros // 1_000_000 if event.stamp else None
            reading.append(("" if seconds is None else str(seconds), {}))
        elif isinstance(event, Record):
            assert event.semantics is Semantics.OPEN
            where = event.label.removeprefix("bpftrace @")
            key = "" if event.series in ("all", where) else event.series
            assert (where, key) not in reading[-1][1]
            reading[-1][1][where, key] = Counter({(low, high): count for low, high, count in event.ranges})  # type: ignore[misc]
    assert report.bad_count == (1 if name in CUT else 0)
    return reading


def seconds(heading: str) -> str:
    """Of the day; a number of seconds since boot as it is."""
    clock = re.search(r"(\d\d):(\d\d):(\d\d)$", heading)
    if not clock:
        return heading
    hours, minutes, rest = map(int, clock.groups())
    return str(hours * 3600 + minutes * 60 + rest)


@pytest.mark.parametrize("name", ALL)
def test_counts_per_print_and_series_are_those_of_the_text(shared: Path, name: str) -> None:
    again = [(seconds(heading), maps) for heading, maps in read_again(shared, name)]
    found = read_by_collector(shared, name)
    if name in ("bpftrace-hist-nokey-cumulative", "bpftrace-two-maps", "bpftrace-two-maps-json"):
        found = with_dump_at_exit(found)
    assert len(again) > 1 or name.endswith(("onexit", "onexit-json", "runqlat.bt", "dupkeys", "dupkeys-json"))
    assert found == again


def with_dump_at_exit(reading: Reading) -> Reading:
    """The reading with what was printed at the end of the program, in the same second, as by eye: the last wins."""
    *_, last, dump = reading
    if last[0] == dump[0] and last[1].keys() & dump[1].keys():
        return [
            *reading[:-2],
            (last[0], {key: last[1].get(key, Counter()) + dump[1].get(key, Counter()) for key in last[1]}),
        ]
    return reading


@pytest.mark.parametrize("name", [name for name in ALL if "two-maps" not in name])
def test_latency_classes_and_intervals_are_those_of_truth(shared: Path, name: str) -> None:
    truth: dict[str, Any] = json.loads((shared / "data" / "truth.json").read_text())["files"][f"{name}.txt"]
    assert truth["expect"] == "decode"
    if "counted" not in truth:
        pytest.skip("nobody counted this capture independently")
    reading = read_by_collector(shared, name)
    assert len(reading) == truth["intervals"]
    limits = (600 if "uneven" in name else 1000, 8000, 16384)  # [600, 1100) was counted as 1-8 ms
    counted: Counter[tuple[str, int]] = Counter()
    for _, maps in reading:
        for (where, key), buckets in maps.items():
            for (lower, _), count in buckets.items():
                series = f"@{where}[{key}]" if key else f"@{where}"
                counted[series, sum(lower >= limit for limit in limits)] += count
    assert {one: [counted[one, place] for place in range(4)] for one, _ in counted} == truth["counted"]


@pytest.mark.parametrize("name", ALL)
def test_what_the_counts_are_is_found(shared: Path, name: str) -> None:
    cumulative = name == "bpftrace-hist-nokey-cumulative"
    said: list[str] = []
    events = BPFTRACE.decode(lines_of(captured(shared, name)), Report(name))
    for event in resolve_times(events, TimeOptions(), Report(name, say=said.append)):
        if isinstance(event, Record):
            assert event.semantics is (Semantics.CUMULATIVE if cumulative else Semantics.INTERVAL)
    assert ["taken as totals" in message for message in said] == [True] * cumulative


@pytest.mark.parametrize("name", ALL)
def test_a_pause_after_each_line_changes_no_count(shared: Path, name: str) -> None:
    check_pauses(BPFTRACE, captured(shared, name))


def test_no_other_capture_is_taken_for_bpftrace(shared: Path) -> None:
    for path in sorted((shared / "data" / "captures").glob("*.*")):
        if path.stem in ALL or path.suffix in {".cmd", ".bt"}:
            continue
        assert BPFTRACE.detect(path.read_text(errors="replace")).value < 0.5, path.name

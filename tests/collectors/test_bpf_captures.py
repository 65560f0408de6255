"""The captures of bcc and libbpf-tools against a second, independent reading of their text and against truth.json."""

import ast
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pylatencymap import registry
from pylatencymap.errors import Refused
from pylatencymap.record import Record, Tick
from pylatencymap.report import Report
from pylatencymap.text.lines import lines_of
from tests.collectors.captures import BPF_STAMPED, captured, check_pauses

BPF = registry.load_collector("bpf")
UNSTAMPED = {
    "libbpf-biolatency-noT": r"\n\n\n(?= +usecs)",
    "bcc-softirqs-d": r"\n\n\n(?=softirq)",
    "libbpf-biolatency-single-ctrlc": r"\n\n\n(?=disk)",
}
"""How their intervals can be told apart by eye."""
_HISTOGRAM = re.compile(r"(?:^\w+ = (\S+)\s*\n)?^ +(\w+) +: count +distribution\n((?: +\d+ -> .*\n?)+)", re.MULTILINE)
_ROW = re.compile(r"(\d+) -> (\d+) +: (\d+)")
Reading = list[tuple[int | None, dict[tuple[str, str], tuple[tuple[int, int, int], ...]]]]


def seconds(clock: str) -> int:
    hours, minutes, rest = clock.split(":")
    return int(hours) * 3600 + int(minutes) * 60 + int(rest)


def histograms(body: str) -> dict[tuple[str, str], tuple[tuple[int, int, int], ...]]:
    found = {}
    for key, unit, rows in _HISTOGRAM.findall(body):
        ranges = ((int(low), int(high) + 1, int(count)) for low, high, count in _ROW.findall(rows))
        found[key or "all", unit] = tuple(entry for entry in ranges if entry[2])
    return found


def read_again(name: str, text: str) -> Reading:
    if name in UNSTAMPED:
        return [(None, histograms(body)) for body in re.split(UNSTAMPED[name], text)[1:]]
    parts = re.split(r"^(\d\d:\d\d:\d\d) *$", text, flags=re.MULTILINE)[1:]
    return [(seconds(clock), histograms(body)) for clock, body in zip(parts[::2], parts[1::2], strict=True)]


def read_by_collector(name: str, text: str) -> Reading:
    told: list[str] = []
    report = Report(name, say=told.append)
    reading: Reading = []
    for event in BPF.decode(lines_of(text), report):
        if isinstance(event, Tick):
            reading.append((event.stamp and event.stamp.micros // 1_000_000, {}))
        elif isinstance(event, Record):
            stamp, records = reading[-1]
            assert (event.stamp and event.stamp.micros // 1_000_000) == stamp
            key = event.series, f"{event.unit.value[0]}secs"
            assert key not in records
            records[key] = event.ranges  # type: ignore[assignment]
    assert report.bad_count == 0, told
    return reading


def truth_of(shared: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shared / "data" / "truth.json").read_text())["files"][f"{name}.txt"]
    return found


@pytest.mark.parametrize("name", [*BPF_STAMPED, *UNSTAMPED])
def test_counts_per_interval_and_series_are_those_of_the_text(shared: Path, name: str) -> None:
    text = captured(shared, name)
    again = read_again(name, text)
    assert sum(len(found) for _, found in again) == text.count("distribution")
    assert read_by_collector(name, text) == again


@pytest.mark.parametrize("name", [*BPF_STAMPED, *UNSTAMPED])
def test_latency_classes_and_intervals_are_those_of_truth(shared: Path, name: str) -> None:
    truth = truth_of(shared, name)
    assert truth["expect"] == "decode"
    if "counted" not in truth:
        pytest.skip("nobody counted this capture independently")
    reading = read_by_collector(name, captured(shared, name))
    if truth["intervals"]:
        assert len(reading) == truth["intervals"]
    assert classes(reading, together="all" in truth["counted"]) == truth["counted"]


def classes(reading: Reading, *, together: bool) -> dict[str, list[int]]:
    """Events below 1 ms, 8 ms, 16.384 ms and above, per series or of all together."""
    counted: Counter[tuple[str, int]] = Counter()
    for _, found in reading:
        for (series, unit), ranges in found.items():
            limits = (1024, 8192, 16384) if unit == "usecs" else (2, 8, 16)
            for lower, _, count in ranges:
                counted["all" if together else series, sum(lower >= limit for limit in limits)] += count
    return {series: [counted[series, place] for place in range(4)] for series in {key for key, _ in counted}}


@pytest.mark.parametrize("name", [*BPF_STAMPED, *UNSTAMPED])
def test_a_pause_after_each_line_changes_no_count(shared: Path, name: str) -> None:
    check_pauses(BPF, captured(shared, name))


@pytest.mark.parametrize("name", ["bcc-argdist-H", "bcc-syscount-L", "libbpf-syscount-L"])
def test_what_is_no_latency_is_refused_with_the_reason(shared: Path, name: str) -> None:
    truth = truth_of(shared, name)
    with pytest.raises(Refused) as caught:
        list(BPF.decode(lines_of(captured(shared, name)), Report(name)))
    assert truth["expect"] == "refuse"
    assert truth["reason"] in str(caught.value)


@pytest.mark.parametrize("name", ["bcc-linear-D-T", "bcc-linear-T"])
def test_linear_histograms_count_what_the_text_counts(shared: Path, name: str) -> None:
    text = captured(shared, name)
    parts = re.split(r"^(\d\d:\d\d:\d\d) *$", text, flags=re.MULTILINE)[1:]
    again: Reading = []
    for clock, body in zip(parts[::2], parts[1::2], strict=True):
        disks = re.findall(
            r"(?:^disk = (\S+)\n)?^ +500 us +: count +distribution\n((?: +\d+ +: .*\n?)+)", body, re.MULTILINE
        )
        slots = {disk: re.findall(r"^ +(\d+) +: (\d+)", rows, re.MULTILINE) for disk, rows in disks}
        found = {
            (disk or "all", "usecs"): tuple((500 * int(n), 500 * int(n) + 500, int(c)) for n, c in rows if c != "0")
            for disk, rows in slots.items()
        }
        again.append((seconds(clock), found))
    assert sum(len(found) for _, found in again) == text.count("distribution") > 0
    assert read_by_collector(name, text) == again


@pytest.mark.parametrize("name", ["bcc-json-D", "bcc-json-nodisk"])
def test_dictionaries_count_what_the_text_counts(shared: Path, name: str) -> None:
    text = captured(shared, name)
    again: Reading = []
    for part in re.split(r"\n\n+(?=\{)", text)[1:]:
        found = {}
        for line in part.strip().splitlines():
            printed = ast.literal_eval(line)
            ranges = ((one["interval-start"], one["interval-end"] + 1, one["count"]) for one in printed["data"])
            found[printed.get("disk", "all"), printed["val_type"]] = tuple(entry for entry in ranges if entry[2])
        again.append((seconds(ast.literal_eval(part.splitlines()[0])["ts"][-8:]), found))
    assert sum(len(found) for _, found in again) == text.count("val_type") > 0
    assert read_by_collector(name, text) == again


def test_events_one_by_one_are_left_to_others(shared: Path) -> None:
    assert BPF.detect(captured(shared, "libbpf-runqslower")).value < 0.5


def test_no_other_capture_is_taken_for_a_bpf_tool(shared: Path) -> None:
    own = {*BPF_STAMPED, *UNSTAMPED}
    for path in sorted((shared / "data" / "captures").glob("*.*")):
        if path.name.startswith(("bcc-", "libbpf-")) or path.stem in own or path.suffix in {".cmd", ".bt"}:
            continue
        assert BPF.detect(path.read_text(errors="replace")).value < 0.5, path.name

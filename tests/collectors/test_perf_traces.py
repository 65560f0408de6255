"""perf script and perf trace: block requests and system calls, each with its exact time."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pylatencymap import registry
from pylatencymap.errors import Refused
from pylatencymap.record import Clock, Sample
from pylatencymap.report import Report
from pylatencymap.text.lines import lines_of
from pylatencymap.units import Unit

SAMPLES = Path(__file__).parent / "samples"
Counting = Callable[[list[Sample]], dict[str, list[int]]]
Told = Callable[[str], dict[str, list[int]]]


def samples(name: str, text: str, report: Report | None = None) -> list[Sample]:
    events = registry.load_collector(name).decode(lines_of(text), report or Report("t"))
    return [event for event in events if isinstance(event, Sample)]


def sample_file(name: str, file: str, report: Report | None = None) -> list[tuple[str, Unit, int, int]]:
    found = samples(name, (SAMPLES / name / f"{file}.txt").read_text(), report)
    assert {one.clock for one in found} == {Clock.FREE}
    return [(one.series, one.unit, one.latency, one.micros) for one in found]


def test_requests_of_perf_script_with_any_fields() -> None:
    report = Report("f")
    assert sample_file("perf_script", "requests", report) == [
        ("7,0,queue", Unit.US, 10, 3_925_525_639),
        ("7,0", Unit.US, 145, 3_925_525_784),
        ("254,0", Unit.US, 12_500, 3_926_012_500),
        ("254,0", Unit.US, 20_000, 3_927_020_000),
    ]
    assert report.bad_count == 0
    assert sample_file("perf_script", "nanoseconds") == [("254,0", Unit.NS, 200_001, 6_386_646_312)]


@pytest.mark.parametrize(
    "line",
    [
        "  1002.000 (         ): cat/1234 exit_group()",
        "  1002.000 (         ): cat/1234 exit_group()                         = ?",
        "  1002.000 (     ? ): cat/1234 exit()",
    ],
)
def test_a_call_that_never_returns_is_no_damage(line: str) -> None:
    report = Report("f")
    text = f"     0.000 ( 0.005 ms): cat/1234 read(fd: 3, count: 832)    = 832\n{line}\n"
    assert len(samples("perf_trace", text, report)) == 1
    assert report.bad_count == 0


def test_calls_end_their_duration_after_their_start() -> None:
    said: list[str] = []
    report = Report("f", say=said.append)
    assert sample_file("perf_trace", "calls", report) == [
        ("pread64", Unit.US, 86_117, 86_117),
        ("read", Unit.US, 5, 88_065),
        ("fsync", Unit.US, 1_250, 101_250),
        ("clock_nanosleep", Unit.US, 2_000_098, 2_095_928),
        ("read", Unit.US, 1_277, 1_241),
        ("close", Unit.US, 10, 2_100_510),
    ]
    assert report.bad_count == 1
    assert "msls" in said[0]
    assert [message.split(": ", 1)[1] for message in said[1:]] == [
        "1 calls had not returned when the trace ended",
        "1 calls returned without a duration, for they began before the trace",
        "3 events were lost by perf",
    ]


def test_requests_of_perf_trace_alone_and_among_calls() -> None:
    assert sample_file("perf_trace", "block") == [
        ("7,0", Unit.US, 8_489, 8_489),
        ("254,0", Unit.US, 1_000, 11_000),
        ("254,0", Unit.US, 133, 12_625),
    ]
    assert sample_file("perf_trace", "block-and-calls") == [
        ("254,0,queue", Unit.US, 26, 848),
        ("254,0", Unit.US, 309, 1_157),
        ("fdatasync", Unit.US, 950, 1_450),
    ]


@pytest.mark.parametrize(
    ("name", "file", "why"),
    [
        ("perf_script", "cycles-refused", "perf record -a -e block:block_rq_issue"),
        ("perf_trace", "summary-refused", "no distribution; what would work is perf trace -e"),
    ],
)
def test_what_holds_no_durations_is_refused_with_what_would_work(name: str, file: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        sample_file(name, file)


@pytest.mark.parametrize(("name", "file"), [("perf_script", "perf-script-block"), ("perf_trace", "perf-trace-fio")])
def test_captures_hold_what_is_true(name: str, file: str, shared: Path, classes: Counting, events_in: Told) -> None:
    text = (shared / f"data/captures/{file}.txt").read_text()
    report = Report(file)
    found = samples(name, text, report)
    assert classes(found) == events_in(f"{file}.txt")
    assert report.bad_count == 0
    if name == "perf_trace":
        again = [
            (float(start), float(took)) for start, took in re.findall(r"^ *([\d.]+) \( *([\d.]+) ms\)", text, re.M)
        ]
        expected = [(round(took * 1000), round((start + took) * 1000)) for start, took in again]
        assert [(one.latency, one.micros) for one in found] == expected


def test_captured_requests_of_perf_trace_are_those_of_the_disk(shared: Path, classes: Counting) -> None:
    """loop0 alone is known: reads that do not overlap, so that every completion follows its issue."""
    text = (shared / "data/captures/perf-trace-block.txt").read_text()
    found = [one for one in samples("perf_trace", text) if one.series == "7,0"]
    times = sorted(float(time) for time in re.findall(r"^ *([\d.]+) .*dev: 7340032,", text, re.MULTILINE))
    pairs = zip(times[::2], times[1::2], strict=False)
    assert [one.latency for one in found] == [round((end - begin) * 1000) for begin, end in pairs]
    assert sum(classes(found)["7,0"]) == text.count("block_rq_complete(dev: 7340032")

"""Block requests of blkparse and ftrace: each from issue to completion, and from queue to issue."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pylatencymap import registry
from pylatencymap.collector import Known
from pylatencymap.errors import Refused
from pylatencymap.record import Clock, Sample
from pylatencymap.report import Report
from pylatencymap.text.block_devices import device_named
from pylatencymap.text.lines import Line, lines_of
from pylatencymap.units import Unit

SAMPLES = Path(__file__).parent / "samples"
Counting = Callable[[list[Sample]], dict[str, list[int]]]
Told = Callable[[str], dict[str, list[int]]]


def samples(name: str, text: str, report: Report | None = None, known: Known | None = None) -> list[Sample]:
    events = registry.load_collector(name).decode(lines_of(text), report or Report("t"), known or Known())
    return [event for event in events if isinstance(event, Sample)]


def sample_file(name: str, file: str, report: Report | None = None) -> list[tuple[str, Unit, int, int]]:
    found = samples(name, (SAMPLES / name / f"{file}.txt").read_text(), report)
    assert {one.clock for one in found} == {Clock.FREE}
    return [(one.series, one.unit, one.latency, one.micros) for one in found]


def test_requests_are_paired_through_merges_splits_requeues_and_parts() -> None:
    said: list[str] = []
    report = Report("f", say=said.append)
    assert sample_file("blkparse", "default", report) == [
        ("8,16,queue", Unit.NS, 10_000, 1_010),
        ("8,16", Unit.NS, 200_001, 1_210),
        ("8,16,queue", Unit.NS, 100_000, 1_500_100),
        ("8,16", Unit.NS, 12_000_000, 1_512_200),
        ("8,16", Unit.NS, 3_000_000, 2_003_000),
        ("8,16,queue", Unit.NS, 10_000, 2_200_010),
        ("8,16,queue", Unit.NS, 20_000, 2_200_020),
        ("8,16", Unit.NS, 20_000_000, 2_220_010),
        ("8,16", Unit.NS, 40_000_000, 2_240_020),
    ]
    assert report.bad_count == 0
    for what in (
        "completions without an issue in this text: 1",
        "merged into others: 2",
        "requeued: 1",
        "ends of flushes without an issue: 1",
        "commands to the device itself, left out: 2",
        "split: 1",
        "completed in parts: 1",
        "not completed in this text: 1",
    ):
        assert any(what in message for message in said)


def test_a_device_without_requests_has_the_time_from_queue_to_completion() -> None:
    assert sample_file("blkparse", "elapsed-classic-and-stacked") == [
        ("8,0,queue", Unit.NS, 2_000, 5_000_003),
        ("8,0", Unit.NS, 400_000, 5_000_403),
        ("253,0", Unit.NS, 404_001, 5_000_404),
        ("8,0", Unit.NS, 9_000_000, 6_009_000),
    ]


def test_trace_events_of_old_and_new_kernels_in_any_order_of_processors() -> None:
    said: list[str] = []
    assert sample_file("ftrace", "trace-pipe", Report("f", say=said.append)) == [
        ("7,0,queue", Unit.US, 6, 3_925_352_711),
        ("7,0", Unit.US, 1080, 3_925_353_791),
        ("254,16,queue", Unit.US, 100, 3_926_000_100),
        ("254,16", Unit.US, 20_400, 3_926_020_500),
        ("254,16", Unit.US, 2000, 3_927_002_000),
        ("7,0", Unit.US, 300, 3_927_100_300),
        ("7,0", Unit.US, 200, 3_927_300_200),
    ]
    assert len(said) == 1
    assert "events lost by the tracer: 12; issued again before they completed: 1" in said[0]


def test_the_tracer_blk_and_trace_cmd() -> None:
    assert sample_file("ftrace", "blk-tracer") == [
        ("7,0,queue", Unit.US, 23, 2_481_786_905),
        ("7,0", Unit.US, 10_265, 2_481_797_170),
    ]
    assert sample_file("ftrace", "trace-cmd-report") == [
        ("7,0", Unit.NS, 100_001, 3_925_352_805),
        ("7,0", Unit.NS, 1_000_000, 3_925_403_705),
    ]


@pytest.mark.parametrize(
    ("name", "file", "why"),
    [
        ("blkparse", "custom-refused", "custom format .* without -f, which is -f"),
        ("ftrace", "other-events-refused", "block_rq_issue and block_rq_complete"),
    ],
)
def test_what_cannot_be_paired_is_refused_with_what_would_work(name: str, file: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        sample_file(name, file)


def test_a_live_trace_of_other_events_is_refused_before_its_end() -> None:
    def lines() -> Iterator[Line]:
        for number in range(1, 100_000):
            yield Line(number, "  a-1  [000] d..2.  4000.000100: sched_switch: prev_comm=a", 1.0)
        pytest.fail("read on although there are no requests")

    with pytest.raises(Refused, match="no issue or completion"):
        list(registry.load_collector("ftrace").decode(lines(), Report("f")))


def test_the_format_that_is_named_works() -> None:
    text = "  7,0    1        1     5.000000001   912  D   R 4096 + 8 [fio]\n"
    text += "  7,0    1        2     5.000001001   912  C   R 4096 + 8 [fio]\n"
    assert [one.latency for one in samples("blkparse", text)] == [1000]


def test_an_event_that_is_cut_off_is_counted() -> None:
    report = Report("f")
    text = (SAMPLES / "ftrace/trace-pipe.txt").read_text()
    samples("ftrace", text + "  fio-3880  [001] .....  3927.200000: block_rq_issue: 7,0 RS 40", report)
    assert report.bad_count == 1


def test_devices_have_their_names_where_the_trace_is_live() -> None:
    names = [line.split(":") for line in _numbers_here()]
    if not names:
        pytest.skip("no block devices here")
    major, minor = map(int, names[0])
    head = f"  fio-3880  [001] .....  3927.%06d: block_rq_%s: {major},{minor} RS %s() 8 + 8 [x]\n"
    text = head % (1, "issue", "4096 ") + head % (3, "complete", "")
    assert [one.series for one in samples("ftrace", text)] == [f"{major},{minor}"]
    assert [one.series for one in samples("ftrace", text, known=Known(live=True))] == [device_named(major, minor)]


def _numbers_here() -> list[str]:
    folder = Path("/sys/dev/block")
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


@pytest.mark.parametrize(
    ("name", "file"),
    [("blkparse", "blkparse-default"), ("ftrace", "ftrace-blk-tracer"), ("ftrace", "ftrace-trace_pipe-block")],
)
def test_captures_hold_what_is_true(name: str, file: str, shared: Path, classes: Counting, events_in: Told) -> None:
    text = (shared / f"data/captures/{file}.txt").read_text()
    report = Report(file)
    found = samples(name, text, report)
    service = [one for one in found if not one.series.endswith(",queue")]
    assert classes(service) == events_in(f"{file}.txt")
    assert report.bad_count == 0
    assert [(one.latency, one.micros) for one in service] == _paired_again(text)


def _paired_again(text: str) -> list[tuple[int, int]]:
    """The times between issue and completion by another reading of the text."""
    issued: dict[str, int] = {}
    pairs = []
    for seconds, fraction, what, sector in re.findall(
        r"(\d+)\.(\d{6,9})[: ].*?(?<![A-Za-z])(issue|complete|D|C)\b.*? (\d+) \+", text
    ):
        time = int(seconds + fraction)
        if what in ("issue", "D"):
            issued[sector] = time
        elif sector in issued:
            pairs.append((time - issued.pop(sector), time * 10**6 // 10 ** len(fraction)))
    return pairs


def test_the_captured_custom_format_is_refused(shared: Path) -> None:
    with pytest.raises(Refused, match="custom format"):
        samples("blkparse", (shared / "data/captures/blkparse-fmt.txt").read_text())

"""System calls of strace: every one that returned, at its end, whatever its arguments hold."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pylatencymap import registry
from pylatencymap.errors import Refused
from pylatencymap.intervals.event_bins import bin_events
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.record import Clock, Record, Sample
from pylatencymap.report import Report
from pylatencymap.text.lines import Line, lines_of
from pylatencymap.units import Unit

STRACE = registry.load_collector("strace")
SAMPLES = Path(__file__).parent / "samples/strace"
BEGIN = 1_795_249_347_000_000
Counting = Callable[[list[Sample]], dict[str, list[int]]]
Told = Callable[[str], dict[str, list[int]]]
CAPTURES = ("strace-fttt-fio", "strace-tt-y-sqlite", "strace-ttt-sqlite")


def samples(text: str, report: Report | None = None) -> list[Sample]:
    found = STRACE.decode(lines_of(text), report or Report("t.strace"))
    return [event for event in found if isinstance(event, Sample)]


def sample_file(name: str, report: Report | None = None) -> list[Sample]:
    return samples((SAMPLES / f"{name}.txt").read_text(), report)


def test_a_call_ends_its_duration_after_its_time() -> None:
    said: list[str] = []
    found = sample_file("follow-epoch", Report("f", say=said.append))
    assert [(one.series, one.latency, one.micros - BEGIN) for one in found] == [
        ("execve", 298, 142_164),
        ("read", 7, 142_086),
        ("pread64", 10_213, 220_213),
        ("read", 250_012, 450_012),
        ("read", 4, 451_004),
        ("fdatasync", 500, 1_000_499),
        ("wait4", 1_500_000, 2_100_000),
    ]
    assert {(one.unit, one.clock) for one in found} == {(Unit.US, Clock.EPOCH)}
    assert len(said) == 2
    assert "1 calls had not returned" in said[0]
    assert "1 calls returned whose beginning is not in the text" in said[1]


def test_times_of_day_go_over_midnight_and_messages_within_calls_are_taken_out() -> None:
    report = Report("f")
    found = sample_file("attached-day", report)
    day = 86_400_000_000
    assert [(one.series, one.latency, one.micros) for one in found] == [
        ("read", 213, day - 287),
        ("clone", 187, 287),
        ("fsync", 2003, 1903),
        ("set_robust_list", 9, 3109),
        ("close", 150, 3150),
    ]
    assert {one.clock for one in found} == {Clock.DAY}
    assert report.bad_count == 0


def test_relative_times_are_added_up_over_all_lines() -> None:
    found = sample_file("relative")
    assert [(one.series, one.latency, one.micros) for one in found] == [
        ("brk", 13, 13),
        ("set_robust_list", 534, 750_534),
        ("read", 500_461, 1_000_461),
        ("openat", 20, 2_000_520),
    ]
    assert {one.clock for one in found} == {Clock.FREE}


def test_without_times_the_time_in_calls_is_counted_and_told() -> None:
    said: list[str] = []
    found = sample_file("no-times", Report("f", say=said.append))
    assert [(one.series, one.latency, one.micros, one.clock) for one in found] == [
        ("execve", 250, 250, Clock.COUNTED),
        ("brk", 8, 258, Clock.COUNTED),
        ("nanosleep", 1_000_100, 1_000_358, Clock.COUNTED),
    ]
    assert len(said) == 1
    assert "-ttt" in said[0]


def test_nanoseconds_and_the_resumption_of_old_releases() -> None:
    found = sample_file("nanoseconds-old-resume")
    second = 1_795_315_781_000_000
    assert [(one.series, one.latency, one.micros - second) for one in found] == [
        ("read", 74_831, 800_287),
        ("restart_syscall", 16_082, 950_016),
        ("read", 99_000_001, 999_000),
    ]
    assert {one.unit for one in found} == {Unit.NS}


@pytest.mark.parametrize(
    ("duration", "unit", "latency"),
    [("2", Unit.MS, 2000), ("0.250", Unit.MS, 250), ("3.000001", Unit.US, 3_000_001), ("0.000000123", Unit.NS, 123)],
)
def test_the_digits_of_a_duration_tell_its_unit(duration: str, unit: Unit, latency: int) -> None:
    (one,) = samples(f"1700000000.5 read(3) = 1 <{duration}>\n")
    assert (one.unit, one.latency) == (unit, latency)


@pytest.mark.parametrize(("duration", "unit", "latency", "step"), [("2", "s", 2000, 1000), ("0.250", "ms", 250, 1)])
def test_whole_seconds_and_milliseconds_were_cut_down(duration: str, unit: str, latency: int, step: int) -> None:
    said: list[str] = []
    found = samples(2 * f"1700000000.5 read(3) = 1 <{duration}>\n", Report("f", say=said.append))
    assert [(one.unit, one.latency, one.step) for one in found] == 2 * [(Unit.MS, latency, step)]
    assert len(said) == 1
    assert f"durations in whole {unit} (--syscall-times)" in said[0]


@pytest.mark.parametrize("duration", ["0.0001023", "0.00010", "0.1"])
def test_a_duration_with_other_digits_is_damaged(duration: str) -> None:
    report = Report("f")
    good = "10:00:00.000001 read(3) = 1 <0.000102>\n"
    assert len(samples(good + f"10:00:00.000005 read(3) = 1 <{duration}>\n", report)) == 1
    assert report.bad_count == 1


@pytest.mark.parametrize("clock", ["90:00:00", "10:60:00", "10:00:71"])
def test_what_is_no_time_of_day_costs_its_call(clock: str) -> None:
    report = Report("f")
    good = "10:00:00.000001 read(3) = 1 <0.000102>\n"
    assert len(samples(good + f"{clock}.000005 read(3) = 1 <0.000102>\n" + good, report)) == 2
    assert report.bad_count == 1


def test_microseconds_are_exact() -> None:
    assert {one.step for one in sample_file("follow-epoch") + sample_file("nanoseconds-old-resume")} == {0}


@pytest.mark.parametrize("arguments", ['"<0.5>"', '") = 3 <0.000001>"', "'= ?'", '"<unfinished ...>"', "\\n --- +++"])
def test_arguments_may_hold_anything(arguments: str) -> None:
    (one,) = samples(f"7 1700000000.500000 write(1, {arguments}, 5) = -1 EIO (<0.1>) <0.000009>\n")
    assert (one.series, one.latency, one.micros) == ("write", 9, 1_700_000_000_500_009)


def test_a_process_that_was_alone_gets_a_name_later() -> None:
    said: list[str] = []
    report = Report("f", say=said.append)
    text = (
        "1700000000.000000 vfork( <unfinished ...>\n"
        "[pid 12] 1700000000.100000 getpid() = 12 <0.000001>\n"
        "[pid 11] 1700000000.200000 <... vfork resumed>) = 12 <0.150000>\n"
        "[pid 11] 1700000000.300000 wait4(-1,  <unfinished ...>\n"
        "[pid 12] 1700000000.400000 +++ exited with 0 +++\n"
        "1700000000.450000 <... wait4 resumed>NULL, 0, NULL) = 12 <0.140000>\n"
    )
    assert [one.micros - 1_700_000_000_000_000 for one in samples(text, report)] == [100_001, 150_000, 440_000]
    assert not said


def test_lines_that_are_cut_off_are_counted() -> None:
    report = Report("f")
    whole = '7 1700000000.5 read(3, "a", 1) = 1 <0.000009>\n'
    assert len(samples(whole + '7 1700000000.6 read(3, "\n7 1700000000.7 read(3) = 1 <0.00000\n', report)) == 1
    assert report.bad_count == 2


@pytest.mark.parametrize(
    ("name", "why"), [("without-durations-refused", "-T adds them"), ("summary-refused", "summary table .* -ttt -T")]
)
def test_what_holds_no_durations_is_refused(name: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        sample_file(name)


def test_a_live_trace_without_durations_is_refused_soon() -> None:
    def lines() -> Iterator[Line]:
        yield from (Line(number, "7 1700000000.5 read(3) = 1", 1.0) for number in range(1, 21))
        pytest.fail("read on although there are no durations")

    with pytest.raises(Refused, match="-T"):
        list(STRACE.decode(lines(), Report("f")))


@pytest.mark.parametrize("name", CAPTURES)
def test_captures_hold_what_is_true(name: str, shared: Path, classes: Counting, events_in: Told) -> None:
    """truth.json counts the calls on one line; those on two are counted here by another expression."""
    text = (shared / f"data/captures/{name}.txt").read_text()
    report = Report(name)
    found = samples(text, report)
    resumed = {number for number, line in enumerate(text.splitlines(), 1) if "resumed>" in line}
    assert classes([one for one in found if one.line not in resumed]) == events_in(f"{name}.txt")
    assert report.bad_count == 0
    again = re.findall(r"^(?:\d+ )?([\d:.]+) (<\.\.\. )?(\w+).*<0\.(\d{6})>$", text, re.MULTILINE)
    assert [(series, int(digits)) for _, _, series, digits in again] == [(one.series, one.latency) for one in found]
    for (time, second, _, digits), one in zip(again, found, strict=True):
        if "ttt" in name:
            printed = int(time.replace(".", ""))
            assert printed - 1000 < one.micros <= printed if second else one.micros == printed + int(digits)


def test_one_time_of_another_clock_costs_its_call() -> None:
    report = Report("f")
    lines = [f"10:00:0{n}.000001 read(3) = 1 <0.000102>\n" for n in range(5)]
    lines[2] = lines[2].replace("10:00:02", "1700000000")
    found = list(bin_events(samples("".join(lines)), TimeOptions(), report))
    assert [one.events for one in found if isinstance(one, Record)] == [1] * 4
    assert report.bad_count == 1

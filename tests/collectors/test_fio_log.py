"""Latency logs of fio: every I/O at its completion, in the unit of its release."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from pylatencymap import registry
from pylatencymap.collector import Known
from pylatencymap.collectors.fio_log.decoder import LineNumbers, log_unit
from pylatencymap.errors import Refused
from pylatencymap.record import Clock, Sample
from pylatencymap.report import Report
from pylatencymap.text.lines import lines_of
from pylatencymap.units import Unit

LOG = registry.load_collector("fio_log")
SAMPLES = Path(__file__).parent / "samples/fio_log"
Counting = Callable[[list[Sample]], dict[str, list[int]]]
Told = Callable[[str], dict[str, list[int]]]


def samples(text: str, report: Report | None = None, known: Known | None = None) -> list[Sample]:
    found = LOG.decode(lines_of(text), report or Report("log"), known or Known())
    return [event for event in found if isinstance(event, Sample)]


def text_of(name: str) -> str:
    return (SAMPLES / f"{name}.txt").read_text()


def test_each_line_is_an_io_that_ended_at_its_time() -> None:
    found = samples(text_of("fio3-priority"))
    assert [(one.series, one.latency, one.micros) for one in found] == [
        ("read", 345_401, 0),
        ("read", 11_148_142, 12_000),
        ("write", 113_428, 12_000),
        ("read", 78_342, 1_500_000),
        ("trim", 900_000, 1_500_000),
        ("sync", 137_288, 2_600_000),
    ]
    assert {(one.unit, one.clock) for one in found} == {(Unit.NS, Clock.FREE)}


def test_milliseconds_since_1970_are_known_by_their_size() -> None:
    found = samples(text_of("fio3-epoch-offset-priority"))
    assert {one.clock for one in found} == {Clock.EPOCH}
    assert [(one.series, one.latency, one.micros) for one in found] == [
        ("read", 52_278, 1_795_316_507_216_000),
        ("write", 18_830, 1_795_316_507_261_000),
        ("read", 10_199_947, 1_795_316_508_268_000),
    ]


def test_further_columns_do_not_matter() -> None:
    assert [(one.series, one.latency) for one in samples(text_of("fio3-issue-time"))] == [
        ("read", 345_401),
        ("write", 148_142),
    ]


@pytest.mark.parametrize(
    ("name", "unit", "said_of"),
    [
        ("fio2-microseconds", Unit.US, "microseconds, as of fio 2"),
        ("fio3-old-nanoseconds-offset", Unit.NS, "nanoseconds, as of fio 3"),
    ],
)
def test_a_unit_that_is_not_told_is_found_and_said(name: str, unit: Unit, said_of: str) -> None:
    said: list[str] = []
    text = text_of(name)
    found = samples(text, Report("log", say=said.append))
    assert {one.unit for one in found} == {unit}
    assert [one.latency for one in found] == [int(line.split(",")[1]) for line in text.splitlines()]
    assert len(said) == 1
    assert said_of in said[0]
    assert "--unit" in said[0]


@pytest.mark.parametrize("name", ["fio2-microseconds", "fio3-old-nanoseconds-offset"])
def test_the_user_knows_the_unit_better(name: str) -> None:
    said: list[str] = []
    found = samples(text_of(name), Report("log", say=said.append), Known(unit=Unit.MS))
    assert {one.unit for one in found} == {Unit.MS}
    assert not said


def test_the_name_of_a_log_tells_which_latency_it_is() -> None:
    text = text_of("fio3-priority")
    names = ("/tmp/x_clat.1.log", "x_slat.log", "x_lat.12.log", "-")
    assert [samples(text, Report(name))[0].label for name in names] == [
        "fio completion latency",
        "fio submission latency",
        "fio total latency",
        "fio latency",
    ]


@pytest.mark.parametrize("name", ["x_bw.1.log", "x_iops.1.log"])
def test_logs_of_rates_are_refused_by_their_names(name: str) -> None:
    with pytest.raises(Refused, match="not of latencies; what would work is --write_lat_log"):
        samples(text_of("fio3-priority"), Report(name))


@pytest.mark.parametrize("line", ["100, 1562205, 0, 0, 0", "100, 1562205, 9562205, 0, 0, 0", "100, 1562205, 1, 0"])
def test_averages_are_refused(line: str) -> None:
    with pytest.raises(Refused, match="averages, not single I/Os"):
        samples(3 * f"{line}\n")
    assert LOG.detect(3 * f"{line}\n").value == 0


def test_averages_beside_the_largest_are_refused() -> None:
    text = (
        "1, 213456, 300000, 0, 4096, 0, 0\n2, 223456, 300000, 1, 4096, 8192, 0\n900, 8213456, 9300000, 0, 4096, 0, 0\n"
    )
    assert LOG.detect(text).value > 0.9
    with pytest.raises(Refused, match="averages, not single I/Os"):
        samples(text)


def test_damaged_lines_are_counted_and_a_cut_block_size_is_none() -> None:
    report = Report("log")
    damaged = "7, 1, 9, 4096, 0\n7, -5, 0, 4096, 0\n8, 77000, 0\n9, 66000, 0, \nhello\n7, 100, 0, 0, 0\n"
    text = "0, 5000000, 0, 4096, 0\n" + damaged + "\n9, 88000, 1, 40"
    assert [one.latency for one in samples(text, report)] == [5_000_000, 88_000]
    assert report.bad_count == 6


def test_the_capture_holds_what_is_true(shared: Path, classes: Counting, events_in: Told) -> None:
    name = "fio-lat-log_lat.1.log"
    text = (shared / "data/captures" / name).read_text()
    report = Report(name)
    found = samples(text, report)
    assert list(classes(found).values()) == list(events_in(name).values())
    assert report.bad_count == 0
    rows = [line.split(", ") for line in text.splitlines()]
    assert [(one.micros, one.latency) for one in found] == [(int(row[0]) * 1000, int(row[1])) for row in rows]
    slow = [(before, one) for before, one in pairwise(found) if one.latency > 9_000_000]
    assert all(one.micros - before.micros >= 9000 for before, one in slow), "the times would be those of the starts"


def test_the_capture_of_averages_is_left_to_the_one_that_refuses_it(shared: Path) -> None:
    text = (shared / "data/captures/fio-lat-log-avg_lat.1.log").read_text()
    assert LOG.detect(text).value < 0.5
    with pytest.raises(Refused, match="averages"):
        samples(text)


@pytest.mark.parametrize("damaged", ["63, 8o09181, 0, 4096, 0", ":5<(>3c*a7 0z1.4b)*cy61", "xQ", "4096, 0, 100, 5, 0"])
@pytest.mark.parametrize("place", [0, 3, 11])
def test_one_damaged_line_does_not_make_it_another_text(place: int, damaged: str) -> None:
    lines = [f"{100 * number}, {80_000 + number}, 0, 4096, 0" for number in range(1, 15)]
    lines[place] = damaged
    assert LOG.detect("\n".join(lines)).value > 0.9
    report = Report("test")
    assert len(list(LOG.decode(lines_of("\n".join(lines)), report))) == 13
    assert report.bad_count == 1


def test_a_table_with_names_of_columns_is_another_text() -> None:
    lines = [f"{100 * number}, {80_000 + number}, 0, 4096, 0" for number in range(1, 15)]
    assert LOG.detect("\n".join(["time, latency, kind, size, offset", *lines])).value == 0


@pytest.mark.parametrize("milli", [0, 10_800_000, 10**15])
@pytest.mark.parametrize("place", [0, 1, 20, 48, 49])
def test_a_wrong_time_does_not_decide_on_the_unit(place: int, milli: int) -> None:
    lines = [LineNumbers(1_000_000 + number * 60, 5_000_000, ()) for number in range(50)]
    damaged = [*lines[:place], lines[place]._replace(milli=milli), *lines[place + 1 :]]
    assert log_unit(damaged) == log_unit(lines)

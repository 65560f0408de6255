"""What the counts of a file mean: the whole beginning decides, and a doubt is settled by reading the file again."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from pylatencymap.errors import Refused
from pylatencymap.intervals.semantics.settling import SNAPSHOTS_OF_FILE, settle_semantics
from pylatencymap.record import Event, Record, Semantics, Stamp, Tick
from pylatencymap.report import Report
from pylatencymap.units import Unit

INTERVAL, CUMULATIVE = Semantics.INTERVAL, Semantics.CUMULATIVE
BUCKETS = 10
Counts = list[int]


def events(prints: list[Counts], label: str = "@us") -> list[Event]:
    found: list[Event] = []
    for line, counts in enumerate(prints, 1):
        ranges = tuple((2**n, 2 ** (n + 1), count) for n, count in enumerate(counts) if count)
        found += [
            Tick(Stamp(line * 1_000_000), line=line),
            Record("a", Unit.US, ranges, Semantics.OPEN, label=label, line=line),
        ]
    return found


class File:
    """A file of prints; ``read`` counts how often it was read, and ``said`` holds the messages."""

    def __init__(self, prints: list[Counts]) -> None:
        self.events = events(prints)
        self.read = 1
        self.said: list[str] = []
        found = list(settle_semantics(self.events, Report("f", say=self.said.append), self.again))
        assert [_open(event) for event in found] == self.events
        (self.verdict,) = {event.semantics for event in found if isinstance(event, Record)}

    def again(self) -> Iterator[Event]:
        self.read += 1
        yield from self.events


def _open(event: Event) -> Event:
    return replace(event, semantics=Semantics.OPEN) if isinstance(event, Record) else event


def totals(number: int, buckets: int = BUCKETS) -> list[Counts]:
    return [[n * (bucket + 1) for bucket in range(buckets)] for n in range(1, number + 1)]


def per_interval(number: int, buckets: int = BUCKETS) -> list[Counts]:
    return [[10 + (7 * n + 3 * bucket) % 11 for bucket in range(buckets)] for n in range(number)]


@pytest.mark.parametrize("at", [0, 1, 2, 15, 28])
@pytest.mark.parametrize("count", [0, 1, 10**6])
def test_one_damaged_count_among_many_prints_that_grow_decides_nothing(at: int, count: int) -> None:
    prints = totals(29)
    prints[at][4] = count
    assert File(prints).verdict is CUMULATIVE


@pytest.mark.parametrize("at", [1, 2, 14, 20])
def test_nor_does_a_restart_of_all_counters(at: int) -> None:
    prints = totals(29)
    assert File(prints[: at + 1] + totals(29 - at)).verdict is CUMULATIVE


@pytest.mark.parametrize("number", [2, 3, 5, 29, SNAPSHOTS_OF_FILE, 300])
@pytest.mark.parametrize("buckets", [1, 2, BUCKETS])
def test_counts_that_rise_and_fall_are_per_interval(number: int, buckets: int) -> None:
    assert File(per_interval(number, buckets)).verdict is INTERVAL


@pytest.mark.parametrize("prints", [totals(1000), per_interval(1000)])
def test_a_clear_beginning_is_enough(prints: list[Counts]) -> None:
    assert File(prints).read == 1


@pytest.mark.parametrize("prints", [totals(SNAPSHOTS_OF_FILE, 1), per_interval(SNAPSHOTS_OF_FILE, 1)])
def test_a_file_that_has_been_read_to_its_end_is_not_read_again(prints: list[Counts]) -> None:
    assert File(prints).read == 1


def test_a_beginning_that_looks_like_totals_is_corrected_by_the_rest() -> None:
    rising = totals(SNAPSHOTS_OF_FILE + 6, 1)
    file = File(rising + per_interval(300, 1))
    assert (file.verdict, file.read) == (INTERVAL, 2)
    assert file.said[0] == (
        "f:1: the counts of @us do not mean what the first 64 prints look like, so the file was read again: taken as "
        "per interval; if they are totals, use --semantics cumulative"
    )


def test_a_beginning_that_looks_like_counts_per_interval_is_corrected_by_the_rest() -> None:
    file = File([[1]] * (SNAPSHOTS_OF_FILE + 2) + totals(40))
    assert (file.verdict, file.read) == (CUMULATIVE, 2)
    assert "so the file was read again: taken as totals" in file.said[0]


def test_what_fell_seldom_is_told() -> None:
    prints = totals(29)
    prints[7][4] = 0
    assert File(prints).said == [
        "f:1: the counts of @us fell in 1 of 29 prints: taken as totals; if they are per interval, use --semantics "
        "interval"
    ]


def test_a_text_that_is_refused_further_on_is_refused_once() -> None:
    def again() -> Iterator[Event]:
        yield from events(totals(70, 1))
        raise Refused("no latency")

    found = settle_semantics(events(totals(70, 1)), Report("f"), again)
    assert {event.semantics for event in found if isinstance(event, Record)} == {CUMULATIVE}


@pytest.mark.parametrize("at", [1, 2, 3, 4])
@pytest.mark.parametrize("bucket", range(5))
def test_one_damaged_count_decides_nothing_in_a_source_with_few_counts(at: int, bucket: int) -> None:
    prints = [[1, 2, 7, 1, 2], [2, 5, 8, 1, 2], [3, 8, 11, 1, 2], [4, 11, 16, 1, 2], [4, 11, 16, 1, 2]]
    prints[at][bucket] = 0
    assert File(prints).verdict is CUMULATIVE


@pytest.mark.parametrize("at", [2, 3])
@pytest.mark.parametrize("bucket", range(5))
def test_nor_does_a_count_in_another_bucket(at: int, bucket: int) -> None:
    prints = [[1, 2, 7, 1, 2], [2, 5, 8, 1, 2], [3, 8, 11, 1, 2], [4, 11, 16, 1, 2], [4, 11, 16, 1, 2]]
    prints[at] = [*prints[at], prints[at][bucket]]
    prints[at][bucket] = 0
    assert File(prints).verdict is CUMULATIVE


@pytest.mark.parametrize("at", [2, 3, 4, 5])
def test_nor_does_one_print_that_is_twice_as_high(at: int) -> None:
    prints = [[100 + 10 * n, 200 + 25 * n, 20 + 5 * n] for n in range(8)]
    prints[at] = [2 * count for count in prints[at]]
    assert File(prints).verdict is CUMULATIVE


@pytest.mark.parametrize(("label", "named"), [("", "the counts are"), ("@us", "the counts of @us are")])
def test_counts_that_are_no_whole_numbers_can_be_rates(label: str, named: str) -> None:
    prints = events(per_interval(20), label)
    rates = [replace(one, ranges=((1, 2, 0.25), *one.ranges)) if isinstance(one, Record) else one for one in prints]
    said: list[str] = []
    list(settle_semantics(rates, Report("f", say=said.append), lambda: rates))
    assert [one.partition(" no whole")[0] for one in said] == [f"f:1: {named}"]
    assert said[0].endswith("use --semantics rate")
    said.clear()
    list(settle_semantics(prints, Report("f", say=said.append), lambda: prints))
    assert not any("whole" in one for one in said)

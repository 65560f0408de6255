"""Sources whose text does not tell what its counts are: settled by their first prints, and nothing of them is lost."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pylatencymap.errors import Refused
from pylatencymap.intervals.semantics.settling import MOST_SNAPSHOTS, settle_semantics
from pylatencymap.record import DOUBTFUL, Event, Mark, Range, Record, Semantics, Stamp, Tick
from pylatencymap.report import Report
from pylatencymap.units import Unit

INTERVAL, CUMULATIVE, OPEN = Semantics.INTERVAL, Semantics.CUMULATIVE, Semantics.OPEN
Counts = dict[str, tuple[int, ...]]


def record(series: str, counts: tuple[int, ...], line: int = 1, label: str = "@us") -> Record:
    ranges: tuple[Range, ...] = tuple((2**n, 2 ** (n + 1), count) for n, count in enumerate(counts) if count)
    return Record(series, Unit.US, ranges, OPEN, label=label, line=line)


def text(prints: Iterable[Counts], label: str = "@us") -> list[Event]:
    """A tick and its records for each print, the print's number as the line."""
    events: list[Event] = []
    for line, series in enumerate(prints, 1):
        events.append(Tick(Stamp(line * 1_000_000), line=line))
        events += [record(name, counts, line, label) for name, counts in series.items()]
    return events


def run(events: Iterable[Event]) -> tuple[list[Event], list[str]]:
    said: list[str] = []
    return list(settle_semantics(events, Report("text", say=said.append))), said


def verdict(events: Iterable[Event]) -> Semantics:
    (found,) = {event.semantics for event in run(events)[0] if isinstance(event, Record)}
    return found


def alone(*prints: tuple[int, ...]) -> list[Event]:
    return text([{"a": counts} for counts in prints])


def needed(events: list[Event]) -> int:
    """How many events must have come before the first record is passed on."""
    taken: list[Event] = []

    def source() -> Iterator[Event]:
        for event in events:
            taken.append(event)
            yield event

    for event in settle_semantics(source(), Report("text")):
        if isinstance(event, Record):
            return len(taken)
    return -1


class TestVerdict:
    @pytest.mark.parametrize(
        ("prints", "expected"),
        [
            pytest.param([(5, 5, 5, 5)], INTERVAL, id="a dump at the end"),
            pytest.param([(5, 9), (5, 8)], INTERVAL, id="a bucket fell"),
            pytest.param([(5, 9), (50, 0, 9)], INTERVAL, id="a bucket is missing"),
            pytest.param([(1, 2, 3, 4), (1, 2, 3, 4), (1, 2, 3, 3)], INTERVAL, id="a bucket fell late"),
            pytest.param([(1, 2, 3), (2, 2, 3), (2, 3, 9), (2, 3, 9, 1)], CUMULATIVE, id="three prints grew"),
            pytest.param([(5,), (9,), (9,)], CUMULATIVE, id="three prints and the end"),
            pytest.param([(1, 2, 3, 4), (2, 2, 3, 4)], CUMULATIVE, id="two prints of many buckets"),
            pytest.param([(5,), (9,)], INTERVAL, id="two prints of one bucket"),
            pytest.param([(7, 7, 7, 7)] * 5, CUMULATIVE, id="an idle counter"),
            pytest.param([(1,)] * 5, INTERVAL, id="a heartbeat"),
            pytest.param([(1,)] * 50, INTERVAL, id="a long heartbeat"),
            pytest.param([(1,), (2,)] * 30, INTERVAL, id="two values"),
            pytest.param([(), (1, 2), (3, 4), (5, 6), (7, 8), (9, 10)], CUMULATIVE, id="empty at first"),
        ],
    )
    def test_of_one_series(self, prints: list[tuple[int, ...]], expected: Semantics) -> None:
        assert verdict(alone(*prints)) is expected

    def test_fewer_series_are_of_a_map_that_was_cleared(self) -> None:
        assert verdict(text([{"a": (1,), "b": (1,)}, {"a": (2,)}])) is INTERVAL

    def test_of_the_largest_totals_other_series_are_printed_each_time(self) -> None:
        prints = [
            {"a": (1, 2, 3), "b": (9, 9, 9)},
            {"b": (10, 9, 9), "c": (7, 7, 7)},
            {"b": (11, 9, 9), "c": (9, 9, 9)},
        ]
        assert verdict(text([*prints, {"a": (30, 9, 9), "b": (11, 9, 9)}])) is CUMULATIVE

    def test_labels_are_settled_for_themselves(self) -> None:
        cleared, total = text([{"a": (5, 4)}, {"a": (3, 9)}]), text([{"b": (1, 2, 3, 4)}, {"b": (9, 9, 9, 9)}], "@sum")
        both = [*cleared[:2], total[1], *cleared[2:], total[3]]
        found = {event.label: event.semantics for event in run(both)[0] if isinstance(event, Record)}
        assert found == {"@us": INTERVAL, "@sum": CUMULATIVE}

    @pytest.mark.parametrize(("prints", "later"), [([(1, 2, 3, 4)] * 4, CUMULATIVE), ([(9,), (1,)], INTERVAL)])
    def test_a_later_label_is_as_the_others_are(self, prints: list[tuple[int, ...]], later: Semantics) -> None:
        grown = [tuple(count + n for count in counts) for n, counts in enumerate(prints)]
        events = [
            *alone(*(grown if later is CUMULATIVE else prints)),
            Tick(Stamp(99_000_000)),
            record("z", (1,), 9, "@z"),
        ]
        last = run(events)[0][-1]
        assert isinstance(last, Record)
        assert last.semantics is later


class TestPatience:
    def test_a_count_that_falls_settles_it_at_once(self) -> None:
        assert needed(alone((5, 9, 7), (4, 9, 6), (3, 3, 3))) == len(["tick", "a", "tick", "a"])

    def test_of_one_or_two_counts_the_second_fall_settles_it(self) -> None:
        assert needed(alone((5,), (4,), (7,), (6,), (9,))) == len(["tick", "a"] * 4)
        assert needed(alone((5, 9), (4, 9), (3, 8), (6, 7))) == len(["tick", "a"] * 3)
        assert verdict(alone((5,), (4,), (7,), (6,), (9,))) is INTERVAL

    def test_after_the_last_label_that_was_in_the_print_before(self) -> None:
        one, other = text([{"a": (5, 6, 7)}, {"a": (3, 5, 7)}]), text([{"b": (5,)}, {"b": (9,)}], "@b")
        events = [*one[:2], other[1], *one[2:], other[3], *text([{"a": (1,)}])]
        assert needed(events) == len(["tick", "a", "b", "tick", "a", "b"])

    def test_or_with_the_next_print(self) -> None:
        fallen = {"a": (3, 5, 7)}
        one, other = text([{"a": (5, 6, 7)}, fallen, fallen]), text([{"b": (5,)}], "@b")
        assert needed([*one[:2], other[1], *one[2:]]) == len(["tick", "a", "b", "tick", "a", "tick"])

    def test_totals_are_known_when_the_third_print_is_over(self) -> None:
        assert needed(alone(*[(n, n, n, n) for n in range(1, 9)])) == len(["tick", "a"] * 3 + ["tick"])

    def test_of_few_buckets_more_prints_are_needed_but_not_for_ever(self) -> None:
        assert needed(alone(*[(n,) for n in range(1, 50)])) == len(["tick", "a"] * MOST_SNAPSHOTS + ["tick"])
        assert needed(alone(*[(1,)] * 50)) == len(["tick", "a"] * MOST_SNAPSHOTS + ["tick"])

    def test_other_semantics_wait_for_nothing(self) -> None:
        events = [replace(event, semantics=CUMULATIVE) if isinstance(event, Record) else event for event in alone((1,))]
        assert needed(events) == len(["tick", "a"])
        assert run(events)[0] == events


class TestNothingIsLost:
    @given(
        st.lists(
            st.dictionaries(
                st.sampled_from("abc"), st.lists(st.integers(0, 5), max_size=4).map(tuple), min_size=0, max_size=3
            ),
            max_size=14,
        ),
        st.sampled_from(["@us", ""]),
    )
    def test_whatever_is_printed(self, prints: list[Counts], label: str) -> None:
        events = text(prints, label)
        events.insert(len(events) // 2, Mark(Stamp(5), "noon"))
        found, said = run(events)
        assert [_unsettled(event) for event in found] == events
        meanings = [meaning for meaning, _ in groupby(one.semantics for one in found if isinstance(one, Record))]
        assert len(meanings) <= 1 + sum("from here on" in one for one in said)
        assert all(event.semantics is not OPEN for event in found if isinstance(event, Record))

    @given(st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=4), min_size=3, max_size=12))
    def test_running_totals_are_totals_and_add_up(self, steps: list[list[int]]) -> None:
        sums = [tuple(sum(step[n] for step in steps[:end] if n < len(step)) for n in range(4)) for end in range(1, 13)]
        prints = sums[: len(steps)]
        if prints[0] == prints[-1] or sum(map(bool, prints[0])) == 0:
            return
        assert verdict(alone(*prints)) is CUMULATIVE

    def test_nor_when_the_text_is_refused_in_the_middle(self) -> None:
        def source() -> Iterator[Event]:
            yield from alone((5,), (6,))
            raise Refused("no latency")

        taken: list[Event] = []

        def read() -> None:
            for event in settle_semantics(source(), Report("text")):
                taken.append(event)

        with pytest.raises(Refused):
            read()
        assert len(taken) == len(["tick", "a", "tick", "a"])


def _unsettled(event: Event) -> Event:
    return replace(event, semantics=OPEN, flags=event.flags - {DOUBTFUL}) if isinstance(event, Record) else event


class TestDoubts:
    TOTALS = (
        "text:1: the counts of @us never fell in the first prints: taken as totals; if they are per interval, "
        "use --semantics interval"
    )

    def test_what_was_taken_for_totals_is_told_with_the_first_print(self) -> None:
        """A load that rises looks like totals, so that nobody but the user can know."""
        rising = [(n, 2 * n, 3 * n, 4 * n) for n in range(1, 10)]
        assert run(alone(*rising, (1, 1, 1, 1)))[1] == [self.TOTALS]

    def test_what_was_taken_for_counts_per_interval_though_nothing_fell_is_told(self) -> None:
        _, said = run(alone(*[(1,)] * 10, (2,)))
        assert said == [
            "text:1: the counts of @us neither fell in the first prints nor grew like totals: taken as per interval; "
            "if they are totals, use --semantics cumulative"
        ]

    @pytest.mark.parametrize("prints", [[(5, 5, 5, 5)], [(5, 9), (5, 8)], [(5, 9), (50, 0, 9)]])
    def test_what_is_clear_is_not_told(self, prints: list[tuple[int, ...]]) -> None:
        assert run(alone(*prints))[1] == []

    def test_maps_that_were_taken_for_the_same_are_told_together(self) -> None:
        grown = [(n, n, n, n) for n in range(1, 6)]
        prints = [text([{label: counts}], label) for counts in grown for label in ("@us", "@ms")]
        one = [event for first, second in zip(prints[::2], prints[1::2], strict=True) for event in (*first, second[1])]
        assert [message.split(":")[2] for message in run(one)[1]] == [
            " the counts of @us, @ms never fell in the first prints"
        ]

    def test_totals_that_fall_again_and_again_are_told_of_once_more(self) -> None:
        grown = [(1, 1, 1, 1), (2, 2, 2, 2), (3, 3, 3, 3)]
        _, said = run(alone(*grown, *[(n % 3 + 1, 5, 5, n % 5 + 1) for n in range(40)]))
        assert len(said) == 2
        assert "fall again and again" in said[1]

    def test_a_restart_or_one_series_of_many_is_not(self) -> None:
        grown = [(n, n, n, n) for n in range(1, 30)]
        assert run(alone(*grown, *grown))[1] == [self.TOTALS]
        many = [{"a": (n % 3 + 1 if n > 4 else n,), "b": (n, n, n), "c": (n, n, n)} for n in range(1, 40)]
        assert run(text(many))[1] == [self.TOTALS]


def test_the_engine_makes_intervals_of_both(make: Any, engine: Any) -> None:
    def prints(*totals: int) -> list[Event]:
        stamped = [(make.at(n), total) for n, total in enumerate(totals)]
        return [
            event
            for stamp, total in stamped
            for event in (make.tick(stamp), replace(make.counted(stamp, total, total, total, total), semantics=OPEN))
        ]

    assert [one.events for one in engine(prints(1, 3, 7, 8)).intervals] == [8, 16, 4]
    assert [one.events for one in engine(prints(3, 1, 7, 8)).intervals] == [12, 4, 28, 32]
    forced = engine(prints(1, 3, 7, 8), semantics=INTERVAL)
    assert [one.events for one in forced.intervals] == [4, 12, 28, 32]


@pytest.mark.parametrize("counts", [1, 2])
@pytest.mark.parametrize("at", [0, 1, 2, 4])
@pytest.mark.parametrize("factor", [0.1, 10])
def test_of_one_or_two_totals_a_wrong_digit_in_one_print_decides_nothing(factor: float, at: int, counts: int) -> None:
    prints = [tuple((n + 1) * 100 + n * 10 for n in range(number, number + counts)) for number in range(12)]
    prints[at] = (int(prints[at][0] * factor), *prints[at][1:])
    events, said = run(alone(*prints))
    assert {event.semantics for event in events if isinstance(event, Record)} == {Semantics.CUMULATIVE}
    assert any("taken as totals; if they are per interval, use --semantics interval" in told for told in said)


def test_one_count_that_often_stays_as_it_is_and_falls_once_is_doubtful() -> None:
    """A quiet source: these can be totals with a digit lost, and counts of single events."""
    events, said = run(alone(*[(count,) for count in (5, 5, 6, 1, 7, 7, 8, 8)]))
    assert {event.semantics for event in events if isinstance(event, Record)} == {INTERVAL}
    assert any(DOUBTFUL in event.flags for event in events if isinstance(event, Record))
    assert any("--semantics cumulative" in told for told in said)

"""Single events become prints of equal length: nothing is lost, whatever the order, the clock and the silences."""

from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given, strategies as st

from pylatencymap.buckets import bounds_of, bucket_of
from pylatencymap.interval import Interval
from pylatencymap.intervals.difference import to_intervals
from pylatencymap.intervals.event_bins import EVENT_RESOLUTION, bin_events
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.stages import resolve_times
from pylatencymap.record import Clock, Decoded, Event, Pause, Record, Sample, Tick
from pylatencymap.report import Report
from pylatencymap.stream.reader import read_stream
from pylatencymap.stream.writer import StreamWriter
from pylatencymap.text.lines import lines_of
from pylatencymap.units import MICROS_PER_DAY, Unit

BEGIN = 1_700_000_000_000_000
SECOND = 1_000_000
FILE = TimeOptions(modified=1_700_000_100.0)
LIVE = TimeOptions(started=0.0, now=lambda: 1_700_000_000.0, monotonic=lambda: 100.0)
latencies = st.one_of(st.integers(0, 40), st.integers(0, 1 << 40))
traces = st.lists(
    st.builds(
        lambda series, latency, at: Sample(series, Unit.US, latency, BEGIN + at),
        st.sampled_from(["read", "write"]),
        latencies,
        st.integers(0, 60 * SECOND),
    ),
    min_size=1,
    max_size=60,
)


def found(events: Iterable[Decoded], options: TimeOptions = FILE, bad: int = 0) -> list[Interval]:
    report = Report("trace")
    made = list(resolve_times(bin_events(events, options, report, lambda: 0.0), options, report))
    assert report.bad_count == bad
    return list(to_intervals(event for event in made if isinstance(event, Record | Tick)))


def counts(made: list[Interval]) -> Counter[tuple[str, object, object]]:
    total: Counter[tuple[str, object, object]] = Counter()
    for interval in made:
        for lower, upper, count in interval.ranges:
            total[interval.series, lower, upper] += int(count)
    return total


def expected(trace: list[Sample]) -> Counter[tuple[str, object, object]]:
    return Counter(
        (one.series, *bounds_of(bucket_of(one.latency, EVENT_RESOLUTION), EVENT_RESOLUTION)) for one in trace
    )


@given(traces)
def test_every_event_counts_and_the_time_is_exact(trace: list[Sample]) -> None:
    for options in (FILE, LIVE):
        made = found(trace, options)
        assert counts(made) == expected(trace)
        waited = sum(interval.waited or 0.0 for interval in made)
        assert abs(waited - sum(one.latency for one in trace) / 1e6) <= 1e-9 * max(1.0, waited)
        assert not any(interval.estimated for interval in made if interval.ranges)


@given(traces, st.randoms())
def test_the_order_of_a_file_does_not_matter(trace: list[Sample], random: object) -> None:
    mixed = list(trace)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    key = lambda interval: (interval.end, interval.series)  # noqa: E731
    first, second = (sorted(found(one), key=key) for one in (trace, mixed))
    assert [(one.start, one.end, one.series, one.ranges, one.gap) for one in first] == [
        (one.start, one.end, one.series, one.ranges, one.gap) for one in second
    ]


@given(traces)
def test_an_event_lies_in_the_interval_in_which_it_ended(trace: list[Sample]) -> None:
    made = [interval for interval in found(trace) if interval.ranges]
    assert all(interval.seconds == 1.0 and interval.end - interval.start == SECOND for interval in made)
    for one in trace:
        bounds = bounds_of(bucket_of(one.latency, EVENT_RESOLUTION), EVENT_RESOLUTION)
        assert any(
            interval.series == one.series
            and interval.start <= one.micros < interval.end
            and bounds in [(lower, upper) for lower, upper, _ in interval.ranges]
            for interval in made
        )


def at(*seconds: float) -> list[Sample]:
    return [Sample("read", Unit.US, 100, BEGIN + round(second * SECOND)) for second in seconds]


def told(made: list[Interval]) -> list[tuple[int, int, float, int]]:
    """Begin and end in seconds since BEGIN, the seconds that count for rates, and events."""
    return [((one.start - BEGIN) // SECOND, (one.end - BEGIN) // SECOND, one.seconds, int(one.events)) for one in made]


def test_seconds_without_events_are_zeros() -> None:
    made = found(at(0.5, 1.5, 4.5, 5.5))
    assert told(made) == [(second, second + 1, 1.0, second in (0, 1, 4, 5)) for second in range(6)]
    assert {one.waited for one in made if not one.events} == {0.0}
    assert not any(one.gap for one in made)


def test_a_long_time_without_events_is_one_interval_of_zeros() -> None:
    made = found(at(0.5, 86_400.5, 86_401.5))
    assert told(made) == [(0, 1, 1.0, 1), (1, 86_400, 86_399.0, 0), (86_400, 86_401, 1.0, 1), (86_401, 86_402, 1.0, 1)]
    assert not any(one.gap for one in made)


@pytest.mark.parametrize("step", [2, 3, 4, 5, 7, 10, 11, 12, 60])
@pytest.mark.parametrize("options", [FILE, LIVE])
def test_the_rate_of_sparse_events_is_one_in_each_of_their_steps(step: int, options: TimeOptions) -> None:
    made = found(at(*(0.5 + step * number for number in range(20))), options)
    seconds = sum(one.seconds for one in made)
    assert (sum(int(one.events) for one in made), seconds) == (20, 19 * step + 1)
    assert not any(one.gap for one in made)
    assert [one.start for one in made[1:]] == [one.end for one in made[:-1]]


def test_sparse_events_of_times_of_day_go_on_over_midnight() -> None:
    steps = [MICROS_PER_DAY - 50 * SECOND, MICROS_PER_DAY - 20 * SECOND, 10 * SECOND, 15 * SECOND]
    made = found([Sample("read", Unit.US, 5, micros, Clock.DAY) for micros in steps])
    assert sum(one.seconds for one in made) == 66.0
    assert [one.start for one in made[1:]] == [one.end for one in made[:-1]]


def test_what_is_recorded_of_sparse_events_is_replayed_as_it_was() -> None:
    options, report = FILE, Report("trace")
    text: list[str] = []
    sparse = at(0.5, 1.5, 5.5, 40.5, 41.5, 100.5, 101.5)
    events = list(resolve_times(bin_events(sparse, options, report), options, report))
    writer = StreamWriter(text.append)
    for event in events:
        writer.event(event)
    again = resolve_times(read_stream(lines_of("".join(text)), report), options, report)
    assert told(list(to_intervals(again))) == told(found(sparse))


def test_the_interval_is_the_length_of_bins() -> None:
    made = found(at(0.05, 0.15, 0.16, 0.25), FILE._replace(interval=0.1))
    assert [(one.seconds, one.events) for one in made] == [(0.1, 1), (0.1, 2), (0.1, 1)]


def test_times_of_day_go_on_over_midnight() -> None:
    late, early = MICROS_PER_DAY - SECOND // 2, SECOND // 2
    trace = [Sample("read", Unit.US, 5, micros, Clock.DAY) for micros in (late, early, late, early + SECOND)]
    made = [one for one in found(trace) if one.events]
    assert [(one.events, one.seconds) for one in made] == [(2, 1.0), (1, 1.0), (1, 1.0)]
    assert made[0].end % MICROS_PER_DAY == 0
    assert made[1].start == made[0].end


def test_a_latency_of_zero_lies_in_the_lowest_bucket() -> None:
    (made,) = found([Sample("read", Unit.US, 0, BEGIN)])
    assert made.ranges == ((0, 1, 1),)
    assert made.waited == 0.0


def prints(events: Iterable[Decoded], clock: list[float]) -> list[list[Event]]:
    """What is printed of a live source after each event; the clock has a reading for each."""
    taken: list[Event] = []
    steps: list[list[Event]] = []

    def fed() -> Iterable[Decoded]:
        for event in events:
            yield event
            steps.append(taken.copy())
            taken.clear()

    readings = iter(clock)
    for event in bin_events(fed(), LIVE, Report("trace"), lambda: next(readings)):
        taken.append(event)
    return [*steps, taken.copy()]


def test_a_live_bin_is_printed_when_the_next_but_one_begins_or_nothing_comes() -> None:
    steps = prints([*at(0.5, 1.5, 2.5), Pause(), Pause()], [0.0, 1.0, 2.0, 2.1, 4.1])
    ends = [
        [(one.stamp.micros - BEGIN) // SECOND for one in step if isinstance(one, Tick) and one.stamp] for step in steps
    ]
    assert ends == [[], [], [1], [], [2, 3], []]


def test_what_is_told_late_by_a_live_source_still_counts() -> None:
    said: list[str] = []
    report = Report("trace", say=said.append)
    trace = [one._replace(line=line) for line, one in enumerate(at(0.5, 5.5, 5.6, 0.6, 0.7), 1)]
    made = list(bin_events(trace, LIVE, report, lambda: 0.0))
    assert sum(int(one.events) for one in made if isinstance(one, Record)) == 5
    assert len(said) == 1
    assert "The time in line 2 began it" in said[0]
    assert "--interval" in said[0]
    assert report.bad_count == 0


def test_a_live_event_that_is_some_seconds_ahead_closes_nothing_unless_the_next_one_agrees() -> None:
    steps = prints(at(0.5, 5.5, 0.6, 0.7, 1.5), [0.0] * 5)
    assert [
        [(one.stamp.micros - BEGIN) // SECOND for one in step if isinstance(one, Tick) and one.stamp] for step in steps
    ] == [[], [], [], [], [], [1, 2, 3, 4, 5, 6]]


def test_what_a_live_source_tells_without_a_time_ended_when_it_arrived() -> None:
    heard = [Sample("read", Unit.US, 5, 77, Clock.COUNTED, arrival=100.0 + second) for second in (0.0, 0.25, 3.5)]
    made = [interval for interval in found(heard, LIVE) if interval.ranges]
    assert [(interval.end, interval.clock) for interval in made] == [(BEGIN + SECOND, True), (BEGIN + 4 * SECOND, True)]
    assert [int(sum(count for *_, count in interval.ranges)) for interval in made] == [2, 1]


@pytest.mark.parametrize("hour", [0, 9, 11, 15, 20])
@pytest.mark.parametrize("place", [1, 5, 18])
def test_a_damaged_hour_costs_only_its_own_event(hour: int, place: int) -> None:
    def times(bad: int | None) -> list[Sample]:
        hours = [10 if number != bad else hour for number in range(20)]
        return [Sample("a", Unit.US, 5, (one * 3600 + n) * SECOND, Clock.DAY) for n, one in enumerate(hours)]

    whole = {one.end: one.events for one in found(times(None))}
    damaged = {one.end: one.events for one in found(times(place), bad=1)}
    missing = {end for end, events in whole.items() if damaged.get(end) != events}
    assert len(missing) <= 1

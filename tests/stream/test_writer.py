"""Writing records: the round trip, and what the earlier tool makes of it."""

from bisect import bisect_left
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from pylatencymap.interval import Interval
from pylatencymap.record import Clock, Event, Mark, Record, Semantics, Stamp, Tick, tidy_ranges
from pylatencymap.stream import IntervalWriter
from pylatencymap.stream.syntax import BASELINE
from pylatencymap.text.clean import printable
from pylatencymap.units import Unit

Read = Callable[..., list[Event]]
Write = Callable[[list[Event]], list[str]]

NOW = 1426358407973575

words = st.one_of(
    st.sampled_from(
        ["", "all", "loop0", "loop0,Sync-Read", "reads latency data from gv$event_histogram", " a ", "#lmap {"]
    ),
    st.text(max_size=20).map(printable),
)
counts = st.one_of(st.integers(0, 9), st.integers(0, 2**100), st.floats(0, 1e9))
octaves = st.integers(0, 62).flatmap(lambda k: st.sampled_from([(1 << k, 2 << k), (0, 1), (0, 2)]))
foreign = st.tuples(st.floats(0, 1e12), st.one_of(st.none(), st.floats(0.01, 1e12))).map(
    lambda pair: (pair[0], pair[1] and pair[0] + pair[1])
)
bounds = st.one_of(octaves, st.integers(0, 62).map(lambda k: (1 << k, None)), foreign)
ranges = st.lists(st.tuples(bounds, counts).map(lambda pair: (*pair[0], pair[1])), max_size=6).map(tidy_ranges)
plain_ranges = st.lists(
    st.tuples(st.integers(0, 40), st.integers(0, 10**6)).map(lambda pair: (1 << pair[0], 2 << pair[0], pair[1])),
    max_size=8,
).map(tidy_ranges)
stamps = st.one_of(
    st.integers(0, 3 * 10**15).map(Stamp), st.integers(0, 10**12).map(lambda micros: Stamp(micros, Clock.COUNTED))
)
positive = st.floats(1e-9, 1e9)
extras = st.fixed_dictionaries(
    {"series": words},
    optional={
        "seconds": positive,
        "waited": st.floats(0, 1e9),
        "label": words,
        "source": st.one_of(st.sampled_from(["bpf", "oracle", "dtrace"]), words),
        "flags": st.frozensets(st.one_of(st.sampled_from(["baseline", "epoch?"]), words), max_size=2),
        "note": words,
    },
)


def _record(
    stamp: Stamp, semantics: Semantics, unit: Unit, start: int | None, found: Any, extra: dict[str, Any]
) -> Record:
    start = stamp.micros - 10**6 if start is None and semantics is Semantics.INTERVAL else start
    return Record(unit=unit, ranges=found, semantics=semantics, stamp=stamp, start=start, **extra)


records = st.builds(
    _record,
    stamps,
    st.sampled_from([Semantics.CUMULATIVE, Semantics.INTERVAL]),
    st.sampled_from(Unit),
    st.one_of(st.none(), st.integers(-(10**6), 3 * 10**15)),
    st.one_of(ranges, plain_ranges),
    extras,
)
marks = st.builds(Mark, stamps, words, words)


@given(st.lists(st.one_of(records, records, marks), max_size=12))
def test_what_is_written_reads_back_identically(read_stream: Read, write_stream: Write, events: list[Event]) -> None:
    assert read_stream("".join(write_stream(events))) == events


@given(st.lists(st.one_of(records, marks), max_size=6))
def test_the_earlier_tool_accepts_every_line(
    read_as_before: Callable[[str], list[Any]], write_stream: Write, events: list[Event]
) -> None:
    assert len(read_as_before("".join(write_stream(events)))) >= sum(isinstance(event, Record) for event in events)


@example([((1, 2, 2**53 + 1),), ((1, 2, 1.5),)], "bpf")
@given(st.lists(st.one_of(ranges, plain_ranges), min_size=1, max_size=8), st.sampled_from(["bpf", "oracle"]))
def test_the_earlier_tool_sees_running_sums_that_lose_nothing(
    read_as_before: Callable[[str], list[Any]], write_stream: Write, histograms: list[Any], source: str
) -> None:
    events = interval_records(histograms, source)
    baseline, *found = read_as_before("".join(write_stream(events)))
    assert baseline.counts == {}
    assert baseline.micros == NOW
    assert len(found) == len(histograms)
    before: dict[int, int] = {}
    for record in found:
        assert all(record.counts[label] >= count for label, count in before.items())
        before = record.counts
    exact = sum(count for histogram in histograms for _, _, count in histogram)
    assert sum(before.values()) == pytest.approx(exact, abs=0.5 * max(len(before), 1), rel=1e-9)


def interval_records(histograms: Iterable[Any], source: str = "bpf", **extra: Any) -> list[Event]:
    """Records of one series, one second after the other."""
    return [
        Record("sda", Unit.US, found, Semantics.INTERVAL, Stamp(end), end - 10**6, label="sda", source=source, **extra)
        for end, found in ((NOW + 10**6 * n, found) for n, found in enumerate(histograms, 1))
    ]


small = st.sampled_from([(), (), (), ((1, 2, 3),), ((4, 8, 1), (8, 16, 2))])
steps = st.tuples(
    small,
    st.sampled_from([0, 0, 0, 500]),  # microseconds by which a record begins before the last one ended
    st.sampled_from([{}, {}, {"waited": 0.0}, {"note": "new"}, {"flags": frozenset({"kept"})}, {"label": "b"}]),
)


@given(st.lists(st.tuples(st.sampled_from("ab"), steps), max_size=14))
def test_series_that_are_idle_for_long_read_back_identically(
    read_stream: Read, write_stream: Write, prints: list[Any]
) -> None:
    ends = {"a": NOW, "b": NOW}
    events: list[Event] = []
    for series, (found, early, extra) in prints:
        start, ends[series] = ends[series] - early, ends[series] + 10**6
        more = {"label": series, "source": "bpftrace", **extra}
        events.append(Record(series, Unit.US, found, Semantics.INTERVAL, Stamp(ends[series]), start, **more))
    assert read_stream("".join(write_stream(events))) == events


def test_a_plain_record_needs_no_extension(write_stream: Write) -> None:
    record = Record(
        "db file sequential read",
        Unit.MS,
        ((0, 1, 4), (1, 2, 5), (2, 4, 6)),
        Semantics.CUMULATIVE,
        Stamp(NOW, text="14-MAR-15 07.40.07,973575 PM"),
        label="db file sequential read latency data from gv$event_histogram",
        source="oracle",
    )
    assert write_stream([record]) == [
        "<begin record>\n"
        "timestamp,microsec,1426358407973575,14-MAR-15 07.40.07.973575 PM\n"
        "label,db file sequential read latency data from gv$event_histogram\n"
        "latencyunit,millisec\n"
        "datasource,oracle\n"
        "1,4\n2,5\n4,6\n"
        "<end record>\n"
    ]


def test_plain_intervals_need_only_the_word(write_stream: Write) -> None:
    pieces = write_stream(interval_records([((64, 128, 5),), (), ((1, 2, 1), (64, 128, 2))]))
    assert [piece.splitlines()[0] for piece in pieces] == [
        '#lmap {"v": 1, "counts": "interval", "flags": ["baseline"]}',
        *['#lmap {"v": 1, "counts": "interval"}'] * 3,
    ]
    assert [piece.splitlines()[6:-1] for piece in pieces] == [[], ["64,5"], ["64,5"], ["1,1", "64,7"]]


def test_ranges_that_are_no_octaves_are_kept_beside_the_text(write_stream: Write) -> None:
    pieces = write_stream(interval_records([((0, 2, 5), (100, 200, 0.5)), ((0, 1, 1), (100, 200, 0.25))]))
    assert '"buckets": [[0, 2, 5], [100, 200, 0.5]]' in pieces[1]
    assert pieces[1].splitlines()[6:-1] == ["1,5", "128,0"]
    assert pieces[2].splitlines()[6:-1] == ["1,6", "128,1"]


def test_series_keep_their_sums_apart(read_stream: Read, write_stream: Write) -> None:
    one, two = interval_records([((64, 128, 5),), ((64, 128, 3),)])
    assert isinstance(two, Record)
    other = Record("sdb", Unit.US, ((64, 128, 9),), Semantics.INTERVAL, two.stamp, NOW, label="sdb", source="bpf")
    pieces = write_stream([one, other, two])
    assert len(pieces) == 5
    assert pieces[-1].splitlines()[6] == "64,8"
    assert read_stream("".join(pieces)) == [one, other, two]


def test_cumulative_counters_are_written_as_they_are(
    read_as_before: Callable[[str], list[Any]], write_stream: Write
) -> None:
    records = [
        Record("sda", Unit.US, ((64, 128, count),), Semantics.CUMULATIVE, Stamp(NOW), label="sda", source="bpf")
        for count in (700, 900, 3)
    ]
    assert [record.counts for record in read_as_before("".join(write_stream(list(records))))] == [
        {64: 700},
        {64: 900},
        {64: 3},
    ]


def test_a_label_cannot_break_the_record(read_as_before: Callable[[str], list[Any]], write_stream: Write) -> None:
    record = Record(
        "a,b", Unit.US, (), Semantics.CUMULATIVE, Stamp(NOW, text="x\n64,1"), label="a,\n<end record>\x1b[2J\u2028c"
    )
    (read,) = read_as_before("".join(write_stream([record])))
    assert read.label == "a; <end record>\\x1b[2j\\u2028c"
    assert read.counts == {}


@pytest.mark.parametrize(
    ("semantics", "stamp", "start"),
    [
        (Semantics.CUMULATIVE, None, None),
        (Semantics.CUMULATIVE, Stamp(5, Clock.DAY), None),
        (Semantics.CUMULATIVE, Stamp(10**12, Clock.FREE), None),
        (Semantics.RATE, Stamp(NOW), None),
        (Semantics.INTERVAL, Stamp(NOW), None),
    ],
)
def test_what_is_not_resolved_is_refused(
    write_stream: Write, semantics: Semantics, stamp: Stamp | None, start: int | None
) -> None:
    with pytest.raises(ValueError, match="'sda'"):
        write_stream([Record("sda", Unit.US, (), semantics, stamp, start)])


def test_ticks_are_not_written(write_stream: Write) -> None:
    assert write_stream([Tick(Stamp(NOW))]) == []


@pytest.mark.parametrize("clock", [Clock.EPOCH, Clock.COUNTED])
def test_a_snapshot_without_records_says_that_time_went_on(
    read_stream: Read, write_stream: Write, clock: Clock
) -> None:
    def tick(second: int, **about: Any) -> Tick:
        stamp = Stamp(NOW + second * 1_000_000, clock)
        return Tick(stamp, start=stamp.micros - 1_000_000, implied=True, kept=True, **about)

    def record(second: int) -> Record:
        stamp = Stamp(NOW + second * 1_000_000, clock)
        return Record("sda", Unit.US, ((64, 128, second),), Semantics.CUMULATIVE, stamp)

    empty = [tick(1), tick(2, joins=True), tick(30, silent_since=NOW + 2_000_000, silent_until=NOW + 29_000_000)]
    events = [tick(0), record(0), *empty, tick(31), record(31), *empty[:1]]
    lines = write_stream(events)
    assert [("snapshot" in line, "sda" in line) for line in lines] == [
        (False, True), *[(True, False)] * 3, (False, True)
    ]  # fmt: skip
    found = [event for event in read_stream("".join(lines)) if isinstance(event, Tick)]
    assert found[1:4] == empty
    assert [one.kept for one in found] == [False, True, True, True, True]


def test_the_last_snapshot_is_written_at_the_end(read_stream: Read) -> None:
    from pylatencymap.stream.writer import StreamWriter

    texts: list[str] = []
    writer = StreamWriter(texts.append)
    last = Tick(Stamp(NOW + 1_000_000), start=NOW, implied=True, kept=True)
    for event in (Tick(Stamp(NOW)), Record("sda", Unit.US, (), Semantics.CUMULATIVE, Stamp(NOW)), last):
        writer.event(event)
    writer.end()
    assert read_stream("".join(texts))[-1] == last
    writer.end()
    assert "".join(texts).count("snapshot") == 1


def test_a_recording_cut_anywhere_gives_the_records_before_the_cut(read_stream: Read, write_stream: Write) -> None:
    from pylatencymap.report import Report

    events = interval_records([((64, 128, 5),), ((0, 2, 1),), ((64, 128, 2),)])
    text = "".join(write_stream(events))
    for cut in range(len(text)):
        found = read_stream(text[:cut], Report("cut"))
        assert found == events[: len(found)]
        assert len(found) == max(0, text[:cut].count("<end record>") - 1)


@given(
    st.lists(st.integers(1, 20), max_size=8, unique=True).map(sorted),
    st.lists(st.tuples(st.integers(0, 25), st.integers(0, 8)), max_size=8),
)
def test_a_mark_stands_before_the_first_interval_that_ends_after_it(
    ends: list[int], marks: list[tuple[int, int]]
) -> None:
    """``marks``: the moment of each, and how many intervals are written before it comes."""
    texts = list[str]()
    writer = IntervalWriter(texts.append)
    for number, end in enumerate([*ends, None]):
        for moment, before in marks:
            if min(before, len(ends)) == number:
                writer.mark(Mark(Stamp(moment), f"{moment} {before}"))
        if end is not None:
            writer.interval(Interval("sda", Unit.US, end - 1, end, 1.0, ((64, 128, 5),)))
    writer.end()
    ended = ["<begin record>" in text and BASELINE not in text for text in texts]
    assert sum(ended) == len(ends)
    assert sum('"mark"' in text for text in texts) == len(marks)
    for moment, before in marks:
        place = next(place for place, text in enumerate(texts) if f'"{moment} {before}"' in text)
        assert sum(ended[:place]) == max(min(before, len(ends)), bisect_left(ends, moment))

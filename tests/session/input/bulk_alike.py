"""Recordings, as sources write them, and what the line decoder and the bulk decoder make of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from random import Random
from typing import NamedTuple
from unittest.mock import patch

from pylatencymap.errors import LatencyMapError
from pylatencymap.interval import Interval
from pylatencymap.intervals import Batch, TimeOptions
from pylatencymap.intervals.runs import passing
from pylatencymap.record import Event, Mark
from pylatencymap.report import Report
from pylatencymap.scan.records import chunks, reader
from pylatencymap.session.input import large_files
from pylatencymap.session.input.pipeline import ReadPlan, events_of, intervals_from
from pylatencymap.session.input.source import Source, StopRequest
from pylatencymap.window.window import Window

STOP = StopRequest()
MODIFIED = 1_800_000_000.0
FIRST = 1_700_000_000_000_000
NEVER = 1 << 60
PLAN = ReadPlan("records", time=TimeOptions(now=lambda: MODIFIED))


class Reading(NamedTuple):
    """All that comes of a recording: events or intervals in their order, marks, messages, the number of bad records,
    what ended it, and the window.
    """

    found: list[Event] | list[Interval]
    lines: list[int]
    marks: list[Mark]
    said: list[str]
    bad: int
    ended: str
    window: Window
    batched: int


def read(
    data: bytes,
    *,
    in_bulk: bool,
    plan: ReadPlan = PLAN,
    strict: bool = False,
    to_window: bool = False,
    pieces: int = 4000,
) -> Reading:
    """Read a recording. ``to_window``: in batches, where there are any."""
    marks, said, found, taken = list[Mark](), list[str](), list[Interval](), list[Batch | Interval]()
    report, ended, window = Report("t", strict=strict, say=said.append), "", Window()
    with ExitStack() as stack:
        source = _source(data, stack)
        prepare(stack, 1 if in_bulk else NEVER, pieces)
        try:
            for interval in intervals_from(
                source, plan, report, marks.append, None, taken.append if to_window else None
            ):
                found.append(interval)
        except LatencyMapError as error:
            ended = str(error)
    for one in (*taken, *found):
        window.add(one) if isinstance(one, Interval) else window.extend(one)
    batched = sum(one.ends.size for one in taken if not isinstance(one, Interval))
    return Reading(found, [], marks, said, report.bad_count, ended, window, batched)


def events(data: bytes, *, in_bulk: bool, plan: ReadPlan = PLAN, pieces: int = 4000) -> Reading:
    """Read the events of a recording, with their times."""
    said = list[str]()
    report, ended, found = Report("t", say=said.append), "", list[Event]()
    with ExitStack() as stack:
        source = _source(data, stack)
        prepare(stack, 1 if in_bulk else NEVER, pieces)
        try:
            found.extend(events_of(source, plan, report))
        except LatencyMapError as error:
            ended = str(error)
    lines = [getattr(one, "line", 0) for one in found]
    return Reading(found, lines, [], said, report.bad_count, ended, Window(), 0)


def _source(data: bytes, stack: ExitStack) -> Source:
    descriptor = os.memfd_create("input")
    stack.callback(os.close, descriptor)
    with os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(data)
    return Source("t", descriptor, False, MODIFIED, STOP)


def prepare(stack: ExitStack, least: int, pieces: int) -> None:
    """Chunks of a few records, and runs of a few snapshots, so that much happens at their ends."""
    stack.enter_context(patch.object(large_files, "LEAST_RECORDED", least))
    stack.enter_context(patch.object(chunks, "CHUNK_BYTES", pieces))
    stack.enter_context(patch.object(reader, "FEWEST", 3))
    stack.enter_context(patch.object(reader, "SNAPSHOTS", 1))
    stack.enter_context(patch.object(passing, "FEWEST", 4))
    stack.enter_context(patch.object(passing, "ONE_BY_ONE", 3))


def assert_alike(data: bytes, *, strict: bool = False, plan: ReadPlan = PLAN, pieces: int = 4000) -> Reading:
    """Both decoders come to the same, in all ways. Returns what the bulk decoder gives a window."""
    whole = read(data, in_bulk=False, strict=strict, plan=plan)
    once = read(data, in_bulk=True, strict=strict, plan=plan, pieces=pieces)
    assert once.found == whole.found
    assert once[2:6] == whole[2:6]
    one, other = (events(data, in_bulk=in_bulk, plan=plan, pieces=pieces) for in_bulk in (False, True))
    assert other.found == one.found
    assert other[1:6] == one[1:6]
    taken = read(data, in_bulk=True, strict=strict, plan=plan, to_window=True, pieces=pieces)
    assert not taken.found
    assert taken[2:6] == whole[2:6]
    assert_same_windows(taken.window, whole.window)
    return taken


def assert_same_windows(one: Window, other: Window) -> None:
    """All columns are the same."""
    assert list(one.names()) == list(other.names())
    assert one.by_time_waited() == other.by_time_waited()
    for name in one.names():
        first, second = one[name], other[name]
        assert (first.unit, first.label, first.source) == (second.unit, second.label, second.source)
        assert (first.events, first.waited, first.total()) == (second.events, second.waited, second.total())
        assert first.incidents.all() == second.incidents.all()
        columns, counts = first.part(0, len(first))
        others, more = second.part(0, len(second))
        assert columns.tolist() == others.tolist()
        assert sorted(map(str, first.ranges)) == sorted(map(str, second.ranges))
        assert (counts[:, [first.ranges.index(key) for key in second.ranges]] == more).all()


# Recordings. Each maker takes random numbers and how many snapshots there are.


Maker = Callable[[Random, int], bytes]


def unclocked(random: Random, number: int) -> bytes:
    """Counts per interval of a source without a clock."""
    found, sums = list[str](), dict[int, int]()
    for place in range(number):
        flags = '"flags": ["baseline", "no-clock"]' if not place else '"flags": ["no-clock"]'
        _grow(random, sums)
        about = f'#lmap {{"v": 1, "counts": "interval", {flags}}}\n'
        found.append(record_text(place * 1_000_000, "fio", sums, about, date="no clock"))
    return "".join(found).encode()


def record_text(
    stamp: int, label: str, rows: dict[int, int], before: str = "", source: str = "bpf", date: str = "x"
) -> str:
    buckets = "".join(f"{bucket},{number}\n" for bucket, number in sorted(rows.items()))
    about = f"label,{label}\nlatencyunit,microsec\ndatasource,{source}\n"
    return f"{before}<begin record>\ntimestamp,microsec,{stamp},{date}\n{about}{buckets}<end record>\n"


def _grow(random: Random, sums: dict[int, int], *, idle: float = 0.1) -> None:
    for power in range(3, 3 + random.choice((2, 3, 8))):
        if random.random() > idle:
            sums[1 << power] = sums.get(1 << power, 0) + random.choice((0, 1, 3, 40, 500))


def _stamps(random: Random, number: int, *, jitter: int = 0, odd: float = 0.02) -> Iterator[int]:
    """Stamps one second apart, with gaps, and clocks that are set."""
    moment = FIRST
    for _ in range(number):
        moment += 1_000_000 + random.randrange(-jitter, jitter + 1)
        if random.random() < odd:
            moment += random.choice((5_000_000, 3_600_000_000, -3_000_000, 400_000, -3_600_000_000))
        yield moment


def totals(random: Random, number: int) -> bytes:
    """Counters of a few series, that restart, and are left out now and then."""
    names = random.choice((("sda",), ("sda", "sdb"), ("sda", "sdb", "nvme0n1", "loop0")))
    sums: dict[str, dict[int, int]] = {name: {} for name in names}
    odd, seldom = random.choice((0.0, 0.01, 0.05)), random.choice((0.0, 0.0, 0.1, 0.5))
    found = []
    for stamp in _stamps(random, number, jitter=random.choice((0, 0, 90_000)), odd=odd):
        for name in names:
            if random.random() < odd / 2:
                sums[name] = {}
            _grow(random, sums[name])
            if name == "sda" or random.random() >= seldom:
                shown = sums[name] if random.random() >= odd else dict(list(sums[name].items())[1:])
                found.append(record_text(stamp, name, shown))
    return "".join(found).encode()


def counted(random: Random, number: int) -> bytes:
    """Counts per interval as running sums, as a live probe is recorded."""
    names = ("vda", "loop0", "nvme0n1")[: random.choice((1, 2, 3))]
    sums: dict[str, dict[int, int]] = {name: {} for name in names}
    found, last = list[str](), dict[str, int]()
    final, with_start = random.random() < 0.5, random.random() < 0.5
    head = '"final": true, ' if final else ""
    odd = random.choice((0.0, 0.01, 0.05))
    for stamp in _stamps(random, number, jitter=random.choice((0, 3000)), odd=odd):
        for name in names:
            if name not in last:
                about = f'#lmap {{"v": 1, "series": "{name}", "counts": "interval", "flags": ["baseline"]}}\n'
                found.append(record_text(stamp - 1_000_000, "biolatency", {}, about))
            if random.random() < odd:
                continue
            _grow(random, sums[name])
            start = f', "start": {stamp - 1_000_000}' if with_start and name in last else ""
            extra = random.choice(("", "", "", ', "flags": ["estimated"]', ', "note": "x"')) if odd else ""
            about = f'#lmap {{"v": 1, {head}"series": "{name}", "counts": "interval"{start}{extra}}}\n'
            found.append(record_text(stamp, "biolatency", sums[name], about))
            head, last[name] = "", stamp
        if random.random() < odd:
            found.append(f'#lmap {{"v": 1, "mark": "here", "at": {stamp}}}\n')
    return "".join(found).encode()


def exact(random: Random, number: int) -> bytes:
    """Counts per interval with exact ranges and times waited, as a trace is recorded."""
    names, sums = ("read", "log file sync"), dict[str, dict[int, int]]()
    found, head, odd = list[str](), '"final": true, ', random.choice((0.0, 0.01, 0.05))
    for place, stamp in enumerate(_stamps(random, number, odd=odd / 2)):
        for name in names[: random.choice((1, 2, 2, 2))] if odd else names:
            if name not in sums:
                about = f'#lmap {{"v": 1, "series": "{name}", "counts": "interval", "flags": ["baseline"]}}\n'
                found.append(record_text(stamp - 1_000_000, "SQL trace", {}, about, "oracle"))
            own = sums.setdefault(name, {})
            lows = sorted(random.sample(range(64, 640, 8), random.choice((5, 0, 1, 12))))
            buckets = [[low, low + 8, random.choice((1, 1, 2, 30))] for low in lows]
            for low, _, number_of in buckets:
                own[1 << low.bit_length()] = own.get(1 << low.bit_length(), 0) + number_of
            waited = sum((low + 4) * number_of for low, _, number_of in buckets) / 1e6
            waited = waited if random.random() >= odd else waited * 5 + 1
            start = f', "start": {stamp - 1_000_000}' if place else ""
            flags = random.choice(('["kept"]', '["kept"]', '["estimated", "kept"]')) if odd else '["kept"]'
            about = (
                f'#lmap {{"v": 1, {head}"series": "{name}", "source": "oracle_trace", "counts": "interval", '
                f'"buckets": {buckets}, "time": {waited!r}{start}, "flags": {flags}}}\n'
            )
            found.append(record_text(stamp, "SQL trace", own, about, "oracle"))
            head = ""
    return "".join(found).encode()


def several(random: Random, number: int) -> bytes:
    """Recordings one after the other."""
    return b"".join(random.choice((totals, counted, exact))(random, number // 3) for _ in range(3))


MAKERS: tuple[Maker, ...] = (totals, counted, exact, several, unclocked)

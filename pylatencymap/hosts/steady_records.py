"""Reads records that go on as before: the twin of the line decoder and of all stages, for the text of a host.

Of a thousand hosts, each sends a record or two a second. The way through the decoder and the stages is long, and what
it needs is in no cache of the CPU any more when the host's next second comes. So records that are written exactly as
docs/stream.md says under "Writing", with final times and in snapshots of the same series, are read here: then an
interval is what its record says, from the end of the last one. All else is left to the twin.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ..interval import Interval, midpoint_time
from ..intervals import is_possible_sum
from ..record import KEPT, Bound, Range, Semantics
from ..stream import Extension, identity_of, parse_extension, ranges_of
from ..units import Unit, unit_from

END = "<end record>\n"
MOST_KINDS = 4000
"""So many kinds of records of all hosts are remembered; then all are learned anew: some hosts have ever new ones."""
MOST_SERIES = 200
"""A snapshot of more series is left to the twin."""
MOST_BUCKETS = 1000
HANDED_BACK = 3
"""So many of the last snapshots are kept, for the twin."""
_BLOCK = re.compile(
    r"(#lmap [^\n]*)\n<begin record>\n"
    r"timestamp,microsec,([1-9][0-9]{15}),[ -~]*\n"
    r"(label,[^\n]*\nlatencyunit,[a-z]+\ndatasource,[a-z_]+\n)"
    r"((?:[0-9]{1,19},[0-9]{1,15}\n)*)"
    r"<end record>\n"
)
_BUCKETS = ', "buckets": '
_TIME = re.compile(r', "time": ([0-9.e+-]+)(?=[,}])')
_NUMBERS = re.compile(r"[0-9., e+\[\]-]*")
_LABELS: Mapping[str, Bound] = {"0": 0, **{str(1 << power): 1 << power for power in range(63)}}
_LARGEST = 1 << 62
_MOST_COUNTED = 1 << 53
_STEADY = 1.5
"""A step between snapshots differs from the last one by this factor at most."""


class RecordsAlike(NamedTuple):
    """What records have in common that share all of their text but the stamp, the counts and the time waited."""

    series: str
    unit: Unit
    label: str
    source: str
    upper: bool


_kinds: dict[tuple[str, str], RecordsAlike | None] = {}


def _kind_of(said: str, head: str) -> RecordsAlike | None:
    """The kind of records, as the twin reads it: ``said`` is their extension line without buckets and time, ``head``
    are their lines between stamp and buckets. None if an interval can depend on more than is read here.
    """
    key = said, head
    if key not in _kinds:
        if len(_kinds) >= MOST_KINDS:
            _kinds.clear()
        _kinds[key] = _learned(said, head)
    return _kinds[key]


def _learned(said: str, head: str) -> RecordsAlike | None:
    if not (said + head.replace("\n", "")).isprintable():
        return None
    try:
        extension = parse_extension(said.removeprefix("#lmap "))
    except ValueError:
        return None
    label, unit_name, datasource = (line.partition(",")[2] for line in head.splitlines())
    meaning, unit = identity_of(label, datasource), unit_from(unit_name)
    if not isinstance(extension, Extension) or not _is_plain(extension) or unit is None:
        return None
    return RecordsAlike(
        meaning.series if extension.series is None else extension.series,
        extension.unit or unit,
        meaning.label if extension.label is None else extension.label,
        meaning.source if extension.source is None else extension.source,
        meaning.upper,
    )


def _is_plain(extension: Extension) -> bool:
    """Whether it says of a record only what it is, and that its times are final."""
    about = extension._replace(series=None, label=None, source=None, unit=None)
    return about == Extension(semantics=Semantics.INTERVAL, flags=frozenset({KEPT}))


@dataclass(slots=True)
class SeriesState:
    """The last record of a series: its end, its running sums, and their text."""

    kind: RecordsAlike
    head: str
    end: int
    sums: Mapping[Bound, Bound]
    text: str


class _Block(NamedTuple):
    """The text of a record in parts."""

    kind: RecordsAlike
    head: str
    stamp: int
    buckets: str
    waited: str
    sums: str


def _block_of(text: str) -> _Block | None:
    """The parts of a record; None if it is not written as usual."""
    found = _BLOCK.fullmatch(text)
    if found is None:
        return None
    line, stamp, head, sums = found.groups()
    said, has_buckets, rest = line.partition(_BUCKETS)
    buckets = ""
    if has_buckets:
        buckets, _, rest = rest.partition("]]")
    else:
        place = line.find(', "time": ')
        said, rest = (line, "") if place < 0 else (line[:place], line[place:])
    waited = _TIME.match(rest)
    if waited is not None:
        rest = rest[waited.end() :]
    kind = _kind_of(said + rest, head)
    if kind is None:
        return None
    return _Block(kind, head, int(stamp), buckets, "" if waited is None else waited[1], sums)


def _exact_ranges(text: str) -> tuple[Range, ...] | None:
    """The ranges of an extension line, whose last two brackets are left out; None if they are not as usual."""
    if not _NUMBERS.fullmatch(text):
        return None
    try:
        found = json.loads(text + "]]")
        last: Bound = 0
        for lower, upper, number in found:
            if not last <= lower < upper <= _LARGEST or not 0 < number <= _MOST_COUNTED:
                return None
            last = upper
    except (ValueError, TypeError, RecursionError):
        return None
    return tuple(map(tuple, found)) if len(found) <= MOST_BUCKETS else None


def _sums_of(text: str) -> dict[Bound, Bound] | None:
    """The counts of bucket lines; None if one of them has to be judged."""
    sums: dict[Bound, Bound] = {}
    for line in text.split("\n")[:-1]:
        name, _, number = line.partition(",")
        label = _LABELS.get(name)
        if label is None or label in sums:
            return None
        sums[label] = int(number)
    return sums if len(sums) <= MOST_BUCKETS else None


def _read(block: _Block, before: SeriesState) -> tuple[SeriesState, Interval] | None:
    """What a record says, after another one of its series; None if the twin has to judge it."""
    kind = block.kind
    if kind is not before.kind and kind != before.kind:
        return None
    sums: Mapping[Bound, Bound] | None = before.sums if block.sums == before.text else _sums_of(block.sums)
    if sums is None or not before.sums.keys() <= sums.keys():
        return None
    if sums is not before.sums and any(sums[label] < count for label, count in before.sums.items()):
        return None
    if block.buckets:
        ranges = _exact_ranges(block.buckets)
    else:
        grown = {label: count - before.sums.get(label, 0) for label, count in sums.items()}
        ranges = ranges_of(grown, kind.upper, kind.unit)
    waited = _waited(block.waited, ranges, kind.unit) if ranges is not None else None
    if ranges is None or waited is None:
        return None
    end, start = block.stamp, before.end
    interval = Interval(
        kind.series, kind.unit, start, end, (end - start) / 1e6, ranges, *waited,
        False, False, True, kind.label, kind.source,
    )  # fmt: skip
    return SeriesState(kind, block.head, end, sums, block.sums), interval


def _waited(text: str, ranges: tuple[Range, ...], unit: Unit) -> tuple[float, bool] | None:
    """The time waited and whether it is an estimate; None if it is impossible."""
    if not text:
        return midpoint_time(ranges, unit), True
    try:
        waited = json.loads(text)
    except ValueError:
        return None
    return (waited, False) if waited >= 0 and is_possible_sum(waited, ranges, unit) else None


class Arrival(NamedTuple):
    """When a text came, in monotonic seconds, and for how many seconds it can have been there."""

    heard: float
    waited: float


AT_ONCE = Arrival(0.0, 0.0)


class HandedBack(NamedTuple):
    """The last snapshots once more, so that the twin knows again what it has to remember: their ``texts``, behind the
    sums before them, with their arrivals, and the ``intervals`` that were made of them. Then comes ``rest``. ``lines``
    is how many lines came in all.
    """

    texts: list[tuple[str, Arrival]]
    intervals: list[Interval]
    rest: str
    lines: int


class _Snapshot(NamedTuple):
    """A snapshot that has been read: its text, what was before it, what it says, and when it came."""

    text: str
    before: list[SeriesState]
    intervals: list[Interval]
    arrival: Arrival


class SteadyRecords:
    """The text of one host, in snapshots of the same series. ``is_known``: a whole snapshot has shown which they are.

    What has not been read, because more of it has to come or because it is not steady, is in ``rest``. ``lines`` counts
    the others.
    """

    def __init__(self) -> None:
        self.rest = ""
        self.lines = 0
        self._series: list[SeriesState] = []
        self._learning: list[SeriesState] = []
        self._last_stamp: int | None = None
        self._step = 0
        self._last: deque[_Snapshot] = deque(maxlen=HANDED_BACK)

    @property
    def is_known(self) -> bool:
        return bool(self._series)

    @property
    def size(self) -> int:
        """How many series a snapshot has."""
        return len(self._series)

    def feed(self, text: str, arrival: Arrival = AT_ONCE) -> tuple[list[Interval], bool]:
        """The intervals of all snapshots that are whole now, and whether all of them were steady. If one is not, it and
        what follows are in ``rest``.
        """
        found: list[Interval] = []
        blocks = (self.rest + text).split(END)
        rest, place = blocks.pop(), 0
        while self._series and len(blocks) - place >= len(self._series):
            snapshot = blocks[place : place + len(self._series)]
            before = self._series
            intervals = self._snapshot(snapshot)
            if intervals is None:
                self.rest = END.join([*blocks[place:], rest])
                return found, False
            found += intervals
            self.lines += sum(map(_lines_in, snapshot))
            self._last.append(_Snapshot(END.join([*snapshot, ""]), before, intervals, arrival))
            place += len(snapshot)
        self.rest = END.join([*blocks[place:], rest])
        return found, True

    def _snapshot(self, texts: list[str]) -> list[Interval] | None:
        """The intervals of a snapshot; None if it is not steady: then nothing of it counts."""
        states, intervals = [], []
        stamp = None
        for text, before in zip(texts, self._series, strict=True):
            block = _block_of(text + END)
            if block is None or (stamp is not None and block.stamp != stamp):
                return None
            stamp = block.stamp
            read = _read(block, before)
            if read is None:
                return None
            states.append(read[0])
            intervals.append(read[1])
        step = intervals[0].end - intervals[0].start
        if step <= 0 or (self._step and not self._step <= _STEADY * step <= _STEADY * _STEADY * self._step):
            return None
        self._series, self._step, self._last_stamp = states, step, stamp
        return intervals

    # Until it is known which series a snapshot has.

    def learn(self, text: str) -> list[Interval]:
        """As ``feed``, of a text that the twin reads as well. What is not steady begins anew."""
        found: list[Interval] = []
        self.rest += text
        while END in self.rest:
            if not self._series:
                self._learn_one()
                continue
            intervals, is_steady = self.feed("")
            found += intervals
            if is_steady:
                break
            self._series = []
            found.clear()
        self.rest = self.rest[-(1 << 20) :]
        return found

    def _learn_one(self) -> None:
        """Learn from the next record. A snapshot begins when the stamp changes, and ends when it changes again."""
        text, _, rest = self.rest.partition(END)
        block = _block_of(text + END)
        if block is None:
            self._forget()
        else:
            if self._learning and block.stamp != self._learning[0].end:
                self._series, self._learning, self._step = self._learning, [], 0
                return  # the record is the first one that is read
            begins = bool(self._learning) or self._last_stamp not in (None, block.stamp)
            sums = _sums_of(block.sums)
            if begins and sums is not None and self._is_new(block.kind):
                self._learning.append(SeriesState(block.kind, block.head, block.stamp, sums, block.sums))
            elif begins:
                self._learning = []
            self._last_stamp = block.stamp
        self.rest = rest

    def _is_new(self, kind: RecordsAlike) -> bool:
        has = any((one.kind.series, one.kind.unit) == (kind.series, kind.unit) for one in self._learning)
        return not has and len(self._learning) < MOST_SERIES

    def _forget(self) -> None:
        self._learning, self._last_stamp = [], None

    def begin(self) -> None:
        """What follows is read here alone."""
        self.lines = 0
        self._last.clear()

    def handed_back(self) -> HandedBack:
        """What the twin needs to go on. Nothing is known here then."""
        last = list(self._last)
        texts = [("".join(map(_baseline, last[0].before)), last[0].arrival)] if last else []
        texts += [(one.text, one.arrival) for one in last]
        found = HandedBack(texts, [interval for one in last for interval in one.intervals], self.rest, self.lines)
        self._series, self.rest, self.lines = [], "", 0
        self._last.clear()
        self._forget()
        return found


def _lines_in(text: str) -> int:
    return text.count("\n") + 1


def _baseline(one: SeriesState) -> str:
    said = json.dumps({"v": 1, "series": one.kind.series, "counts": "interval", "unit": one.kind.unit.value,
                       "flags": ["baseline"]})  # fmt: skip
    sums = "".join(f"{label},{count}\n" for label, count in one.sums.items())
    return f"#lmap {said}\n<begin record>\ntimestamp,microsec,{one.end}\n{one.head}{sums}{END}"

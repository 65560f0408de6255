"""The kinds of records in a text, learned from the line decoder: what it made of one record, it makes of all alike."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...intervals import MOST_KINDS
from ...record import DOUBTFUL, ESTIMATED, KEPT, Clock, Record, Semantics
from ...stream import ORACLE_SOURCE, flaw_of
from .blocks import BlockKey

_CLOCK_FLAGS = (b'"no-clock"', b'"epoch"')


class RecordKind(NamedTuple):
    """A kind of records. ``series``: the number of its series. ``upper``: its labels are upper bounds. ``exact``: its
    ``#lmap`` line has the buckets. ``clock``: that of its stamps; None if their size decides.
    """

    record: Record
    series: int
    upper: bool
    exact: bool
    clock: Clock | None


class Kinds:
    """The kinds that are known, by the text that their records share."""

    def __init__(self) -> None:
        self.known: list[RecordKind] = []
        self._numbers: dict[BlockKey, int] = {}
        self._series: dict[tuple[str, str], RecordKind] = {}

    @property
    def records(self) -> list[Record]:
        """What the records of each kind have in common."""
        return [kind.record for kind in self.known]

    @property
    def series(self) -> NDArray[np.int64]:
        """The number of the series of each kind."""
        return np.array([kind.series for kind in self.known], np.int64)

    @property
    def series_count(self) -> int:
        """How many series are known."""
        return len(self._series)

    def of(self, keys: list[BlockKey]) -> NDArray[np.int64]:
        """The kind of each block; -1 if it is not known."""
        get = self._numbers.get
        return np.array([get(key, -1) for key in keys], np.int64)

    def learn(self, key: BlockKey, record: Record) -> bool:
        """Learn what the decoder made of a block; False if others like it can be something else."""
        if len(self.known) >= MOST_KINDS or key in self._numbers or not _is_usual(key, record):
            return False
        series = (record.series, record.unit.value)
        like = self._series.get(series)
        upper = _is_upper(key)
        if upper is None or (like is not None and _about(record) != _about(like.record)):
            return False
        same = replace(record, ranges=(), stamp=None, start=None, seconds=None, waited=None, line=0)
        number = len(self._series) if like is None else like.series
        kind = RecordKind(same, number, upper, not isinstance(key, bytes) and not key[3], _given_clock(key, record))
        self._series.setdefault(series, kind)
        self._numbers[key] = len(self.known)
        self.known.append(kind)
        return True


def _is_usual(key: BlockKey, record: Record) -> bool:
    """Whether nothing in a record depends on more than the text of its block and the sums before it."""
    if record.stamp is None or record.note or flaw_of(record):
        return False
    if record.stamp.clock not in (Clock.EPOCH, Clock.COUNTED):
        return False
    if record.semantics is Semantics.INTERVAL:
        return record.flags <= {KEPT, ESTIMATED, DOUBTFUL}
    is_timed = not isinstance(key, bytes) and not all(key[4:])
    return not record.flags and not is_timed and record.start is None


def _about(record: Record) -> tuple[str, str, Semantics]:
    return record.label, record.source, record.semantics


def _is_upper(key: BlockKey) -> bool | None:
    """Whether labels are upper bounds, by the source that the record names; None if it names none."""
    head = key if isinstance(key, bytes) else key[0]
    assert isinstance(head, bytes)
    source = head.rstrip(b"\r\n").rpartition(b"\n")[2].partition(b",")[2].strip().lower()
    return source == ORACLE_SOURCE.encode() if source.isalpha() else None


def _given_clock(key: BlockKey, record: Record) -> Clock | None:
    assert record.stamp is not None
    said = b"" if isinstance(key, bytes) else key[2]
    assert isinstance(said, bytes)
    return record.stamp.clock if any(flag in said for flag in _CLOCK_FLAGS) else None

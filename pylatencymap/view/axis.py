"""The time axis under columns that come one by one."""

from collections import deque
from datetime import tzinfo
from functools import lru_cache

from .celltable import Cell, cell_of
from .clock import MICROS, Tick, label_starts, offset_at, tick_text
from .geometry import Geometry
from .ink import Ink, style
from .look import Look

_FRAME = style(Ink.FRAME)
_QUARTER = 900 * MICROS
"""Zones change their clocks when a quarter of an hour of UTC begins: it is enough to ask once in each."""


class MovingAxis:
    """Ticks ``step`` seconds apart, of a window of ``width`` columns that ends with the newest one."""

    def __init__(
        self, ticks: tuple[Tick, ...], geometry: Geometry, step: int, look: Look, tz: tzinfo, *, real: bool
    ) -> None:
        self._ticks = deque(ticks)
        self._newest = int(geometry.ends.size) - 1
        self._end = int(geometry.ends[-1])
        self._left, self._right = geometry.left, geometry.right
        self._step, self._tz, self._real = step, tz, real
        self._offset = offset_at(self._end, tz) if real else 0
        self._quarter = self._end // _QUARTER
        self._signs: tuple[Cell, Cell] = cell_of(look.horizontal, _FRAME), cell_of(look.tick, _FRAME)
        self._free = False
        self._labels = self._laid_out()

    def labels(self) -> str:
        """The line of clock labels, from the left to the right end of the maps."""
        return self._labels

    def _laid_out(self) -> str:
        texts, oldest = [tick.text for tick in self._ticks], self._newest + 1 - (self._right - self._left)
        columns = tuple([tick.column - oldest for tick in self._ticks])
        pieces, end = [], 0
        for number, start in _starts(columns, tuple(map(len, texts)), self._right - self._left):
            pieces.append(" " * (start - end))
            pieces.append(texts[number])
            end = start + len(texts[number])
        pieces.append(" " * (self._right - self._left - end))
        return "".join(pieces)

    def add(self, end: int) -> Cell | None:
        """A column comes: its cell on the axis. None where there is more to change: summer time, no tick left."""
        if self._clock_changes(end):
            return None
        self._newest += 1
        step = self._step * MICROS
        begins, number = (self._end + self._offset) // step, (end + self._offset) // step
        self._end = end
        if self._ticks and self._ticks[0].column <= self._newest - (self._right - self._left):
            self._ticks.popleft()
        if number > begins:
            self._ticks.append(Tick(self._newest, tick_text(number * self._step, self._step, real=self._real)))
        # Labels that no end of the line holds back move as the columns do.
        free, self._free = self._free, self._are_free()
        self._labels = self._labels[1:] + " " if free and self._free else self._laid_out()
        return self._signs[number > begins] if self._ticks else None

    def _clock_changes(self, end: int) -> bool:
        """Whether the wall clock is put forward or back before a moment."""
        quarter = end // _QUARTER
        if not self._real or quarter == self._quarter:
            return False
        self._quarter = quarter
        return offset_at(end, self._tz) != self._offset

    def _are_free(self) -> bool:
        """Whether all labels are where their ticks want them: ``label_starts`` keeps those at the ends on the line."""
        if not self._ticks:
            return False
        room, oldest, newest = self._right - self._left, self._ticks[0], self._ticks[-1]
        before = room - 1 - (self._newest - oldest.column) - (len(oldest.text) - 1) // 2
        behind = self._newest - newest.column - len(newest.text) // 2
        return before >= 0 <= behind


@lru_cache(maxsize=256)
def _starts(columns: tuple[int, ...], lengths: tuple[int, ...], room: int) -> tuple[tuple[int, int], ...]:
    """Number and start of each label that is on a line of ``room`` characters, of labels so long at such columns: the
    same comes again with each tick.
    """
    ticks = [
        Tick(column, chr(number) * length) for number, (column, length) in enumerate(zip(columns, lengths, strict=True))
    ]
    # The line begins at 1: a label may stand at its very beginning, but not at that of the screen.
    return tuple([(ord(text[0]), start - 1) for start, text in label_starts(ticks, 1, 1, 1, room + 1)])

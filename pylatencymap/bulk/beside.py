"""Lines of a SQL trace that the decoder has to see, and those beside them by which it judges their times."""

from __future__ import annotations

import numpy as np

from ..collectors.oracle_trace.clock import EARLIEST, LATEST
from ..collectors.oracle_trace.decoder import CALL, WAIT
from ..collectors.oracle_trace.times import FAR
from .text import Text
from .words import Places

SURE_BEFORE = 2
"""Waits by which the decoder knows the time: one may look wrong to it, as it has not seen all that was before."""


def for_the_decoder(
    text: Text, own: set[int], sure: Places, tims: Places
) -> tuple[dict[int, bytes], dict[int, int | None]]:
    """The decoder's ``own`` lines, and those that it has to know of: all that tell a time from SURE_BEFORE ``sure``
    waits before them on, and the next that does behind them. So are the first and the last times of the piece, for the
    lines of the pieces beside it.

    All of them with their texts; those that it only has to know with the ``tims`` of sure waits.
    """
    beside = _Beside(text, own, sure)
    lines = sorted(own)
    for index in [*lines, text.count]:
        beside.look_back(index)
    for index in [*lines[::-1], -1]:
        beside.look_ahead(index)
    # What follows a wait that looks cut off shows that it is not the last line.
    beside.add({0, *(index + 1 for index in own)})
    known = np.array(sorted(beside.decoded.keys() - own), np.int64)
    counted = np.isin(known, sure).tolist()
    moments = tims[np.minimum(sure.searchsorted(known), sure.size - 1)].tolist() if sure.size else [None] * known.size
    told = zip(known.tolist(), moments, counted, strict=True)
    return beside.decoded, {index: moment if is_counted else None for index, moment, is_counted in told}


class _Beside:
    """The lines found. One looks back from its own in their order, and ahead from them against it: what a look meets
    of them has been seen to before.
    """

    def __init__(self, text: Text, own: set[int], sure: Places) -> None:
        self.decoded = {index: text.line(index) for index in own}
        self._text, self._own, self._sure = text, own, sure

    def look_back(self, index: int) -> None:
        """Add the times before a line, until SURE_BEFORE of them are sure."""
        count = SURE_BEFORE
        while count and index > 0 and index - 1 not in self._own:
            index -= 1
            if self._told(index) is not None:
                count -= self._is_sure(index)

    def look_ahead(self, index: int) -> None:
        """Add the next time behind a line, and one more where that is far from its own: it judges them. From the last
        line on. Times that are no epochs say little.
        """
        last = _tim_of(self.decoded[index]) if index >= 0 else None
        while index < self._text.count - 1 and index + 1 not in self._own:
            index += 1
            tim = self._told(index)
            if tim is not None and EARLIEST <= tim < LATEST:
                if last is None or abs(tim - last) < FAR // 2:
                    return
                last = None

    def add(self, indices: set[int]) -> None:
        """Add some lines, as far as they are in the piece."""
        for index in indices - self.decoded.keys():
            if index < self._text.count:
                self.decoded[index] = self._text.line(index)

    def _told(self, index: int) -> int | None:
        """The tim of a line; with one it is added."""
        line = self._text.line(index)
        tim = _tim_of(line) if b"tim=" in line else None
        if tim is not None:
            self.decoded[index] = line
        return tim

    def _is_sure(self, index: int) -> bool:
        place = int(self._sure.searchsorted(index))
        return place < self._sure.size and int(self._sure[place]) == index


def _tim_of(line: bytes) -> int | None:
    """The tim that the decoder finds in a line."""
    text = line.decode(errors="replace")
    wait = WAIT.match(text)
    call = None if wait else CALL.match(text)
    tim = wait[3] if wait else call[1] if call else None
    return None if tim is None else int(tim)

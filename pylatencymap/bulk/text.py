"""Whole lines of a file in memory, with the places where they begin and end."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .words import BYTES, Places, Truths, Words, mask, word

PADDING = 64
"""Bytes around the text, so that words can be read beside its first and behind its last character."""
_LINE_FEED, _RETURN, _ESCAPE = 10, 13, 27


class Text:
    """``starts`` and ``ends`` are places in a buffer; a carriage return at the end of a line lies behind its end.

    The lines lie in ``buffer[begin:end]``, around which there are PADDING bytes; all of them end with a line feed.
    """

    def __init__(self, buffer: NDArray[np.uint8], begin: int, end: int) -> None:
        self._buffer = buffer
        feeds: Places = (buffer[begin:end] == _LINE_FEED).nonzero()[0] + begin
        self.count = int(feeds.size)
        self.starts = np.empty_like(feeds)
        self.starts[:1] = begin
        self.starts[1:] = feeds[:-1] + 1
        returns = (buffer[feeds - 1] == _RETURN) & (feeds > self.starts)
        self.ends = feeds - returns if returns.any() else feeds
        self._words: Words = np.ndarray((buffer.size - BYTES + 1,), "<u8", buffer, 0, (1,))

    def at(self, places: Places) -> Words:
        """The eight characters from each place on."""
        return self._words[places]

    def holds(self, places: Places, literal: bytes) -> Truths:
        """Whether a literal stands at each place."""
        if len(literal) < BYTES:
            short: Truths = (self.at(places) & mask(len(literal))) == word(literal)
            return short
        found: Truths = self.at(places) == word(literal)
        last = len(literal) - BYTES  # this word overlaps the one before, so that none has to be masked
        for offset in sorted({*range(BYTES, last, BYTES), last} - {0}):
            found &= self.at(places + offset) == word(literal[offset:])
        return found

    def line(self, index: int) -> bytes:
        """One line without its end."""
        return self._buffer[self.starts[index] : self.ends[index]].tobytes()

    def escaped_lines(self) -> Places:
        """Lines with escape sequences, which the ordinary reader takes out before lines are decoded."""
        if not self.count:
            return np.zeros(0, np.int64)
        begin = int(self.starts[0])
        is_escape = self._buffer[begin : int(self.ends[-1])] == _ESCAPE
        escapes: Places = is_escape.nonzero()[0] + begin if is_escape.any() else np.zeros(0, np.int64)
        return np.unique(np.searchsorted(self.starts, escapes, side="right") - 1)

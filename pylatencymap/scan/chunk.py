"""Whole lines of a file in memory, with the places where they begin and end."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .byte_words import BYTES, ByteWords, Flags, Places, WordRows, as_word, first_bytes, places_of

PADDING = 128
"""Bytes around the text, so that words and rows can be read beside its first and behind its last character."""
_MANY = 2000
"""From so many places on it matters how words are fetched."""
_LINE_FEED, _RETURN, _ESCAPE, _BLANK = 10, 13, 27, np.uint8(32)


class Chunk:
    """``starts`` and ``ends`` are places in a buffer; a carriage return at the end of a line lies behind its end.

    The lines lie in ``buffer[begin:end]``, around which there are PADDING bytes; all of them end with a line feed. The
    text is ``plain`` where there are no other control characters.
    """

    def __init__(self, buffer: NDArray[np.uint8], begin: int, end: int) -> None:
        self.buffer = buffer
        feeds = places_of(buffer[begin:end] < _BLANK)
        feeds += begin
        controls = buffer[feeds]  # hardly any of them is another one
        is_feed: Flags = controls == _LINE_FEED
        self._escapes, returns = feeds[:0], False
        self.plain = bool(is_feed.all())
        if not self.plain:
            self._escapes, returns = feeds[controls == _ESCAPE], bool((controls == _RETURN).any())
            feeds = feeds[is_feed]
        self.count = int(feeds.size)
        self.starts = np.empty_like(feeds)
        self.starts[:1] = begin
        np.add(feeds[:-1], 1, out=self.starts[1:])
        self.ends = feeds - ((buffer[feeds - 1] == _RETURN) & (feeds > self.starts)) if returns else feeds
        self._words: ByteWords = np.ndarray((buffer.size - BYTES + 1,), "<u8", buffer, 0, (1,))
        self._aligned: ByteWords = buffer[: buffer.size // BYTES * BYTES].view("<u8")

    def at(self, places: Places) -> ByteWords:
        """The eight characters from each place on."""
        if places.size < _MANY:
            return self._words[places]
        # Two words that lie at multiples of eight are sooner fetched than one that lies anywhere, and put together.
        numbers = places >> 3
        shifts = (places & (BYTES - 1)).view(np.uint64)
        shifts <<= np.uint64(3)
        words = self._aligned.take(numbers, mode="clip")
        words >>= shifts
        numbers += 1
        behind = self._aligned.take(numbers, mode="clip")
        behind <<= np.uint64(1)  # in two steps, for one of 64 bits is none
        behind <<= np.subtract(63, shifts, out=shifts)
        words |= behind
        return words

    def rows(self, places: Places, words: int) -> WordRows:
        """So many words, at most 16, from each place on: all of them are fetched in the time that one takes."""
        length = words * BYTES
        wide = np.ndarray((self.buffer.size - length + 1,), f"V{length}", self.buffer, 0, (1,))
        return wide[places].view("<u8").reshape(-1, words)

    def holds(self, places: Places, literal: bytes) -> Flags:
        """Whether a literal stands at each place."""
        if len(literal) < BYTES:
            short: Flags = (self.at(places) & first_bytes(len(literal))) == as_word(literal)
            return short
        found: Flags = self.at(places) == as_word(literal)
        last = len(literal) - BYTES  # this word overlaps the one before, so that none has to be masked
        for offset in sorted({*range(BYTES, last, BYTES), last} - {0}):
            found &= self.at(places + offset) == as_word(literal[offset:])
        return found

    def line(self, index: int) -> bytes:
        """One line without its end."""
        return self.buffer[self.starts[index] : self.ends[index]].tobytes()

    def escaped_lines(self) -> Places:
        """Lines with escape sequences, which the ordinary reader takes out before lines are decoded."""
        return np.unique(np.searchsorted(self.starts, self._escapes, side="right") - 1)

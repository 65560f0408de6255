"""A chunk: whole lines of a file in memory, with the places where they begin and end."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .byte_words import BYTES, ByteWords, Flags, Places, WordRows, as_word, first_bytes, places_of

PADDING = 128
"""Bytes around the text, so that words and rows can be read across its first and last character."""
_MANY = 2000
"""With at least this many places it matters how words are fetched."""
_LINE_FEED, _RETURN, _ESCAPE, _BLANK = 10, 13, 27, np.uint8(32)


class Chunk:
    """Lines in ``buffer[begin:end]``, with PADDING bytes before and after them; each line ends with a line feed.

    ``starts`` and ``ends`` are places in the buffer; ``ends`` excludes the line feed and a carriage return before it.
    ``plain`` says that the text has no control characters but line feeds. ``number``: the chunks of the file before it.
    ``lines_before`` reads so many of the lines in front of the chunk, or all there are.
    """

    def __init__(self, buffer: NDArray[np.uint8], begin: int, end: int) -> None:
        self.buffer = buffer
        self.number = 0
        self.lines_before: Callable[[int], list[bytes]] = lambda _: []
        feeds = places_of(buffer[begin:end] < _BLANK)
        feeds += begin
        controls = buffer[feeds]  # nearly all are line feeds
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
        """The eight characters that start at each place."""
        if places.size < _MANY:
            return self._words[places]
        # It is faster to fetch two aligned words and join them than to fetch one unaligned word.
        numbers = places >> 3
        shifts = (places & (BYTES - 1)).view(np.uint64)
        shifts <<= np.uint64(3)
        words = self._aligned.take(numbers, mode="clip")
        words >>= shifts
        numbers += 1
        behind = self._aligned.take(numbers, mode="clip")
        behind <<= np.uint64(1)  # in two steps, because a shift by 64 bits can shift nothing
        behind <<= np.subtract(63, shifts, out=shifts)
        words |= behind
        return words

    def rows(self, places: Places, words: int) -> WordRows:
        """``words`` consecutive words, at most 16, from each place on; fetching a row takes no longer than one word."""
        length = words * BYTES
        wide = np.ndarray((self.buffer.size - length + 1,), f"V{length}", self.buffer, 0, (1,))
        return wide[places].view("<u8").reshape(-1, words)

    def holds(self, places: Places, literal: bytes) -> Flags:
        """Whether a literal stands at each place."""
        if len(literal) < BYTES:
            short: Flags = (self.at(places) & first_bytes(len(literal))) == as_word(literal)
            return short
        found: Flags = self.at(places) == as_word(literal)
        last = len(literal) - BYTES  # this word overlaps the one before it, so no word needs a mask
        for offset in sorted({*range(BYTES, last, BYTES), last} - {0}):
            found &= self.at(places + offset) == as_word(literal[offset:])
        return found

    def line(self, index: int) -> bytes:
        """One line without its end."""
        return self.buffer[self.starts[index] : self.ends[index]].tobytes()

    def escaped_lines(self) -> Places:
        """Numbers of lines with escape sequences, which the ordinary reader removes before it decodes lines."""
        return np.unique(np.searchsorted(self.starts, self._escapes, side="right") - 1)

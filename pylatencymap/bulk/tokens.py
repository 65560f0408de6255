"""Lines of so many words with blanks between them."""

from __future__ import annotations

import numpy as np

from .fields import Bytes, lines_at, where
from .text import Text
from .words import Places, Truths

_BLANK, _LAST = np.uint8(ord(" ")), np.uint8(ord("~"))


class Tokens:
    """Where the words of lines begin. ``sure`` are the lines that have as many as wanted, or more if there may be;
    ``starts[n]`` are the places of word n, of other lines that of their beginning.
    """

    def __init__(self, text: Text, count: int, more: bool) -> None:
        places = where(text, _begin_words)
        if _is_regular(text, places, count):
            self.sure: Truths = np.ones(text.count, np.bool_)
            self.starts = list(places.reshape(-1, count).T.copy())
        else:
            first = np.searchsorted(places, text.starts)
            found = np.diff(first, append=places.size)
            self.sure = (found >= count) if more else (found == count)
            padded = np.concatenate((places, np.zeros(count, np.int64)))
            self.starts = [np.where(self.sure, padded[first + word], text.starts) for word in range(count)]
        self.sure[_odd(text)] = False


def _is_regular(text: Text, places: Places, count: int) -> bool:
    """Whether all lines have so many words."""
    if places.size != text.count * count or not text.count:
        return False
    return bool((places[::count] >= text.starts).all() and (places[count - 1 :: count] < text.ends).all())


def _begin_words(chars: Bytes) -> Truths:
    """Which characters, but for the first, begin words."""
    inside = chars > _BLANK
    begun: Truths = inside[1:] > inside[:-1]
    return begun


def _odd(text: Text) -> Places:
    """Lines with characters other than those of ASCII that print: some of them are blanks as well."""
    chars = text.buffer[text.starts[0] : text.ends[-1]] if text.count else text.buffer[:0]
    if text.plain and (not chars.size or int(chars.max()) <= _LAST):
        return np.zeros(0, np.int64)
    places = where(text, lambda chars: (chars[1:] - _BLANK) > _LAST - _BLANK)
    line_ends = text.holds(places, b"\n") | text.holds(places, b"\r\n")
    return lines_at(text, places[~line_ends])

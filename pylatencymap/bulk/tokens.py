"""Lines of so many words with blanks between them."""

from __future__ import annotations

import numpy as np

from .fields import Bytes, how_many, lines_at, where
from .text import Text
from .words import Places, Truths

_BLANK, _LAST = np.uint8(ord(" ")), np.uint8(ord("~") - ord(" "))


class Tokens:
    """Where the words of lines begin. ``sure`` are the lines that have as many as wanted, or more if there may be;
    ``starts[n]`` are the places of word n, of other lines that of their beginning.
    """

    def __init__(self, text: Text, count: int, more: bool) -> None:
        places = where(text, lambda chars, before: (chars > _BLANK) > (before > _BLANK))
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


def _odd(text: Text) -> Places:
    """Lines with characters other than those of ASCII that print: some of them are blanks as well."""

    def odd(chars: Bytes, _: Bytes) -> Truths:
        found: Truths = (chars - _BLANK) > _LAST
        return found

    if how_many(text, odd) == text.count - 1:  # these are line feeds
        return np.zeros(0, np.int64)
    places = where(text, odd)
    line_ends = text.holds(places, b"\n") | text.holds(places, b"\r\n")
    return lines_at(text, places[~line_ends])

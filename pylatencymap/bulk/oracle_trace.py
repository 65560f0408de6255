"""Waits of an Oracle SQL trace: ``WAIT #digits: nam='...' ela= digits ... tim=16 digits``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..collectors.oracle_trace.clock import EARLIEST, LATEST
from ..collectors.oracle_trace.decoder import LABEL, SOURCE, series_of
from ..collectors.oracle_trace.times import FAR
from ..record import Clock
from ..units import Unit
from .beside import for_the_decoder
from .found import Found
from .literals import LONGEST, Literals
from .text import Text
from .words import BYTES, Places, Rows, Truths, Words, mask, number, number_before_blank, other_than_digits, word

MOST_HEADS = 200
"""Names of events that are looked for; waits for others are left to the decoder."""
_AT_ONCE = 32
"""Waits that begin in a new way of which names are learned before the others are looked at again."""
_WAIT, _TIM, _STARS = b"WAIT #", b" tim=", b"***"
_SMALL = word(b"    ")
"""With these bits, the letters of WAIT are small ones."""
_DOTLESS = b"wa\xc4"
"""So begins WAIT with an I as Turkish has them, which the decoder takes for an I."""
_CURSOR_WORDS, _TAIL_WORDS = 2, 3
_BEFORE_TIM = np.uint64(8 * (BYTES - len(_TIM)))
"""The bits in front of it, in the word before its digits."""
_HEAD = re.compile(rb"WAIT #(\d{1,16})(: nam='([^']*)' ela=)", re.IGNORECASE)


class _Heads(NamedTuple):
    """How waits have begun: the digits that cursor numbers had, what stood behind them, and the events' names in it."""

    widths: tuple[int, ...] = ()
    literals: Literals = Literals()
    names: tuple[str, ...] = ()

    def learned(self, lines: Iterable[bytes]) -> _Heads | None:
        """With those of more lines; None where they have nothing that can be learned."""
        found = [match for match in map(_HEAD.match, lines) if match and len(match[2]) <= LONGEST]
        widths = tuple(dict.fromkeys((*self.widths, *(len(match[1]) for match in found))))
        known = dict(zip(self.literals.literals, self.names, strict=True))
        for match in found:
            if len(known) < MOST_HEADS and match[2] not in known:
                known[match[2]] = series_of(match[3].decode(errors="replace"))
        if len(widths) == len(self.widths) and len(known) == len(self.names):
            return None
        return _Heads(widths, Literals(known) if len(known) > len(self.names) else self.literals, tuple(known.values()))

    def found(self, text: Text, begins: Places) -> tuple[_Heads, Places, Places]:
        """For waits that begin at these places, the number of the name from 1 on, 0 where the beginning is another;
        and where what stands behind ``ela=`` begins. Before them, the same heads with the frequent widths first.
        """
        numbers, places = np.zeros_like(begins), begins.copy()
        left: Places | None = None
        unknown = [begins.size]
        for width in self.widths:
            part = begins if left is None else begins[left]
            hits = self._behind_cursors(text, part, width)
            behind = part + (len(_WAIT) + width) + self.literals.lengths.take(hits)
            if left is None:
                numbers, places = hits, behind
            else:
                numbers[left], places[left] = hits, behind
            left = (numbers == 0).nonzero()[0]
            unknown.append(left.size)
            if not left.size:
                break
        found = dict(zip(self.widths, (before - behind for before, behind in pairwise(unknown)), strict=False))
        widths = sorted(self.widths, key=lambda width: found.get(width, 0), reverse=True)
        return self._replace(widths=tuple(widths)), numbers, places

    def _behind_cursors(self, text: Text, begins: Places, width: int) -> Places:
        """The numbers of the names behind cursor numbers of so many digits, or 0."""
        cursor = _CURSOR_WORDS * BYTES
        rows = text.rows(begins + (len(_WAIT) + width - cursor), _CURSOR_WORDS + self.literals.words)
        others = other_than_digits(rows[:, 1]) & ~mask(BYTES - width)
        if width > BYTES:
            others |= other_than_digits(rows[:, 0]) & ~mask(cursor - width)
        numbers = self.literals.found(rows[:, _CURSOR_WORDS:])
        numbers *= others == 0
        return numbers


class OracleTraceScan:
    """How waits begin in one piece is what is looked for first in the next one."""

    unit, clock, label, source = Unit.US, Clock.EPOCH, LABEL, SOURCE

    def __init__(self) -> None:
        self._heads = _Heads()

    def scan(self, text: Text) -> Found:
        """The waits of a piece."""
        waits, odd, dated = _kinds(text)
        begins, ends = (text.starts, text.ends) if waits.size == text.count else (text.starts[waits], text.ends[waits])
        names, numbers, places = self._named(text, waits, begins)
        latencies, sure = _latencies(text, places)
        tims, dated_too = _tims(text.rows(ends - _TAIL_WORDS * BYTES, _TAIL_WORDS))
        sure &= dated_too
        sure &= numbers > 0
        hard = odd.tolist()
        if not sure.all():
            hard += waits[~sure].tolist()
            waits, numbers, latencies, tims = waits[sure], numbers[sure], latencies[sure], tims[sure]
        astray = _astray(tims)
        if astray.any():  # the decoder judges such a time by those beside it
            hard += waits[astray].tolist()
            waits, numbers, latencies, tims = (part[~astray] for part in (waits, numbers, latencies, tims))
        near = not astray.any() and (not tims.size or int(tims.max()) - int(tims.min()) < FAR // 2)
        if dated.size:  # a date changes nothing where a time follows that needs none
            dated = dated[np.append(waits, 0)[waits.searchsorted(dated + 1)] != dated + 1]
        # Of the last wait of a file the decoder judges whether its time was cut off; and it has to see some waits.
        decoded, known = for_the_decoder(text, [*hard, *waits[-1:].tolist()], dated.tolist(), 1 if near else 2)
        return Found(list(names), numbers[:-1] - 1, latencies[:-1], tims[:-1], text.count, decoded, known)

    def _named(self, text: Text, waits: Places, begins: Places) -> tuple[tuple[str, ...], Places, Places]:
        """The names that are known; for each wait the number of its own, from 1 on, or 0, and the place of its time."""
        heads, numbers, places = self._heads.found(text, begins)
        left = (numbers == 0).nonzero()[0]
        while left.size:
            more = heads.learned(text.line(index) for index in waits[left[:_AT_ONCE]].tolist())
            if more is None:
                left = left[_AT_ONCE:]
                continue
            heads = more
            _, numbers[left], places[left] = heads.found(text, begins[left])
            left = left[numbers[left] == 0]
        self._heads = heads
        return heads.names, numbers, places


def _kinds(text: Text) -> tuple[Places, Places, Places]:
    """Lines that begin as waits do, those that only the decoder can judge, and those that begin as dates do."""
    heads = text.at(text.starts)
    is_wait = ((heads & mask(len(_WAIT))) | _SMALL) == (word(_WAIT) | _SMALL)
    others = (~is_wait).nonzero()[0]
    heads = heads[others]
    dated = others[(heads & mask(len(_STARS))) == word(_STARS)]
    odd = others[((heads & mask(len(_DOTLESS))) | word(b"  ")) == word(_DOTLESS)]
    escaped = text.escaped_lines()
    if escaped.size:
        is_wait[escaped] = False
        odd = np.union1d(odd, escaped)
    return is_wait.nonzero()[0], odd, dated


def _latencies(text: Text, places: Places) -> tuple[Places, Truths]:
    """Numbers of at most 7 digits behind ``ela=``, with a blank before them or not, and always one behind them; which
    of them are sure. As no blank stands in the tim, they end before it.
    """
    values, sure = number_before_blank(text.at(places + text.has(places, b" ")))
    return values.view(np.int64), sure


def _tims(tails: Rows) -> tuple[Places, Truths]:
    """Of the last characters of lines, the tim; whether it is there, and an epoch."""
    # its upper half changes every 100 s only
    upper = tails[:, 1]
    firsts = np.concatenate(([0], (upper[1:] != upper[:-1]).nonzero()[0] + 1)) if upper.size else np.zeros(0, np.int64)
    counts = np.diff(firsts, append=upper.size)
    once = number(upper[firsts]).view(np.int64) * 10**BYTES
    plain = (other_than_digits(upper[firsts]) == 0) & (once >= EARLIEST) & (once < LATEST)
    sure: Truths = np.repeat(plain, counts)
    lower: Words = tails[:, 2]
    sure &= other_than_digits(lower) == 0
    sure &= (tails[:, 0] >> _BEFORE_TIM) == word(_TIM)
    return np.repeat(once, counts) + number(lower).view(np.int64), sure


def _astray(tims: Places) -> Truths:
    """Which times are far from one beside them, with room for others between them, in lines that are not looked at
    here.
    """
    far = np.abs(np.diff(tims)) > FAR // 2
    astray: Truths = np.zeros(tims.size, np.bool_)
    astray[1:] = far
    astray[:-1] |= far
    return astray

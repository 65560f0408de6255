"""What lines have in one place, where there are few kinds of it: those that some lines show are looked for in all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeAlias, TypeVar

import numpy as np

from .words import Places, Truths

MOST_CATEGORIES = 200
"""Kinds that are looked for in a piece; other rows are left to the decoder."""
_FEW = 8
"""Rows are looked at one by one when so small a part of them is left."""

Some: TypeAlias = Places | slice
"""Rows by their numbers, or all of them."""
Kind = TypeVar("Kind")


class Kinds(Generic[Kind]):
    """The kinds that were seen, the most frequent first."""

    def __init__(self) -> None:
        self._known: tuple[Kind, ...] = ()

    def numbers(
        self, sure: Truths, is_of: Callable[[Kind, Some], Truths], learn: Callable[[int], Kind | None]
    ) -> tuple[list[Kind], Places]:
        """Kinds, and for each row the number of its own, or -1; rows that are not ``sure`` have none. ``learn`` tells
        the kind of a row that is of none known.
        """
        known = list(self._known)
        counts = [0] * len(known)
        numbers = np.full(sure.size, -1, np.int64)
        left: Truths = sure.copy()
        count = int(np.count_nonzero(left))
        for number, kind in enumerate(known):
            if count * _FEW < left.size:
                break
            hits = is_of(kind, slice(None))
            hits &= left
            counts[number] = int(np.count_nonzero(hits))
            count -= counts[number]
            left ^= hits
            np.putmask(numbers, hits, number)
        rows = left.nonzero()[0]
        number = 0
        while rows.size and number < MOST_CATEGORIES:
            if number == len(known):
                kind_of_row = learn(int(rows[0]))
                if kind_of_row is None or kind_of_row in known:
                    rows = rows[1:]
                    continue
                known.append(kind_of_row)
                counts.append(0)
            hits = is_of(known[number], rows)
            numbers[rows[hits]] = number
            counts[number] += int(np.count_nonzero(hits))
            rows = rows[~hits]
            number += 1
        self._known = tuple(
            known[place] for place in np.argsort(counts, kind="stable")[::-1].tolist()[:MOST_CATEGORIES]
        )
        return known, numbers

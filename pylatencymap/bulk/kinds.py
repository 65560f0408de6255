"""What lines have in one place, where there are few kinds of it: those that some lines show are looked for in all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from .words import Places, Truths

MOST = 200
"""Kinds that are looked for in a piece; other rows are left to the decoder."""

Kind = TypeVar("Kind")


class Kinds(Generic[Kind]):
    """The kinds that were seen, the most frequent first; used by several threads at once."""

    def __init__(self) -> None:
        self._known: tuple[Kind, ...] = ()

    def groups(
        self, rows: Places, is_of: Callable[[Kind, Places], Truths], learn: Callable[[int], Kind | None]
    ) -> Iterator[tuple[Kind, Places]]:
        """Kinds and the rows that are of each. ``learn`` tells the kind of a row that is of none known; rows of no kind
        are left out.
        """
        known = list(self._known)
        counts: dict[Kind, int] = {}
        number = 0
        while rows.size and number < MOST:
            if number == len(known):
                kind = learn(int(rows[0]))
                if kind is None or kind in known:
                    rows = rows[1:]
                    continue
                known.append(kind)
            hits = is_of(known[number], rows)
            if hits.any():
                counts[known[number]] = int(hits.sum())
                yield known[number], rows if hits.all() else rows[hits]
                rows = rows[~hits]
            number += 1
        seen = sorted(counts, key=lambda kind: -counts[kind])
        self._known = (*seen, *(kind for kind in known if kind not in counts))[:MOST]

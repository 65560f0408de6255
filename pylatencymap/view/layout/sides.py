"""Two times that are compared, A and B: where they are, and what a comparison says of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from ...window import FloatArray

SideTimes: TypeAlias = tuple[int, int]
"""From when to when, epoch microseconds."""
A, B = "A", "B"


class NamedSides(NamedTuple):
    """The times that the user has named A and B; None: not yet. ``other``: B is another recording, the baseline, and A
    is what is on the screen until it is named.
    """

    a: SideTimes | None = None
    b: SideTimes | None = None
    other: bool = False

    @property
    def both(self) -> bool:
        """Whether there is something to compare."""
        return self.other or (self.a is not None and self.b is not None)


class SideHead(NamedTuple):
    """The head of a column of the table: the ``name`` of a side, and when it was, from the longest wording on."""

    name: str
    when: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class SideAverages:
    """What a side has per second on average, in latency rows with ``bounds`` [rows + 1], seconds: ``events`` and
    seconds ``waited`` [rows].
    """

    bounds: FloatArray
    events: FloatArray
    waited: FloatArray


class SidesPage(NamedTuple):
    """What there is to say of A and B.

    braces    the times on the axis, with their names
    heads     of both sides, what is compared with what: the earlier one first; empty while there is only one
    label     what is compared: a series
    verdict   sentences, each as what stands out, and the rest
    rows      of the table: what it is, on both sides, its change, the interval of that
    notes     what limits the comparison, most important first
    is_whole  the verdict is there
    averages  of both sides, in rows that are at least as fine as those that are drawn; None while they are not known
    """

    braces: tuple[tuple[str, int, int], ...] = ()
    heads: tuple[SideHead, ...] = ()
    label: str = ""
    verdict: tuple[tuple[str, str], ...] = ()
    rows: tuple[tuple[str, str, str, str, str], ...] = ()
    notes: tuple[str, ...] = ()
    is_whole: bool = False
    averages: tuple[SideAverages, SideAverages] | None = None

    @property
    def has_table(self) -> bool:
        """Whether both sides are named."""
        return bool(self.heads)

    @property
    def chip(self) -> str:
        """What the title says."""
        return "A and B" if self.has_table else "A"

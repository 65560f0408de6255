"""Compares all series of two sides, and makes pages of what is found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any

from ...errors import NoInterval
from ...intervals import OTHERS
from ...number_text import listed
from ...record import Mark
from ...text.clean import printable
from ..evidence import Finding
from .compared import SeriesComparison, compare_series
from .json_form import json_form
from .pages import markdown_page, text_page
from .pairs import Side, pairs_of
from .side_facts import SideFacts

_APART = "Not compared: others, which are other values on each side, because they were not ranked together."
NAMED = 5
"""At most so many series are named in a sentence."""


@dataclass(frozen=True)
class SideFindings(SideFacts):
    """What two sides differ in, as pages. ``str()`` is text, 80 columns wide."""

    def text(self, columns: int = 80) -> str:
        """A page of text, without maps."""
        return text_page(self, columns)

    def markdown(self, conditions: Sequence[str] = (), picture: str | None = None) -> str:
        """For a ticket: verdicts and tables of all series, and sentences about ``conditions``. ``picture``: the name of
        one that lies beside it, which it shows.
        """
        return markdown_page(self, conditions, picture)

    def as_dict(self) -> dict[str, Any]:
        """For programs: what ``pylatencymap compare --json`` prints; docs/compare.md has every field."""
        return json_form(self)

    def __str__(self) -> str:
        return self.text()


def compare_sides(
    before: Side,
    after: Side,
    tz: tzinfo,
    *,
    files: tuple[Sequence[str], Sequence[str]] = ((), ()),
    bad: int = 0,
    marks: tuple[Sequence[Mark], Sequence[Mark]] = ((), ()),
    only: tuple[Sequence[str], Sequence[str]] = ((), ()),
    is_ranked_apart: bool = False,
) -> SideFindings:
    """Compare all series that both sides have; raises NoInterval if there is none.

    ``tz``: the zone of the times in texts. ``files``: what each side was read from. ``bad``: records left out.
    ``marks``: those of each side; what is outside of its time is left out. ``is_ranked_apart``: not all runs have
    series of the same values of a key, so that their others differ. ``only``: what all events of each side have in
    common, if a filter left others out.
    """
    others = _others(before, after) if is_ranked_apart else []
    before, after = (
        [{name: run[name] for name in run if name not in others} for run in side] for side in (before, after)
    )
    pairs, only_before, only_after = pairs_of(before, after)
    if not pairs:
        names = [_named(sorted({name for run in side for name in run})) for side in (before, after)]
        raise NoInterval(f"both sides have no series in common: BEFORE has {names[0]}; AFTER has {names[1]}")
    compared = tuple(compare_series(pair, tz) for pair in pairs)
    limits = [*_left_out("BEFORE", only_before), *_left_out("AFTER", only_after), *_coarser(compared)]
    limits += [Finding("unpaired", _APART, tuple(others))] if others else []
    read, told = (tuple(files[0]), tuple(files[1])), (tuple(marks[0]), tuple(marks[1]))
    return SideFindings(compared, tuple(limits), read, tz, bad, told, (tuple(only[0]), tuple(only[1])))


def _others(before: Side, after: Side) -> list[str]:
    """The series of what has no series of its own, by their names with and without a file's."""
    return sorted({name for run in (*before, *after) for name in run if name.partition(" (")[0] == OTHERS})


def _left_out(side: str, names: Sequence[str]) -> list[Finding]:
    """The series that only one side has."""
    return [Finding("unpaired", f"Only in {side}: {_named(names)}.", tuple(names))] if names else []


def _coarser(compared: Sequence[SeriesComparison]) -> list[Finding]:
    """The series whose ranges differ on the two sides."""
    found = []
    for one in compared:
        if not one.pair.lost_bounds:
            continue
        filled = int((one.pair.common.total > 0).sum())
        ranges = f"{filled} range{'' if filled == 1 else 's'}"
        whose = f"{one.pair.shown}: b" if len(compared) > 1 else "B"
        text = f"{whose}oth sides count in different ranges; compared in the {ranges} whose bounds both have."
        found.append(Finding("ranges", text, (one.name,), {"ranges": float(filled)}))
    return found


def _named(names: Sequence[str]) -> str:
    shown = [printable(name, 60) for name in names[:NAMED]]
    if len(names) > NAMED:
        shown.append(f"{len(names) - NAMED} more")
    return listed(shown) if shown else "none"

"""The table "What changed" of a page. Stalls that come again and again have one row; programs get each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ...analysis import EpisodeKind
from ...number_text import count_words, length_words
from ..changes import Change, when_words
from ..facts import RunFacts

MANY = 5
"""So many stalls of the same series have one row."""


class ChangeRow(NamedTuple):
    """When something changed, and what."""

    when: str
    text: str


def change_rows(run: RunFacts) -> list[ChangeRow]:
    """The rows, in the order of the changes; stalls that have one row have that of the first of them."""
    stalls: dict[tuple[str, ...], list[Change]] = {}
    for change in run.changes:
        if change.kind is EpisodeKind.STALL:
            stalls.setdefault(change.series, []).append(change)
    rows = []
    for change in run.changes:
        alike = stalls.get(change.series, []) if change.kind is EpisodeKind.STALL else []
        if len(alike) < MANY:
            rows.append(ChangeRow(when_words(change, run.times), change_sentence(run, change)))
        elif change is alike[0]:
            rows.append(_row_of_stalls(run, alike))
    return rows


def change_sentence(run: RunFacts, change: Change) -> str:
    """Who, what, and what it cost."""
    named = change.kind in (EpisodeKind.STALL, EpisodeKind.GAP, EpisodeKind.RESET)  # its text begins with a name
    return "; ".join(filter(None, (_who(run, change, named) + change.text, run.cost_words(change))))


def _who(run: RunFacts, change: Change, named: bool) -> str:
    who = run.who_changed(change)
    if len(change.series) > 1 and not change.is_about_source:
        who += f"; in {run.names[change.series[0]]}"
    return f"{who}{', ' if named else ': '}" if who else ""


def _row_of_stalls(run: RunFacts, stalls: Sequence[Change]) -> ChangeRow:
    """``66 stalls of 1 s to 3 s, 92 s together: no waits in them; the longest 09:15:11-09:15:14``."""
    lengths = [(one.end - one.begin) / 1e6 for one in stalls]
    ends = list(dict.fromkeys(length_words(length) for length in (min(lengths), max(lengths))))
    longest = max(stalls, key=lambda one: one.end - one.begin)
    noun = next(one.noun for one in run.series if one.name == stalls[0].series[0])
    whole = replace(stalls[0], alone=all(one.alone for one in stalls))
    text = f"{count_words(len(stalls))} stalls of {' to '.join(ends)}, {length_words(sum(lengths))} together"
    text += f": no {noun} in them; the longest {when_words(longest, run.times)}"
    span = run.times.span(min(one.begin for one in stalls), max(one.end for one in stalls))
    return ChangeRow(span, _who(run, whole, named=True) + text)

"""Where the time of an Oracle SQL trace went: the response time profile of Millsap and Holt.

    elapsed = elapsed times of the calls by the user + waits between these calls
    not accounted for = elapsed - CPU time of these calls - all waits

The times of a call include those of the recursive calls and the waits in it, so only calls at depth 0 are added up.
Sources: Millsap and Holt, Optimizing Oracle Performance (O'Reilly 2003), chapters 5 to 7; Oracle's note 39817.1.
docs/report.md says what is assumed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..number_text import count_words, percent_text
from ..text.clean import printable
from ..units import format_measured
from .figures import SeriesFigures

CPU, UNACCOUNTED = "CPU", "not accounted for"
HEADING, TOP_SQL = "Where the time went", "SQL with the longest waits"
MOST_ROWS = 8
"""Rows on a screen; what waited least is added up."""


@dataclass(frozen=True)
class ProfileCalls:
    """Calls with one name at one depth: how many, and their CPU and elapsed time in seconds. ``depth`` 0: by the user,
    1: by these calls, 2: deeper ones.
    """

    name: str
    depth: int
    number: int
    cpu: float
    elapsed: float


@dataclass(frozen=True)
class ProfileEvent:
    """The waits for one event. ``is_between``: they lie between calls; ``is_apart``: in them nobody works."""

    name: str
    waits: float
    waited: float
    is_between: bool = False
    is_apart: bool = False


@dataclass(frozen=True)
class TraceProfile:
    """``events``: most time waited first, think time and idle waits behind; ``sql``: figures of the statements that
    waited most, by their names with their texts. ``unfinished``: seconds waited in a call whose end the trace does not
    hold. Times are in seconds.
    """

    calls: tuple[ProfileCalls, ...]
    events: tuple[ProfileEvent, ...]
    sql: tuple[SeriesFigures, ...] = ()
    unfinished: float = 0.0

    @property
    def has_calls(self) -> bool:
        """Whether there are calls at all: without them CPU and elapsed time are not known."""
        return any(not one.depth for one in self.calls)

    @property
    def cpu(self) -> float:
        """CPU time of the calls by the user."""
        return sum(one.cpu for one in self.calls if not one.depth)

    @property
    def waited(self) -> float:
        """All waits."""
        return sum(one.waited for one in self.events)

    @property
    def elapsed(self) -> float:
        """See the head of this module; what was waited in a call without an end is added."""
        calls = sum(one.elapsed for one in self.calls if not one.depth)
        return calls + sum(one.waited for one in self.events if one.is_between) + self.unfinished

    @property
    def unaccounted(self) -> float:
        """What neither CPU nor waits explain; below zero where some of it is counted twice."""
        return self.elapsed - self.cpu - self.waited


def profile_rows(profile: TraceProfile, most: int | None = None) -> list[tuple[str, str, str, str]]:
    """Seconds, share of the elapsed time, waits, and what it is; at most so many events, the others together."""
    working = [one for one in profile.events if not one.is_apart]
    shown = working if most is None else working[:most]
    rest = working[len(shown) :]
    rows = [(one.waited, count_words(one.waits), printable(one.name, 60)) for one in shown]
    if rest:
        waits = sum(one.waits for one in rest)
        rows.append((sum(one.waited for one in rest), count_words(waits), f"{len(rest)} more events"))
    if profile.has_calls:
        rows.append((profile.cpu, "", CPU))
        rows.sort(key=lambda row: -row[0])
        rows.append((profile.unaccounted, "", UNACCOUNTED))
    rows += [(one.waited, count_words(one.waits), printable(one.name, 60)) for one in profile.events if one.is_apart]
    total = profile.elapsed if profile.has_calls else profile.waited
    return [(_signed(seconds), _share(seconds, total), waits, what) for seconds, waits, what in rows]


def _signed(seconds: float) -> str:
    return f"-{format_measured(-seconds)}" if seconds < 0 else format_measured(seconds)


def _share(seconds: float, total: float) -> str:
    if total <= 0:
        return ""
    return f"-{percent_text(-seconds / total)}" if seconds < 0 else percent_text(seconds / total)


def profile_sentence(profile: TraceProfile) -> str:
    """What the rows are parts of."""
    if not profile.has_calls:
        missing = "no call by the user ends" if profile.calls else "there are no calls"
        return f"{missing} in this trace, so CPU and elapsed time are not known; shares are those of all waits"
    user = sum(one.number for one in profile.calls if not one.depth)
    inner = sum(one.number for one in profile.calls if one.depth)
    words = f"{format_measured(profile.elapsed)} elapsed in {count_words(user)} calls and between them"
    if inner:
        words += f"; {count_words(inner)} recursive calls are in these"
    if profile.unfinished:
        words += f"; {format_measured(profile.unfinished)} of it waited in a call whose end is missing"
    return words


def profile_table(profile: TraceProfile, most: int | None) -> Sequence[str]:
    """The rows as lines of text."""
    rows = profile_rows(profile, most)
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    return [
        "  ".join((*(cell.rjust(width) for cell, width in zip(row, widths, strict=False)), row[3])).rstrip()
        for row in rows
    ]

"""What waits while another series stalls: a lock, a checkpoint, a client that asks for nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..analysis import EpisodeKind
from ..number_text import count_words
from ..window import BoolArray
from .changes import Change
from .evidence import Finding, SeriesData

LEAST_COLUMNS = 3
"""Stalls that are shorter together say too little."""
MOST_WAITING = 30
"""Those that waited most; to compare all of hundreds would be work of their square."""
HARDLY, EDGES = 0.2, 2.0
"""A rate that falls to this part of what is usual is a stall if no more came than in so many usual columns: a stall
seldom begins and ends with a column.
"""
FILLED = 0.5
"""What waited for this part of a stall can be its reason."""
MOSTLY = 0.8
"""It has to be so in this part of the stalls."""
MORE = 3.0
"""And so many times as much of it has to be waited then as otherwise."""


def waiting_in_stalls(series: Sequence[SeriesData], changes: Sequence[Change]) -> list[Finding]:
    """For each series that stalls, the other one that waited most meanwhile and hardly otherwise, if there is one.
    ``series``: those that waited most come first.

    A wait counts where it ends, which is as late as in the first column after a stall. Only sources that sum the time
    waited can tell.
    """
    found = []
    series = series[:MOST_WAITING]
    for data in series:
        stalls = [one for one in changes if is_stall(one, data)]
        if sum(one.end - one.begin for one in stalls) >= LEAST_COLUMNS * data.width * 1e6:
            found += list(_of_series(data, stalls, [one for one in series if one is not data]))
    return found


def is_stall(change: Change, data: SeriesData) -> bool:
    """Whether a change is that nothing came of a series, or no more than belongs to the first and the last column."""
    if change.kind is EpisodeKind.STALL:
        return data.name in change.series
    inside, around = change.inside, [one.rate for one in (change.before, change.after) if one is not None]
    if change.kind is not EpisodeKind.INCIDENT or change.low is not None or inside is None or not around:
        return False
    usual = min(around)
    falls = inside.rate <= HARDLY * usual and inside.events <= EDGES * usual * data.width
    return falls and data.name == change.series[0]


def is_filled(one: SeriesData, stall: Change) -> bool:
    """Whether a series waited so long in a stall that it can be its reason."""
    return _filled(_waited_in(one, [stall]), [stall]) > 0


def _of_series(data: SeriesData, stalls: Sequence[Change], others: Sequence[SeriesData]) -> Iterator[Finding]:
    told = [(one, _waited_in(one, stalls)) for one in others if one.waited is not None]
    likely = [
        (one, meanwhile, filled)
        for one, meanwhile in told
        if (filled := _filled(meanwhile, stalls)) >= MOSTLY * len(stalls) and _waits_more(one, stalls)
    ]
    if not likely:
        return
    first, meanwhile, filled = max(likely, key=lambda found: sum(found[1]))
    times = "" if len(stalls) == 1 else f": in {count_words(filled)} of {count_words(len(stalls))} stalls"
    yield Finding(
        "stalls",
        f"{data.shown} stalls while {first.shown} waits{times}",
        (data.name, first.name),
        {"stalls": float(len(stalls)), "filled": float(filled), "waited": sum(meanwhile)},
    )


def _waited_in(one: SeriesData, stalls: Sequence[Change]) -> list[float]:
    """The seconds that it waited in each stall."""
    assert one.waited is not None
    return [float(one.waited[_columns(one, stall)].sum()) for stall in stalls]


def _columns(one: SeriesData, stall: Change) -> BoolArray:
    """Those of a stall, and the one after it."""
    return np.asarray((one.ends > stall.begin) & (one.starts < stall.end + one.width * 1e6))


def _filled(meanwhile: Sequence[float], stalls: Sequence[Change]) -> int:
    """How many of the stalls have so much waiting that it can be their reason."""
    return sum(
        waited >= FILLED * (stall.end - stall.begin) / 1e6 for waited, stall in zip(meanwhile, stalls, strict=True)
    )


def _waits_more(one: SeriesData, stalls: Sequence[Change]) -> bool:
    """Whether it waited much more, per second, in the stalls than otherwise."""
    assert one.waited is not None
    inside = np.logical_or.reduce([_columns(one, stall) for stall in stalls])
    within, rest = float(one.seconds[inside].sum()), float(one.seconds[~inside].sum())
    waited = float(one.waited[inside].sum()), float(one.waited[~inside].sum())
    return waited[0] * rest > MORE * waited[1] * within

"""Where an incident begins and ends, to the column: where the share of its own events turns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..density import FloatArray
from .spans import Span

REACH, REACH_PART = 8, 0.25
"""An end moves by at most so many columns, or this part of the incident, whichever is more."""


def with_sharp_ends(span: Span, events: FloatArray, totals: FloatArray) -> Span:
    """An incident whose ends are where they are most likely, given the ``events`` [columns] of its latencies and the
    ``totals`` [columns] of all. An end without a neighbour stays; a single column has no ends to look for.
    """
    if span.last - span.first < 2:
        return span
    reach = max(REACH, round(REACH_PART * (span.last - span.first)))
    middle = (span.first + span.last) // 2
    first, last, before, after = span.first, span.last, span.before, span.after
    if before is not None and before[1] == span.first:
        first = likeliest_turn(
            events, totals, max(before[0], span.first - reach), min(middle, span.first + reach), span.first
        )
        before = before[0], first
    if after is not None and after[0] == span.last:
        last = likeliest_turn(
            events, totals, max(middle, span.last - reach), min(after[1], span.last + reach), span.last
        )
        after = last, after[1]
    return replace(
        span, first=first, last=last, before=before, after=after, reach=max(last, span.reach + last - span.last)
    )


def likeliest_turn(events: FloatArray, totals: FloatArray, low: int, high: int, place: int) -> int:
    """The place between ``low`` and ``high`` at which two constant shares of ``events`` in ``totals`` [columns] explain
    the columns best; of equal ones, that nearest to ``place``.
    """
    if high - low < 2:
        return place
    hits, tries = (np.concatenate([[0.0], np.cumsum(values[low:high])]) for values in (events, totals))
    cuts = np.arange(1, high - low)
    likely = _log_likelihood(hits[cuts], tries[cuts]) + _log_likelihood(hits[-1] - hits[cuts], tries[-1] - tries[cuts])
    best = likely.max()
    if not best > _log_likelihood(hits[-1:], tries[-1:])[0]:
        return place
    equal = np.flatnonzero(likely >= best - 1e-9 * abs(best)) + low + 1
    return int(equal[np.abs(equal - place).argmin()])


def _log_likelihood(hits: FloatArray, tries: FloatArray) -> FloatArray:
    """Of so many hits in so many tries, at their own share; without what is the same for all places."""
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(tries > 0, hits / tries, 0.0)
        own = np.where(hits > 0, hits * np.log(share), 0.0)
        others = np.where(tries > hits, (tries - hits) * np.log1p(-share), 0.0)
    return np.asarray(own + others)

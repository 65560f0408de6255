"""The verdict about a series in sentences: the side, the direction, how sure it is, and the evidence."""

from __future__ import annotations

from math import inf

from ...analysis import LatencyVerdict, QuantileChange, ShareChange
from ...number_text import count_words, percent_text, range_words
from ...units import format_latency, format_measured
from .change_words import points_between_words, ratio_words, times_words
from .compared import SURE_COLUMNS, SeriesComparison

LEAST_COLUMNS = 30
"""A side: with fewer nothing is told."""
MUCH = 2
"""A change of an octave's share that is so many times that of the share above a bound is told in its place."""
LEAST_RUNS = 4
"""Of each side: from so many on whole runs are shuffled."""


def verdict_words(one: SeriesComparison) -> list[tuple[str, str]]:
    """Sentences, each as what stands out, up to its colon, and the rest; the rate has sentences of its own."""
    return [_latency(one), *_never_sure(one), *_rate(one)]


def _latency(one: SeriesComparison) -> tuple[str, str]:
    found = one.found
    if found.verdict is LatencyVerdict.TOO_FEW:
        return "Too little to compare:", _why_too_few(one)
    if found.verdict is LatencyVerdict.NONE:
        return "No difference that these data could show:", _would_have_been_seen(one)
    evidence = _evidence(one)
    if found.verdict is LatencyVerdict.DRIFT:
        head = f"AFTER differs, but so do the halves of {_drifting(one)}:"
        return head, f"{evidence} {_own_difference(one)}"
    sure = "sure" if found.verdict is LatencyVerdict.SURE else "not sure"
    return f"AFTER {_how(one)}, {sure}:", evidence


def _how(one: SeriesComparison) -> str:
    return {1: "is slower", -1: "is faster", 0: "has more of the fast and of the slow"}[one.direction]


def _why_too_few(one: SeriesComparison) -> str:
    columns = one.found.columns
    if min(columns) < LEAST_COLUMNS:
        several = f"{columns[0]} and {columns[1]} columns" if columns[0] != columns[1] else _columns(columns[0])
        return f"{several} a side, and it takes {LEAST_COLUMNS}."
    if one.pair.lost_bounds:
        return "the two sides count in ranges that have no bound in common where events are."
    events = min(one.before.events, one.after.events)
    if not events:
        return f"a side has no {one.noun}."
    return f"no bound of a range divides the {one.noun} so that 20 of them lie on each side of it."


def _columns(count: int) -> str:
    return f"{count} column{'' if count == 1 else 's'}"


def _would_have_been_seen(one: SeriesComparison) -> str:
    """What would have been seen if there were a difference."""
    if one.found.seen is None:
        return f"p = {p_words(one.found.p)}."
    seen = percent_text(one.found.seen).replace("<", "less than ")
    return f"a change of all latencies by {seen} would have been seen."


def _evidence(one: SeriesComparison) -> str:
    """The share above the bound that is stated, or that of an octave that changed much more; then p99 if it moved."""
    said = []
    stated, strongest = one.stated, one.found.strongest
    inside = strongest is not None and strongest.high < inf
    if stated is not None and stated.stated and not (inside and _is_much_more(strongest, stated)):
        said.append(_share(one, stated, f"more than {format_latency(stated.low)}"))
    elif strongest is not None:
        where = _range(strongest) if inside else f"more than {format_latency(strongest.low)}"
        said.append(_share(one, strongest, where))
    moved = () if one.pair.lost_bounds else one.quantiles
    said += [text for quantile in moved if quantile.q == 0.99 and (text := moved_words(quantile))]
    return f"{'; '.join(said)}."


def _is_much_more(change: ShareChange | None, than: ShareChange) -> bool:
    """Whether a share changed so much more than another that the other tells little of it."""
    return change is not None and abs(change.difference.value) > MUCH * abs(than.difference.value)


def _share(one: SeriesComparison, change: ShareChange, where: str) -> str:
    """``24.1 % of I/Os take more than 1.02 ms, 10.0 % before (+12.9 to +15.4 points)``."""
    after, before = (exact_share(share.value) if share.value else "none" for share in (change.after, change.before))
    between = points_between_words(change.difference)
    return f"{after} of {one.noun} take {where}, {before} before ({between})"


def moved_words(quantile: QuantileChange) -> str:
    """``p99 15.3 ms -> 23.0 ms, x 1.5 (1.2 to 1.8)``, without a ratio where it went over a gap between two modes; empty
    where nothing is known to have changed.
    """
    before, after, ratio = quantile.before, quantile.after, quantile.ratio
    values = f"p{quantile.q * 100:.0f} {format_measured(before.value)} -> {format_measured(after.value)}"
    if ratio is None:
        apart = before.high < after.low or after.high < before.low
        return f"{values}, over a gap" if apart and max(before.high, after.high) < inf else ""
    return "" if ratio.low <= 1 <= ratio.high else f"{values}, {ratio_words(ratio)} ({times_words(ratio)})"


def _drifting(one: SeriesComparison) -> str:
    """The side whose halves differ most."""
    before, after = one.found.within
    return "BEFORE" if before >= after else "AFTER"


def _own_difference(one: SeriesComparison) -> str:
    """By how much that side differs from itself, where both sides differ most."""
    strongest = one.found.strongest
    if strongest is None:
        return ""
    where = f"above {format_latency(strongest.low)}" if strongest.high == inf else "at " + _range(strongest)
    points = f"{100 * max(one.found.within):.1f} points"
    return f"From one half of {_drifting(one)} to the other the share {where} changes by {points}: a drift."


def _range(change: ShareChange) -> str:
    return range_words(change.low, change.high)


def _never_sure(one: SeriesComparison) -> list[tuple[str, str]]:
    """That so few columns leave all in doubt."""
    fewest = min(one.found.columns)
    if fewest >= SURE_COLUMNS or one.found.verdict is LatencyVerdict.TOO_FEW:
        return []
    each = one.found.columns[0] == one.found.columns[1]
    many = f"{fewest} columns a side" if each else f"{fewest} columns on the shorter side"
    return [("", f"{many}: never sure, which takes {SURE_COLUMNS}.")]


def _rate(one: SeriesComparison) -> list[tuple[str, str]]:
    """The rate, in a sentence of its own."""
    rate = one.found.rate
    if rate is None or not one.timed:
        return []
    values = f"{count_words(rate.before)} -> {count_words(rate.after)} {one.noun}/s"
    if min(rate.before, rate.after) <= 0:
        return [] if rate.before == rate.after else [("The rate differs:", f"{values}.")]
    between = f"{ratio_words(rate.ratio)} ({times_words(rate.ratio)})"
    if not rate.different:
        return [("No difference of the rate that these data could show:", f"{values}, {between}.")]
    more = "more" if rate.after > rate.before else "less"
    joint = "And it does" if one.found.verdict in (LatencyVerdict.SURE, LatencyVerdict.DIFFERENT) else "AFTER does"
    return [(f"{joint} {more}, {'sure' if one.rate_is_sure else 'not sure'}:", f"{values}, {between}.")]


def exact_share(share: float) -> str:
    """A share with one digit behind the point: ``24.1 %``; what is not all or nothing never becomes it."""
    if 0.001 <= share < 0.9995:
        return f"{100 * share:.1f} %"
    return percent_text(share)


def p_words(p: float) -> str:
    """``0.001``, ``0.22``."""
    return f"{p:.2g}" if p < 0.995 else "1"


def method_words(one: SeriesComparison) -> str:
    """How the verdict was found, and what it cannot tell."""
    found = one.found
    if found.verdict is LatencyVerdict.TOO_FEW:
        return ""
    whole = min(len(one.pair.before), len(one.pair.after)) >= LEAST_RUNS
    text = f"{'Whole runs' if whole else 'Ten blocks a side'}, shuffled: p = {p_words(found.p)}"
    own = max(found.within)
    if one.differs and found.strongest is not None and own > 0:
        times = abs(found.strongest.difference.value) / own
        text += f"; the difference is {times:.{0 if times >= 9.5 else 1}f} times that of the halves of a side"
    return f"{text}." if whole else f"{text}. A slow drift would look the same; {LEAST_RUNS} runs a side rule it out."

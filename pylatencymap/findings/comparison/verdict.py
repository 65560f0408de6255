"""The verdict about a series in sentences: the side, the direction, how sure it is, and the evidence."""

from __future__ import annotations

from math import inf

from ...analysis import LatencyVerdict, QuantileChange, ShareChange
from ...number_text import count_words, listed, percent_text, range_words
from ...units import format_latency, format_measured
from .change_words import (
    LEAST_READABLE,
    exact_share,
    is_ratio_readable,
    is_readable,
    is_wait_readable,
    points_between_words,
    points_words,
    ratio_words,
    times_words,
)
from .compared import LEAST_COLUMNS, SURE_COLUMNS, SURE_TIMES, Direction, SeriesComparison, is_known
from .one_sided import changes_at_once, one_sided_words

MUCH = 2
"""A change of an octave's share that is so many times that of the share above a bound is told in its place."""
LEAST_EVENTS = 100
"""A side: with fewer nothing is told."""
LEAST_RUNS = 4
"""Of each side: from so many on whole runs are shuffled."""
HALVES_OF_SEEN = 2
"""A side whose halves differ by this part of the change that would have been seen hides it."""
SLIGHT = "slight"
"""The verdict where both sides differ, and in nothing that could be read."""
HOW = {
    Direction.SLOWER: "is slower",
    Direction.FASTER: "is faster",
    Direction.WIDER: "has more of the fast and of the slow",
    Direction.NARROWER: "has less of the fast and of the slow",
    Direction.MIXED: "is faster at some latencies and slower at others",
}


def verdict_words(one: SeriesComparison) -> list[tuple[str, str]]:
    """Sentences, each as what stands out, up to its colon, and the rest; the rate has sentences of its own."""
    return [*_latency_and_one_sided(one), *_never_sure(one), *_rate(one)]


def short_words(one: SeriesComparison) -> list[tuple[str, str]]:
    """The sentences of a series that is one of several: of latencies, of one side alone, and of a rate that differs."""
    different = one.found.rate is not None and one.found.rate.different
    return [*_latency_and_one_sided(one), *(_rate(one) if different else ())]


def _latency_and_one_sided(one: SeriesComparison) -> list[tuple[str, str]]:
    """What differs on the whole, then what happened on one side alone; that goes first if it is all that is well known:
    what a part of a side has makes no share of the whole well known.
    """
    alone = _one_sided(one)
    is_all = bool(alone) and not (one.differs and any(map(is_known, _told_shares(one))))
    return [*alone, _latency(one)] if is_all else [_latency(one), *alone]


def verdict_word(one: SeriesComparison) -> str:
    """For programs: ``sure``, ``different``, ``drift``, ``slight``, ``none`` or ``too-few``."""
    return SLIGHT if is_slight(one) else _verdict(one).value.replace(" ", "-")


def _verdict(one: SeriesComparison) -> LatencyVerdict:
    """The verdict on latencies; halves of a side that read alike are no reason to doubt a difference."""
    share = _doubted(one) if one.found.verdict is LatencyVerdict.DRIFT else None
    alike = share is not None and abs(_most_within(share)) < LEAST_READABLE
    return LatencyVerdict.DIFFERENT if alike else one.found.verdict


def is_slight(one: SeriesComparison) -> bool:
    """Whether both sides differ, but no share of the events or of the time waited, and no percentile, reads so."""
    return one.differs and not _evidence(one)


def _latency(one: SeriesComparison) -> tuple[str, str]:
    found = one.found
    if any(one.missing):
        return _missing(one)
    if found.verdict is LatencyVerdict.TOO_FEW:
        return _too_few(one)
    if found.verdict is LatencyVerdict.NONE:
        no = "Otherwise no" if one.one_sided else "No"
        return f"{no} difference that these data could show:", _would_have_been_seen(one)
    evidence = "; ".join(_evidence(one))
    if not evidence:
        known = "no share of the events or of the wait is known to change by as much as 0.1 points."
        return "No difference to speak of:", known
    if _verdict(one) is LatencyVerdict.DRIFT:
        return _drift(one, evidence)
    sure = "sure" if found.verdict is LatencyVerdict.SURE else "not sure"
    return f"{one.names.after} {HOW[one.direction]}, {sure}:", f"{evidence}."


def _missing(one: SeriesComparison) -> tuple[str, str]:
    """That a side has no data, or no events; no data is not zero."""
    lacks = "data" if "data" in one.missing else one.noun
    sides = [side for side, missing in zip(one.names[:2], one.missing, strict=True) if missing == lacks]
    said = f"{sides[0]} has no {lacks}:" if len(sides) == 1 else f"Neither side has {lacks}:"
    return said, "nothing can be compared." if lacks == "data" else "latencies cannot be compared."


def _one_sided(one: SeriesComparison) -> list[tuple[str, str]]:
    """What happened on one side alone."""
    return [one_sided_words(each, one.names) for each in one.one_sided]


def _too_few(one: SeriesComparison) -> tuple[str, str]:
    """Why nothing is told, or what is plain all the same."""
    plain, why = one.plain, _why_too_few(one)
    if plain is None:
        return "Too little to compare:", why
    after, before = (exact_share(share) if share else "none" for share in (plain.after, plain.before))
    what = f"{after} of {one.noun} take more than {format_latency(plain.bound)}, {before} {one.names.there}"
    return "Too little to be sure of, but plain:", f"{what}. There are {why}"


def _why_too_few(one: SeriesComparison) -> str:
    columns = one.found.columns
    if min(columns) < LEAST_COLUMNS:
        several = f"{columns[0]} and {columns[1]} columns" if columns[0] != columns[1] else _columns(columns[0])
        return f"{several} a side, and it takes {LEAST_COLUMNS}."
    events = one.before.events, one.after.events
    if min(events) < LEAST_EVENTS:
        many = listed([count_words(each) for each in dict.fromkeys(events)])
        noun = one.noun.removesuffix("s") if set(events) == {1.0} else one.noun
        return f"{many} {noun} a side, and it takes {LEAST_EVENTS}."
    if one.found.seen is not None:
        only = f"only a change of all latencies by {percent_text(one.found.seen)} would have been seen"
        return f"{only}{_because(one)}."
    if one.pair.lost_bounds:
        return "the two sides count in ranges that have no bound in common where events are."
    return f"no bound of a range divides the {one.noun} so that 20 of them lie on each side of it."


def _because(one: SeriesComparison) -> str:
    """That one side differs from itself about as much as would have been seen; empty if that is not why."""
    each = [(share, which) for share in one.found.shares if share.high == inf for which in (0, 1)]
    share, which = max(each, key=lambda pair: abs(pair[0].within[pair[1]]))
    own, other = abs(share.within[which]), abs(share.within[1 - which])
    if own < max(LEAST_READABLE, share.seen / HALVES_OF_SEEN, SURE_TIMES * other):
        return ""
    does = "changes" if changes_at_once(one.pair.apart[which]) else "drifts"
    half = f"the share above {format_latency(share.low)} changes by {points_words(share.within[which])}"
    return f", because {one.names[which]} {does} by itself: from its first half to its second {half}"


def _columns(count: int) -> str:
    return f"{count} column{'' if count == 1 else 's'}"


def _would_have_been_seen(one: SeriesComparison) -> str:
    """What would have been seen if there were a difference."""
    if one.found.seen is None:
        return f"p = {p_words(one.found.p)}."
    seen = percent_text(one.found.seen).replace("<", "less than ")
    return f"a change of all latencies by {seen} would have been seen."


def _evidence(one: SeriesComparison) -> list[str]:
    """What reads differently: shares of events, else the share of the time waited; and p99 if it moved."""
    said = _shares(one)
    if not said and one.stated is not None and one.beyond is not None and is_wait_readable(one.beyond):
        said = [_wait(one)]
    moved = () if one.pair.lost_bounds else one.quantiles
    return said + [text for quantile in moved if quantile.q == 0.99 and (text := moved_words(quantile))]


def _shares(one: SeriesComparison) -> list[str]:
    return [_share(one, each) for each in _told_shares(one)]


def _told_shares(one: SeriesComparison) -> list[ShareChange]:
    """The share above the bound that is stated, or that of an octave that changed much more; where some shares rose and
    some fell, the largest of either kind.
    """
    stated, strongest = one.stated, one.found.strongest
    rises, falls = ([each for each in one.ends if (each.difference.value > 0) is rose] for rose in (True, False))
    if rises and falls:
        both = [max(each, key=lambda share: abs(share.difference.value)) for each in (rises, falls)]
        return sorted(both, key=lambda share: share.low)
    if strongest is not None and not is_readable(strongest):
        strongest = None
    if strongest is None or strongest.high == inf or stated is None or not is_readable(stated):
        usable = stated is not None and is_readable(stated) and (stated.stated or not _is_any_known(one))
        return [stated] if usable and stated else [] if strongest is None else [strongest]
    if stated.stated:
        return [stated if _tells_less(strongest, stated) else strongest]
    return [stated if is_known(stated) and _tells_less(strongest, stated, MUCH) else strongest]


def _is_any_known(one: SeriesComparison) -> bool:
    """Whether a share that may be said is well known to differ."""
    strongest = one.found.strongest
    return any(map(is_known, (*one.ends, *(() if strongest is None else (strongest,)))))


def _tells_less(octave: ShareChange, stated: ShareChange, times: float = 1 / MUCH) -> bool:
    """Whether the share of an octave hides what happened to that above a bound: so many ``times`` its change is not
    more than that one's, or it reads as if latencies had gone the other way.
    """
    return abs(octave.difference.value) * times <= abs(stated.difference.value) or _contradicts(octave, stated)


def _wait(one: SeriesComparison) -> str:
    """``0.4 % of the wait is in I/Os above 262 ms, none before``, where hardly any event takes that long."""
    assert one.stated is not None
    assert one.beyond is not None
    before, after = (exact_share(each.waited.value) if each.waited.value else "none" for each in one.beyond)
    where = f"{one.noun} that take more than {format_latency(one.stated.low)}"
    return f"{after} of the wait is in {where}, {before} {one.names.there}"


def _contradicts(octave: ShareChange, stated: ShareChange) -> bool:
    """Whether the share of an octave reads as if the share above a bound had changed the other way: if that rose, what
    is above the bound gains, and what is below it loses.
    """
    if octave.high == inf or octave.low < stated.low < octave.high:
        return False
    alike = (octave.difference.value > 0) == (stated.difference.value > 0)
    return alike != (octave.low >= stated.low)


def _share(one: SeriesComparison, change: ShareChange) -> str:
    """``24.1 % of I/Os take more than 1.02 ms, 10.0 % before (+12.9 to +15.4 points)``."""
    where = _range(change) if change.high < inf else f"more than {format_latency(change.low)}"
    after, before = (exact_share(share.value) if share.value else "none" for share in (change.after, change.before))
    between = points_between_words(change.difference)
    return f"{after} of {one.noun} take {where}, {before} {one.names.there} ({between})"


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


def _drift(one: SeriesComparison, evidence: str) -> tuple[str, str]:
    """That a side differs from itself, or both drift."""
    share, names = _doubted(one), one.names
    if share is None:
        return f"{names.after} differs, and a drift may be why:", f"{evidence}."
    where = f"above {format_latency(share.low)}" if share.high == inf else "at " + _range(share)
    if _goes_on(share):
        first, second = (points_words(part) for part in share.within)
        each = f"{first} in {names.before} and by {second} in {names.after}"
        own = f"From one half to the other the share {where} changes by {each}: a drift through both"
        return f"{names.after} differs, but so do the halves of both sides:", f"{evidence}. {own}."
    which = int(abs(share.within[1]) > abs(share.within[0]))
    drift = "" if changes_at_once(one.pair.apart[which]) else ": a drift"
    by = points_words(_most_within(share))
    own = f"From one half of {names[which]} to the other the share {where} changes by {by}{drift}"
    return f"{names.after} differs, but so do the halves of {names[which]}:", f"{evidence}. {own}."


def _doubted(one: SeriesComparison) -> ShareChange | None:
    """The share that is told, if a side differs from itself in it or both drift, else that where sides differ most."""
    told = [each for each in (*_told_shares(one), one.found.strongest) if each is not None]
    return next((each for each in told if _differs_within(each)), told[-1] if told else None)


def _most_within(share: ShareChange) -> float:
    """What the halves of that side differ by that differs most from itself."""
    return max(share.within, key=abs)


def _differs_within(share: ShareChange) -> bool:
    """Whether a share shows that a side differs from itself, or that both drift."""
    return SURE_TIMES * abs(_most_within(share)) > abs(share.difference.value) or _goes_on(share)


def _goes_on(share: ShareChange) -> bool:
    """Whether both sides drift in the direction in which they differ, about alike."""
    along = [part * share.difference.value for part in share.within]
    return min(along) > 0 and min(along) >= max(along) / SURE_TIMES


def _range(change: ShareChange) -> str:
    return range_words(change.low, change.high)


def _never_sure(one: SeriesComparison) -> list[tuple[str, str]]:
    """That so few columns leave all in doubt."""
    fewest = min(one.found.columns)
    if fewest >= SURE_COLUMNS or one.found.verdict is LatencyVerdict.TOO_FEW:
        return []
    each = one.found.columns[0] == one.found.columns[1]
    many = f"{_columns(fewest)} {'a side' if each else 'on the shorter side'}"
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
    if not is_ratio_readable(rate.ratio) or count_words(rate.before) == count_words(rate.after):
        return [("No difference of the rate to speak of:", f"{values}, {between}.")]
    more = "more" if rate.after > rate.before else "less"
    told = one.found.verdict in (LatencyVerdict.SURE, LatencyVerdict.DIFFERENT) and not is_slight(one)
    joint = "And it does" if told and not one.one_sided else f"{one.names.after} does"
    return [(f"{joint} {more}, {'sure' if one.rate_is_sure else 'not sure'}:", f"{values}, {between}.")]


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
    if one.differs and not is_slight(one) and found.strongest is not None and own > 0:
        times = abs(found.strongest.difference.value) / own
        text += f"; the difference is {times:.{0 if times >= 9.5 else 1}f} times that of the halves of a side"
    if whole or not one.differs:
        return f"{text}."
    return f"{text}. A load that wanders slowly would look the same; {LEAST_RUNS} runs a side rule it out."

"""What the figures mean, said only where it follows from them; each sentence names its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf, log2

import numpy as np

from ..analysis import EpisodeKind, Estimate, Mode, percentiles_of, row_mean_bands, row_means
from ..moment_text import TimeWords
from ..number_text import band_words, count_words, percent_text, range_words
from ..units import format_latency, format_measured, measured_digits
from .changes import Change, when_words
from .evidence import Finding, SeriesData
from .figures import SeriesFigures

NO_CACHE = ("runq", "cpudist", "offcpu", "irq", "futex", "lock", "slp", "sleep", "ping")
"""Words in labels of what has nothing to do with data that may be in a cache."""
APART = 8.0
"""The ratio of two typical latencies from which on the slow one can be what lies behind a cache."""
LEAST_SHARE = 0.01
"""The least share of hits, and of misses."""
RUN_PARTS, MOST_PARTS, FEW_IN_PART = 10, 0.7, 20
"""A cache is one at all times: of so many parts of the run, this share has hits and misses; parts with so few events do
not count.
"""
ROUND = (0.1, 0.2, 0.5, 1, 2, 3, 5, 10, 15, 20, 30, 60, 120, 300)
"""Seconds that people choose as limits of time."""
ABOVE = 1.03
"""A time-out fires at its time, or somewhat later."""
THIN = 1.05
"""The ratio of the ends of a thin line."""
COARSE = 1e-3
"""Seconds: ticks of a clock from which on it is told."""
LEAST_EVENTS = 200
"""Events on each side of a change, from which on its percentiles are compared."""
PARTS = 5
LEAST_COLUMNS = 50
"""Columns that show how the rate follows the load: ten in each part."""
GROWN, FLAT, SLOWER = 1.3, 1.05, 1.4
"""Saturated: at first the rate grew by this factor with the load, then by less than the second one while latencies grew
by more than the third.
"""


def meanings(data: SeriesData, figures: SeriesFigures, passing: Sequence[int] = ()) -> Iterator[Finding]:
    """All that follows from the figures of one series; an incident made the modes of the numbers ``passing``."""
    if data.clock or data.measured > 1:  # else the length of the interval was only assumed
        yield from _load(data, figures)
    modes = figures.modes.modes
    yield from (one for mode in modes[1:] if (one := timeout(data, modes[0], mode)))
    if found := cache(data, figures, passing):
        yield found
    if tick := clock_tick(data, figures):
        yield tick


def _load(data: SeriesData, figures: SeriesFigures) -> Iterator[Finding]:
    if saturated := saturation(data):
        yield saturated
    elif (busy := in_flight(data, figures)) is not None:
        yield busy


def clock_tick(data: SeriesData, figures: SeriesFigures) -> Finding | None:
    """The source's clock has steps of at least a millisecond: finer latencies mean nothing."""
    tick = figures.modes.tick
    if tick < COARSE:
        return None
    steps = "whole ms" if tick == COARSE else f"steps of {format_latency(tick)}"
    text = (
        f"{data.shown}: the clock counts in {steps}; what is shorter than {format_latency(tick)} cannot be told apart"
    )
    return Finding("clock", text, (data.name,), {"tick": tick})


def cache(data: SeriesData, figures: SeriesFigures, passing: Sequence[int] = ()) -> Finding | None:
    """Two usual modes far apart: the arithmetic of a cache and what lies behind it, if it is one."""
    modes = figures.modes
    usual = [mode for number, mode in enumerate(modes.modes) if number not in passing]
    if len(usual) != 2 or modes.possible != modes.sure or modes.tail is not None:
        return None
    if any(word in data.label.lower() or word in data.name.lower() for word in NO_CACHE):
        return None
    hits, misses = usual
    if min(hits.share.value, misses.share.value) < LEAST_SHARE or misses.typical < APART * hits.typical:
        return None
    if not _are_together(data, hits, misses):
        return None  # what was fast and became slow is no cache
    share = hits.share.value / (hits.share.value + misses.share.value)
    hit, miss = (_average(one) for one in (hits, misses))
    if hit.high >= miss.low:
        return None  # it is not sure that a miss takes longer
    gain = Estimate(*(seconds / 100 for seconds in (miss.value - hit.value, miss.low - hit.high, miss.high - hit.low)))
    text = (
        f"{data.shown}: if {range_words(hits.lower, hits.upper)} is a cache, it hits {percent_text(share)} "
        f"and a miss takes {band_words(miss)}; each percent more hits takes {band_words(gain)} off "
        "the average"
    )
    evidence = {"hits": share, "hit": hit.value, "lower": hits.lower, "upper": hits.upper}
    for key, estimate in (("miss", miss), ("per_percent", gain)):
        evidence |= {key: estimate.value, f"{key}_low": estimate.low, f"{key}_high": estimate.high}
    return Finding("cache", text, (data.name,), evidence)


def _average(mode: Mode) -> Estimate:
    """Seconds an event of a mode waited."""
    waited = mode.waited
    return Estimate(waited.value / mode.events, waited.low / mode.events, waited.high / mode.events)


def _are_together(data: SeriesData, *modes: Mode) -> bool:
    """Whether most parts of the run have events of all modes."""
    top = np.where(np.isinf(data.edges[1:]), data.edges[:-1], data.edges[1:])
    middles = (data.edges[:-1] + top) / 2
    known = np.flatnonzero(data.seconds > 0)
    parts = [data.counts[:, part].sum(axis=1) for part in np.array_split(known, min(RUN_PARTS, len(known)))]
    busy = [part for part in parts if part.sum() >= FEW_IN_PART]
    both = [
        all(part[(middles >= one.begin) & (middles < one.end)].sum() >= LEAST_SHARE / 2 * part.sum() for one in modes)
        for part in busy
    ]
    return sum(both) >= MOST_PARTS * len(busy)


def timeout(data: SeriesData, usual: Mode, mode: Mode) -> Finding | None:
    """A slow mode that is a thin line at a round number of seconds."""
    near = [limit for limit in ROUND if _fires_at(limit, data, mode)]
    if not near or mode.lower <= 0 or mode.upper > THIN * mode.lower or mode.typical < 2 * usual.typical:
        return None
    text = (
        f"{data.shown}: {count_words(mode.events)} {data.noun} end after {format_latency(near[0])}, in a thin line: "
        "that looks like a time-out"
    )
    evidence = {"limit": near[0], "lower": mode.lower, "upper": mode.upper, "events": mode.events}
    return Finding("timeout", text, (data.name,), evidence)


def _fires_at(limit: float, data: SeriesData, mode: Mode) -> bool:
    """Whether a mode lies between a time and somewhat later, or in the rows that hold these: where in its row an event
    lies, nobody knows.
    """
    begin, end = np.searchsorted(data.edges, [limit * (1 + 1e-9), limit * ABOVE], side="right")
    if begin == 0 or end >= len(data.edges):
        return False
    low, high = float(data.edges[begin - 1]), float(data.edges[end])
    return low * (1 - 1e-9) <= mode.lower and mode.upper <= high * (1 + 1e-9)


WITHOUT = 0.1
"""The share of the time waited that can lie before the beginning, for what is in progress to be an average."""


def in_flight(data: SeriesData, figures: SeriesFigures) -> Finding | None:
    """Time waited per second is the number of requests in progress, told where it is surely one or more, and
    where nearly all was waited in the time that is known.
    """
    waited = figures.waited
    if figures.seconds <= 0 or waited.low < figures.seconds or _before_beginning(data) > WITHOUT * waited.low:
        return None
    ends = [measured_digits(end / figures.seconds) for end in (waited.low, waited.high) if end < inf]
    band = (
        ""
        if ends[0] == ends[-1] and len(ends) > 1
        else f" ({'-'.join(ends) if len(ends) > 1 else ends[0] + ' or more'})"
    )
    text = (
        f"{data.shown}: on average {measured_digits(figures.in_flight)}{band} {data.noun} are in progress at any moment"
    )
    return Finding("in-flight", text, (data.name,), {"in_flight": figures.in_flight})


def _before_beginning(data: SeriesData) -> float:
    """About how many seconds the events waited before the first column: they count where they end, which is anywhere in
    their column.
    """
    longest = np.where(np.isfinite(data.edges[1:]), data.edges[1:], data.edges[:-1])[:, None]
    passed, width = (data.starts - data.starts[0]) / 1e6, data.width
    near = passed < longest.max()  # no event of a later column reaches back to the beginning
    begins = passed[near]
    beyond = [np.maximum(longest - moment, 0.0) ** 2 for moment in (begins, begins + width)]
    return float(((beyond[0] - beyond[1]) / (2 * width) * data.counts[:, near]).sum())


def saturation(data: SeriesData) -> Finding | None:
    """The rate no longer grows with the requests in progress, only latency does.

    Columns are put in order of the time waited per second, in five parts. From the third to the fifth the rate does not
    grow, and latencies do; from the first to the third it did.
    """
    known = data.seconds > 0
    if np.count_nonzero(known) < LEAST_COLUMNS:
        return None
    events, seconds = data.counts.sum(axis=0)[known], data.seconds[known]
    waited = _waited(data)[known]
    order = np.argsort(waited / seconds, kind="stable")
    parts = list(np.array_split(order, PARTS))
    if not all(events[part].sum() >= 100 for part in parts):
        return None
    rate = [float(events[part].sum() / seconds[part].sum()) for part in parts]
    latency = [float(waited[part].sum() / events[part].sum()) for part in parts]
    if rate[2] < GROWN * rate[0] or rate[4] > FLAT * rate[2] or latency[4] < SLOWER * latency[2]:
        return None
    if rate[4] < rate[2] / FLAT:
        return None
    busy = float(waited[parts[4]].sum() / seconds[parts[4]].sum())
    text = (
        f"{data.shown} is saturated at {count_words(rate[4])} {data.noun}/s: with more in progress, up to "
        f"{count_words(round(busy, 1))}, the rate no longer grows, the average does, from "
        f"{format_measured(latency[2])} to {format_measured(latency[4])}"
    )
    evidence = {"rate": rate[4], "in_flight": busy, "average_before": latency[2], "average": latency[4]}
    return Finding("saturation", text, (data.name,), evidence)


def _waited(data: SeriesData) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Seconds waited per column; where the source has no sums, by the means of its rows."""
    if data.waited is not None:
        return np.asarray(data.waited)
    return np.asarray(row_means(data.total, data.edges, data.tick) @ data.counts)


# Everything is longer: by the same time, or by the same factor.


SHIFT_RANKS = (0.1, 0.25, 0.5, 0.75, 0.9, 0.95)
UNLIKE = 2.0
"""The ratio of the outer two percentiles from which on a constant that is added differs from a factor."""
EVEN = 0.2
"""The most by which the percentiles' shifts differ, in seconds or octaves, relative to their median."""
EVEN_OCTAVES = 0.25
"""And the most by which they differ in octaves: a narrow line high above a wide band is another band."""
KNOWN = 0.3
"""The most by which percentiles are uncertain, relative to the shift. One of them can lie between two modes, where
nobody knows it.
"""


def changes_of_everything(data: SeriesData, changes: Sequence[Change], times: TimeWords) -> Iterator[Finding]:
    """The changes from which on every latency is longer, or shorter, by the same time or by the same factor."""
    own = [change for change in changes if data.name in change.series and not change.is_about_source]
    bounds = sorted({moment for change in own for moment in (change.begin, change.end)})
    for change in own:
        if change.low is None or change.kind is EpisodeKind.DRIFT:
            continue
        earlier = max((moment for moment in bounds if moment < change.begin), default=int(data.starts[0]))
        later = min((moment for moment in bounds if moment > change.begin), default=int(data.ends[-1]))
        old, new = (_percentiles_of(data, *part) for part in ((earlier, change.begin), (change.begin, later)))
        if not old or not new or _are_all_alike(old, new):
            continue
        where = f"{data.shown}, {when_words(change, times)}"
        if shift := _shift(old, new):
            less = "less for" if shift < 0 else "added to"
            text = f"{where}: {format_measured(abs(shift))} {less} everything, fast or slow"
            yield Finding("constant", text, (data.name,), {"shift": shift})
        elif octaves := _octaves(old, new):
            takes = "takes {} times as long" if octaves > 0 else "is {} times as fast"
            text = f"{where}: everything {takes.format(f'{2 ** abs(octaves):.2g}')}"
            yield Finding("factor", text, (data.name,), {"factor": 2**octaves})


def _percentiles_of(data: SeriesData, first: int, last: int) -> tuple[Estimate, ...]:
    """SHIFT_RANKS of the time between two moments; none if there are too few events."""
    part = (data.starts >= first) & (data.ends <= last)
    if data.counts[:, part].sum() < LEAST_EVENTS:
        return ()
    exact = None if data.waited is None else float(data.waited[part].sum())
    return percentiles_of(data.counts[:, part], data.edges, SHIFT_RANKS, exact=exact, tick=data.tick)


def _are_all_alike(old: Sequence[Estimate], new: Sequence[Estimate]) -> bool:
    """Whether nobody can tell a time that is added from a factor, because all latencies are nearly the same."""
    narrow, wide = min(old, new, key=lambda each: each[-1].value)[:: len(SHIFT_RANKS) - 1]
    return wide.value < UNLIKE * narrow.value


def _shift(old: Sequence[Estimate], new: Sequence[Estimate]) -> float:
    """The seconds by which all percentiles are longer; 0 if they differ in that, or are not known well enough."""
    pairs = list(zip(old, new, strict=True))
    return _common([(two.value - one.value, max(one.high - one.low, two.high - two.low)) for one, two in pairs], inf)


def _octaves(old: Sequence[Estimate], new: Sequence[Estimate]) -> float:
    """The octaves by which all percentiles are longer; 0 if they differ in that, or are not known well enough."""
    if min(one.low for one in (*old, *new)) <= 0:
        return 0.0
    pairs = list(zip(old, new, strict=True))
    moved = [(log2(two.value / one.value), log2(max(one.high / one.low, two.high / two.low))) for one, two in pairs]
    return _common(moved, EVEN_OCTAVES)


def _common(moved: Sequence[tuple[float, float]], most: float) -> float:
    """By how much all moved, given by how much and how far from certain: their median; 0 if they differ by more than
    ``most``, or by more than a part of it.
    """
    typical = sorted(by for by, _ in moved)[len(moved) // 2]
    known = [by for by, unsure in moved if unsure <= KNOWN * abs(typical)]
    if len(known) < len(moved) - 1 or max(known) - min(known) > min(EVEN * abs(typical), most):
        return 0.0
    return typical


# Who: to which series the hottest band belongs.


FEW_HAVE = 0.2
"""The largest share of the time below which a band belongs to nobody."""
MOSTLY = 0.8
"""The share of the time from which on a band belongs to one series."""


MOST = 0.5
"""The least share of the time that a series must have for all that is known, to be the one that is named."""


def owner(series: Sequence[SeriesData], figures: Sequence[SeriesFigures]) -> Finding | None:
    """Which series has the hottest band. None where another band may be the hottest, or where nobody knows whose it
    is.
    """
    hottest = _hottest_band(figures)
    if len(series) < 2 or hottest is None:
        return None
    parts = sorted(
        ((_time_in(one, hottest.begin, hottest.end), one) for one in series), key=lambda pair: -pair[0].value
    )
    total = sum(time.value for time, _ in parts)
    if total <= 0:
        return None
    share = _share_of_first([time for time, _ in parts])
    (_, first), (next_most, second) = parts[:2]
    band = range_words(hottest.lower, hottest.upper)
    names = {"lower": hottest.lower, "upper": hottest.upper, "share": share.value}
    ends = f" ({percent_text(share.low)} to {percent_text(share.high)})"
    if share.value >= MOSTLY:
        if share.low < MOST:
            return None
        said = percent_text(share.value) + (ends if share.low < MOSTLY else "")
        text = f"the hot band, {band}: {said} of its time is that of {first.shown}"
        return Finding("who", text, (first.name,), names)
    if share.value < FEW_HAVE:
        more = f" ({percent_text(share.high)} at most)" if share.high >= FEW_HAVE else ""
        said = f"none of {len(series)} series has more than {percent_text(share.value)} of its time{more}"
        return Finding("who", f"the hot band, {band}, is shared: {said}", (first.name,), names)
    said = percent_text(share.value) + (ends if share.high >= MOSTLY else "")
    text = (
        f"the hot band, {band}, is shared: {first.shown} has {said} of its time, "
        f"{second.shown} {percent_text(next_most.value / total)}"
    )
    return Finding("who", text, (first.name, second.name), names)


def _hottest_band(figures: Sequence[SeriesFigures]) -> Mode | None:
    """The mode with the most time waited of all; None where another one elsewhere may have more."""
    bands = [mode for one in figures for mode in one.modes.modes]
    hottest = max(bands, key=lambda mode: mode.waited.value, default=None)
    if hottest is None:
        return None
    others = (mode for mode in bands if not _overlap(mode, hottest))
    return None if any(mode.waited.high > hottest.waited.low for mode in others) else hottest


def _overlap(one: Mode, other: Mode) -> bool:
    return one.lower < other.upper and other.lower < one.upper


def _share_of_first(times: Sequence[Estimate]) -> Estimate:
    """The share of the first of all time, with its band."""
    first, others = times[0], times[1:]
    low, high = sum(one.low for one in others), sum(one.high for one in others)
    value = first.value / (first.value + sum(one.value for one in others))
    least = first.low / (first.low + high) if high < inf and first.low > 0 else 0.0
    return Estimate(value, least, 1 / (1 + low / first.high) if first.high > 0 else 0.0)


def _time_in(data: SeriesData, lower: float, upper: float) -> Estimate:
    """Seconds waited in the rows whose middles lie between two latencies."""
    top = np.where(np.isinf(data.edges[1:]), data.edges[:-1], data.edges[1:])
    middles = (data.edges[:-1] + top) / 2
    inside = (middles >= lower) & (middles < upper) & (data.total > 0)
    means = (row_means(data.total, data.edges, data.tick), *row_mean_bands(data.total, data.edges, data.tick))
    return Estimate(*(float((each[inside] * data.total[inside]).sum()) for each in means))

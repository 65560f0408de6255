"""The table of a comparison: rate, time waited, percentiles, the share above a latency, and each mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ...analysis import Estimate, ModeChange, RateChange, share_above_threshold
from ...number_text import count_words, range_words
from ...units import format_latency, format_measured
from ..evidence import SeriesData
from ..figures import RANKS, SeriesFigures
from .change_words import exact_share, points_between_words, points_words, quantile_words, ratio_words, times_words
from .compared import SeriesComparison
from .one_sided import SideNames

ON_EDGE = 1 + 1e-9
"""Bounds in seconds are not exact."""


class TableRow(NamedTuple):
    """What it is, on both sides, how it changed, and the 95 % interval of the change, or a note about it."""

    label: str
    before: str
    after: str
    change: str
    interval: str


def table_rows(one: SeriesComparison) -> list[TableRow]:
    """All rows, without a heading."""
    rows = [*_rates(one), *_percentiles(one), *_shares(one)]
    return rows + [_mode(mode, one.names) for mode in one.modes]


def _rates(one: SeriesComparison) -> Iterator[TableRow]:
    rate = one.found.rate
    if not one.timed:
        yield TableRow(one.noun, *_sides(one, lambda side: count_words(side.events)), "", "")
        return
    yield TableRow("rate", *_sides(one, lambda side: f"{count_words(side.rate)}/s"), *_ratio(rate))
    change, between = _ratio(one.waited)
    estimated = "" if any(one.missing) or (one.before.exact and one.after.exact) else "estimated"
    yield TableRow("time waited", *_sides(one, _waited), change, ", ".join(filter(None, (between, estimated))))


def _sides(one: SeriesComparison, words: Callable[[SeriesFigures], str]) -> tuple[str, str]:
    """A figure of both sides; a side without data has none: that is not zero."""
    before, after = (
        "no data" if missing == "data" else words(side)
        for side, missing in zip((one.before, one.after), one.missing, strict=True)
    )
    return before, after


def _ratio(rate: RateChange | None) -> tuple[str, str]:
    """A ratio and its interval; nothing where a side has none of it."""
    if rate is None or min(rate.before, rate.after) <= 0:
        return "", ""
    return ratio_words(rate.ratio), times_words(rate.ratio)


def _waited(side: SeriesFigures) -> str:
    return f"{format_measured(side.in_flight)}/s" if side.in_flight > 0 else "none"


def _percentiles(one: SeriesComparison) -> Iterator[TableRow]:
    if any(one.missing):
        yield from _known_percentiles(one)
        return
    apart = "each in its own ranges" if one.pair.lost_bounds else "" if one.found.quantiles else "too little to compare"
    for quantile in one.quantiles:
        before, after, change, between = quantile_words(quantile, apart)
        yield TableRow(f"p{100 * quantile.q:.0f}", before, after, change, between)


def _known_percentiles(one: SeriesComparison) -> Iterator[TableRow]:
    """Those of the side that has events, if there is one."""
    if all(one.missing):
        return
    for key in RANKS:
        before, after = (
            format_measured(side.percentiles[key].value) if key in side.percentiles else f"no {missing}"
            for side, missing in zip((one.before, one.after), one.missing, strict=True)
        )
        yield TableRow(key, before, after, "", "")


def _shares(one: SeriesComparison) -> Iterator[TableRow]:
    if one.stated is None:
        return
    first, second = (_share(share.value) for share in (one.stated.before, one.stated.after))
    change, between = points_words(one.stated.difference.value), points_between_words(one.stated.difference)
    yield TableRow(f"above {format_latency(one.stated.low)}", first, second, change, between)
    if one.beyond is not None:
        before, after = (share.waited.value for share in one.beyond)
        exact = "" if one.before.exact and one.after.exact else "estimated"
        yield TableRow("  of the wait", _share(before), _share(after), points_words(after - before), exact)


def share_row(one: SeriesComparison, threshold: float) -> TableRow | None:
    """The share of the events above a latency, seconds, as of an SLO; None where a side has no events. It is "about"
    where the latency lies inside a range that has events.
    """
    shares = [
        share_above_threshold(side.total, side.edges, threshold, exact=side.exact, tick=side.tick)
        for side in one.pair.own
    ]
    first, second = shares
    if first is None or second is None:
        return None
    before, after = first.events, second.events
    inside = any(_is_within_events(side, threshold) for side in one.pair.own)
    sides = _share(before.value), _share(after.value)
    change = points_words(after.value - before.value)
    return TableRow(f"above SLO {format_latency(threshold)}", *sides, change, "about: inside a range" if inside else "")


def _is_within_events(side: SeriesData, latency: float) -> bool:
    """Whether a latency lies inside a range that holds events, and on none of its bounds."""
    rows = (side.edges[:-1] * ON_EDGE < latency) & (latency * ON_EDGE < side.edges[1:])
    return bool(side.total[rows].any())


def _share(share: float) -> str:
    return exact_share(share) if share > 0 else "none"


def _typical(before: Estimate, after: Estimate) -> str:
    """Where a mode has its median on both sides: only as far as it is known, unless it surely moved."""
    if before.high < after.low or after.high < before.low:
        return f"{format_measured(before.value)} -> {format_measured(after.value)}"
    first, second = (range_words(one.low, one.high) for one in (before, after))
    return f"typically {first}" if first == second else f"{first} -> {second}"


def _mode(mode: ModeChange, names: SideNames) -> TableRow:
    """Its share on both sides, and its typical latency."""
    before, after = (_share(share) for share in (mode.before, mode.after))
    new, gone = mode.is_new, mode.is_gone
    change = points_words(mode.after - mode.before)
    if mode.median_before is not None and mode.median_after is not None:
        note = _typical(mode.median_before, mode.median_after)
    elif new or gone:
        note = "new" if new else "gone"
    else:
        note = f"a mode in {names.before if mode.typical_after is None else names.after} only"
    return TableRow(range_words(mode.lower, mode.upper), before, after, change, note)

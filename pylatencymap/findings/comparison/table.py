"""The table of a comparison: rate, time waited, percentiles, the share above a latency, and each mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ...analysis import ModeChange, RateChange
from ...number_text import count_words, range_words
from ...units import format_latency, format_measured
from ..figures import RANKS, SeriesFigures
from .change_words import exact_share, points_between_words, points_words, quantile_words, ratio_words, times_words
from .compared import SeriesComparison


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
    return rows + [_mode(mode) for mode in one.modes]


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
    for quantile in one.quantiles:
        before, after, change, between = quantile_words(quantile, own_ranges=one.quantiles is not one.found.quantiles)
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


def _share(share: float) -> str:
    return exact_share(share) if share > 0 else "none"


def _mode(mode: ModeChange) -> TableRow:
    """Its share on both sides, and its typical latency."""
    before, after = (_share(share) for share in (mode.before, mode.after))
    new, gone = mode.is_new, mode.is_gone
    change = points_words(mode.after - mode.before)
    if mode.typical_before is not None and mode.typical_after is not None:
        note = f"{format_measured(mode.typical_before)} -> {format_measured(mode.typical_after)}"
    elif new or gone:
        note = "new" if new else "gone"
    else:
        note = f"a mode in {'BEFORE' if mode.typical_after is None else 'AFTER'} only"
    return TableRow(range_words(mode.lower, mode.upper), before, after, change, note)

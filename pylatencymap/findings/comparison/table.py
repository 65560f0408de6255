"""The table of a comparison: rate, time waited, percentiles, the share above a latency, and each mode."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...analysis import Estimate, ModeChange
from ...number_text import count_words, range_words
from ...units import format_latency, format_measured
from ..figures import SeriesFigures
from .change_words import points_between_words, points_words, quantile_words, ratio_words, times_words
from .compared import SeriesComparison
from .verdict import exact_share


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
        before, after = (count_words(side.events) for side in (one.before, one.after))
        yield TableRow(one.noun, before, after, "", "")
        return
    before, after = (f"{count_words(side.rate)}/s" for side in (one.before, one.after))
    if rate is None or min(rate.before, rate.after) <= 0:
        yield TableRow("rate", before, after, "", "")
    else:
        yield TableRow("rate", before, after, ratio_words(rate.ratio), times_words(rate.ratio))
    estimated = "" if one.before.exact and one.after.exact else "estimated"
    ratio = _plain_ratio(one.before.in_flight, one.after.in_flight)
    yield TableRow("time waited", _waited(one.before), _waited(one.after), ratio, estimated)


def _waited(side: SeriesFigures) -> str:
    return f"{format_measured(side.in_flight)}/s" if side.in_flight > 0 else "none"


def _plain_ratio(before: float, after: float) -> str:
    """A ratio whose interval is not known."""
    return ratio_words(Estimate(after / before, after / before, after / before)) if min(before, after) > 0 else ""


def _percentiles(one: SeriesComparison) -> Iterator[TableRow]:
    for quantile in one.quantiles:
        before, after, change, between = quantile_words(quantile, own_ranges=one.quantiles is not one.found.quantiles)
        yield TableRow(f"p{100 * quantile.q:.0f}", before, after, change, between)


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

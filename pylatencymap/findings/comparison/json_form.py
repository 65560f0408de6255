"""Comparisons for programs: plain values that become JSON. docs/compare.md describes every field."""

from __future__ import annotations

from math import isfinite
from typing import Any

from ...analysis import Estimate, ModeChange, PlainDifference, QuantileChange, RateChange, ShareChange
from ..evidence import estimate_json, finite
from ..figures import SeriesFigures
from .compared import SeriesComparison
from .one_sided import OneSided
from .side_facts import SideFacts, times_of
from .verdict import is_slight, verdict_word, verdict_words

VERSION = 1
"""Of the schema: raised if a field changes its meaning or goes; new fields do not raise it."""


def json_form(found: SideFacts) -> dict[str, Any]:
    """The comparison; moments are ISO 8601, all times and latencies seconds, and shares 0 to 1."""
    return {
        "schema": "pylatencymap-comparison",
        "version": VERSION,
        "files": {"before": list(found.files[0]), "after": list(found.files[1])},
        "only": {"before": list(found.only[0]), "after": list(found.only[1])},
        "bad_records": found.bad,
        "verdict": found.verdict,
        "series": [_series(found, one) for one in found.series],
        "limits": [one.as_dict() for one in found.limits],
        "marks": [*_marks(found, 0), *_marks(found, 1)],
    }


def _marks(found: SideFacts, side: int) -> list[dict[str, Any]]:
    one = found.series[0]
    times = times_of(one.pair.own[side], found.tz)
    return [
        {
            "side": ("before", "after")[side],
            "at": times.iso(mark.stamp.micros) if times.clock else None,
            "text": mark.note,
        }
        for mark in found.marks_within(side, one)
    ]


def _series(found: SideFacts, one: SeriesComparison) -> dict[str, Any]:
    result, rate = one.found, one.found.rate
    return {
        "name": one.name,
        "before_name": one.pair.before_name,
        "noun": one.noun,
        "verdict": verdict_word(one),
        "direction": one.direction.value if one.differs and not is_slight(one) else None,
        "sentences": [f"{head} {rest}".strip() for head, rest in verdict_words(one)],
        "plain": _plain(one.plain),
        "p": result.p,
        "would_have_been_seen": result.seen,
        "within": {"before": result.within[0], "after": result.within[1]},
        "before": _side(found, one, 0, one.before),
        "after": _side(found, one, 1, one.after),
        "rate": None if rate is None or not one.timed else _rate(rate, one.rate_is_sure),
        "waited_ratio": None if one.waited is None or not one.timed else _ratio(one.waited),
        "percentiles": {f"p{100 * quantile.q:.0f}": _quantile(quantile) for quantile in one.quantiles},
        "stated": None if one.stated is None else _share(one.stated),
        "shares": [_share(share) for share in result.shares],
        "modes": [_mode(mode) for mode in one.modes],
        "one_sided": [_one_sided(each) for each in one.one_sided],
        "ranges_differ": one.pair.lost_bounds,
    }


def _side(found: SideFacts, one: SeriesComparison, side: int, figures: SeriesFigures) -> dict[str, Any]:
    times = times_of(one.pair.own[side], found.tz)
    return {
        "runs": len((one.pair.before, one.pair.after)[side]),
        "columns": one.found.columns[side],
        "begin": times.iso(times.begin) if times.clock else None,
        "end": times.iso(times.end) if times.clock else None,
        "seconds": figures.seconds,
        "events": figures.events,
        "rate": figures.rate if figures.timed and figures.seconds > 0 else None,
        "waited": {**estimate_json(figures.waited), "exact": figures.exact},
        "average": figures.average,
        "share_above_stated": None if one.beyond is None else estimate_json(one.beyond[side].events),
        "wait_above_stated": None if one.beyond is None else estimate_json(one.beyond[side].waited),
    }


def _rate(rate: RateChange, sure: bool) -> dict[str, Any]:
    told = {"before": rate.before, "after": rate.after, "ratio": _ratio(rate)}
    return {**told, "different": rate.different, "sure": sure}


def _ratio(rate: RateChange) -> dict[str, float | None] | None:
    return estimate_json(rate.ratio) if isfinite(rate.ratio.value) else None


def _one_sided(one: OneSided) -> dict[str, Any]:
    change, times = one.change, one.times
    return {
        "side": ("before", "after")[one.side],
        "kind": change.kind.value,
        "begin": times.iso(change.begin) if times.clock else None,
        "end": times.iso(change.end) if times.clock else None,
        "lower": change.low,
        "upper": None if change.high is None else finite(change.high),
        "cost": change.cost,
        "others": one.others,
    }


def _quantile(one: QuantileChange) -> dict[str, Any]:
    return {
        "before": estimate_json(one.before),
        "after": estimate_json(one.after),
        "ratio": None if one.ratio is None else estimate_json(one.ratio),
    }


def _share(one: ShareChange) -> dict[str, Any]:
    return {
        "lower": one.low,
        "upper": finite(one.high),
        "before": estimate_json(one.before),
        "after": estimate_json(one.after),
        "difference": estimate_json(one.difference),
        "stated": one.stated,
        "would_have_been_seen": one.seen,
    }


def _mode(one: ModeChange) -> dict[str, Any]:
    return {
        "lower": one.lower,
        "upper": finite(one.upper),
        "before": one.before,
        "after": one.after,
        "typical_before": one.typical_before,
        "typical_after": one.typical_after,
        **_ends("typical_before", one.median_before),
        **_ends("typical_after", one.median_after),
        "new": one.is_new,
        "gone": one.is_gone,
    }


def _ends(name: str, one: Estimate | None) -> dict[str, float | None]:
    """The ends of a band, each with a field of its own."""
    low, high = (None, None) if one is None else (one.low, finite(one.high))
    return {f"{name}_low": low, f"{name}_high": high}


def _plain(one: PlainDifference | None) -> dict[str, float] | None:
    return None if one is None else {"lower": one.bound, "before": one.before, "after": one.after}

"""The sentences about what figures mean, as pages have them: of what is said of many series alike, one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis import Estimate
from ...number_text import band_words, count_words, percent_text, range_words
from ...units import format_measured
from ..evidence import Finding
from ..facts import RunFacts

MANY = 3
"""From so many series on, their caches are one sentence."""


def meaning_sentences(run: RunFacts) -> list[str]:
    """Who has the hot band, then what follows from the figures of each series."""
    caches = [one for one in run.meaning if one.kind == "cache"]
    found = ([run.who] if run.who else []) + list(run.meaning)
    if len(caches) < MANY:
        return [one.text for one in found]
    told = [one for one in found if one.kind != "cache" or one is caches[0]]
    return [_of_many(caches, run) if one.kind == "cache" else one.text for one in told]


def _of_many(caches: Sequence[Finding], run: RunFacts) -> str:
    """The arithmetic of several caches: from the one that hits least to the one that hits most."""
    ranges = {(one.evidence["lower"], one.evidence["upper"]) for one in caches}
    what = range_words(*ranges.pop()) if len(ranges) == 1 else "the fast mode"
    many = f"all {count_words(len(caches))}" if len(caches) == len(run.names) else count_words(len(caches))
    return (
        f"{many} series: if {what} is a cache, it hits {_hits(caches, run)} and a miss takes "
        f"{_span(caches, 'miss')}; each percent more hits takes {_span(caches, 'per_percent')} off the average"
    )


def _hits(caches: Sequence[Finding], run: RunFacts) -> str:
    ordered = sorted(caches, key=lambda one: one.evidence["hits"])
    least, most = ordered[0], ordered[-1]
    low, high = (percent_text(one.evidence["hits"]) for one in (least, most))
    if low == high:
        return low
    return f"{low} ({run.names[least.series[0]]}) to {high} ({run.names[most.series[0]]})"


def _span(caches: Sequence[Finding], key: str) -> str:
    """From the least to the most, with the band of all."""
    values, lows, highs = ([one.evidence[f"{key}{part}"] for one in caches] for part in ("", "_low", "_high"))
    low, most = format_measured(min(values)), Estimate(max(values), min(lows), max(highs))
    return band_words(most) if low == format_measured(most.value) else f"{low} to {band_words(most)}"

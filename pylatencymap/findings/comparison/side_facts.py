"""All that two sides differ in, and the words that its pages have in common."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo

from ...number_text import TimeWords, count_words, length_words
from ...text.clean import printable
from ..evidence import Finding, SeriesData
from .compared import SeriesComparison
from .verdict import short_words, verdict_words


@dataclass(frozen=True)
class SideFacts:
    """What AFTER differs in from BEFORE.

    ``series``: those that both sides have, most time waited first. ``limits``: what cannot be compared. ``files``: what
    each side was read from. ``bad``: records left out, of both sides.
    """

    series: tuple[SeriesComparison, ...]
    limits: tuple[Finding, ...]
    files: tuple[tuple[str, ...], tuple[str, ...]]
    tz: tzinfo
    bad: int = 0

    @property
    def verdict(self) -> str:
        """All sentences of the verdict about the first series."""
        return full_verdict(self.series[0])

    def side_words(self, side: int, one: SeriesComparison, *, named: bool = True) -> str:
        """``steady.lmap.gz, 2026-11-21 11:13:04 to 11:14:04 UTC, 60 intervals of 1 s``; ``named``: with the file."""
        data, runs = one.pair.own[side], (one.pair.before, one.pair.after)[side]
        times = times_of(data, self.tz)
        columns = one.found.columns[side]
        length = length_words(data.width) if (one.before, one.after)[side].timed else "unknown length"
        many = f"{count_words(columns)} interval{'' if columns == 1 else 's'} of {length}" if columns else "no data"
        held = f"{len(runs)} runs, {many}" if len(runs) > 1 else many
        file = files_words(self.files[side]) if named else ""
        return ", ".join(filter(None, (file, times.whole(), held)))


def times_of(data: SeriesData, tz: tzinfo) -> TimeWords:
    """How the moments of a side are written."""
    return TimeWords(int(data.starts.min()), int(data.ends.max()), tz, data.width, data.clock)


def files_words(files: Sequence[str]) -> str:
    """``steady.lmap.gz``; ``monday.lmap and 3 more``."""
    names = [printable(os.path.basename(file) or file) for file in files]
    return names[0] + (f" and {len(names) - 1} more" if len(names) > 1 else "") if names else ""


def full_verdict(one: SeriesComparison) -> str:
    """All sentences of the verdict about a series."""
    return " ".join(f"{head} {rest}".strip() for head, rest in verdict_words(one))


def short_verdict(one: SeriesComparison) -> str:
    """The sentences of a series that is one of several, with its name: of latencies, and of a rate that differs."""
    return f"{one.pair.shown}: " + " ".join(f"{head} {rest}".strip() for head, rest in short_words(one))

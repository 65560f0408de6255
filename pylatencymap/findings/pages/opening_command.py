"""The command that opens what a page speaks of: it means the same time on any machine, and reads the files as they were
read.
"""

from __future__ import annotations

import shlex
from glob import escape

from ...text import moment_option, zone_name
from ..facts import RunFacts

SUM = "sum"
"""What ``--series`` calls all series added up: ``session.SUM_SERIES``."""
MOST_FILES = 3
LEAST_AROUND = 30
"""Columns that are shown before and after a change, at least."""


def opening_words(run: RunFacts) -> list[str]:
    """The words of the command that shows the costliest change, with as much time around it as it lasted; none where
    the files cannot be opened again, or where it would show all.
    """
    real = [change for change in run.changes if not change.is_about_source]
    if not (real and run.times.clock and 0 < len(run.files) <= MOST_FILES and "-" not in run.files):
        return []
    around = max(real[0].end - real[0].begin, round(LEAST_AROUND * run.times.width * 1e6))
    first = max(real[0].begin - around, run.times.begin)
    last = min(real[0].end + around, run.times.end)
    if (first, last) == (run.times.begin, run.times.end):
        return []
    zone = run.times.tz
    ends = first // 1_000_000 * 1_000_000, -(-last // 1_000_000) * 1_000_000
    options = [("--from", moment_option(ends[0], zone)), ("--to", moment_option(ends[1], zone))]
    if name := zone_name(zone):
        options.append(("--tz", name))
    shown = real[0].series[0]
    if run.some_series or shown != run.series[0].name:
        options.append(("--series", series_glob(shown)))
    only = (word for one in run.only for word in ("--only", one))
    words = ["pylatencymap", *map(shlex.quote, (*run.files, *run.reading, *only))]
    return [*words, *(f"{option} {shlex.quote(value)}" for option, value in options)]


def series_glob(series: str) -> str:
    """A series as ``--series`` takes it: its name, even if that is the word for the sum."""
    return f"[{series[0]}]{series[1:]}" if series.lower() == SUM else escape(series)

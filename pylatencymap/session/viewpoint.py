"""The viewpoint: which series, time and latencies the user looks at, and with which view options."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import timezone, tzinfo
from typing import NamedTuple

from ..text import micros_at
from ..units import Unit, parse_latency
from ..view.layout import NamedSides, Pointer, Selected
from ..view.style import ViewOptions
from ..window import DEFAULT_MB
from .input import MomentWords, micros_of_day, parse_moment
from .marks import last_time_of_day

SUM_SERIES = "sum"
"""The name under which all series added up are shown."""


class Viewpoint(NamedTuple):
    """Which part of the data is drawn, and how. It never changes the data.

    view          the view options
    series        the series to draw; None: the one with the most time waited
    summed        draw the sum of all series instead
    stacked       the series that are drawn above each other, by name or as ``--stack`` gives them; then ``series`` is
                  the one that keys about one series are about
    end           epoch microseconds at the right edge; None: follow the newest column
    width         seconds per column; None: one interval per column
    fitted        all that is kept is on the screen: ``width`` follows from it, see Picture.fitted
    resolution    latency rows per doubling
    pointer       the cursor
    selected      the user's selection
    sides         A and B, the two times that are compared
    stays         the lines of the maps stay where they are, so that the next click meets what it was aimed at
    buckets       as --min_bucket and --max_bucket gave them: exponents of bounds, in the unit of the series
    only          the filter: names of keys and the values that all events shown have, the first one first
    intensity_max as --intensity_maxval gave it: time waited per second, in the unit of the series
    """

    view: ViewOptions = ViewOptions()
    series: str | None = None
    summed: bool = False
    stacked: tuple[str, ...] = ()
    end: int | None = None
    width: float | None = None
    fitted: bool = False
    resolution: int = 1
    pointer: Pointer | None = None
    selected: Selected | None = None
    sides: NamedSides | None = None
    stays: bool = False
    buckets: tuple[int | None, int | None] = (None, None)
    intensity_max: float | None = None
    only: tuple[tuple[str, str], ...] = ()

    @property
    def follows(self) -> bool:
        """Whether the picture follows the newest column."""
        return self.end is None

    @property
    def filters(self) -> tuple[str, ...]:
        """The filter as ``--only`` takes it: ``obj#=82015``."""
        return tuple(f"{key}={value}" for key, value in self.only)

    def looking(self, **choices: object) -> Viewpoint:
        """The same viewpoint with other view options."""
        return self._replace(view=self.view._replace(**choices))  # type: ignore[arg-type]

    def view_in(self, unit: Unit) -> ViewOptions:
        """The view options, with ``buckets`` and ``intensity_max`` converted from the unit of the series."""
        view, (low, high) = self.view, self.buckets
        if low is not None:
            view = view._replace(min_latency=2.0 ** (low - 1) * unit.seconds)
        if high is not None:
            view = view._replace(max_latency=2.0 ** (high - 1) * unit.seconds)
        if self.intensity_max is not None:
            view = view._replace(intensity_max=self.intensity_max * unit.seconds)
        return view


class SelectionWords(NamedTuple):
    """A selection as ``--select`` names it: from ``begin`` to ``end``, and latencies in seconds; None: no bound."""

    text: str
    begin: MomentWords
    end: MomentWords
    low: float | None = None
    high: float | None = None

    def placed(self, extent: tuple[int, int], tz: tzinfo) -> Selected | None:
        """The selection in data from and to moments, epoch microseconds; None if it would be empty.

        Times of day are the last ones in the data, offsets count from their beginning, and for the end from ``begin``.
        """
        last = _fixed(self.end, extent[1], tz)
        begin = _fixed(self.begin, extent[1], tz)
        if begin is None:
            before = extent[1] if last is None else last - 1
            begin = (
                last_time_of_day(self.begin.clock, before, tz)[0]
                if self.begin.clock is not None
                else extent[0] + round((self.begin.offset or 0.0) * 1e6)
            )
        if last is None:
            last = (
                last_time_of_day(self.end.clock, begin, tz)[1]
                if self.end.clock is not None
                else begin + round((self.end.offset or 0.0) * 1e6)
            )
        return Selected(begin, last, self.low, self.high) if begin < last else None

    def outside(self, extent: tuple[int, int], tz: tzinfo) -> str:
        """Why nothing of it can be seen in data from and to moments, epoch microseconds; empty if some can."""
        chosen = self.placed(extent, tz)
        if chosen is not None and chosen.begin < extent[1] and chosen.end > extent[0]:
            return ""
        return f"--select {self.text}: that is outside of what is kept"


def _fixed(words: MomentWords, near: int, tz: tzinfo) -> int | None:
    """Epoch microseconds of a date, of a day in the year nearest to a moment, or of epoch seconds; else None."""
    if words.seconds is not None:
        return round(words.seconds * 1e6)
    if words.day is not None:
        return micros_of_day(words.day, near, tz)
    if words.date is None:
        return None
    return micros_at(words.date if words.date.tzinfo else words.date.replace(tzinfo=tz))


SELECTION_FORM = "FROM..TO, and for a range of latencies FROM..TO,LOW..HIGH"


def parse_selection(text: str) -> SelectionWords:
    """Parse ``03:12..03:32``, ``2026-03-03 03:12..2026-03-03 03:32,65.5ms..524ms``. Raises ValueError or UsageError
    with what is right.
    """
    times, comma, latencies = text.partition(",")
    first, dots, last = times.partition("..")
    low, between, high = latencies.partition("..")
    if not (dots and first.strip() and last.strip()) or bool(comma) != bool(between):
        raise ValueError(f"{text!r} is no selection; write {SELECTION_FORM}")
    begin, end = parse_moment(first.strip()), parse_moment(last.strip())
    if any(one.offset is not None and one.offset < 0 for one in (begin, end)):
        raise ValueError(f"{text!r}: write dates, times of day, or +10min, which is after the beginning")
    bounds = [parse_latency(one) if one.strip() else None for one in (low, high)]
    if bounds[0] is not None and bounds[1] is not None and bounds[0] >= bounds[1]:
        raise ValueError(f"{text!r}: the first latency must be less than the second")
    return SelectionWords(text, begin, end, *bounds)


class PictureOptions(NamedTuple):
    """``viewpoint``: the one at the beginning of a session. ``columns``: the maximum number of time columns.
    ``fits``: whether the final picture shows all that is kept. ``part``: only a part of what was recorded is read.
    ``file``: the name of the file that is drawn; empty if there is none. ``select``: what is selected at first.
    """

    viewpoint: Viewpoint = Viewpoint()
    columns: int | None = None
    history_mb: float = DEFAULT_MB
    tz: tzinfo = timezone.utc
    fits: bool = True
    part: bool = False
    file: str = ""
    select: SelectionWords | None = None


def files_name(files: Sequence[str]) -> str:
    """What a title calls the files: the name of a single one, or how many they are; empty for standard input."""
    if not files or "-" in files:
        return ""
    return f"{len(files)} files" if len(files) > 1 else os.path.basename(os.path.abspath(files[0]))

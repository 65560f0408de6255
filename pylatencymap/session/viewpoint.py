"""The viewpoint: which series, time and latencies the user looks at, and with which view options."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import timezone, tzinfo
from typing import NamedTuple

from ..units import Unit
from ..view.layout import NamedSides, Pointer, Selected
from ..view.style import ViewOptions
from ..window import DEFAULT_MB


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


class PictureOptions(NamedTuple):
    """``viewpoint``: the one at the beginning of a session. ``columns``: the maximum number of time columns.
    ``fits``: whether the final picture shows all that is kept. ``part``: only a part of what was recorded is read.
    ``file``: the name of the file that is drawn; empty if there is none.
    """

    viewpoint: Viewpoint = Viewpoint()
    columns: int | None = None
    history_mb: float = DEFAULT_MB
    tz: tzinfo = timezone.utc
    fits: bool = True
    part: bool = False
    file: str = ""


def files_name(files: Sequence[str]) -> str:
    """What a title calls the files: the name of a single one, or how many they are; empty for standard input."""
    if not files or "-" in files:
        return ""
    return f"{len(files)} files" if len(files) > 1 else os.path.basename(os.path.abspath(files[0]))

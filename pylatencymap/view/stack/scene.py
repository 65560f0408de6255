"""The input of a stacked picture: two or three series with their figures, and what is said of them together."""

from __future__ import annotations

from typing import NamedTuple

from ...window import FloatArray, Matrix, Overview, Summary
from ..layout.scene import Pointer, Selected, SelectedFigures
from ..layout.status import Status


class StackedSeries(NamedTuple):
    """One series of a stack.

    status    as for a picture of this series alone
    window    summary of all columns
    column    summary of the column that the cursor is on
    figures   what is in the user's selection
    percentiles  float64 [2, columns], seconds, p50 and p99 of each column of its matrix; None: not wanted
    chosen    whether keys that are about one series are about this one
    """

    name: str
    matrix: Matrix
    status: Status
    window: Summary
    column: Summary | None = None
    figures: SelectedFigures | None = None
    chosen: bool = False
    percentiles: FloatArray | None = None


class ToldTogether(NamedTuple):
    """A sentence about the series of a stack: ``head`` is whom it is about, ``when`` when it was, and each of ``texts``
    says what it was, the fullest first.
    """

    head: str
    when: str
    texts: tuple[str, ...]


class StackScene(NamedTuple):
    """What is to be drawn.

    series    from top to bottom
    status    of the picture; what differs between series is in their own
    pointer   the cursor, if there is one
    selected  the user's selection
    told      sentences, the most important first
    overview  all that is kept of all series; None if it is drawn anyway
    stays     the lines of the maps stay where they are
    """

    series: tuple[StackedSeries, ...]
    status: Status
    pointer: Pointer | None = None
    selected: Selected | None = None
    told: tuple[ToldTogether, ...] = ()
    overview: Overview | None = None
    stays: bool = False

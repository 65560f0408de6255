"""The input of a picture: the data to draw, the pointer and the status of the session."""

from typing import NamedTuple

from ...window import Matrix, Summary
from .status import Status

# The cursor is a moment and a latency, not a cell, so that it stays with its data while the picture moves.


class Pointer(NamedTuple):
    """Where the user points. ``micros``: epoch microseconds, the end of the column's interval. ``latency``: seconds,
    inside the row.
    """

    micros: int
    latency: float


class Scene(NamedTuple):
    """What is to be drawn.

    window    summary of all columns
    latest    summary of the newest column with data
    pointer   the cursor, if there is one
    column    summary of the column that the cursor is on
    moment    any value; while it stays equal, texts and numbers stay unchanged although new columns are drawn, so that
              they can be read. None: they follow the data
    """

    matrix: Matrix
    status: Status
    window: Summary
    latest: Summary | None
    pointer: Pointer | None = None
    column: Summary | None = None
    moment: object = None

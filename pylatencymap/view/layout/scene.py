"""What is drawn: the data of a moment, and what is said beside it."""

from typing import NamedTuple

from ...window import Matrix, Summary
from .status import Status

# The cursor: a moment and a latency, so that it stays with its data while the picture moves.


class Pointer(NamedTuple):
    """``micros``: epoch microseconds at which the column's interval ends. ``latency``: seconds, inside the row."""

    micros: int
    latency: float


class Scene(NamedTuple):
    """``window`` is over all columns, ``latest`` over the newest with data. ``pointer`` is the cursor, if there is one,
    and ``column`` the statistics of the column that it stands on. ``moment`` is a value: while it is the same, texts
    and numbers stay as they are, whatever columns come; None: they follow the data.
    """

    matrix: Matrix
    status: Status
    window: Summary
    latest: Summary | None
    pointer: Pointer | None = None
    column: Summary | None = None
    moment: object = None

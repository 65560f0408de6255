"""The cursor: a moment and a latency, so that it stays with its data while the picture moves."""

from typing import NamedTuple


class Pointer(NamedTuple):
    """``micros``: epoch microseconds at which the column's interval ends. ``latency``: seconds, inside the row."""

    micros: int
    latency: float

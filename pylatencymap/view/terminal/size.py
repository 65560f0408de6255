"""The size of a terminal."""

import os

USUAL_SIZE = (80, 24)
"""Columns and lines of a terminal that does not know its size, as a serial line."""


def size_of(descriptor: int) -> tuple[int, int]:
    """Columns and lines, now; raises OSError where the terminal has gone."""
    columns, lines = os.get_terminal_size(descriptor)
    return columns or USUAL_SIZE[0], lines or USUAL_SIZE[1]

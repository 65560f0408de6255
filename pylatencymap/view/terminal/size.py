"""The size of a terminal."""

import os

DEFAULT_SIZE = (80, 24)
"""Columns and lines of a terminal that does not know its size, as a serial line."""


def terminal_size(descriptor: int) -> tuple[int, int]:
    """Columns and lines, now; raises OSError where the terminal has gone."""
    columns, lines = os.get_terminal_size(descriptor)
    return columns or DEFAULT_SIZE[0], lines or DEFAULT_SIZE[1]

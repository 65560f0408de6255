"""Asks for the size of a terminal."""

import os

DEFAULT_SIZE = (80, 24)
"""Columns and lines to assume if a terminal reports 0, as a serial line does."""


def terminal_size(descriptor: int) -> tuple[int, int]:
    """Columns and lines at this moment. Raises OSError if the terminal is gone."""
    columns, lines = os.get_terminal_size(descriptor)
    return columns or DEFAULT_SIZE[0], lines or DEFAULT_SIZE[1]

"""Text with styles, and the columns that it takes."""

from collections.abc import Iterable
from typing import TypeAlias

from ...text import text_width

StyledSpan: TypeAlias = tuple[str, int]
"""Text and its style."""

StyledText: TypeAlias = tuple[StyledSpan, ...]


def width_of(spans: Iterable[StyledSpan]) -> int:
    """Columns that spans take."""
    return sum(text_width(text) for text, _ in spans)

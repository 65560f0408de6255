"""Text with styles, and its width in cells."""

from collections.abc import Iterable
from typing import TypeAlias

from ...text import text_width

StyledSpan: TypeAlias = tuple[str, int]
"""A text and its style."""

StyledText: TypeAlias = tuple[StyledSpan, ...]


def width_of(spans: Iterable[StyledSpan]) -> int:
    """How many columns the spans take."""
    return sum(text_width(text) for text, _ in spans)

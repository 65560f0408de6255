"""Text with styles, and the columns that it takes."""

from collections.abc import Iterable
from typing import TypeAlias

from ...text.width import width

Span: TypeAlias = tuple[str, int]
"""Text and its style."""

Text: TypeAlias = tuple[Span, ...]


def width_of(spans: Iterable[Span]) -> int:
    """Columns that spans take."""
    return sum(width(text) for text, _ in spans)

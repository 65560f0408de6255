"""Paints a frame on a canvas of cells."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .canvas import Area as Area, Cells as Cells, text_of_codes as text_of_codes
else:
    __getattr__ = lazily(
        __name__,
        {
            "canvas": "Area Cells text_of_codes",
        },
    )

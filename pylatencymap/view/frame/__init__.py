"""Decides what a picture says, as data without cells: rows, labels, levels, ticks, sentences."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .composition import compose_frame as compose_frame
else:
    __getattr__ = lazily(
        __name__,
        {
            "composition": "compose_frame",
        },
    )

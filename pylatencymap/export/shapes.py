"""Describes block elements, hatches and lines as shapes, so that files show them without gaps whatever the font.

Coordinates are fractions of a cell, measured from its upper left corner.
"""

from typing import NamedTuple


class Shape(NamedTuple):
    """A rectangle from (left, top) to (right, bottom); ``opacity`` mixes its colour with the background. If
    ``diagonal``, a thin line from the lower left to the upper right corner instead.
    """

    left: float = 0.0
    top: float = 0.0
    right: float = 1.0
    bottom: float = 1.0
    opacity: float = 1.0
    diagonal: bool = False


_THIN = 0.05
"""Half the width of a vertical line, as a fraction of the cell width. A horizontal line is ``_THIN`` of the cell height
high, which looks equally thick because cells are about twice as high as wide.
"""
_ACROSS = Shape(0, 0.5 - _THIN / 2, 1, 0.5 + _THIN / 2)
_THICK = Shape(0, 0.5 - _THIN, 1, 0.5 + _THIN)
_DOWN = Shape(0.5 - _THIN, 0, 0.5 + _THIN, 1)
_UP_HALF = _DOWN._replace(bottom=0.5)
_DOWN_HALF = _DOWN._replace(top=0.5)


def _shapes() -> dict[str, tuple[Shape, ...]]:
    table: dict[str, tuple[Shape, ...]] = {
        "▀": (Shape(bottom=0.5),),
        "░": (Shape(opacity=0.25),),
        "▒": (Shape(opacity=0.5),),
        "▓": (Shape(opacity=0.75),),
        "╱": (Shape(diagonal=True),),  # noqa: RUF001
        "│": (_DOWN,),
        "─": (_ACROSS,),
        "└": (_UP_HALF, _ACROSS._replace(left=0.5 - _THIN)),
        "┌": (_DOWN_HALF, _ACROSS._replace(left=0.5 - _THIN)),
        "┐": (_DOWN_HALF, _ACROSS._replace(right=0.5 + _THIN)),
        "┘": (_UP_HALF, _ACROSS._replace(right=0.5 + _THIN)),
        "┴": (_UP_HALF, _ACROSS),
        "├": (_DOWN, _ACROSS._replace(left=0.5 - _THIN)),
        "┤": (_DOWN, _ACROSS._replace(right=0.5 + _THIN)),
        "┼": (_DOWN, _ACROSS),
        "━": (_THICK,),
        "╌": tuple(_ACROSS._replace(left=left, right=left + 0.36) for left in (0.07, 0.57)),
        "╍": tuple(_THICK._replace(left=left, right=left + 0.36) for left in (0.07, 0.57)),
        "┊": tuple(_DOWN._replace(top=part / 4 + 0.05, bottom=part / 4 + 0.17) for part in range(4)),
    }
    table.update({char: (Shape(top=1 - part / 8),) for part, char in enumerate("▁▂▃▄▅▆▇█", 1)})
    table.update({char: (Shape(right=part / 8),) for part, char in enumerate("▏▎▍▌▋▊▉", 1)})
    return table


SHAPES = _shapes()

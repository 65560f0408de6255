"""The words of a picture, for programs that read pictures aloud, search them or list them."""

import re
from typing import NamedTuple

from ..view.paint import Cells
from .shapes import SHAPES

_GENERATOR = "pylatencymap"
_SHAPES_AS_BLANKS = str.maketrans(dict.fromkeys(SHAPES, " "))
_BETWEEN = re.compile(r" {2,}")


class PictureWords(NamedTuple):
    """``title``: the first line of the picture, which names the file, the series and the time with its day.
    ``description``: the other lines with their numbers, without what is drawn.
    """

    title: str
    description: str
    generator: str = _GENERATOR


def picture_words(cells: Cells) -> PictureWords:
    """The words of a picture; single blanks are within a phrase, commas between phrases."""
    lines = [_BETWEEN.sub(", ", line.translate(_SHAPES_AS_BLANKS).strip()) for line in cells.text()]
    said = [line for line in lines if line]
    return PictureWords(said[0] if said else _GENERATOR, "\n".join(said[1:]))

"""Draws the picture as PNG with Pillow, which is imported only when a PNG is written."""

import io
from itertools import zip_longest
from typing import TYPE_CHECKING

from ..errors import MissingPackage
from ..text import TAIL
from ..view.paint import Cells
from ..view.style import Rgb, ViewOptions
from .character_fonts import CharacterFonts, own_font
from .picture_words import picture_words
from .shapes import SHAPES, Shape
from .styled_runs import StyledRun, picture_ground, styled_runs_of

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.PngImagePlugin import PngInfo

CELL_WIDTH, CELL_HEIGHT = 9, 18
MARGIN = 9
FONT_SIZE = 15
_CODE_SIZES = {1: 7, 2: 8}
"""Font size of the code in a box that is so many cells wide."""


def render_png(cells: Cells, options: ViewOptions) -> bytes:
    """The bytes of a PNG file, with 9 x 18 pixels per cell; raises MissingPackage if Pillow is not installed."""
    try:
        from PIL import Image, ImageDraw
    except ImportError as error:
        raise MissingPackage("PNG pictures need Pillow", "Pillow") from error
    size = cells.columns * CELL_WIDTH + 2 * MARGIN, cells.lines * CELL_HEIGHT + 2 * MARGIN
    image = Image.new("RGB", size, picture_ground(options))
    artist = _Artist(ImageDraw.Draw(image), picture_ground(options))
    for run in styled_runs_of(cells, options):
        artist.draw(run)
    data = io.BytesIO()
    image.save(data, "PNG", optimize=True, pnginfo=_text_chunks(cells))
    return data.getvalue()


def _text_chunks(cells: Cells) -> "PngInfo":
    """The words of the picture under the keywords that the PNG specification defines."""
    from PIL.PngImagePlugin import PngInfo

    words, info = picture_words(cells), PngInfo()
    info.add_text("Title", words.title)
    info.add_text("Description", words.description)
    info.add_text("Software", words.generator)
    return info


class _Artist:
    """Draws runs. Characters are drawn one by one, so that they stay in their cells with any font."""

    def __init__(self, canvas: "ImageDraw", background: Rgb) -> None:
        self._canvas = canvas
        self._background = background
        self._fonts = CharacterFonts(FONT_SIZE)

    def draw(self, run: StyledRun) -> None:
        left, top = MARGIN + run.column * CELL_WIDTH, MARGIN + run.line * CELL_HEIGHT
        if run.ground is not None:
            right = left + len(run.text) * CELL_WIDTH - 1
            self._canvas.rectangle((left, top, right, top + CELL_HEIGHT - 1), fill=run.ground)
        for char, after in zip_longest(run.text, run.text[1:]):
            if char == TAIL:
                pass  # drawn with the character before
            elif char in SHAPES:
                for shape in SHAPES[char]:
                    self._shape(shape, left, top, run)
            elif char != " ":
                self._character(char, left, top, run, 2 if after == TAIL else 1)
            left += CELL_WIDTH

    def _character(self, char: str, left: int, top: int, run: StyledRun, cells: int) -> None:
        """Draw a character in the middle of one cell or two. If no font has it, draw a box with its code, so that
        different names still look different.
        """
        middle = left + cells * CELL_WIDTH / 2
        if font := self._fonts.font_of(char, run.bold, cells > 1):
            self._canvas.text((middle, top + 14), char, font=font, fill=run.colour, anchor="ms")
            return
        box = (left + cells - 1, top + 1, left + cells * (CELL_WIDTH - 1), top + CELL_HEIGHT - 2)
        self._canvas.rectangle(box, outline=run.colour)
        code, font = f"{ord(char):04X}", own_font(_CODE_SIZES[cells])
        half = len(code) // 2
        for text, line in ((code[:half], top + 8), (code[half:], top + 15)):
            self._canvas.text((middle, line), text, font=font, fill=run.colour, anchor="ms")

    def _shape(self, shape: Shape, left: int, top: int, run: StyledRun) -> None:
        if shape.diagonal:
            self._canvas.line((left, top + CELL_HEIGHT - 1, left + CELL_WIDTH - 1, top), fill=run.colour)
            return
        x0, x1 = round(left + shape.left * CELL_WIDTH), round(left + shape.right * CELL_WIDTH) - 1
        y0, y1 = round(top + shape.top * CELL_HEIGHT), round(top + shape.bottom * CELL_HEIGHT) - 1
        colour = _mixed(run.colour, run.ground or self._background, shape.opacity)
        self._canvas.rectangle((x0, y0, max(x0, x1), max(y0, y1)), fill=colour)


def _mixed(front: Rgb, back: Rgb, opacity: float) -> Rgb:
    red, green, blue = (round(f * opacity + b * (1 - opacity)) for f, b in zip(front, back, strict=True))
    return red, green, blue

"""The picture as PNG, drawn with Pillow, which is imported when a picture is asked for."""

import io
from typing import TYPE_CHECKING, Any

from ..errors import SourceError
from ..view.cells import Cells
from ..view.options import ViewOptions
from ..view.ramps import Rgb
from .runs import Run, background_of, runs_of
from .shapes import SHAPES, Shape

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

CELL_WIDTH, CELL_HEIGHT = 9, 18
MARGIN = 9
FONT_SIZE = 15
_FONTS = (
    ("DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf"),
    ("LiberationMono-Regular.ttf", "LiberationMono-Bold.ttf"),
    ("NotoSansMono-Regular.ttf", "NotoSansMono-Bold.ttf"),
    ("Menlo.ttc", "Menlo.ttc"),
    ("consola.ttf", "consolab.ttf"),
)
"""Monospace fonts of the common systems, regular and bold; the first one that is found is used."""


def render(cells: Cells, options: ViewOptions) -> bytes:
    """A PNG file, every cell 9 x 18 pixels; raises SourceError where Pillow is not installed."""
    try:
        from PIL import Image, ImageDraw
    except ImportError as error:
        raise SourceError('PNG pictures need Pillow: pip install "pylatencymap[pictures]"') from error
    size = cells.columns * CELL_WIDTH + 2 * MARGIN, cells.lines * CELL_HEIGHT + 2 * MARGIN
    image = Image.new("RGB", size, background_of(options))
    artist = _Artist(ImageDraw.Draw(image), background_of(options))
    for run in runs_of(cells, options):
        artist.draw(run)
    data = io.BytesIO()
    image.save(data, "PNG", optimize=True)
    return data.getvalue()


class _Artist:
    """Draws runs; characters one by one, so that the grid holds with any font."""

    def __init__(self, canvas: "ImageDraw", background: Rgb) -> None:
        self._canvas = canvas
        self._background = background
        self._fonts = _fonts()

    def draw(self, run: Run) -> None:
        left, top = MARGIN + run.column * CELL_WIDTH, MARGIN + run.line * CELL_HEIGHT
        if run.ground is not None:
            right = left + len(run.text) * CELL_WIDTH - 1
            self._canvas.rectangle((left, top, right, top + CELL_HEIGHT - 1), fill=run.ground)
        for char in run.text:
            if char in SHAPES:
                for shape in SHAPES[char]:
                    self._shape(shape, left, top, run)
            elif char != " ":
                middle = left + CELL_WIDTH / 2
                self._canvas.text((middle, top + 14), char, font=self._fonts[run.bold], fill=run.colour, anchor="ms")
            left += CELL_WIDTH

    def _shape(self, shape: Shape, left: int, top: int, run: Run) -> None:
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


def _fonts() -> tuple[Any, Any]:
    """Regular and bold: a system font, else the one that Pillow brings."""
    from PIL import ImageFont

    for regular, bold in _FONTS:
        try:
            return ImageFont.truetype(regular, FONT_SIZE), ImageFont.truetype(bold, FONT_SIZE)
        except OSError:
            continue
    plain = ImageFont.load_default(FONT_SIZE - 2)
    return plain, plain

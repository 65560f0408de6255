"""Draws the picture as PNG with Pillow, which is imported only when a PNG is written."""

import io
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from ..errors import MissingPackage
from ..text import TAIL
from ..view.paint import Cells
from ..view.style import Rgb, ViewOptions
from .picture_words import picture_words
from .shapes import SHAPES, Shape
from .styled_runs import StyledRun, picture_ground, styled_runs_of

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.PngImagePlugin import PngInfo

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
"""Monospace fonts of common systems, regular and bold; the first pair that is installed is used."""


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


_WIDE_FONTS = (
    "NotoSansMonoCJK-Regular.ttc",
    "NotoSansCJK-Regular.ttc",
    "NotoSansCJKjp-Regular.otf",
    "wqy-zenhei.ttc",
    "DroidSansFallbackFull.ttf",
    "DroidSansFallback.ttf",
    "unifont.ttf",
    "Hiragino Sans GB.ttc",
    "AppleSDGothicNeo.ttc",
    "msgothic.ttc",
    "simsun.ttc",
)
"""Fonts with Chinese, Japanese and Korean characters; each character is drawn with the first font that has it."""
_CODE_FONT_SIZE = 8
_NO_CHARACTER = "\U0010fffe"
"""A noncharacter: a font draws it like any character that the font lacks."""


class _Artist:
    """Draws runs. Characters are drawn one by one, so that they stay in their cells with any font."""

    def __init__(self, canvas: "ImageDraw", background: Rgb) -> None:
        self._canvas = canvas
        self._background = background
        self._fonts = _fonts()
        self._wide_fonts = cache(lambda: [*_found(_WIDE_FONTS, FONT_SIZE), self._fonts[0]])
        self._code_font = cache(lambda: next(_found([names[0] for names in _FONTS], _CODE_FONT_SIZE), self._fonts[0]))

    def draw(self, run: StyledRun) -> None:
        left, top = MARGIN + run.column * CELL_WIDTH, MARGIN + run.line * CELL_HEIGHT
        if run.ground is not None:
            right = left + len(run.text) * CELL_WIDTH - 1
            self._canvas.rectangle((left, top, right, top + CELL_HEIGHT - 1), fill=run.ground)
        for char, after in zip_longest(run.text, run.text[1:]):
            if char == TAIL:
                pass  # drawn with the character before
            elif after == TAIL:
                self._wide(char, left, top, run)
            elif char in SHAPES:
                for shape in SHAPES[char]:
                    self._shape(shape, left, top, run)
            elif char != " ":
                middle = left + CELL_WIDTH / 2
                self._canvas.text((middle, top + 14), char, font=self._fonts[run.bold], fill=run.colour, anchor="ms")
            left += CELL_WIDTH

    def _wide(self, char: str, left: int, top: int, run: StyledRun) -> None:
        """Draw a character that takes two cells. If no font has it, draw a box with its code, so that different names
        still look different.
        """
        font = next((font for font in self._wide_fonts() if _has(font, char)), None)
        if font is not None:
            place = left + CELL_WIDTH, top + 14
            self._canvas.text(place, char, font=font, fill=run.colour, anchor="ms")
            return
        box = (left + 1, top + 1, left + 2 * CELL_WIDTH - 2, top + CELL_HEIGHT - 2)
        self._canvas.rectangle(box, outline=run.colour)
        code = f"{ord(char):04X}"
        half = len(code) // 2
        for text, line in ((code[:half], top + 8), (code[half:], top + 15)):
            place = left + CELL_WIDTH, line
            self._canvas.text(place, text, font=self._code_font(), fill=run.colour, anchor="ms")

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


def _has(font: Any, char: str) -> bool:
    """Whether a font has a glyph of its own for a character."""
    return bytes(font.getmask(char)) != bytes(font.getmask(_NO_CHARACTER))


def _found(names: Iterable[str], size: int) -> Iterator[Any]:
    """Those of the named fonts that are installed."""
    from PIL import ImageFont

    for name in names:
        with suppress(OSError):
            yield ImageFont.truetype(name, size)


def _fonts() -> tuple[Any, Any]:
    """The regular and the bold font: from the system, else the font that comes with Pillow."""
    from PIL import ImageFont

    for regular, bold in _FONTS:
        try:
            return ImageFont.truetype(regular, FONT_SIZE), ImageFont.truetype(bold, FONT_SIZE)
        except OSError:
            continue
    plain = ImageFont.load_default(FONT_SIZE - 2)
    return plain, plain

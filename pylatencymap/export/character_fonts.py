"""Finds the font of each character of a PNG. Our own fonts are first, so that a picture looks the same everywhere."""

import io
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from importlib.resources import files
from typing import Any

_OWN_FONTS = ("DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf")
_NARROW_FONTS = (
    "DejaVuSansMono.ttf",
    "LiberationMono-Regular.ttf",
    "NotoSansMono-Regular.ttf",
    "Menlo.ttc",
    "consola.ttf",
)
"""Monospace fonts of common systems, for narrow characters that our own fonts lack."""
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
"""Fonts with Chinese, Japanese and Korean characters."""
_NO_CHARACTER = "\U0010fffe"
"""A noncharacter: a font draws it like any character that the font lacks."""


class CharacterFonts:
    """Fonts of one size in pixels."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._found: dict[tuple[str, bool], Any] = {}
        self._of_system: dict[bool, list[Any]] = {}

    def font_of(self, char: str, bold: bool = False, wide: bool = False) -> Any:
        """The first font that has the character, or None. A system's font is never bold."""
        if (char, bold) not in self._found:
            self._found[char, bold] = next((font for font in self._fonts(bold, wide) if _has(font, char)), None)
        return self._found[char, bold]

    def _fonts(self, bold: bool, wide: bool) -> Iterator[Any]:
        yield own_font(self._size, bold)
        if wide not in self._of_system:
            self._of_system[wide] = [*_installed(_WIDE_FONTS if wide else _NARROW_FONTS, self._size)]
        yield from self._of_system[wide]


@lru_cache(maxsize=8)
def own_font(size: int, bold: bool = False) -> Any:
    """The font that comes with the program."""
    from PIL import ImageFont

    data = files(__package__).joinpath("fonts", _OWN_FONTS[bold]).read_bytes()
    return ImageFont.truetype(io.BytesIO(data), size, layout_engine=ImageFont.Layout.BASIC)


def _installed(names: tuple[str, ...], size: int) -> Iterator[Any]:
    from PIL import ImageFont

    for name in names:
        with suppress(OSError):
            yield ImageFont.truetype(name, size, layout_engine=ImageFont.Layout.BASIC)


def _has(font: Any, char: str) -> bool:
    """Whether a font has a glyph of its own for a character."""
    return bytes(font.getmask(char)) != bytes(font.getmask(_NO_CHARACTER))

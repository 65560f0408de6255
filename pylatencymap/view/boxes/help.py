"""The help: how to read the maps, the signs and the keys, on as many pages as the terminal needs."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..style.glyphs import glyphs_of
from ..style.options import ViewOptions
from ..style.styled_text import StyledText, padded, wrap
from ..style.styles import STRONG, TEXT
from .help_tables import KeyHelp, key_lines, sign_lines
from .help_text import HelpFacts, facts_of, picture_text, reading_paragraphs
from .overlay import box_room

__all__ = ["HelpFacts", "HelpPage", "KeyHelp", "facts_of", "help_lines"]

TITLE = "How to read the maps"
_INDENT = ("  ", TEXT)
_WIDEST = 120
"""Most columns of a line: longer ones are hard to read."""
_LEAST_OF_SECTION = 3
"""A section begins at the bottom of a page only with at least this many lines, so that its heading is not alone."""


class HelpPage(NamedTuple):
    """The lines of a box, its title, and the text in its corner; page number ``page`` (from 0) of ``pages``."""

    lines: tuple[StyledText, ...]
    title: str
    corner: str
    page: int
    pages: int


def help_lines(
    facts: HelpFacts, keys: Sequence[KeyHelp], options: ViewOptions, size: tuple[int, int], page: int = 0
) -> HelpPage:
    """A page of the help for a terminal of a size (columns, lines). After the last page comes the first again.

    All pages have the same width and height, so that the box does not jump.
    """
    columns, lines = box_room(size)
    columns = min(columns, _WIDEST)
    pages = _pages(list(_sections(facts, keys, options, columns)), max(1, lines))
    page %= len(pages)
    height = max(len(text) for text in pages)
    shown = [*pages[page], *[()] * (height - len(pages[page]))]
    corner = "? or Esc closes" if len(pages) == 1 else f"{page + 1} of {len(pages)}, space: more, Esc: close"
    return HelpPage(tuple(padded(text, columns) for text in shown), TITLE, corner, page, len(pages))


def _sections(
    facts: HelpFacts, keys: Sequence[KeyHelp], options: ViewOptions, width: int
) -> Iterator[list[StyledText]]:
    """The sections of the help, each with its heading."""
    look = glyphs_of(options)
    yield [line for text, hanging in reading_paragraphs(facts, options, look) for line in wrap(text, width, hanging)]
    inside = width - len(_INDENT[0])
    yield [_heading("Signs"), *_indented(sign_lines(look, inside))]
    if keys:
        yield [_heading("Keys"), *_indented(key_lines(keys, inside))]
    yield wrap((("This picture: ", STRONG), *picture_text(facts, options)), width)


def _heading(text: str) -> StyledText:
    return ((text, STRONG),)


def _indented(lines: list[StyledText]) -> list[StyledText]:
    return [(_INDENT, *line) for line in lines]


def _pages(sections: list[list[StyledText]], height: int) -> list[list[StyledText]]:
    """Put sections on pages.

    A section that does not fit on the rest of a page begins the next one. Only one longer than a page is divided.
    """
    pages: list[list[StyledText]] = [[]]
    for section in sections:
        rest = section
        while rest:
            used = pages[-1]
            free = height - len(used) - bool(used)
            if used and free < len(rest) and (len(rest) <= height or free < _LEAST_OF_SECTION):
                pages.append([])
                continue
            if used:
                used.append(())
            used += rest[:free]
            rest = rest[free:]
            if rest:
                pages.append([])
    return pages

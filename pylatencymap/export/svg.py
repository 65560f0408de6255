"""Writes the picture as SVG: self-contained and scalable, with one rectangle per run of cells."""

import re
from collections.abc import Iterator
from itertools import groupby

from ..text import TAIL
from ..view.paint import Cells
from ..view.style import Rgb, ViewOptions, hex_of
from .picture_words import picture_words
from .shapes import SHAPES, Shape
from .styled_runs import StyledRun, picture_ground, styled_runs_of

CELL_WIDTH, CELL_HEIGHT = 9, 18
MARGIN = 9
FONT_SIZE = 15
_BASELINE = 13.5
_WORD = re.compile(rf"(?:[^\s{TAIL}]{TAIL})+|(?:[^\s{TAIL}](?!{TAIL}))+")
"""A word: adjacent characters that all take two cells, or that all take one."""
_FONT, _FONTS = "DejaVu Sans Mono", "'DejaVu Sans Mono','Liberation Mono','Noto Sans Mono',Menlo,Consolas,monospace"
"""ImageMagick takes one font only, and no style; where nothing else is said, it draws outlines."""


def render_svg(cells: Cells, options: ViewOptions) -> str:
    """The picture as an SVG document, with its words as title and description; sizes are in pixels, 9 x 18 per cell."""
    width, height = cells.columns * CELL_WIDTH + 2 * MARGIN, cells.lines * CELL_HEIGHT + 2 * MARGIN
    words = picture_words(cells)
    body = "\n".join(part for run in styled_runs_of(cells, options) for part in _run(run))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" class="latencymap" font-family="{_FONT}" font-size="{FONT_SIZE}" stroke="none" '
        f'shape-rendering="crispEdges">\n'
        f"<title>{_escaped(words.title)}</title>\n<desc>{_escaped(words.description)}</desc>\n"
        f"<style>.latencymap{{font-family:{_FONTS}}}</style>\n"
        f'<rect width="{width}" height="{height}" fill="{hex_of(picture_ground(options))}"/>\n'
        f'<g transform="translate({MARGIN} {MARGIN})">\n{body}\n</g>\n</svg>\n'
    )


def _run(run: StyledRun) -> Iterator[str]:
    top = run.line * CELL_HEIGHT
    if run.ground is not None:
        yield _rectangle(run.column * CELL_WIDTH, top, len(run.text) * CELL_WIDTH, CELL_HEIGHT, run.ground)
    column = run.column
    for char, same in groupby(run.text):
        count = sum(1 for _ in same)
        for shape in SHAPES.get(char, ()):
            yield from _shape(shape, column, count, top, run.colour)
        column += count
    yield from _words(run, top)


def _shape(shape: Shape, column: int, count: int, top: int, colour: Rgb) -> Iterator[str]:
    """A shape in ``count`` neighbouring cells: a single rectangle if the shape is as wide as a cell."""
    if shape.diagonal:
        steps = "".join(
            f"M{(column + step) * CELL_WIDTH} {top + CELL_HEIGHT}l{CELL_WIDTH} {-CELL_HEIGHT}" for step in range(count)
        )
        yield f'<path d="{steps}" stroke="{hex_of(colour)}" shape-rendering="auto"/>'
        return
    whole = shape.left == 0 and shape.right == 1
    height = (shape.bottom - shape.top) * CELL_HEIGHT
    width = (count if whole else shape.right - shape.left) * CELL_WIDTH
    for step in range(1 if whole else count):
        left = (column + step + shape.left) * CELL_WIDTH
        yield _rectangle(left, top + shape.top * CELL_HEIGHT, width, height, colour, shape.opacity)


def _words(run: StyledRun, top: int) -> Iterator[str]:
    """The characters that are no shapes. Each word is placed at its own cell, so that no font moves it.

    Characters that take two cells form words of their own because they come from another font. Their spacing is
    adjusted to the cells, but the characters are not stretched.
    """
    weight = ' font-weight="bold"' if run.bold else ""
    for word in _WORD.finditer("".join(" " if char in SHAPES else char for char in run.text)):
        left = (run.column + word.start()) * CELL_WIDTH
        length = (word.end() - word.start()) * CELL_WIDTH
        adjusted = "spacing" if TAIL in word[0] else "spacingAndGlyphs"
        yield (
            f'<text x="{left}" y="{top + _BASELINE:g}" textLength="{length}" lengthAdjust="{adjusted}" '
            f'fill="{hex_of(run.colour)}"{weight}>{_escaped(word[0].replace(TAIL, ""))}</text>'
        )


def _rectangle(left: float, top: float, width: float, height: float, colour: Rgb, opacity: float = 1.0) -> str:
    faint = f' fill-opacity="{opacity:g}"' if opacity < 1 else ""
    return f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" fill="{hex_of(colour)}"{faint}/>'


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

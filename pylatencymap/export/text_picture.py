"""Writes a picture as text: its characters alone (.txt), or with the colours of a terminal (.ans)."""

from ..view.paint import Cells
from ..view.style import ViewOptions
from ..view.terminal import final_picture, plain_picture


def render_text(cells: Cells, _: ViewOptions) -> bytes:
    """The characters."""
    return plain_picture(cells).encode()


def render_ansi(cells: Cells, options: ViewOptions) -> bytes:
    """The characters and the sequences that colour them; ``cat`` shows it."""
    return final_picture(cells, options).encode()

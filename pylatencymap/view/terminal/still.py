"""The final picture: text that can be printed anywhere, without cursor movement."""

import numpy as np

from ..paint.canvas import BLANK, Cells
from ..style.options import ViewOptions
from .pen import Pen


def plain_picture(cells: Cells) -> str:
    """The characters alone, for files and pipes: no escape sequence, no blank ends of lines, no blank last lines."""
    return "\n".join(line.rstrip() for line in cells.text()).rstrip("\n") + "\n"


def final_picture(cells: Cells, options: ViewOptions) -> str:
    """Lines joined by newlines, the last one ended too; blank ends of lines and blank last lines are left out.

    Each line ends in the terminal's own style. At depth ASCII there is no escape sequence at all.
    """
    visible = (cells.chars != BLANK) | (cells.styles != 0)
    widths = np.where(visible.any(axis=1), cells.columns - visible[:, ::-1].argmax(axis=1), 0)
    used = np.flatnonzero(widths)
    pen = Pen(options)
    lines = []
    for line in range(int(used[-1]) + 1 if used.size else 0):
        part = slice(0, int(widths[line]))
        lines.append(pen.run(cells.chars[line, part], cells.styles[line, part]) + pen.lift() + "\n")
    return "".join(lines)

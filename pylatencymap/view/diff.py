"""The live picture: only the cells that changed."""

from collections.abc import Iterator

import numpy as np

from .cells import BoolArray, Cells
from .options import ViewOptions
from .sgr import Pen

NEAR = 6
"""Unchanged cells between two changes that cost less to write again than a cursor movement does."""


def paint(previous: Cells | None, current: Cells, options: ViewOptions) -> str:
    """What to send to a terminal that shows ``previous`` so that it shows ``current``; empty if they are the same.

    Without a previous picture, or after a change of size, every cell is written again; nothing is cleared, so that
    nothing flickers. The terminal's own style is expected before and left behind; the cursor ends anywhere.
    """
    changed = _changed(previous, current)
    pen = Pen(options)
    pieces = []
    for line in np.flatnonzero(changed.any(axis=1)).tolist():
        for start, stop in _runs(changed[line]):
            run = pen.run(current.chars[line, start:stop], current.styles[line, start:stop])
            pieces.append(f"\x1b[{line + 1};{start + 1}H{run}")
    return "".join(pieces) + pen.lift()


def _changed(previous: Cells | None, current: Cells) -> BoolArray:
    if previous is None or previous.chars.shape != current.chars.shape:
        return np.ones(current.chars.shape, np.bool_)
    differs: BoolArray = (previous.chars != current.chars) | (previous.styles != current.styles)
    return differs


def _runs(changed: BoolArray) -> Iterator[tuple[int, int]]:
    """Start and end of each run of changes, runs that lie near each other as one."""
    where = np.flatnonzero(changed)
    breaks = np.flatnonzero(np.diff(where) > NEAR)
    starts = where[np.concatenate(([0], breaks + 1))]
    stops = where[np.concatenate((breaks, [where.size - 1]))] + 1
    yield from zip(starts.tolist(), stops.tolist(), strict=True)

"""From a matrix to cells: the one entry point of the picture."""

from ..window.matrix import Matrix
from ..window.stats import Summary
from .cells import Cells
from .compose import compose
from .layout import map_width
from .memory import Memory
from .options import ViewOptions
from .paint import paint
from .status import Status


def map_columns(size: tuple[int, int], _options: ViewOptions) -> int:
    """Time columns that fit a size (columns, lines) at one character each."""
    return map_width(size[0])


def draw(
    matrix: Matrix,
    status: Status,
    window: Summary,
    latest: Summary | None,
    options: ViewOptions,
    size: tuple[int, int],
    memory: Memory,
) -> Cells:
    """The picture at a size (columns, lines). ``memory`` is changed: pass the same one for the next frame.

    Columns that do not fit are left out, oldest first; none at all is a picture that waits for data.
    """
    frame, layout, look = compose(matrix, status, window, latest, options, size, memory)
    return paint(frame, layout, look, options.scale)

"""From a scene to cells: the one entry point of the picture."""

from .compose import compose
from .geometry import Drawn
from .layout import map_width
from .memory import Memory
from .options import ViewOptions
from .paint import paint
from .scene import Scene


def map_columns(size: tuple[int, int]) -> int:
    """Time columns that fit a size (columns, lines) at one character each."""
    return map_width(size[0])


def draw(scene: Scene, options: ViewOptions, size: tuple[int, int], memory: Memory) -> Drawn:
    """The picture at a size (columns, lines). ``memory`` is changed: pass the same one for the next frame.

    Columns that do not fit are left out, oldest first; none at all is a picture that waits for data.
    """
    composed = compose(scene, options, size, memory)
    cells = paint(composed.frame, composed.layout, composed.look, options.scale)
    return Drawn(cells, composed.geometry)

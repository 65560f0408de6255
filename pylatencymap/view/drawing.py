"""Draws a scene as cells: the one entry point to everything that makes a picture."""

from typing import NamedTuple

from .frame.composition import compose_frame
from .last_picture import LastPicture
from .layout.colour_scale import ScaleMemory
from .layout.geometry import Geometry
from .layout.layout import map_width
from .layout.scene import Scene
from .paint.canvas import Cells
from .paint.painter import paint_frame
from .style.options import ViewOptions


class DrawnPicture(NamedTuple):
    """The cells of a picture, and the geometry that maps them back to moments and latencies."""

    cells: Cells
    geometry: Geometry


def map_columns(size: tuple[int, int]) -> int:
    """How many time columns of one character each fit on a terminal of a size (columns, lines)."""
    return map_width(size[0])


def draw_picture(
    scene: Scene, options: ViewOptions, size: tuple[int, int], memory: ScaleMemory, last: LastPicture | None = None
) -> DrawnPicture:
    """Draw the picture at a size (columns, lines).

    ``memory`` and ``last`` are changed: pass the same ones for the next picture. ``last`` only saves work; the picture
    is the same without it, except that it keeps texts unchanged while Scene.moment asks for that.
    Columns that do not fit are left out, oldest first. A matrix without columns gives a picture that waits for data.
    """
    last = last or LastPicture()
    composed = compose_frame(scene, options, size, memory, last)
    cells = paint_frame(composed.frame, composed.layout, composed.look, options, last)
    return DrawnPicture(cells, composed.geometry)

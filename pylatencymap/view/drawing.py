"""From a scene to cells: the one entry point of the picture."""

from typing import NamedTuple

from .frame.composition import compose_frame
from .last_picture import LastPicture
from .layout.geometry import Geometry
from .layout.layout import map_width
from .layout.memory import ScaleMemory
from .layout.scene import Scene
from .paint.canvas import Cells
from .paint.painter import paint_frame
from .style.options import ViewOptions


class DrawnPicture(NamedTuple):
    """A picture and where its data are."""

    cells: Cells
    geometry: Geometry


def map_columns(size: tuple[int, int]) -> int:
    """Time columns that fit a size (columns, lines) at one character each."""
    return map_width(size[0])


def draw_picture(
    scene: Scene, options: ViewOptions, size: tuple[int, int], memory: ScaleMemory, last: LastPicture | None = None
) -> DrawnPicture:
    """The picture at a size (columns, lines). ``memory`` is changed: pass the same one for the next frame.

    So is ``last``, which changes nothing in the picture but what it costs, unless texts are held: see Scene.moment.
    Columns that do not fit are left out, oldest first; none at all is a picture that waits for data.
    """
    last = last or LastPicture()
    composed = compose_frame(scene, options, size, memory, last)
    cells = paint_frame(composed.frame, composed.layout, composed.look, options.scale, last)
    return DrawnPicture(cells, composed.geometry)

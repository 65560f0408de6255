"""From a scene to cells: the one entry point of the picture."""

from typing import NamedTuple

from .frame.compose import compose
from .frame.geometry import Geometry
from .frame.layout import map_width
from .frame.memory import Memory
from .frame.scene import Scene
from .last_picture import LastPicture
from .paint.canvas import Cells
from .paint.paint import paint
from .style.options import ViewOptions


class Drawn(NamedTuple):
    """A picture and where its data are."""

    cells: Cells
    geometry: Geometry


def map_columns(size: tuple[int, int]) -> int:
    """Time columns that fit a size (columns, lines) at one character each."""
    return map_width(size[0])


def draw(
    scene: Scene, options: ViewOptions, size: tuple[int, int], memory: Memory, last: LastPicture | None = None
) -> Drawn:
    """The picture at a size (columns, lines). ``memory`` is changed: pass the same one for the next frame.

    So is ``last``, which changes nothing in the picture but what it costs, unless texts are held: see Scene.moment.
    Columns that do not fit are left out, oldest first; none at all is a picture that waits for data.
    """
    last = last or LastPicture()
    composed = compose(scene, options, size, memory, last)
    cells = paint(composed.frame, composed.layout, composed.look, options.scale, last)
    return Drawn(cells, composed.geometry)

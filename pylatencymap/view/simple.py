"""Which pictures are so simple that a new column changes nothing but itself."""

import numpy as np

from ..buckets import bounds_of, bucket_of
from ..units import Unit
from ..window.matrix import Matrix
from .clock import column_span
from .compose import Composed
from .geometry import Geometry
from .layout import map_width
from .options import LINEAR, LOG, SQRT, ViewOptions
from .scene import Scene

_SCALES = (SQRT, LINEAR, LOG)
"""Those on which the level of a value does not hang on the rest of its column."""
_MOST = 0.5
"""Of the columns must be of the usual length, so that it stays the median while columns come and go."""


def is_simple(scene: Scene, composed: Composed, options: ViewOptions, unit: Unit, columns: int) -> bool:
    """Whether a column can be drawn by itself. ``columns`` is the most that may be drawn of the series."""
    matrix, layout, frame = scene.matrix, composed.layout, composed.frame
    return (
        options.scale in _SCALES
        and options.slo is None
        and scene.pointer is None
        and 1 < matrix.columns <= columns
        and layout.cell_width == 1
        and columns == layout.map_width == map_width(layout.columns)
        and len(frame.panels) == len(options.maps)
        and not matrix.overflow
        and frame.ticks[-1].column < matrix.columns - 1
        and _is_grid(matrix, composed.geometry, unit, scene.status.resolution)
        and _is_even(matrix, scene.status.interval)
    )


def _is_even(matrix: Matrix, seconds: float) -> bool:
    """Whether most columns are one interval each, of the usual length."""
    steps = np.diff(matrix.ends) == round(seconds * 1e6)
    return (
        column_span(matrix.ends, seconds) == seconds
        and float(steps.mean()) > _MOST
        and float((matrix.lasted == seconds).mean()) > _MOST
    )


def _is_grid(matrix: Matrix, geometry: Geometry, unit: Unit, resolution: int) -> bool:
    """Whether the rows drawn are buckets, none left out and none merged, and rows of the matrix."""
    place = first_row(matrix, geometry)
    rows = matrix.bounds[place : place + geometry.bounds.size]
    if not np.array_equal(rows, geometry.bounds):
        return False
    whole = np.rint(rows / unit.seconds).tolist()
    first = bucket_of(int(whole[0]), resolution)
    return all(bound == bounds_of(first + number, resolution)[0] for number, bound in enumerate(whole))


def first_row(matrix: Matrix, geometry: Geometry) -> int:
    """The row of the matrix that is the lowest one drawn."""
    return int(np.searchsorted(matrix.bounds, geometry.bounds[0]))

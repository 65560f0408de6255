"""Draws many series at once as small maps, with common axes and one colour scale."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .drawing import DrawnGrid as DrawnGrid, draw_grid as draw_grid
    from .panel import GridPanel as GridPanel
    from .panel_layout import grid_columns as grid_columns, grid_shape as grid_shape
else:
    __getattr__ = lazily(
        __name__,
        {
            "drawing": "DrawnGrid draw_grid",
            "panel": "GridPanel",
            "panel_layout": "grid_columns grid_shape",
        },
    )

"""Turns a scene (a matrix and what is known about the session) into a picture of cells, and cells into ANSI text.

Nothing here reads from or writes to a terminal.
"""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .drawing import DrawnPicture as DrawnPicture, draw_picture as draw_picture, map_columns as map_columns
    from .last_picture import LastPicture as LastPicture
else:
    __getattr__ = lazily(
        __name__,
        {
            "drawing": "DrawnPicture draw_picture map_columns",
            "last_picture": "LastPicture",
        },
    )

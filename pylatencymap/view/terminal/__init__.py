"""Turns cells into the text and escape sequences that show them on a terminal."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .ansi import final_picture as final_picture, plain_picture as plain_picture
    from .encoder import ScreenEncoder as ScreenEncoder, synchronized as synchronized
    from .output_guard import ASK_STATUS as ASK_STATUS, OutputGuard as OutputGuard, answers_status as answers_status
    from .size import DEFAULT_SIZE as DEFAULT_SIZE, terminal_size as terminal_size
else:
    __getattr__ = lazily(
        __name__,
        {
            "ansi": "final_picture plain_picture",
            "encoder": "ScreenEncoder synchronized",
            "output_guard": "ASK_STATUS OutputGuard answers_status",
            "size": "DEFAULT_SIZE terminal_size",
        },
    )

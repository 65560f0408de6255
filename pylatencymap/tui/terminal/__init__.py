"""The terminal: keys and mouse in, pictures out."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .keyboard import Keyboard as Keyboard, free_stdin_for_keys as free_stdin_for_keys
    from .screen import Screen as Screen
else:
    __getattr__ = lazily(
        __name__,
        {
            "keyboard": "Keyboard free_stdin_for_keys",
            "screen": "Screen",
        },
    )

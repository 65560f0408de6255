"""The command line: options, inputs, sessions, exit statuses."""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .main import entry as entry
else:
    __getattr__ = lazily(
        __name__,
        {
            "main": "entry",
        },
    )

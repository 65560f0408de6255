"""The state of the live view, and the prompts on its last line."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .viewer import Presentation as Presentation, Viewer as Viewer
else:
    __getattr__ = lazily(
        __name__,
        {
            "viewer": "Presentation Viewer",
        },
    )

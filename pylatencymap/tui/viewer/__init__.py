"""The state of the live view, and the prompts on its last line."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .event_reading import EventReading as EventReading
    from .sides_watch import SidesWatch as SidesWatch
    from .viewer import Presentation as Presentation, Viewer as Viewer
else:
    __getattr__ = lazily(
        __name__,
        {
            "event_reading": "EventReading",
            "sides_watch": "SidesWatch",
            "viewer": "Presentation Viewer",
        },
    )

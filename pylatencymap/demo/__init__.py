"""The built-in demo: simulates a cache in front of a spindle, as a source of records."""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .simulation import SCENE_SECONDS as SCENE_SECONDS, simulated_events as simulated_events
else:
    __getattr__ = lazily(
        __name__,
        {
            "simulation": "SCENE_SECONDS simulated_events",
        },
    )

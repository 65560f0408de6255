"""Looking for cycles of garbage less often than Python does by itself."""

import gc

NEW_OBJECTS = 10_000
"""So many come before cycles are looked for: records come by the thousand, and leave none behind."""


def collect_less() -> None:
    """Call when all is loaded: that stays, and no collection has to go through it again."""
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)

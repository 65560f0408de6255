"""Who waits: sessions sampled together with the histogram, and what of them was in a cell."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .active_session_history import (
        NO_HISTORY as NO_HISTORY,
        ActiveSessionHistory as ActiveSessionHistory,
        history_view as history_view,
    )
    from .names import (
        NO_OBJECTS as NO_OBJECTS,
        NO_TEXTS as NO_TEXTS,
        OBJECTS_VIEW as OBJECTS_VIEW,
        texts_view as texts_view,
    )
    from .sampled_waits import SampledWaits as SampledWaits, WaitsRecorder as WaitsRecorder
    from .sampler import SessionSampler as SessionSampler
    from .statements import SESSIONS_LOSS as SESSIONS_LOSS, WaitsWatched as WaitsWatched, sessions_view as sessions_view
else:
    __getattr__ = lazily(
        __name__,
        {
            "active_session_history": "NO_HISTORY ActiveSessionHistory history_view",
            "names": "NO_OBJECTS NO_TEXTS OBJECTS_VIEW texts_view",
            "sampled_waits": "SampledWaits WaitsRecorder",
            "sampler": "SessionSampler",
            "statements": "SESSIONS_LOSS WaitsWatched sessions_view",
        },
    )

"""From files and pipes to intervals."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .excerpt import Excerpt as Excerpt, MomentWords as MomentWords, parse_moment as parse_moment
    from .pipeline import (
        ReadPlan as ReadPlan,
        events_of as events_of,
        intervals_of as intervals_of,
        limit_events as limit_events,
    )
    from .probe_hints import ProbeHints as ProbeHints
    from .pulses import with_pulses as with_pulses
    from .recorded_folder import open_path as open_path
    from .source import (
        STDIN as STDIN,
        ReadProgress as ReadProgress,
        Source as Source,
        StopRequest as StopRequest,
        ignore_progress as ignore_progress,
        neighbour as neighbour,
        open_source as open_source,
        source_of as source_of,
    )
    from .sources import Sources as Sources
else:
    __getattr__ = lazily(
        __name__,
        {
            "excerpt": "Excerpt MomentWords parse_moment",
            "pipeline": "ReadPlan events_of intervals_of limit_events",
            "probe_hints": "ProbeHints",
            "pulses": "with_pulses",
            "recorded_folder": "open_path",
            "source": "ReadProgress STDIN Source StopRequest ignore_progress neighbour open_source source_of",
            "sources": "Sources",
        },
    )

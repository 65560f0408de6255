"""Decides where everything goes: which rows and columns are drawn, on which lines, on which colour scale."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .colour_scale import ScaleMemory as ScaleMemory
    from .geometry import Geometry as Geometry
    from .latency_rows import wanted_cover as wanted_cover
    from .scene import (
        ChangeWords as ChangeWords,
        Pointer as Pointer,
        Reading as Reading,
        Scene as Scene,
        Selected as Selected,
        SelectedFigures as SelectedFigures,
    )
    from .status import (
        DEMO as DEMO,
        END as END,
        LIVE as LIVE,
        PAUSED as PAUSED,
        READING as READING,
        REPLAY as REPLAY,
        STALLED as STALLED,
        WAITING as WAITING,
        Status as Status,
    )
else:
    __getattr__ = lazily(
        __name__,
        {
            "colour_scale": "ScaleMemory",
            "geometry": "Geometry",
            "latency_rows": "wanted_cover",
            "scene": "ChangeWords Pointer Reading Scene Selected SelectedFigures",
            "status": "DEMO END LIVE PAUSED READING REPLAY STALLED Status WAITING",
        },
    )

"""Decides where everything goes: which rows and columns are drawn, on which lines, on which colour scale."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .colour_scale import ScaleMemory as ScaleMemory
    from .geometry import NO_MAPS as NO_MAPS, Geometry as Geometry
    from .latency_rows import wanted_cover as wanted_cover
    from .layout import has_room as has_room, may_show_curves as may_show_curves
    from .scene import (
        ChangeWords as ChangeWords,
        MomentFigure as MomentFigure,
        NextTime as NextTime,
        Pointer as Pointer,
        Reading as Reading,
        Scene as Scene,
        Selected as Selected,
        SelectedFigures as SelectedFigures,
        SeriesFigure as SeriesFigure,
        TableFigures as TableFigures,
    )
    from .sides import (
        NamedSides as NamedSides,
        SideAverages as SideAverages,
        SideHead as SideHead,
        SidesPage as SidesPage,
        SideTimes as SideTimes,
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
            "geometry": "NO_MAPS Geometry",
            "latency_rows": "wanted_cover",
            "layout": "has_room may_show_curves",
            "scene": (
                "ChangeWords MomentFigure NextTime Pointer Reading Scene Selected SelectedFigures SeriesFigure "
                "TableFigures"
            ),
            "sides": "NamedSides SideAverages SideHead SidesPage SideTimes",
            "status": "DEMO END LIVE PAUSED READING REPLAY STALLED Status WAITING",
        },
    )

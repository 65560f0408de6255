"""A and B: two times of one recording, or a time and a baseline, compared beside the view."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .baseline import SHARE as SHARE, Baseline as Baseline
    from .comparison import (
        SidesFound as SidesFound,
        compared_in_steps as compared_in_steps,
        side_averages as side_averages,
    )
    from .difference_map import compared_maps as compared_maps, maps_in_steps as maps_in_steps
    from .latest_work import LatestWork as LatestWork
    from .question import SideSource as SideSource, SidesQuestion as SidesQuestion
else:
    __getattr__ = lazily(
        __name__,
        {
            "baseline": "SHARE Baseline",
            "comparison": "SidesFound compared_in_steps side_averages",
            "difference_map": "compared_maps maps_in_steps",
            "latest_work": "LatestWork",
            "question": "SideSource SidesQuestion",
        },
    )

"""Draws two sides of a comparison on one scale, and a map of their differences."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .drawing import draw_comparison as draw_comparison
    from .plan import (
        ComparedMap as ComparedMap,
        ComparisonPlan as ComparisonPlan,
        ComparisonTexts as ComparisonTexts,
        notes_room as notes_room,
        plan_comparison as plan_comparison,
    )
else:
    __getattr__ = lazily(
        __name__,
        {
            "drawing": "draw_comparison",
            "plan": "ComparedMap ComparisonPlan ComparisonTexts notes_room plan_comparison",
        },
    )

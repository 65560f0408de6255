"""Draws two sides of a comparison on one scale, and a map of their differences."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .difference import (
        DifferencePlan as DifferencePlan,
        draw_difference as draw_difference,
        draw_table_page as draw_table_page,
        is_alone as is_alone,
        plan_difference as plan_difference,
    )
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
            "difference": "DifferencePlan draw_difference draw_table_page is_alone plan_difference",
            "drawing": "draw_comparison",
            "plan": "ComparedMap ComparisonPlan ComparisonTexts notes_room plan_comparison",
        },
    )

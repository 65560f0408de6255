"""Draws two or three series above each other, with one clock, one latency axis and one colour scale."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .drawing import compose_stack as compose_stack, draw_stack as draw_stack
    from .scene import StackedSeries as StackedSeries, StackScene as StackScene, ToldTogether as ToldTogether
else:
    __getattr__ = lazily(
        __name__,
        {
            "drawing": "compose_stack draw_stack",
            "scene": "StackScene StackedSeries ToldTogether",
        },
    )

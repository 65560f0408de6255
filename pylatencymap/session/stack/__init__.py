"""Two or three series on one clock: which they are, how they are drawn, and what they do together."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .choice import (
        StackChoice as StackChoice,
        chosen_stack as chosen_stack,
        named_series as named_series,
        usual_stack as usual_stack,
    )
    from .scenes import StackPicture as StackPicture
    from .stalled import stalls_explained as stalls_explained
else:
    __getattr__ = lazily(
        __name__,
        {
            "choice": "StackChoice chosen_stack named_series usual_stack",
            "scenes": "StackPicture",
            "stalled": "stalls_explained",
        },
    )

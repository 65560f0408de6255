"""The engine as a library. What belongs to it is in ``pylatencymap.__all__``; docs/python.md shows how to use it."""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from . import options as options
    from .comparing import ComparedRuns as ComparedRuns, compare as compare
    from .film import film_of as film_of
    from .options import plan_from as plan_from, reading_words as reading_words
    from .read_again import profile_of as profile_of, stragglers_of as stragglers_of
    from .reading import from_spark as from_spark, read as read
    from .run import Run as Run
else:
    __getattr__ = lazily(
        __name__,
        {
            "comparing": "ComparedRuns compare",
            "film": "film_of",
            "options": "plan_from reading_words",
            "read_again": "profile_of stragglers_of",
            "reading": "from_spark read",
            "run": "Run",
        },
    )

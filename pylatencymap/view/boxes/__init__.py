"""Draws what lies over a picture: the help, the list of series, prompts."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .help import help_lines as help_lines
    from .help_tables import KeyHelp as KeyHelp
    from .help_text import facts_of as facts_of
    from .overlay import prompt_line as prompt_line, with_box as with_box, with_last_line as with_last_line
    from .picker import (
        MomentRow as MomentRow,
        SeriesRow as SeriesRow,
        matching_series as matching_series,
        moment_lines as moment_lines,
        picker_lines as picker_lines,
    )
else:
    __getattr__ = lazily(
        __name__,
        {
            "help": "help_lines",
            "help_tables": "KeyHelp",
            "help_text": "facts_of",
            "overlay": "prompt_line with_box with_last_line",
            "picker": "MomentRow SeriesRow matching_series moment_lines picker_lines",
        },
    )

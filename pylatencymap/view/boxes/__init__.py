"""Draws what lies over a picture: the help, the list of series, prompts."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .help import help_lines as help_lines
    from .help_tables import KeyHelp as KeyHelp
    from .help_text import facts_of as facts_of
    from .overlay import (
        PanelPlace as PanelPlace,
        panel_room as panel_room,
        prompt_line as prompt_line,
        with_box as with_box,
        with_last_line as with_last_line,
        with_panel as with_panel,
    )
    from .picker import (
        MomentRow as MomentRow,
        SeriesRow as SeriesRow,
        matching_series as matching_series,
        moment_lines as moment_lines,
        picker_lines as picker_lines,
    )
    from .who_page import (
        WhoKey as WhoKey,
        WhoLine as WhoLine,
        WhoPage as WhoPage,
        WhoText as WhoText,
        WhoValue as WhoValue,
        who_hints as who_hints,
        who_lines as who_lines,
        who_part as who_part,
        who_remarks as who_remarks,
        who_text as who_text,
        who_title as who_title,
    )
else:
    __getattr__ = lazily(
        __name__,
        {
            "help": "help_lines",
            "help_tables": "KeyHelp",
            "help_text": "facts_of",
            "overlay": "PanelPlace panel_room prompt_line with_box with_last_line with_panel",
            "picker": "MomentRow SeriesRow matching_series moment_lines picker_lines",
            "who_page": "WhoKey WhoLine WhoPage WhoText WhoValue who_hints who_lines who_part who_remarks who_text"
            " who_title",
        },
    )

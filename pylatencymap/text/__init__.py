"""Turns the bytes of an input into clean lines, and reads the dates, units, widths and JSON objects in them."""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .block_devices import device_named as device_named, with_device_names as with_device_names
    from .byte_stream import (
        PAUSE_SECONDS as PAUSE_SECONDS,
        FileReader as FileReader,
        file_chunks as file_chunks,
        is_plain as is_plain,
        pipe_chunks as pipe_chunks,
        said_in_turn as said_in_turn,
    )
    from .common_stamps import CommonStamps as CommonStamps
    from .compressed.breaks import (
        CUT_OFF as CUT_OFF,
        DAMAGED as DAMAGED,
        TORN as TORN,
        WRONG_SUM as WRONG_SUM,
        Break as Break,
        Broken as Broken,
    )
    from .compressed.decompression import decompress as decompress, readable_text as readable_text
    from .cumulative import CumulativeCounts as CumulativeCounts
    from .dates import moment_text as moment_text, parse_date as parse_date
    from .json_text import JsonObject as JsonObject, divide_answers as divide_answers, json_objects as json_objects
    from .moment_lines import LONGEST_MOMENT_LINE as LONGEST_MOMENT_LINE, moment_of as moment_of
    from .unit_names import (
        LONGEST_LATENCY as LONGEST_LATENCY,
        PER_SECOND as PER_SECOND,
        decimal_of as decimal_of,
        in_unit as in_unit,
        mentions_duration as mentions_duration,
        reason_not_time as reason_not_time,
        seconds_of_unit as seconds_of_unit,
        unit_named as unit_named,
        whole_unit as whole_unit,
    )
    from .width import TAIL as TAIL, cut as cut, fit as fit, spread as spread, text_width as text_width, wrap as wrap
    from .zones import (
        comes_twice as comes_twice,
        micros_at as micros_at,
        moment_option as moment_option,
        zone_name as zone_name,
        zone_named as zone_named,
    )
else:
    __getattr__ = lazily(
        __name__,
        {
            "block_devices": "device_named with_device_names",
            "byte_stream": "FileReader PAUSE_SECONDS file_chunks is_plain pipe_chunks said_in_turn",
            "common_stamps": "CommonStamps",
            "compressed.breaks": "CUT_OFF DAMAGED TORN WRONG_SUM Break Broken",
            "compressed.decompression": "decompress readable_text",
            "cumulative": "CumulativeCounts",
            "dates": "moment_text parse_date",
            "json_text": "JsonObject divide_answers json_objects",
            "moment_lines": "LONGEST_MOMENT_LINE moment_of",
            "unit_names": (
                "LONGEST_LATENCY PER_SECOND decimal_of in_unit mentions_duration reason_not_time seconds_of_unit"
                " unit_named whole_unit"
            ),
            "width": "TAIL cut fit spread text_width wrap",
            "zones": "comes_twice micros_at moment_option zone_name zone_named",
        },
    )

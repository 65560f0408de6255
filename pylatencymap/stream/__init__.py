"""Reads and writes the record stream, the text format for histograms that docs/stream.md specifies."""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .bounds import is_power_of_two as is_power_of_two, range_of as range_of, ranges_of as ranges_of
    from .extension import NO_EXTENSION as NO_EXTENSION, Extension as Extension, parse_extension as parse_extension
    from .limits import (
        BEYOND_CALENDARS as BEYOND_CALENDARS,
        flaw_of as flaw_of,
        flaw_of_times as flaw_of_times,
        flaw_on_axis as flaw_on_axis,
        is_on_axis as is_on_axis,
        is_quantity as is_quantity,
    )
    from .reader import StreamReader as StreamReader, read_stream as read_stream
    from .running_sums import RunningSums as RunningSums
    from .series_identity import identity_of as identity_of
    from .stamps import LEAST_EPOCH as LEAST_EPOCH, read_stamp as read_stamp
    from .syntax import (
        BEGIN_RECORD as BEGIN_RECORD,
        END_RECORD as END_RECORD,
        EXTENSION as EXTENSION,
        ORACLE_SOURCE as ORACLE_SOURCE,
        REPEATED as REPEATED,
        SEEN_WAITS as SEEN_WAITS,
        extension_of as extension_of,
        is_begin as is_begin,
        is_end as is_end,
    )
    from .writer import IntervalWriter as IntervalWriter, StreamWriter as StreamWriter
else:
    __getattr__ = lazily(
        __name__,
        {
            "bounds": "is_power_of_two range_of ranges_of",
            "extension": "Extension NO_EXTENSION parse_extension",
            "limits": "BEYOND_CALENDARS flaw_of flaw_of_times flaw_on_axis is_on_axis is_quantity",
            "reader": "StreamReader read_stream",
            "running_sums": "RunningSums",
            "series_identity": "identity_of",
            "stamps": "LEAST_EPOCH read_stamp",
            "syntax": "BEGIN_RECORD END_RECORD EXTENSION ORACLE_SOURCE REPEATED SEEN_WAITS"
            " extension_of is_begin is_end",
            "writer": "IntervalWriter StreamWriter",
        },
    )

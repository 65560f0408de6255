"""Turns lines of blkparse into requests."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...collector import Known
from ...errors import Refused
from ...record import Decoded
from ...report import Report
from ...text.lines import Lines
from .._block.decoder import block_event_decoder
from .._block.request import Odd, Request, from_action
from .custom import is_custom_line

SOURCE = "blkparse"
_LINE = re.compile(
    r" *([0-9]{1,5}),([0-9]{1,7}) +[0-9]+ +(?:[0-9]+ +)?([0-9]{1,9})\.([0-9]{9}) +[0-9]+ +(?=[A-Za-z]{1,2} )"
)
_BEGIN = re.compile(r" *[0-9]+,[0-9]+ +[0-9]+ +(?:[0-9]+ +)?[0-9]+\.[0-9]")
_WORKS = "what would work is blkparse -i DEVICE without -f, of a trace with issues and completions"
_FORMAT = '-f "%D %2c %8s %5T.%9t %5p %2a %3d %S + %n [%C]\\n"'
_CUSTOM = (
    "custom format of blkparse (-f): nothing says which column is which; what would work is blkparse without -f, "
    f"which is {_FORMAT}"
)


def events(lines: Lines, report: Report, known: Known) -> Iterator[Decoded]:
    """Yield samples; raise Refused for a custom format."""
    usual = False

    def read(text: str) -> Request | Odd | None:
        nonlocal usual
        found = _LINE.match(text)
        if found is not None:
            usual = True
            return from_action(text[found.end() :], (int(found[1]), int(found[2])), (found[3], found[4]))
        if not usual and is_custom_line(text):
            raise Refused(_CUSTOM)
        return Odd.CUT if _BEGIN.match(text) else None

    return block_event_decoder(report, known, read, SOURCE, _WORKS).events(lines)

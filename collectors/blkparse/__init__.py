"""blkparse: every block request, from issue to completion and from queue to issue, by device.

``8,0    3        1     0.000000000   697  D   R 223490 + 8 [kjournald]``: device, processor, number, seconds, process,
action, flags, sector + length. Source: man page blkparse(1), section "Default output".
"""

import re
from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Decoded
from ...report import Report
from ...text.lines import Lines

DESCRIPTION = "blkparse (default output, -t): block requests by device: service time, and queue time apart"

_OWN = re.compile(r"^ *[0-9]+,[0-9]+ +[0-9]+ +(?:[0-9]+ +)?[0-9]+\.[0-9]{9} +[0-9]+ +[A-Z]{1,2} +[A-Z]+ ", re.MULTILINE)
_MESSAGE = re.compile(r"^ *[0-9]+,[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+\.[0-9]{9} +[0-9]+ +m +N ", re.MULTILINE)


def detect(head: str) -> Likelihood:
    """Certain at the first event. A custom format (-f) is recognised by the fields that it needs."""
    from .custom import is_custom

    if _OWN.search(head) or _MESSAGE.search(head):
        return Likelihood(0.97, "device, processor, seconds, process, action")
    return Likelihood(0.92, "blkparse with a format of its own") if is_custom(head) else NOT_MINE


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Decoded]:
    """Yield a sample for each completed request; raise Refused for a custom format (-f)."""
    from .decoder import events

    return events(lines, report, known)

"""Block-layer events, from the letters of blkparse and from the kernel's trace events."""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from ...units import Unit

QUEUE, INSERT, ISSUE, COMPLETE, REQUEUE, BACK_MERGE, FRONT_MERGE, SPLIT = "QIDCRMFX"
"""Letters of blkparse. A completion is that of a request or, on devices without requests, of a bio."""

TRACE_EVENTS = {
    "block_bio_queue": QUEUE,
    "block_rq_insert": INSERT,
    "block_rq_issue": ISSUE,
    "block_rq_complete": COMPLETE,
    "block_bio_complete": COMPLETE,
    "block_rq_requeue": REQUEUE,
    "block_bio_backmerge": BACK_MERGE,
    "block_rq_merge": BACK_MERGE,
    "block_bio_frontmerge": FRONT_MERGE,
    "block_split": SPLIT,
}
"""Source: include/trace/events/block.h of Linux."""

_ACTION = re.compile(
    r"([QIDCRMFX]) +([A-Z]+) (?:([0-9]{1,20})(?: [+/] ([0-9]{1,20}))? ?)?(?:\( *[0-9]+\) ?)?(?<= )\[(.*)\]\s*$"
)
_PASSTHROUGH = re.compile(r"[QIDCRMFX] +[A-Z]+ (?:[0-9]+ )?\((?:[0-9a-f]{2} ?)*(?:\.\.)? ?\) \[.*\]\s*$")
_EVENT = re.compile(
    r"([0-9]{1,5}),([0-9]{1,7}) +([A-Z]+) (?:[0-9]+ )?(?:\([^)]*\) )?([0-9]{1,20}) [+/] ([0-9]{1,20}) "
    r"(?:[\w-]+,[0-9]+,[0-9]+ )?\[(.*)\]\s*$"
)
_NO_SECTOR = 2**64 - 1
"""The sector that the kernel prints for a request without one, such as a flush."""


class Odd(Enum):
    """What a line of the tool can be other than a request."""

    OTHER = "an event that is not needed"
    CUT = "an event that cannot be read"
    COMMAND = "a command to the device itself"


class Request(NamedTuple):
    """One event of a request. ``sectors`` is its length; for a split, the sector at which the second part begins.
    ``process``: the name of the one that ran then, or the error of a completion, as the tool prints it.
    """

    kind: str
    major: int
    minor: int
    sector: int
    sectors: int
    flags: str
    nanos: int
    unit: Unit
    process: str = ""


def request_of(
    kind: str, device: tuple[int, int], place: tuple[int, int], flags: str, time: tuple[str, str], process: str = ""
) -> Request:
    """Make a request. The time is given as the digits before and after the point, whose number shows the unit."""
    seconds, fraction = time
    sector, sectors = place
    nanos = int(seconds) * 10**9 + int(fraction.ljust(9, "0"))
    sector = 0 if sector == _NO_SECTOR else sector
    unit = Unit.NS if len(fraction) > 6 else Unit.US
    return Request(kind, *device, sector, sectors, flags, nanos, unit, process)


def from_action(text: str, device: tuple[int, int], time: tuple[str, str]) -> Request | Odd:
    """The action and the rest of a line of blkparse: ``D  RS 11672 + 8 [fio]``.

    Source: blkparse_fmt.c of blktrace, kernel/trace/blktrace.c of Linux.
    """
    found = _ACTION.match(text)
    if found:
        place = int(found[3] or 0), int(found[4] or 0)
        return request_of(found[1], device, place, found[2], time, found[5])
    if not re.match(r"[QIDCRMFX] ", text):
        return Odd.OTHER
    return Odd.COMMAND if _PASSTHROUGH.match(text) else Odd.CUT


def from_event(name: str, text: str, time: tuple[str, str]) -> Request | Odd:
    """A trace event, from its name and its text: ``7,0 RS 4096 () 2048 + 8 be,0,4 [fio]``."""
    kind = TRACE_EVENTS.get(name)
    if kind is None:
        return Odd.OTHER
    found = _EVENT.match(text)
    if found is None:
        return Odd.CUT
    device, place = (int(found[1]), int(found[2])), (int(found[4]), int(found[5]))
    return request_of(kind, device, place, found[3], time, found[6])

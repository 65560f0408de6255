"""ioping: every request is a sample, except the warm-up, which ioping's own statistics omit too.

``[time] 4 KiB <<< target (file system, device): request=2 time=155.9 us``. Source: ioping.c, ioping(1).
"""

import re
from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Decoded
from ...report import Report
from ...text.lines import Lines

DESCRIPTION = "ioping (with -I or not): every request by target and direction, without the warm-up"

_REQUEST = re.compile(
    r"^.{0,60}?[0-9.]{1,20} (?:[KMGT]?i?B|bytes) (?:<<<|>>>|from|to) \S.*: request=[0-9]+ time=[0-9.]+ \w+",
    re.MULTILINE,
)


def detect(head: str) -> Likelihood:
    """Certain at the first request."""
    return Likelihood(0.97, "requests of ioping") if _REQUEST.search(head) else NOT_MINE


def decode(lines: Lines, report: Report, _: Known = NOTHING_KNOWN) -> Iterator[Decoded]:
    """Yield a sample for each request except the warm-up; raise Refused if there was none."""
    from .decoder import IopingDecoder

    return IopingDecoder(report).events(lines)

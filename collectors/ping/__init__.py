"""ping and fping: every reply is a sample, every host a series. The time that -D prints is the time of the reply.

``[time] 64 bytes from host (address): icmp_seq=1 ttl=64 time=0.022 ms``, and similar lines of busybox, BSD, macOS and
Windows. Source: iputils ping_common.c, fping.c.
"""

import re
from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Decoded
from ...report import Report
from ...text.lines import Lines

DESCRIPTION = "ping and fping (with -D or not): every reply by host"

_REPLY = re.compile(
    r"^(?:\[[0-9]+\.[0-9]+\] )?(?:[0-9]+ bytes from \S.*?: "
    r"(?:icmp_)?seq=[0-9]+|\S+ +: \[[0-9]+\], [0-9]+ bytes, [0-9.]+ ms)"
    r"|^Reply from \S+: bytes=[0-9]+ time[=<][0-9]+ms",
    re.MULTILINE,
)
_BEGIN = re.compile(
    r"^(?:PING \S.*?[0-9]+(?:\([0-9]+\))? (?:data )?bytes|Pinging \S+ .*with [0-9]+ bytes of data)", re.MULTILINE
)


def detect(head: str) -> Likelihood:
    """Certain at the first reply, or at the line that ping prints before it."""
    if _REPLY.search(head):
        return Likelihood(0.97, "replies to ping")
    return Likelihood(0.95, "the first line of ping") if _BEGIN.search(head) else NOT_MINE


def decode(lines: Lines, report: Report, _: Known = NOTHING_KNOWN) -> Iterator[Decoded]:
    """Yield a sample for each reply; raise Refused if there was none."""
    from .decoder import PingDecoder

    return PingDecoder(report).events(lines)

"""strace -T: every system call with its duration, each call a series of its own.

``[pid] [time] name(arguments) = result <duration>``. The time is that of the start of a call. If strace prints a line
of another process while a call is under way, that call takes two lines: ``<unfinished ...>`` and ``<... name
resumed>``. Source: strace(1), the options -f, -t, -tt, -ttt, -r, -T, -y, -i, -n.
"""

import re
from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Decoded
from ...report import Report
from ...text.lines import Lines
from .line import DURATION_TEXT, PREFIX_TEXT, STAMP_TEXT

DESCRIPTION = "strace -T (with -f, -t, -tt, -ttt, -r, -y): every system call with its duration"

_NAME = r"[A-Za-z_]\w*"
_TIMED = re.compile(
    rf"^{PREFIX_TEXT}(?:{_NAME}\(|<\.\.\. {_NAME} resumed>).*\) += {DURATION_TEXT}\r?$",
    re.MULTILINE,
)
_BEGUN = re.compile(rf"^{PREFIX_TEXT}{_NAME}\(.* <unfinished \.\.\.>\r?$", re.MULTILINE)
_UNTIMED = re.compile(
    rf"^(?:\[pid +[0-9]+\] |[0-9]{{1,7}} )?{STAMP_TEXT}{_NAME}\(.*\) += (?:-?[0-9]+|0x[0-9a-f]+|\?)(?: .*)?\r?$",
    re.MULTILINE,
)
_FIRST = re.compile(r'^execve\(".*\) += 0\r?$', re.MULTILINE)
_TOTALS = re.compile(r"^% time +seconds +usecs/call +calls", re.MULTILINE)


def detect(head: str) -> Likelihood:
    """Certain at the first call with a duration. Traces without -T, and counts of -c, are recognised too."""
    if _TIMED.search(head):
        return Likelihood(0.97, "a system call and <its duration>")
    if _BEGUN.search(head):
        return Likelihood(0.95, "a system call <unfinished ...>")
    if _UNTIMED.search(head) or _FIRST.search(head):
        return Likelihood(0.92, "a system call and its result")
    return Likelihood(0.95, "the summary of strace -c") if _TOTALS.search(head) else NOT_MINE


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Decoded]:
    """Yield a sample for each call that returned; raise Refused if no durations were traced."""
    from .decoder import StraceDecoder

    return StraceDecoder(report, keys=known.keys).events(lines)

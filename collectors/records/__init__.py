"""The record stream: recordings and the output of other programs that print records."""

import re
from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Event
from ...report import Report
from ...stream import BEGIN_RECORD, extension_of, is_begin, is_end, read_stream
from ...text.lines import Lines

DESCRIPTION = "record stream: <begin record> ... <end record>, recordings included"

_BUCKET = re.compile(r"\s*-?[0-9.]+(?:e[+-]?[0-9]+)?\s*,", re.IGNORECASE)


def detect(head: str) -> Likelihood:
    """Certain if a record contains buckets or an end; see docs/stream.md.

    Probes of the earlier tool print histogram text of DTrace or SystemTap inside a record. That is left to the
    collectors ``dtrace`` and ``systemtap``.
    """
    if BEGIN_RECORD not in head.lower() and "#lmap" not in head:
        return NOT_MINE
    begun = False
    for line in head.splitlines():
        if extension_of(line) is not None:
            return Likelihood(1.0, "an #lmap line")
        if begun and (_BUCKET.match(line) or is_end(line)):
            return Likelihood(1.0, BEGIN_RECORD)
        if begun and _is_foreign(line):
            return NOT_MINE
        begun = begun or is_begin(line)
    return Likelihood(0.7, f"{BEGIN_RECORD}, and no bucket yet") if begun else NOT_MINE


def _is_foreign(line: str) -> bool:
    """Whether a line is the heading of a histogram of DTrace or SystemTap."""
    if not line.lstrip().startswith("value "):
        return False
    from .._printed.forms import DTRACE_HEADING, SYSTEMTAP_HEADING

    return bool(DTRACE_HEADING.match(line) or SYSTEMTAP_HEADING.match(line))


def decode(lines: Lines, report: Report, _: Known = NOTHING_KNOWN) -> Iterator[Event]:
    """Yield every record as soon as it is complete, and the marks."""
    return read_stream(lines, report)

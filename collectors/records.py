"""The record stream: recordings, and whatever prints records."""

from collections.abc import Iterator

from ..collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ..record import Event
from ..report import Report
from ..stream.reader import read
from ..stream.syntax import BEGIN, extension_of, is_begin
from ..text.lines import Lines

DESCRIPTION = "record stream: <begin record> ... <end record>, recordings included"


def detect(head: str) -> Likelihood:
    """Certain where a record begins; see docs/stream.md."""
    if BEGIN not in head.lower() and "#lmap" not in head:
        return NOT_MINE
    for line in head.splitlines():
        if is_begin(line):
            return Likelihood(1.0, BEGIN)
        if extension_of(line) is not None:
            return Likelihood(1.0, "an #lmap line")
    return NOT_MINE


def decode(lines: Lines, report: Report, _: Known = NOTHING_KNOWN) -> Iterator[Event]:
    """Every record as soon as it is complete, and the marks."""
    return read(lines, report)

"""Reads a text in either form, plain or JSON, into ticks and records."""

import re
from collections.abc import Iterator
from itertools import chain

from ...collector import Known
from ...record import Event
from ...report import Report
from ...text.lines import Lines
from .json_messages import Messages
from .plain import PlainText
from .snapshots import MapSnapshots

NOTHING = "no histogram in it; what would work is a map of hist() or lhist() that is printed at intervals"

_MESSAGE = re.compile(r'\s*\{\s*(?:"type"|$)')


def events(lines: Lines, report: Report, known: Known) -> Iterator[Event]:
    """Yield the ticks and records of a text in either form."""
    snapshots = MapSnapshots(report, known)
    text = PlainText(report, snapshots)
    rest = iter(lines)
    for line in rest:
        if line is not None and not text.has_maps and _MESSAGE.match(line.text):
            yield from Messages(report, snapshots).events(chain([line], rest))
        else:
            yield from text.take(line)
    yield from text.end()
    yield from snapshots.end(NOTHING)

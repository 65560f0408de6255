"""Histogram text of SystemTap: print(@hist_log(...)) and print(@hist_linear(...)).

The label of a row is its lower bound. Runs of empty rows are omitted, with ``~`` in their place.
Source: _stp_stat_print_histogram_buf of SystemTap's runtime, stat-common.c.
"""

from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Event
from ...report import Report
from ...text.lines import Lines
from .._printed.forms import SYSTEMTAP_HEADING

DESCRIPTION = "histogram text of SystemTap: @hist_log, @hist_linear; unit by names in the text or --unit"


def detect(head: str) -> Likelihood:
    """How much the text looks like SystemTap's, by the heading of a histogram."""
    if SYSTEMTAP_HEADING.search(head):
        return Likelihood(0.97, "histograms headed 'value |---------- count'")
    return NOT_MINE


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Event]:
    """Yield the ticks and records of the text; raise Refused if it names no unit."""
    from .._printed.decoder import PrintedDecoder
    from .form import FORM

    yield from PrintedDecoder(FORM, report, known).events(lines)

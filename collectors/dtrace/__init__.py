"""Histogram text of DTrace: quantize(), lquantize() and llquantize(), on illumos, FreeBSD, macOS and Oracle Linux.

The label of a row is its lower bound; the row extends to the label of the next one, and there always is a next one.
Source: dt_print_quantize, dt_print_lquantize and dt_print_llquantize of dt_consume.c in libdtrace.
"""

import re
from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Event
from ...report import Report
from ...text.lines import Lines
from .._printed.forms import DTRACE_HEADING

DESCRIPTION = "histogram text of DTrace: quantize, lquantize, llquantize; unit by names in the text or --unit"

_PACKED = re.compile(r"^ *(?:key +)?min \.-+\. max +\| count *\r?$|^ *key +-{5,} Distribution -{5,} +count *\r?$", re.M)
_COLUMNS = re.compile(r"^ *CPU +ID +FUNCTION:NAME *\r?$", re.M)


def detect(head: str) -> Likelihood:
    """How much the text looks like DTrace's, judged first by the heading of a histogram."""
    if DTRACE_HEADING.search(head):
        return Likelihood(0.97, "histograms headed 'value ------------- Distribution ------------- count'")
    if _PACKED.search(head):
        return Likelihood(0.95, "a packed aggregation of DTrace")
    if _COLUMNS.search(head):
        return Likelihood(0.6, "columns CPU, ID and FUNCTION:NAME")
    return NOT_MINE


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Event]:
    """Yield the ticks and records of the text; raise Refused if it names no unit or contains no distribution."""
    from .._printed.decoder import PrintedDecoder
    from .form import FORM

    yield from PrintedDecoder(FORM, report, known).events(lines)

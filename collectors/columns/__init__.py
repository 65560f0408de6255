"""Any table of events with a time and a latency: CSV, TSV, columns, JSON lines, or lines taken apart by an expression.

Columns are found by the names in a header, or named by --time, --latency and --by. What was taken for what is told.
"""

from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Decoded
from ...report import Report
from ...text.lines import Lines

DESCRIPTION = "CSV, TSV, columns and JSON lines with a time and a latency (--time, --latency, --by, --regex)"


def detect(head: str) -> Likelihood:
    """Certain at a header that names a time and a latency, with a row of both below, that no other collector knows."""
    from ...registry import collector_names, load_collector
    from .header import is_headed

    found = is_headed(head)
    if not found:
        return NOT_MINE
    own = __name__.rsplit(".", 1)[-1]
    if any(load_collector(name).detect(head).value >= 0.5 for name in collector_names() if name != own):
        return NOT_MINE
    return Likelihood(0.9, f"columns {found}")


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Decoded]:
    """A sample for each row; raises Refused where columns or units are not to be told."""
    from .decoder import TableDecoder

    return TableDecoder(report, known).events(lines)

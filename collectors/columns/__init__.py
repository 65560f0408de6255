"""Any table of events with a time and a latency: CSV, TSV, columns, JSON lines, or lines parsed by a regular
expression.

Columns are found by their names in a header, or are named by --time, --latency and --by. A message reports the choice.
"""

from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Decoded
from ...report import Report
from ...text.lines import Lines

DESCRIPTION = "CSV, TSV, columns and JSON lines with a time and a latency (--time, --latency, --by, --regex)"


def detect(head: str) -> Likelihood:
    """Certain if a header names a time and a latency, a row below it has both, and no other collector recognises the
    text.
    """
    from ...registry import collector_names, load_collector
    from .evidence import rising_in
    from .header import is_headed

    found = is_headed(head) or rising_in(head)
    if not found:
        return NOT_MINE
    own = __name__.rsplit(".", 1)[-1]
    if any(load_collector(name).detect(head).value >= 0.5 for name in collector_names() if name != own):
        return NOT_MINE
    return Likelihood(0.9, f"columns {found}")


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Decoded]:
    """Yield a sample for each row; raise Refused if columns or units cannot be determined."""
    from .decoder import TableDecoder

    return TableDecoder(report, known).events(lines)

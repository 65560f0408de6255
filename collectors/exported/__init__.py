"""Intervals that pylatencymap wrote as JSON lines or as CSV: the same intervals again.

Source: docs/jsonl.md, and the columns in docs/aggregate.md.
"""

from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Decoded
from ...report import Report
from ...text.lines import Lines
from .signs import CSV_HEADING, JSON_LINE

DESCRIPTION = "JSON lines and CSV that pylatencymap wrote: convert --to jsonl, export to .jsonl and .csv"


def detect(head: str) -> Likelihood:
    """Certain at the heading of our CSV, or at a first line with the first keys of our JSON."""
    if CSV_HEADING.match(head):
        return Likelihood(0.99, "the columns of pylatencymap's CSV")
    if JSON_LINE.match(head):
        return Likelihood(0.99, "JSON lines of pylatencymap")
    return NOT_MINE


def decode(lines: Lines, report: Report, _: Known = NOTHING_KNOWN) -> Iterator[Decoded]:
    """Yield a record for each interval."""
    from .decoder import ExportedDecoder

    yield from ExportedDecoder(report).events(lines)

"""How a file begins: what the decoder makes of its first lines shows what the rest is in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..collector import Collector, Known
from ..errors import BadInput, Refused
from ..record import Sample
from ..report import Report
from ..text.lines import Line, line_of

HEAD = 1 << 16
"""Bytes that are looked at."""


class Begin(NamedTuple):
    """The first sample, its line, and all lines up to the one with which the decoder was sure of it."""

    sample: Sample
    line: bytes
    lines: tuple[bytes, ...]


class Head(NamedTuple):
    """What is known of a file before it is scanned: whose text it is, its first bytes, and its name."""

    collector: Collector
    data: bytes
    known: Known
    name: str

    def begin(self) -> Begin | None:
        """How it begins; None where the decoder is not sure of anything before the first bytes end."""
        return begin_of(self.collector, self.data, self.known, self.name)


def begin_of(collector: Collector, head: bytes, known: Known, name: str) -> Begin | None:
    """The beginning of a file, of which ``head`` are the first bytes and ``name`` is the name; None where the decoder
    is not sure of anything before they end.
    """
    *lines, _ = head.split(b"\n")
    seen = 0

    def shown() -> Iterator[Line]:
        nonlocal seen
        for seen, raw in enumerate(lines, 1):
            yield Line(seen, line_of(raw))
        seen = 0  # what comes now comes because there is no more

    try:
        first = next(iter(collector.decode(shown(), Report(name), known)), None)
    except (Refused, BadInput):
        return None
    if not isinstance(first, Sample) or not seen:
        return None
    return Begin(first, lines[first.line - 1], tuple(lines[:seen]))

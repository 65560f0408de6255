"""Histogram text of the BPF tools: bcc's Python tools and libbpf-tools (biolatency, runqlat, cpudist, ext4dist ...).

All of them print ``usecs : count distribution`` and rows ``lower -> upper : count |****|``, with counts per interval.
Linear histograms have rows ``slot : count |****|``, and with -j bcc prints Python dictionaries.
Source: print_log2_hist and print_linear_hist of bcc's table.py and of libbpf-tools' trace_helpers.c.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...collector import NOTHING_KNOWN, Known, Likelihood

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...record import Event
    from ...report import Report
    from ...text.lines import Lines

DESCRIPTION = "histogram text of bcc and libbpf-tools: biolatency, runqlat, cpudist, ext4dist, softirqs -d ..."


def detect(head: str) -> Likelihood:
    """How much the text looks like a BPF tool's, judged first by its histogram heading."""
    from .signs import likelihood

    return likelihood(head)


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Event]:
    """Yield the ticks and records of the text; raise Refused if it contains no latency distribution."""
    from .decoder import BpfDecoder

    yield from BpfDecoder(report, known).events(lines)

"""What tests share that read the captures of real tools."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pylatencymap.collector import Collector
from pylatencymap.record import Record
from pylatencymap.report import Report
from pylatencymap.text.lines import lines_of

BPF_STAMPED = (
    "bcc-log2-T",
    "bcc-log2-m-D-T",
    "bcc-runqlat",
    "coldstart-libbpf-biolatency-T-loop",
    "coldstart-libbpf-biolatency-m-T-loop",
    "coldstart-slow-libbpf-biolatency-T-loop",
    "libbpf-biolatency-D-T",
    "libbpf-biolatency-D-m-T",
    "libbpf-biolatency-F-T",
    "libbpf-biolatency-Q-T-loop",
    "libbpf-biolatency-T-loop",
    "libbpf-biolatency-T",
    "libbpf-biolatency-m-T-loop",
    "libbpf-biolatency-pipe-buffered",
    "libbpf-cpudist",
    "libbpf-runqlat",
)
"""Captures of bcc and libbpf-tools whose prints have a time of day."""


def captured(shared: Path, name: str) -> str:
    return (shared / "data" / "captures" / f"{name}.txt").read_text()


def check_pauses(collector: Collector, text: str) -> None:
    """Fails if a pause after each line changes any count."""

    def line_by_line() -> Iterator[Any]:
        for line in lines_of(text):
            yield line
            yield None

    def sums(lines: Any) -> Counter[Any]:
        total: Counter[Any] = Counter()
        for event in collector.decode(lines, Report("capture")):
            if isinstance(event, Record):
                for lower, upper, count in event.ranges:
                    total[event.series, event.stamp, lower, upper] += int(count)
        return total

    assert sums(line_by_line()) == sums(lines_of(text))

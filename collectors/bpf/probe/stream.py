"""Prints intervals as the record stream (docs/stream.md)."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from .kernel import Sums

LAST_OCTAVE = 1 << 36
"""Microseconds; the last bucket ends there in probe.c, and holds all that is slower as well."""


def bounds(bucket: int) -> tuple[int, int]:
    """The range [lower, upper) of a bucket of probe.c, in microseconds."""
    if bucket < 8:
        return bucket, bucket + 1
    shift = bucket // 8 - 1
    return (8 + bucket % 8) << shift, (9 + bucket % 8) << shift


def ranges_of(counts: list[int]) -> list[tuple[int, int | None, int]]:
    """The ranges with requests; the last one is open."""
    found = [(*bounds(bucket), count) for bucket, count in enumerate(counts) if count]
    return [(low, None if top == LAST_OCTAVE else top, count) for low, top, count in found]


class Stream:
    """Prints intervals as the record stream (docs/stream.md)."""

    def __init__(self, label: str, write: Callable[[str], object]) -> None:
        self._label = label
        self._write = write
        self._running: dict[str, dict[int, int]] = {}

    def interval(self, start: float, end: float, found: dict[str, Sums]) -> None:
        """All series, idle ones too, over one interval; moments in epoch seconds."""
        self._write("".join(self._text(start, end, name, sums) for name, sums in sorted(found.items())))

    def mark(self, at: float, note: str) -> None:
        """A remark on the time axis."""
        self._write(f"#lmap {json.dumps({'v': 1, 'mark': note, 'at': round(at * 1e6)})}\n")

    def _text(self, start: float, end: float, name: str, sums: Sums) -> str:
        said = {"v": 1, "series": name, "label": self._label, "counts": "interval"}
        before = ""
        if name not in self._running:
            self._running[name] = {}
            before = self._record(said, {"flags": ["baseline"]}, start, name)
        exact: dict[str, Any] = {"buckets": ranges_of(sums.counts), "time": sums.waited / 1e9}
        for low, _, count in exact["buckets"]:
            octave = 1 << max(low.bit_length() - 1, 0)
            self._running[name][octave] = self._running[name].get(octave, 0) + count
        exact.update(start=round(start * 1e6), flags=["kept"])
        return before + self._record(said, exact, end, name)

    def _record(self, said: dict[str, Any], exact: dict[str, Any], at: float, name: str) -> str:
        lines = [
            f"#lmap {json.dumps({**said, **exact})}",
            "<begin record>",
            f"timestamp,microsec,{round(at * 1e6)},{time.strftime('%Y-%m-%d %H:%M:%S +00:00', time.gmtime(at))}",
            f"label,{self._label} of {name.replace(',', ' ')}",
            "latencyunit,microsec",
            "datasource,bpf",
            *(f"{octave},{count}" for octave, count in sorted(self._running[name].items())),
            "<end record>\n",
        ]
        return "\n".join(lines)

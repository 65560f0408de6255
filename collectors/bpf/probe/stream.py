"""Prints intervals as the record stream (docs/stream.md)."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from typing import Any

from .kernel import FATES, UNMATCHED, Sums

LAST_OCTAVE = 1 << 36
"""Microseconds. The last bucket of probe.c ends there; it also counts everything slower."""


def bounds(bucket: int) -> tuple[int, int]:
    """The range [lower, upper) of a bucket of probe.c, in microseconds."""
    if bucket < 8:
        return bucket, bucket + 1
    shift = bucket // 8 - 1
    return (8 + bucket % 8) << shift, (9 + bucket % 8) << shift


def ranges_of(counts: list[int]) -> list[tuple[int, int | None, int]]:
    """The ranges that contain requests; the last one is open."""
    found = [(*bounds(bucket), count) for bucket, count in enumerate(counts) if count]
    return [(low, None if top == LAST_OCTAVE else top, count) for low, top, count in found]


class Stream:
    """Prints intervals as the record stream (docs/stream.md)."""

    def __init__(self, label: str, write: Callable[[str], object]) -> None:
        self._label = label
        self._write = write
        self._running: dict[str, dict[int, int]] = {}

    def interval(self, start: float, end: float, found: dict[str, Sums]) -> None:
        """Print all series, idle ones too, for one interval; moments are in epoch seconds."""
        self._write("".join(self._text(start, end, name, sums) for name, sums in sorted(found.items())))

    def mark(self, at: float, note: str) -> None:
        """Print a mark for the time axis."""
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


# Disks on which nothing has completed yet: they have intervals too, with zeros.


USUAL = ("read", "write")
"""The series that an idle disk gets; other operations get a series when they first occur."""


class Idle:
    """Gives each of these disks series without requests until it has series of its own.

    A series that was printed once is printed in every interval from then on.
    """

    def __init__(self, disks: Iterable[str]) -> None:
        self._disks = list(disks)
        self._printed: set[str] = set()

    def filled(self, found: dict[str, Sums]) -> dict[str, Sums]:
        """One interval with the idle series added."""
        busy = {name.rpartition(",")[0] for name in found}
        idle = [disk for disk in self._disks if disk not in busy]
        self._printed.update(f"{disk},{operation}" for disk in idle for operation in USUAL)
        return {**{name: Sums(0, []) for name in self._printed}, **found}


# Reports requests that were not measured.


class Losses:
    """Reports losses the first time, and each time that their number has doubled.

    Completions without a start in the first interval are no losses: those requests began before the probe did.
    """

    def __init__(self) -> None:
        self._under_way = -1
        self._reported = 0
        self._measured = 0

    def news(self, fates: list[int], found: dict[str, Sums]) -> str:
        """A sentence, or an empty string; ``fates`` count since the start, ``found`` is one interval."""
        self._measured += sum(sum(sums.counts) for sums in found.values())
        if self._under_way < 0:
            self._under_way = fates[UNMATCHED]
        lost = fates[:]
        lost[UNMATCHED] -= self._under_way
        if sum(lost) < max(2 * self._reported, 1):
            return ""
        self._reported = sum(lost)
        parts = ", ".join(f"{count} {what}" for count, what in zip(lost, FATES) if count)  # noqa: B905 - Python 3.8
        return f"not measured so far: {parts}; measured: {self._measured}"

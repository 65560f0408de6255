"""The BPF program in the kernel: compiles and attaches it, and reads its counts."""

from __future__ import annotations

import os
import sys
import time
from typing import Any, NamedTuple

from .failed import Failed

# Disks: their names, and the numbers that the tracepoints use for them.


def number_of(disk: str) -> int:
    """The number of a disk in the tracepoints."""
    try:
        with open(f"/sys/class/block/{disk}/dev") as file:
            major, minor = file.read().split(":")
    except (OSError, ValueError):
        raise Failed(f"there is no disk {disk!r}; see lsblk") from None
    return int(major) << 20 | int(minor)


def name_of(number: int) -> str:
    """The name of a disk, or its numbers if it has none."""
    device = f"{number >> 20}:{number & 0xFFFFF}"
    try:
        return os.path.basename(os.readlink(f"/sys/dev/block/{device}"))
    except OSError:
        return device


PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "probe.c")
TRACEPOINTS = ("/sys/kernel/tracing/events/block", "/sys/kernel/debug/tracing/events/block")
REQUESTS = 65_536
"""Most requests under way at one time."""
HISTOGRAMS = 512
"""Most histograms: one for each disk and direction."""
DIRECTIONS = {"R": "read", "W": "write", "D": "discard", "F": "flush"}
UNMATCHED = 0
FATES = ("without a start", "without a completion", "of too many disks", "that ended before they began")
"""Why requests were not measured, in the order of probe.c."""
SETTLE_SECONDS = 0.002
"""Wait this long after switching the halves, until no processor still writes to the old one."""


class Sums(NamedTuple):
    """The counts of one series: nanoseconds waited, and requests by bucket (an empty list if there are none)."""

    waited: int
    counts: list[int]


class Choice(NamedTuple):
    """Which requests are measured, by disk names (none: all) and least size in bytes; and which time is measured.

    ``queued``: the time in the queue and in service, else only in service.
    """

    disks: tuple[str, ...] = ()
    min_bytes: int = 0
    queued: bool = False


class Kernel:
    """The program in the kernel and its counts.

    Counts are kept twice: the kernel writes to one half while the other is read, so nothing is lost and nothing has to
    be cleared.
    """

    def __init__(self, choice: Choice) -> None:
        watched = "||".join(f"(dev)=={number_of(disk)}u" for disk in choice.disks)
        flags = {
            "WATCHED(dev)": f"({watched or 1})",
            "QUEUED": int(choice.queued),
            "HAS_MERGE": int(any(os.path.exists(f"{folder}/block_rq_merge") for folder in TRACEPOINTS)),
            "LEAST_SECTORS": -(-choice.min_bytes // 512),
            "REQUESTS": REQUESTS,
            "HISTOGRAMS": HISTOGRAMS,
        }
        self._bpf = _compiled([f"-D{name}={value}" for name, value in flags.items()])
        self._names: dict[int, str] = {}
        self._last: dict[tuple[int, int, int], Sums] = {}
        self._half = 0

    def switch(self) -> float:
        """Make the kernel write to the other half; return the moment of the switch in epoch seconds."""
        table = self._bpf["half"]
        table[table.Key(0)] = table.Leaf(1 - self._half)
        moment = time.time()
        time.sleep(SETTLE_SECONDS)
        return moment

    def read(self) -> dict[str, Sums]:
        """The counts of each series in the half that was written to until the switch."""
        table = self._bpf["histograms"]
        found: dict[str, Sums] = {}
        for key in table.keys():  # noqa: SIM118 - a table of bcc, whose own iterator reads the values as well
            series = (key.dev, key.operation, key.half)
            name = f"{self._names.setdefault(key.dev, name_of(key.dev))},{DIRECTIONS.get(chr(key.operation), 'other')}"
            found.setdefault(name, Sums(0, []))
            if key.half == self._half:
                found[name] = self._grown(series, table[key])
        self._half = 1 - self._half
        return found

    def fates(self) -> list[int]:
        """The number of requests that were not measured since the start, by reason."""
        table = self._bpf["fates"]
        return [sum(table[table.Key(fate)]) for fate in range(len(FATES))]

    def _grown(self, series: tuple[int, int, int], processors: Any) -> Sums:
        """The increase since the last reading."""
        last = self._last.get(series, Sums(0, [0] * len(processors[0].counts)))
        waited = sum(one.waited for one in processors)
        if waited == last.waited:
            return Sums(0, [])
        counts = [sum(each) for each in zip(*(one.counts[:] for one in processors))]  # noqa: B905 - Python 3.8
        self._last[series] = Sums(waited, counts)
        return Sums(waited - last.waited, [now - before for now, before in zip(counts, last.counts)])  # noqa: B905


def _compiled(flags: list[str]) -> Any:
    """Compile and attach the program. Warnings of the compiler about the kernel's own headers are hidden."""
    try:
        from bcc import BPF  # type: ignore[import-not-found, unused-ignore]
    except ImportError as error:
        raise Failed(f"{sys.executable} has no bcc ({error})") from None
    try:
        return BPF(src_file=PROGRAM.encode(), cflags=["-w", *flags])
    except Exception as error:  # bcc raises Exception itself
        raise Failed(f"the kernel does not take the program: {error}") from error

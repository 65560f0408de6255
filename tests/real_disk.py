"""What fio saw of its reads from the rig's disk, and what a busy machine added to them."""

import fcntl
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import pytest

MOST_SYSTEM_CALL = 300e-6
"""Seconds of a read that fio sees and the disk does not: entering the kernel, and waking up on a CPU that is free."""
MISSES = 0.1
"""Of fio's reads, the share that lies outside of the zone that the rig has in its cache: these take 10 ms and more."""


class Truth(NamedTuple):
    """fio's reads of one second or of many: those of less than 1 ms, of 1 to 8, of 8 to 16.384, and of more; and how
    many microseconds they took together.
    """

    fast: int
    between: int
    slow: int
    slower: int
    micros: int

    @property
    def reads(self) -> int:
        return sum(self[:4])

    def above(self, micros: int) -> int:
        """The reads that took this long or longer, for one of the bounds of BOUNDS."""
        return sum(self[1 + [bound.fio for bound in BOUNDS].index(micros) : 4])


class Bound(NamedTuple):
    """A bound between two of fio's classes, and the same between buckets of ours; all in microseconds.

    ``surely``: a read that fio saw above ``fio`` was above this one for the disk, unless fio waited for a CPU.
    Between the two the disk has hardly any reads: it answers in a quarter of a millisecond, or after ten.
    """

    fio: int
    bucket: int
    surely: int


BOUNDS = (Bound(1000, 1024, 256), Bound(8000, 8192, 2048), Bound(16384, 16384, 8192))


@contextmanager
def only_user_of_the_rig() -> Iterator[None]:
    """Wait until no other process of the tests loads a disk: BPF counts the I/O of the whole machine."""
    with open(Path(tempfile.gettempdir()) / "pylatencymap-tests-rig.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def truth_of(path: Path) -> dict[int, Truth]:
    """What fio measured, by second of the epoch."""
    rows = [[int(field) for field in line.split(",")] for line in path.read_text().splitlines()[1:]]
    return {row[0]: Truth(*row[1:]) for row in rows}


def total(truths: list[Truth]) -> Truth:
    return Truth(*map(sum, zip(*truths, strict=True)))


def memory_kills() -> int:
    """How many programs the kernel has killed since it was started because memory was used up."""
    counters = dict(line.split() for line in Path("/proc/vmstat").read_text().splitlines())
    return int(counters.get("oom_kill", 0))


class CpuWaits:
    """How long fio waited for a CPU while a rig's load ran: this lies in its latencies, and in no disk's.

    ``look`` is called again and again while the load runs. ``state`` is the rig's folder.
    """

    def __init__(self, state: Path) -> None:
        self._state = state
        self._waits: dict[int, float] = {}
        self._looked = monotonic()
        self._unseen = 0.0

    def look(self) -> None:
        now = monotonic()
        found = dict(self._threads())
        if found or (self._waits and not self._unseen):
            self._unseen = 0.0 if found else now - self._looked
        self._waits |= found
        self._looked = now

    def _threads(self) -> list[tuple[int, float]]:
        """Each thread of fio but the first, which only looks after the others, with its seconds of waiting."""
        try:
            first = int((self._state / "fio.pid").read_text())
            tasks = [path for path in Path(f"/proc/{first}/task").iterdir() if path.name != str(first)]
            return [(int(path.name), int((path / "schedstat").read_text().split()[1]) / 1e9) for path in tasks]
        except (OSError, ValueError, IndexError):  # not yet, or no longer there
            return []

    @property
    def seconds(self) -> float:
        """Of the thread that reads: the one that waited longest; and the time after it was seen for the last time."""
        if not self._waits:
            pytest.skip("this kernel does not say how long a thread waited for a CPU (CONFIG_SCHED_INFO)")
        return max(self._waits.values()) + self._unseen


def agree(counts: list[tuple[int, int]], least: Truth, most: Truth, waits: float) -> None:
    """Check counts of the disk, ``(lower bound in microseconds, count)``, against fio's own, on a machine however busy.

    A read takes at least as long for fio as for the disk. It takes longer by more than a system call only by what fio
    waited for a CPU, and ``waits`` seconds of that delay only so many reads by so much. And reads that are not cached
    take the disk 10 ms. ``least`` and ``most`` are fio's reads that surely are in the counts, and that may be.
    """

    def above(bound: int) -> int:
        return sum(count for lower, count in counts if lower >= bound)

    for bound in BOUNDS:
        assert above(bound.bucket) <= 1.05 * most.above(bound.fio), bound
        late = waits / ((bound.fio - bound.surely) / 1e6 - MOST_SYSTEM_CALL)
        assert above(bound.surely) >= 0.95 * least.above(bound.fio) - late, bound
    misses = MISSES * least.reads
    assert above(8192) >= misses - 5 * misses**0.5

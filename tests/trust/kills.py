"""Kills recorders at random moments and checks what they recorded: ``python -m tests.trust.kills --runs 200``.

A source prints a cumulative record every few milliseconds, each with one event more than the last and stamped a second
later; so every interval that is read back must be a second long and have exactly one event. What was printed but not
yet read (in the pipe), and of a compressed recording the last second, may be missing; anything else must be there, in
its place and only once. With root, the folder lies on a small disk that is filled once.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from tests.waiting import PATIENCE, TICK

RECORD = (
    "<begin record>\ntimestamp,microsec,{at}000000,x\nlabel,sda\nlatencyunit,microsec\ndatasource,bpf\n64,{n}\n"
    "<end record>\n"
)
FIRST = 1_700_000_000
"""The stamp of the first record, in seconds."""
DEAD = 100
"""Seconds between the stamps of two runs."""
PACE = 0.004
"""Seconds between two records."""
IN_FLIGHT = (1 << 16) // 100 + 2
"""Records that fit into the pipe, and those being read and written."""
FLUSH_SECONDS = 1.0
SLACK = 1.0
"""Seconds that a busy machine may be late."""
DISK = 2 << 20
Column = tuple[int, int, "int | None"]
"""Start and end (epoch seconds) of an interval, and its events; a gap has None."""


class Killed(NamedTuple):
    """What happened to one recorder: the stamps that were printed, when they were, and when it was killed (seconds)."""

    printed: list[int]
    written: list[float]
    killed: float


def tool(*words: object) -> subprocess.Popen[bytes]:
    """pylatencymap, started with pipes."""
    command = [sys.executable, "-m", "pylatencymap", *map(str, words)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def nothing(_: int) -> None:
    """What happens while an undisturbed run records."""


def files_at(path: str) -> int:
    """How many recordings there are: 0 or 1, or the segments of a folder."""
    return len(list(Path(path).glob("*.gz"))) if path.endswith("/") else int(Path(path).exists())


def wait_for(what: Callable[[], bool]) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < deadline, "the recorder does not begin"
        time.sleep(TICK)


def recorded_until_killed(
    path: str, records: int, first: int = FIRST, meanwhile: Callable[[int], object] = nothing
) -> Killed:
    """Run a recorder on so many records, the first of which is stamped ``first``, and kill it. ``meanwhile`` gets the
    number of each before it is printed.
    """
    before = files_at(path)
    recorder = tool("--once", "--record", path)
    assert recorder.stdin is not None
    assert recorder.stderr is not None
    printed, written = list(range(first, first + records)), list[float]()
    for number, at in enumerate(printed, 1):
        meanwhile(number)
        os.write(recorder.stdin.fileno(), RECORD.format(at=at, n=number).encode())
        written.append(time.monotonic())
        if number == 1:
            wait_for(lambda: recorder.poll() is not None or files_at(path) > before)
        time.sleep(PACE)
    killed = time.monotonic()
    recorder.send_signal(signal.SIGKILL)
    recorder.wait(PATIENCE)
    recorder.stdin.close()
    recorder.stderr.close()
    return Killed(printed, written, killed)


def columns_of(path: str) -> list[Column]:
    """What a recording contains."""
    command = [sys.executable, "-m", "pylatencymap", "convert", "--to", "jsonl", path]
    done = subprocess.run(command, capture_output=True, timeout=PATIENCE)
    assert done.returncode in (0, 1, 3), done.stderr.decode()
    assert b"internal error" not in done.stderr, done.stderr.decode()
    return [
        (
            round(one["start"]),
            round(one["end"]),
            None if one["gap"] else sum(count for _, _, count in one["counts"]),
        )
        for one in map(json.loads, done.stdout.splitlines())
    ]


def lost_records(run: Killed, ends: set[int], *, compressed: bool) -> int:
    """How many printed records are missing behind the last one that was recorded; fails if that is too many, or if one
    is missing before.
    """
    present = [at in ends for at in run.printed[1:]]  # the first is the baseline
    recorded = sum(present)
    assert all(present[:recorded]), "a record is missing between others"
    lost = len(present) - recorded
    if lost > IN_FLIGHT:
        assert compressed, f"{lost} records are lost"
        seconds = run.killed - run.written[1 + recorded]
        assert seconds <= FLUSH_SECONDS + SLACK or not recorded, f"{seconds:.2f} s are lost"
    return lost


def check_file(folder: Path, name: str, records: int) -> int:
    """Kill a recorder of one file; returns how many records were in flight. A second recording keeps the first."""
    path = folder / name
    run = recorded_until_killed(str(path), records)
    found = columns_of(str(path))
    assert {events for _, _, events in found} <= {1}, found
    lost = lost_records(run, {end for _, end, _ in found}, compressed=name.endswith(".gz"))
    before = path.read_bytes()
    again = tool("--once", "--record", path)
    again.communicate(b"".join(RECORD.format(at=at, n=1).encode() for at in run.printed[:2]), PATIENCE)
    assert not before or Path(f"{path}~").read_bytes() == before
    for file in folder.iterdir():
        file.unlink()
    return lost


def check_folder(folder: Path, runs: list[int], fills: Callable[[int], object] | None = None) -> list[int]:
    """Kill a recorder of a folder again and again, and read all as one history; returns the records in flight of each
    run. ``fills`` gets the number of each record of the middle run before it is printed.
    """
    killed: list[Killed] = []
    first, middle = FIRST, len(runs) // 2
    for number, records in enumerate(runs):
        fill = fills if fills is not None and number == middle else nothing
        killed.append(recorded_until_killed(f"{folder}/", records, first, fill))
        first += records + DEAD
    found = columns_of(f"{folder}/")
    ends = {end for _, end, events in found if events is not None}
    assert len(ends) == sum(events is not None for _, _, events in found), "an interval is there twice"
    if fills is not None:
        full = killed.pop(middle)
        check_full_disk(full, [one for one in found if full.printed[0] <= one[0] and one[1] <= full.printed[-1]])
        found = [one for one in found if not full.printed[0] <= one[0] <= full.printed[-1]]
    else:
        for before, after in pairwise(found):
            assert before[1] == after[0], f"nothing is said of the time from {before[1]} to {after[0]}"
    assert {events for _, _, events in found} <= {1, None}
    for run in killed:
        inside = [one for one in found if run.printed[0] <= one[0] and one[1] <= run.printed[-1]]
        assert all(events == 1 for _, _, events in inside), "a gap while it was recorded"
    return [lost_records(run, ends, compressed=True) for run in killed]


def check_full_disk(run: Killed, within: list[Column]) -> None:
    """The source counted on while the disk was full: a gap, and no event is lost."""
    assert any(events is None for _, _, events in within), "the full disk is no gap"
    counted = sum(events or 0 for _, _, events in within)
    assert counted == run.printed.index(within[-1][1]), f"{counted} events"


class SmallDisk:
    """A folder on a disk of DISK bytes, which is full while a run records its middle third."""

    def __init__(self, folder: Path, records: int) -> None:
        self.folder = folder
        self._filler = folder / "filler"
        self._first, self._last = records // 3, 2 * records // 3

    def fills(self, number: int) -> None:
        """Fill the disk, or make room again."""
        if number == self._last:
            self._filler.unlink()
        elif self._first <= number < self._last and os.statvfs(self.folder).f_bavail:
            with self._filler.open("ab", buffering=0) as file:
                try:
                    while True:
                        file.write(bytes(4096))
                except OSError:
                    return  # it is full


def small_disk(until: ExitStack, folder: Path) -> bool:
    """Mount a small disk on a folder, until the end of the context; whether that was possible."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "none", str(folder)]
    if os.geteuid() or subprocess.run(mount, capture_output=True).returncode:
        return False
    until.callback(subprocess.run, ["umount", str(folder)], check=True)
    return True


FULL_RECORDS = 5000
"""Records of the run in which the disk is full: some seconds before, while and after."""


def main() -> int:
    """Kill as often as the options say; the exit status."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=30, help="kills of each kind: FILE, FILE.gz, DIR/")
    options.add_argument("--records", type=int, default=600, help="records before a kill, at most")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    moments = random.Random(given.seed)
    counts = [moments.randrange(1, given.records) for _ in range(given.runs)]
    with tempfile.TemporaryDirectory() as place, ExitStack() as until:
        for name in ("r.lmap", "r.lmap.gz"):
            lost = sorted(check_file(Path(place), name, records) for records in counts)
            print(f"{name}: {len(lost)} kills, in flight: median {lost[len(lost) // 2]}, at most {lost[-1]} records")
        folder = Path(place, "d")
        if small_disk(until, folder):
            counts[len(counts) // 2] = FULL_RECORDS
            fills = SmallDisk(folder, FULL_RECORDS).fills
        else:
            fills = None
            print("no disk could be mounted: the folder never gets full")
        lost = sorted(check_folder(folder, counts, fills))
        print(f"DIR/: {len(counts)} kills, in flight: median {lost[len(lost) // 2]}, at most {lost[-1]} records")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The viewer of a long recording: CPU until all of it is on the screen, the time of each zoom step, memory.

    .venv/bin/python benchmarks/opened.py [--runs N] [--steps N] [--megabytes N]

``pylatencymap FILE`` on a pseudo-terminal, in turns with a loop that splits the lines of the file: two disks at 120 x
40, thirty at 300 x 80. A step is a key that zooms, out and in by turns; its time ends with the frame that it causes.
Memory is the most that was resident (VmHWM of proc(5)), and what is after the steps (VmRSS).
"""

import argparse
import os
import re
import select
import subprocess
import sys
import termios
import time
from collections.abc import Iterable, Iterator
from fcntl import ioctl
from itertools import chain, cycle, islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from generate import days, up_to
from long_recordings import LINE_LOOP
from measure import Case, compiled_in, interleaved, terminal, terminal_environment

GOAL_OF_LOOP = 3.5
GOAL_MILLISECONDS = 60.0
GOAL_MEGABYTES = 103.0
KEYS = tuple(chain(b"[[[[[[", b"]]]]]]"))
FRAME_END = b"\x1b[?2026l"
ALL_READ = re.compile(rb"ALL[ \x1b]")
DEADLINE = 120.0
ANSWER_SECONDS = 10.0
MANY = 30
LABEL = re.compile(r"^label,\w+$", re.MULTILINE)


class Found(NamedTuple):
    """CPU seconds until all was on the screen, seconds of each step, megabytes at most and after the steps."""

    cpu: float
    steps: list[float]
    memory: float
    kept: float


def many_disks(prints: Iterable[str]) -> Iterator[str]:
    """Each record of the first disk, of MANY disks; a tenth as many prints."""
    for text in islice(prints, 0, None, 10):
        record = text[: text.index("<end record>\n") + len("<end record>\n")]
        yield "".join(LABEL.sub(f"label,disk{number}", record) for number in range(MANY))


def _own_terminal(descriptor: int) -> None:
    os.setsid()
    ioctl(descriptor, termios.TIOCSCTTY, 0)


class Opened:
    """The viewer of a file."""

    def __init__(self, path: Path, size: tuple[int, int]) -> None:
        self._ours, theirs = terminal(*size)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pylatencymap", str(path)],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=terminal_environment(),
            preexec_fn=lambda: _own_terminal(theirs),
        )
        os.close(theirs)

    def until(self, wanted: re.Pattern[bytes], seconds: float) -> None:
        """Read frames until one has what is wanted. Ends the benchmark if none has."""
        deadline, seen = time.monotonic() + seconds, b""
        while not (wanted.search(seen) and seen.endswith(FRAME_END)):
            if not select.select([self._ours], [], [], max(0.0, deadline - time.monotonic()))[0]:
                sys.exit(f"{wanted.pattern!r} never came: {seen[-300:]!r}")
            seen += os.read(self._ours, 1 << 16)
            if b"\x1b[c" in seen:  # it asks what terminal this is
                os.write(self._ours, b"\x1b[?62c")
                seen = seen.replace(b"\x1b[c", b"")

    def step_seconds(self, key: int) -> float:
        """Seconds from a key to the end of its frame."""
        self.settled()
        begin = time.perf_counter()
        os.write(self._ours, bytes([key]))
        self.until(re.compile(b""), ANSWER_SECONDS)
        return time.perf_counter() - begin

    def settled(self) -> None:
        """Read until nothing has come for a while."""
        while select.select([self._ours], [], [], 0.3)[0]:
            os.read(self._ours, 1 << 16)

    def cpu(self) -> float:
        """Seconds of CPU that the process has used: fields 14 and 15 of proc(5) stat."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self, what: str) -> float:
        """Resident megabytes, by the name that proc(5) has for them."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition(f"{what}:")[2].split()[0]) * 1024 / 1e6

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)


def measured(path: Path, size: tuple[int, int], steps: int) -> Found:
    opened = Opened(path, size)
    try:
        opened.until(ALL_READ, DEADLINE)
        cpu = opened.cpu()
        seconds = [opened.step_seconds(key) for key in islice(cycle(KEYS), steps)]
        return Found(cpu, seconds, opened.memory("VmHWM"), opened.memory("VmRSS"))
    finally:
        opened.close()


def row(name: str, path: Path, size: tuple[int, int], options: argparse.Namespace) -> str:
    loop = Case("loop", [sys.executable, "-c", LINE_LOOP, str(path)])
    rounds = []
    for _ in range(options.runs):
        reference = interleaved([loop], 1)["loop"][0].cpu
        rounds.append((reference, measured(path, size, options.steps)))
    ratio = median(found.cpu / reference for reference, found in rounds)
    step = median(chain.from_iterable(found.steps for _, found in rounds)) * 1e3
    slowest = max(chain.from_iterable(found.steps for _, found in rounds)) * 1e3
    memory, kept = (median(sizes) for sizes in zip(*((found.memory, found.kept) for _, found in rounds), strict=True))
    goals = ((ratio, GOAL_OF_LOOP), (step, GOAL_MILLISECONDS), (memory, GOAL_MEGABYTES))
    verdicts = ", ".join("met" if value <= goal else "missed" for value, goal in goals)
    cells = (
        f"{path.stat().st_size / 1e6:.0f}",
        f"{ratio:.2f}",
        f"{step:.0f}",
        f"{slowest:.0f}",
        f"{memory:.0f}",
        f"{kept:.0f}",
    )
    return f"| {' | '.join((name, *cells, verdicts))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the viewer of long recordings.", allow_abbrev=False)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--steps", type=int, default=24)
    parser.add_argument("--megabytes", type=float, default=112.0)
    options = parser.parse_args()
    size = round(options.megabytes * 1e6)
    goals = f"{GOAL_OF_LOOP:g} of the loop, {GOAL_MILLISECONDS:g} ms, {GOAL_MEGABYTES:g} MB"
    print(f"| recording | MB | CPU / loop | step, ms | slowest | memory, MB | after, MB | {goals} |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    with TemporaryDirectory() as name:
        folder = Path(name)
        compiled_in(folder / "bytecode")
        for kind, prints, screen in (
            ("2 disks, 120 x 40", days(), (120, 40)),
            (f"{MANY} disks, 300 x 80", many_disks(days()), (300, 80)),
        ):
            path = folder / "opened.lmap"
            path.write_text("".join(up_to(size, prints)))
            print(row(kind, path, screen, options), flush=True)


if __name__ == "__main__":
    main()

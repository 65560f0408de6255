"""What one more frame costs on real recordings, in CPU time and bytes, against an encoder that draws every cell.

.venv/bin/python benchmarks/frames.py [--runs N] [--moments N] [--recordings A,B] [--options A,B] [--sizes 90x12,200x48]

The recordings of examples/ are repeated until they have 1,000 moments (see recordings.py), with all their series. They
are drawn by ``replay FILE --delay 0``, which draws every moment, without options and with each of several, and by
plain.py, which always draws the same number of cells. ``generated`` is a recording with even stamps and events in every
row.

Each command draws on a pseudo-terminal, which a thread of this process drains. CPU time is that of the whole process,
user and system. The cost of a frame is the difference of a long run and a short one, divided by the number of frames
between: start-up, and the time until the maps are full, do not count. All commands take turns; the least CPU time of
each counts, for other processes can only add to it, and the median of the bytes. A run that did not draw every moment
ends the benchmark.
"""

import argparse
import os
import subprocess
import sys
import threading
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from generate import octaves
from measure import compiled_in, read_until_closed, terminal, terminal_environment
from recordings import EXAMPLES, extended

SIDES = 9 + 24
"""Columns of a wide terminal beside the maps."""
TEXT_LINES = 16
"""Lines above, between and below the maps."""
FILLED = 0.4
"""The share of the moments that the short run draws: even the wide maps are full then, with two moments a column."""
PLAIN = Path(__file__).with_name("plain.py")
PLAIN_SHORT, PLAIN_LONG = 20, 0.25
"""The reference is slow, and costs the same from its first frame on: a few moments, and that share of them."""
OPTION_GOAL = 1.3
REAL = ("steady", "cold-start", "spindle", "flags")
GENERATED = "generated"
NONE, REFERENCE = "none", "plain.py"
OPTIONS = {
    NONE: [],
    "columns": ["--columns", "60"],
    "rows": ["--rows", "8"],
    "min-latency": ["--min-latency", "64us"],
    "slo": ["--slo", "10ms"],
    "resolution": ["--resolution", "2"],
    "scale": ["--scale", "log"],
    "depth": ["--depth", "mono"],
}


class Size(NamedTuple):
    """Two maps of so many columns and rows; at most these shares of the reference are required, and aimed at."""

    columns: int
    rows: int
    cpu_limit: float
    cpu_aim: float
    bytes_limit: float

    @property
    def terminal(self) -> tuple[int, int]:
        """Columns and lines that have room for the maps and all texts."""
        return self.columns + SIDES, 2 * (self.rows + 2) + TEXT_LINES

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}"


SIZES = (Size(90, 12, 0.5, 0.2, 1 / 20), Size(200, 48, 0.12, 0.045, 1 / 60))


class Cost(NamedTuple):
    """CPU seconds of user and system, bytes written to the terminal."""

    cpu: float
    bytes: float


class Case(NamedTuple):
    """A command that draws a recording, with few frames and with many; ``mark`` begins each frame."""

    size: Size
    recording: str
    option: str
    short: list[str]
    long: list[str]
    frames: tuple[int, int]
    mark: bytes


class Drain:
    """Reads what a command draws, and counts its bytes and frames."""

    def __init__(self, mark: bytes) -> None:
        self.bytes = self.frames = 0
        self._mark = mark
        self._tail = b""

    def take(self, data: bytes) -> bool:
        """Counts a piece; a mark may begin in the piece before it."""
        data_and_tail = self._tail + data
        self.bytes += len(data)
        self.frames += data_and_tail.count(self._mark)
        self._tail = data_and_tail[1 - len(self._mark) :]
        return False


def run(argv: list[str], case: Case, frames: int) -> Cost:
    """Run a command on a pseudo-terminal of our size; ends the benchmark where it fails, or draws fewer frames."""
    ours, theirs = terminal(*case.size.terminal)
    drain = Drain(case.mark)
    thread = threading.Thread(target=read_until_closed, args=(ours, drain.take), daemon=True)
    thread.start()
    process = subprocess.Popen(
        argv,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.PIPE,
        env=terminal_environment(),
        start_new_session=True,
    )
    os.close(theirs)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    thread.join()
    os.close(ours)
    with process.stderr as messages:
        text = messages.read().decode(errors="replace")
    if process.returncode or text:
        sys.exit(f"{' '.join(argv)}: exit status {process.returncode}\n{text}")
    if drain.frames < frames:
        sys.exit(f"{' '.join(argv)}: {drain.frames} frames, the recording has {frames} moments")
    return Cost(usage.ru_utime + usage.ru_stime, drain.bytes)


def cases(folder: Path, sizes: list[Size], recordings: list[str], options: list[str], moments: int) -> list[Case]:
    """All commands, in the order in which they take turns; writes the recordings."""
    ours = (round(FILLED * moments), moments)
    plain = (PLAIN_SHORT, PLAIN_SHORT + round(PLAIN_LONG * moments))
    made: list[Case] = []
    for size in sizes:
        for name in recordings:
            paths = {count: str(_written(folder, name, size, count)) for count in {*ours, *plain}}
            commands = [
                [sys.executable, str(PLAIN), paths[count], str(size.columns), str(size.rows)] for count in plain
            ]
            made.append(Case(size, name, REFERENCE, *commands, plain, b"\x1b[2J"))
            for option in options:
                replay = [sys.executable, "-m", "pylatencymap", "replay"]
                commands = [[*replay, paths[count], "--delay", "0", *OPTIONS[option]] for count in ours]
                made.append(Case(size, name, option, *commands, ours, b"\x1b[?2026h"))
    return made


def _written(folder: Path, name: str, size: Size, moments: int) -> Path:
    """A file with so many moments of a recording."""
    path = folder / f"{name}-{size}-{moments}.lmap"
    if name == GENERATED:
        path.write_text("".join(islice(octaves(size.rows), moments + 1)))
    else:
        path.write_text("".join(extended(EXAMPLES / f"{name}.lmap.gz", moments)))
    return path


def costs(listed: list[Case], runs: int) -> list[Cost]:
    """The cost of a frame of each case, over so many rounds in which each runs once."""
    run(listed[-1].short, listed[-1], listed[-1].frames[0])  # warms the caches
    rounds = []
    for number in range(runs):
        rounds.append([tuple(map(run, (case.short, case.long), (case, case), case.frames)) for case in listed])
        print(f"round {number + 1} of {runs} done", file=sys.stderr, flush=True)
    return [_of_a_frame(case, list(pairs)) for case, pairs in zip(listed, zip(*rounds, strict=True), strict=True)]


def _of_a_frame(case: Case, pairs: list[tuple[Cost, Cost]]) -> Cost:
    """The cost of each of the frames by which the second run of each pair is longer."""
    frames = case.frames[1] - case.frames[0]
    short, long = (min(cost.cpu for cost in runs) for runs in zip(*pairs, strict=True))
    return Cost((long - short) / frames, median(second.bytes - first.bytes for first, second in pairs) / frames)


def table(size: Size, found: dict[tuple[str, str], Cost]) -> str:
    """A line for each recording and option, and the dearest of all against the goals."""
    lines = [f"{size} x 2 cells{'':>11} {'CPU us':>8} {'ratio':>6} {'bytes':>8} {'ratio':>6} {'to none':>8}"]
    ratios: list[tuple[float, float, float]] = []
    for (recording, option), cost in found.items():
        plain, none = found[recording, REFERENCE], found.get((recording, NONE))
        cpu, share = cost.cpu / plain.cpu, plain.bytes / cost.bytes
        to_none = cost.cpu / none.cpu if none else 0.0
        line = f"{recording:<11} {option:<11} {cost.cpu * 1e6:>8,.0f} {cpu:>6.3f} {cost.bytes:>8,.0f} 1/{share:<5.1f}"
        if option != REFERENCE:
            ratios.append((cpu, 1 / share, to_none))
            line += f"{to_none:>8.2f}" if none else ""
        lines.append(line)
    cpu, share, to_none = (max(column) for column in zip(*ratios, strict=True))
    lines.append(
        f"dearest: CPU {cpu:.3f}, at most {size.cpu_limit} {_verdict(cpu, size.cpu_limit)}, goal {size.cpu_aim}"
    )
    limit = f"at most 1/{1 / size.bytes_limit:.0f} {_verdict(share, size.bytes_limit)}"
    lines.append(f"         bytes 1/{1 / share:.1f}, {limit}")
    if to_none:
        lines.append(f"         option / none {to_none:.2f}, at most {OPTION_GOAL} {_verdict(to_none, OPTION_GOAL)}")
    return "\n".join(lines) + "\n"


def _verdict(ratio: float, limit: float) -> str:
    return "met" if ratio <= limit else "MISSED"


def _chosen(text: str, known: list[str], what: str) -> list[str]:
    """The names of a comma-separated list; ends the benchmark at one that is not known."""
    names = text.split(",")
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"no such {what}: {', '.join(unknown)}; there are {', '.join(known)}")
    return names


def main() -> None:
    sizes = {str(size): size for size in SIZES}
    parser = argparse.ArgumentParser(description="Measure the cost of a frame.", allow_abbrev=False)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--moments", type=int, default=1000, help="to which recordings are extended")
    parser.add_argument("--recordings", default=",".join(REAL), help=f"also: {GENERATED}")
    parser.add_argument("--options", default=",".join(OPTIONS))
    parser.add_argument("--sizes", default=",".join(sizes))
    wanted = parser.parse_args()
    recordings = _chosen(wanted.recordings, [*REAL, GENERATED], "recording")
    options = _chosen(wanted.options, list(OPTIONS), "option")
    chosen = [sizes[name] for name in _chosen(wanted.sizes, list(sizes), "size")]
    with TemporaryDirectory() as folder:
        compiled_in(Path(folder))
        listed = cases(Path(folder), chosen, recordings, options, wanted.moments)
        found = list(zip(listed, costs(listed, wanted.runs), strict=True))
    for size in chosen:
        print(table(size, {(case.recording, case.option): cost for case, cost in found if case.size == size}))


if __name__ == "__main__":
    main()

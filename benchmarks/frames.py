"""What one more frame costs, in CPU time and bytes, against an encoder that draws every cell of every frame.

.venv/bin/python benchmarks/frames.py [--runs N] [--records N]

Both commands draw every record on a pseudo-terminal, which a thread of this process drains and counts; CPU time is that
of their whole process. The cost of a frame is the difference of a long run and a run of a few records, by the number
of records between: start-up does not count. Runs of all take turns; of the CPU times of each the least counts, for
other processes can only add to it, and of the bytes the median.
"""

import argparse
import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
import threading
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from generate import octaves
from measure import compiled_in

FEW = 10
CHUNK = 1 << 16
SIDES = 9 + 24
"""Columns of a wide terminal beside the maps."""
TEXT_LINES = 16
"""Lines above, between and below the maps."""
PLAIN = Path(__file__).with_name("plain.py")


class Size(NamedTuple):
    """Two maps of so many columns and rows; at most these shares of the reference are wanted."""

    columns: int
    rows: int
    cpu_goal: float
    bytes_goal: float

    @property
    def terminal(self) -> tuple[int, int]:
        """Columns and lines that have room for the maps and all texts."""
        return self.columns + SIDES, 2 * (self.rows + 2) + TEXT_LINES


class Cost(NamedTuple):
    """CPU seconds of user and system, bytes written to the terminal."""

    cpu: float
    bytes: float


SIZES = (Size(90, 12, 1 / 10, 1 / 15), Size(200, 48, 1 / 30, 1 / 40))


def run(argv: list[str], size: Size) -> Cost:
    """Run a command on a pseudo-terminal of our size; ends the benchmark where it fails."""
    ours, theirs = pty.openpty()
    columns, lines = size.terminal
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    count = [0]
    drain = threading.Thread(target=_drain, args=(ours, count), daemon=True)
    drain.start()
    quiet = {"NO_COLOR", "COLORTERM", "CLICOLOR_FORCE"}
    environ = {name: value for name, value in os.environ.items() if name not in quiet}
    environ["TERM"] = "xterm-256color"
    process = subprocess.Popen(
        argv, stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.PIPE, env=environ, start_new_session=True
    )
    os.close(theirs)
    _, status, usage = os.wait4(process.pid, 0)
    drain.join()
    os.close(ours)
    if os.waitstatus_to_exitcode(status):
        sys.exit(f"{' '.join(argv)}: exit status {os.waitstatus_to_exitcode(status)}\n{process.stderr.read().decode()}")
    return Cost(usage.ru_utime + usage.ru_stime, count[0])


def _drain(descriptor: int, count: list[int]) -> None:
    while True:
        try:
            data = os.read(descriptor, CHUNK)
        except OSError:  # Linux: nobody has the other end open any more
            return
        if not data:
            return
        count[0] += len(data)


def costs(size: Size, folder: Path, records: int, runs: int) -> tuple[Cost, Cost]:
    """Cost of a frame of ours and of the reference, over so many runs in turns."""
    few, many = folder / f"few-{size.rows}.lmap", folder / f"many-{size.rows}.lmap"
    few.write_text("".join(islice(octaves(size.rows), FEW)))
    many.write_text("".join(islice(octaves(size.rows), FEW + records)))
    commands = (
        lambda path: [sys.executable, "-m", "pylatencymap", "replay", str(path), "--delay", "0"],
        lambda path: [sys.executable, str(PLAIN), str(path), str(size.columns)],
    )
    for command in commands:
        run(command(few), size)  # warms the caches
    rounds = [[(run(command(few), size), run(command(many), size)) for command in commands] for _ in range(runs)]
    ours, plain = (_of_a_frame(list(pairs), records) for pairs in zip(*rounds, strict=True))
    return ours, plain


def _of_a_frame(pairs: list[tuple[Cost, Cost]], records: int) -> Cost:
    """The cost of each of the ``records`` by which the second run of each pair is longer."""
    short, long = (min(cost.cpu for cost in runs) for runs in zip(*pairs, strict=True))
    return Cost((long - short) / records, median(second.bytes - first.bytes for first, second in pairs) / records)


def table(size: Size, ours: Cost, plain: Cost) -> str:
    """Both costs, their ratios and the goals."""
    lines = [f"{size.columns} x {size.rows} x 2 cells     ours      plain   ratio   goal"]
    for name, one, other, goal, scale in (
        ("CPU us a frame", ours.cpu, plain.cpu, size.cpu_goal, 1e6),
        ("bytes a frame", ours.bytes, plain.bytes, size.bytes_goal, 1),
    ):
        verdict = "met" if one <= goal * other else "MISSED"
        wanted = f"1/{1 / goal:.0f}"
        lines.append(
            f"{name:<16} {one * scale:>9,.0f} {other * scale:>10,.0f}  1/{other / one:<5.1f} {wanted} {verdict}"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the cost of a frame.", allow_abbrev=False)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--records", type=int, default=2000)
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        compiled_in(Path(folder))
        for size in SIZES:
            print(table(size, *costs(size, Path(folder), options.records, options.runs)), flush=True)


if __name__ == "__main__":
    main()

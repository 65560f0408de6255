"""What the key ``w`` costs in the viewer of a large file of events, against `replay --once` of the same file.

    .venv/bin/python benchmarks/who_key.py [--runs N] [--megabytes N] [KIND ...]

``pylatencymap FILE`` on a pseudo-terminal of 120 x 40; the cursor is put on a cell in the middle, and ``w`` pressed.
CPU seconds of the viewer and its processes, from the key until the first values of a key are on the screen, and until
the answer is complete. Meanwhile Up and Down are pressed: the time of each is from the key to the end of its frame.
"""

import argparse
import os
import re
import sys
import time
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import NamedTuple

from lines import KINDS, text
from measure import compiled_in
from opened import ALL_READ, DEADLINE, Opened
from single_events import cpu_of

GOAL = 1.5
SIZE = (120, 40)
FAR_LEFT = b"\x1b[1;2D"
READING = re.compile(rb"Who is in")
FIRST_ROWS = re.compile(rb"Longest lines")
KEYS = (b"\x1b[B", b"\x1b[A")
STEPS = 20
CHECK_SECONDS = 0.02


class Found(NamedTuple):
    """CPU seconds until the first rows, and until the answer is complete; milliseconds of keys meanwhile."""

    first: float
    whole: float
    keys: list[float]


class OpenedEvents(Opened):
    """The viewer of a file of events."""

    def cpu(self) -> float:
        """Seconds of CPU that the process and all that it started have used: fields 14 to 17 of proc(5) stat."""
        ticks, pids = 0, [str(self.process.pid)]
        for pid in pids:
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                pids += Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
                for task in Path(f"/proc/{pid}/task").iterdir():
                    if task.name != pid:
                        pids += (task / "children").read_text().split()
            except OSError:
                continue  # it has ended: its parent has its time
            ticks += sum(int(field) for field in fields[11:15])
        return ticks / os.sysconf("SC_CLK_TCK")

    def press(self, keys: bytes) -> None:
        os.write(self._ours, keys)

    def is_reading(self) -> bool:
        """Whether the file is still open twice: the viewer, and the answer that is looked for."""
        links = [os.readlink(one) for one in Path(f"/proc/{self.process.pid}/fd").iterdir() if one.exists()]
        return sum(link == self.path for link in links) > 1

    path = ""


def measured(path: Path) -> Found:
    """One run."""
    opened = OpenedEvents(path, SIZE)
    opened.path = str(path)
    try:
        opened.until(ALL_READ, DEADLINE)
        opened.settled()
        opened.press(FAR_LEFT * 4)
        opened.settled()
        before = opened.cpu()
        opened.press(b"w")
        opened.until(FIRST_ROWS, DEADLINE)
        first = opened.cpu() - before
        keys = []
        for number in range(STEPS):
            if not opened.is_reading():
                break
            begin = time.perf_counter()
            opened.press(KEYS[number % 2])
            opened.until(re.compile(b""), DEADLINE)
            keys.append((time.perf_counter() - begin) * 1e3)
        while opened.is_reading():
            time.sleep(CHECK_SECONDS)
        opened.settled()
        return Found(first, opened.cpu() - before, keys)
    finally:
        opened.close()


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the key that asks who is in a cell.", allow_abbrev=False)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--megabytes", type=float, default=400.0)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"one of {' '.join(KINDS)}; default: all")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        compiled_in(Path(folder))
        for kind in options.kinds or KINDS:
            path = Path(folder) / f"{kind}.txt"
            with path.open("wb") as file:
                file.writelines(text(kind, round(options.megabytes * 1e6)))
            once = [sys.executable, "-m", "pylatencymap", "replay", "--once", str(path)]
            rounds = [(cpu_of(once), measured(path)) for _ in range(options.runs)]
            whole = median(cost for cost, _ in rounds)
            first = median(found.first for _, found in rounds)
            answer = median(found.whole for _, found in rounds)
            keys = sorted(one for _, found in rounds for one in found.keys)
            slow = f"{median(keys):.0f} ms, 90 % within {quantiles(keys, n=10)[-1]:.0f} ms" if len(keys) > 1 else "none"
            print(f"{kind}: {path.stat().st_size / 1e6:.0f} MB, replay --once {whole:.2f} s")
            verdict = "met" if first <= GOAL * whole else "MISSED"
            print(f"  first rows   {first:.2f} s, {first / whole:.2f} times: {verdict}")
            print(f"  whole answer {answer:.2f} s, {answer / whole:.2f} times")
            print(f"  keys         {slow}", flush=True)
            path.unlink()


if __name__ == "__main__":
    main()

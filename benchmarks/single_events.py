"""What it costs to ask who is in a cell of a large file, against `replay --once` of the same file.

    .venv/bin/python benchmarks/single_events.py [--runs N] [--megabytes N]

The cell is two seconds in the middle of the file, and one octave of latencies. The sums of the answer are compared with
what `convert --to jsonl` counts there before anything is timed. CPU time of all processes.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from lines import KINDS, text
from measure import compiled_in

GOAL = 1.5
CELLS = {"ns": (2**22 * 1e-9, 2**23 * 1e-9), "us": (2**12 * 1e-6, 2**13 * 1e-6), "ms": (4e-3, 8e-3)}
"""An octave of each unit, in seconds."""
FIRST_ROWS = r"""
import resource, sys
from pylatencymap.events import EventFile, EventQuestion
from pylatencymap.session.input import ReadPlan
path, first, last, low, high = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), float(sys.argv[5])
with EventFile(path, ReadPlan()) as file:
    for found in file.read(EventQuestion(first, last, low, high)):
        if found.total.events:
            break
"""
"""Ends when the first rows are there: what it costs is what the user waits for."""
WHOLE = FIRST_ROWS.replace("break", "pass")


def cpu_of(argv: list[str]) -> float:
    """CPU seconds of a command and its processes. Ends the benchmark where it fails."""
    child = subprocess.Popen(argv, stdout=subprocess.DEVNULL, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(argv[2:])}: exit status {child.returncode}")
    return usage.ru_utime + usage.ru_stime


def commands(path: Path, first: int, cell: tuple[float, float]) -> dict[str, list[str]]:
    """What is timed; the cell begins at ``first`` on the axis of the file, in whole seconds."""
    product = [sys.executable, "-m", "pylatencymap"]
    asked = [str(path), *(str(moment * 1_000_000) for moment in (first, first + 2)), *map(str, cell)]
    return {
        "replay --once": [*product, "replay", "--once", str(path)],
        "until the first rows": [sys.executable, "-c", FIRST_ROWS, *asked],
        "the whole answer": [sys.executable, "-c", WHOLE, *asked],
    }


def middle_of(path: Path) -> tuple[int, tuple[float, float], int]:
    """A second in the middle of the file, an octave, and the events of the cell that begins there, by JSON lines."""
    lines = subprocess.run(
        [sys.executable, "-m", "pylatencymap", "convert", "--to", "jsonl", str(path)], capture_output=True, check=True
    ).stdout.splitlines()
    found = [json.loads(line) for line in lines]
    ends = sorted({one["end"] for one in found})
    first = int(ends[len(ends) // 2])
    low, high = CELLS[found[0]["unit"]]
    per_second = {"ns": 1e9, "us": 1e6, "ms": 1e3}[found[0]["unit"]]
    events = sum(
        count
        for one in found
        if first < one["end"] <= first + 2
        for lower, _, count in one["counts"]
        if low <= lower / per_second + 1e-12 and lower / per_second < high - 1e-12
    )
    return first, (low, high), events


def check(path: Path, argv: list[str], events: int) -> None:
    """End the benchmark unless the answer has these events."""
    python, option, _, *asked = argv
    code = f"{WHOLE}print(found.total.events)"
    found = int(subprocess.run([python, option, code, *asked], capture_output=True, check=True).stdout)
    if found != events:
        sys.exit(f"{path.name}: {found} events were found, and {events} counted")


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the drill-down into a cell.", allow_abbrev=False)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--megabytes", type=float, default=400.0)
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        compiled_in(Path(folder))
        for kind in KINDS:
            path = Path(folder) / f"{kind}.txt"
            with path.open("wb") as file:
                file.writelines(text(kind, round(options.megabytes * 1e6)))
            first, cell, events = middle_of(path)
            timed = commands(path, first, cell)
            check(path, timed["the whole answer"], events)
            rounds = [{name: cpu_of(argv) for name, argv in timed.items()} for _ in range(options.runs + 1)][1:]
            costs = {name: median(one[name] for one in rounds) for name in timed}
            whole = costs["replay --once"]
            print(f"{kind}: {path.stat().st_size / 1e6:.0f} MB, {events} events in the cell; CPU s, times replay")
            for name, cost in costs.items():
                goal = "" if name == "replay --once" else f"  <= {GOAL}: {'met' if cost <= GOAL * whole else 'MISSED'}"
                print(f"  {name:<22}{cost:>8.2f}{cost / whole:>8.2f}{goal}", flush=True)
            path.unlink()


if __name__ == "__main__":
    main()

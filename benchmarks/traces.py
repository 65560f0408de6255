"""How fast large SQL traces are read, against a plain loop over their lines, and against wc and grep.

    .venv/bin/python benchmarks/traces.py [--runs N] [--megabytes N]

The loop and the scans do the same work: each wait into a histogram of its event and second, its time summed. What they
print is compared before anything is timed. ``replay --once`` is the whole command, picture included.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from measure import compiled_in

HERE = Path(__file__).parent
NAMES = (
    "db file scattered read",
    "log file sync",
    "direct path read",
    "SQL*Net message from client",
    "gc cr grant 2-way",
)
FIRST_TIM = 1_769_850_000_000_000
LOOP = r"""
import re, sys
wait = re.compile(rb"WAIT #\d+: nam='([^']*)' ela= ?(\d+) .* tim=(\d+)$").match
bins = {}
for line in open(sys.argv[1], "rb"):
    found = wait(line)
    if found:
        name, ela, tim = found.groups()
        ela = int(ela)
        key = int(tim) // 1000000, name
        cell = bins.get(key)
        if cell is None:
            cell = bins[key] = [0, {}]
        cell[0] += ela
        octave = ela.bit_length()
        cell[1][octave] = cell[1].get(octave, 0) + 1
print(sum(sum(cell[1].values()) for cell in bins.values()), sum(cell[0] for cell in bins.values()))
"""
SCAN = r"""
import os, sys
from pylatencymap import registry
from pylatencymap.bulk.events import BulkReader
from pylatencymap.bulk.oracle_trace import OracleTraceScan
from pylatencymap.collector import Known
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.report import Report
file = os.open(sys.argv[1], os.O_RDONLY)
reader = BulkReader(file, os.fstat(file).st_size, OracleTraceScan(), TimeOptions(), int(sys.argv[2]))
print(*reader.count(registry.load("oracle_trace"), Report("trace"), Known()))
"""


class Case(NamedTuple):
    """A command; ``cpu`` and ``wall`` are the least factors by which it has to be faster than the line loop."""

    name: str
    argv: list[str]
    cpu: float | None = None
    wall: float | None = None


def trace(megabytes: float, dense: bool, seed: int = 7) -> Iterator[str]:
    """Lines of a trace: nearly all of them waits for one event, or a quarter of them among calls, SQL and others."""
    rng = Random(seed)
    tim, left = FIRST_TIM, round(megabytes * 1e6)
    while left > 0:
        tim += rng.randrange(100, 12_000)
        ela = rng.choice((rng.randrange(100, 1100), rng.randrange(3000, 15_000), rng.randrange(3000, 15_000)))
        lines = [_wait("db file sequential read", ela, tim, rng)]
        if dense:
            if rng.random() < 0.03:
                lines.append(_call(tim, rng))
        else:
            for _ in range(rng.randrange(6)):
                lines.append(_wait(rng.choice(NAMES), ela // 3, tim, rng) if rng.random() < 0.3 else _call(tim, rng))
        text = "\n".join(lines) + "\n"
        left -= len(text)
        yield text


def _wait(name: str, ela: int, tim: int, rng: Random) -> str:
    block = rng.randrange(28_000_000, 31_000_000)
    return f"WAIT #46929157733848: nam='{name}' ela= {ela} file#=7 block#={block} blocks=1 obj#=82008 tim={tim}"


def _call(tim: int, rng: Random) -> str:
    return rng.choice(
        (
            f"FETCH #46929157733848:c=0,e={rng.randrange(5000)},p=0,cr=4,cu=0,mis=0,r=1,dep=1,og=1,plh=1,tim={tim}",
            "SELECT /*+ index(t) */ t.col_a, sum(t.amount) FROM sales_fact t WHERE t.custid > :B1 and t.region = 'CH'",
            f" Bind#0\n  oacdty=02 mxl=22(22) mxlc=00 mal=00 scl=00 pre=00\n  value={rng.randrange(10**6)}",
        )
    )


def run(case: Case, output: Path) -> tuple[float, float, int]:
    """Wall seconds, CPU seconds, and the most memory that was resident, in KiB. Ends the benchmark where it fails."""
    with output.open("wb") as out:
        before = os.times()
        child = subprocess.Popen(case.argv, stdout=out)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{case.name}: exit status {child.returncode}")
    return os.times().elapsed - before.elapsed, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def cases(path: str, dense: bool) -> list[Case]:
    python, product = sys.executable, [sys.executable, "-m", "pylatencymap", "replay", "--once", path]
    return [
        Case("line loop, one regex", [python, "-c", LOOP, path]),
        Case("scan, 1 thread", [python, "-c", SCAN, path, "1"], cpu=8 if dense else 6),
        Case("scan, 2 threads", [python, "-c", SCAN, path, "2"], wall=12 if dense else 9),
        Case("replay --once, 2 threads", product),
        Case("grep -c -F", ["grep", "-c", "-F", "nam='db file sequential read'", path]),
        Case("wc -l", ["wc", "-l", path]),
    ]


def measured(timed: list[Case], runs: int, output: Path) -> dict[str, tuple[float, float, int]]:
    """Medians over rounds in which each runs once, after one round that does not count."""
    rounds = [{case.name: run(case, output) for case in timed} for _ in range(runs + 1)][1:]
    return {
        case.name: (
            median(one[case.name][0] for one in rounds),
            median(one[case.name][1] for one in rounds),
            max(one[case.name][2] for one in rounds),
        )
        for case in timed
    }


def table(timed: list[Case], found: dict[str, tuple[float, float, int]], size: int) -> str:
    loop = found[timed[0].name]
    lines = [
        f"{'median of each':<26} {'wall s':>7} {'CPU s':>7} {'MB/s':>6} {'wall x':>7} {'CPU x':>7} {'MiB':>5}  goal"
    ]
    for case in timed:
        wall, cpu, memory = found[case.name]
        goals = [
            f"{what} {goal:g} {'met' if ratio >= goal else 'MISSED'}"
            for what, goal, ratio in (("CPU", case.cpu, loop[1] / cpu), ("wall", case.wall, loop[0] / wall))
            if goal is not None
        ]
        lines.append(
            f"{case.name:<26} {wall:>7.2f} {cpu:>7.2f} {size / wall / 1e6:>6.0f} {loop[0] / wall:>7.1f} "
            f"{loop[1] / cpu:>7.1f} {memory / 1024:>5.0f}  {', '.join(goals)}"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the reading of large SQL traces.", allow_abbrev=False)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--megabytes", type=float, default=400.0)
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        compiled_in(Path(folder))
        output = Path(folder) / "output"
        for kind in ("dense", "mixed"):
            path = Path(folder) / f"{kind}.trc"
            with path.open("w") as file:
                file.writelines(trace(options.megabytes, kind == "dense"))
            timed = cases(str(path), kind == "dense")
            told = set()
            for case in timed[:3]:
                run(case, output)
                told.add(output.read_text())
            if len(told) != 1:
                sys.exit(f"loop and scans do not agree: {told}")
            print(f"{kind}: {path.stat().st_size / 1e6:.0f} MB, {told.pop().split()[0]} waits")
            print(table(timed, measured(timed, options.runs, output), path.stat().st_size), flush=True)
            path.unlink()


if __name__ == "__main__":
    main()

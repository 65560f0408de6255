"""How fast large SQL traces are read, against a plain loop over their lines, and against wc and grep.

    .venv/bin/python benchmarks/traces.py [--runs N] [--megabytes N]

The loop and the scans do the same work: each wait into a histogram of its event and second, its time summed. What they
print is compared before anything is timed. ``replay --once`` is the whole command, picture included. All of them run
without the threads of OpenBLAS, which the command does without, too.
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
from time import perf_counter
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
from pylatencymap.scan import FileScanner, FileToScan, Fit, PlainChunks
from pylatencymap.collector import Known
from pylatencymap.collectors import oracle_trace
from pylatencymap.collectors.oracle_trace.scan import OracleTraceScan
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.report import Report
file = os.open(sys.argv[1], os.O_RDONLY)
chunks = PlainChunks(file, os.fstat(file).st_size, int(sys.argv[2]))
reader = FileScanner(FileToScan(chunks, Fit(OracleTraceScan()), TimeOptions()))
print(*reader.count(oracle_trace, Report("trace"), Known()))
"""
SCAN_NAME, COMMAND_NAME, GREP_NAME = "scan, 2 processes", "replay --once", "grep -c -F"
MOST_GREPS, MOST_MEGABYTES = 6, 100


class Case(NamedTuple):
    """A command; ``cpu`` and ``wall`` are the least factors by which it has to be faster than the line loop. ``greps``
    is the most times the wall time of grep that it may take, ``megabytes`` the most memory.
    """

    name: str
    argv: list[str]
    cpu: float | None = None
    wall: float | None = None
    greps: float | None = None
    megabytes: float | None = None


class Cost(NamedTuple):
    """Wall seconds, CPU seconds, and the most memory that was resident, in MB."""

    wall: float
    cpu: float
    megabytes: float


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


def run(case: Case, output: Path) -> Cost:
    """What one run costs. Ends the benchmark where it fails."""
    with output.open("wb") as out:
        before = perf_counter()
        child = subprocess.Popen(case.argv, stdout=out, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{case.name}: exit status {child.returncode}")
    return Cost(perf_counter() - before, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6)


def cases(path: str, dense: bool) -> list[Case]:
    python = sys.executable
    whole = [python, "-m", "pylatencymap", "replay", "--once", "--jobs", "2", path]
    return [
        Case("line loop, one regex", [python, "-c", LOOP, path]),
        Case("scan, 1 process", [python, "-c", SCAN, path, "1"], cpu=8 if dense else 6),
        Case(
            SCAN_NAME,
            [python, "-c", SCAN, path, "2"],
            wall=12 if dense else 9,
            greps=MOST_GREPS,
            megabytes=MOST_MEGABYTES,
        ),
        Case(COMMAND_NAME, whole, megabytes=MOST_MEGABYTES),
        Case("report", [python, "-m", "pylatencymap", "report", "--jobs", "2", path]),
        Case(GREP_NAME, ["grep", "-c", "-F", "nam='db file sequential read'", path]),
        Case("wc -l", ["wc", "-l", path]),
    ]


def measured(timed: list[Case], runs: int, output: Path) -> dict[str, Cost]:
    """Medians over rounds in which each runs once, after one round that does not count; of memory the most."""
    rounds = [{case.name: run(case, output) for case in timed} for _ in range(runs + 1)][1:]
    return {
        case.name: Cost(
            median(one[case.name].wall for one in rounds),
            median(one[case.name].cpu for one in rounds),
            max(one[case.name].megabytes for one in rounds),
        )
        for case in timed
    }


def goals(case: Case, found: dict[str, Cost], loop: Cost) -> str:
    """Which goals of a case are met."""
    cost = found[case.name]
    least = (("CPU", case.cpu, loop.cpu / cost.cpu), ("wall", case.wall, loop.wall / cost.wall))
    most = (("grep", case.greps, cost.wall / found[GREP_NAME].wall), ("MB", case.megabytes, cost.megabytes))
    judged = [(f"{what} >= {goal:g}x", value >= goal) for what, goal, value in least if goal is not None]
    judged += [(f"{what} <= {goal:g}", value <= goal) for what, goal, value in most if goal is not None]
    return ", ".join(f"{goal} {'met' if met else 'MISSED'}" for goal, met in judged)


def table(timed: list[Case], found: dict[str, Cost], size: int) -> str:
    """One line for each case; the first one is the loop, and grep is among them."""
    loop, grep = found[timed[0].name], found[GREP_NAME]
    heads = ("wall s", "CPU s", "MB/s", "wall x", "CPU x", "greps", "MB")
    lines = [f"{'median of each':<22}{''.join(f'{head:>8}' for head in heads)}  goals"]
    for case in timed:
        wall, cpu, megabytes = found[case.name]
        lines.append(
            f"{case.name:<22}{wall:>8.2f}{cpu:>8.2f}{size / wall / 1e6:>8.0f}{loop.wall / wall:>8.1f}"
            f"{loop.cpu / cpu:>8.1f}{wall / grep.wall:>8.1f}{megabytes:>8.0f}  {goals(case, found, loop)}".rstrip()
        )
    return "\n".join(lines)


def after_the_scan(found: dict[str, Cost]) -> str:
    """What the whole command does besides."""
    command, scan = found[COMMAND_NAME].wall, found[SCAN_NAME].wall
    return f"{COMMAND_NAME}: {command - scan:.2f} s of {command:.2f} s are not the scan"


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
            found = measured(timed, options.runs, output)
            print(table(timed, found, path.stat().st_size), after_the_scan(found), sep="\n", flush=True)
            path.unlink()


if __name__ == "__main__":
    main()

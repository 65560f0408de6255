"""Wall times of commands, interleaved, so that a busy machine is busy for all of them."""

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median


@dataclass(frozen=True)
class Case:
    """A command to time; ``goal`` is the highest ratio to the first case that is wanted, None for no goal."""

    name: str
    argv: list[str]
    stdin: Path | None = None
    goal: float | None = None


def compiled_in(folder: Path) -> None:
    """Let the commands keep bytecode there, whatever the environment says: an installed package has its own."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(folder)


def run(case: Case, *, keep: bool = False) -> tuple[float, bytes]:
    """Seconds, and the output if it is kept (else it goes to the null device). Ends the benchmark where it fails."""
    with open(case.stdin or "/dev/null", "rb") as source:
        begin = time.perf_counter()
        done = subprocess.run(
            case.argv, stdin=source, stdout=subprocess.PIPE if keep else subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        seconds = time.perf_counter() - begin
    if done.returncode:
        sys.exit(f"{case.name}: exit status {done.returncode}\n{done.stderr.decode(errors='replace')}")
    return seconds, done.stdout or b""


def interleaved(cases: list[Case], runs: int) -> dict[str, float]:
    """Median seconds of each case over rounds in which each runs once, after one round that does not count."""
    rounds = [{case.name: run(case)[0] for case in cases} for _ in range(runs + 1)][1:]
    return {case.name: median(one[case.name] for one in rounds) for case in cases}


def table(cases: list[Case], medians: dict[str, float]) -> str:
    """One line a case: milliseconds, the ratio to the first case, the goal and whether it is met."""
    reference = medians[cases[0].name]
    lines = [f"{'median of each':<34} {'ms':>9} {'ratio':>7}  goal"]
    for case in cases:
        ratio = medians[case.name] / reference
        goal = "" if case.goal is None else f"  {case.goal:g} {'met' if ratio <= case.goal else 'MISSED'}"
        lines.append(f"{case.name:<34} {medians[case.name] * 1e3:>9.1f} {ratio:>7.2f}{goal}")
    return "\n".join(lines)

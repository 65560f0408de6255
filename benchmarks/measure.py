"""Times of commands, interleaved, so that a busy machine is busy for all of them."""

import fcntl
import os
import pty
import re
import resource
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import NamedTuple

READ_BYTES = 1 << 16


class Times(NamedTuple):
    """Seconds that a command took, and those of its CPU time, user and system."""

    wall: float
    cpu: float


@dataclass(frozen=True)
class Case:
    """A command to time; ``goal`` is the highest ratio to the case named ``against`` (empty: the first case) that is
    wanted, None for no goal. With ``until``, a regular expression, the command runs on a pseudo-terminal, and what is
    timed is how long it takes until its output matches; then it is killed.
    """

    name: str
    argv: list[str]
    stdin: Path | None = None
    goal: float | None = None
    against: str = ""
    until: bytes = b""


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


def terminal(columns: int, lines: int) -> tuple[int, int]:
    """Our end and the command's end of a new pseudo-terminal of this size."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    return ours, theirs


def terminal_environment() -> dict[str, str]:
    """The environment of a command on a terminal of 256 colours."""
    quiet = {"NO_COLOR", "COLORTERM", "CLICOLOR_FORCE"}
    return {name: value for name, value in os.environ.items() if name not in quiet} | {"TERM": "xterm-256color"}


def read_until_closed(descriptor: int, take: Callable[[bytes], bool]) -> None:
    """Read our end of a pseudo-terminal until the command has closed its end, or ``take`` of a piece returns true."""
    while True:
        try:
            data = os.read(descriptor, READ_BYTES)
        except OSError:  # Linux: nobody has the other end open any more
            return
        if not data or take(data):
            return


def seconds_until(case: Case) -> float:
    """Seconds until a command has written to its terminal what it should. Ends the benchmark if it never does."""
    ours, theirs = terminal(120, 40)
    seen, wanted = bytearray(), re.compile(case.until, re.DOTALL)

    def has_come(data: bytes) -> bool:
        seen.extend(data)
        return wanted.search(seen) is not None

    begin = time.perf_counter()
    process = subprocess.Popen(
        case.argv, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env=terminal_environment(), close_fds=True
    )
    os.close(theirs)
    read_until_closed(ours, has_come)
    seconds = time.perf_counter() - begin
    process.kill()
    process.wait()
    os.close(ours)
    if not wanted.search(seen):
        sys.exit(f"{case.name}: {case.until!r} never came\n{seen[-500:].decode(errors='replace')}")
    return seconds


def interleaved(cases: list[Case], runs: int) -> dict[str, list[Times]]:
    """Times of each case over rounds in which each runs once, after one round that does not count."""
    rounds = [{case.name: _times(case) for case in cases} for _ in range(runs + 1)]
    return {case.name: [one[case.name] for one in rounds[1:]] for case in cases}


def _times(case: Case) -> Times:
    before = _cpu_of_children()
    wall = seconds_until(case) if case.until else run(case)[0]
    return Times(wall, _cpu_of_children() - before)


def _cpu_of_children() -> float:
    """Seconds of user and system of all commands that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def median_seconds(times: list[Times]) -> float:
    """The median of the wall times."""
    return median(one.wall for one in times)


def table(cases: list[Case], found: Mapping[str, list[Times]]) -> str:
    """One line a case: milliseconds, their ratios to those of the reference, and the goal.

    Other processes lengthen wall times, and these of long commands more often than of short ones; CPU times they hardly
    touch. Nothing here waits for anything but the CPU, so the least CPU times decide.
    """
    lines = [f"{'':<28} {'wall: median ms':>15} {'ratio':>6}   {'CPU: least ms':>13} {'ratio':>6}  goal"]
    for case in cases:
        own, reference = found[case.name], found[case.against or cases[0].name]
        wall, cpu = median_seconds(own), min(one.cpu for one in own)
        ratio = cpu / min(one.cpu for one in reference)
        goal = "" if case.goal is None else f"  {case.goal:g} {'met' if ratio <= case.goal else 'MISSED'}"
        if goal and case.against:
            goal += f" of {case.against}"
        walls = f"{wall * 1e3:>15.1f} {wall / median_seconds(reference):>6.2f}"
        lines.append(f"{case.name:<28} {walls}   {cpu * 1e3:>13.1f} {ratio:>6.2f}{goal}")
    return "\n".join(lines)

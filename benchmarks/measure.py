"""Wall times of commands, interleaved, so that a busy machine is busy for all of them."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

READ_BYTES = 1 << 16


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


def interleaved(cases: list[Case], runs: int) -> dict[str, list[float]]:
    """Seconds of each case over rounds in which each runs once, after one round that does not count."""
    rounds = [{case.name: _seconds(case) for case in cases} for _ in range(runs + 1)]
    return {case.name: [one[case.name] for one in rounds[1:]] for case in cases}


def _seconds(case: Case) -> float:
    return seconds_until(case) if case.until else run(case)[0]


def table(cases: list[Case], seconds: Mapping[str, list[float]]) -> str:
    """One line a case: least and median milliseconds, the ratios of both to those of the reference, and the goal.

    Other processes can only add to a time: on a busy machine the ratio of the least times is nearer to the truth than
    that of the medians, and decides.
    """
    lines = [f"{'':<28} {'least ms':>9} {'median ms':>9} {'ratio: least':>13} {'medians':>8}  goal"]
    for case in cases:
        reference = seconds[case.against or cases[0].name]
        least, middle = (least_or_median(seconds[case.name]) for least_or_median in (min, median))
        ratio = least / min(reference)
        goal = "" if case.goal is None else f"  {case.goal:g} {'met' if ratio <= case.goal else 'MISSED'}"
        if goal and case.against:
            goal += f" of {case.against}"
        times = f"{case.name:<28} {least * 1e3:>9.1f} {middle * 1e3:>9.1f}"
        lines.append(f"{times} {ratio:>13.2f} {middle / median(reference):>8.2f}{goal}")
    return "\n".join(lines)

"""A long watch: ``make soak HOURS=0.5 HZ=50 SERIES=4 HISTORY_MB=8``.

First a day of records, one a second and series, as fast as they are read, into one picture and a recording. Then the
live view on a pseudo-terminal, fed in real time by a source of HZ snapshots a second, with a recording. Memory, CPU,
descriptors and threads are told by tenths of the way. Exit status 1 if memory still grows when the history is full, a
descriptor stays open, the work per record grows, or a record is lost.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PROGRAM = (sys.executable, "-m", "pylatencymap")
SIZE = (120, 40)
DAY = 86_400
SAMPLES = 100
"""How often a process is looked at, about."""
WARM_SHARE = 0.7
"""The part of the way in which the history fills."""
GROWTH_MB, GROWTH_SHARE = 3.0, 0.04
"""Memory may grow by this after that: by so many MB, or by this share."""
SLOWER = 1.5
"""CPU per record may grow by this factor."""
LAST_SECONDS = 120.0
"""How long a source that has ended may take to be drawn and recorded."""
ANSWERS = {b"\x1b[5n": b"\x1b[0n", b"\x1b[6n": b"\x1b[2;2R", b"\x1b]11;?": b"\x1b]11;rgb:0000/0000/0000\x1b\\"}
BUCKETS = range(4, 16)
BEGIN = 1_700_000_000


# The source.


def print_records(rounds: int, series: int, hertz: float) -> None:
    """Print so many snapshots of so many series: ``hertz`` a second, or as fast as they are read if that is 0."""
    begin = time.monotonic()
    for number in range(rounds):
        if hertz and (left := begin + number / hertz - time.monotonic()) > 0:
            time.sleep(left)
        sys.stdout.write("".join(_record(number, one, hertz or 1.0) for one in range(series)))
        if hertz:
            sys.stdout.flush()


def _record(number: int, series: int, hertz: float) -> str:
    counts = "".join(f"{1 << bucket},{number * (bucket + series) % 1000 + number * 1000}\n" for bucket in BUCKETS)
    stamp = BEGIN * 1_000_000 + round(number * 1_000_000 / hertz)
    head = f"timestamp,microsec,{stamp},x\nlabel,disk{series}\nlatencyunit,microsec\ndatasource,bpf\n"
    return f"<begin record>\n{head}{counts}<end record>\n"


def _source(rounds: int, series: int, hertz: float) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "tests.trust.soak", "--print", str(rounds), str(series), str(hertz)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, cwd=ROOT)


# What a process uses.


class Use(NamedTuple):
    """What a process uses at a moment: ``cpu`` in seconds, and how many bytes it has recorded."""

    seconds: float
    cpu: float
    rss_mb: float
    descriptors: int
    threads: int
    recorded: int


def use_of(pid: int, begin: float, recording: Path) -> Use | None:
    """What a process uses now; None if it has ended, or not begun to record."""
    folder = Path(f"/proc/{pid}")
    try:
        stat = (folder / "stat").read_text().rpartition(")")[2].split()
        status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
        recorded = recording.stat().st_size
        cpu = (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")
        rss, threads = int(status["VmRSS"].split()[0]) / 1024, int(status["Threads"])
        return Use(time.monotonic() - begin, cpu, rss, len(os.listdir(folder / "fd")), threads, recorded)
    except (OSError, KeyError, IndexError):
        return None


class Watched(NamedTuple):
    """A run: what the process used, its exit status, the records that were sent and the recording."""

    uses: list[Use]
    status: int
    rounds: int
    series: int
    recording: Path
    live: bool = False


def tenths(uses: list[Use]) -> list[Use]:
    """What was used at each tenth of the way."""
    end = uses[-1].recorded
    return [next(use for use in uses if use.recorded >= end * part / 10) for part in range(1, 11)]


# The two runs.


def fast(folder: Path, seconds: int, series: int, history_mb: float) -> Watched:
    """Records of so many seconds, as fast as they are read, into one picture and a recording."""
    recording, begin = folder / "fast.lmap", time.monotonic()
    source = _source(seconds, series, 0.0)
    words = [*PROGRAM, "--once", "--depth", "ascii", "--history-mb", str(history_mb), "--record", str(recording)]
    with (folder / "fast.txt").open("wb") as output:
        program = subprocess.Popen(words, stdin=source.stdout, stdout=output, cwd=ROOT)
    assert source.stdout is not None
    source.stdout.close()
    uses: list[Use] = []
    while program.poll() is None:
        if (use := use_of(program.pid, begin, recording)) is not None and use.recorded:
            uses.append(use)
        time.sleep(0.1)
    source.wait()
    return Watched(uses, program.returncode, seconds, series, recording)


def live(folder: Path, seconds: float, hertz: float, series: int, history_mb: float, rounds: int = 0) -> Watched:
    """The live view on a pseudo-terminal. ``hertz`` 0: ``rounds`` snapshots as fast as they are read."""
    rounds = rounds or round(seconds * hertz)
    recording, begin = folder / "live.lmap", time.monotonic()
    source = _source(rounds, series, hertz)
    terminal, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
    words = [*PROGRAM, "--history-mb", str(history_mb), "--record", str(recording)]
    surroundings = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
    program = subprocess.Popen(
        *(words,),
        stdin=source.stdout,
        stdout=slave,
        stderr=slave,
        cwd=ROOT,
        env=surroundings,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(1, termios.TIOCSCTTY, 0),
    )
    os.close(slave)
    assert source.stdout is not None
    source.stdout.close()
    uses = _watched(program, source, terminal, max(0.2, seconds / SAMPLES), begin, recording, rounds * series)
    os.close(terminal)
    return Watched(uses, program.returncode, rounds, series, recording, live=True)


def _watched(
    program: subprocess.Popen[bytes],
    source: subprocess.Popen[bytes],
    terminal: int,
    every: float,
    begin: float,
    recording: Path,
    sent: int,
) -> list[Use]:
    """What the view used while the source ran; then it is told to quit."""
    uses: list[Use] = []
    while source.poll() is None and program.poll() is None:
        _answer(terminal, every)
        use = use_of(program.pid, begin, recording)
        if use is not None and use.recorded and (not uses or use.seconds - uses[-1].seconds >= every):
            uses.append(use)
    deadline = time.monotonic() + LAST_SECONDS
    while program.poll() is None and records_in(recording).total() < sent and time.monotonic() < deadline:
        _answer(terminal, 0.5)
    while program.poll() is None and time.monotonic() < deadline:
        os.write(terminal, b"q")
        _answer(terminal, 0.5)
    program.kill()
    program.wait()
    return uses


def _answer(terminal: int, seconds: float) -> None:
    """Read what the view paints for so long, and answer what it asks."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        if not select.select([terminal], [], [], left)[0]:
            return
        try:
            painted = os.read(terminal, 1 << 16)
        except OSError:  # the other end is closed: the view has ended
            time.sleep(min(left, 0.05))
            return
        for question, answer in ANSWERS.items():
            os.write(terminal, answer * painted.count(question))


# The judgement.


def records_in(recording: Path) -> Counter[str]:
    """The records of each series in a recording."""
    if not recording.exists():
        return Counter()
    with recording.open(encoding="utf-8") as lines:
        return Counter(line[6:-1] for line in lines if line.startswith("label,"))


def wrong_with(run: Watched, *, is_long: bool = True) -> Iterator[str]:
    """What must hold and does not. ``is_long``: long enough to tell what grows from what starts."""
    if run.status:
        yield f"exit status {run.status}"
    recorded = records_in(run.recording)
    if recorded != Counter({f"disk{one}": run.rounds for one in range(run.series)}):
        yield f"{run.rounds} records of each of {run.series} series were sent, and {dict(recorded)} recorded"
    else:
        yield from _wrong_counts(run)
    if not run.uses:
        yield "the process was never seen"
        return
    if is_long:
        yield from _wrong_growth(run)


def _wrong_counts(run: Watched) -> Iterator[str]:
    """The last record of each series holds the counts that were sent last."""
    size = 64 + len(_record(run.rounds, 0, 1.0)) * run.series * 2
    end = run.recording.read_bytes()[-size:].decode()
    for one in range(run.series):
        counts = _record(run.rounds - 1, one, 1.0).partition("datasource,bpf\n")[2]
        if f"label,disk{one}\nlatencyunit,microsec\ndatasource,bpf\n{counts}" not in end:
            yield f"the last counts of disk{one} are not those that were sent"


def _wrong_growth(run: Watched) -> Iterator[str]:
    part = run.uses[-1].recorded / 10
    early = max(use.descriptors for use in run.uses if part <= use.recorded <= 5 * part)
    late = max(use.descriptors for use in run.uses if use.recorded >= 5 * part)
    if late > early:
        yield f"{late} descriptors are open in the second half, {early} before"
    full = [use for use in run.uses if use.recorded >= run.uses[-1].recorded * WARM_SHARE]
    grown = full[-1].rss_mb - full[0].rss_mb
    if grown > max(GROWTH_MB, full[0].rss_mb * GROWTH_SHARE):
        yield f"memory grew by {grown:.1f} MB when the history was full"
    if run.live:
        return  # the more CPU the view gets, the more pictures it draws
    costs = cpu_per_record(run)
    first, last = mean(costs[1:4]), mean(costs[7:])
    if last > SLOWER * first:
        yield f"a record costs {last:.0f} us of CPU at the end, {first:.0f} us at the beginning"


def cpu_per_record(run: Watched) -> list[float]:
    """Microseconds of CPU per record, by tenths of the way."""
    parts = [run.uses[0], *tenths(run.uses)]
    each = run.rounds * run.series / max(run.uses[-1].recorded - run.uses[0].recorded, 1)
    return [
        (after.cpu - before.cpu) * 1e6 / max((after.recorded - before.recorded) * each, 1.0)
        for before, after in pairwise(parts)
    ]


def told(name: str, run: Watched, wrong: list[str]) -> str:
    """All that was measured, as text."""
    last = run.uses[-1]
    return "\n".join(
        [
            f"{name}: {run.rounds * run.series} records sent, {records_in(run.recording).total()} recorded, "
            f"{last.seconds:.0f} s, {last.cpu:.1f} s of CPU ({last.cpu / last.seconds:.2f} of a core)",
            "  MB of memory by tenths: " + " ".join(f"{use.rss_mb:.1f}" for use in tenths(run.uses)),
            "  us of CPU a record by tenths: " + " ".join(f"{cost:.0f}" for cost in cpu_per_record(run)),
            f"  descriptors {min(use.descriptors for use in run.uses)} to {max(use.descriptors for use in run.uses)}, "
            f"threads {min(use.threads for use in run.uses)} to {max(use.threads for use in run.uses)}",
            *(f"  WRONG: {what}" for what in wrong),
            *([] if wrong else ["  flat, and nothing lost"]),
        ]
    )


def main() -> int:
    """Run with the arguments of the command line; the exit status."""
    words = argparse.ArgumentParser(prog="python -m tests.trust.soak", description="A long watch of the live view.")
    words.add_argument("--hours", type=float, default=0.5, help="of the live view; 0: none; default: 0.5")
    words.add_argument("--hz", type=float, default=50.0, help="snapshots a second; default: 50")
    words.add_argument("--series", type=int, default=4, help="default: 4")
    words.add_argument("--history-mb", type=float, default=8.0, help="as of pylatencymap; default: 8")
    words.add_argument("--days", type=float, default=1.0, help="of records read at once; 0: none; default: 1")
    words.add_argument("--print", nargs=3, metavar=("ROUNDS", "SERIES", "HZ"), help=argparse.SUPPRESS)
    options = words.parse_args()
    if options.print:
        print_records(int(options.print[0]), int(options.print[1]), float(options.print[2]))
        return 0
    failed = False
    with tempfile.TemporaryDirectory(prefix="soak") as name:
        folder, series, history = Path(name), options.series, options.history_mb
        if options.days:
            run = fast(folder, round(options.days * DAY), series, history)
            wrong = list(wrong_with(run))
            print(told(f"{options.days:g} days at 1 Hz x {series} series, as fast as read", run, wrong), flush=True)
            failed = failed or bool(wrong)
        if options.hours:
            run = live(folder, options.hours * 3600, options.hz, series, history)
            wrong = list(wrong_with(run))
            print(told(f"{options.hours:g} h live at {options.hz:g} Hz x {series} series", run, wrong))
            failed = failed or bool(wrong)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

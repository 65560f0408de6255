"""What it costs to read the streams of many hosts at once, as ``pylatencymap merge`` does, without drawing.

.venv/bin/python benchmarks/hosts.py [--hosts N] [--seconds S] [--series N] [--text]

Each host is a pipe that gets what a host prints in a second, at a moment of its own: two series as ``collect bpf``
prints them, or text of biolatency. CPU time of the process that reads, between two moments, start-up left out, and the
intervals that it yields; of the same records in a file for comparison.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pylatencymap.record import KEPT, Clock, Record, Semantics, Stamp, Tick
from pylatencymap.stream import StreamWriter
from pylatencymap.units import Unit

GOAL = 0.10
"""Of a core, at 1,000 hosts."""
SETTLED = 30
"""Seconds after which start-up is over."""
STARTED_A_SECOND = 50
PROGRAM = """
import sys, threading, time
from pylatencymap.hosts import HostCommand, ManyHosts
from pylatencymap.session.input import ReadPlan, StopRequest
folder, number = sys.argv[1], int(sys.argv[2])
hosts = [HostCommand(f"host{at}", f"exec cat {folder}/{at}") for at in range(number)]
said = []
many = ManyHosts(hosts, ReadPlan(), StopRequest(), said.append)
events = intervals = 0
threading.Thread(target=lambda: (sys.stdin.readline(), many.stop.set()), daemon=True).start()
for one in many.intervals(lambda _: None):
    intervals += 1
    events += one.events
many.close()
with open("/proc/self/status") as status:
    peak = next(line.split()[1] for line in status if line.startswith("VmHWM"))
print(intervals, events, peak, len(said), said[:1])
"""
FILE_PROGRAM = """
import sys, time
import pylatencymap.session.input.pipeline
from pylatencymap.report import Report
from pylatencymap.session.input import ReadPlan, StopRequest, intervals_from, open_source
begun = time.process_time()
found = intervals_from(open_source(sys.argv[1], StopRequest()), ReadPlan(), Report("x"), print)
number = sum(1 for _ in found)
print(number, time.process_time() - begun)
"""
BUCKETS = tuple((128 << row, 256 << row, 100 + row) for row in range(8))
"""Those of bpf are narrower: four of its ranges lie in one of these."""
FINE = tuple(
    (lower + quarter * lower // 4, lower + (quarter + 1) * lower // 4, 20 + quarter)
    for lower, *_ in BUCKETS
    for quarter in range(4)
)
MICROS = 10**6
STAMP = 1_700_000_000 * MICROS
CLOCK = "12:00:00"
"""The first stamp of records, and that of all texts. Each host puts its own in their place."""


class Printed:
    """What each host prints in a second: records of so many series as ``pylatencymap collect bpf`` prints them, or text
    as of ``biolatency -D -T 1``.
    """

    def __init__(self, series: int, *, as_text: bool) -> None:
        self.series, self.as_text = series, as_text
        self.events = series * sum(count for *_, count in (BUCKETS if as_text else FINE))
        self.stamp = STAMP
        self._texts: list[str] = []
        self._writer = StreamWriter(self._texts.append)

    def second(self) -> str:
        """The text of the next second, with ``stamp`` or CLOCK as its stamp."""
        if self.as_text:
            return f"{CLOCK}\n" + "".join(_histogram(f"sd{chr(97 + number)}") for number in range(self.series))
        self._texts.clear()
        waited = sum(count * lower * 1.1e-6 for lower, _, count in FINE)
        self.stamp += MICROS
        stamp, start = Stamp(self.stamp, Clock.EPOCH), self.stamp - MICROS
        self._writer.event(Tick(stamp, start=start, kept=True))
        for number in range(self.series):
            series, label = f"sda,{number}", "block I/O service time"
            self._writer.event(
                Record(series, Unit.US, FINE, Semantics.INTERVAL, stamp, start=start, waited=waited,
                       label=label, source="bpf", flags=frozenset({KEPT}))
            )  # fmt: skip
        return "".join(self._texts)


def _histogram(disk: str) -> str:
    lines = [f"{lower:>10} -> {upper - 1:<10} : {count:<8} |{'*' * 20}|" for lower, upper, count in BUCKETS]
    return f"\ndisk = {disk}\n     usecs               : count     distribution\n" + "\n".join(lines) + "\n\n"


def cpu(process: "subprocess.Popen[bytes]") -> float:
    """Seconds of CPU that a process has used: fields 14 and 15 of proc(5) stat."""
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def stamped(text: str, before: int, micros: int) -> bytes:
    """The text of a second with another stamp than it has."""
    clock = time.strftime("%H:%M:%S", time.localtime(micros // MICROS))
    moved = text.replace(str(before), str(micros)).replace(str(before - MICROS), str(micros - MICROS))
    return moved.replace(CLOCK, clock, 1).encode()


def fed(pipes: list[int], printed: Printed, first: int, seconds: float) -> int:
    """Write what is printed in a second into each pipe, spread over the second, from ``first`` on, in microseconds;
    returns how many seconds each has got.
    """
    begin = time.monotonic()
    rounds = 0
    while rounds < seconds:
        text = printed.second()
        for at, pipe in enumerate(pipes):
            offset = rounds + at / len(pipes)
            if at % 10 == 0:
                time.sleep(max(begin + offset - time.monotonic(), 0.0))
            os.write(pipe, stamped(text, printed.stamp, first + round(offset * MICROS)))
        rounds += 1
    return rounds


def _second_of_file(printed: Printed) -> bytes:
    text = printed.second()
    return stamped(text, printed.stamp, printed.stamp)


def of_file(folder: Path, printed: Printed, seconds: int) -> float:
    """CPU seconds for each of the intervals of so many seconds in a file, record by record."""
    path = folder / "all.lmap"
    path.write_bytes(b"".join(_second_of_file(printed) for _ in range(seconds)))
    found, used = subprocess.run(
        [sys.executable, "-c", FILE_PROGRAM, str(path)], stdout=subprocess.PIPE, check=True
    ).stdout.split()
    if int(found) < (seconds - 1) * printed.series:
        sys.exit(f"{int(found)} intervals of {seconds} seconds")
    return float(used) / int(found)


def measured(folder: Path, number: int, seconds: float, printed: Printed) -> None:
    for at in range(number):
        os.mkfifo(folder / str(at))
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(folder), str(number)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    first = round(time.time() * MICROS)
    pipes: list[int] = []
    written = 0
    for second in range(SETTLED):  # the hosts are started one after the other
        pipes += [os.open(folder / str(at), os.O_WRONLY) for at in range(len(pipes), number)[:STARTED_A_SECOND]]
        fed(pipes, printed, first + second * MICROS, 1)
        written += len(pipes)
    before, begin = cpu(process), time.monotonic()
    written += number * fed(pipes, printed, first + SETTLED * MICROS, seconds)
    used = (cpu(process) - before) / (time.monotonic() - begin)
    rest = 0.0
    while cpu(process) - rest > 0.05:  # it has read what is left when it needs no time
        rest = cpu(process)
        time.sleep(2.0)
    told, _ = process.communicate(b"\n")
    intervals, events, peak, said, *_ = told.split()
    if int(intervals) != written * printed.series or int(events) != written * printed.events:
        sys.exit(f"{int(intervals)} intervals of {written * printed.series}, {told!r}")
    share = f"{100 * used:.1f} % of a core (goal {100 * GOAL:.0f} % at 1,000)"
    each = used * 1e6 / number
    print(f"{number} hosts: {share}, {int(peak) / 1024:.0f} MB, {each:.0f} us a host and second")
    print(f"{int(said)} messages")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hosts", type=int, default=1000, metavar="N")
    parser.add_argument("--seconds", type=float, default=20.0, metavar="S")
    parser.add_argument("--series", type=int, default=2, metavar="N", help="of each host; default: 2")
    parser.add_argument("--text", action="store_true", help="text of biolatency in place of records")
    options = parser.parse_args()
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with tempfile.TemporaryDirectory(prefix="hosts") as folder:
        in_file = of_file(Path(folder), Printed(options.series, as_text=options.text), 500)
        print(f"the same records in a file, one by one: {in_file * 1e6:.0f} us each")
        printed = Printed(options.series, as_text=options.text)
        measured(Path(folder), options.hosts, options.seconds, printed)


if __name__ == "__main__":
    main()

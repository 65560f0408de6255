"""What it costs to read the streams of many hosts at once, as ``pylatencymap merge`` does, without drawing.

.venv/bin/python benchmarks/hosts.py [--hosts N] [--seconds S]

Each host is a pipe that gets one record of one series a second, at a moment of its own. CPU time of the process that
reads, between two moments, start-up left out, and the intervals that it yields; of the same records in a file for
comparison.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

GOAL = 0.10
"""Of a core, at 1,000 hosts."""
SETTLED = 8.0
"""Seconds after which start-up is over."""
NOW = time.time
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
number = sum(1 for _ in intervals_from(open_source(sys.argv[1], StopRequest()), ReadPlan(), Report("x"), print))
print(number, time.process_time() - begun)
"""
BUCKETS = [[128 << row, 256 << row, 100 + row] for row in range(8)]
EVENTS = sum(count for *_, count in BUCKETS)
WAITED = sum(count * lower * 1.2e-6 for lower, _, count in BUCKETS)


def record(micros: int) -> bytes:
    """One second of one series, as ``pylatencymap collect`` prints it: 400 bytes."""
    exact = (
        f'{{"v": 1, "series": "sda", "counts": "interval", "source": "bpf", "start": {micros - 10**6}, '
        f'"time": {WAITED:g}, "buckets": {BUCKETS}}}'
    )
    head = f"timestamp,microsec,{micros},x\nlabel,sda\nlatencyunit,microsec\ndatasource,bpf"
    return f"#lmap {exact}\n<begin record>\n{head}\n<end record>\n".encode()


def cpu(process: "subprocess.Popen[bytes]") -> float:
    """Seconds of CPU that a process has used: fields 14 and 15 of proc(5) stat."""
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def fed(pipes: list[int], seconds: float) -> int:
    """Write one record a second into each pipe, spread over the second; returns how many each has got."""
    begin = time.monotonic()
    rounds = 0
    while rounds < seconds:
        for at, pipe in enumerate(pipes):
            due = begin + rounds + at / len(pipes)
            if at % 10 == 0 and due > time.monotonic():
                time.sleep(due - time.monotonic())
            os.write(pipe, record(round(NOW() * 1e6)))
        rounds += 1
    return rounds


def of_file(folder: Path, number: int) -> float:
    """CPU seconds for each of so many records in a file."""
    path = folder / "all.lmap"
    path.write_bytes(b"".join(record((1_700_000_000 + at) * 10**6) for at in range(number)))
    found, seconds = subprocess.run(
        [sys.executable, "-c", FILE_PROGRAM, str(path)], stdout=subprocess.PIPE, check=True
    ).stdout.split()
    if int(found) != number:
        sys.exit(f"{int(found)} intervals of {number} records")
    return float(seconds) / number


def measured(folder: Path, number: int, seconds: float) -> None:
    for at in range(number):
        os.mkfifo(folder / str(at))
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(folder), str(number)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    pipes = [os.open(folder / str(at), os.O_WRONLY) for at in range(number)]
    settled = fed(pipes, SETTLED)
    before, begin = cpu(process), time.monotonic()
    rounds = fed(pipes, seconds)
    used = (cpu(process) - before) / (time.monotonic() - begin)
    rest = 0.0
    while cpu(process) - rest > 0.05:  # it has read what is left when it needs no time
        rest = cpu(process)
        time.sleep(2.0)
    told, _ = process.communicate(b"\n")
    intervals, events, peak, said, *_ = told.split()
    whole = number * (settled + rounds)
    if int(intervals) != whole or int(events) != whole * EVENTS:
        sys.exit(f"{int(intervals)} intervals of {whole}, {told!r}")
    share = f"{100 * used:.1f} % of a core (goal {100 * GOAL:.0f} % at 1,000)"
    print(f"{number} hosts: {share}, {int(peak) / 1024:.0f} MB, {used * 1e6 / number:.0f} us a record")
    print(f"{int(said)} messages")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hosts", type=int, default=1000, metavar="N")
    parser.add_argument("--seconds", type=float, default=20.0, metavar="S")
    options = parser.parse_args()
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with tempfile.TemporaryDirectory(prefix="hosts") as folder:
        print(f"the same records in a file: {of_file(Path(folder), 2000) * 1e6:.0f} us each")
        measured(Path(folder), options.hosts, options.seconds)


if __name__ == "__main__":
    main()

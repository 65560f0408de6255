"""What the probes of block I/O cost: fio with and without each, in turn, and what the kernel says of their programs.

    sudo .venv/bin/python benchmarks/probes.py DEVICE [--runs N] [--seconds S]

DEVICE is read only. Take the fastest there is: the cost is per request, so that a slow disk hides it. A file in memory
makes one: truncate -s 64M /dev/shm/f; losetup --find --show --direct-io=on /dev/shm/f. Needs root, fio, and what the
probes need. It switches kernel.bpf_stats_enabled on while it runs.
"""

import argparse
import json
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, NamedTuple

PROBES = ("bpf", "bpftrace")
STATISTICS = Path("/proc/sys/kernel/bpf_stats_enabled")
WAITED = 60


class Run(NamedTuple):
    """Requests per second, median completion latency in us, and ns of BPF programs per request."""

    rate: float
    median: float
    cost: float


def fio(device: str, seconds: float) -> tuple[float, float, int]:
    """Requests per second, median latency in us, number of requests."""
    words = ["fio", "--name=probes", f"--filename={device}", "--readonly", "--direct=1", "--rw=randread", "--bs=4k"]
    words += ["--ioengine=psync", "--time_based", f"--runtime={seconds}", "--output-format=json"]
    printed = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    read = json.loads(printed)["jobs"][0]["read"]
    return read["iops"], read["clat_ns"]["percentile"]["50.000000"] / 1e3, read["total_ios"]


def spent() -> int:
    """Nanoseconds that all loaded BPF programs have run, as their owners' descriptors tell."""
    programs: dict[str, int] = {}
    for path in Path("/proc").glob("[0-9]*/fdinfo/*"):
        try:
            text = path.read_text()
        except OSError:
            continue
        found = re.search(r"prog_id:\s*(\d+)", text), re.search(r"run_time_ns:\s*(\d+)", text)
        if found[0] and found[1]:
            programs[found[0][1]] = int(found[1][1])
    return sum(programs.values())


@contextmanager
def probe(name: str, device: str) -> Iterator[None]:
    """A probe that has begun to print."""
    with TemporaryFile() as output:
        words = [sys.executable, "-m", "pylatencymap", "collect", name, "--disk", device]
        running = subprocess.Popen(words, stdout=output)
        try:
            wait_for(output, device)
            yield
        finally:
            running.terminate()
            running.wait(WAITED)


def wait_for(output: IO[bytes], device: str) -> None:
    deadline = time.monotonic() + WAITED
    while not output.tell() and time.monotonic() < deadline:
        subprocess.run(["dd", f"if={device}", "of=/dev/null", "bs=4k", "count=1", "iflag=direct", "status=none"])
        time.sleep(0.2)
        output.seek(0, 2)


def measured(device: str, seconds: float) -> Run:
    before = spent()
    rate, median, requests = fio(device, seconds)
    return Run(rate, median, (spent() - before) / requests)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("device")
    parser.add_argument("--runs", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=2.0)
    options = parser.parse_args()
    runs: dict[str, list[Run]] = {"none": [], **{name: [] for name in PROBES}}
    STATISTICS.write_text("1")
    try:
        for _ in range(options.runs):
            runs["none"].append(measured(options.device, options.seconds))
            for name in PROBES:
                with probe(name, options.device):
                    runs[name].append(measured(options.device, options.seconds))
    finally:
        STATISTICS.write_text("0")
    print(
        f"{'probe':<10} {'requests/s':>10} {'p50, us':>8} {'BPF, ns per request':>20}   medians of {options.runs} runs"
    )
    for name, found in runs.items():
        rate, median, cost = (statistics.median(column) for column in zip(*found, strict=True))
        print(f"{name:<10} {rate:>10.0f} {median:>8.1f} {cost:>20.0f}")


if __name__ == "__main__":
    main()

"""What ``aggregate`` costs a file, against the scan of the same file, and against its line decoder if it is compressed.

    .venv/bin/python benchmarks/aggregate.py [--megabytes N] [--runs N]

CPU seconds of all processes, with one job, at the margin: what a file of twice the size costs more. So starting and
loading libraries, which cost the same for any archive, are left out; they are shown, too. The sums of the output are
compared with those of the scan. The memory is the most that all processes of the large run have together (Pss).
"""

import argparse
import gzip
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

from columns import SCAN
from lines import text
from traces import trace

GOAL, COMPRESSED_GOAL, MEMORY_GOAL = 0.85, 1.3, 200
COLLECTORS = {"oracle": "oracle_trace", "strace": "strace", "fio": "fio_log"}
LINE_DECODER = """
import sys
from pylatencymap.session.input import ReadPlan, StopRequest, decoded_text, open_path, recognised
from pylatencymap.report import Report
source, report, plan = open_path(sys.argv[1], StopRequest()), Report("x"), ReadPlan()
found = decoded_text(recognised(source, plan, report), plan, report, lambda _: None)
print(sum(one.events for one in found))
"""
EVENTS = """
import sys
from pylatencymap.tables import read_parquet
print(int(sum(part.counts.sum() for part in read_parquet(sys.argv[1], "x"))))
"""


def cpu(command: list[str], watch: Callable[[int], None] = lambda _: None) -> tuple[float, str]:
    """CPU seconds of a command and its processes, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = TemporaryFile("w+")  # noqa: SIM115 - it goes with its last use
    with subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            watch(process.pid)
            time.sleep(0.02)
    if process.returncode:
        sys.exit(f"{' '.join(command)}: status {process.returncode}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    output.seek(0)
    printed = output.read(1000)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, printed


class Memory:
    """The most Pss of a process and all its children, in MB."""

    def __init__(self) -> None:
        self.most = 0.0

    def look(self, pid: int) -> None:
        self.most = max(self.most, sum(map(self._pss, self._tree(pid))) / 1024)

    def _tree(self, pid: int) -> list[int]:
        try:
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        except OSError:
            return [pid]
        return [pid, *(one for child in children for one in self._tree(int(child)))]

    def _pss(self, pid: int) -> int:
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            return 0
        return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def written(kind: str, path: Path, megabytes: int) -> Path:
    """A file of this kind and size."""
    with path.open("wb") as file:
        if kind == "oracle":
            file.writelines(map(str.encode, trace(megabytes, dense=True)))
        else:
            file.writelines(text(kind, megabytes * 1_000_000))
    return path


def aggregate(path: Path, output: Path) -> list[str]:
    return [
        *(sys.executable, "-m", "pylatencymap", "aggregate", str(path), "-o", str(output)),
        *("--interval", "1", "--resolution", "8", "--jobs", "1"),
    ]


def least(command: list[str], runs: int, watch: Callable[[int], None] = lambda _: None) -> tuple[float, str]:
    found = [cpu(command, watch) for _ in range(runs)]
    return min(seconds for seconds, _ in found), found[0][1]


def plain(kind: str, folder: Path, megabytes: int, runs: int) -> tuple[float, float]:
    """The line of a kind that has a scan; returns the CPU seconds of scan and aggregation at the margin."""
    memory, seconds = Memory(), dict[tuple[str, int], float]()
    for times in (1, 2):
        path, output = written(kind, folder / f"{kind}{times}", times * megabytes), folder / "x.parquet"
        seconds["scan", times], counted = least([sys.executable, "-c", SCAN, str(path), COLLECTORS[kind], "1"], runs)
        seconds["aggregate", times], _ = least(aggregate(path, output), runs, memory.look)
        events = cpu([sys.executable, "-c", EVENTS, str(output)])[1]
        if int(events) != int(counted.split()[0]):
            sys.exit(f"{kind}: the scan found {counted.split()[0]} events, the output has {events}")
        path.unlink()
    scan, whole = (seconds[which, 2] - seconds[which, 1] for which in ("scan", "aggregate"))
    fixed = seconds["aggregate", 1] - whole
    print(
        f"{kind:9} scan {megabytes / scan:6.0f} MB/s, aggregate {megabytes / whole:6.0f} MB/s: {scan / whole:.2f} "
        f"of it; {fixed:.2f} s fixed; {memory.most:.0f} MB (goal {MEMORY_GOAL})"
    )
    return scan, whole


def compressed(folder: Path, megabytes: int, runs: int) -> None:
    """The line of a compressed trace."""
    path = written("oracle", folder / "x.trc", megabytes)
    packed = folder / "x.trc.gz"
    packed.write_bytes(gzip.compress(path.read_bytes(), 6))
    decoder = least([sys.executable, "-c", LINE_DECODER, str(packed)], runs)[0]
    inflated = least(
        [sys.executable, "-c", "import gzip, sys; print(len(gzip.open(sys.argv[1]).read()))", str(packed)], runs
    )[0]
    whole = least(aggregate(packed, folder / "x.parquet"), runs)[0]
    print(
        f".gz       line decoder {decoder:.2f} s, decompressed only {inflated:.2f} s, aggregate {whole:.2f} s: "
        f"{whole / decoder:.2f} times the decoder (goal {COMPRESSED_GOAL})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("kinds", nargs="*", default=list(COLLECTORS))
    options = parser.parse_args()
    with TemporaryDirectory() as place:
        found = [plain(kind, Path(place), options.megabytes, options.runs) for kind in options.kinds]
        scan, whole = (sum(column) for column in zip(*found, strict=True))
        print(f"all these scan {scan:.2f} s, aggregate {whole:.2f} s: {scan / whole:.2f} of its rate (goal {GOAL})")
        compressed(Path(place), max(options.megabytes // 4, 1), options.runs)


if __name__ == "__main__":
    main()

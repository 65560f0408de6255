"""What an aggregation costs on Spark, on this machine, against the same one without Spark; the outputs are compared.

    .venv/bin/python benchmarks/spark.py [--megabytes N] [--times N] [--folder DIR] [--remote] [-- OPTION ...]

CPU seconds of all processes, Java and Python, for a dense SQL trace and one of ``--times`` its size; the difference is
what a further GB costs, and the rest is fixed. Options after ``--`` go to the runs on Spark, such as
``--spark-conf spark.driver.memory=512m``. With ``--remote`` these read through a file system of Hadoop, as of HDFS or
S3. Memory is the most that all processes of a run have together (Pss).
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from traces import trace

GOAL, FIXED_GOAL = 2.5, 20
LOOK_SECONDS = 0.1
_TICKS = os.sysconf("SC_CLK_TCK")


class Cost(NamedTuple):
    """CPU and wall seconds, and MB."""

    cpu: float
    wall: float
    megabytes: float


def tree(pid: int) -> list[int]:
    """A process and all below it."""
    try:
        children = [
            int(child)
            for task in Path(f"/proc/{pid}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]
    except OSError:
        return [pid]
    return [pid, *(one for child in children for one in tree(child))]


def seconds_of(pid: int) -> float:
    """CPU seconds that a process has used itself."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS


def megabytes_of(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def cost(command: list[str]) -> Cost:
    """What a command costs. Processes are looked at while they run: of each, less than LOOK_SECONDS are missed."""
    begun, used, most = time.perf_counter(), dict[int, float](), 0.0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            pids = tree(process.pid)
            for pid in pids:
                used[pid] = max(used.get(pid, 0.0), seconds_of(pid))
            most = max(most, sum(map(megabytes_of, pids)))
            time.sleep(LOOK_SECONDS)
        said = process.stderr.read() if process.stderr else ""
    if process.returncode:
        sys.exit(f"{' '.join(command)}: status {process.returncode}\n{said}")
    return Cost(sum(used.values()), time.perf_counter() - begun, most)


def written(folder: Path, megabytes: int, times: int) -> tuple[Path, Path]:
    """A trace, and one that goes on ``times`` as long: each copy begins 11.6 days later than the one before."""
    one, many = folder / "one.trc", folder / "many.trc"
    if not one.exists():
        with one.open("wb") as file:
            file.writelines(map(str.encode, trace(megabytes, dense=True)))
    if not many.exists():
        with many.open("wb") as file:
            for number in range(times):
                with one.open("rb") as source:
                    file.writelines(line.replace(b" tim=1769", b" tim=%d" % (1769 + number)) for line in source)
    return one, many


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--times", type=int, default=4)
    parser.add_argument("--folder", help="keeps the traces for another run")
    parser.add_argument("--remote", action="store_true", help="through a file system of Hadoop (viewfs, on this disk)")
    parser.add_argument("options", nargs="*", help="of the runs on Spark, after --")
    options = parser.parse_args()
    with TemporaryDirectory() as place:
        one, many = written(Path(options.folder or place), options.megabytes, options.times)
        costs = [compared(path, Path(place), options.options, remote=options.remote) for path in (one, many)]
        smaller, larger = (path.stat().st_size / 1e9 for path in (one, many))
    local, spark = ((after.cpu - before.cpu) / (larger - smaller) for before, after in zip(*costs, strict=True))
    fixed = costs[0][1].cpu - spark * smaller
    print(
        f"a further GB: local {local:.2f} s of CPU, Spark {spark:.2f} s: {spark / local:.1f} times (goal {GOAL}); "
        f"fixed {fixed:.0f} s (goal {FIXED_GOAL})"
    )


def on_hadoop(path: Path) -> tuple[str, list[str]]:
    """The name of a file or folder on a file system of Hadoop, which is on this disk, and the options for it."""
    mounted = f"spark.hadoop.fs.viewfs.mounttable.here.link./traces={path.absolute().parent.as_uri()}"
    return f"viewfs://here/traces/{path.name}", ["--spark-conf", mounted]


def compared(path: Path, folder: Path, options: list[str], *, remote: bool) -> tuple[Cost, Cost]:
    """What an aggregation of a file costs without Spark and on it."""
    found: list[Cost] = []
    there = str(path)
    if remote:
        there, mounted = on_hadoop(path)
        options = [*options, *mounted]
    for engine, name, more in (("local", str(path), []), ("spark", there, options)):
        command = [
            sys.executable,
            "-m",
            "pylatencymap",
            "aggregate",
            name,
            "-o",
            str(folder / f"{engine}.parquet"),
        ]
        command += ["--interval", "1", "--resolution", "8", "--jobs", "2", "--engine", engine, *more]
        found.append(cost(command))
        told = f"{found[-1].cpu:.1f} s of CPU, {found[-1].wall:.0f} s, {found[-1].megabytes:.0f} MB (Pss)"
        print(f"{path.stat().st_size / 1e6:5.0f} MB, {engine}: {told}", flush=True)
    if (folder / "local.parquet").read_bytes() != (folder / "spark.parquet").read_bytes():
        sys.exit(f"{path}: the outputs differ")
    return found[0], found[1]


if __name__ == "__main__":
    main()

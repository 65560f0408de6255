"""An archive of twenty files of five kinds, damaged and compressed ones among them, aggregated without Spark and on it.

    .venv/bin/python benchmarks/archive.py [--megabytes N] [--skewed] [--killed N] [--folder DIR] [--remote]
        [-- OPTION ...]

Six SQL traces, five of strace, five fio logs, two of biolatency and two recordings, N MB in all; of each kind one is
damaged, and one SQL trace is compressed. With ``--skewed`` one SQL trace has three quarters of all bytes. The outputs
are compared. CPU seconds and memory (Pss) are those of all processes. With ``--killed`` a run without Spark is killed
so many times, at random moments, and begun again. With ``--remote`` Spark reads through a file system of Hadoop.
Options after ``--`` go to the runs on Spark.
"""

import argparse
import gzip
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from lines import DAMAGED_SHARE, fio, strace
from spark import cost, on_hadoop
from traces import trace

SHARE = 0.75


def oracle(seed: int, megabytes: int) -> Iterator[bytes]:
    """A dense SQL trace; each seed begins some days later."""
    for text in trace(megabytes, dense=True):
        yield from text.encode().replace(b" tim=1769", b" tim=%d" % (1769 + seed)).splitlines()


def biolatency(prints: int, numbers: Random) -> Iterator[bytes]:
    """Prints of ``biolatency -T 1``."""
    for second in range(prints):
        yield b"\n%02d:%02d:%02d" % (second // 3600 % 24, second // 60 % 60, second % 60)
        yield b"     usecs               : count     distribution"
        lower = 0
        for upper in (1, 3, 7, 15, 31, 63, 127, 255, 511, 1023):
            yield b"     %6d -> %-10d : %-8d |****                |" % (lower, upper, numbers.randrange(50))
            lower = upper + 1


def write(path: Path, lines: Iterable[bytes], megabytes: float, damaged: bool = False) -> None:
    """Lines up to a size, some of them cut off if ``damaged``."""
    numbers, left = Random(4), int(megabytes * 1e6)
    with path.open("wb") as file:
        for line in lines:
            if damaged and numbers.random() < DAMAGED_SHARE / 10:
                line = line[: numbers.randrange(len(line) + 1)]
            left -= file.write(line + b"\n")
            if left <= 0:
                return


def make(folder: Path, megabytes: int, skewed: bool) -> None:
    """Write the archive."""
    each = megabytes / 17
    large = megabytes * SHARE if skewed else each
    small = (megabytes - large) / 16 if skewed else each
    for number in range(6):
        size = large if not number else small
        write(folder / f"{number}.trc", oracle(number, int(size) + 1), size, number == 1)
    packed = folder / "5.trc"
    (folder / "5.trc.gz").write_bytes(gzip.compress(packed.read_bytes(), 6))
    packed.unlink()
    for number in range(5):
        write(folder / f"{number}.strace", strace(number), small, number == 1)
        write(folder / f"{number}.fio.log", fio(number), small, number == 1)
    for number in range(2):
        write(folder / f"{number}.biolatency", biolatency(3000, Random(number)), 2, number == 1)
        source = str(folder / f"{number + 2}.strace")
        head = folder / "head.strace"
        with open(source, "rb") as file:
            head.write_bytes(b"".join(islice(file, 50_000)))
        words = ["aggregate", str(head), "--interval", "1", "-o", str(folder / f"{number}.lmap")]
        subprocess.run([sys.executable, "-m", "pylatencymap", *words], check=True, stderr=subprocess.DEVNULL)
        head.unlink()


def aggregate(folder: Path | str, output: Path) -> list[str]:
    command = [sys.executable, "-m", "pylatencymap", "aggregate", str(folder), "-o", str(output)]
    return [*command, "--interval", "1", "--resolution", "8", "--jobs", "2"]


def killed(command: list[str], times: int, seconds: float) -> None:
    """Kill a command so many times, each at any moment within these seconds of wall time, and let it end then."""
    numbers = Random(times)
    for number in range(times):
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
            try:
                process.wait(numbers.uniform(0.5, seconds))
            except subprocess.TimeoutExpired:
                process.kill()
                continue
        sys.exit(f"it was complete after {number} kills")
    subprocess.run(command, stderr=subprocess.DEVNULL, check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--skewed", action="store_true")
    parser.add_argument("--killed", type=int, default=0, metavar="N")
    parser.add_argument("--folder", help="keeps the archive for another run")
    parser.add_argument("--remote", action="store_true", help="through a file system of Hadoop (viewfs, on this disk)")
    parser.add_argument("options", nargs="*", help="of the runs on Spark, after --")
    options = parser.parse_args()
    with TemporaryDirectory() as place:
        folder = Path(options.folder or place) / "archive"
        if not folder.exists():
            folder.mkdir(parents=True)
            make(folder, options.megabytes, options.skewed)
        size = sum(path.stat().st_size for path in folder.iterdir())
        print(f"{len(list(folder.iterdir()))} files, {size / 1e6:,.0f} MB", flush=True)
        outputs = []
        there, mounted = on_hadoop(folder) if options.remote else (folder, [])
        for engine, of_engine, more in (("local", folder, []), ("spark", there, [*options.options, *mounted])):
            outputs.append(Path(place) / f"{engine}.parquet")
            found = cost([*aggregate(of_engine, outputs[-1]), "--engine", engine, *more])
            print(f"{engine}: {found.cpu:.1f} s of CPU, {found.wall:.0f} s, {found.megabytes:.0f} MB (Pss)", flush=True)
            if engine == "local" and options.killed:
                outputs.append(Path(place) / "killed.parquet")
                killed(aggregate(folder, outputs[-1]), options.killed, 2 * found.wall / options.killed)
        if len({one.read_bytes() for one in outputs}) > 1:
            sys.exit("the outputs differ")


if __name__ == "__main__":
    main()

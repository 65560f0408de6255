"""CPU of ``replay --once`` on long recordings, against a loop that splits their lines, and against the line decoder.

    .venv/bin/python benchmarks/long_recordings.py [--runs N] [--megabytes N] [--kinds totals,probe,trace,folder,hosts]

The reference opens the same text and splits each line at its commas; it knows no record, no series and no time. Before
anything is timed, the pictures of the bulk decoder and of the line decoder are compared.
"""

import argparse
import gzip
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timezone
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from generate import days, up_to
from measure import Case, Times, compiled_in, interleaved, run
from recordings import EXAMPLES, extended

LINE_LOOP = r"""
import glob, gzip, os, sys
path = sys.argv[1]
for one in sorted(glob.glob(path + "/*")) if os.path.isdir(path) else [path]:
    for line in gzip.open(one, "rt") if one.endswith(".gz") else open(one):
        line.split(",")
"""
LINE_DECODER = r"""
from pylatencymap.session.input import large_files
large_files.LEAST_RECORDED = 1 << 60
from pylatencymap.cli import entry
entry()
"""
LOOP, BULK, LINES = "line loop, split", "replay --once", "replay --once, line decoder"
GOAL_OF_LOOP = 2.5
GOAL_OF_LINES = 3.0
HOUR = 3_600_000_000
END = "<end record>\n"


def totals(folder: Path, size: int) -> Path:
    path = folder / "totals.lmap"
    path.write_text("".join(up_to(size, days())))
    return path


def probe(folder: Path, size: int) -> Path:
    """A recording of a probe of block I/O, repeated with its own jitter."""
    path = folder / "probe.lmap"
    path.write_text("".join(up_to(size, extended(EXAMPLES / "steady.lmap.gz", 1 << 40))))
    return path


EVENTS = ("db file sequential read", "log file sync", "direct path read", "db file scattered read")
MOST_OF_TRACE = 40_000_000


def waits(seed: int = 1) -> Iterator[str]:
    """An SQL trace with some 200 waits a second."""
    rng, micros = Random(seed), 1_769_850_000_000_000
    while True:
        micros += rng.randrange(1, 9000)
        ela = int(rng.lognormvariate(6.5, 1))
        yield f"WAIT #140: nam='{rng.choice(EVENTS)}' ela= {ela} file#=7 block#=1 blocks=1 obj#=8 tim={micros}\n"


def trace(folder: Path, size: int) -> Path:
    """The recording of an SQL trace, which is about five times as long."""
    source, path = folder / "x.trc", folder / "trace.lmap"
    source.write_text("".join(up_to(min(size, MOST_OF_TRACE) * 5, waits())))
    command = [sys.executable, "-m", "pylatencymap", "replay", source, "--once", "--record", path]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return path


def hourly(folder: Path, size: int) -> Path:
    """The same totals as a folder of hourly segments, as the recorder writes them."""
    path = folder / "hourly"
    path.mkdir()
    text, last = up_to(size, days()), dict[str, str]()
    for part, (begin, records) in enumerate(_hours(text)):
        head = f'#segment {{"v": 1, "run": "20231114T220000.000Z-1", "part": {part}, "begin": {begin}}}\n'
        again = "".join('#lmap {"v": 1, "flags": ["repeated"]}\n' + record for record in last.values())
        last.update((record.partition("label,")[2].partition("\n")[0], record) for record in records)
        moment = datetime.fromtimestamp(begin / 1e6, timezone.utc)
        name = f"pylatencymap-{moment:%Y%m%dT%H%M%S}.000Z.lmap.gz"
        (path / name).write_bytes(gzip.compress((head + again + "".join(records)).encode()))
    return path


def _hours(prints: Iterator[str]) -> Iterator[tuple[int, list[str]]]:
    hour, found = 0, list[str]()
    for text in prints:
        micros = int(text.partition("microsec,")[2].partition(",")[0])
        if (micros - 1) // HOUR != hour and found:
            yield hour * HOUR, found
            found = []
        hour = (micros - 1) // HOUR
        found.extend(record + END for record in text.split(END)[:-1])
    yield hour * HOUR, found


HOSTS = 400


def hosts(folder: Path, size: int) -> Path:
    """A recording of many hosts, as ``merge --record`` makes one."""
    path = folder / "hosts.lmap"
    path.write_text("".join(up_to(size, days(disks=[f"host{number}" for number in range(HOSTS)]))))
    return path


KINDS = {"totals": totals, "probe": probe, "trace": trace, "folder": hourly, "hosts": hosts}


def cases(path: Path) -> list[Case]:
    once = ["replay", str(path), "--once"]
    return [
        Case(LOOP, [sys.executable, "-c", LINE_LOOP, str(path)]),
        Case(BULK, [sys.executable, "-m", "pylatencymap", *once]),
        Case(LINES, [sys.executable, "-c", LINE_DECODER, *once]),
    ]


def check(path: Path) -> None:
    """Ends the benchmark unless both decoders come to the same picture."""
    _, bulk, lines = cases(path)
    if run(bulk, keep=True)[1] != run(lines, keep=True)[1]:
        sys.exit(f"{path.name}: the bulk decoder draws another picture than the line decoder")


def row(kind: str, path: Path, times: dict[str, list[Times]]) -> str:
    files = path.iterdir() if path.is_dir() else (path,)
    loop, bulk, lines = (median(one.cpu for one in times[name]) for name in (LOOP, BULK, LINES))
    goals = [f"{GOAL_OF_LINES:g} times: {'met' if lines / bulk >= GOAL_OF_LINES else 'missed'}"]
    if kind == "totals":
        goals.append(f"{GOAL_OF_LOOP:g} of the loop: {'met' if bulk / loop <= GOAL_OF_LOOP else 'missed'}")
    size = sum(one.stat().st_size for one in files) / 1e6
    cells = f"{size:.0f}", f"{loop:.2f}", f"{bulk:.2f}", f"{lines:.2f}", f"{bulk / loop:.1f}", f"{lines / bulk:.1f}"
    return f"| {' | '.join((kind, *cells, ', '.join(goals)))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the first picture of long recordings.", allow_abbrev=False)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--megabytes", type=float, default=112.0)
    parser.add_argument("--kinds", default=",".join(KINDS))
    options = parser.parse_args()
    print("| recording | MB | loop, CPU s | bulk, CPU s | lines, CPU s | bulk / loop | lines / bulk | goals |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    with TemporaryDirectory() as name:
        folder = Path(name)
        compiled_in(folder / "bytecode")
        for kind in islice(options.kinds.split(","), len(KINDS)):
            path = KINDS[kind](folder, round(options.megabytes * 1e6))
            check(path)
            print(row(kind, path, interleaved(cases(path), options.runs)), flush=True)


if __name__ == "__main__":
    main()

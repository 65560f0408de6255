"""Aggregates files as the command does, and reads what came of it, and what ``convert`` makes of the same files."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

from pylatencymap.aggregate import AggregateQuestion, AggregateSummary, Aggregation, archived_inputs, output_at
from pylatencymap.errors import LatencyMapError
from pylatencymap.export import json_line
from pylatencymap.intervals import TimeOptions, join_continued
from pylatencymap.session.input import ReadPlan, Sources, open_path

Lines = list[dict[str, Any]]
EVERY_SECOND = ReadPlan(jobs=1, time=TimeOptions(interval=1.0))


def aggregated(
    paths: Iterable[Path | str],
    output: Path | str,
    plan: ReadPlan = EVERY_SECOND,
    *,
    resolution: int | None = 8,
    by: tuple[str, ...] = (),
    jobs: int = 1,
    to: str | None = None,
    afresh: bool = False,
    said: list[str] | None = None,
) -> AggregateSummary:
    """What came of an aggregation, which is at ``output``."""
    where = output_at(str(output), to)
    question = AggregateQuestion(
        archived_inputs(map(str, paths)), where, plan.afresh(), resolution, by, jobs, afresh=afresh
    )
    say = (lambda _: None) if said is None else said.append
    return Aggregation(question, say, lambda _: None).run()


def converted(path: Path | str, plan: ReadPlan = EVERY_SECOND, resolution: int | None = 8) -> tuple[Lines, int]:
    """The JSON lines of a file, sorted by their end, and how many records in it are bad."""
    sources = Sources(plan.afresh(), lambda _: None)
    try:
        sources.add(open_path(str(path), sources.stop))
        found = join_continued(sources.read(lambda _: None))
        lines = [json.loads(json_line(one, resolution)) for one in found]
        return sorted(lines, key=lambda line: (line["end"], line["series"], line["start"])), sources.bad_count()
    except LatencyMapError:
        return [], sources.bad_count()
    finally:
        sources.close_all()


def written(path: Path | str, resolution: int | None = None) -> Lines:
    """The intervals in an output; none if there is none."""
    return converted(path, ReadPlan(jobs=1), resolution)[0] if Path(path).exists() else []


def told_alike(lines: Lines) -> Lines:
    """The same without what is about the ranges of the source, which are resampled before they are written."""
    return [{name: value for name, value in line.items() if name != "resampled"} for line in lines]


def sums(lines: Lines) -> Counter[tuple[str, float, float, float]]:
    """Events by series, start and range."""
    found: Counter[tuple[str, float, float, float]] = Counter()
    for line in lines:
        for lower, upper, count in line["counts"]:
            found[line["series"], line["start"], lower, upper] += count
    return found


def damaged(data: bytes, numbers: Random, times: int) -> bytes:
    """The bytes with some changed, cut out or put in."""
    text = bytearray(data)
    for _ in range(times):
        place = numbers.randrange(len(text))
        kind = numbers.randrange(4)
        if kind == 0:
            text[place] = numbers.randrange(256)
        elif kind == 1:
            del text[place : place + numbers.randrange(60)]
        else:
            text[place:place] = b"\x1b[31m" if kind == 2 else b"999"
    return bytes(text)


USUAL = ("db file sequential read", "log file sync")


def waits(numbers: Random, count: int, begin: int, names: Iterable[str] = USUAL) -> str:
    """The text of an SQL trace with so many waits, from ``begin`` (epoch seconds) on."""
    known, at, lines = (
        list(names),
        begin * 1_000_000,
        ["Oracle Database 19c Release 19.0.0.0.0", "Node name:    dbhost7"],
    )
    for _ in range(count):
        at += numbers.randrange(1, 40_000)
        name, latency = numbers.choice(known), numbers.randrange(1, 30_000)
        lines.append(f"WAIT #1: nam='{name}' ela= {latency} file#=1 block#=2 blocks=1 obj#=5 tim={at}")
    return "\n".join(lines) + "\n"


def strace(numbers: Random, count: int, begin: float) -> str:
    """The text of ``strace -ttt -T -f`` with so many calls."""
    lines = []
    for _ in range(count):
        begin += numbers.random() * 0.02
        call = numbers.choice(("pread64", "fsync"))
        lines.append(
            f'{100 + numbers.randrange(2)} {begin:.6f} {call}(3, "x", 4096) = 4096 <{numbers.random() / 50:.6f}>'
        )
    return "\n".join(lines) + "\n"


def biolatency(numbers: Random, prints: int) -> str:
    """The text of ``biolatency -T 1``."""
    lines = ["Tracing block device I/O... Hit Ctrl-C to end."]
    for second in range(prints):
        lines += ["", f"12:{second // 60:02}:{second % 60:02}", "     usecs               : count     distribution"]
        lower = 0
        for upper in (1, 3, 7, 15, 31, 63, 127, 255, 511, 1023):
            lines.append(f"     {lower:>6} -> {upper:<10} : {numbers.randrange(50):<8} |****                |")
            lower = upper + 1
    return "\n".join(lines) + "\n"


def five_kinds(folder: Path, numbers: Random, size: int = 400) -> list[Path]:
    """Files of five kinds in folders, some compressed, and damaged ones among them."""
    texts = {
        "db1/a.trc": waits(numbers, size, 1_774_000_000),
        "db1/b.trc": waits(numbers, size, 1_774_000_003, ("db file sequential read", "direct path read")),
        "db2/later.trc": waits(numbers, size, 1_774_900_000),
        "apps/one.strace": strace(numbers, size, 1_774_000_001.5),
        "apps/two.strace": strace(numbers, size, 1_774_000_002.25),
        "disks/biolatency.txt": biolatency(numbers, 90),
        "disks/fio_lat.1.log": "".join(
            f"{number * 9}, {numbers.randrange(9_000_000)}, {number % 2}, 4096, 0\n" for number in range(size)
        ),
    }
    found = []
    for name, text in texts.items():
        for path, data in ((name, text.encode()), (f"{name}-damaged", damaged(text.encode(), numbers, size // 20))):
            (folder / path).parent.mkdir(exist_ok=True, parents=True)
            (folder / path).write_bytes(data)
            found.append(folder / path)
    return found

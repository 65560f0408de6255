"""Makes the inputs of a seed, one per number, and judges each: everything that does not hold of it."""

from __future__ import annotations

import re
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import NamedTuple

from pylatencymap import registry
from pylatencymap.text import is_plain

from .damage import Damaged, damaged_locally, damaged_wildly
from .invariants import SIZES, Broken, broken_intervals, broken_picture, broken_recording, first_difference
from .neighbours import Undamaged, changed_neighbours, undamaged
from .reading import WHOLE, Reading, Way, read
from .samples import Sample, cut

CRASH, HANG, CHUNKS, SCAN = "crash", "hang", "depends on chunks", "scan differs from decoder"
HANG_SECONDS = 5.0
"""CPU that an input may cost, all checks together."""
SMALL_BYTES = 4_000
LEAST_PIECE = 500
LOCAL_SHARE, FORMAT_SHARE, CHUNKS_SHARE, ANY_SAMPLE_SHARE = 0.5, 0.04, 0.1, 0.4
LIVE_OF_LOCAL, LIVE_OF_WILD = 0.05, 0.42
"""Of a live pipe no neighbours are compared, which is what local damage is for."""
LIVE_CHUNKS = (100, 700, 3000, WHOLE)
PACKAGE = "/pylatencymap/"
IN_NUMBERS = {"digit_changed", "digit_lost", "digit_doubled", "number_replaced"}
ROW = re.compile(rb"\s*[\[(]?\d+[KMGT]?\s*(?:->|,|\])(?!.*\d\d:\d\d)(?!.*,.*,)")
TEXT_OF_UNKNOWN = "not recognised"


class Case(NamedTuple):
    """One input: the sample it was made of, its damage and how it is read. ``chunk``: read again in chunks of so many
    bytes, if not 0.
    """

    number: int
    sample: Sample
    damaged: Damaged
    way: Way
    size: tuple[int, int] = SIZES[0]
    chunk: int = 0


class Verdict(NamedTuple):
    """What was found about a case. ``did`` counts what was checked; ``seconds`` is CPU."""

    broken: list[Broken]
    collector: str
    did: Counter[str]
    seconds: float = 0.0


class Cases:
    """The cases of a seed."""

    def __init__(self, samples: list[Sample], seed: int) -> None:
        self._samples = samples
        self._seed = seed
        self._by_collector: dict[str, list[Sample]] = {}
        self._known: dict[str, Undamaged] = {}
        for sample in samples:
            found = read(sample.data)
            self._known[sample.name] = undamaged(found)
            self._by_collector.setdefault(found.collector, []).append(sample)

    def __getitem__(self, number: int) -> Case:
        random = Random(f"{self._seed} {number}")
        local = random.random() < LOCAL_SHARE
        sample = self._chosen(random)
        if local and not self._known[sample.name].is_checkable:
            sample = self._chosen(random)
        way = self._way(random, local)
        size, chunk = random.choice(SIZES), random.randrange(1, 3000) if random.random() < CHUNKS_SHARE else 0
        if local:
            return Case(number, sample, damaged_locally(random, sample.data), way, size, chunk)
        data = cut(sample.data, SMALL_BYTES) if random.random() < 0.8 else sample.data
        other = cut(self._chosen(random).data, SMALL_BYTES)
        return Case(number, sample, damaged_wildly(random, data, other), way, size, chunk)

    def known(self, case: Case) -> Undamaged:
        """What is known of the sample of a case; nothing of a live pipe, which is timed by its chunks as well."""
        known = self._known[case.sample.name]
        return known._replace(snapshots=[]) if case.way.live else known

    def _chosen(self, random: Random) -> Sample:
        """Any sample; more often a collector is chosen first, so that none is left out."""
        if random.random() < ANY_SAMPLE_SHARE:
            return random.choice(self._samples)
        return random.choice(self._by_collector[random.choice(sorted(self._by_collector))])

    def _way(self, random: Random, local: bool) -> Way:
        live = random.random() < (LIVE_OF_LOCAL if local else LIVE_OF_WILD)
        chunk = random.choice(LIVE_CHUNKS) if live else WHOLE
        if local:
            return Way(live=live, chunk=chunk)
        known = random.choice(registry.collector_names()) if random.random() < FORMAT_SHARE else None
        return Way(known, live, chunk)


def judge(case: Case, known: Undamaged | None = None) -> Verdict:
    """Everything that does not hold of a case. ``known``: of its sample, if neighbours are to be compared."""
    begin, did, broken = time.process_time(), Counter[str](), list[Broken]()
    collector = ""
    try:
        found = read(case.damaged.data, case.way)
        collector = found.collector
        broken += _checked(case, found, known, did)
    except Exception as error:  # noqa: BLE001 - a crash is what is looked for
        broken.append(Broken(CRASH, crash_text(error)))
    seconds = time.process_time() - begin
    if seconds > HANG_SECONDS:
        broken.append(Broken(HANG, f"{seconds:.1f} s of CPU for {len(case.damaged.data)} bytes"))
    return Verdict(broken, collector, did, seconds)


def _checked(case: Case, found: Reading, known: Undamaged | None, did: Counter[str]) -> Iterator[Broken]:
    did["recognised" if found.collector else TEXT_OF_UNKNOWN] += 1
    did["with intervals"] += bool(found.intervals)
    did["with bad lines"] += bool(found.bad)
    did["refused or broken off"] += bool(found.ended)
    yield from broken_intervals(found)
    if found.intervals:
        did["drawn, exported, recorded and read again"] += 1
        yield from broken_picture(found, case.size, svg=True)
        yield from broken_recording(found, live=case.way.live)
    if known is not None and case.damaged.first > (_heading_lines(case.sample.data) if known.events else 0):
        in_row = _is_in_row(case)
        changed = changed_neighbours(known, found, case.damaged.first, case.damaged.last, in_row=in_row)
        did["neighbours compared"] += changed is not None
        did["other series compared"] += changed is not None and in_row
        yield from changed or ()
    if case.chunk and not case.way.live:
        did["in other chunks"] += 1
        yield from _differs(CHUNKS, found, read(case.damaged.data, case.way._replace(chunk=case.chunk)))
    if not case.way.live and found.collector in scanned() and is_plain(case.damaged.data[:4]) and found.intervals:
        did["scanned"] += 1
        yield from _differs(
            SCAN, found, read(case.damaged.data, case.way._replace(piece=LEAST_PIECE + case.number % 5000))
        )


def _heading_lines(data: bytes) -> int:
    """How many lines of a trace come before the first that has a number: names of columns, which all lines need."""
    return data[: place.start() if (place := re.search(rb"\d", data)) else 0].count(b"\n")


def _is_in_row(case: Case) -> bool:
    """Whether only a number was damaged, in a line that looks like the row of a histogram."""
    line = case.sample.data.split(b"\n")[case.damaged.first - 1]
    return case.damaged.kinds[0] in IN_NUMBERS and ROW.match(line) is not None


def _differs(kind: str, found: Reading, other: Reading) -> Iterator[Broken]:
    if found.told() == other.told():
        return
    if found.intervals != other.intervals:
        yield Broken(kind, f"{found.collector}: {first_difference(found.intervals, other.intervals)}")
    else:
        yield Broken(kind, f"{found.collector}: told {found.told()[1:]} and {other.told()[1:]}")


@lru_cache(maxsize=1)
def scanned() -> frozenset[str]:
    """The collectors that scan large files."""
    import pylatencymap.collectors

    folder = Path(next(iter(pylatencymap.collectors.__path__)))
    return frozenset(path.parent.name for path in folder.glob("*/scan.py"))


def crash_text(error: BaseException) -> str:
    """The error and where in the package it was raised, innermost first, without the numbers that vary."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if PACKAGE in frame.filename]
    where = " < ".join(f"{frame.filename.rpartition(PACKAGE)[2]}:{frame.lineno}" for frame in frames[:-5:-1])
    return f"{type(error).__name__}: {str(error)[:200]} @ {where}"


def signature(broken: Broken, collector: str) -> str:
    """What failures of the same cause probably share: the kind, and the text without numbers and data."""
    if broken.kind == CRASH:
        return f"{broken.kind} {broken.what.partition(':')[0]} {broken.what.rpartition('@')[2]}"
    return f"{broken.kind} {collector} {re.sub(r'[-+]?[0-9.]+', '#', broken.what)[:40]}"

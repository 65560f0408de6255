"""Reads files by a key, by scan or line by line, and adds up what comes of it."""

import gzip
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.errors import LatencyMapError
from pylatencymap.interval import Interval
from pylatencymap.intervals import TimeOptions
from pylatencymap.session.input import ReadPlan, Sources, large_files, open_source

UTC_TIME = TimeOptions()
Sums = dict[str, tuple[int, int]]


def read_by(paths: Sequence[Path], jobs: int = 1, **options: Any) -> tuple[list[Interval], list[str]]:
    """The intervals of files, and what was said; the error alone if there was one."""
    said: list[str] = []
    sources = Sources(ReadPlan(jobs=jobs, **options), said.append)
    try:
        for path in paths:
            sources.add(open_source(str(path), sources.stop))
        return list(sources.read(lambda _: None)), said
    except LatencyMapError as error:
        return [], [str(error)]
    finally:
        sources.close_all()


def scanned_or_not(
    monkeypatch: pytest.MonkeyPatch, paths: Sequence[Path], piece: int, **options: Any
) -> tuple[tuple[list[Interval], list[str]], tuple[list[Interval], list[str]]]:
    """The same by scan, in pieces of so many bytes, and line by line."""
    from pylatencymap.scan import reader
    from pylatencymap.text.compressed import gzip_members

    monkeypatch.setattr(reader, "PIECE", piece)
    monkeypatch.setattr(gzip_members, "CHUNK", piece)
    monkeypatch.setattr(large_files, "LEAST_BYTES", 0)
    scanned = read_by(paths, **options)
    monkeypatch.setattr(large_files, "LEAST_BYTES", 1 << 60)
    return scanned, read_by(paths, **options)


def written(path: Path, text: str, *, packed: bool) -> Path:
    """A text in a file, compressed or not."""
    path.write_bytes(gzip.compress(text.encode(), 1) if packed else text.encode())
    return path


def sums_of(intervals: Iterable[Interval]) -> Sums:
    """Events and microseconds waited, by series."""
    found: dict[str, list[float]] = defaultdict(lambda: [0, 0.0])
    for one in intervals:
        found[one.series][0] += one.events
        found[one.series][1] += one.waited or 0.0
    return {name: (int(events), round(waited * 1e6)) for name, (events, waited) in found.items() if events}

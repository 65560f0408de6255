"""The segments of an always-on recording: their names, their first lines, and which of them hold a part of the time.

A segment is a compressed recording of an hour at most. Its first line says to which run of the recorder it belongs, the
how manyth of that run it is, and when its first interval begins. Name and first line together show that a file is ours.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timezone
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from ..text import decompress

MARK = "#segment"
"""How the first line of a segment begins; readers of the record stream pass it over."""
VERSION = 1
_NAME = re.compile(r"pylatencymap-(\d{8}T\d{6}\.\d{3})Z\.lmap\.gz", re.ASCII)
_MOMENT = "%Y%m%dT%H%M%S.%f"
_HEAD = 4096
"""Compressed bytes that certainly contain the first line."""


class Segment(NamedTuple):
    """One file. ``named``: epoch seconds in its name, at which it was begun. ``begin``: epoch microseconds at which its
    first interval begins; None if its source has no real clock.
    """

    path: Path
    named: float
    run: str
    part: int
    begin: int | None


def segment_name(now: float) -> str:
    """The file name of a segment that is begun at ``now`` (epoch seconds). Names sort by time."""
    moment = datetime.fromtimestamp(int(now * 1000) / 1000, timezone.utc)
    return f"pylatencymap-{moment.strftime(_MOMENT)[:-3]}Z.lmap.gz"


def run_name(now: float, pid: int) -> str:
    """The name of a run of the recorder, which no other run in the folder has."""
    return f"{datetime.fromtimestamp(now, timezone.utc).strftime(_MOMENT)[:-3]}Z-{pid}"


def first_line(run: str, part: int, begin: int | None) -> str:
    """The first line of a segment, with its line end."""
    fields: dict[str, object] = {"v": VERSION, "run": run, "part": part}
    if begin is not None:
        fields["begin"] = begin
    return f"{MARK} {json.dumps(fields)}\n"


def segments_in(folder: str | os.PathLike[str]) -> list[Segment]:
    """The segments in a folder, by name: oldest first. Whatever else lies there is passed over. Raises OSError."""
    found = (segment_at(Path(folder, name)) for name in sorted(os.listdir(folder)) if _NAME.fullmatch(name))
    return [segment for segment in found if segment is not None]


def segment_at(path: Path) -> Segment | None:
    """The segment in a file; None if its name or its first line is not that of one."""
    name = _NAME.fullmatch(path.name)
    if name is None:
        return None
    with suppress(OSError, ValueError):
        fields = _fields(path)
        run, part, begin = fields.get("run"), fields.get("part"), fields.get("begin")
        if fields.get("v") == VERSION and isinstance(run, str) and type(part) is int:
            moment = datetime.strptime(name[1], _MOMENT).replace(tzinfo=timezone.utc).timestamp()
            return Segment(path, moment, run, part, begin if type(begin) is int else None)
    return None


def _fields(path: Path) -> dict[str, object]:
    """What the first line says. Raises OSError or ValueError if it is not that of a segment."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError("no regular file")
        head = os.read(descriptor, _HEAD)
    finally:
        os.close(descriptor)
    chunks = decompress([head])  # only the first line is wanted: damage behind it costs nothing here
    line, end, _ = b"".join(chunk for chunk in chunks if chunk).partition(b"\n")
    mark, _, text = line.decode().partition(" ")
    if not end or mark != MARK or not text.startswith("{"):
        raise ValueError("no first line of a segment")
    fields: dict[str, object] = json.loads(text)
    return fields


def runs_within(segments: Iterable[Segment], first: int | None = None, last: int | None = None) -> list[list[Segment]]:
    """The segments that hold what happened from ``first`` to ``last`` (epoch microseconds; None: no limit), run by run,
    both in the order of time.
    """
    runs = [sorted(parts, key=lambda one: one.part) for _, parts in groupby(_by_run(segments), lambda one: one.run)]
    runs.sort(key=lambda parts: (_begin(parts[0]), parts[0].named))
    ordered = [segment for parts in runs for segment in parts]
    followed = zip(ordered, [*ordered[1:], None], strict=True)
    wanted = [one for one, following in followed if _holds(one, following, first, last)]
    return [list(parts) for _, parts in groupby(wanted, lambda one: one.run)]


def _by_run(segments: Iterable[Segment]) -> list[Segment]:
    return sorted(segments, key=lambda one: one.run)


def _begin(segment: Segment) -> float:
    """Epoch microseconds at which a segment begins; without a real clock, when it was begun."""
    return segment.named * 1e6 if segment.begin is None else segment.begin


def _holds(segment: Segment, following: Segment | None, first: int | None, last: int | None) -> bool:
    if last is not None and segment.begin is not None and segment.begin >= last:
        return False
    return first is None or following is None or following.begin is None or following.begin > first

"""``read``: sources of any kind become a Run."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import (
    date as Date,  # noqa: N812 - it has the name of an option
    tzinfo,
)
from typing import IO, Any, TypeAlias

from ..errors import NoInterval, UsageError
from ..events import parse_only, reading_alone
from ..intervals import TimeOptions, bin_width
from ..session import Picture, PictureOptions
from ..session.input import ReadPlan, Source, Sources, StopRequest, open_path, source_of
from ..text import zone_named
from .options import Moment, checked, moment_of, plan_from, reading_words
from .run import Run

ReadableSource: TypeAlias = "str | bytes | os.PathLike[str] | IO[str] | IO[bytes]"
UNNAMED = "<text>"
_NO_OPTIONS = ("source", "start", "strict", "ranked_with")
CHUNK = 1 << 20


def read(
    source: ReadableSource | Iterable[ReadableSource],
    *,
    format: str | None = None,  # noqa: A002 - as the option is called
    series: str | Iterable[str] | None = None,
    interval: float | None = None,
    count: int | None = None,
    duration: float | None = None,
    start: Mapping[str, Moment] | None = None,
    tz: str | tzinfo | None = None,
    date: str | Date | None = None,
    semantics: str | None = None,
    unit: str | None = None,
    tim_unit: str | None = None,
    time: str | None = None,
    latency: str | None = None,
    by: str | Iterable[str] | None = None,
    top: int | None = None,
    ranked_with: ReadableSource | Iterable[ReadableSource] | None = None,
    calls: str | None = None,
    only: str | Iterable[str] | None = None,
    regex: str | None = None,
    strict: bool = False,
    jobs: int = 1,
    history_mb: float | None = None,
) -> Run:
    """Read recordings, saved text or traces to their end: whatever ``pylatencymap FILE...`` reads.

    ``source``: a path (an os.PathLike, or a str without a line feed; ``-`` is standard input), text (a str with a line
    feed; bytes are always content, perhaps gzip), a file object, or several of these, which are put on one time axis.
    Options are those of the command line. ``series``: patterns of names. ``interval``: seconds up to which intervals
    are merged. ``count``, ``duration``: stop after that many. ``start``: by name, when files without times begin.
    ``tz``: zone of times without one, and of pictures. ``by``, ``top``: series by a key, its values ranked together
    with those of ``ranked_with``. ``only``: events with this value of a key, as ``"obj#=82015"``. ``strict`` raises
    BadInput at the first bad record; otherwise it is left out and counted in ``Run.bad``. ``jobs``: processes that scan
    a large file. ``history_mb``: beyond it the oldest intervals are merged; None keeps each. docs/python.md lists all.

    Raises UsageError for a wrong option, SourceError for what cannot be read, NoInterval if there is nothing in it.

    >>> import pylatencymap as lm
    >>> lm.read("examples/cold-start.lmap.gz", series=["loop*", "nvme*"]).series
    ('loop0',)
    """
    given = checked({name: value for name, value in locals().items() if name not in _NO_OPTIONS})
    return _run(source, _ranked(source, ranked_with, plan_from(given)), start or {}, strict, given)


def _ranked(source: Any, others: Any, plan: ReadPlan) -> ReadPlan:
    """The plan with the values of a key that waited most in all sources, if there are others. Raises UsageError."""
    if others is None:
        return plan
    listed = [*_listed(source), *_listed(others)]
    if not plan.by:
        raise UsageError("ranked_with=: is for series by a key: name the key with by=")
    if any(hasattr(one, "read") for one in listed):
        raise UsageError("ranked_with=: a file object can be read only once: give paths or texts")
    sources = Sources(plan.afresh(), lambda _: None)
    try:
        for one in listed:
            sources.add(_opened(one, sources))
        sources.divide()
    finally:
        sources.close_all()
    return replace(plan, division=sources.plan.division)


def from_spark(
    frame: Any,
    *,
    time: str,
    latency: str,
    series: str | None = None,
    unit: str = "us",
    interval: float | None = None,
    tz: str | tzinfo | None = None,
) -> Run:
    """The events in a DataFrame of Spark, a row each: what ``read`` makes of the same table. They are counted where
    they are; only the counts come here.

    ``time``: a column with timestamps, or with epoch seconds. ``latency``: a column with numbers in ``unit``: ns, us,
    ms or s. They are taken as exact; whole numbers are kept in their unit (of seconds in us), others in ns.
    ``series``: a column that names the series. ``interval``: seconds, by default 1. ``tz``: zone of pictures.

    A row without a time or a latency is left out and counted in ``Run.bad``. Raises UsageError for a wrong option,
    SourceError if Spark cannot do it, MissingPackage, and NoInterval if there is no event.
    """
    from ..aggregate.spark import NO_EVENT, EventColumns, FrameAggregation

    given = checked({"interval": interval, "tz": tz})
    plan = ReadPlan(time=TimeOptions(interval=given["interval"]))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "events.parquet")
        columns = EventColumns(time, latency, series, unit)
        aggregation = FrameAggregation(frame, columns, plan, path, bin_width(plan.time))
        if not aggregation.run().series:
            raise NoInterval(NO_EVENT)
        found = read(path, tz=tz)
    told = (f"rows without a time or a latency: {aggregation.bad:,}",) if aggregation.bad else ()
    return found.of_rows(aggregation.bad, told)


def _run(source: Any, plan: ReadPlan, start: Mapping[str, Moment], strict: bool, given: Mapping[str, Any]) -> Run:
    """Read the sources to their end, and close them. ``given``: the options, checked."""
    only, history_mb = tuple(given["only"] or ()), given["history_mb"]
    listed = _listed(source)
    messages: list[str] = []
    zone = plan.time.tz or zone_named(None)
    sources = Sources(plan, messages.append, strict=strict)
    picture = Picture(PictureOptions(history_mb=history_mb or float("inf"), tz=zone))
    try:
        if only:
            sources.read_source = reading_alone(parse_only(only))
        for one in listed:
            sources.add(_opened(one, sources))
        placed = _starts(start, sources, zone)
        picture.extend(sources.read(picture.mark, lambda one: picture.extend([one]), starts=placed))
    finally:
        sources.close_all()
    if not len(picture):
        raise NoInterval(plan.why_empty())
    files = tuple(os.fsdecode(one) for one in listed if _is_path(one))
    starts = (f"--start={file}={begin / 1e6:.6f}" for file, begin in placed.items())
    words, told = (*reading_words(given), *starts), tuple(messages)
    some, bad = bool(plan.series), sources.bad_count()
    run = Run(picture.window, picture.marks, bad, told, zone, files, words, some_series=some, only=only)
    return run.divided_by(sources.plan.division)


_FRAMES = {
    "to_csv": 'lm.read(frame.to_csv(index=False), by="a column of names") reads it',
    "write_csv": 'lm.read(frame.write_csv(), by="a column of names") reads it',
    "toPandas": "lm.from_spark(frame, time=..., latency=...) counts it",
}
"""What to call instead for a DataFrame, by a method that only those of pandas, polars or Spark have."""


def _listed(source: Any) -> list[Any]:
    """The sources; one by itself is a list of one."""
    if isinstance(source, str | bytes | os.PathLike) or hasattr(source, "read"):
        return [source]
    for method, instead in _FRAMES.items():
        if hasattr(source, method):
            raise UsageError(f"source: a DataFrame is a table, not a text: {instead}")
    try:
        listed = list(source)
    except TypeError as error:
        raise UsageError(f"source={source!r}: must be a path, text, a file object, or a list of these") from error
    if not listed:
        raise UsageError("source: there is nothing in the list")
    return listed


def _is_path(one: Any) -> bool:
    return isinstance(one, os.PathLike) or (isinstance(one, str) and "\n" not in one)


def _opened(one: Any, among: Sources) -> Source:
    """One source, open; raises SourceError."""
    if _is_path(one):
        return open_path(os.fsdecode(one), among.stop)
    if isinstance(one, str | bytes):
        return _copied([one], _free(UNNAMED, among), among.stop)
    if not hasattr(one, "read"):
        raise UsageError(f"{one!r} is neither a path nor text nor a file object")
    name = getattr(one, "name", None)
    name = _free(name if isinstance(name, str) else UNNAMED, among)
    source = _copied(iter(lambda: one.read(CHUNK), None), name, among.stop)
    with suppress(AttributeError, OSError, ValueError):  # an object without a file counts as written now
        source.modified = os.fstat(one.fileno()).st_mtime
    return source


def _copied(pieces: Iterable[str | bytes | None], name: str, stop: StopRequest) -> Source:
    """A temporary file with the text: the engine may read it more than once, and in several processes."""
    with tempfile.TemporaryFile() as file:
        for piece in pieces:
            if not piece:
                break
            file.write(piece.encode(errors="replace") if isinstance(piece, str) else piece)
        file.flush()
        return source_of(name, os.dup(file.fileno()), stop).own()


def _free(name: str, among: Sources) -> str:
    """The name, with a number where another source has it: sources are distinguished by their names."""
    taken = {source.name for source in among.sources}
    number = 2
    free = name
    while free in taken:
        free, number = f"{name} {number}", number + 1
    return free


def _starts(start: Mapping[str, Moment], among: Sources, zone: tzinfo) -> dict[str, int]:
    """When files begin, by the names of their sources; each may be given by the last part of its path."""
    found: dict[str, int] = {}
    for file, moment in start.items():
        meant = [one.name for one in among.sources if os.fspath(file) in (one.name, os.path.basename(one.name))]
        begin = moment_of(f"start[{file!r}]", moment, zone)
        if len(meant) != 1 or begin is None:
            raise UsageError(f"start={{{file!r}: {moment!r}}}: must be one of the files, and when it begins")
        found[meant[0]] = begin
    return found

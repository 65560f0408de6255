"""Saves the history as a recording; replaying it gives the same window."""

from __future__ import annotations

import gzip
import heapq
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count
from operator import itemgetter
from pathlib import Path

from ..errors import SourceError
from ..files import saving_folder, sync_file
from ..interval import record_of
from ..record import Event, Mark, Record
from ..stream import StreamWriter
from ..window import History, Window, kept_intervals

SUFFIX = ".lmap.gz"
LEVEL = 6
"""Compression level; a higher one takes far longer and saves little."""


Span = tuple[int, int]
"""From when to when, epoch microseconds."""


def saved_events(window: Window, marks: Iterable[Mark] = (), span: Span | None = None) -> Iterator[Event]:
    """All columns of all series as records per interval, and marks, sorted by end time; with a ``span``, those that end
    in it.

    Gaps are records too: a replay could not find them again if columns were merged, or if only one series was silent.
    """
    series: list[Iterable[tuple[int, Event]]] = [_records(window[name]) for name in window.names()]
    remarks: Iterator[tuple[int, Event]] = (
        (mark.stamp.micros, mark) for mark in sorted(marks, key=lambda mark: mark.stamp.micros)
    )
    for end, event in heapq.merge(*series, remarks, key=itemgetter(0)):
        if span is None or span[0] < end <= span[1]:
            yield event


def save_files(
    path: Path,
    window: Window,
    marks: Iterable[Mark] = (),
    others: Mapping[str, bytes] | None = None,
    span: Span | None = None,
) -> list[Path]:
    """Write NAME.lmap.gz, or NAME-2.lmap.gz and so on if that exists; returns the paths.

    ``path`` can have the suffix or not. ``others`` are files to write next to the recording, by suffix. ``span``: see
    ``saved_events``. All files get the same name, one that no file had. They appear when they are complete. Raises
    SourceError if they cannot be written.
    """
    others = others or {}
    name = path.name.removesuffix(".gz").removesuffix(".lmap")
    try:
        with saving_folder(path.parent) as folder:
            unnamed = [folder / (name + suffix) for suffix in (SUFFIX, *others)]
            _write(unnamed[0], saved_events(window, marks, span))
            for file, data in zip(unnamed[1:], others.values(), strict=True):
                file.write_bytes(data)
            for file in unnamed:
                sync_file(file)
            targets = _claimed(path.parent, name, (SUFFIX, *others))
            return [file.replace(target) for file, target in zip(unnamed, targets, strict=True)]
    except OSError as error:
        raise SourceError(f"{path}: the recording cannot be written: {error.strerror or error}") from error


def save_beside(path: Path, suffix: str, data: bytes) -> Path:
    """Write NAME and a suffix, or NAME-2 and so on, such that a recording can get the same name; returns the path. It
    appears when it is complete. Raises SourceError if it cannot be written.
    """
    try:
        with saving_folder(path.parent) as folder:
            unnamed = folder / (path.name + suffix)
            unnamed.write_bytes(data)
            sync_file(unnamed)
            target, recording = _claimed(path.parent, path.name, (suffix, SUFFIX))
            recording.unlink()
            return unnamed.replace(target)
    except OSError as error:
        raise SourceError(f"{path}{suffix}: it cannot be written: {error.strerror or error}") from error


def _write(path: Path, events: Iterable[Event]) -> None:
    with gzip.open(path, "wt", compresslevel=LEVEL, encoding="utf-8", newline="\n") as file:
        writer = StreamWriter(file.write)
        for event in events:
            writer.event(event)
        writer.end()


def _claimed(folder: Path, name: str, suffixes: Iterable[str]) -> list[Path]:
    """The first name that is free with all suffixes. The files are created, so that no other file is replaced."""
    for number in chain([""], (f"-{number}" for number in count(2))):
        taken: list[Path] = []
        try:
            for suffix in suffixes:
                target = folder / f"{name}{number}{suffix}"
                target.touch(exist_ok=False)
                taken.append(target)
        except FileExistsError:
            for target in taken:
                target.unlink()
            continue
        return taken
    raise AssertionError("numbers do not end")


def _records(history: History) -> Iterator[tuple[int, Record]]:
    """The columns of one series as records, each with its end (epoch microseconds)."""
    return ((interval.end, record_of(interval)) for interval in kept_intervals(history))

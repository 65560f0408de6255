"""Saves the history as a recording; replaying it gives the same window."""

from __future__ import annotations

import gzip
import heapq
import os
from collections.abc import Iterable, Iterator
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


def save_recording(path: Path, window: Window, marks: Iterable[Mark] = (), span: Span | None = None) -> Path:
    """Write NAME.lmap.gz, or NAME-2.lmap.gz and so on if that exists; returns the path. ``path`` can have the suffix or
    not. ``span``: see ``saved_events``. It appears when it is complete. Raises SourceError if it cannot be written.
    """
    name = path.name.removesuffix(".gz").removesuffix(".lmap")
    try:
        with saving_folder(path.parent) as folder:
            unnamed = folder / (name + SUFFIX)
            _write(unnamed, saved_events(window, marks, span))
            sync_file(unnamed)
            return _named(unnamed, path.with_name(name), SUFFIX)
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
            return _named(unnamed, path, suffix)
    except OSError as error:
        raise SourceError(f"{path}{suffix}: it cannot be written: {error.strerror or error}") from error


def _write(path: Path, events: Iterable[Event]) -> None:
    with gzip.open(path, "wt", compresslevel=LEVEL, encoding="utf-8", newline="\n") as file:
        writer = StreamWriter(file.write)
        for event in events:
            writer.event(event)
        writer.end()


def _named(unnamed: Path, path: Path, suffix: str) -> Path:
    """Give a file that is complete the first name that no other file has, nor a recording; returns that."""
    for number in chain([""], (f"-{number}" for number in count(2))):
        name = f"{path.name}{number}"
        if not path.with_name(name + SUFFIX).exists() and _put(unnamed, path.with_name(name + suffix)):
            return path.with_name(name + suffix)
    raise AssertionError("numbers do not end")


def _put(unnamed: Path, target: Path) -> bool:
    """Put a file at a place, unless there is another one by now; returns whether it is there."""
    try:
        os.link(unnamed, target)
    except FileExistsError:
        return False
    except OSError:  # a file system that has no links: there, it is empty for a moment
        try:
            target.touch(exist_ok=False)
        except FileExistsError:
            return False
        unnamed.replace(target)
    return True


def _records(history: History) -> Iterator[tuple[int, Record]]:
    """The columns of one series as records, each with its end (epoch microseconds)."""
    return ((interval.end, record_of(interval)) for interval in kept_intervals(history))

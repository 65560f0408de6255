"""The inputs of an aggregation: files, folders and patterns as a list of what there is to read."""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..errors import SourceError
from ..recorder import segments_in
from ..session.input import neighbour, rolled_files
from ..tables import files_within


class ArchivedInput(NamedTuple):
    """A file, a recorded folder or a folder of Parquet. ``modified`` is in nanoseconds. ``named``: the user gave its
    own name, and not that of a folder around it or a pattern.
    """

    path: str
    size: int
    modified: int
    named: bool


def archived_inputs(paths: Iterable[str], besides: Iterable[str] = ()) -> list[ArchivedInput]:
    """All inputs that the paths mean, by name, each once; ``besides`` are paths that are none, such as the output.
    Raises SourceError for a path that means nothing.
    """
    found: dict[str, ArchivedInput] = {}
    others = {os.path.realpath(path) for path in besides}
    for path in paths:
        for one in _meant(path):
            key = os.path.realpath(one.path)
            if not any(key == other or key.startswith(other + os.sep) for other in others):
                found.setdefault(key, one)
                if one.named:
                    found[key] = one
    if not found:
        raise SourceError(f"{', '.join(paths)}: there is no file to read")
    return sorted(found.values())


def _meant(path: str) -> Iterator[ArchivedInput]:
    if os.path.isdir(path):
        yield from _within(path, set())
    elif os.path.lexists(path):
        yield _file(path, named=True)
    elif glob.has_magic(path):
        matching = sorted(glob.glob(path, recursive=True))
        if not matching:
            raise SourceError(f"{path}: no file matches this pattern")
        for one in matching:
            yield from _within(one, set()) if os.path.isdir(one) else (_file(one, named=False),)
    else:
        raise SourceError(f"{path}: no such file{neighbour(path)}")


def _within(folder: str, seen: set[str]) -> Iterator[ArchivedInput]:
    """What is in a folder, and in the folders in it; hidden names are passed over. What is one input together, such as
    a recording, leaves the files beside it as they are. ``seen``: folders that have been looked into, so that a
    symbolic link to one around it leads nowhere.
    """
    if (place := os.path.realpath(folder)) in seen:
        return
    seen.add(place)
    try:
        if log := rolled_files(folder):
            yield _folder(folder, log)
            return
        together = _read_together(folder)
        if together:
            yield _folder(folder, together)
        taken = {os.path.relpath(one, folder).partition(os.sep)[0] for one in together}
        names = sorted(name for name in os.listdir(folder) if not name.startswith(".") and name not in taken)
    except OSError as error:
        raise SourceError(f"{folder}: cannot be listed: {error.strerror}") from error
    for path in (os.path.join(folder, name) for name in names):
        if os.path.isdir(path):
            yield from _within(path, seen)
        elif os.path.isfile(path):
            yield _file(path, named=False)


def _read_together(folder: str) -> list[str]:
    """The files of a folder that are one input, with others beside them: segments of a recording, days of a table."""
    if segments := segments_in(folder):
        return [os.path.join(folder, one.path.name) for one in segments]
    files = files_within(folder)
    # A table that lies beside them is one of its own: it may be the output.
    return [] if any(os.path.dirname(one) == folder.rstrip(os.sep) for one in files) else files


def _file(path: str, *, named: bool) -> ArchivedInput:
    try:
        about = os.stat(path)
    except OSError as error:
        raise SourceError(f"{path}: cannot be opened: {error.strerror}") from error
    if not stat.S_ISREG(about.st_mode):
        raise SourceError(f"{path} is no file; aggregate reads files, again if it has to, and no pipes")
    return ArchivedInput(path, about.st_size, about.st_mtime_ns, named)


def _folder(path: str, files: Iterable[str]) -> ArchivedInput:
    """A folder that is one input; its time is that of its newest file."""
    found = [os.stat(one) for one in files]
    return ArchivedInput(path, sum(one.st_size for one in found), max(one.st_mtime_ns for one in found), True)

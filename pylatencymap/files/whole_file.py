"""Makes files that appear when they are complete: until then they lie in a temporary folder beside their place.

The folder is locked as long as its owner lives, so that one left behind by a killed process can be told from one in use
and is removed by whoever saves next to it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

PREFIX = ".pylatencymap-"
"""How the names of temporary folders begin."""
LEAST_AGE = 60.0
"""Seconds after which an unlocked folder was left behind: its owner locks it right after making it, and earlier
versions, which did not lock theirs, had written theirs by then."""
SUFFIXES = (
    *(".gz", ".lmap", ".svg", ".png", ".xml", ".html", ".txt", ".ans", ".cast"),
    *(".csv", ".jsonl", ".parquet", ".hlog", ".prom", ".om"),
)
"""What such a folder holds; one with anything else is not ours."""
_OPEN_FILES = ("/proc/", "/dev/fd/", "/dev/std")
"""Names of files that are open already: their place in the folder is not what the caller means."""


def replace_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write ``data`` to a file; see ``replacing``. Raises OSError."""
    with replacing(path) as file:
        file.write(data)


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A new file, which takes the place of an older one at the end, when it is on the disk, and keeps its permissions;
    after an exception the older one is as it was. A symbolic link stays, and what it leads to is replaced. What is no
    regular file, such as a pipe or ``/dev/stdout``, is written to directly. Raises OSError.
    """
    target = _place(Path(path))
    older = _status(target) if target is not None else None
    if target is None or (older is not None and not stat.S_ISREG(older.st_mode)):
        with open(path, "wb") as file:
            yield file
        return
    if older is not None and not os.access(target, os.W_OK):
        raise PermissionError(13, os.strerror(13), str(path))
    with saving_folder(target.parent) as folder:
        new = folder / target.name
        with new.open("wb") as file:
            yield file
        if older is not None:
            _resemble(new, older)
        sync_file(new)
        new.replace(target)


def sync_file(path: Path) -> None:
    """Wait until a file is on the disk; its name must not be there before its bytes are. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def saving_folder(parent: Path, now: float | None = None) -> Iterator[Path]:
    """A temporary folder in ``parent``, gone with all its content at the end. Folders that killed processes left there
    are removed as well. ``now`` is epoch seconds. Raises OSError.
    """
    _sweep(parent, time.time() if now is None else now)
    with tempfile.TemporaryDirectory(prefix=PREFIX, dir=parent) as folder, _held(folder):
        yield Path(folder)


def _place(path: Path) -> Path | None:
    """Where the symbolic links of a path lead to, even if nothing is there yet; None for an open file."""
    for _ in range(40):  # as many as Linux follows
        if str(path).startswith(_OPEN_FILES):
            return None
        if not path.is_symlink():
            return path
        path = path.parent / path.readlink()
    return path  # opening it says that there are too many


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _resemble(new: Path, older: os.stat_result) -> None:
    """Give a file the permissions of an older one, and its owner and group as far as we may."""
    mine = new.stat()
    if (mine.st_uid, mine.st_gid) != (older.st_uid, older.st_gid):
        with contextlib.suppress(OSError):  # only root may give files away; then the new file is the user's own
            os.chown(new, older.st_uid, older.st_gid)
    new.chmod(stat.S_IMODE(older.st_mode))


@contextlib.contextmanager
def _held(folder: str) -> Iterator[None]:
    """Lock a folder; the lock ends with this process, however that ends."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # a file system without locks: then its age alone protects the folder
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)


def _sweep(parent: Path, now: float) -> None:
    """Remove the temporary folders that killed processes left in ``parent``. What cannot be removed stays."""
    with contextlib.suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if entry.name.startswith(PREFIX) and entry.is_dir(follow_symlinks=False):
                with contextlib.suppress(OSError):
                    _remove_if_left(Path(entry.path), now)


def _remove_if_left(folder: Path, now: float) -> None:
    """Remove a folder if it is ours, holds nothing but our files, and its owner is dead."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        about = os.fstat(descriptor)
        if about.st_uid != os.geteuid() or now - about.st_mtime < LEAST_AGE:
            return
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # BlockingIOError: its owner lives
        names = os.listdir(descriptor)
        if not all(_is_saved_file(name, descriptor) for name in names):
            return
        for name in names:
            os.unlink(name, dir_fd=descriptor)
        folder.rmdir()
    finally:
        os.close(descriptor)


def _is_saved_file(name: str, folder: int) -> bool:
    about = os.stat(name, dir_fd=folder, follow_symlinks=False)
    return stat.S_ISREG(about.st_mode) and name.lower().endswith(SUFFIXES)

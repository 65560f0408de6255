"""A file that grows by whole pieces: after an error it holds exactly what it held before the piece that failed."""

from __future__ import annotations

import os
import stat
import zlib

_WBITS = zlib.MAX_WBITS | 16
"""Deflate with the header and the end of a gzip file."""


class GrowingFile:
    """Appends bytes to a new file, plain or compressed by gzip. ``add`` collects them, ``commit`` writes what was
    collected so that it can be read.

    If ``commit`` fails, as on a full disk, it raises OSError, the file is cut back to the last commit, and all that was
    added since is forgotten; adding can go on. What is no regular file cannot be cut back: ``regular`` is False.
    """

    def __init__(self, path: str | os.PathLike[str], *, compressed: bool, new: bool = False) -> None:
        """``new``: the file must not exist, else FileExistsError; otherwise an older one is emptied."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | (os.O_EXCL if new else os.O_TRUNC)
        self._descriptor = os.open(path, flags, 0o666)
        self.regular = stat.S_ISREG(os.fstat(self._descriptor).st_mode)
        self.size = 0
        """Bytes committed so far, as they lie on the disk."""
        self._deflate = zlib.compressobj(wbits=_WBITS) if compressed else None
        self._committed = self._deflate and self._deflate.copy()
        self._waiting: list[bytes] = []
        self._added = False

    def add(self, data: bytes) -> int:
        """Add bytes to what the next commit writes. Returns how many bytes wait in memory."""
        self._added = True
        piece = self._deflate.compress(data) if self._deflate is not None else data
        if piece:
            self._waiting.append(piece)
        return sum(map(len, self._waiting))

    def commit(self) -> None:
        """Write what was added. Raises OSError."""
        if not self._added:
            return
        if self._deflate is not None:
            self._waiting.append(self._deflate.flush(zlib.Z_SYNC_FLUSH))
        self._write()
        self._committed = self._deflate and self._deflate.copy()
        self._added = False

    def room(self) -> int:
        """Bytes that a user without privileges can still write to the file system."""
        about = os.fstatvfs(self._descriptor)
        return about.f_bavail * about.f_frsize

    def close(self) -> None:
        """Commit, and finish the file. Raises OSError if that fails; what was committed can be read all the same."""
        if self._descriptor < 0:
            return
        try:
            self.commit()
            if self._deflate is not None:
                self._waiting.append(self._deflate.flush(zlib.Z_FINISH))
                self._write()
        finally:
            descriptor, self._descriptor = self._descriptor, -1
            os.close(descriptor)

    def _write(self) -> None:
        data, self._waiting = b"".join(self._waiting), []
        written = 0
        try:
            while written < len(data):
                written += os.write(self._descriptor, data[written:])
        except OSError:
            self._take_back()
            raise
        self.size += written

    def _take_back(self) -> None:
        """Cut the file back to the last commit, and go on compressing from there."""
        if self.regular:
            os.ftruncate(self._descriptor, self.size)
            os.lseek(self._descriptor, self.size, os.SEEK_SET)
        self._deflate = self._committed and self._committed.copy()
        self._added = False

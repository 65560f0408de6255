"""A growing file holds what was committed, whatever fails."""

import errno
import gzip
import os
import zlib
from pathlib import Path

import pytest

from pylatencymap.files import GrowingFile


class FullDisk:
    """``os.write`` on a disk with so many bytes left."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, left: int) -> None:
        self.left = left
        self._write = os.write
        monkeypatch.setattr(os, "write", self)

    def __call__(self, descriptor: int, data: bytes) -> int:
        if not self.left:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = self._write(descriptor, data[: self.left])
        self.left -= written
        return written


def text_in(path: Path, compressed: bool) -> bytes:
    data = path.read_bytes()
    return zlib.decompressobj(wbits=31).decompress(data) if compressed else data


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("left", [0, 1, 7, 20])
def test_a_piece_that_fails_is_taken_back_and_writing_can_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compressed: bool, left: int
) -> None:
    path = tmp_path / "f"
    file = GrowingFile(path, compressed=compressed)
    file.add(b"one ")
    file.commit()
    disk = FullDisk(monkeypatch, left)
    file.add(b"two")
    file.add(bytes(range(256)))
    with pytest.raises(OSError, match="No space"):
        file.commit()
    assert text_in(path, compressed) == b"one "
    assert file.size == path.stat().st_size
    file.commit()
    disk.left = 1 << 20
    file.add(b"three")
    file.commit()
    assert text_in(path, compressed) == b"one three"
    file.close()
    assert (gzip.decompress(path.read_bytes()) if compressed else path.read_bytes()) == b"one three"


def test_a_file_that_cannot_be_finished_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "f.gz"
    file = GrowingFile(path, compressed=True)
    file.add(b"one")
    file.commit()
    FullDisk(monkeypatch, 0)
    with pytest.raises(OSError, match="No space"):
        file.close()
    file.close()
    assert text_in(path, True) == b"one"


def test_a_new_file_is_never_an_older_one(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("older")
    with pytest.raises(FileExistsError):
        GrowingFile(tmp_path / "f", compressed=False, new=True)
    assert (tmp_path / "f").read_text() == "older"

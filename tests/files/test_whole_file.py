"""Files are replaced when the new one is whole, or not at all; what killed processes left is removed, and only that."""

import errno
import fcntl
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pylatencymap.errors import SourceError
from pylatencymap.export import write_file
from pylatencymap.files import replace_file, saving_folder, whole_file

OLD = 2 * whole_file.LEAST_AGE


def no_space(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("step", ["open", "chmod", "replace"])
def test_after_a_failure_the_older_file_is_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    older = tmp_path / "x.svg"
    older.write_text("older")
    with monkeypatch.context() as patched:
        patched.setattr(Path, step, no_space)
        with pytest.raises(SourceError, match=r"x\.svg: cannot be written: No space left on device"):
            write_file(older, b"newer")
    assert older.read_text() == "older"
    assert names(tmp_path) == ["x.svg"]


def test_a_disk_that_fails_late_keeps_the_older_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """File systems that place data late report a full disk when they are asked to put the data there."""
    older = tmp_path / "x.svg"
    older.write_text("older")
    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(OSError, match="No space"):
        replace_file(older, b"newer")
    assert older.read_text() == "older"
    assert names(tmp_path) == ["x.svg"]


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
def test_a_disk_that_is_really_full_keeps_the_older_file(tmp_path: Path) -> None:
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", tmp_path], capture_output=True).returncode:
        pytest.skip("this machine does not let us mount")
    try:
        older = tmp_path / "x.svg"
        replace_file(older, b"a" * 30_000)
        with pytest.raises(OSError, match="No space"):
            replace_file(older, b"b" * 60_000)
        assert older.read_bytes() == b"a" * 30_000
        assert names(tmp_path) == ["x.svg"]
    finally:
        subprocess.run(["umount", tmp_path], check=True)


def test_permissions_are_those_of_the_older_file_or_the_usual_ones(tmp_path: Path) -> None:
    path = tmp_path / "x.svg"
    before = os.umask(0o027)
    try:
        replace_file(path, b"1")
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
    finally:
        os.umask(before)
    path.chmod(0o604)
    replace_file(path, b"2")
    assert (stat.S_IMODE(path.stat().st_mode), path.read_bytes()) == (0o604, b"2")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_file_that_may_not_be_written_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "x.svg"
    path.write_text("older")
    path.chmod(0o444)
    with pytest.raises(PermissionError):
        replace_file(path, b"newer")
    assert path.read_text() == "older"


def test_symbolic_links_stay(tmp_path: Path) -> None:
    folder = tmp_path / "there"
    folder.mkdir()
    for name, older in (("a", "older"), ("b", None)):
        if older:
            (folder / name).write_text(older)
        link = tmp_path / name
        link.symlink_to(Path("there", name))
        replace_file(link, b"newer")
        assert link.is_symlink()
        assert (folder / name).read_text() == "newer"
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(OSError, match="Too many levels"):
        replace_file(tmp_path / "loop", b"x")


def test_pipes_devices_and_open_files_are_written_to(tmp_path: Path) -> None:
    replace_file("/dev/null", b"x")
    program = "from pylatencymap.files import replace_file; replace_file(%r, b'all')"
    link = tmp_path / "x.svg"
    link.symlink_to("/dev/stdout")
    piped = subprocess.run([sys.executable, "-c", program % str(link)], capture_output=True, check=True)
    assert piped.stdout == b"all"
    with (tmp_path / "out").open("wb") as file:
        inode = os.fstat(file.fileno()).st_ino
        subprocess.run([sys.executable, "-c", program % "/dev/stdout"], stdout=file, check=True)
    assert (tmp_path / "out").read_bytes() == b"all"
    assert (tmp_path / "out").stat().st_ino == inode


def left(parent: Path, name: str, *files: str, age: float = OLD) -> Path:
    """A temporary folder as a killed process leaves it."""
    folder = parent / name
    folder.mkdir(mode=0o700)
    for file in files:
        (folder / file).write_text("half")
    os.utime(folder, (time.time() - age,) * 2)
    return folder


def test_folders_of_killed_processes_are_removed(tmp_path: Path) -> None:
    left(tmp_path, ".pylatencymap-abcdefgh", "p.lmap.gz", "p.svg")
    left(tmp_path, ".pylatencymap-empty000")
    kept = [
        left(tmp_path, ".pylatencymap-justnow0", "p.lmap.gz", age=0),
        left(tmp_path, ".pylatencymap-notours0", "letter.doc"),
        left(tmp_path, ".other-program", "p.lmap.gz"),
    ]
    (tmp_path / ".pylatencymap-file").write_text("a file")
    (tmp_path / ".pylatencymap-link").symlink_to(kept[1])
    with saving_folder(tmp_path) as folder:
        assert folder.exists()
    assert names(tmp_path) == sorted([*(one.name for one in kept), ".pylatencymap-file", ".pylatencymap-link"])
    assert (kept[1] / "letter.doc").exists()


def test_a_folder_in_use_is_left_alone(tmp_path: Path) -> None:
    with saving_folder(tmp_path) as first:
        (first / "p.lmap.gz").write_text("half")
        with saving_folder(tmp_path, now=time.time() + OLD):
            assert (first / "p.lmap.gz").exists()
    folder = left(tmp_path, ".pylatencymap-otherown", "p.svg")
    descriptor = os.open(folder, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    with saving_folder(tmp_path):
        assert folder.exists()
    os.close(descriptor)
    with saving_folder(tmp_path):
        assert not folder.exists()

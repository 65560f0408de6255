"""Device numbers and the names that a machine has for them."""

from pathlib import Path

import pytest

from pylatencymap.text.block_devices import with_device_names


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """A machine with loop0 (7:0), vda (254:0), sda1 (8:1) and nvme0n1p300 (259:300)."""
    for number, name in {"7:0": "loop0", "254:0": "vda", "8:1": "sda1", "259:300": "nvme0n1p300"}.items():
        (tmp_path / number).symlink_to(f"../../devices/virtual/block/{name}")
    return str(tmp_path)


def names(folder: str, *keys: str, of_disks: bool = False) -> list[str]:
    return with_device_names(keys, of_disks=of_disks, folder=folder)


@pytest.mark.parametrize(
    ("number", "name"),
    [((7 << 20), "loop0"), ((254 << 20), "vda"), ((8 << 20) + 1, "sda1"), ((259 << 20) + 300, "nvme0n1p300")],
)
def test_the_numbers_of_the_kernel(folder: str, number: int, name: str) -> None:
    assert names(folder, str(number), "R") == [name, "R"]


def test_the_numbers_of_the_captures(folder: str) -> None:
    assert names(folder, "7340032", "266338304") == ["loop0", "vda"]


@pytest.mark.parametrize(
    ("key", "name"), [("1792", "loop0"), ("65024", "vda"), ("2049", "sda1"), (str(0x10302 << 4 | 0x3 << 4), "")]
)
def test_the_numbers_of_stat_could_be_processes(folder: str, key: str, name: str) -> None:
    assert names(folder, key) == [key]
    assert names(folder, key, of_disks=True) == [name or key]


def test_the_numbers_of_stat_have_their_minors_in_two_parts(folder: str) -> None:
    number = (300 & 0xFF) | 259 << 8 | (300 & ~0xFF) << 12
    assert names(folder, str(number), of_disks=True) == ["nvme0n1p300"]


def test_major_and_minor(folder: str) -> None:
    assert names(folder, "8:1", "fio") == ["sda1", "fio"]
    assert names(folder, "7", "0", "fio") == ["7", "0", "fio"]
    assert names(folder, "7", "0", "fio", of_disks=True) == ["loop0", "fio"]


@pytest.mark.parametrize(
    "key", ["", "9:9", ":", "7:", "7:x", "7:0:0", "-7", "9" * 5000, "\u0667", "1e9", "12345678", "../7:0", "fio"]
)
def test_anything_else_stays_as_it_is(folder: str, key: str) -> None:
    assert names(folder, key, of_disks=True) == [key]

"""A killed recorder loses nothing but what was in flight: the short form of ``python -m tests.trust.kills``."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.trust import kills


@pytest.mark.parametrize("name", ["r.lmap", "r.lmap.gz"])
def test_kills_of_one_recording(tmp_path: Path, name: str) -> None:
    for records in (5, 700):
        kills.check_file(tmp_path, name, records)


def test_kills_of_an_always_on_recording(tmp_path: Path) -> None:
    kills.check_folder(tmp_path / "d", [600, 3, 700])


def test_a_kill_and_a_full_disk(tmp_path: Path) -> None:
    with ExitStack() as until:
        folder = tmp_path / "d"
        if not kills.small_disk(until, folder):
            pytest.skip("this machine does not let us mount a small disk")
        kills.check_folder(folder, [400, kills.FULL_RECORDS, 400], kills.SmallDisk(folder, kills.FULL_RECORDS).fills)

"""``--record DIR/ --keep``, and ``--from`` and ``--to``, as the user types them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--keep", "7d"], "--keep needs a folder to record into: --record latency/ --keep 7d"),
        (["--keep", "7d", "--record", "x.lmap"], "--record x.lmap: --keep removes the oldest files of a folder"),
        (["--keep", "7", "--record", "d/"], "argument --keep: '7': write a time as in 7d or 12h, or the size"),
        (["--keep", "7y", "--record", "d/"], "the unit 'y' is none of min h d w kB"),
        (["--keep", "1s", "--record", "d/"], "the unit 's' is none of"),
        (["--keep", "1min", "--record", "d/"], "1min: must be at least 10min"),
        (["--keep", "1kB", "--record", "d/"], "1kB: must be at least 100kB"),
        (
            ["--from", "noon"],
            "argument --from: 'noon' is no time; write 2026-11-22 14:00, 11-22 14:00, 14:00, now, or -2h",
        ),
        (["--from", "-1h", "--to", "-2h"], "--from -1h is not before --to -2h"),
        (["--from", "-1h", "--record", "x.lmap"], "--record is for whole sources; pylatencymap convert writes"),
    ],
)
def test_wrong_uses_are_explained(command: Command, three: Path, words: list[str], message: str) -> None:
    ran = command("--once", three, *words)
    assert ran.status == 2
    assert message in ran.err


def test_a_folder_is_recorded_and_read_by_every_command(command: Command, make_stream: Any, tmp_path: Path) -> None:
    text = make_stream("sda", *({64: 10 * number} for number in range(1, 61)))
    folder = tmp_path / "latency"
    for _ in range(2):  # the second run finds the clock where the first one found it
        ran = command("convert", "--record", f"{folder}/", "--keep", "2GB", given=text)
        assert (ran.status, ran.err) == (0, "")
    assert len(list(folder.glob("pylatencymap-*Z.lmap.gz"))) == 2
    drawn = command("--once", folder)
    assert drawn.status == 0
    assert "the clock went back by 59 s; the time axis goes on" in drawn.err
    assert "FREQUENCY" in drawn.out
    part = command("convert", folder, "--to", "jsonl", "--from", "1700000010", "--until", "+20s")
    assert (part.status, part.out.count("\n")) == (0, 20)
    again = command("convert", given=command("convert", folder).raw)
    assert again.out.count("<end record>") > 118
    assert command("export", folder, "-o", tmp_path / "x.svg").status == 0
    assert command("replay", folder, "--once", "--from", "-1h").status == 1
    elsewhere = command("convert", folder, "--from", "2022-01-01", "--until", "2022-01-02", "--tz", "UTC")
    assert "what there is begins 2023-11-14 22:13:20" in elsewhere.err


def test_a_part_of_a_file(command: Command, make_stream: Any, tmp_path: Path) -> None:
    path = tmp_path / "r.lmap"
    path.write_text(make_stream("sda", *({64: number} for number in range(1, 61))))
    ran = command("convert", path, "--to", "jsonl", "--from", "22:13:30", "--until", "22:13:35", "--tz", "UTC")
    assert ran.out.count('"counts": [[64, 128, 1]]') == 5
    text = command("convert", path, "--from", "22:13:30", "--until", "+5s", "--tz", "UTC").raw
    assert command("convert", "--to", "jsonl", given=text).out == ran.out
    early = command("convert", path, "--until", "2022-01-01", "--tz", "UTC")
    assert early.status == 1
    assert early.err.rstrip().endswith("what there is begins 2023-11-14 22:13:20")  # and it was not read to its end
    offset = command("convert", path, "--from", "-1h")
    assert offset.status == 1
    assert "nothing was recorded after" in offset.err

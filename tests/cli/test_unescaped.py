"""Nothing that comes from an input reaches a terminal as a control sequence."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]

EVIL = "\x1b]0;owned\x07\x1b[31mred\x9b2J\x08\u202egnp"
FORBIDDEN = ("\x1b]", "\x1b[31m", "\x07", "\x9b", "\x08", "\u202e")
BPF = f"""
disk = '{EVIL}'
     usecs               : count     distribution
        64 -> 127        : 9        |****|

"""


def clean(text: str) -> bool:
    return not any(sign in text for sign in FORBIDDEN)


def evil_stream(make_stream: Callable[..., str]) -> str:
    return make_stream(f"disk {EVIL}", {128: 1}, {128: 5}, {128: 9}).replace("no date", f"date {EVIL}")


@pytest.mark.parametrize("depth", ["ascii", "mono", "truecolor"])
def test_pictures(quick: Command, make_stream: Callable[..., str], depth: str) -> None:
    for text in (evil_stream(make_stream), BPF):
        ran = quick("--once", "--depth", depth, given=text)
        assert ran.status == 0
        assert "owned" in ran.out or "red" in ran.out
        assert clean(ran.out)


def test_every_conversion(quick: Command, make_stream: Callable[..., str]) -> None:
    for text in (evil_stream(make_stream), BPF):
        for to in ("lmap", "jsonl"):
            ran = quick("convert", "--to", to, given=text)
            assert ran.status == 0
            assert clean(ran.out)
            assert all(sign.isprintable() or sign == "\n" for sign in ran.out)


def test_drawings(command: Command, make_stream: Callable[..., str], tmp_path: Path) -> None:
    target = tmp_path / "x.svg"
    assert command("export", "-", "-o", target, given=evil_stream(make_stream)).status == 0
    assert clean(target.read_text())


def test_complaints_about_lines(quick: Command, make_stream: Callable[..., str]) -> None:
    text = make_stream("sda", {128: 1}, {128: 5}).replace("128,5", f"{EVIL}\n128,5")
    ran = quick("convert", "--to", "jsonl", given=text)
    assert ran.status == 0
    assert "given.txt:" in ran.err
    assert clean(ran.err)


def test_texts_that_nobody_knows(quick: Command) -> None:
    ran = quick(given=f"{EVIL}{EVIL}\n")
    assert ran.status == 3
    assert clean(ran.err)


def test_names_of_files(command: Command, make_stream: Callable[..., str], tmp_path: Path) -> None:
    paths = [tmp_path / f"{EVIL}.lmap", tmp_path / "plain.lmap", tmp_path / os.fsdecode(b"\xff.lmap")]
    for path in paths:
        path.write_text(make_stream("sda", {128: 1}, {128: 5}, {128: 9}).replace("128,9", "nonsense,9"))
    for path in paths:
        ran = command(path)
        assert ran.status == 0
        assert ".lmap:" in ran.err
        assert clean(ran.err + ran.out)
    together = command(*paths)
    assert together.status == 0
    assert "sda (" in together.out
    assert clean(together.err + together.out)
    assert clean(command("convert", *paths, "--to", "jsonl").out)


def test_arguments(quick: Command, tmp_path: Path) -> None:
    for words in (
        [EVIL],
        [f"--{EVIL}"],
        ["--series", EVIL, "x"],
        ["--tz", EVIL, "x"],
        ["--record", f"/no/{EVIL}", "x"],
    ):
        ran = quick(*words)
        assert ran.status in (2, 3)
        assert clean(ran.err)
    assert clean(quick("export", "x", "-o", tmp_path / EVIL).err)

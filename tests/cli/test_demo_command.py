"""``pylatencymap demo`` without a terminal: it runs through and prints one picture."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

Command = Callable[..., Any]


def test_one_picture_without_cursor_movement(command: Command) -> None:
    ran = command("demo")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.count("FREQUENCY") == 1
    assert "\x1b" not in ran.out
    assert "DEMO" in ran.out
    coloured = command("demo", "--depth", "256").out
    assert not re.search(r"\x1b(?!\[[\d;]*m)", coloured)
    mode = r"\d+ % (?:of )?I/Os (?:but )?\d+ % (?:of the )?wait"
    assert re.search(f"{mode}.*{mode}", ran.out)


def test_it_can_be_recorded_and_replayed(quick: Command, json_lines: Any, tmp_path: Path) -> None:
    target = tmp_path / "demo.lmap.gz"
    assert quick("demo", "--record", target, "--duration", "30").status == 0
    found = json_lines(quick("convert", target, "--to", "jsonl").out)
    assert {line["series"] for line in found} == {"data", "log"}
    assert len([line for line in found if line["series"] == "data"]) == 30
    again = quick("demo", "--record", target, "--count", "3")
    assert again.err == f"pylatencymap: {target} was there before; it is now {target}~\n"
    assert len(json_lines(quick("convert", target, "--to", "jsonl").out)) == 6


def test_a_seed_is_another_disk(quick: Command) -> None:
    def numbers(seed: int) -> list[str]:
        return re.findall(r"window .*avg .*", quick("demo", "--seed", seed, "--duration", "20").out)

    assert numbers(1) == numbers(1) != numbers(2)


def test_a_series_can_be_chosen(quick: Command) -> None:
    assert "log" in quick("demo", "--series", "LOG", "--once").out.splitlines()[0]
    none = quick("demo", "--series", "x")
    assert none.status == 1
    assert none.err == "pylatencymap: no series is called x; there are: data; log\n"

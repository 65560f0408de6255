"""Loops that sample totals, as documentation and messages show them, end when the program that reads them ends."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.session.input.diagnosis import ONE_READING

LOOP = re.compile(r"\(?\bwhile [^\n|`]*?; do\b[^`]*?done\)?\s*\| pylatencymap")
TOTALS = "4,1201\n"
PRINTS = {"COMMAND": TOTALS, "curl": TOTALS, "my-counters": TOTALS, "sleep": ""}
"""What a loop calls: programs that print totals, and a sleep that takes no time."""


def documented(root: Path) -> list[str]:
    texts = [ONE_READING, *(path.read_text() for path in [root / "README.md", *sorted(root.glob("docs/*.md"))])]
    return [loop for text in texts for loop in LOOP.findall(text)]


def test_they_are_found(root: Path) -> None:
    found = documented(root)
    assert len(found) == 3
    assert found[0] == "while COMMAND; do sleep 1; done | pylatencymap"


@pytest.mark.parametrize("number", range(3))
def test_a_loop_ends_with_its_reader(number: int, root: Path, shell: Callable[..., Any]) -> None:
    """``shell`` fails if the loop goes on, and the limit of CPU time then ends it."""
    loop = documented(root)[number].replace("| pylatencymap", "| head -n 1")
    ran = shell(f"ulimit -t 20; {loop}", PRINTS)
    assert ran.out.count("\n") == 1
    assert len(ran.calls) >= 1

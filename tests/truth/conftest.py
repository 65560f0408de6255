"""The real command, its answers, and a reading of its pictures that shares no code with it."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

SURROUNDINGS = {"TZ": "UTC", "COLUMNS": "120", "LINES": "40", "LC_ALL": "C.UTF-8"}
PICTURE_ROW = re.compile(r"^ *(?P<upper>[\d.]+ [num]?s) \|(?P<cells>.*)$")


class Answer(NamedTuple):
    """What a command printed and how it ended."""

    status: int
    out: str
    err: str

    @property
    def objects(self) -> list[dict[str, Any]]:
        """Its JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture(scope="session")
def surroundings(root: Path) -> dict[str, str]:
    """An environment in which nothing of this terminal, zone or user shows."""
    return {**SURROUNDINGS, "PATH": os.environ["PATH"], "PYTHONPATH": str(root)}


@pytest.fixture(scope="session")
def run(surroundings: dict[str, str]) -> Callable[..., Answer]:
    """Runs ``pylatencymap ARGUMENTS``, with ``given`` on a pipe."""

    def run_it(*arguments: str | Path, given: str = "") -> Answer:
        done = subprocess.run(
            [sys.executable, "-m", "pylatencymap", *map(str, arguments)],
            input=given,
            capture_output=True,
            text=True,
            timeout=60,
            env=surroundings,
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    return run_it


@pytest.fixture(scope="session")
def convert(run: Callable[..., Answer]) -> Callable[..., Answer]:
    """``convert FILE --to jsonl`` with the captures' day and zone, once per file."""
    kept: dict[tuple[str | Path, ...], Answer] = {}

    def convert_it(*arguments: str | Path) -> Answer:
        if arguments not in kept:
            kept[arguments] = run("convert", *arguments, "--to", "jsonl", "--tz", "UTC")
        return kept[arguments]

    return convert_it


@pytest.fixture(scope="session")
def rows_of() -> Callable[[str, int], dict[str, str]]:
    """The rows of one of the maps (0 frequency, 1 intensity) of an ASCII picture: upper bound to cells."""

    def read(picture: str, which: int = 0) -> dict[str, str]:
        lines = picture.splitlines()
        heads = [number for number, line in enumerate(lines) if re.match(r"^ (FREQUENCY|INTENSITY) ", line)]
        rows = {}
        for line in lines[heads[which] + 1 :]:
            found = PICTURE_ROW.match(line)
            if not found:
                break
            rows[found["upper"]] = found["cells"]
        return rows

    return read

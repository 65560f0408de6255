"""Recordings and texts that are read as a library reads them, and the command line to compare with."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tests.waiting import PATIENCE

Lines: TypeAlias = "Callable[..., list[dict[str, Any]]]"
Command: TypeAlias = "Callable[..., bytes]"


@pytest.fixture(scope="session")
def examples(root: Path) -> Path:
    return root / "examples"


@pytest.fixture(scope="session")
def samples(root: Path) -> Path:
    return root / "tests/collectors/samples"


@pytest.fixture(scope="session")
def command(root: Path) -> Command:
    """What a command that must succeed prints."""

    def run(*words: object) -> bytes:
        environment = {**os.environ, "TZ": "UTC", "PYTHONPATH": str(root)}
        line = [sys.executable, "-m", "pylatencymap", *map(str, words)]
        done = subprocess.run(line, capture_output=True, env=environment, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    return run


@pytest.fixture(scope="session")
def json_lines(command: Command) -> Lines:
    """The intervals that ``pylatencymap convert`` finds."""
    return lambda *words: [json.loads(line) for line in command("convert", "--to", "jsonl", *words).splitlines()]

"""The examples run as users run them: from a shell, pylatencymap on PATH, stand-ins for what needs root or a host."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.waiting import PATIENCE

SURROUNDINGS = {"TZ": "UTC", "LC_ALL": "C.UTF-8", "COLUMNS": "120", "LINES": "40"}
STAND_INS = {
    "pylatencymap": f'exec "{sys.executable}" -m pylatencymap "$@"',
    "sudo": 'exec "$@"',
    "ssh": 'host=$1; shift; exec sh -c "$*"',
}
"""``ssh HOST COMMAND`` runs the command in a local shell."""


class Ran(NamedTuple):
    """What a script printed and how it ended; ``calls`` are the stand-ins' command lines, in order of name."""

    status: int
    out: str
    err: str
    calls: list[str]


@pytest.fixture(scope="session")
def examples(root: Path) -> Path:
    return root / "examples"


@pytest.fixture
def shell(root: Path, tmp_path: Path) -> Callable[..., Ran]:
    """Runs ``sh -c LINE`` in an empty folder. ``prints`` are further stand-ins: a name and the text it prints."""
    return shell_in(tmp_path, root)


@pytest.fixture(scope="session")
def shell_once(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Ran]:
    """The same in a folder that is kept, for runs that several tests share."""
    return shell_in(tmp_path_factory.mktemp("examples"), root)


def shell_in(folder: Path, root: Path) -> Callable[..., Ran]:
    programs, log = folder / "bin", folder / "calls"
    programs.mkdir()
    surroundings = {
        **SURROUNDINGS,
        "PYTHONPATH": str(root),
        "PATH": f"{programs}:{os.environ['PATH']}",
    }

    def stand_in(name: str, body: str) -> None:
        (programs / name).write_text(f'#!/bin/sh\necho "{name} $*" >> "{log}"\n{body}\n')
        (programs / name).chmod(0o755)

    def run(line: str, prints: dict[str, str] | None = None) -> Ran:
        log.write_text("")
        for name, text in (prints or {}).items():
            (folder / f"{name}.out").write_text(text)
            stand_in(name, f'cat "{folder}/{name}.out"')
        done = subprocess.run(
            ["sh", "-c", line], cwd=folder, env=surroundings, capture_output=True, text=True, timeout=PATIENCE
        )
        return Ran(done.returncode, done.stdout, done.stderr, sorted(log.read_text().splitlines()))

    for name, body in STAND_INS.items():
        stand_in(name, body)
    return run

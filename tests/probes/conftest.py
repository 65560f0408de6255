"""Machines that exist only in tests, and probes that measure nothing."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pylatencymap.probes.machine import Answer, Machine

WAITED = 60


class Pretended(Machine):
    """A machine with these files, programs and answers, and nothing else."""

    def __init__(
        self,
        files: dict[str, str] | None = None,
        programs: tuple[str, ...] = (),
        answers: dict[str, Answer] | None = None,
        root: bool = True,
        release: str = "6.1.0-13-amd64",
        system: str = "Linux",
    ) -> None:
        self.files = files or {}
        self.asked: list[list[str]] = []
        self._programs = programs
        self._answers = answers or {}
        self._root = root
        self._release = release
        self._system = system

    def is_root(self) -> bool:
        return self._root

    def system(self) -> str:
        return self._system

    def release(self) -> str:
        return self._release

    def which(self, program: str) -> str | None:
        return f"/usr/bin/{program}" if program in self._programs else None

    def exists(self, path: str) -> bool:
        folder = path.rstrip("/") + "/"
        return path in self.files or any(name.startswith(folder) for name in self.files)

    def may_look(self, path: str) -> bool:
        return self._root and self.exists(path)

    def read(self, path: str) -> str:
        return self.files.get(path, "")

    def ask(self, words: list[str]) -> Answer:
        self.asked.append(words)
        return self._answers.get(words[0], Answer(127, "not found"))


@pytest.fixture
def pretend() -> Callable[..., Pretended]:
    return Pretended


def is_gone(process: int) -> bool:
    """Whether a process has ended; one that nobody has waited for yet has."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"


@pytest.fixture
def gone() -> Callable[[int], bool]:
    """Waits until a process has ended; whether it did."""

    def wait(process: int) -> bool:
        deadline = time.monotonic() + WAITED
        while not is_gone(process) and time.monotonic() < deadline:
            time.sleep(0.02)
        return is_gone(process)

    return wait


@pytest.fixture
def fake_probe(tmp_path: Path) -> Iterator[Callable[[str], list[str]]]:
    """The words that run a program which writes its process id to the file ``pid`` and then does ``body``. What a test
    leaves of it is ended.
    """
    started = tmp_path / "pid"

    def make(body: str) -> list[str]:
        program = tmp_path / "probe.py"
        program.write_text(f"import os, sys, time\nopen({str(started)!r}, 'w').write(str(os.getpid()))\n{body}\n")
        return [sys.executable, "-I", str(program)]

    yield make
    if started.exists() and started.read_text() and not is_gone(int(started.read_text())):
        os.kill(int(started.read_text()), 9)

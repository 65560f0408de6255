"""The work folder of an aggregation, beside what it writes: what is done already, so that a killed run goes on.

``plan.json`` says what was asked for, and ``done.jsonl`` has a line for each task that is done; a portion that no line
names does not count. So a portion counts once or not at all, whenever the run ends.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, Any

from ..errors import SourceError, UsageError
from .file_reading import ReadTask, task_of

SUFFIX = ".unfinished"
_PLAN, _DONE, _LOCK = "plan.json", "done.jsonl", "lock"
LOCK_SECONDS = 5.0
"""How long a run waits for the processes that a killed one left: they end when they see that it is gone."""
_PAUSE = 0.1


class WorkFolder:
    """The folder for an output. ``question`` is what was asked for: options, and how files are divided. Only one run at
    a time can have it; ``pause`` waits that many seconds for what another one left behind, which ``say`` gets a message
    about. Raises SourceError, and UsageError if it is of another question.
    """

    def __init__(
        self,
        output: Path,
        question: dict[str, Any],
        *,
        afresh: bool,
        say: Callable[[str], object],
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        self.path = output.with_name(output.name + SUFFIX)
        self._question = question
        self._lock = -1
        try:
            self._lock = self._locked(say, pause)
            if afresh:
                self._empty()
            self.done = list(self._agreed())
            self._log: IO[str] = open(self.path / _DONE, "a", encoding="utf-8")  # noqa: SIM115 - closed by close
        except OSError as error:
            self._unlock()
            raise SourceError(f"{self.path}: cannot be used as work folder: {error.strerror or error}") from error
        except (UsageError, SourceError):
            self._unlock()
            raise

    def note(self, task: ReadTask, result: dict[str, Any]) -> None:
        """Note that a task is done."""
        self._log.write(json.dumps([task, result]) + "\n")
        self._log.flush()

    def close(self) -> None:
        """Let another run go on."""
        self._log.close()
        self._unlock()

    def remove(self) -> None:
        """Remove all of it, after the output is complete."""
        self._log.close()
        with suppress(OSError):
            self._empty()
            (self.path / _LOCK).unlink()  # last: whoever makes another one by now begins in this folder
            self.path.rmdir()
        self._unlock()

    def _locked(self, say: Callable[[str], object], pause: Callable[[float], object]) -> int:
        most = round(LOCK_SECONDS / _PAUSE)
        for left in range(most, -1, -1):
            if (descriptor := self._lock_of_folder()) is not None:
                return descriptor
            if left == most:
                say(f"{self.path}: another run has it, or has left processes that end soon; waiting")
            if left:
                pause(_PAUSE)
        raise SourceError(f"{self.path}: another run writes the same output; wait for it, or write another")

    def _lock_of_folder(self) -> int | None:
        """The descriptor that locks the folder, which is made if it is not there; None while another run has it. That
        run may end, and remove the folder with its lock, at any moment of this.
        """
        with suppress(FileExistsError):
            self.path.mkdir(mode=0o700)
        with suppress(FileNotFoundError, BlockingIOError), ExitStack() as closing:
            descriptor = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            closing.callback(os.close, descriptor)
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(descriptor), os.stat(self.path / _LOCK)):
                closing.pop_all()
                return descriptor
        return None

    def _unlock(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _empty(self) -> None:
        for entry in self.path.iterdir():
            if entry.is_dir():
                shutil.rmtree(entry)
            elif entry.name != _LOCK:
                entry.unlink()

    def _agreed(self) -> Iterator[tuple[ReadTask, dict[str, Any]]]:
        """What is done already, of the same question. Whatever was not finished is removed."""
        plan = self.path / _PLAN
        text = json.dumps(self._question, sort_keys=True)
        if not plan.exists():
            self._empty()
            new = plan.with_suffix(".new")
            new.write_text(text, encoding="utf-8")
            new.replace(plan)
            return
        if (before := plan.read_text(encoding="utf-8")) != text:
            raise UsageError(
                f"{self.path} is of a run with other options ({_differing(before, self._question)}): "
                "give the same to go on, or add --afresh to begin again"
            )
        for unfinished in self.path.glob("*.new"):
            unfinished.unlink()
        yield from self._noted()

    def _noted(self) -> Iterator[tuple[ReadTask, dict[str, Any]]]:
        """The tasks that are done; a last line that was cut off is of none, and is removed."""
        path = self.path / _DONE
        whole = 0
        with suppress(FileNotFoundError), open(path, "r+b") as log:
            for line in log:
                try:
                    task, result = json.loads(line)
                except ValueError:
                    break
                whole += len(line)
                yield task_of(task), result
            log.truncate(whole)


def _differing(before: str, question: dict[str, Any]) -> str:
    try:
        old = json.loads(before)
        return ", ".join(name for name in sorted(question) if old.get(name) != question[name]) or "version"
    except (ValueError, AttributeError):
        return "damaged"

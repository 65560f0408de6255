"""Reads single events of the inputs again, in the background: who is in a cell, and a picture of some of them alone."""

from __future__ import annotations

import os
from collections.abc import Callable
from threading import Thread
from typing import TYPE_CHECKING

from ...errors import LatencyMapError
from ...session import PartJob
from ...session.input import ReadProgress, StopRequest, ignore_progress

if TYPE_CHECKING:
    from ...events import CellQuestion, EventsFound, EventSupplier, Only
    from ...window import Window

PART_OF_MEMORY = 0.25
"""The part of the memory for the history that the picture of a filter may take."""


class AnswerJob:
    """A thread that looks for an answer. ``found`` is what is known so far; ``wake`` is called when there is more."""

    def __init__(self, inputs: EventSupplier, asked: CellQuestion, wake: Callable[[], object]) -> None:
        self.found: EventsFound | None = None
        self.error: BaseException | None = None
        self.is_done = False
        self.stop = StopRequest()
        self._progress = ReadProgress(ignore_progress)
        self._inputs, self._asked, self._wake = inputs, asked, wake
        Thread(target=self._run, name="events", daemon=True).start()

    def _run(self) -> None:
        try:
            for found in self._inputs.read(self._asked, self.stop, self._note):
                self.found = found
                self._wake()
        except BaseException as error:  # noqa: BLE001 - raised again in the foreground
            self.error = error
        finally:
            self.is_done = True
            self._wake()

    def _note(self, name: str, done: int, size: int) -> None:
        self._progress.read(os.path.basename(name), done, size)

    @property
    def progress(self) -> str:
        """How far it is; empty at the beginning and at the end."""
        return "" if self.is_done else self._progress.message()


class EventReading:
    """At most one answer is looked for at a time, and one picture is read. ``megabytes``: how much a picture may take;
    ``wake`` is called, in another thread, when there is something to ``collect``.

    ``answer`` is what is known of the last question, and ``refusal`` why there is no more. ``windows`` are the pictures
    that have been read, by their filters.
    """

    def __init__(self, inputs: EventSupplier, megabytes: float, wake: Callable[[], object]) -> None:
        self._inputs = inputs
        self._megabytes = megabytes * PART_OF_MEMORY
        self._wake = wake
        self._answering: AnswerJob | None = None
        self._drawing: tuple[Only, PartJob] | None = None
        self.answer: EventsFound | None = None
        self.refusal = ""
        self.windows: dict[Only, Window] = {}

    @property
    def can_filter(self) -> bool:
        """Whether the inputs can be read again as a whole."""
        return self._inputs.are_files

    @property
    def is_sample(self) -> bool:
        """Whether only a sample of the events is known."""
        return self._inputs.is_sample

    def ask(self, asked: CellQuestion) -> None:
        """Look for the answer to a question; the one before is given up."""
        self.give_up()
        self.answer, self.refusal = None, ""
        self._answering = AnswerJob(self._inputs, asked, self._wake)

    def read_alone(self, only: Only) -> None:
        """Read the events that a filter leaves, for a picture. Raises SourceError."""
        self.give_up()
        part = self._inputs.alone(only)
        self._drawing = only, PartJob((0, 0), part, self._megabytes, self._wake)

    def give_up(self) -> None:
        """Read no further."""
        if self._answering is not None:
            self._answering.stop.set()
        if self._drawing is not None:
            self._drawing[1].part.stop()
        self._answering = self._drawing = None

    @property
    def is_drawing(self) -> bool:
        """Whether a picture is being read."""
        return self._drawing is not None

    @property
    def progress(self) -> str:
        """What to say while something is read; empty if nothing is, or if it has just begun."""
        if self._drawing is not None:
            return self._drawing[1].part.progress()
        return self._answering.progress if self._answering is not None else ""

    @property
    def is_asking(self) -> bool:
        """Whether the answer is not complete yet."""
        return self._answering is not None

    def collect_answer(self) -> bool:
        """Take what has been found. Returns whether there is anything new. Raises what broke reading off."""
        job = self._answering
        if job is None:
            return False
        is_done, found = job.is_done, job.found
        is_new = found is not self.answer or is_done
        self.answer = found
        if is_done:
            self._answering = None
            if isinstance(job.error, LatencyMapError):
                self.answer, self.refusal = None, str(job.error)
            elif job.error is not None:
                raise job.error
        return is_new

    def collect_window(self) -> Only | None:
        """The filter whose picture has been read; it is in ``windows`` then, unless it has no event: then ``refusal``
        says so. None if there is none. Raises what broke reading off.
        """
        if self._drawing is None or not self._drawing[1].is_done:
            return None
        (only, job), self._drawing = self._drawing, None
        if isinstance(job.error, LatencyMapError):
            self.refusal = str(job.error)
        elif job.error is not None:
            raise job.error
        elif not len(job.window):
            self.refusal = "there is no such event in what is read"
        else:
            self.windows[only] = job.window
        return only

"""Reads the output of a scripted program as a live pipe is read, on the clock of the script."""

from __future__ import annotations

import os
from collections.abc import Callable

from pylatencymap.intervals.options import TimeOptions
from pylatencymap.report import Report
from pylatencymap.session.input.pipeline import ReadPlan, events_of, intervals_of
from tests.session.input.test_live_beginnings import WALL, Seen, pulsed
from tests.session.input.test_pipeline_live import WaitingProgram


class LateReader(WaitingProgram):
    """A program whose prints go on while its reader does something else."""

    def pass_until(self, moment: float) -> None:
        """The reader is back at a moment; what was printed until then waits in the pipe."""
        self.now = moment
        while self._next is not None and self._next[0] <= self.now:
            os.write(self._output, self._next[1].encode())
            self._next = next(self._prints, None)


def read_to_end(program: WaitingProgram, queued: Callable[[], float] | None = None) -> Seen:
    """What the prints become. ``queued``: how long, as the system says, the reader had no CPU."""
    said: list[str] = []
    report = Report("pipe", say=said.append)
    plan = ReadPlan(time=TimeOptions(now=lambda: WALL + program.now, pulsed=pulsed))
    source = program.source()
    if queued is not None:
        source.queued = queued
    options = plan.time._replace(started=0.0, monotonic=source.monotonic, pauses=source)
    found = list(intervals_of(events_of(source, plan, report), plan, lambda _: None, None, options, report))
    os.close(program.descriptor)
    program.close()
    return Seen(found, said)

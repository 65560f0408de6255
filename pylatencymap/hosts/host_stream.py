"""The stream of one host: the command that prints it, its end and its return, its clock, its series."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import subprocess
import tempfile
import termios
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from typing import IO, NamedTuple

from ..errors import LatencyMapError
from ..interval import Interval
from ..record import Mark
from ..report import Report
from ..session.input import ReadPlan, intervals_from, with_pulses
from ..text.clean import printable
from .host_commands import HostCommand
from .host_pipe import HostPipe, HostSource
from .sent_again import SentAgain
from .stream_loop import StreamLoop, TaskReader

PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0)
LONGEST_PAUSE = 30.0
"""Seconds before a command that has ended is started again."""
HEALTHY_SECONDS = 60.0
"""A command that ran so long is started again at once."""
LAST_SECONDS = 2.0
"""How long commands can take to end."""
LOOKS_A_SECOND = 20
"""How often we look whether a command has ended."""
QUOTED = 200
MOST_TOGETHER = 1000
"""So many intervals are kept at most, to see which is the newest of those that come together."""


# How far the clock of a host is off, told by when its intervals arrive.


LEAST_SECONDS = 2.0
"""A clock that is off by less is not corrected: an interval arrives a little after its end."""
ALIKE_SECONDS = 1.0
AGREEING = 3
"""So many intervals have to agree before a clock that was right is taken to be wrong."""


class ClockOffset:
    """What to add to the times of one host, in microseconds. The first interval decides. Later ones change that only if
    several in a row, which did not come at once, agree: what was held up in a network comes late, and together.
    """

    def __init__(self) -> None:
        self.micros = 0
        self._seen = False
        self._last_arrival: float | None = None
        self._off: list[float] = []

    def take(self, interval: Interval, now: float, waited: float = 0.0) -> bool:
        """Note an interval that was read at ``now`` (epoch seconds), and can have been there ``waited`` seconds before;
        returns whether the offset has changed.
        """
        lag = now - (interval.end + self.micros) / 1e6
        lag = max(lag - waited, 0.0) if lag > 0 else lag
        before, self._last_arrival = self._last_arrival, now
        if not interval.clock or interval.gap:
            return False
        limit = max(LEAST_SECONDS, 1.5 * interval.seconds)
        if not self._seen:
            self._seen = True
            return abs(lag) > limit and self._move(lag)
        came_with_others = before is not None and now - before < interval.seconds / 2
        if abs(lag) <= limit or came_with_others:
            self._off.clear()
            return False
        if self._off and abs(lag - self._off[-1]) > ALIKE_SECONDS:
            self._off.clear()
        self._off.append(lag)
        return len(self._off) == AGREEING and self._move(min(self._off, key=abs))

    def _move(self, lag: float) -> bool:
        micros = self.micros + round(lag * 1e6)
        self.micros = micros if abs(micros) >= LEAST_SECONDS * 1e6 else 0
        self._off.clear()
        return True


# One host.


class HostCallbacks(NamedTuple):
    """What a host needs of those that it is read with. ``put`` takes its intervals, ``tell`` what happens to it,
    ``on_mark`` its marks; ``now`` is our clock, in epoch seconds. ``restarts``: a command that ends is started again.
    """

    plan: ReadPlan
    put: Callable[[Interval], object]
    tell: Callable[[str], None]
    on_mark: Callable[[Mark], object]
    now: Callable[[], float]
    restarts: bool


class HostStream:
    """One host: its process, its clock, and its series. ``run`` is a task of the loop."""

    def __init__(self, about: HostCommand, loop: StreamLoop, hosts: HostCallbacks) -> None:
        self.name = about.host
        self._command = about.command
        self._loop = loop
        self._hosts = hosts
        self._clock = ClockOffset()
        self._again = SentAgain()
        self._ends: dict[str, Interval] = {}
        self._together: list[Interval] = []
        self._returned: set[str] = set()
        self.process: subprocess.Popen[bytes] | None = None
        self.heard = time.monotonic()
        self._source: HostSource | None = None
        self.usual = 1.0
        self.has_begun = self.is_silent = self.has_ended = self._is_known = False

    def run(self, after: float = 0.0) -> None:
        """Read until it is stopped, starting the command ``after`` so many seconds, and again whenever it ends."""
        if after:
            self._loop.wait_for(None, after)
        self.has_begun = True
        pauses = chain(PAUSES, repeat(LONGEST_PAUSE))
        while not self._loop.stop.is_set:
            begun = time.monotonic()
            why = self._read()
            self._put_all(self._again.rest())
            self.say_passed_over()
            if self._loop.stop.is_set:
                return
            self._returned = set(self._ends)
            if not self._hosts.restarts:
                self._hosts.tell(f"{self.name}: {why}")
                self.has_ended = True
                return
            if time.monotonic() - begun >= HEALTHY_SECONDS:
                pauses = chain(PAUSES, repeat(LONGEST_PAUSE))
            pause = next(pauses)
            self._hosts.tell(f"{self.name}: {why}; it is started again in {pause:g} s")
            self._loop.wait_for(None, pause)
            self._again.restarted(time.monotonic())

    def silence_words(self, now: float) -> str:
        """What is said if no interval has come for long, at a moment in monotonic seconds: the host can print all the
        while what is none.
        """
        silent = now - self.heard
        if self._source is not None and now - self._source.heard < silent / 2:
            return f"{self.name}: in what has come for {silent:.0f} s there is no latency"
        return f"{self.name}: nothing has come for {silent:.0f} s"

    def say_passed_over(self) -> None:
        """Say how many intervals have come once more, if that is known."""
        if count := self._again.passed_over():
            intervals = f"{count:,} interval{'s' if count > 1 else ''}"
            self._hosts.tell(f"{self.name}: {intervals} of before its restart came again: passed over")

    def _read(self) -> str:
        """Run the command once; returns why it ended."""
        with tempfile.TemporaryFile() as messages:
            try:
                self.process = process = self._start(messages)
                self.heard = time.monotonic()
            except OSError as error:
                return f"the command cannot be started: {error.strerror}"
            assert process.stdout is not None
            said = ""
            with process.stdout:
                try:
                    self._take_all(process.stdout.fileno())
                except LatencyMapError as error:
                    said = str(error)
                finally:
                    self._loop.forget(process.stdout.fileno())
            self._end(process)
            return self._why(process, messages) if not said or process.returncode not in (0, -signal.SIGTERM) else said

    def _take_all(self, descriptor: int) -> None:
        """Read what the command prints, to its end."""

        def pass_on() -> None:
            if self._together:
                has_all = self._is_known or (pipe.is_waiting and not _unread(descriptor))
                self._pass_on(source.heard, source.longest_wait(source.heard), has_all=has_all)

        def take(found: list[Interval], waited: float) -> None:
            self._together += found
            self._pass_on(time.monotonic(), waited, has_all=self._is_known or not _unread(descriptor))

        def tell(what: str) -> None:
            if not pipe.is_handing_back:
                self._hosts.tell(what)

        pipe = HostPipe(self._loop, pass_on, take)
        source = HostSource(
            self.name,
            descriptor,
            live=True,
            modified=None,
            stop=self._loop.stop,
            queued=self._loop.late,
            wait_for=pipe.wait_for,
            remember=pipe.remember,
            pipe=pipe,
        )
        self._source = source
        pulsed = partial(
            with_pulses,
            monotonic=source.monotonic,
            pauses=source,
            reader_of=lambda events: TaskReader(self._loop, events, pass_on),
        )
        plan = self._hosts.plan.afresh()
        plan = replace(plan, time=plan.time._replace(pulsed=pulsed))
        with pipe:
            for interval in intervals_from(source, plan, Report(self.name, say=tell), self._mark):
                if pipe.is_new(interval):
                    self._together.append(interval)
                if len(self._together) >= MOST_TOGETHER:
                    pass_on()

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """End the command and all that it has started, while other hosts go on. After a stop, ``end_all`` does so for
        all of them, and gives them time.
        """
        send(process, signal.SIGTERM)
        for _ in range(round(LAST_SECONDS * LOOKS_A_SECOND)):
            if process.poll() is not None:
                break
            if self._loop.stop.is_set:
                return
            self._loop.wait_for(None, 1 / LOOKS_A_SECOND)
        send(process, signal.SIGKILL)
        while process.poll() is None and not self._loop.stop.is_set:
            self._loop.wait_for(None, 1 / LOOKS_A_SECOND)

    def _start(self, messages: IO[bytes]) -> subprocess.Popen[bytes]:
        """A session of its own: it cannot ask on the terminal, which the view has, and is ended with all it started."""
        return subprocess.Popen(
            ["/bin/sh", "-c", self._command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=messages,
            start_new_session=True,
        )

    @staticmethod
    def _why(process: subprocess.Popen[bytes], messages: IO[bytes]) -> str:
        messages.seek(0)
        lines = messages.read(1 << 20).decode("utf-8", "replace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), "")
        what = f": {printable(last.strip(), QUOTED)}" if last else ""
        return f"the command ended with status {process.returncode}{what}"

    def _pass_on(self, heard: float, waited: float, *, has_all: bool) -> None:
        """Pass on the intervals that have come together, the last of them at ``heard``, and can have been there for
        ``waited`` seconds before. The newest tells how far the clock is off: those before it were held until it
        confirmed them. At first it does so only of all that has come: a host can begin with what it has kept.
        """
        together, self._together = self._again.new_of(self._together, heard), []
        self.heard, self.is_silent = time.monotonic(), False
        if not together:
            return
        self.say_passed_over()
        newest = max(together, key=lambda one: one.end)
        read = self._hosts.now() - (time.monotonic() - heard)
        self._is_known = self._is_known or has_all
        if self._is_known and self._clock.take(newest, read, waited):
            self._hosts.tell(f"{self.name}: {_offset_words(self._clock.micros / 1e6)}")
        self._put_all(together)

    def _put_all(self, found: Iterable[Interval]) -> None:
        for one in found:
            if not one.gap:
                self.usual = one.seconds
            self._put(one)

    def _put(self, interval: Interval) -> None:
        """Hand over an interval, on our clock and under the name of the host."""
        moved = _moved(interval, f"{self.name},{interval.series}", self._clock.micros)
        before = self._ends.get(moved.series)
        if before is not None and moved.start < before.end and moved.end != before.end:
            # The offset was too large, as after a host has sent at once what it had kept. The time axis waits.
            moved = replace(moved, start=before.end, end=max(moved.end, before.end + 1))
        if moved.series in self._returned:
            self._returned.discard(moved.series)
            if before is not None and before.end < moved.start:
                self._hosts.put(_gap(before, moved.start))
        self._ends[moved.series] = moved
        self._hosts.put(moved)

    def _mark(self, mark: Mark) -> None:
        if not self._again.is_new_mark(mark):
            return
        stamp = replace(mark.stamp, micros=mark.stamp.micros + self._clock.micros)
        self._hosts.on_mark(replace(mark, stamp=stamp, note=f"{self.name}: {mark.note}"))


def _unread(descriptor: int) -> bool:
    """Whether a pipe has something that was not read yet; its end is none."""
    return fcntl.ioctl(descriptor, termios.FIONREAD, bytes(4)) != bytes(4)


def _offset_words(off: float) -> str:
    if abs(off) < LEAST_SECONDS:
        return "its clock is right after all; its times are not moved any longer"
    return f"its clock is about {abs(off):.0f} s {'behind' if off > 0 else 'ahead'}; its times are moved by that"


def _gap(before: Interval, until: int) -> Interval:
    seconds = (until - before.end) / 1e6
    return replace(before, start=before.end, end=until, seconds=seconds, ranges=(), waited=None, gap=True, reset=False)


def _moved(one: Interval, series: str, by: int) -> Interval:
    """An interval under another name, on another clock; ``replace`` takes several times as long."""
    return Interval(
        series, one.unit, one.start + by, one.end + by, one.seconds, one.ranges, one.waited, one.estimated,
        one.reset, one.gap, one.clock, one.label, one.source, one.note, one.doubtful,
    )  # fmt: skip


def end_all(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    """End commands and all that they have started: SIGTERM, and SIGKILL for what is left after LAST_SECONDS."""
    for one in processes:
        send(one, signal.SIGTERM)
    until = time.monotonic() + LAST_SECONDS
    for one in processes:
        with contextlib.suppress(subprocess.TimeoutExpired):
            one.wait(max(until - time.monotonic(), 0.01))
    for one in processes:
        send(one, signal.SIGKILL)
        one.wait()


def send(process: subprocess.Popen[bytes], number: int) -> None:
    """Send a signal to the group of a process; it has one as long as anything of it is left."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)

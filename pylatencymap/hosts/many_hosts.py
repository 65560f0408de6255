"""Reads the streams of many hosts, each in a thread of its own; what happens to one costs nothing of the others."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, repeat
from typing import IO

from ..errors import LatencyMapError
from ..interval import Interval
from ..record import Mark
from ..report import Report
from ..session.input import ReadPlan, Source, StopRequest, intervals_from
from ..text.clean import printable
from .host_commands import HostCommand, check_hosts

PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0)
LONGEST_PAUSE = 30.0
"""Seconds before a command that has ended is started again."""
HEALTHY_SECONDS = 60.0
"""A command that ran so long is started again at once."""
SILENT_SECONDS = 5.0
SILENT_FACTOR = 2.5
"""A host is silent if nothing came for so long, or for so many of its intervals."""
LAST_SECONDS = 2.0
"""How long commands can take to end."""
STACK_BYTES = 512 * 1024
WAITING = 20_000
QUOTED = 200


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
        self.micros += round(lag * 1e6)
        self._off.clear()
        return True


# One host, and all of them.


class _Host:
    """One host: its process, its clock, and its series."""

    def __init__(self, about: HostCommand, hosts: ManyHosts) -> None:
        self.name = about.host
        self._command = about.command
        self._hosts = hosts
        self._clock = ClockOffset()
        self._ends: dict[str, Interval] = {}
        self._returned: set[str] = set()
        self._process: subprocess.Popen[bytes] | None = None
        self.heard = time.monotonic()
        self.usual = 1.0
        self.is_silent = self.has_ended = False

    def run(self) -> None:
        """Read until it is stopped, starting the command again whenever it ends."""
        pauses = chain(PAUSES, repeat(LONGEST_PAUSE))
        while not self._hosts.stop.is_set:
            begun = time.monotonic()
            why = self._read()
            if self._hosts.stop.is_set:
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
            self._hosts.pause(pause)

    def _read(self) -> str:
        """Run the command once; returns why it ended."""
        with tempfile.TemporaryFile() as messages:
            try:
                process = self._start(messages)
            except OSError as error:
                return f"the command cannot be started: {error.strerror}"
            self._process = process
            assert process.stdout is not None
            source = Source(self.name, process.stdout.fileno(), live=True, modified=None, stop=self._hosts.stop)
            report = Report(self.name, say=self._hosts.tell)
            said = ""
            try:
                for interval in intervals_from(source, self._hosts.plan.afresh(), report, self._mark):
                    self._take(interval, source)
            except LatencyMapError as error:
                said = str(error)
            finally:
                end_all([process])
            return self._why(process, messages) if not said or process.returncode not in (0, -signal.SIGTERM) else said

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

    def _take(self, interval: Interval, source: Source) -> None:
        read = self._hosts.now() - (time.monotonic() - source.heard)
        changed = self._clock.take(interval, read, source.longest_wait(source.heard))
        self.heard, self.is_silent = time.monotonic(), False
        if not interval.gap:
            self.usual = interval.seconds
        if changed:
            off = self._clock.micros / 1e6
            way = "behind" if off > 0 else "ahead"
            self._hosts.tell(f"{self.name}: its clock is {abs(off):.1f} s {way}; its times are moved by that")
        shift = self._clock.micros
        moved = replace(
            interval,
            series=f"{self.name},{interval.series}",
            start=interval.start + shift,
            end=interval.end + shift,
        )
        before = self._ends.get(moved.series)
        if moved.series in self._returned:
            self._returned.discard(moved.series)
            if before is not None and before.end < moved.start:
                self._hosts.put(_gap(before, moved.start))
        self._ends[moved.series] = moved.without_ranges()
        self._hosts.put(moved)

    def _mark(self, mark: Mark) -> None:
        stamp = replace(mark.stamp, micros=mark.stamp.micros + self._clock.micros)
        self._hosts.on_mark(replace(mark, stamp=stamp, note=f"{self.name}: {mark.note}"))

    @property
    def process(self) -> subprocess.Popen[bytes] | None:
        """The command that runs, or ran last."""
        return self._process


def _gap(before: Interval, until: int) -> Interval:
    return replace(
        before, start=before.end, end=until, seconds=(until - before.end) / 1e6, waited=None, gap=True, reset=False
    )


def end_all(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    """End commands and all that they have started: SIGTERM, and SIGKILL for what is left after LAST_SECONDS."""
    for one in processes:
        _signal(one, signal.SIGTERM)
    until = time.monotonic() + LAST_SECONDS
    for one in processes:
        with contextlib.suppress(subprocess.TimeoutExpired):
            one.wait(max(until - time.monotonic(), 0.01))
    for one in processes:
        _signal(one, signal.SIGKILL)
        one.wait()


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    """Send a signal to the group of a process; it has one as long as anything of it is left."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


class ManyHosts:
    """The intervals of all hosts as they come, each series with the name of its host before its own.

    ``say`` receives what happens to a host, ``on_mark`` the marks of their streams. ``restarts``: a command that ends
    is started again. Raises UsageError if the system does not allow so many.
    """

    def __init__(
        self,
        hosts: Sequence[HostCommand],
        plan: ReadPlan,
        stop: StopRequest,
        say: Callable[[str], None],
        *,
        restarts: bool = True,
        now: Callable[[], float] = time.time,
    ) -> None:
        check_hosts(hosts)
        self.plan = plan
        self.stop = stop
        self.tell = say
        self.restarts = restarts
        self.now = now
        self.on_mark: Callable[[Mark], object] = lambda _: None
        self._found: queue.Queue[Interval] = queue.Queue(WAITING)
        self._looked = 0.0
        self._hosts = [_Host(one, self) for one in hosts]

    def intervals(self, on_mark: Callable[[Mark], object]) -> Iterator[Interval]:
        """Start all commands, and yield what they print until ``stop``, or until all have ended for good."""
        self.on_mark = on_mark
        before = threading.stack_size(STACK_BYTES)
        try:
            for one in self._hosts:
                threading.Thread(target=one.run, name=one.name, daemon=True).start()
        finally:
            threading.stack_size(before)
        try:
            while not self.stop.is_set:
                try:
                    yield self._found.get(timeout=1.0)
                except queue.Empty:
                    if all(one.has_ended for one in self._hosts) and self._found.empty():
                        return
                self._look_for_silence()
        finally:
            self.stop.set()

    def close(self) -> None:
        """End all commands, and what they have started."""
        self.stop.set()
        end_all([one.process for one in self._hosts if one.process is not None])

    def heard(self) -> float:
        """Monotonic seconds at which anything came last."""
        return max(one.heard for one in self._hosts)

    def put(self, interval: Interval) -> None:
        """Hand over an interval, from any thread; waits if nobody takes them."""
        while not self.stop.is_set:
            with contextlib.suppress(queue.Full):
                self._found.put(interval, timeout=1.0)
                return

    def pause(self, seconds: float) -> None:
        """Sleep, unless stopped."""
        self.stop.pause(seconds)

    def _look_for_silence(self) -> None:
        now = time.monotonic()
        if now - self._looked < 1.0:
            return
        self._looked = now
        for one in self._hosts:
            silent = now - one.heard
            if not one.is_silent and not one.has_ended and silent > max(SILENT_SECONDS, SILENT_FACTOR * one.usual):
                one.is_silent = True
                self.tell(f"{one.name}: nothing has come for {silent:.0f} s")

"""The pipe of one host: what waits for it, and who reads it while its records only go on as before."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ..errors import SourceError
from ..interval import Interval
from ..session.input import Source
from ..text import PAUSE_SECONDS
from ..text.lines import Line
from .steady_records import Arrival, SteadyRecords
from .stream_loop import StreamLoop

SNAPSHOTS_ALIKE = 3
"""So many snapshots have to be read alike in both ways before the short one is taken."""
MOST_AWAITED = 1000
"""So many intervals are kept that the short way has found, and the stages have not."""
MOST_TEXT = 1 << 20
CHUNK = 1 << 16


class HostPipe:
    """A pipe as long as somebody reads it to its end: another task that waits for it then ends, too. ``on_wait`` is
    called before a task waits; ``is_waiting``: all that was read has been used.

    The decoder and the stages read the pipe, in the task of the host. If what they made of the last snapshots is just
    what ``SteadyRecords`` made of them, and they hold nothing, the loop hands on what comes to ``take``, with the
    seconds for which it can have been there; the task sleeps. The first text that is not steady goes to the task,
    behind the running sums up to there.
    """

    def __init__(
        self, loop: StreamLoop, on_wait: Callable[[], object], take: Callable[[list[Interval], float], object]
    ) -> None:
        self._loop = loop
        self._on_wait = on_wait
        self._take = take
        self._task = loop.current
        self._is_open, self.is_waiting = True, False
        self._records = SteadyRecords()
        self._awaited: deque[Interval] = deque()
        self._alike = 0
        self._returned: deque[tuple[bytes, Arrival]] = deque()
        self._again: deque[Interval] = deque()
        # So many lines more than the decoder has been given have come.
        self.lines_left_out = 0

    def __enter__(self) -> HostPipe:
        return self

    def __exit__(self, *_: object) -> None:
        self._is_open = False
        self._on_wait()

    def wait_for(self, descriptor: int, seconds: float | None) -> bool:
        """As ``StreamLoop.wait_for``. Raises SourceError when nobody reads the pipe any longer."""
        if self._returned:
            return not self._loop.stop.is_set
        self.is_waiting = True
        try:
            return self._wait_for(descriptor, seconds)
        finally:
            self.is_waiting = False

    def _wait_for(self, descriptor: int, seconds: float | None) -> bool:
        is_steady = self._is_open and self._is_steady()
        if self._is_open and (is_steady or seconds != 0.0):
            self._on_wait()
        if is_steady:
            return self._read_steady(descriptor)
        is_ready = self._is_open and self._loop.wait_for(descriptor, seconds)
        if not self._is_open:
            raise SourceError("nobody reads it any longer")
        return is_ready

    def handed_back(self) -> tuple[bytes, Arrival] | None:
        """What the loop has read and hands back, with its arrival; None if nothing is left of that."""
        return self._returned.popleft() if self._returned else None

    # While the decoder and the stages read.

    def remember(self, chunk: bytes) -> None:
        """Note what the decoder reads."""
        try:
            self._awaited += self._records.learn(chunk.decode())
        except UnicodeDecodeError:
            self._begin_anew()
        if len(self._awaited) > MOST_AWAITED:
            self._begin_anew()

    def is_new(self, interval: Interval) -> bool:
        """Note what the stages have found; False for what the short way had found, and has handed back."""
        if self._again:
            if interval == self._again[0]:
                self._again.popleft()
                return False
            if interval.end <= self._again[0].start:
                return False  # what the stages have missed
            self._again.clear()
        if self._awaited and interval.end > self._awaited[0].start:  # else it is of a time before it was known
            if self._awaited.popleft() == interval:
                self._alike += 1
            else:
                self._begin_anew()
        return True

    @property
    def is_handing_back(self) -> bool:
        """Whether the stages read once more what was said before."""
        return bool(self._again)

    def _begin_anew(self) -> None:
        self._awaited.clear()
        self._alike = 0
        self._records = SteadyRecords()

    def _is_steady(self) -> bool:
        records = self._records
        is_whole = records.is_known and not records.rest and not self._awaited
        return is_whole and self._alike >= SNAPSHOTS_ALIKE * records.size and self._loop.current is self._task

    # While the loop reads.

    def _read_steady(self, descriptor: int) -> bool:
        """Sleep until something comes that is not steady, or the input ends; whether there is something to read."""
        self._records.begin()
        is_ready = False
        while not (is_ready or self._records.rest or self._loop.stop.is_set):
            is_ready = self._loop.wait_while(descriptor, lambda: self._go_on(descriptor))
        if self._loop.stop.is_set:
            return False
        self._hand_back()
        return bool(self._returned or is_ready)

    def _go_on(self, descriptor: int) -> bool:
        """Read what is there; whether it was steady. Half a snapshot waits as long as a pause lasts."""
        chunk, came = os.read(descriptor, CHUNK), Arrival(self._loop.now(), self._loop.waited())
        try:
            text = chunk.decode()
        except UnicodeDecodeError:
            self._returned.append((chunk, came))
            return False
        found, is_steady = self._records.feed(text, came)
        if found:
            self._take(found, came.waited)
        if self._records.rest:
            self._loop.wake_in(self._task, PAUSE_SECONDS)
        return bool(chunk) and is_steady and len(self._records.rest) <= MOST_TEXT

    def _hand_back(self) -> None:
        """Give the decoder what has not been used, behind the last snapshots that have been."""
        back = self._records.handed_back()
        now = Arrival(self._loop.now(), 0.0)
        texts = [*back.texts, (back.rest, now)] if back.rest else back.texts
        self._returned.extendleft((text.encode(), arrival) for text, arrival in reversed(texts))
        self._again.extend(back.intervals)
        self.lines_left_out += back.lines - sum(text.count("\n") for text, _ in back.texts)
        self._begin_anew()


@dataclass
class HostSource(Source):
    """What comes through the pipe of a host."""

    pipe: HostPipe = field(kw_only=True)

    def lines(self, bad: Callable[[int, str], object] = lambda _line, _what: None) -> Iterator[Line | None]:
        """As of any source; the numbers count what the decoder has not been given."""
        for line in super().lines(bad):
            more = self.pipe.lines_left_out
            yield line if line is None or not more else line._replace(number=line.number + more)

    def _received(self, size: int) -> tuple[bytes, float, float]:
        back = self.pipe.handed_back()
        return super()._received(size) if back is None else (back[0], *back[1])

"""The short way of records that go on as before, and its twin: the decoder and all stages. Both find the same."""

from __future__ import annotations

import os
import random
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import NamedTuple, cast

import pytest

from pylatencymap.hosts import steady_records
from pylatencymap.hosts.host_pipe import HostPipe, HostSource
from pylatencymap.hosts.stream_loop import StreamLoop
from pylatencymap.interval import Interval
from pylatencymap.intervals import TimeOptions
from pylatencymap.record import KEPT, Clock, Event, Record, Semantics, Stamp, Tick
from pylatencymap.report import Report
from pylatencymap.session.input import ReadPlan, StopRequest, intervals_from, with_pulses
from pylatencymap.stream import StreamWriter
from pylatencymap.units import Unit

BEGIN = 1_700_000_000
MICROS = 10**6
BEGUN = 1000.0
"""Monotonic seconds."""
PAUSE = b""
"""In a script: nothing comes for a while, although a snapshot is not complete."""


class Rest(bytes):
    """In a script: the rest of what came before, at once."""


class ScriptedLoop:
    """Stands for the loop: the pipe gets the next piece of a script when the task waits for it, one second after
    the last one.
    """

    def __init__(self, script: list[bytes]) -> None:
        self.stop = StopRequest()
        self.current = object()
        self.time = BEGUN
        self._pieces = 0
        self.read_end, self._write_end = os.pipe()
        self._script = deque(script)
        self._is_open = True
        self._is_due = False

    def now(self) -> float:
        return self.time

    def wait_for(self, _: int, seconds: float | None) -> bool:
        if seconds == 0.0:
            return False
        if seconds is not None and not isinstance(next(iter(self._script), None), Rest):
            self.time += seconds
            return False
        return self._next()

    def wait_while(self, _: int, take: Callable[[], bool]) -> bool:
        while True:
            if not self._next() and self._is_due:
                self._is_due = False
                return False
            if not take():
                return True

    def wake_in(self, *_: object) -> None:
        self._is_due = True

    def waited(self) -> float:
        return 0.0

    def _next(self) -> bool:
        """Let the next piece come; False if a pause is next."""
        piece = self._script.popleft() if self._script else None
        self._pieces += not isinstance(piece, Rest)
        self.time = max(self.time, BEGUN + self._pieces)
        if piece == PAUSE:
            return False
        if piece is None:
            self.close()
        else:
            os.write(self._write_end, piece)
        return True

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            os.close(self._write_end)


class AtOnce:
    """Reads the next event without a task of its own: nothing that the stages hold is due before it."""

    def __init__(self, events: Iterator[object]) -> None:
        self._events = events

    def read(self) -> object | None:
        return next(self._events, None)

    def begin(self) -> None:
        pass

    def is_done(self, _: float | None) -> bool:
        return True

    def result(self) -> object | None:
        return self.read()

    def stop(self) -> None:
        pass


class Outcome(NamedTuple):
    found: list[Interval]
    said: list[str]


@contextmanager
def scripted(script: list[bytes]) -> Iterator[ScriptedLoop]:
    loop = ScriptedLoop(script)
    try:
        yield loop
    finally:
        loop.close()
        os.close(loop.read_end)
        loop.stop.close()


def read(script: list[bytes], *, short: bool) -> tuple[Outcome, int]:
    """What is found in a script, and how many intervals the short way has found."""
    found: list[Interval] = []
    taken: list[Interval] = []

    def take(some: list[Interval], _: float) -> None:
        found.extend(some)
        taken.extend(some)

    with scripted(script) as loop:
        pipe = HostPipe(cast("StreamLoop", loop), lambda: None, take)
        if not short:
            pipe._is_steady = lambda: False  # type: ignore[method-assign]
        source = HostSource(
            "db1", loop.read_end, live=True, modified=None, stop=loop.stop, monotonic=loop.now, started=loop.now(),
            queued=lambda: 0.0, wait_for=pipe.wait_for, remember=pipe.remember, pipe=pipe,
        )  # fmt: skip
        pulsed = partial(with_pulses, monotonic=loop.now, pauses=source, reader_of=AtOnce)
        said: list[str] = []
        report = Report("db1", say=lambda what: None if pipe.is_handing_back else said.append(what))
        with pipe:
            plan = ReadPlan(time=TimeOptions(pulsed=pulsed))  # type: ignore[arg-type]
            for one in intervals_from(source, plan, report, lambda _: None):
                if pipe.is_new(one):
                    found.append(one)
    return Outcome(found, said), len(taken)


def alike(script: list[bytes]) -> int:
    """Both ways find the same in a script; how many intervals the short one has found by itself."""
    (short, taken), (twin, none) = read(script, short=True), read(script, short=False)
    assert none == 0
    assert short == twin
    return taken


# What a host prints.


def ranges_at(second: int, series: int, chance: random.Random) -> tuple[tuple[int, int, int], ...]:
    """Octaves, or narrower ranges, with some of them left out."""
    width = 4 if (second + series) % 3 else 1
    bounds = [(low + part * low // width, low + (part + 1) * low // width)
              for low in (64, 256, 8192) for part in range(width)]  # fmt: skip
    return tuple((low, high, chance.randrange(1, 90)) for low, high in bounds if chance.random() < 0.7)


def record_at(second: int, series: int, chance: random.Random) -> Record:
    ranges = ranges_at(second, series, chance)
    waited = None if series == 2 else sum(low * 1.0625 * count for low, _, count in ranges) * 1e-6
    end = (BEGIN + second) * MICROS + series // 9  # the jitter of a probe is in all series alike
    return Record(
        f"sda,{series}", Unit.US, ranges, Semantics.INTERVAL, Stamp(end, Clock.EPOCH), start=end - MICROS,
        waited=waited, label="block I/O of sda", source="bpf", flags=frozenset({KEPT}),
    )  # fmt: skip


def seconds_of(number: int, series: int, chance: random.Random, change: Callable[[Record], Record]) -> list[str]:
    """The text of each second, as ``collect`` prints it."""
    texts: list[str] = []
    now: list[str] = []
    writer = StreamWriter(now.append)
    for second in range(1, number + 1):
        records: list[Event] = [change(record_at(second, one, chance)) for one in range(series)]
        stamp = Stamp((BEGIN + second) * MICROS, Clock.EPOCH)
        for event in (Tick(stamp, start=stamp.micros - MICROS, kept=True), *records):
            writer.event(event)
        texts.append("".join(now))
        now.clear()
    return texts


@pytest.mark.parametrize("series", [1, 2, 3])
def test_seconds_that_go_on_are_read_in_the_short_way(series: int) -> None:
    script = [text.encode() for text in seconds_of(30, series, random.Random(series), lambda one: one)]
    assert alike(script) > 20 * series


def test_a_host_with_ever_new_kinds_of_records_slows_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steady_records, "MOST_KINDS", 20)
    numbered = iter(range(1000))
    odd = seconds_of(30, 1, random.Random(1), lambda one: replace(one, note=f"number {next(numbered)}"))
    assert alike([text.encode() for text in odd]) == 0
    usual = seconds_of(30, 1, random.Random(2), lambda one: one)
    assert alike([text.encode() for text in usual]) > 20


def test_several_seconds_that_come_at_once_and_halves_of_them() -> None:
    series = 2
    texts = seconds_of(40, series, random.Random(1), lambda one: one)
    script = [text.encode() for text in texts[:20]] + ["".join(texts[20:25]).encode()]
    for text in texts[25:]:
        script += [text[:300].encode(), Rest(text[300:].encode())]
    assert alike(script) > 20 * series


def test_half_a_snapshot_before_a_pause_is_shown_at_once() -> None:
    texts = seconds_of(20, 2, random.Random(2), lambda one: one)
    first, end, second = texts[10].partition("<end record>\n")
    script = [text.encode() for text in texts[:10]] + [(first + end).encode(), PAUSE, second.encode()]
    script += [text.encode() for text in texts[11:]]
    assert alike(script) > 6


def test_line_numbers_count_what_the_short_way_has_read() -> None:
    texts = seconds_of(20, 2, random.Random(3), lambda one: one)
    texts[15] = texts[15].replace("datasource,bpf\n", "datasource,bpf\nfoo,bar\n", 1)
    outcome, taken = read([text.encode() for text in texts], short=True)
    line = 1 + "".join(texts).split("\n").index("foo,bar")
    assert outcome.said == [f"db1:{line}: neither a bucket nor known metadata: 'foo,bar'; the line is skipped"]
    assert taken > 10


# What can be wrong with a second.

Spoil = Callable[[str, random.Random], bytes]


def in_some_line(change: Callable[[str, random.Random], str]) -> Spoil:
    def spoil(text: str, chance: random.Random) -> bytes:
        lines = text.split("\n")
        at = chance.randrange(len(lines) - 1)
        lines[at] = change(lines[at], chance)
        return "\n".join(lines).encode()

    return spoil


def between(what: str) -> Spoil:
    return lambda text, _: (what + text).encode()


def instead(old: str, new: str) -> Spoil:
    return lambda text, _: text.replace(old, new, 1).encode()


def moved(by: int) -> Spoil:
    def spoil(text: str, _: random.Random) -> bytes:
        stamp = text.partition("timestamp,microsec,")[2][:16]
        return text.replace(stamp, str(int(stamp) + by)).encode()

    return spoil


SPOILS: dict[str, Spoil] = {
    "a line is lost": in_some_line(lambda _line, _: ""),
    "a line is cut": in_some_line(lambda line, chance: line[: chance.randrange(len(line) + 1)]),
    "a character is wrong": in_some_line(lambda line, chance: _damaged(line, chance)),
    "CRLF": lambda text, _: text.replace("\n", "\r\n").encode(),
    "another version": between('#lmap {"v": 9, "series": "x"}\n'),
    "an unknown key": instead('"counts"', '"news": [1, 2], "counts"'),
    "a mark": between(f'#lmap {{"v": 1, "mark": "deploy", "at": {(BEGIN + 3) * MICROS}}}\n'),
    "noise": between("31 rows selected.\n\n"),
    "no bytes of UTF-8": lambda text, _: b"\xff\xfe\xfa" + text.encode(),
    "a control character": instead("block I/O", "block\x1b[31m I/O"),
    "other flags": instead('["kept"]', '["kept", "doubtful"]'),
    "a gap": instead('["kept"]', '["gap", "kept"]'),
    "a note": instead('"flags"', '"note": "hello", "flags"'),
    "an impossible time": instead('"time": ', '"time": 9'),
    "a large number": instead('"buckets": [[', f'"buckets": [[1, 2, {1 << 70}], ['),
    "an open range": instead("]], ", "], [1048576, null, 3]], "),
    "ranges out of order": instead('"buckets": [[', '"buckets": [[16384, 32768, 7], ['),
    "a range of nothing": instead('"buckets": [[', '"buckets": [[1, 1, 7], ['),
    "no number": instead('"buckets": [[', '"buckets": [[NaN, 2, 7], ['),
    "a label that is no power of two": instead("datasource,bpf\n", "datasource,bpf\n77,5\n"),
    "a label twice": instead("datasource,bpf\n", "datasource,bpf\n64,5\n64,7\n"),
    "sums that fell": lambda text, _: text.replace("\n64,", "\n64,1\n128,").encode(),
    "another unit": instead("latencyunit,microsec", "latencyunit,millisec"),
    "another source": instead("datasource,bpf", "datasource,oracle"),
    "another label": instead("label,block", "label,net"),
    "another series": instead('"series": "sda,0"', '"series": "sdb,0"'),
    "no second series": lambda text, _: (text.partition("<end record>\n")[0] + "<end record>\n").encode(),
    "the same once more": lambda text, _: (text + text).encode(),
    "a start of its own": instead('"flags"', f'"start": {(BEGIN - 5) * MICROS}, "flags"'),
    "a clock ahead": moved(1000 * MICROS),
    "a clock behind": moved(-7 * MICROS),
    "a little late": moved(400_000),
    "the same stamp": moved(-MICROS),
}


def _damaged(line: str, chance: random.Random) -> str:
    at = chance.randrange(len(line) + 1)
    return line[:at] + chance.choice('0957,[]{}".ex \t') + line[at + 1 :]


@pytest.mark.parametrize("name", SPOILS)
def test_one_second_that_is_not_as_before(name: str) -> None:
    chance = random.Random(name)
    script = [text.encode() for text in seconds_of(30, 2, chance, lambda one: one)]
    script[14] = SPOILS[name](script[14].decode(), chance)
    assert alike(script) > 10


@pytest.mark.parametrize("seed", range(12))
def test_many_seconds_that_are_not_as_before(seed: int) -> None:
    chance = random.Random(seed)
    series = chance.randrange(1, 4)
    texts = seconds_of(60, series, chance, lambda one: one)
    script = []
    for text in texts:
        spoil = chance.choice(list(SPOILS.values())) if chance.random() < 0.06 else None
        piece = text.encode() if spoil is None else spoil(text, chance)
        cut = chance.randrange(len(piece)) if chance.random() < 0.1 else 0
        script += [piece[:cut], Rest(piece[cut:])] if cut else [piece]
    alike(script)


def test_hosts_that_begin_again() -> None:
    """The second run of a recording begins with a baseline of its own."""
    first, second = (seconds_of(15, 2, random.Random(seed), lambda one: one) for seed in (1, 2))
    later = [text.replace("17000000", "17000001") for text in second]
    assert alike([text.encode() for text in first + later]) > 20


def test_counts_per_interval_without_final_times_are_left_to_the_stages() -> None:
    texts = seconds_of(20, 1, random.Random(5), lambda one: replace(one, flags=frozenset()))
    assert alike([text.encode() for text in texts]) == 0

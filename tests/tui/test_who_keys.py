"""Which statement, object or process owns the hot cell: a click and two keys, on a terminal, against the truth."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from math import log2
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

Make = Callable[..., Any]
FIRST = 1_769_850_000
HEAD = re.compile(
    r"Who is in this cell +(?P<begin>[\d:]+)-(?P<end>[\d:]+) +(?P<low>[\d.]+)(?: (?P<low_unit>\ws))?-(?P<high>[\d.]+) "
    r"(?P<unit>\ws) +(?P<events>[\d,]+) \S+ +(?P<waited>[\d.]+) (?P<waited_unit>\w?s) waited"
)
UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
ROWS = 8


class Event(NamedTuple):
    """The series, seconds since the epoch (or since the file began) at which it ended, seconds, and who it was."""

    series: str
    end: float
    taken: float
    who: str


class Kind(NamedTuple):
    """How a file is made and read without the program; ``key`` is what tells who, and ``latency_unit`` in seconds."""

    key: str
    text: str
    events: list[Event]
    latency_unit: float
    is_clock: bool


def oracle(shared: Path) -> Kind:
    text = (shared / "data/earlier-tools/test_10046_tracefile.trc").read_text(errors="replace")
    found = re.findall(r"^WAIT #\d+: nam='([^']+)' ela= (\d+) .*obj#=(-?\d+) tim=(\d+)", text, re.MULTILINE)
    events = [Event(name, int(tim) / 1e6, int(ela) / 1e6, who) for name, ela, who, tim in found]
    return Kind("obj#", text, events, 1e-6, True)


def strace(_: Path) -> Kind:
    rows, events, chance = [], [], Random(3)
    for number in range(4000):
        pid = chance.choice(("4711", "4712", "4713"))
        micros = chance.randrange(5000, 16_000) if number % 5 == 0 or pid == "4712" else chance.randrange(60, 240)
        start = FIRST + number * 0.02
        rows.append(f"{pid} {start:.6f} read(3, 8) = 8 <{micros / 1e6:.6f}>")
        events.append(Event("read", round(start + micros / 1e6, 6), micros / 1e6, pid))
    return Kind("pid", "\n".join(rows) + "\n", events, 1e-6, True)


def biosnoop(_: Path) -> Kind:
    rows, events, chance = ["TIME(s)     COMM           PID     DISK      T SECTOR     BYTES   LAT(ms)"], [], Random(4)
    for number in range(1, 4001):
        comm = chance.choice(("fio", "postgres", "jbd2/vda1-8"))
        millis = round(chance.uniform(5, 15) if number % 4 == 0 else chance.uniform(0.06, 0.24), 2)
        rows.append(f"{number * 0.02:<11.6f} {comm:<14} {4711:<7} {'vda':<9} R {number:<10} {4096:<7} {millis:7.2f}")
        events.append(Event("R", number * 0.02, millis / 1e3, comm))
    return Kind("comm", "\n".join(rows) + "\n", events, 1e-6, False)


def fio(_: Path) -> Kind:
    rows, events, chance = [], [], Random(5)
    for number in range(4000):
        size = chance.choice((4096, 8192))
        nanos = chance.randrange(5_000_000, 16_000_000) if number % 4 == 0 else chance.randrange(60_000, 240_000)
        rows.append(f"{number * 20}, {nanos}, 0, {size}, {number * 4096}, 0")
        events.append(Event("read", number * 0.02, nanos / 1e9, str(size)))
    return Kind("size", "\n".join(rows) + "\n", events, 1e-9, False)


KINDS = {"oracle": oracle, "strace": strace, "biosnoop": biosnoop, "fio": fio}


def seconds(text: str) -> int:
    """A time on the screen as seconds of the day, or since the beginning."""
    parts = [int(part) for part in text.split(":")]
    return sum(part * 60**place for place, part in enumerate(reversed(parts)))


def bound(number: str, unit: str, latency_unit: float) -> float:
    """A bound of a row, of which the screen has three digits: a power of two of the source's units."""
    return 2 ** round(log2(float(number) * UNITS[unit] / latency_unit)) * latency_unit


def in_cell(kind: Kind, head: re.Match[str]) -> Iterator[Event]:
    begin, end = (seconds(head[name]) for name in ("begin", "end"))
    low = bound(head["low"], head["low_unit"] or head["unit"], kind.latency_unit)
    high = bound(head["high"], head["unit"], kind.latency_unit)
    for event in kind.events:
        moment = event.end % 86_400 if kind.is_clock else event.end
        if begin <= moment < end and low <= event.taken < high:
            yield event


@pytest.mark.parametrize("name", KINDS)
def test_who_owns_the_hot_cell(terminal: Make, tmp_path: Path, shared: Path, name: str) -> None:
    """A click, w: 1 key, and the answer is there; Enter: 2, and its owner is drawn alone."""
    kind = KINDS[name](shared)
    (tmp_path / "t.txt").write_text(kind.text)
    view = terminal("L t.txt --tz UTC", size=(120, 40), COLORTERM="truecolor")
    view.shows_the_end("q quit")
    line = next(number for number in range(4, 15) if view.line(number).startswith("16."))
    view.click(40, line)
    view.shows("read-out")
    view.press("w")
    view.until(lambda: HEAD.search(view.text) and "Longest lines" in view.text and " % of " not in view.line(37))
    view.until(lambda: not re.search("is read again|MB/s", view.text))
    head = HEAD.search(view.text)
    series = re.search(rf"(?:{'|'.join(re.escape(one) for one in {one.series for one in kind.events})})", view.line(0))
    named = [one for one in in_cell(kind, head) if series is None or one.series == series[0]]
    sums: dict[str, list[float]] = defaultdict(lambda: [0, 0.0])
    for event in named:
        sums[event.who][0] += 1
        sums[event.who][1] += event.taken
    assert int(head["events"].replace(",", "")) == len(named) > 0
    waited = sum(event.taken for event in named)
    assert float(head["waited"]) * UNITS[head["waited_unit"]] == pytest.approx(waited, rel=0.005)
    owner, (events, _) = max(sums.items(), key=lambda item: item[1][1])
    section = view.text[view.text.index(kind.key) :]
    assert re.search(rf"{re.escape(owner)} +{events:,.0f} ", section)
    worst = max(named, key=lambda event: event.taken)
    number = kind.events.index(worst)
    longest = view.text[view.text.index("Longest lines") :]
    assert re.search(rf"^ +{line_of(kind, worst, number)} ", longest, re.MULTILINE)
    view.until(lambda: f"draw {kind.key}=" in view.line(39))
    view.press("KEY_ENTER")
    view.until(lambda: "Who is" not in view.text and f" {kind.key}={owner} " in view.line(0))
    view.press("KEY_BACKSPACE")
    view.until(lambda: f"{kind.key}={owner}" not in view.line(0))
    view.press("q")
    assert view.ends() == 0


def line_of(kind: Kind, event: Event, number: int) -> int:
    """The number of the line of an event in the text."""
    if kind.key == "obj#":
        wanted = f"ela= {round(event.taken * 1e6)} "
        tim = f"tim={round(event.end * 1e6)}"
        return next(place for place, line in enumerate(kind.text.splitlines(), 1) if wanted in line and tim in line)
    return number + (2 if kind.key == "comm" else 1)


def test_a_pipe_has_its_last_lines(terminal: Make, tmp_path: Path) -> None:
    kind = strace(tmp_path)
    (tmp_path / "t.txt").write_text(kind.text)
    view = terminal("(cat t.txt; exec sleep 600) | L --tz UTC", size=(120, 40), COLORTERM="truecolor")
    view.shows("LIVE", "q quit")
    view.press("KEY_LEFT")
    view.shows("read-out")
    view.press("w")
    view.shows("Who is in this cell", "pid", "Longest lines", "more, fewer")
    view.until(lambda: "arrows" in view.line(39) and "alone" not in view.line(39), "no key that is refused")
    view.press("KEY_ENTER")
    view.shows("a pipe cannot be read again")
    view.press("KEY_ESCAPE")
    view.until(lambda: "Who is" not in view.text)


def test_the_command_that_is_copied_draws_the_same(terminal: Make, tmp_path: Path) -> None:
    kind = strace(tmp_path)
    (tmp_path / "t.txt").write_text(kind.text)
    view = terminal("L t.txt --only pid=4712 --tz UTC", size=(120, 40), COLORTERM="truecolor")
    view.shows_the_end("pid=4712", "q quit")
    events = sum(event.who == "4712" for event in kind.events)
    assert events
    view.press("KEY_BACKSPACE")
    view.until(lambda: "pid=4712" not in view.line(0))
    view.press("KEY_BACKSPACE")
    view.shows("pid=4712")
    view.press("q")
    assert view.ends() == 0

"""Ends views in many ways: ``python -m tests.trust.endings --runs 500 [--seed N] [--jobs N]``.

Each run opens a view on a terminal of some type and speed that answers questions or does not, ends it in one way, and
compares the terminal with what it was before: screen, cursor, mouse, style, line discipline.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tests.trust.pseudo_terminal import PROGRAM, PseudoTerminal
from tests.waiting import catches

SOURCE = f"{sys.executable} {Path(__file__).with_name('record_source.py')}"
VIEW = f"sh -c 'echo $$ >pid; exec {PROGRAM} %s'"
SOURCES = {
    "pipe": f"{SOURCE} --every 0.05 | {VIEW % ''}",
    "deaf pipe": f"{SOURCE} --every 0.05 --deaf | {VIEW % ''}",
    "recorded pipe": f"{SOURCE} --every 0.05 | {VIEW % '--record r.lmap'}",
    "ended pipe": f"{SOURCE} --count 40 | {VIEW % ''}",
    "file": f"{SOURCE} --count 400 >f.lmap; {VIEW % 'replay f.lmap'}",
    "demo": VIEW % "demo",
    "late pipe": f"(sleep 600; {SOURCE} --every 0.05) | {VIEW % ''}",
}
TERMS = ("xterm-256color", "tmux-256color", "screen-256color", "vt220", "linux")
SLOW = 40_000
"""Bytes a second that a slow terminal reads."""
STALL = 0.5


def is_watching(pid: Path) -> bool:
    """Whether the process whose number a file has watches its signals; before that, Ctrl-C ends Python's own start."""
    number = pid.read_text().strip() if pid.exists() else ""
    return bool(number) and catches(int(number), signal.SIGTERM)


class Run(NamedTuple):
    """A view on a terminal, to be ended."""

    terminal: PseudoTerminal
    folder: Path

    def send(self, *numbers: int) -> None:
        """Send signals to the view."""
        for number in numbers:
            os.kill(int((self.folder / "pid").read_text()), number)

    def press(self, *keys: str, between: float = 0.0) -> None:
        """Type keys one by one; none is left to type when the view has ended."""
        for key in keys:
            self.terminal.type(key)
            self.terminal.pump_for(between)

    def stalled(self, *keys: str) -> None:
        """Type keys while the terminal does not read."""
        self.terminal.stalled = True
        self.press(*keys, between=STALL / (len(keys) + 1))
        self.terminal.pump_for(STALL)
        self.terminal.stalled = False


def interrupt_the_last_picture(run: Run) -> None:
    run.press("\x03")
    run.terminal.until(lambda: b"\x1b[?1049l" in run.terminal.output or run.terminal.has_ended, "the end of the view")
    run.press("\x03")


def interrupt_stalled_picture(run: Run) -> None:
    run.press("\x03")
    run.terminal.until(lambda: b"\x1b[?1049l" in run.terminal.output or run.terminal.has_ended, "the end of the view")
    run.stalled("\x03")


def resize(run: Run) -> None:
    run.send(*[signal.SIGWINCH] * 50)
    run.send(signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def stop_and_go_on(run: Run) -> None:
    run.send(signal.SIGSTOP)
    run.terminal.pump_for(0.2)
    run.send(signal.SIGCONT)
    run.press("q")


WAYS: dict[str, Callable[[Run], None]] = {
    "q": lambda run: run.press("q"),
    "^C": lambda run: run.press("\x03"),
    "^C ^C": lambda run: run.press("\x03", "\x03", between=0.2),
    "^C^C": lambda run: run.press("\x03\x03"),
    "^C^C^C": lambda run: run.press("\x03", "\x03", "\x03", between=0.05),
    "^\\": lambda run: run.press("\x1c"),
    "TERM": lambda run: run.send(signal.SIGTERM),
    "HUP": lambda run: run.send(signal.SIGHUP),
    "INT": lambda run: run.send(signal.SIGINT),
    "prompt, TERM": lambda run: (run.press("t12:", between=0.2), run.send(signal.SIGTERM))[1],
    "keys, q": lambda run: run.press("c", "[", "+", "\x0c", "?", "?", "q", between=0.1),
    "save, q": lambda run: run.press("s", "q", between=0.1),
    "storm of signals": resize,
    "STOP, CONT, q": stop_and_go_on,
    "stalled ^C": lambda run: run.stalled("\x03"),
    "stalled ^C ^C": lambda run: run.stalled("\x03", "\x03"),
    "stalled q": lambda run: run.stalled("q"),
    "^C, ^C in the last picture": interrupt_the_last_picture,
    "^C, stalled ^C in the last picture": interrupt_stalled_picture,
    "before the source speaks, ^C ^C": lambda run: run.press("\x03", "\x03", between=0.1),
}


class Kind(NamedTuple):
    """A kind of terminal. ``speed``: bytes a second that it reads, or None. ``pause``: seconds before the view ends."""

    term: str = "xterm-256color"
    depth: str = "truecolor"
    speed: int | None = None
    answers: bool = True
    pause: float = 0.0

    @classmethod
    def chosen(cls, chance: random.Random) -> Kind:
        """One that chance chooses."""
        term, depth = chance.choice(TERMS), chance.choice(["", "truecolor"])
        return cls(term, depth, chance.choice([None, SLOW]), chance.random() < 0.7, chance.uniform(0.0, 0.6))


def ended(way: str, source: str, kind: Kind) -> list[str]:
    """Open a view, and end it. Returns what is wrong afterwards."""
    environ = {"TERM": kind.term, "COLORTERM": kind.depth}
    early = way.startswith("before")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = f"trap : INT QUIT; {SOURCES['late pipe' if early else source]}; echo $? >status"
        terminal = PseudoTerminal(command, folder, environ, speed=kind.speed, answers=kind.answers)
        try:
            if early:
                terminal.until(lambda: is_watching(folder / "pid"), "the start")
            else:
                terminal.until(lambda: terminal.has_view, "the view")
                terminal.prints("FREQUENCY")
            terminal.pump_for(kind.pause)
            WAYS[way](Run(terminal, folder))
            terminal.ends()
            wrong = sorted(terminal.left_over) + ([] if terminal.is_as_before else ["line discipline"])
            status = (folder / "status").read_text().strip()
            wrong += [] if status in ("0", "130") else [f"status {status}"]
        except (TimeoutError, OSError) as error:
            wrong = [str(error)]
        finally:
            terminal.close()
    return [f"{kind}: {one} ({terminal.output[-200:]!r})" for one in wrong]


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--runs", type=int, default=100)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--jobs", type=int, default=2)
    words.add_argument("--way", default="", help="only the ways whose names contain this")
    options = words.parse_args()
    ways = [way for way in WAYS if options.way in way]
    sources = [name for name in SOURCES if name != "late pipe"]
    plan = [(ways[run % len(ways)], sources[run // len(ways) % len(sources)], run) for run in range(options.runs)]
    broken = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        kinds = [Kind.chosen(random.Random(options.seed * 1_000_003 + run)) for *_, run in plan]
        found = pool.map(lambda one, kind: ended(one[0], one[1], kind), plan, kinds)
        for (way, source, run), wrong in zip(plan, found, strict=True):
            broken += bool(wrong)
            if wrong:
                print(f"{run + 1:>4} {way} / {source}: {'; '.join(wrong)}", flush=True)
    print(f"{options.runs} endings, {broken} wrong")
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())

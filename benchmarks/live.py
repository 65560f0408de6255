"""What the live view costs while nothing much happens, and how soon it answers a key while much does.

.venv/bin/python benchmarks/live.py [--seconds N] [--keys N]

All on a real pseudo-terminal, whose output is read and thrown away. Idle: one series at one record a second; busy: a
thousand. Of each the CPU time of the process between two moments, start-up left out, and at the same time that of a
viewer that neither looks for modes nor for changes. Keys: a thousand records a second come through a pipe; the time
from a key to the first frame that shows what it did.
"""

import argparse
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import ioctl
from itertools import cycle, islice
from statistics import median, quantiles

from generate import stream

IDLE_GOAL = 0.01
"""Of a core."""
KEY_GOAL = 0.050
COLUMNS, LINES = 120, 40
SETTLED = 5.0
"""Seconds after which start-up is over."""
RECORDS_A_SECOND = 1000
ANSWERS = (b"PAU", b"LIV")
"""What the space bar paints into the title, by turns: the beginnings of PAUSED and LIVE."""
DEADLINE = 5.0
BUSY_SECONDS = 20.0
START = "import runpy; runpy.run_module('pylatencymap', run_name='__main__', alter_sys=True)"
NO_ANALYSIS = f"""
from pylatencymap.session.commentary import Commentary
from pylatencymap.view.layout import Reading
Commentary.is_due, Commentary.reading = lambda *_: False, lambda *_: Reading()
{START}
"""
"""A viewer whose lines below the maps say nothing of modes and changes."""


class Screenless:
    """The viewer on a pseudo-terminal, fed through a pipe at a steady rate; ``code`` starts it."""

    def __init__(self, records_a_second: float, code: str = START) -> None:
        self.master, slave = pty.openpty()
        ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=slave,
            stderr=slave,
            env={**os.environ, "TERM": "xterm-256color"},
            preexec_fn=lambda: self._own_terminal(slave),
        )
        os.close(slave)
        self._gap = 1 / records_a_second
        self.ended = False
        threading.Thread(target=self._feed, daemon=True).start()

    def _own_terminal(self, slave: int) -> None:
        os.setsid()
        ioctl(slave, termios.TIOCSCTTY, 0)

    def _feed(self) -> None:
        """Records at their times, as far as the pipe takes them."""
        assert self.process.stdin is not None
        begin = time.monotonic()
        for number, record in enumerate(stream()):
            time.sleep(max(0.0, begin + number * self._gap - time.monotonic()))
            try:
                self.process.stdin.write(record.encode())
                self.process.stdin.flush()
            except (BrokenPipeError, ValueError):
                return

    def read(self, seconds: float) -> bytes:
        """Output of so many seconds."""
        deadline, pieces = time.monotonic() + seconds, []
        while (left := deadline - time.monotonic()) > 0:
            if select.select([self.master], [], [], left)[0]:
                pieces.append(os.read(self.master, 1 << 16))
        return b"".join(pieces)

    def cpu(self) -> float:
        """Seconds of CPU that the process has used: fields 14 and 15 of proc(5) stat."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def answer_seconds(self, answer: bytes) -> float:
        """How long it takes until a frame shows what the space bar did. Ends the benchmark where none does."""
        begin, seen = time.monotonic(), b""
        os.write(self.master, b" ")
        while answer not in seen:
            if time.monotonic() - begin > DEADLINE:
                sys.exit(f"no answer {answer.decode()} within {DEADLINE} s")
            if select.select([self.master], [], [], 0.5)[0]:
                seen += os.read(self.master, 1 << 16)
        return time.monotonic() - begin

    def end(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        os.close(self.master)


@contextmanager
def viewer(records_a_second: float) -> Iterator[Screenless]:
    """A viewer that has started up, and is ended afterwards."""
    running = Screenless(records_a_second)
    try:
        running.read(SETTLED)
        yield running
    finally:
        running.end()


def shares(records_a_second: float, seconds: float) -> list[float]:
    """Shares of a core at so many records a second, of a viewer and of one without the analysis beside it."""
    viewers = [Screenless(records_a_second, code) for code in (START, NO_ANALYSIS)]
    readers = [threading.Thread(target=one.read, args=(SETTLED + seconds,)) for one in viewers]
    try:
        for reader in readers:
            reader.start()
        time.sleep(SETTLED)
        before = [one.cpu() for one in viewers]
        for reader in readers:
            reader.join()
        return [(one.cpu() - used) / seconds for one, used in zip(viewers, before, strict=True)]
    finally:
        for one in viewers:
            one.end()


def key_times(count: int) -> list[float]:
    """Seconds until each of so many keys was answered."""
    with viewer(RECORDS_A_SECOND) as running:
        times = []
        for answer in islice(cycle(ANSWERS), count):
            running.read(0.2)
            times.append(running.answer_seconds(answer))
        return times


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the live view.", allow_abbrev=False)
    parser.add_argument("--seconds", type=float, default=60.0, help="of being idle")
    parser.add_argument("--busy-seconds", type=float, default=BUSY_SECONDS)
    parser.add_argument("--keys", type=int, default=60)
    options = parser.parse_args()
    share, bare = shares(1, options.seconds)
    verdict = "met" if share < IDLE_GOAL else "MISSED"
    bare_text = f"{bare:.2%} without analysis"
    print(f"idle, one record a second: {share:.2%} of a core, {bare_text}; goal {IDLE_GOAL:.0%} {verdict}")
    share, bare = shares(RECORDS_A_SECOND, options.busy_seconds)
    print(f"{RECORDS_A_SECOND} records a second: {share:.1%} of a core, {bare:.1%} without analysis")
    times = key_times(options.keys)
    slow = quantiles(times, n=20)[-1]
    verdict = "met" if slow < KEY_GOAL else "MISSED"
    print(
        f"a key while {RECORDS_A_SECOND} records a second come: median {median(times) * 1e3:.0f} ms, "
        f"p95 {slow * 1e3:.0f} ms, slowest {max(times) * 1e3:.0f} ms; goal p95 {KEY_GOAL * 1e3:.0f} ms {verdict}"
    )


if __name__ == "__main__":
    main()

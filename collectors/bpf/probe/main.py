"""Measures latency of block I/O with BPF and prints the record stream. Needs root."""

from __future__ import annotations

import argparse
import os
import select
import signal
import stat
import sys
import time

from .failed import Failed
from .kernel import Choice, Kernel
from .stream import Idle, Losses, Stream

# Waits for the next interval or for the end: a signal, or the loss of the reader or the parent.


POLLED_ONLY = 0
"""With no events selected, poll still reports errors and hang-ups."""


class Waiting:
    """Ends on SIGTERM, SIGINT and SIGHUP, when nobody reads standard output any more, and at the end of standard input
    if that is a pipe: the process at its other end can die without notice.
    """

    def __init__(self) -> None:
        self.ended = False
        self._poll = select.poll()
        self._wake, write_end = os.pipe()
        os.set_blocking(write_end, False)
        signal.set_wakeup_fd(write_end)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda *_: None)
        self._poll.register(self._wake, select.POLLIN)
        self._poll.register(1, POLLED_ONLY)
        if stat.S_ISFIFO(os.fstat(0).st_mode) or stat.S_ISSOCK(os.fstat(0).st_mode):
            self._poll.register(0, select.POLLIN)

    def until(self, moment: float) -> None:
        """Wait until a moment (monotonic seconds) or until it is time to end."""
        while not self.ended:
            left = moment - time.monotonic()
            if left <= 0:
                return
            for descriptor, _ in self._poll.poll(left * 1000):
                self.ended = self.ended or descriptor != 0 or not os.read(0, 4096)


SHORTEST = 0.3
"""In intervals. A first interval shorter than this becomes part of the next one."""
MOST_DRIFT = 0.1
"""Seconds by which the wall clock can drift in one interval; beyond that, somebody set it."""


def arguments() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="probe", description=__doc__, allow_abbrev=False)
    made.add_argument("--disk", action="append", default=[], metavar="NAME", help="only this disk (repeatable)")
    made.add_argument("-Q", "--queued", action="store_true", help="count the time in the queue as well")
    made.add_argument("--min-bytes", type=int, default=0, metavar="N", help="only requests of N bytes and more")
    made.add_argument("--interval", type=float, default=1.0, metavar="S", help="seconds; default: 1")
    made.add_argument(
        "--idle", action="append", default=[], metavar="NAME", help="a disk to report even while it is idle"
    )
    made.add_argument("--check", action="store_true", help="only try whether it can run")
    return made


def main() -> int:
    """Run the probe; return the exit status."""
    options = arguments().parse_args()
    waiting = Waiting()
    try:
        kernel = Kernel(Choice(tuple(options.disk), options.min_bytes, options.queued))
    except Failed as error:
        print(error, file=sys.stderr)
        return 1
    if options.check:
        return 0
    label = "block I/O " + ("queue and service time" if options.queued else "service time")
    try:
        _write(f"# {label}, measured by BPF, every {options.interval:g} s\n")
        _measure(kernel, Stream(label, _write), Idle(options.idle or options.disk), options.interval, waiting)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 0


def _measure(kernel: Kernel, stream: Stream, idle: Idle, interval: float, waiting: Waiting) -> None:
    """Measure until it is time to end. Each interval ends at a multiple of its length on the wall clock."""
    start, begun = kernel.switch(), time.monotonic()
    kernel.read()
    losses = Losses()
    while not waiting.ended:
        left = interval - time.time() % interval
        waiting.until(time.monotonic() + left + (interval if left < SHORTEST * interval else 0))
        end, ended = kernel.switch(), time.monotonic()
        found, seconds = kernel.read(), ended - begun
        if not waiting.ended or any(sums.counts for sums in found.values()):
            begin = start if abs(end - start - seconds) < MOST_DRIFT else end - seconds
            stream.interval(begin, end, idle.filled(found))
        if news := losses.news(kernel.fates(), found):
            stream.mark(end, news)
        start, begun = end, ended


def _write(text: str) -> None:
    """Write everything that belongs together at once, so that a reader never waits for the rest of it."""
    sys.stdout.write(text)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

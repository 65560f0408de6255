"""Waits for the next interval, or for the end: a signal, or a reader or a parent that is gone."""

from __future__ import annotations

import os
import select
import signal
import stat
import time

POLLED_ONLY = 0
"""Errors and hang-ups are reported always."""


class Waiting:
    """Ends on SIGTERM, SIGINT and SIGHUP, when nobody reads standard output any more, and at the end of standard input
    where that is a pipe: whoever holds its other end may go away without a word.
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
        """Wait until then (monotonic seconds), or until it is time to end."""
        while not self.ended:
            left = moment - time.monotonic()
            if left <= 0:
                return
            for descriptor, _ in self._poll.poll(left * 1000):
                self.ended = self.ended or descriptor != 0 or not os.read(0, 4096)

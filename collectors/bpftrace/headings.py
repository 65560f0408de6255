"""Lines that scripts print above their maps: moments, or uptime in seconds."""

import re
from collections import deque

from ...record import Clock, Stamp
from ...text import LONGEST_MOMENT_LINE, moment_of

_CLOCK = re.compile(
    r"(?:[0-9]{4}[-/][0-9][0-9][-/][0-9][0-9][ T])?[0-9][0-9]:[0-9][0-9]:[0-9][0-9](?:[.,][0-9]{1,9})?"
    r"(?: ?[AaPp][Mm]\b)?"
)
_UPTIME = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,9}))?$|([0-9]{11,18})$")
_NANOSECONDS = 3
JUMP_FACTOR = 3
"""An uptime that is later than the last one by more than this many usual steps has jumped."""
_DIGITS = re.compile(r"[0-9]+")


class Headings:
    """Decides which lines are the moments of snapshots.

    A line with nothing but a clock always is one. Words with a clock in them, and bare numbers, are moments if a
    histogram follows; from then on, so are all lines of the same form.
    """

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._pending: tuple[str, Stamp, int] | None = None
        self._uptimes: deque[int] = deque(maxlen=3)

    def read(self, text: str, line: int) -> Stamp | None:
        """The moment of a line, if it can be known at once."""
        text = text.strip()
        if not text or len(text) > LONGEST_MOMENT_LINE or not any(char.isdigit() for char in text):
            return None
        shape = _DIGITS.sub("0", text)
        stamp = self._uptime_of(text)
        if stamp is None:
            stamp = None if text.isdigit() and len(text) not in (10, 19) else moment_of(text)
            if stamp is not None:
                self._known.add(shape)
            else:
                stamp = _within(text)
        if stamp is None:
            return None
        if shape in self._known:
            self._pending = None  # the histogram that follows has this moment
            return stamp
        self._pending = shape, stamp, line
        return None

    def above_histogram(self) -> tuple[Stamp, int] | None:
        """The moment of a line that turns out to be a heading, and the number of that line."""
        if self._pending is None:
            return None
        shape, stamp, line = self._pending
        self._known.add(shape)
        self._pending = None
        return stamp, line

    def _uptime_of(self, text: str) -> Stamp | None:
        """Seconds since boot, or nanoseconds from eleven digits on. Numbers that do not grow are no uptime."""
        found = _UPTIME.match(text)
        if found is None:
            return None
        seconds, fraction, nanoseconds = found.groups()
        if nanoseconds:
            micros = int(nanoseconds[:-_NANOSECONDS])
        else:
            micros = int(seconds) * 1_000_000 + int((fraction or "")[:6].ljust(6, "0"))
        grows = not self._uptimes or micros > self._uptimes[-1] or self._was_damaged(micros)
        self._uptimes.append(micros)
        return Stamp(micros, Clock.FREE, whole=not (fraction or nanoseconds)) if grows else None

    def _was_damaged(self, micros: int) -> bool:
        """Whether the last uptime was too high: it jumped, and this one continues from the one before it. Of the second
        one no step is known that is usual.
        """
        if len(self._uptimes) < 3:
            return len(self._uptimes) == 2 and micros > self._uptimes[0]
        first, second, last = self._uptimes
        usual = second - first
        return last - second > JUMP_FACTOR * usual and 0 < micros - second <= 2 * JUMP_FACTOR * usual


def _within(text: str) -> Stamp | None:
    """The clock in a line of words without other numbers: ``--- tick 08:09:16``."""
    found = _CLOCK.search(text)
    if found is None or _DIGITS.search(text[: found.start()] + text[found.end() :]):
        return None
    return moment_of(found[0])

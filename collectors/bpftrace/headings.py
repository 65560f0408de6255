"""Lines that scripts print above their maps: moments, or uptime in seconds."""

import re

from ...record import Clock, Stamp
from ...text import LONGEST_MOMENT_LINE, moment_of

_CLOCK = re.compile(
    r"(?:[0-9]{4}[-/][0-9][0-9][-/][0-9][0-9][ T])?[0-9][0-9]:[0-9][0-9]:[0-9][0-9](?:[.,][0-9]{1,9})?"
    r"(?: ?[AaPp][Mm]\b)?"
)
_UPTIME = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,9}))?$|([0-9]{11,18})$")
_NANOSECONDS = 3
_DIGITS = re.compile(r"[0-9]+")


class Headings:
    """Decides which lines are the moments of snapshots.

    A line with nothing but a clock always is one. Words with a clock in them, and bare numbers, are moments if a
    histogram follows; from then on, so are all lines of the same form.
    """

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._pending: tuple[str, Stamp, int] | None = None
        self._uptime = -1

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
        if stamp is None or shape in self._known:
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
        grows, self._uptime = micros > self._uptime, micros
        return Stamp(micros, Clock.FREE, whole=not (fraction or nanoseconds)) if grows else None


def _within(text: str) -> Stamp | None:
    """The clock in a line of words without other numbers: ``--- tick 08:09:16``."""
    found = _CLOCK.search(text)
    if found is None or _DIGITS.search(text[: found.start()] + text[found.end() :]):
        return None
    return moment_of(found[0])

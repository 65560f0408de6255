"""Separates the intervals of text without time stamps by the blank lines between histograms.

Every tool prints one blank line per interval, idle or not. Some print more: bcc and biolatency -D one before each
section, softirqs and ext4dist of libbpf-tools one after it, biolatency of libbpf-tools one before each histogram. The
blank lines beyond those are the number of intervals that passed. Source: the main loops of the tools.
"""

from collections.abc import Iterable

MAX_IDLE = 86_400
"""Most idle intervals taken from one run of blank lines: a day of seconds."""
MAX_RECORDS = 200_000
"""Most empty records in one such run: every idle interval has one for each series known by then."""

UNSPACED_KEYS = frozenset({"flags", "Local Address", "Remote Address", "All Addresses"})
"""Sections that libbpf-tools print without a blank line of their own."""


def known_spacing(keys: Iterable[str], label: str, *, libbpf: bool) -> int | None:
    """Blank lines that a tool prints before a histogram within an interval; None if the tool is unknown."""
    first = next(iter(keys), None)
    if first is not None:
        return 0 if libbpf and first in UNSPACED_KEYS else 1
    if not libbpf:
        return 0
    return {"": None, "biolatency": 1}.get(label, 0)


class Spacing:
    """Counts blank lines and converts them to intervals."""

    def __init__(self) -> None:
        self._blanks = 0
        self._own = 0
        self._idle = 0
        self._left_out = 0
        self._limit_reported = False
        self._known: set[str] = set()
        self._started = False
        self._in_burst = False
        self._allowed: dict[bool, int] = {}
        self._fewer = False
        self._seen: set[str] = set()

    def banner(self) -> None:
        """A tool has started: blank lines from here on are intervals."""
        self.content()
        self._started = True

    def content(self) -> None:
        """Part of a histogram was printed: count blank lines from here."""
        self._blanks = self._own = self._idle = 0
        self._limit_reported = False
        self._in_burst = True

    def blank(self) -> None:
        """One blank line."""
        if self._in_burst and not self._blanks:
            self._own = 1
        self._blanks += 1

    def exact(self) -> None:
        """An exact sum was printed; the tool prints it between two blank lines."""
        self._blanks, self._own = -1, 0

    def pause(self) -> int:
        """The source has paused or ended: return how many idle intervals are due now.

        A blank line that arrived together with the rows above it can belong to them.
        """
        self._in_burst = False
        new = self._bounded(self._blanks - self._own) - self._idle if self._started else 0
        if new > 0:
            self._idle += new
            self._seen.clear()
        return max(new, 0)

    def histogram(self, series: str, *, spacing: int | None, sectioned: bool, shared: bool) -> int:
        """A histogram begins: return how many intervals begin with it, the last of them its own; 0 within an interval.

        ``spacing`` is the number of blank lines that the tool is known to print before a histogram within an interval,
        None if the tool is unknown. ``shared`` names can occur several times in one interval.
        """
        new = self._blanks - self._allowance(spacing, sectioned)
        if not self._seen and not self._idle:
            new = max(new, 1) if self._started else 1
        elif series in self._seen and not shared:
            new = max(new, 1)
        ticks = max(0, self._bounded(new) - self._idle)
        if ticks:
            self._seen.clear()
        self._seen.add(series)
        self._known.add(series)
        self._started = True
        self.content()
        return ticks

    def left_out(self) -> int:
        """The limit of intervals, if a run of blank lines exceeded it since the last call; else 0."""
        limit, self._left_out = self._left_out, 0
        return limit

    def _bounded(self, intervals: int) -> int:
        limit = max(1, min(MAX_IDLE, MAX_RECORDS // max(1, len(self._known))))
        if intervals > limit and not self._limit_reported:
            self._left_out, self._limit_reported = limit, True
        return min(intervals, limit)

    def _allowance(self, spacing: int | None, sectioned: bool) -> int:
        """Blank lines that are expected here. If fewer have come twice in a row, the tool prints fewer: once, a line
        can have been lost.
        """
        most = max(0, self._blanks if sectioned else self._blanks - 1)
        known = self._allowed.get(sectioned, spacing)
        if not self._seen:
            return known if known is not None else most
        fewer = known is not None and most < known
        if known is None or (fewer and self._fewer):
            self._allowed[sectioned] = most
        self._fewer = fewer
        return most if known is None else min(known, most)

"""Intervals of text without time stamps, told apart by the blank lines between histograms.

Every tool prints one blank line per interval, idle or not. Some print more: one before each section (bcc, biolatency
-D) or after it (libbpf-tools' softirqs, ext4dist), biolatency of libbpf-tools one before each histogram. What exceeds
those is the number of intervals that went by. Source: the main loops of the tools.
"""

from collections.abc import Iterable

MAX_IDLE = 86_400
"""Most idle intervals taken from one run of blank lines: a day of seconds."""
MAX_RECORDS = 200_000
"""Most empty records in one such run: every idle interval is one of each series known by then."""

UNSPACED_KEYS = frozenset({"flags", "Local Address", "Remote Address", "All Addresses"})
"""Sections that libbpf-tools print without a blank line of their own."""


def known_spacing(keys: Iterable[str], label: str, *, libbpf: bool) -> int | None:
    """Blank lines before a histogram within an interval, as its tool prints them; None where the tool is unknown."""
    first = next(iter(keys), None)
    if first is not None:
        return 0 if libbpf and first in UNSPACED_KEYS else 1
    if not libbpf:
        return 0
    return {"": None, "biolatency": 1}.get(label, 0)


class Spacing:
    """Counts blank lines and says how many intervals they stand for."""

    def __init__(self) -> None:
        self._blanks = 0
        self._own = 0
        self._idle = 0
        self._left_out = 0
        self._told = False
        self._known: set[str] = set()
        self._started = False
        self._in_burst = False
        self._allowed: dict[bool, int] = {}
        self._seen: set[str] = set()

    def banner(self) -> None:
        """A tool has started: blank lines from here on are intervals."""
        self.content()
        self._started = True

    def content(self) -> None:
        """Something of the histograms was printed: blank lines are counted from here."""
        self._blanks = self._own = self._idle = 0
        self._told = False
        self._in_burst = True

    def blank(self) -> None:
        """One blank line."""
        if self._in_burst and not self._blanks:
            self._own = 1
        self._blanks += 1

    def exact(self) -> None:
        """An exact sum was printed, which stands between two blank lines of its own."""
        self._blanks, self._own = -1, 0

    def pause(self) -> int:
        """The source has paused, or ended: how many idle intervals are to be told now.

        A blank line that came together with the rows above it may belong to them.
        """
        self._in_burst = False
        new = self._bounded(self._blanks - self._own) - self._idle if self._started else 0
        if new > 0:
            self._idle += new
            self._seen.clear()
        return max(new, 0)

    def histogram(self, series: str, *, spacing: int | None, sectioned: bool, shared: bool) -> int:
        """A histogram begins: how many intervals begin with it, the last of them its own; 0 within an interval.

        ``spacing`` is how many blank lines the tool is known to print before a histogram within an interval, None where
        the tool is unknown. ``shared`` names may occur several times in one interval.
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
        """The limit of intervals, if a run of blank lines went beyond it since the last call; 0 if none did."""
        limit, self._left_out = self._left_out, 0
        return limit

    def _bounded(self, intervals: int) -> int:
        limit = max(1, min(MAX_IDLE, MAX_RECORDS // max(1, len(self._known))))
        if intervals > limit and not self._told:
            self._left_out, self._told = limit, True
        return min(intervals, limit)

    def _allowance(self, spacing: int | None, sectioned: bool) -> int:
        """Fewer blank lines than expected show that this tool prints fewer."""
        most = max(0, self._blanks if sectioned else self._blanks - 1)
        known = self._allowed.get(sectioned, spacing)
        if not self._seen:
            return known if known is not None else most
        self._allowed[sectioned] = most if known is None else min(known, most)
        return self._allowed[sectioned]

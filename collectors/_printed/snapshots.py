"""When the prints of a script begin: by moments that it prints, else by the probes that DTrace says have fired."""

from collections import Counter
from collections.abc import Iterator

from ...record import Stamp, Tick
from ...text.lines import Line


def numbered(series: str, seen: "Counter[str]") -> str:
    """A series' name within its print: a name that comes again there is of another aggregation, as keys do not."""
    seen[series] += 1
    return series if seen[series] == 1 else f"{series}#{seen[series]}"


class SnapshotTicks:
    """Ticks of the source, each as soon as it is certain that it is one.

    A tick probe that fires is a print of its own only where no moment is printed each time: that stands behind it.
    """

    def __init__(self) -> None:
        self.stamp: Stamp | None = None
        self._fired: Line | None = None
        self._is_last = False
        self._told = False
        self._has_moments = False
        self._since_moment = 0
        self._seen: Counter[str] = Counter()

    def fired(self, line: Line) -> Iterator[Tick]:
        """A tick probe has fired. The one before printed nothing, if it is still pending: an idle interval."""
        yield from self.passed()
        self._since_moment += 1
        if self._since_moment > 1 and self._has_moments:
            self._has_moments, self.stamp = False, None  # it was printed once, at the start
        self._fired, self._is_last = None if self._has_moments else line, False

    def ends(self, line: Line) -> Iterator[Tick]:
        """The script ends, and may print once more."""
        yield from self.passed()
        self._fired, self._is_last = line, True

    def moment(self, stamp: Stamp, line: Line) -> Tick:
        """A moment was printed: what follows belongs to it."""
        self.dated()
        self.stamp = stamp
        return self._open(line)

    def dated(self) -> None:
        """What is printed has moments."""
        self._fired, self._has_moments, self._since_moment = None, True, 0

    def opened(self) -> Iterator[Tick]:
        """The tick of a probe that has fired, before its first histogram."""
        if self._fired is not None:
            fired, self._fired = self._fired, None
            if self._is_last:
                self.stamp = None
            yield self._open(fired)

    def passed(self) -> Iterator[Tick]:
        """The same where no histogram comes: an idle interval, but for the end of the script."""
        if not self._is_last:
            yield from self.opened()

    def distinct(self, series: str) -> str:
        """A series' name within its print. Where prints are not told a name that comes again begins one."""
        return numbered(series, self._seen) if self._told else series

    def _open(self, line: Line) -> Tick:
        self._told = True
        self._seen.clear()
        return Tick(self.stamp, line.arrival, line.number)

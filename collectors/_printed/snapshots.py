"""Finds where each snapshot of a script begins: at printed moments, else at probes that DTrace reports as fired."""

from collections import Counter
from collections.abc import Iterator

from ...record import Stamp, Tick
from ...text.lines import Line


def numbered(series: str, seen: "Counter[str]") -> str:
    """The name of a series within its snapshot. A repeated name belongs to another aggregation and gets a number: the
    keys of one aggregation do not repeat.
    """
    seen[series] += 1
    return series if seen[series] == 1 else f"{series}#{seen[series]}"


class SnapshotTicks:
    """Ticks of the source, each as soon as it is certain.

    A fired tick probe starts a snapshot only if the script prints no moment each time: the moment follows the probe.
    """

    def __init__(self) -> None:
        self.stamp: Stamp | None = None
        self._fired: Line | None = None
        self._is_last = False
        self._ticked = False
        self._has_moments = False
        self._since_moment = 0
        self._seen: Counter[str] = Counter()

    def fired(self, line: Line) -> Iterator[Tick]:
        """A tick probe has fired. If the one before is still pending, it printed nothing: yield an idle interval."""
        yield from self.passed()
        self._since_moment += 1
        if self._since_moment > 1 and self._has_moments:
            self._has_moments, self.stamp = False, None  # the moment was printed only once, at the start
        self._fired, self._is_last = None if self._has_moments else line, False

    def ends(self, line: Line) -> Iterator[Tick]:
        """The script ends; it can print one last time."""
        yield from self.passed()
        self._fired, self._is_last = line, True

    def moment(self, stamp: Stamp, line: Line) -> Tick:
        """A moment was printed: what follows belongs to it."""
        self.dated()
        self.stamp = stamp
        return self._open(line)

    def dated(self) -> None:
        """The snapshots have moments."""
        self._fired, self._has_moments, self._since_moment = None, True, 0

    def opened(self) -> Iterator[Tick]:
        """Yield the tick of a fired probe before its first histogram."""
        if self._fired is not None:
            fired, self._fired = self._fired, None
            if self._is_last:
                self.stamp = None
            yield self._open(fired)

    def passed(self) -> Iterator[Tick]:
        """Yield the tick of a fired probe without a histogram: an idle interval, except at the end of the script."""
        if not self._is_last:
            yield from self.opened()

    def distinct(self, series: str) -> str:
        """The name of a series within its snapshot. If nothing separates snapshots, a repeated name starts one."""
        return numbered(series, self._seen) if self._ticked else series

    def _open(self, line: Line) -> Tick:
        self._ticked = True
        self._seen.clear()
        return Tick(self.stamp, line.arrival, line.number)

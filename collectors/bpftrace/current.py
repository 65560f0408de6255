"""The snapshot that is being read: which histograms it contains, and which ones must belong to the next."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...record import Range
from ...text.lines import Line

BURST_SECONDS = 0.1
"""Seconds. A histogram that arrives later than this after the last one was not printed together with it."""
MOST_YIELDED = 100_000
LEAST_ALIKE = 2
"""Rows that a key must have to be compared with the same key printed again."""
MOST_GROWTH = 3
"""From one print to the next the events of a key become at most so many times as many."""

MapKey = tuple[str, str | None]
"""The name of a map and one of its keys."""


@dataclass
class MapHistogram:
    """The rows of one key of a map, in the map's unit. ``key`` is None if the map has no keys."""

    name: str
    key: str | None
    line: Line
    rows: list[Range] = field(default_factory=list)

    @property
    def events(self) -> float:
        return sum(count for _, _, count in self.rows)


class CurrentSnapshot:
    """The histograms of one snapshot.

    bpftrace 0.17 can print one key several times in one snapshot; then the counts are added, unless there is other text
    between. ``begin`` starts the next snapshot.
    """

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Start with an empty snapshot."""
        self.held: dict[MapKey, MapHistogram] = {}
        self.last: MapHistogram | None = None
        self._yielded: set[MapKey] = set()
        self._names: set[str] = set()
        self._over: set[str] = set()
        self._above: set[str] = set()
        self._text_follows = False

    def add(self, histogram: MapHistogram) -> None:
        """Add a histogram to it."""
        if self.last is not None and self.last.name != histogram.name:
            self._over.add(self.last.name)
        place = histogram.name, histogram.key
        if place in self.held:
            self.held[place].rows += histogram.rows
        else:
            self.held[place] = histogram
        self._names.add(histogram.name)
        self.last = histogram

    def headed(self) -> None:
        """Its heading came again: maps printed above that heading do not appear below it."""
        self._above = set(self._names)

    def text(self) -> None:
        """Text came that no map printed, such as a damaged moment."""
        self._text_follows = self.last is not None

    def take(self) -> dict[MapKey, MapHistogram]:
        """Remove and return the histograms that came so far; more can come."""
        held, self.held = self.held, {}
        for place in held:
            if len(self._yielded) < MOST_YIELDED:
                self._yielded.add(place)
        return held

    def is_over(self, histogram: MapHistogram, *, stamped: bool, doubled: bool = False) -> bool:
        """Whether a histogram belongs to the next snapshot. ``doubled``: one has had a key twice before."""
        if self.last is None:
            return False
        if histogram.name in self._over or histogram.name in self._above:
            return True
        place = histogram.name, histogram.key
        if place not in self.held and place not in self._yielded:
            return False
        if self._text_follows or not (stamped and self._may_be_double(histogram, self.last)):
            return True
        return not doubled and place in self.held and _has_grown(self.held[place].rows, histogram.rows)

    @staticmethod
    def _may_be_double(histogram: MapHistogram, last: MapHistogram) -> bool:
        """Whether a repeated key can belong to the same snapshot: different strings can look equal when printed.

        The histograms of a map are ordered by their number of events in each snapshot.
        """
        if not histogram.key or histogram.key.replace(",", "").replace(" ", "").isdigit():
            return False
        arrived = seconds_between(last.line, histogram.line)
        return histogram.events >= last.events and (arrived is None or arrived <= BURST_SECONDS)


def _has_grown(before: list[Range], now: list[Range]) -> bool:
    """Whether rows are those of the same key a little later: none has fewer events, and the sum is of the same order.

    Of two keys that look equal, few have so much in common.
    """
    counts = {(lower, upper): count for lower, upper, count in now}
    if len(before) < LEAST_ALIKE or any(counts.get((lower, upper), 0) < count for lower, upper, count in before):
        return False
    first, second = (sum(count for _, _, count in rows) for rows in (before, now))
    return first < second <= MOST_GROWTH * first


def seconds_between(first: Line, second: Line) -> float | None:
    """Seconds between the arrivals of two lines; None in a file."""
    if first.arrival is None or second.arrival is None:
        return None
    return second.arrival - first.arrival

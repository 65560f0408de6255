"""The print that is being read: which histograms it holds, and which one cannot be of it any more."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...record import Range
from ...text.lines import Line

BURST_SECONDS = 0.1
"""What arrives later than this after the last histogram was not printed together with it."""
MOST_TOLD = 100_000

MapKey = tuple[str, str | None]
"""A map's name, and a key of it."""


@dataclass
class MapHistogram:
    """The rows of one key of a map, in the map's unit. ``key`` is None where the map has none."""

    name: str
    key: str | None
    line: Line
    rows: list[Range] = field(default_factory=list)

    @property
    def events(self) -> float:
        return sum(count for _, _, count in self.rows)


class CurrentSnapshot:
    """Histograms of one print. bpftrace 0.17 may print one key several times in one print: then the counts are added.

    ``begin`` makes it the next print.
    """

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Nothing is known of it yet."""
        self.held: dict[MapKey, MapHistogram] = {}
        self.last: MapHistogram | None = None
        self._told: set[MapKey] = set()
        self._names: set[str] = set()
        self._over: set[str] = set()
        self._above: set[str] = set()

    def add(self, histogram: MapHistogram) -> None:
        """One more histogram of it."""
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
        """Its heading came once more: maps that stand above that are not printed again below it."""
        self._above = set(self._names)

    def taken(self) -> dict[MapKey, MapHistogram]:
        """What it holds, to be told; more may come."""
        held, self.held = self.held, {}
        for place in held:
            if len(self._told) < MOST_TOLD:
                self._told.add(place)
        return held

    def is_over(self, histogram: MapHistogram, *, stamped: bool) -> bool:
        """Whether a histogram is of the next print."""
        if self.last is None:
            return False
        if histogram.name in self._over or histogram.name in self._above:
            return True
        place = histogram.name, histogram.key
        if place not in self.held and place not in self._told:
            return False
        return not (stamped and self._may_be_double(histogram, self.last))

    @staticmethod
    def _may_be_double(histogram: MapHistogram, last: MapHistogram) -> bool:
        """Whether a key that comes again may be of the same print: its strings are equal only as they are printed.

        One print is ordered by the number of events.
        """
        if not histogram.key or histogram.key.replace(",", "").replace(" ", "").isdigit():
            return False
        arrived = seconds_between(last.line, histogram.line)
        return histogram.events >= last.events and (arrived is None or arrived <= BURST_SECONDS)


def seconds_between(first: Line, second: Line) -> float | None:
    """Seconds between the arrivals of two lines; None in a file."""
    if first.arrival is None or second.arrival is None:
        return None
    return second.arrival - first.arrival

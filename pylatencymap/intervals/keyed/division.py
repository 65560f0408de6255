"""What series an event belongs to, if they are divided by a key: ``db file sequential read obj#=82015``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ...errors import Refused
from ...record import Clock, Decoded, EventKey, Record, Sample, Tick
from ...report import Report
from ...text.clean import printable
from .value_sums import Pair, ValueSums, half_nanos
from .waits_apart import is_apart

OTHERS = "others"
"""The series of all events without a series of their own."""
DEFAULT_TOP = 9
LONGEST_VALUE = 100
LONGEST_NOTE = 48
"""Characters of a value, and of the text that explains it, in the name of a series."""
LONGEST_KEPT = 300
"""Characters of a value; longer ones that begin alike count as one."""
UNNAMED = "all"
"""The series of tables in which no column names one."""
MOST_NAMED = 200
"""Series by key of a live source; from there on all others are together."""
FEW = 200
"""If so many events have no value of the key, it may be misspelt."""
_SWITCH = 3, 2
"""Another value takes the place of the least one when it has waited so many times as much."""
_SEVERAL_MEANINGS = ("cursor",)
"""Keys whose values stand for one thing after another: what explains one of them would explain it wrongly."""
NO_EVENTS = (
    "{name} holds counts and no single events, so --by {key} finds nothing to divide; a trace or a table has them"
)
_CALLED_TOO = {
    "sql_id": ("sqlid", "hv"),
    "client_id": ("client",),
    "session_id": ("session",),
    "container_id": ("container",),
}
"""Names of keys that users know from elsewhere, and those of the collectors, the best one first."""


class DividedBy(NamedTuple):
    """What the user asks for: series by ``key``, those ``top`` ones with most time waited apart.

    ``is_short``: the user chose one series, so that its name need not be said. ``is_across``: a value is the same in
    all series.
    """

    key: str
    top: int = DEFAULT_TOP
    is_short: bool = False
    is_across: bool = False

    def value_in(self, keys: Iterable[EventKey]) -> EventKey | None:
        """The key among those of an event; None if it says nothing of it."""
        said = {one.name.lower(): one for one in keys}
        return next((said[name] for name in names_of_key(self.key) if name in said), None)

    def divides(self, series: str) -> bool:
        """Whether a series is divided: idle waits are not, unless they are asked for alone."""
        return self.is_short or not is_apart(series)

    def pair(self, series: str, keys: Iterable[EventKey]) -> tuple[Pair, str]:
        """The series and value of an event, and what explains the value."""
        key = self.value_in(keys)
        if key is None:
            return (series, None), ""
        return (series, key.value[:LONGEST_KEPT]), "" if key.name in _SEVERAL_MEANINGS else key.note

    def counted(self, pair: Pair) -> Pair:
        """What events with this series and value are counted as."""
        return ("", pair[1]) if self.is_across else pair

    def name(self, pair: Pair, note: str = "") -> str:
        """The name of the series of a value. ``note`` explains the value."""
        series, value = pair
        what = f"without {self.key}" if value is None else f"{self.key}={printable(value, LONGEST_VALUE)}"
        words = what if self.is_short or series in ("", UNNAMED) else f"{series} {what}"
        return printable(f"{words} {printable(note, LONGEST_NOTE)}" if note else words, 2 * LONGEST_VALUE)


def names_of_key(key: str) -> tuple[str, ...]:
    """The names under which collectors can have a key, in lower case."""
    return (key.lower(), *_CALLED_TOO.get(key.lower(), ()))


class Division(ABC):
    """How events are divided. Those with a value that has no series of its own go to the series of all others."""

    def __init__(self, asked: DividedBy, names: dict[Pair, str]) -> None:
        self.asked = asked
        self._names = names
        self._known = {OTHERS, *names.values()}
        """All series that come of the division."""

    @abstractmethod
    def series_of(self, pair: Pair, waited: int, note: str) -> str:
        """The series of an event with this series of its own and this value, which waited so many half nanoseconds."""

    def known_as(self, pair: Pair) -> str:
        """The series of such events in the end."""
        return self._names.get(self.asked.counted(pair), OTHERS) if self.asked.divides(pair[0]) else pair[0]

    def has(self, series: str) -> bool:
        """Whether a series comes of the division, perhaps with its unit behind its name, and is not one that was not
        wanted.
        """
        return series in self._known or series.rpartition(" (")[0] in self._known

    @property
    def values(self) -> frozenset[Pair]:
        """The values that have a series of their own, each with its series."""
        return frozenset(self._names)


class ChosenValues(Division):
    """The values of files that were looked through before: those with most time waited have series of their own.

    ``is_sure`` is false if there were so many that one of the others can have waited as long.
    """

    def __init__(self, asked: DividedBy, sums: ValueSums) -> None:
        super().__init__(asked, {pair: asked.name(pair, note) for pair, note in sums.most(asked.top)})
        self.is_sure = sums.is_sure
        self._known |= sums.undivided

    def series_of(self, pair: Pair, _waited: int = 0, _note: str = "") -> str:
        """See Division."""
        return self.known_as(pair)


class LatestValues(Division):
    """The values of a live source, which cannot be looked through before: those with most time waited so far.

    What was counted stays where it was: a value that gets a series later has its earlier events among the others.
    """

    def __init__(self, asked: DividedBy) -> None:
        super().__init__(asked, {})
        self._sums = ValueSums()
        self._shown: dict[Pair, None] = {}

    def series_of(self, pair: Pair, waited: int, note: str) -> str:
        """See Division."""
        if not self.asked.divides(pair[0]):
            self._known.add(pair[0])
            return pair[0]
        pair = self.asked.counted(pair)
        self._sums.add(pair, waited, note)
        return self._names[pair] if pair in self._shown or self._gets_place(pair) else OTHERS

    def _gets_place(self, pair: Pair) -> bool:
        if len(self._shown) >= self.asked.top:
            least = min(self._shown, key=self._sums.waited)
            more, less = _SWITCH
            if self._sums.waited(pair) * less <= self._sums.waited(least) * more:
                return False
            if pair not in self._names and len(self._names) >= MOST_NAMED:
                return False
            del self._shown[least]
        self._shown[pair] = None
        if pair not in self._names:
            self._names[pair] = self.asked.name(pair, self._sums.note(pair))
            self._known.add(self._names[pair])
        return True


class Dividing(NamedTuple):
    """How events are divided, and which series are."""

    division: Division
    wants: Callable[[str], bool]

    def series_of(self, pair: Pair, waited: int = 0, note: str = "") -> str:
        """The series of an event. Those of series that are not wanted stay where they are, so that the time axis is
        that of the whole.
        """
        return self.division.series_of(pair, waited, note) if self.wants(pair[0]) else pair[0]


class Summing(NamedTuple):
    """Adds up what the values of a key have waited, in the series that are wanted.

    ``first``, ``last``: only events with real times that ended from the one to the other, epoch microseconds; None is
    no limit.
    """

    sums: ValueSums
    asked: DividedBy
    wants: Callable[[str], bool]
    first: int | None = None
    last: int | None = None

    def is_at(self, sample: Sample) -> bool:
        """Whether an event is of the time that is asked for."""
        if sample.clock is not Clock.EPOCH:
            return True
        return (self.first is None or sample.micros >= self.first) and (self.last is None or sample.micros < self.last)

    def add(self, pair: Pair, waited: int, note: str = "") -> None:
        """Add what events have waited."""
        if not self.wants(pair[0]):
            return
        if self.asked.divides(pair[0]):
            self.sums.add(self.asked.counted(pair), waited, note)
        else:
            self.sums.undivided.add(pair[0])


def divided(items: Iterable[Decoded], by: Dividing, report: Report) -> Iterator[Decoded]:
    """What a decoder yields, with the samples in the series of the division. A note says so if none of the first ones
    of a live source has the key: files were looked through before. Raises Refused for counts.
    """
    asked, without = by.division.asked, 0 if isinstance(by.division, LatestValues) else -1
    for item in items:
        if isinstance(item, Sample):
            pair, note = asked.pair(item.series, item.keys)
            if without >= 0:
                without = -1 if pair[1] is not None else without + 1
                if without == FEW:
                    there_are = ", ".join(printable(key.name, 40) for key in item.keys) or "none"
                    report.note(item.line, f"no event so far has the key {asked.key}; this one has: {there_are}")
            item = item._replace(series=by.series_of(pair, half_nanos(item), note))
        elif isinstance(item, Record | Tick):
            raise Refused(NO_EVENTS.format(name=report.name, key=asked.key))
        yield item


def sum_values(items: Iterable[object], by: Summing, name: str) -> None:
    """Add the samples of an input. Raises Refused for counts."""
    for item in items:
        if isinstance(item, Record | Tick):
            raise Refused(NO_EVENTS.format(name=name, key=by.asked.key))
        if isinstance(item, Sample) and by.is_at(item):
            pair, note = by.asked.pair(item.series, item.keys)
            by.add(pair, half_nanos(item), note)

"""What the name of a map reveals: whether its numbers are latencies, their unit, and the names of its series."""

import re
from functools import lru_cache
from typing import NamedTuple

from ...report import Report
from ...text import reason_not_time, with_device_names
from ...text.clean import printable
from ...units import Unit, unit_from
from .._series import OTHER, SeriesNames

MOST_PLACES = 10_000
"""Most pairs of map and key whose series names are remembered."""

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W0-9_]+")
_SECONDS = frozenset({"s", "sec", "secs", "second", "seconds"})
_NUMBERS = frozenset(
    ["backlog", "cnt", "count", "counts", "cpu", "cpus", "kb", "mb", "nr", "num", "pages", "ret", "retval"]
)
_DISKS = frozenset(["bdev", "bio", "blk", "block", "dev", "device", "devs", "disk", "disks", "io", "iops", "rq"])
_SUMS = frozenset({"sum", "sums", "total", "totals"})
_INSTEAD = "what would work is a histogram of latencies, as @us = hist((nsecs - @start[tid]) / 1000)"


class MapMeaning(NamedTuple):
    """``factor`` converts the map's numbers to ``unit``; ``reason`` says why there is no unit.

    ``is_open``: there is none, and nothing says that the numbers are anything else than times.
    """

    unit: Unit | None
    factor: int = 1
    reason: str = ""
    is_open: bool = False


def words_in_name(name: str) -> list[str]:
    """The words in a name such as ``read_latency_us`` or ``readLatencyUs``."""
    return [word.lower() for word in _WORD.findall(name)]


def is_sum(name: str) -> bool:
    """Whether the name of a map of numbers says that they are sums: ``@sum``, ``@us_total``."""
    return not _SUMS.isdisjoint(words_in_name(name))


@lru_cache(maxsize=1024)
def map_meaning(name: str, given: Unit | None) -> MapMeaning:
    """What the numbers of a map mean; ``given`` is the user's unit, for names that contain none."""
    words = words_in_name(name)
    for word in reversed(words):
        if unit := unit_from(word):
            return MapMeaning(unit)
        if word in _SECONDS and (len(words) > 1 or len(word) > 1):
            return MapMeaning(Unit.MS, 1000)
    if given:
        return MapMeaning(given)
    shown = printable(f"@{name}", 60)
    found = reason_not_time(name) or ("numbers of something, not a time" if _NUMBERS.intersection(words) else "")
    if found:
        return MapMeaning(None, reason=f"the map {shown} holds {found}; {_INSTEAD}")
    return MapMeaning(
        None,
        is_open=True,
        reason=f"the name of the map {shown} tells no unit of time; what would work is --unit us (or ns, ms), "
        "or a map that is named after its unit, as @us or @read_ns",
    )


class MapSeriesNames:
    """Names of series: the values of the keys, joined by commas. A map without keys uses its own name, or ``all`` if
    that is only a unit.

    If two maps have the same keys, the series of the second also contain its name.
    """

    def __init__(self, report: Report, live: bool) -> None:
        self._live = live
        self._capped = SeriesNames(report)
        self._names: dict[tuple[str, str | None], str] = {}
        self._owner: dict[str, str] = {}

    def of(self, name: str, key: str | None, line: int) -> str:
        """The series of one histogram; ``key`` is as printed, None if the map has none."""
        series = self._names.get((name, key))
        if series is None:
            series = self._capped.capped(self._new(name, key), line)
            if series != OTHER and len(self._names) < MOST_PLACES:
                self._names[name, key] = series
                self._owner.setdefault(series, name)
        return series

    def _new(self, name: str, key: str | None) -> str:
        series = self._plain(name, key)
        if self._owner.get(series, name) == name:
            return series
        return printable(f"@{name}" if key is None else f"{name},{series}")

    def _plain(self, name: str, key: str | None) -> str:
        if key is None:
            words = words_in_name(name)
            is_unit = len(words) < 2 and all(word in _SECONDS or unit_from(word) for word in words)
            return "all" if is_unit else printable(name)
        keys = [part.strip() for part in key.split(",")]
        if self._live:
            keys = with_device_names(keys, of_disks=not _DISKS.isdisjoint(words_in_name(name)))
        return printable(",".join(part or "unknown" for part in keys))

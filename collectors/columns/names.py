"""What the names of columns reveal: a time, a latency, and their units."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from ...text import seconds_of_unit

STARTS = ("start", "starttime", "startts", "starttimestamp", "begin", "begintime")
_TIMES = (
    *("endtime", "endts", "endtimestamp", "end", "finished", "completed"),
    *("timestamp", "datetime", "time", "ts", "epoch", "unixtime", "eventtime", "logtime", "when", "date", "clock", "t"),
    *STARTS,
)
"""In the order of preference: an event counts at its end."""
_DATES = ("date", "day", "logdate", "eventdate", "startdate", "enddate")
"""Columns that can contain the days of the times in another column."""
_LATENCIES = (
    *("latency", "lat", "duration", "dur", "elapsed", "elapsedtime", "responsetime", "response", "totaltime", "total"),
    *("querytime", "requesttime", "rtt", "svctm", "servicetime", "service", "delta", "waittime", "waited", "wait"),
    *("queuetime", "queued"),
)
_WORDS = {
    **dict.fromkeys(("nanos", "nanoseconds"), "ns"),
    **dict.fromkeys(("micros", "microseconds"), "us"),
    **dict.fromkeys(("millis", "milliseconds"), "ms"),
}
_UNIT = (
    r"ns|nsecs?|nanos|nanoseconds?|us|usecs?|[\u00b5\u03bc]s|micros|microseconds?|ms|msecs?|millis|milliseconds?"
    r"|secs?|seconds?"
)
_MARKED = re.compile(r"(.*?)\s*[(\[]\s*([^0-9\W]+)\s*[)\]]", re.IGNORECASE)
_JOINED = re.compile(rf"(.*?)(?:[\s_.-]+({_UNIT}|s)|({_UNIT}))", re.IGNORECASE)
_UTC = re.compile(r"(?<=[^\W_])(?:[\s_-]*[(\[]\s*(?:utc|gmt)\s*[)\]]|[\s_-]+(?:utc|gmt))$", re.IGNORECASE)
_OTHER = re.compile(r"[^a-z0-9]")
LONGEST = 100


class ColumnName(NamedTuple):
    """A name without its unit, in lower case; ``unit`` in seconds, None if the name contains none."""

    word: str
    unit: Decimal | None


@lru_cache(maxsize=4096)
def column_name(name: str) -> ColumnName:
    """Parse a name: ``LAT(ms)``, ``latency_us``, ``durationNanos``, ``TIMEus``, ``@timestamp``."""
    name = _UTC.sub("", name.strip().strip("\"'").strip()[:LONGEST])
    whole = _OTHER.sub("", name.lower())
    if whole in _TIMES or whole in _LATENCIES:
        return ColumnName(whole, None)
    for pattern in (_MARKED, _JOINED):
        found = pattern.fullmatch(name)
        unit = unit_seconds(found[found.lastindex or 2]) if found else None
        if found and unit is not None:
            return ColumnName(_OTHER.sub("", found[1].lower()), unit)
    return ColumnName(whole, None)


def is_utc(name: str) -> bool:
    """Whether a name says that its times are UTC: ``Time (UTC)``, ``created_utc``."""
    return _UTC.search(name) is not None


def unit_seconds(word: str) -> Decimal | None:
    """The length of a unit of time in seconds."""
    return seconds_of_unit(_WORDS.get(word.lower(), word))


def time_among(names: list[str]) -> int | None:
    """The place of the column that is the time; None if there is none. A date next to a start is only its day."""
    place = _best(names, _TIMES)
    if place is not None and column_name(names[place]).word in _DATES:
        start = _best(names, STARTS)
        return place if start is None else start
    return place


def date_among(names: list[str], taken: int) -> int | None:
    """The place of a column that can contain the days of the times in the column ``taken``."""
    return _best(names, _DATES, taken)


def latency_among(names: list[str], taken: int | None = None) -> int | None:
    """The place of the column that is the latency."""
    return _best(names, _LATENCIES, taken)


def other_latencies(names: list[str], taken: set[int]) -> list[str]:
    """The names of other columns that could be the latency as well."""
    return [name for place, name in enumerate(names) if place not in taken and column_name(name).word in _LATENCIES]


def _best(names: list[str], words: tuple[str, ...], taken: int | None = None) -> int | None:
    found = [
        (words.index(column_name(name).word), place)
        for place, name in enumerate(names)
        if place != taken and column_name(name).word in words
    ]
    return min(found)[1] if found else None

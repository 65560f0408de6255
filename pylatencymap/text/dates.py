"""Parses the free-text dates that tools print next to their stamps, and writes moments."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from datetime import datetime, tzinfo

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_TIME = (
    r"(?P<hour>[0-9]{1,2})[:.](?P<minute>[0-9][0-9])"
    r"(?:[:.](?P<second>[0-9]{1,2})(?:[.,](?P<fraction>[0-9]{1,9}))?)?(?:\s*(?P<half>[ap]m))?"
)
_OFFSET = r"(?:\s*(?P<offset>z|[+-][0-9][0-9](?::?[0-9][0-9])?)|\s+(?P<zone>[a-z]{3,5}))?"
_MONTH = r"(?P<month_name>[a-z]{3})[a-z]{0,6}"
_LAYOUTS = (
    rf"(?P<year>[0-9]{{4}})-(?P<month>[0-9][0-9])-(?P<day>[0-9][0-9])(?:[t\s]\s*{_TIME})?{_OFFSET}",
    rf"(?P<year>[0-9]{{4}})\s+{_MONTH}\s+(?P<day>[0-9]{{1,2}})(?:\s+{_TIME})?{_OFFSET}",
    rf"(?:[a-z]{{3}},?\s+)?(?P<day>[0-9]{{1,2}})[-/\s]{_MONTH}[-/\s](?P<year>[0-9]{{4}}|[0-9][0-9])(?:(?:\s+|:){_TIME})?{_OFFSET}",
    rf"(?:[a-z]{{3}},?\s+)?{_MONTH}\s+(?P<day>[0-9]{{1,2}})\s+{_TIME}(?:\s+(?P<zone>[a-z]{{3,5}}))?\s+(?P<year>[0-9]{{4}})",
    rf"(?:[a-z]{{3}},?\s+)?{_MONTH}\s+(?P<day>[0-9]{{1,2}})\s+{_TIME}\s+(?P<year>[0-9]{{4}}){_OFFSET}",
)
_UTC_NAMES = frozenset({"z", "utc", "gmt"})
_FIRST_OF_CLOCKS = 365 * 86_400
"""Seconds: moments before are counted from the beginning of a source, as no clock of today shows 1970."""


def parse_date(text: str) -> datetime | None:
    """Parse a full date, with or without a time of day; None for anything else.

    The forms are Oracle's ``26-AUG-13 04.26.51.653754 PM +02:00``, ctime's ``Sat Mar 14 19:40:07 2015 CET`` (with the
    zone after or before the year), ``2015-03-14 19:40:07.25 +01:00``, ``2013 Aug 27 10:54:53``, and the date in web
    server logs, ``14/Mar/2015:19:40:07 +0100``. The result has a time zone only if the text gives an offset, ``Z``, UTC
    or GMT: other zone abbreviations are ambiguous and are ignored.
    """
    folded = text.strip().lower()
    for layout in _compiled():
        found = layout.fullmatch(folded)
        if found:
            return _moment(found.groupdict())
    return None


@cache
def _compiled() -> tuple[re.Pattern[str], ...]:
    import re

    return tuple(re.compile(layout, re.ASCII) for layout in _LAYOUTS)


def _moment(parts: dict[str, str | None]) -> datetime | None:
    from datetime import datetime

    name, fraction = parts.get("month_name"), parts["fraction"] or ""
    try:
        return datetime(
            _year(parts["year"] or ""),
            _MONTHS.index(name) + 1 if name else int(parts["month"] or 0),
            int(parts["day"] or 0),
            _hour(int(parts["hour"] or 0), parts["half"]),
            int(parts["minute"] or 0),
            int(parts["second"] or 0),
            int(fraction.ljust(6, "0")[:6]),
            _zone(parts.get("offset") or parts.get("zone") or ""),
        )
    except ValueError:
        return None


def _year(digits: str) -> int:
    """The year; two digits are read as Oracle's date format RR reads them: 50 to 99 mean 1950 to 1999."""
    year = int(digits)
    if len(digits) > 2:
        return year
    return year + (1900 if year >= 50 else 2000)


def _hour(hour: int, half: str | None) -> int:
    if half is None:
        return hour
    if not 1 <= hour <= 12:
        raise ValueError(f"hour {hour} of a 12-hour clock")
    return hour % 12 + (12 if half == "pm" else 0)


def _zone(word: str) -> tzinfo | None:
    from datetime import timedelta, timezone

    if word in _UTC_NAMES:
        return timezone.utc
    if word[:1] not in ("+", "-"):
        return None
    digits = word[1:].replace(":", "")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:] or 0))
    return timezone(-offset if word[0] == "-" else offset)


def moment_text(micros: int, tz: tzinfo | None) -> str:
    """A moment, in epoch microseconds, with as many decimals as it has: ``2026-03-03 03:12:05.25``; of a source without
    a clock how long after its beginning: ``+0:05.25``.
    """
    from datetime import datetime

    seconds, rest = divmod(micros, 1_000_000)
    decimals = f".{rest:06d}".rstrip("0") if rest else ""
    if 0 <= seconds < _FIRST_OF_CLOCKS:
        minutes, hours = seconds // 60, seconds // 3600
        counted = f"+{hours}:{minutes % 60:02d}" if hours else f"+{minutes}"
        return f"{counted}:{seconds % 60:02d}{decimals}"
    return f"{datetime.fromtimestamp(seconds, tz):%Y-%m-%d %H:%M:%S}{decimals}"

"""The clock of a page: which zone its times are in, and when the offset of that zone changes."""

from __future__ import annotations

from datetime import datetime, tzinfo
from typing import Any

from ...moment_text import TimeWords
from ...window import UNCLOCKED_BIT
from .content import PageContent

_STEP = 3_600_000_000
"""Microseconds: an offset that changes twice in less is seen as changing once."""
_MOST_STEPS = 200_000
"""Steps that are looked at, in data of centuries."""


def title_time(content: PageContent) -> str:
    """From when to when: ``2026-03-02 00:00:00 to 2026-03-05 00:00:00 UTC``; how long without a clock."""
    words = TimeWords(content.begin, content.end, content.tz, clock=has_clock(content))
    return words.whole() or f"{words.span(content.begin, content.end)}"


def has_clock(content: PageContent) -> bool:
    """Whether all times are real."""
    return not any(
        int(history.columns(place, place + 1)["flags"][0]) & UNCLOCKED_BIT
        for history in content.histories
        for place in (0, len(history) - 1)
    )


def zone_for_script(content: PageContent) -> dict[str, Any]:
    """Its name, and [since, offset] in microseconds and seconds; ``clock``: whether times are real."""
    at = datetime.fromtimestamp(content.end // 1_000_000, content.tz)
    name = getattr(content.tz, "key", None) or at.tzname() or "zone"
    return {"name": name, "clock": has_clock(content), "offsets": _offsets(content.begin, content.end, content.tz)}


def _offsets(begin: int, end: int, tz: tzinfo) -> list[tuple[int, int]]:
    found = [(begin, _offset(begin, tz))]
    step = max(_STEP, (end - begin) // _MOST_STEPS)
    for moment in range(begin - begin % step + step, end + step, step):
        offset = _offset(moment, tz)
        if offset != found[-1][1]:
            found.append((_change(moment - step, moment, tz), offset))
    return found


def _change(low: int, high: int, tz: tzinfo) -> int:
    """The second in which the offset between two moments becomes that of the later one, as microseconds."""
    before = _offset(low, tz)
    first, last = low // 1_000_000, high // 1_000_000
    while last - first > 1:
        middle = (first + last) // 2
        if _offset(middle * 1_000_000, tz) == before:
            first = middle
        else:
            last = middle
    return last * 1_000_000


def _offset(micros: int, tz: tzinfo) -> int:
    """Seconds to add to UTC."""
    offset = datetime.fromtimestamp(micros // 1_000_000, tz).utcoffset()
    return round(offset.total_seconds()) if offset else 0

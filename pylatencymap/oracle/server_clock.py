"""Converts the times of a database server: it gives UTC for samples, but its own zone for start-up times."""

from __future__ import annotations

from collections.abc import Hashable
from datetime import datetime, timedelta

EPOCH = datetime(1970, 1, 1)
ZONE_STEP = timedelta(minutes=15)
"""Every offset from UTC is a whole number of quarter hours."""


def micros_of_utc(utc: datetime) -> int:
    """Convert a time in UTC, given without a zone, to epoch microseconds."""
    return (utc - EPOCH) // timedelta(microseconds=1)


def utc_offset(here: datetime, utc: datetime) -> timedelta:
    """How far the server's own clock is ahead of UTC. That clock shows whole seconds, so the difference is rounded."""
    return round((here - utc) / ZONE_STEP) * ZONE_STEP


class StartTimes:
    """Start-up times as epoch microseconds.

    Each start-up time is converted only once. The server's offset changes with daylight saving time, so a later
    conversion would give another result, which would look like another start-up.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[Hashable, datetime], int] = {}

    def micros(self, instance: Hashable, started: datetime | None, offset: timedelta) -> int | None:
        """The start-up time of an instance, given on a clock that is ``offset`` ahead of UTC; None if it is unknown."""
        if started is None:
            return None
        return self._known.setdefault((instance, started), micros_of_utc(started - offset))

"""The clocks of a database server: UTC for samples, its own zone for start-up times."""

from __future__ import annotations

from collections.abc import Hashable
from datetime import datetime, timedelta

EPOCH = datetime(1970, 1, 1)
ZONE_STEP = timedelta(minutes=15)
"""Offsets from UTC are whole quarters of an hour."""


def micros_of_utc(utc: datetime) -> int:
    """Epoch microseconds of a time in UTC that comes without a zone."""
    return (utc - EPOCH) // timedelta(microseconds=1)


def utc_offset(here: datetime, utc: datetime) -> timedelta:
    """What the server's own clock is ahead of UTC; it shows whole seconds."""
    return round((here - utc) / ZONE_STEP) * ZONE_STEP


class StartTimes:
    """Start-up times as epoch microseconds.

    A start-up time is kept as it was first worked out. The server's offset changes with daylight saving time, and
    worked out again it would look like another start-up.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[Hashable, datetime], int] = {}

    def micros(self, instance: Hashable, started: datetime | None, offset: timedelta) -> int | None:
        """The start-up of an instance, told by a clock that is ``offset`` ahead of UTC; None: not known."""
        if started is None:
            return None
        return self._known.setdefault((instance, started), micros_of_utc(started - offset))

"""What happens when: a round of events that repeats for as long as somebody watches.

A cold cache fills; the store is steady; a scan queues up at the arm and pushes the hot set out of the cache; it comes
back; the store restarts with its cache lost; a shorter scan shows what a small one costs.
"""

from typing import NamedTuple

SCENE_SECONDS = 100
"""How long a round lasts."""

RESTART = range(55, 57)
"""Seconds of a round in which the store is down."""


class ScannerPeriod(NamedTuple):
    """Seconds of a round in which that many scanners read."""

    seconds: range
    scanners: int


SCANNER_PERIODS = (ScannerPeriod(range(30, 36), 4), ScannerPeriod(range(86, 88), 2))


def is_down(second: int) -> bool:
    """Whether the store is restarting in that second, counted from the beginning."""
    return second % SCENE_SECONDS in RESTART


def scanners(second: int) -> int:
    """How many scanners read beside the application in that second."""
    return sum(scan.scanners for scan in SCANNER_PERIODS if second % SCENE_SECONDS in scan.seconds)

"""What is asked of a file of single events: which time, which latencies, which series; and whether it is still the same
file.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from math import ceil, inf
from typing import NamedTuple

from ..errors import Refused, SourceError
from ..record import Sample
from ..text.clean import printable
from ..units import Unit

LONGEST_VALUE = 300
"""Characters of a value; longer ones that begin alike count as one."""
ANY_KEY = ()
"""All keys are wanted."""


def all_series(_series: str, _unit: Unit) -> bool:
    """Every series is wanted."""
    return True


class EventQuestion(NamedTuple):
    """Which events are asked for: those that ended in [first, last), epoch microseconds, and took [low, high) seconds.

    None is no limit. ``shift`` is what was added to the file's own times to get to that axis, in microseconds.
    ``wants`` says which series, by name and unit. ``only``: names of keys and the values that all of them must have, as
    an answer shows them. ``is_wanted`` judges an event with its keys, where its series depends on these. ``by``: only
    these keys, in lower case, are added up; empty means all.
    """

    first: int | None = None
    last: int | None = None
    low: float = 0.0
    high: float | None = None
    wants: Callable[[str, Unit], bool] = all_series
    by: tuple[str, ...] = ANY_KEY
    shift: int = 0
    only: tuple[tuple[str, str], ...] = ()
    is_wanted: Callable[[Sample], bool] | None = None

    def is_at(self, moment: int) -> bool:
        """Whether it asks for a moment, in epoch microseconds."""
        return (self.first is None or moment >= self.first) and (self.last is None or moment < self.last)

    def is_of(self, sample: Sample) -> bool:
        """Whether it asks for events with the series and the latency of this one."""
        low, high = self.latencies_in(sample.unit)
        counted = sample.latency + sample.step // 2
        return low <= counted < high and self.wants(sample.series, sample.unit)

    def fits(self, sample: Sample) -> bool:
        """Whether an event has the values that all must have."""
        if self.is_wanted is not None and not self.is_wanted(sample):
            return False
        if not self.only:
            return True
        said = {key.name.lower(): key.value for key in sample.keys}
        asked = ((name.lower(), value) for name, value in self.only)
        return all(name in said and shown_value(said[name]) == value for name, value in asked)

    def latencies_in(self, unit: Unit) -> tuple[int, float]:
        """The least latency that is asked for, in whole units, and the first that is not."""
        return _whole(self.low, unit), inf if self.high is None else _whole(self.high, unit)


def shown_value(value: str) -> str:
    """The value of a key as it is shown: printable, and not too long."""
    return printable(value[:LONGEST_VALUE])


def _whole(seconds: float, unit: Unit) -> int:
    """The first whole number of units that is not below a latency, which may be off by an error of rounding."""
    units = seconds / unit.seconds
    nearest = round(units)
    return nearest if abs(units - nearest) <= 1e-9 * max(units, 1.0) else ceil(units)


class FileIdentity(NamedTuple):
    """What tells that a file has not changed: device, inode, size in bytes, time of its last change in nanoseconds."""

    device: int
    inode: int
    size: int
    modified: int


def identity_of(file: int | str) -> FileIdentity:
    """The identity of an open file or of the file with a name. Raises OSError."""
    about = os.stat(file)
    return FileIdentity(about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns)


class FileChanged(SourceError):
    """The file is not the one that was read before."""


class NoSingleEvents(Refused):
    """The text holds counts, and no single events."""


def check_same(name: str, before: FileIdentity, now: FileIdentity) -> None:
    """Raise FileChanged, with what has changed, if it is another file, or another text in the same file."""
    if now == before:
        return
    if (now.device, now.inode) != (before.device, before.inode):
        what = "it was replaced by another file"
    elif now.size != before.size:
        what = f"it {'grew' if now.size > before.size else 'shrank'} from {before.size} to {now.size} bytes"
    else:
        what = "it was written to"
    raise FileChanged(f"{name} has changed since it was read: {what}; open it again")

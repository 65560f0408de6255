"""Where the snapshots of a recording begin, although its text has records only. Reader and writer keep one account."""

from __future__ import annotations

from ..record import Stamp
from .running_sums import RunningKey


class Rounds:
    """The snapshot that a text is in, and the series of its round.

    Records with one stamp are a snapshot. If each series has a stamp of its own, the snapshots until a series comes
    again are parts of one round; where that is wrong, the text says so.
    """

    def __init__(self) -> None:
        self._stamp: Stamp | None = None
        self._members: set[RunningKey] = set()

    def is_within(self, stamp: Stamp) -> bool:
        """Whether a record with this stamp belongs to the snapshot that has begun."""
        return stamp is self._stamp or stamp == self._stamp  # the first is fast, and the usual case

    def seems_part(self, key: RunningKey) -> bool:
        """Whether a snapshot that begins with this series looks like one more part of a round."""
        return self._stamp is not None and key not in self._members

    def begin(self, stamp: Stamp, is_part: bool) -> None:
        """A snapshot begins."""
        self._stamp = stamp
        if not is_part:
            self._members = set()

    @property
    def stamp(self) -> Stamp | None:
        """The stamp of the snapshot that has begun."""
        return self._stamp

    @property
    def members(self) -> set[RunningKey]:
        """The series of the round so far."""
        return self._members

    def go_on(self, stamp: Stamp, members: set[RunningKey]) -> None:
        """Snapshots have passed, the last of them with this stamp and these series, none as a part of a round."""
        self._stamp, self._members = stamp, members

    def add(self, key: RunningKey) -> None:
        """A record of this series belongs to the snapshot."""
        self._members.add(key)

"""Series that are stamped one by one, told in rounds: one moment for what was printed together."""

from dataclasses import replace

from ..record import Record

TOGETHER = 10_000
"""Microseconds: stamps so near belong to one moment, for they were rounded or taken one after the other."""


class CommonStamps:
    """Stamps of records, so that time does not go to and fro between the series of one print.

    A record of another series than those of the round so far takes the moment of the round, unless it is later.
    """

    def __init__(self) -> None:
        self._members: set[str] = set()
        self._last: Record | None = None

    def placed(self, record: Record) -> Record:
        """The record with the stamp of its round."""
        last = self._last
        if last is not None and record.series not in self._members and _together(record, last):
            self._members.add(record.series)
            return replace(record, stamp=last.stamp)
        self._members, self._last = {record.series}, record
        return record


def _together(record: Record, last: Record) -> bool:
    if record.stamp is None or last.stamp is None or record.stamp.clock is not last.stamp.clock:
        return False
    return record.stamp.micros <= last.stamp.micros + TOGETHER

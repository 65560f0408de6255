"""Gives the series of one snapshot one common stamp if the source stamps each series separately."""

from dataclasses import replace

from ..record import Record

TOGETHER = 10_000
"""Microseconds. Stamps no further apart belong to one moment: they differ by rounding, or because the source read
its clock once for each series.
"""


class CommonStamps:
    """Places records in rounds, so that time does not jump back and forth between the series of one snapshot.

    A round is one record of each series. A record of a series that is not in the round yet joins it and takes its
    stamp, unless it is later by more than TOGETHER; any other record starts a new round.
    """

    def __init__(self) -> None:
        self._members: set[str] = set()
        self._last: Record | None = None

    def placed(self, record: Record) -> Record:
        """The record, with the stamp of its round."""
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

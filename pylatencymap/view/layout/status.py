"""What the picture says about the session, in addition to the data."""

from datetime import timezone, tzinfo
from typing import NamedTuple

from ...window import Incident, IntArray
from .sides import SidesPage

MERGED = 1.05
"""A column this many intervals long is merged from several: intervals are rarely exact."""
LIVE, PAUSED, END, DEMO, WAITING = "LIVE", "PAUSED", "END", "DEMO", "WAITING"
READING, REPLAY = "READING", "REPLAY"
STALLED = "STALLED"
"""The beginning of the state of a live source that is silent: how long it has been follows."""
NOT_RECORDED = ("REC FULL", "REC FAILED")
"""Flags that say that the recording has stopped."""


class Status(NamedTuple):
    """The facts for title, hints and remarks.

    label            tool or source, such as "biolatency"
    file             name of the file that is drawn, in the title where there is room; empty if there is none
    bare_label       the label is only the kind of the source, so that the name of a file can stand in its place
    series           name of the series; its number is 1 for the most time waited, 0 for the sum of all ``series_count``
    state            the word in the chip: LIVE, PAUSED, READING, DEMO, WAITING or a short text such as "REPLAY 10x"; at
                     the END, how much is shown instead
    interval         nominal interval, seconds
    tz               time zone of the clock and the time axis
    noun             name of what is counted, in the plural
    resolution       latency rows per doubling
    bad_count        how many bad input records were left out
    message          one line that the user should see now, such as "no data for 5 s: ..."
    marks            (epoch microseconds, letter, text) of each user mark
    incidents        known gaps and resets of what is drawn, oldest first
    keys             (key, word) hints of the last line; if empty, that line is absent
    flags            short texts for the right side of the title, most important first: "37 new", "10 s per column"
    others           one line for each of the other series, drawn below the statistics
    part             whether only a part of what was recorded has been read, as the user asked
    kept             epoch microseconds at which what is kept of the series begins and ends
    filters          what all events shown have in common, such as "obj#=82015"
    usual            seconds between two unmerged columns; less than ``interval`` where columns are merged
    stacked          how many series are drawn above each other; 0: one series, or the sum
    sides            A and B, the two times that the user compares; None: none is named
    """

    label: str
    file: str = ""
    bare_label: bool = False
    series: str = ""
    series_number: int = 1
    series_count: int = 1
    state: str = LIVE
    interval: float = 1.0
    tz: tzinfo = timezone.utc
    noun: str = "events"
    resolution: int = 1
    bad_count: int = 0
    message: str = ""
    marks: tuple[tuple[int, str, str], ...] = ()
    incidents: tuple[Incident, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()
    others: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    kept: tuple[int, int] = (0, 0)
    part: bool = False
    usual: float = 0.0
    stacked: int = 0
    sides: SidesPage | None = None
    filters: tuple[str, ...] = ()

    @property
    def finished(self) -> bool:
        """Whether no more data will come, so that columns can be widened."""
        return self.state == END

    @property
    def kept_seconds(self) -> float:
        """The time from the oldest to the newest data."""
        return (self.kept[1] - self.kept[0]) / 1e6

    @property
    def is_merged(self) -> bool:
        """Whether a column is longer than an interval."""
        return 0 < self.usual * MERGED < self.interval

    def shows_all(self, ends: IntArray) -> bool:
        """Whether columns that end at these moments (epoch microseconds) are all that is kept."""
        if not ends.size:
            return True
        first = int(ends[0]) - round(self.interval * 1e6)
        return first <= self.kept[0] + round(self.usual * 5e5) and int(ends[-1]) >= self.kept[1]

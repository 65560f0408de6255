"""What the picture says about the session, in addition to the data."""

from datetime import timezone, tzinfo
from typing import NamedTuple

from ...window import Incident

LIVE, PAUSED, END, DEMO, WAITING = "LIVE", "PAUSED", "END", "DEMO", "WAITING"


class Status(NamedTuple):
    """The facts for title, hints and remarks.

    label            tool or source, such as "biolatency"
    series           name of the series; its number is 1 for the most time waited, 0 for the sum of all ``series_count``
    state            the word in the chip: LIVE, PAUSED, END, DEMO, WAITING or another short text such as "REPLAY 10x"
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
    """

    label: str
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

    @property
    def finished(self) -> bool:
        """Whether no more data will come, so that columns can be widened."""
        return self.state == END

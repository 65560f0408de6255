"""What the picture says about the session, beside the data."""

from datetime import timezone, tzinfo
from typing import NamedTuple

from ...window import Incident

LIVE, PAUSED, END, DEMO, WAITING = "LIVE", "PAUSED", "END", "DEMO", "WAITING"


class Status(NamedTuple):
    """Title, hints and remarks.

    label            tool or source, as "biolatency"
    series           name of the series; the one with the most time waited is number 1; 0: all ``series_count`` added up
    state            the chip: LIVE, PAUSED, END, DEMO, WAITING or any other short word, as "REPLAY 10x"
    interval         nominal interval, seconds
    tz               zone of the clock and the time axis
    noun             what is counted, plural
    resolution       latency rows per doubling
    bad_count        input records that were bad and left out
    message          one line that the user should see now, as "no data for 5 s: ..."
    marks            (epoch microseconds, letter, text) of each user mark
    incidents        silences and restarts of what is drawn, oldest first, as far as they are known
    keys             (key, word) hints of the last line; none: there is no such line
    flags            short words for the right side of the title, the most important first: "37 new", "10 s per column"
    others           lines about the other series, drawn below the statistics
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
        """Nothing will be added: columns may be widened."""
        return self.state == END

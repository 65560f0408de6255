"""Compares live stamps with the times at which their snapshots arrived, to tell damage from a clock that was set.

A snapshot whose stamp jumps, though it arrived when one was due, is placed by its arrival. It is held until the next
one comes. If that one's stamp continues from the one that jumped, the clock was set, and nothing is doubtful; the axis
follows the clock once AGREED stamps in a row say the same. Until then the stamps can be damaged: if a later one agrees
with the arrivals again, nothing has moved.
"""

from __future__ import annotations

from ...record import Stamp, Tick
from ...report import Report
from ..nominal import GAP_FACTOR, NominalInterval
from ..options import BURST_SECONDS, TimeOptions
from .clock import GRID_SECONDS
from .dating import earlier_stamp
from .steps import are_comparable, step_between

AGREED = 3
"""So many stamps in a row that jump alike move the axis."""
DAMAGED = "the time stamp does not fit those before and after; {}"
_SET = "the clock jumped, and the next print agrees with it; the time of arrival is used until others do"
_AS_BEFORE = "the time stamps fit those before line {} again; the time axis has not moved"


class LiveStamps:
    """The stamps of a live source that jumped last, and how stamps compare with arrivals.

    ``usual`` is the usual interval, which its owner goes on adding to.
    """

    def __init__(self, report: Report, options: TimeOptions, usual: NominalInterval) -> None:
        self._report = report
        self._options = options
        self._usual = usual
        self._jumped: list[Tick] = []

    @property
    def last_jumped(self) -> Tick | None:
        """The last snapshot, if its stamp jumped; as it was printed."""
        return self._jumped[-1] if self._jumped else None

    def fits(self, tick: Tick) -> None:
        """A stamp that does not jump: those that did were wrong, or the axis has followed them."""
        if len(self._jumped) > 1:
            self._report.note(tick.line, _AS_BEFORE.format(self._jumped[0].line))
        self._jumped = []

    def jumps(self, tick: Tick, agrees: bool) -> bool:
        """A stamp that jumps; ``agrees``: it continues from the last one that did. Returns whether it is to count."""
        self._jumped = [*self._jumped, tick] if agrees else [tick]
        if len(self._jumped) < AGREED:
            return False
        self._jumped = []
        return True

    def tell(self, line: int, is_set: bool) -> None:
        """Tell the user why a snapshot is placed by its arrival."""
        self._report.note(line, _SET if is_set else DAMAGED.format("the time of arrival is used"))

    @staticmethod
    def placed(last: Tick, seconds: float) -> Stamp:
        """The stamp of a snapshot that arrived ``seconds`` after the last one."""
        assert last.stamp is not None
        return earlier_stamp(last.stamp, -round(seconds * 1e6))

    def arrived(self, last: Tick | None, tick: Tick) -> float | None:
        """Seconds between the arrivals of the last snapshot and of this one, if it came when one was due."""
        usual = self._usual.seconds
        if usual is None or last is None or last.stamp is None or last.arrival is None or tick.arrival is None:
            return None
        pauses = self._options.pauses
        longest = max(usual / 4, BURST_SECONDS)
        if pauses is not None and max(map(pauses.longest_wait, (last.arrival, tick.arrival))) >= longest:
            return None
        seconds = tick.arrival - last.arrival
        return seconds if max(usual / 2, BURST_SECONDS) <= seconds <= GAP_FACTOR * usual else None

    def is_off(self, last: Tick | None, tick: Tick) -> bool:
        """Whether an exact live stamp is far from where it should be, though the snapshot arrived when one was due."""
        usual, arrived = self._usual.seconds, self.arrived(last, tick)
        if usual is None or arrived is None or last is None or tick.joins:
            return False
        if tick.stamp is None or tick.stamp.whole or not are_comparable(last, tick):
            return False
        return abs(step_between(last, tick) - usual) > usual / 2 and abs(arrived - usual) < usual / 4


def arrived_after_silence(last: Tick | None, tick: Tick) -> bool:
    """Whether a live snapshot arrived as much later than the last one as its stamp says."""
    if last is None or last.arrival is None or tick.arrival is None:
        return False
    step, arrived = step_between(last, tick), tick.arrival - last.arrival
    return step > 0 and abs(step - arrived) <= max(GRID_SECONDS, step / 10)


def heard_step(first: Tick, second: Tick) -> float | None:
    """Seconds between two arrivals; None if they are not known, or if both snapshots came at once."""
    if first.arrival is None or second.arrival is None:
        return None
    seconds = second.arrival - first.arrival
    return seconds if seconds >= BURST_SECONDS else None

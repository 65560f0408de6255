"""What happened to one series between two records: the engine's unit of work."""

from dataclasses import dataclass

from .record import Bound, Range, made_fast
from .units import Unit


@made_fast
@dataclass(frozen=True, slots=True)
class Interval:
    """Counts per range over a known number of seconds, or a gap in which the source was silent.

    ``start`` and ``end`` are epoch microseconds; ``seconds`` is the divisor for rates (not always ``end - start``).
    ``ranges`` are native, ascending, without zeros. ``waited`` is in seconds; ``estimated`` says that it was summed
    from midpoints. Of a gap ``ranges`` is empty and ``waited`` None. ``clock`` is False where there is no real clock.
    An interval with the same ``end`` as its series' last one continues that one: it adds counts and no time.
    """

    series: str
    unit: Unit
    start: int
    end: int
    seconds: float
    ranges: tuple[Range, ...] = ()
    waited: float | None = None
    estimated: bool = True
    reset: bool = False
    gap: bool = False
    clock: bool = True
    label: str = ""
    source: str = ""
    note: str = ""

    @property
    def events(self) -> Bound:
        """Sum of the counts."""
        return sum([count for _, _, count in self.ranges])


def midpoint_time(ranges: tuple[Range, ...], unit: Unit) -> float:
    """Seconds waited, estimated: each event at the arithmetic midpoint of its range, an open range at its lower
    bound.
    """
    total = sum([count * (lower if upper is None else (lower + upper) / 2) for lower, upper, count in ranges])
    return float(total) * unit.seconds

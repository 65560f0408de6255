"""The contract of a collector: one source of latency data."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from .units import TIM_UNITS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from .record import Decoded
    from .report import Report
    from .text.lines import Lines
    from .units import Unit


class Likelihood(NamedTuple):
    """How sure a collector is that a text is its own, 0 to 1, and why."""

    value: float
    reason: str = ""


NOT_MINE = Likelihood(0.0)


class Columns(NamedTuple):
    """Which columns of a table are what: by name, or by number from 1, perhaps with a unit behind a colon (``2:us``).

    ``by`` are those that name series. ``regex`` takes lines apart instead, by groups ``time``, ``latency``, ``series``.
    ``unit`` is that of latencies where nothing else tells it and it is none of a Unit: seconds.
    """

    time: str = ""
    latency: str = ""
    by: tuple[str, ...] = ()
    regex: str = ""
    unit: str = ""


class Known(NamedTuple):
    """What is known of a text beside its lines.

    ``unit``: what the user says its latencies are in, for text that does not tell.
    ``live``: it comes from a program that runs now, perhaps on this machine.
    ``tz``: the zone of times that are printed without one; None is the local zone.
    ``tim_unit``: what the times of an Oracle SQL trace are in, one of TIM_UNITS.
    ``columns``: which columns of a table are meant; None where the user has named none.
    """

    unit: Unit | None = None
    live: bool = False
    tz: tzinfo | None = None
    tim_unit: str = TIM_UNITS[0]
    columns: Columns | None = None


NOTHING_KNOWN = Known()


class Collector(Protocol):
    """A module of ``collectors/``; its own name (``bpf``) is the name of the collector.

    ``detect`` is pure, looks at content only, and imports neither numpy nor pyparsing. ``head`` is the beginning of the
    text, whole lines, at least one, growing while a live source is being recognised.
    ``decode`` is a generator that yields each record as soon as it is complete; it reports bad lines and goes on. It
    raises Refused, with the reason, for text that is its own but holds no latency distribution over time. The last
    argument may be left out.
    ``DESCRIPTION`` is one line for ``pylatencymap collectors``.
    """

    DESCRIPTION: str

    def detect(self, head: str) -> Likelihood: ...

    def decode(self, lines: Lines, report: Report, known: Known = NOTHING_KNOWN, /) -> Iterator[Decoded]: ...

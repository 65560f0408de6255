"""The contract that every collector keeps: how it recognises one kind of text and decodes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from .units import TIM_UNITS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
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
    """The meaning of a table's columns, each given by name or by number from 1, optionally with a unit (``2:us``).

    ``by`` lists the columns that name the series. ``regex`` replaces columns: it matches a whole line, with the groups
    ``time``, ``latency`` and ``series``. ``unit`` is the unit of the latencies if it is no Unit (seconds, for example)
    and nothing else gives one.
    """

    time: str = ""
    latency: str = ""
    by: tuple[str, ...] = ()
    regex: str = ""
    unit: str = ""


class Known(NamedTuple):
    """What is known about a text besides its lines.

    ``unit``: the unit of latencies that the user gave, for text that does not name one.
    ``live``: the text comes from a program that is running now, possibly on this machine.
    ``tz``: the zone of times that are printed without one; None is the local zone.
    ``tim_unit``: the unit of the times in an Oracle SQL trace, one of TIM_UNITS.
    ``columns``: the columns of a table that the user named; None if the user named none.
    ``keys``: samples are wanted with their keys (``Sample.keys``). A picture needs none, and reading them takes time.
    ``wall_offset``: what to add to the arrival of a line of live text to get epoch seconds.
    ``tim_unit_given``: the user gave that unit, so that the head of a trace does not decide.
    ``undated``: the text has been looked through, and holds no date that could still tell the zero of its clock.
    ``by``: the key by which events are divided into series, in lower case; a collector may have it only if asked.
    ``calls``: of an Oracle SQL trace the calls are wanted, and not the waits: their ``elapsed`` or ``cpu`` time.
    """

    unit: Unit | None = None
    live: bool = False
    tz: tzinfo | None = None
    tim_unit: str = TIM_UNITS[0]
    columns: Columns | None = None
    keys: bool = False
    wall_offset: float | None = None
    undated: bool = False
    tim_unit_given: bool = False
    by: str = ""
    calls: str = ""


NOTHING_KNOWN = Known()


class Collector(Protocol):
    """A module of ``collectors/``; the module's name (``bpf``) is the name of the collector.

    ``detect`` is pure, looks only at the content, and imports neither numpy nor pyparsing. ``head`` is the beginning of
    the text: at least one line, all lines whole. While a live source is being recognised, ``head`` grows from call to
    call.
    ``decode`` is a generator that yields each record as soon as it is complete. It reports bad lines and continues. If
    the text has the collector's format but holds no latency distribution over time, it raises Refused with the reason.
    Callers can omit the last argument.
    ``DESCRIPTION`` is one line for ``pylatencymap collectors``.
    """

    DESCRIPTION: str

    def detect(self, head: str) -> Likelihood: ...

    def decode(self, lines: Lines, report: Report, known: Known = NOTHING_KNOWN, /) -> Iterator[Decoded]: ...


class BulkModule(Protocol):
    """The module ``bulk`` of a collector's folder: ``decode`` yields what the collector's own ``decode`` yields of the
    texts of a source one after the other, given as bytes, with many records at a time in runs (``RecordRun``). Each
    text has its own numbers of lines; ``arrived`` says when what was read last arrived, and ``in_runs`` whether it may
    come in runs.
    """

    def decode(
        self,
        texts: Iterable[Iterable[bytes]],
        report: Report,
        arrived: Callable[[], float | None],
        in_runs: Callable[[], bool],
        /,
    ) -> Iterator[Any]: ...

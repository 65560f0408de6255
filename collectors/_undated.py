"""Prints of a file that have lost their moment, although others have one."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..record import Event, Record, Tick
from ..report import Report

MOST_HELD = 10_000
"""The most events to hold until the next moment."""
BETWEEN = "its print is placed between those before and after it"


class UndatedPrints:
    """Holds the events of prints without a moment until the next moment comes, or the text ends.

    If a moment comes, the prints were made at some time before it, which no one knows: their stamps are taken off, and
    whoever puts prints in time places them between their neighbours. At the end of the text they stay as they are: a
    program that ends can print once more, in the second of its last moment. Nothing is held of a ``live`` source.
    """

    def __init__(self, report: Report, live: bool) -> None:
        self._report = report
        self._live = live
        self._held: list[Event] = []
        self._lost: list[tuple[int, str]] = []
        self._dated = self._undated = 0

    @property
    def is_usual(self) -> bool:
        """Whether prints come more often than moments, so that none of these was lost."""
        return 2 * self._undated > self._dated

    def begin(self, line: int, instead: str = "") -> None:
        """A print begins at a line without a moment of its own; ``instead`` is the text in the place of the moment."""
        self._undated += 1
        if not self._live:
            what = f"no time: {instead!r}" if instead else "no time above this print"
            self._lost.append((line, what))

    def passed(self, events: Iterable[Event]) -> Iterator[Event]:
        """The events, unless they have to wait."""
        if not self._lost:
            yield from events
            return
        self._held += events
        if len(self._held) >= MOST_HELD:
            yield from self.end()

    def moment(self) -> Iterator[Event]:
        """The next moment came: all that was held, without stamps. Each print is reported, unless that is usual."""
        self._dated += 1
        lost, self._lost = self._lost, []
        held, self._held = self._held, []
        for line, what in () if self.is_usual else lost:
            self._report.bad(line, f"{what}; {BETWEEN}")
        for event in held:
            yield replace(event, stamp=None) if isinstance(event, Tick | Record) else event

    def end(self) -> Iterator[Event]:
        """No moment comes any more: all that was held, as it is."""
        held, self._held, self._lost = self._held, [], []
        yield from held

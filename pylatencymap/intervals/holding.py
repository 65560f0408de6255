"""Runs a stage that holds events until later ones, or the time that passes, show what they mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from ..record import Event
from ..text import PAUSE_SECONDS
from .nominal import GAP_FACTOR
from .options import BURST_SECONDS, DEFAULT_INTERVAL, NextPulse, Pulse, came_together


class Holder(Protocol):
    """A stage that holds events. ``waits_until``: monotonic seconds up to which it does so if nothing more comes; None
    if it holds nothing, or as long as it takes.
    """

    @property
    def waits_until(self) -> float | None: ...

    def take(self, event: Event) -> Iterable[Event]:
        """The events that are known now: this one, some that were held, or none."""
        ...

    def rest(self) -> Iterator[Event]:
        """All that is held, because nothing more will come, or not in time."""
        ...


def through(events: Iterable[Event | Pulse], holder: Holder, pulse: NextPulse | None = None) -> Iterator[Event | Pulse]:
    """The events, as a stage passes them on. What it holds comes at the end of the source, before an error, or, with a
    Pulse, when it has waited long enough. ``pulse`` is told up to when it waits.
    """
    if pulse is not None:
        pulse.add(lambda: holder.waits_until)
    return _through(events, holder)


def _through(events: Iterable[Event | Pulse], holder: Holder) -> Iterator[Event | Pulse]:
    take = holder.take
    try:
        for event in events:
            if isinstance(event, Pulse):
                until = holder.waits_until
                yield from holder.rest() if until is not None and until <= event.now else ()
                yield event
            else:
                yield from take(event)
    except Exception:
        yield from holder.rest()
        raise
    yield from holder.rest()


class Pace:
    """How fast the snapshots of a live source come, to know how long one of them can be held."""

    def __init__(self) -> None:
        self._last: float | None = None
        self._step: float | None = None
        self.together = False
        """Whether the last snapshot came together with the one before it, as out of a file or a buffer."""

    def note(self, arrival: float | None) -> None:
        """A snapshot has arrived (monotonic seconds; None: not known)."""
        step = None if arrival is None or self._last is None else arrival - self._last
        self.together = step is not None and step < BURST_SECONDS
        self._last = arrival
        if step is not None and not self.together:
            self._step = step

    def comes_together(self, arrival: float | None) -> bool:
        """Whether what arrives at this moment comes together with the last snapshot."""
        return came_together(self._last, arrival)

    @property
    def is_begun(self) -> bool:
        """Whether any snapshot has arrived."""
        return self._last is not None

    @property
    def pauses_at(self) -> float | None:
        """The moment from which nothing more comes together with the last snapshot."""
        return self._after(PAUSE_SECONDS)

    @property
    def waits_until(self) -> float | None:
        """The moment until which the last snapshot can wait for the next one: until the source pauses, if they come
        together, else until it is so late that there is a gap.
        """
        return self.pauses_at if self.together else self._after(GAP_FACTOR * (self._step or DEFAULT_INTERVAL))

    def late_at(self, usual: float | None) -> float | None:
        """The moment from which the next snapshot is so late that there is a gap, if the ``usual`` interval is known or
        not, although the last ones came together.
        """
        return self._after(GAP_FACTOR * (usual or max(self._step or 0.0, DEFAULT_INTERVAL)))

    def _after(self, seconds: float) -> float | None:
        return None if self._last is None else self._last + seconds

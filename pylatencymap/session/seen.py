"""What a source held, as far as it matters where no interval came of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..record import Event, Record, Semantics, Tick

NOTHING_IN_IT = "the source was read, but there was no interval in it"
ONE_READING = (
    "there was one reading of totals, and what happened is the difference of two: "
    "read them again and again, as in (while sleep 1; do COMMAND; done) | pylatencymap"
)


class Seen:
    """Looks at the resolved events of sources until one of them makes an interval. ``silent``: the names of sources
    that have said nothing until they were told to stop.
    """

    def __init__(self) -> None:
        self.silent: list[str] = []
        self._prints = 0
        self._totals = 0

    def watched(self, events: Iterable[Event]) -> Iterator[Event]:
        """The events of one source."""
        known: set[tuple[str, str]] = set()
        rest = iter(events)
        for event in rest:
            if isinstance(event, Tick):
                self._prints += 1
            elif isinstance(event, Record):
                key = (event.series, event.unit.value)
                if event.semantics is not Semantics.CUMULATIVE or key in known:
                    yield event
                    break
                known.add(key)
                self._totals += 1
            yield event
        yield from rest

    @property
    def any(self) -> bool:
        """Whether a source has printed something that was understood."""
        return bool(self._prints)

    def why_empty(self) -> str:
        """Why no interval came of it, and what to do."""
        if self._totals:
            return ONE_READING
        if self._prints:
            return f"{self._prints} {'print was' if self._prints == 1 else 'prints were'} read, without any event"
        if self.silent:
            return f"nothing has come from {' and '.join(self.silent)}"
        return NOTHING_IN_IT

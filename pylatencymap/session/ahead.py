"""Looking ahead in a file: what its first date is hangs on how often midnight passes until its end."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from ..intervals.dating import survey
from ..record import Event

MOST_KEPT = 10_000
"""Events of a file that are kept, so that looking ahead does not mean to decode a short one twice."""


class Ahead:
    """The decoded events of a file (``read``), which can be surveyed to the end before they are handed out.

    ``again`` decodes the file once more, for one that holds more than is kept.
    """

    def __init__(self, again: Callable[[], Iterable[Event]]) -> None:
        self._rest: Iterator[Event] = iter(())
        self._again = again
        self._kept: list[Event] = []

    def read(self, events: Iterable[Event]) -> Iterator[Event]:
        """The events themselves."""
        self._rest = iter(events)
        return self._handed_out()

    def _handed_out(self) -> Iterator[Event]:
        kept, place = self._kept, 0
        while True:
            if place < len(kept):  # a survey has read on
                yield kept[place]
                place += 1
                continue
            event = next(self._rest, None)
            if event is None:
                return
            if place < MOST_KEPT:
                kept.append(event)
                place += 1
            yield event

    def survey(self) -> tuple[int, int]:
        """See ``dating.survey``."""
        self._kept.extend(islice(self._rest, MOST_KEPT - len(self._kept)))
        return survey(self._kept if len(self._kept) < MOST_KEPT else self._again())

"""Looking ahead in a file: what its first date is hangs on how often midnight passes until its end."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from ..intervals.dating import survey
from ..record import Event

MOST_KEPT = 10_000
"""Events of a file that are kept, so that looking ahead does not mean to decode a short one twice."""


class Ahead:
    """The decoded events of a file, which can be surveyed to the end before they are handed out.

    ``again`` decodes the file once more, for one that holds more than is kept.
    """

    def __init__(self, events: Iterable[Event], again: Callable[[], Iterable[Event]]) -> None:
        self._rest = iter(events)
        self._again = again
        self._kept: list[Event] = []

    def __iter__(self) -> Iterator[Event]:
        place = 0
        while place < len(self._kept) or self._keep(1):
            yield self._kept[place]
            place += 1
        yield from self._rest

    def survey(self) -> tuple[int, int]:
        """See ``dating.survey``."""
        self._keep(MOST_KEPT)
        return survey(self._kept if len(self._kept) < MOST_KEPT else self._again())

    def _keep(self, most: int) -> bool:
        """Read so many events, as far as there is room for them; whether there was one."""
        before = len(self._kept)
        self._kept.extend(islice(self._rest, min(most, MOST_KEPT - before)))
        return len(self._kept) > before

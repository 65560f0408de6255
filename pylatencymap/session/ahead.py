"""Looking ahead in a file: what its first date is hangs on how often midnight passes until its end."""

from collections.abc import Callable, Iterable, Iterator

from ..intervals.dating import survey
from ..record import Event

SMALL_FILE = 4_000_000
"""Bytes; the events of a smaller file are kept, so that looking ahead does not mean to decode it twice."""


class Ahead:
    """The decoded events of a small file, which can be surveyed to the end before they are handed out."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._rest = iter(events)
        self._kept: list[Event] = []

    def __iter__(self) -> Iterator[Event]:
        place = 0
        while place < len(self._kept) or self._fetch():
            yield self._kept[place]
            place += 1

    def survey(self) -> tuple[int, int]:
        """See ``dating.survey``."""
        self._kept.extend(self._rest)
        return survey(self._kept)

    def _fetch(self) -> bool:
        for event in self._rest:
            self._kept.append(event)
            return True
        return False


def with_survey(
    events: Iterable[Event], again: Callable[[], Iterable[Event]], size: int
) -> tuple[Iterable[Event], Callable[[], tuple[int, int]]]:
    """The events of a file of ``size`` bytes, and its survey; ``again`` decodes it once more."""
    if size <= SMALL_FILE:
        ahead = Ahead(events)
        return ahead, ahead.survey
    return events, lambda: survey(again())

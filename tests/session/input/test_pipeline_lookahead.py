"""Looking ahead in files, short ones and long ones."""

from collections.abc import Iterator

import pytest

from pylatencymap.intervals.timing.dating import survey_midnights
from pylatencymap.record import Clock, Event, Stamp, Tick
from pylatencymap.session.input.pipeline import MOST_KEPT, Lookahead

MINUTE = 60_000_000


def events(number: int) -> Iterator[Event]:
    return (Tick(Stamp(minute % 1440 * MINUTE, Clock.DAY)) for minute in range(number))


@pytest.mark.parametrize("number", [0, 1, 5, MOST_KEPT - 1, MOST_KEPT, MOST_KEPT + 1, 2 * MOST_KEPT])
@pytest.mark.parametrize("first", [0, 1, 3])
def test_a_survey_takes_nothing_away_and_memory_is_bounded(number: int, first: int) -> None:
    ahead = Lookahead(lambda: events(number))
    found: list[Event] = []
    for event in ahead.read(events(number)):
        if len(found) == first:
            assert ahead.survey() == survey_midnights(events(number))
        found.append(event)
    assert found == list(events(number))
    assert len(ahead._kept) <= MOST_KEPT
    assert ahead.survey() == survey_midnights(events(number))


def test_what_a_long_file_has_handed_out_is_not_kept() -> None:
    """A run of records holds half a megabyte of text."""
    ahead = Lookahead(lambda: events(MOST_KEPT + 2))
    kept = [len(ahead._kept) for _ in ahead.read(events(MOST_KEPT + 2))]
    assert kept[MOST_KEPT - 1] == MOST_KEPT
    assert kept[MOST_KEPT:] == [0, 0]


def test_a_short_file_is_decoded_once() -> None:
    def again() -> Iterator[Event]:
        raise AssertionError("decoded again")

    ahead = Lookahead(again)
    found = ahead.read(events(100))
    assert ahead.survey() == survey_midnights(events(100))
    assert list(found) == list(events(100))

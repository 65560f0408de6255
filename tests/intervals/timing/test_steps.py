"""The usual interval of a source comes of several steps: damage of its second snapshot costs no other one."""

from collections.abc import Iterator
from typing import Any

import pytest

from pylatencymap.intervals.nominal import NominalInterval
from pylatencymap.intervals.timing.steps import read_ahead
from pylatencymap.record import Event

WRONG = [-3000.0, -30.0, -2.0, 2.0, 3.0, 10.0, 30.0, 3000.0]


def prints(make: Any, moments: list[float], *, whole: bool = False, live: bool = False) -> list[Event]:
    """Counts per interval at these moments; live, they arrive once a second."""
    stamps = [make.at(moment, whole=whole) for moment in moments]
    return list(make.prints(stamps, [3.0 + number for number in range(len(stamps))] if live else None))


@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("place", [1, 2, 3, 6])
@pytest.mark.parametrize("wrong", WRONG)
def test_one_wrong_stamp_moves_no_other_print(
    wrong: float, place: int, whole: bool, live: bool, make: Any, engine: Any
) -> None:
    moments = [float(number) for number in range(9)]
    moments[place] += wrong
    found = engine(prints(make, moments, whole=whole, live=live), live=live)
    assert [end for number, end in enumerate(found.ends) if number != place] == [
        number for number in range(9) if number != place
    ]
    assert [seconds for number, seconds in enumerate(found.seconds) if number not in (place, place + 1)] == [
        1 for number in range(9) if number not in (place, place + 1)
    ]
    assert found.gaps == []


def test_a_second_print_that_is_a_second_late_makes_no_other_longer(make: Any, engine: Any) -> None:
    found = engine(prints(make, [15, 17, 17, 18, 19, 20, 21], whole=True))
    assert found.seconds == [1] * 7
    assert found.ends[3:] == [18, 19, 20, 21]


def test_prints_that_are_missing_early_make_no_other_longer(make: Any, engine: Any) -> None:
    moments = [14.0, 16, 18, 19, 20, 21, 22]
    found = engine(prints(make, moments, whole=True))
    assert (found.seconds, found.ends) == ([1] * 7, moments)


def test_a_silence_after_the_first_print_is_one(make: Any, engine: Any) -> None:
    found = engine(prints(make, [0, 600, 601, 602, 603]))
    assert (found.gaps, found.ends) == ([(0, 599)], [0, 600, 601, 602, 603])


def test_a_live_source_that_was_silent_since_its_first_print(make: Any, engine: Any) -> None:
    events = prints(make, [-3600, 1, 2, 3, 4], live=True)
    assert engine(events, live=True).ends == [-3600, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("moments", "seconds"),
    [
        pytest.param([0, 50, 51], None, id="two steps do not tell which is usual"),
        pytest.param([0, 3000, 2, 3, 4], 1.0, id="steps back do not count"),
        pytest.param([0, 1, 1, 1, 5, 9], 4.0, id="nor do steps of no length"),
        pytest.param([float(n) for n in range(10)] + [60.0 * n for n in range(1, 40)], 1.0, id="only the first ones"),
    ],
)
def test_the_usual_step_is_known_ahead(moments: list[float], seconds: float | None, make: Any) -> None:
    usual, events = NominalInterval(), prints(make, moments)
    found = read_ahead(events, usual)
    assert next(found) is events[0]
    assert usual.seconds == seconds
    assert list(found) == events[1:]


def test_what_was_read_ahead_comes_before_the_error(make: Any) -> None:
    events = prints(make, [0, 1, 2, 3])

    def broken() -> Iterator[Event]:
        yield from events
        raise EOFError

    usual = NominalInterval()
    ahead = read_ahead(broken(), usual)
    assert [next(ahead) for _ in events] == events
    assert usual.seconds == 1.0
    with pytest.raises(EOFError):
        next(ahead)

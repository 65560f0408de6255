"""Pulses of a silent source."""

import threading
from collections.abc import Iterator

import pytest

from pylatencymap.intervals import NextPulse, Pulse
from pylatencymap.session.input.pulses import LONGEST_WAIT, with_pulses


@pytest.mark.parametrize("due", [1e10, 1e18, 1e300])
def test_what_is_held_for_centuries_waits_for_the_next_event(due: float) -> None:
    """No lock takes such a time to wait."""
    begun = threading.Event()

    def events() -> Iterator[str]:
        yield "first"
        begun.wait(10)
        yield "second"

    pulse = NextPulse()
    pulse.add(lambda: due)
    found = with_pulses(events(), pulse, lambda: 0.0)
    first = next(found)
    begun.set()
    assert [first, *found] == ["first", "second"]


def test_a_pulse_comes_when_it_is_due() -> None:
    released = threading.Event()

    def events() -> Iterator[str]:
        yield "first"
        released.wait(LONGEST_WAIT)
        yield "second"

    now = [0.0]
    pulse = NextPulse()
    pulse.add(lambda: 5.0 if now[0] < 5.0 else None)
    found = with_pulses(events(), pulse, lambda: now[0])
    assert next(found) == "first"
    now[0] = 4.999
    assert isinstance(next(found), Pulse)
    now[0] = 6.0
    released.set()
    assert list(found) == ["second"]

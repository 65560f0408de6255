"""Replay at the recorded speed, or another."""

import threading

import pytest

from pylatencymap.errors import UsageError
from pylatencymap.interval import Interval
from pylatencymap.session.pace import LONGEST_WAIT, Pace, parse_speed
from pylatencymap.units import Unit

SECOND = 1_000_000


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 50.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += max(0.0, seconds)


def ending_at(*seconds: float) -> list[Interval]:
    return [Interval("x", Unit.US, 0, round(second * SECOND), 1.0) for second in seconds]


def moments(ends: list[Interval], speed: float | None = 1.0, delay: float | None = None) -> list[float]:
    """When each interval was handed out, in seconds since the first."""
    time = Time()
    pace = Pace(speed, delay, sleep=time.sleep, monotonic=time.monotonic)
    found = [time.now for _ in pace.paced(ends)]
    return [moment - found[0] for moment in found]


@pytest.mark.parametrize(("text", "speed"), [("10x", 10.0), ("0.5x", 0.5), ("3", 3.0), ("1e2", 100.0), ("max", None)])
def test_speeds(text: str, speed: float | None) -> None:
    assert parse_speed(text) == speed


@pytest.mark.parametrize("text", ["", "x", "0", "-1x", "fast", "inf", "nan", "10xx"])
def test_no_speeds(text: str) -> None:
    with pytest.raises(UsageError, match="10x, or max"):
        parse_speed(text)


def test_recorded_time_paces() -> None:
    assert moments(ending_at(10, 11, 13, 13, 13.5)) == pytest.approx([0, 1, 3, 3, 3.5])


def test_speed_divides_it() -> None:
    assert moments(ending_at(10, 11, 13), 10.0) == pytest.approx([0, 0.1, 0.3])
    assert moments(ending_at(10, 11, 13), 0.5) == pytest.approx([0, 2, 6])
    assert moments(ending_at(10, 11, 13), None) == [0, 0, 0]


def test_delay_is_between_records_whatever_their_times() -> None:
    assert moments(ending_at(10, 11, 11, 4000), delay=0.25) == pytest.approx([0, 0.25, 0.25, 0.5])
    assert moments(ending_at(10, 11, 4000), delay=0.0) == [0, 0, 0]
    assert Pace(delay=0.0).every_record
    assert not Pace().every_record


def test_a_night_without_data_is_not_waited_for() -> None:
    assert moments(ending_at(0, 36000, 36001)) == pytest.approx([0, LONGEST_WAIT, LONGEST_WAIT + 1])


def test_intervals_out_of_order_do_not_hold_up() -> None:
    assert moments(ending_at(10, 9, 11)) == pytest.approx([0, 0, 1])


def test_a_slow_reader_is_not_chased() -> None:
    time = Time()
    pace = Pace(sleep=time.sleep, monotonic=time.monotonic)
    found = []
    for _ in pace.paced(ending_at(*range(10))):
        found.append(time.now)
        time.now += 0.3  # what drawing takes is taken from the wait
    assert [moment - found[0] for moment in found] == pytest.approx(list(range(10)))


def test_pausing_stops_and_going_on_does_not_catch_up() -> None:
    time = Time()
    pace = Pace(sleep=time.sleep, monotonic=time.monotonic)
    paced = pace.paced(ending_at(0, 1, 2))
    next(paced)
    pace.pause()
    came = threading.Event()

    def take() -> None:
        next(paced)
        came.set()

    reader = threading.Thread(target=take, daemon=True)
    reader.start()
    assert not came.wait(0.05)
    time.now = 500.0
    pace.go_on()
    assert came.wait(5)
    reader.join(5)
    next(paced)
    assert time.now == pytest.approx(501.0)

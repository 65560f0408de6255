"""Replay at the recorded speed, or another; pausing, stepping and seeking."""

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pylatencymap.errors import UsageError
from pylatencymap.interval import Interval
from pylatencymap.session.replay import (
    AHEAD,
    BATCH,
    LADDER,
    LONGEST_WAIT,
    ReplayPlayer,
    end_of_recording,
    next_faster,
    next_slower,
    parse_speed,
    speed_text,
)
from pylatencymap.units import Unit

SECOND = 1_000_000


class Time:
    """A clock that only the test moves."""

    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


def ending_at(*seconds: float, series: str = "x") -> list[Interval]:
    return [Interval(series, Unit.US, 0, round(second * SECOND), 1.0) for second in seconds]


def moments(ends: list[Interval], speed: float | None = 1.0, delay: float | None = None) -> list[float]:
    """When each interval was handed out, in seconds since the first."""
    time = Time()
    player = ReplayPlayer(speed, delay, time)
    player.offer(ends)
    found = []
    while not player.is_empty:
        found += [time.now for _ in player.due()]
        time.now += player.wait() or 0.0
    return [moment - found[0] for moment in found]


@pytest.mark.parametrize(("text", "speed"), [("10x", 10.0), ("0.5x", 0.5), ("3", 3.0), ("1e2", 100.0), ("max", None)])
def test_speeds(text: str, speed: float | None) -> None:
    assert parse_speed(text) == speed
    assert parse_speed(speed_text(speed)) == speed


@pytest.mark.parametrize("text", ["", "x", "0", "-1x", "fast", "inf", "nan", "10xx"])
def test_no_speeds(text: str) -> None:
    with pytest.raises(UsageError, match="10x, or max"):
        parse_speed(text)


def test_the_ladder_of_speeds_has_ends() -> None:
    assert [next_faster(1.0), next_faster(3.0), next_faster(LADDER[-1]), next_faster(None)] == [2.0, 5.0, None, None]
    assert [next_slower(None), next_slower(3.0), next_slower(0.1), next_slower(0.01)] == [LADDER[-1], 2.0, 0.1, 0.1]


def test_recorded_time_paces() -> None:
    assert moments(ending_at(10, 11, 13, 13, 13.5)) == pytest.approx([0, 1, 3, 3, 3.5])


def test_speed_divides_it() -> None:
    assert moments(ending_at(10, 11, 13), 10.0) == pytest.approx([0, 0.1, 0.3])
    assert moments(ending_at(10, 11, 13), 0.5) == pytest.approx([0, 2, 6])
    assert moments(ending_at(10, 11, 13), None) == [0, 0, 0]


def test_delay_goes_before_speed() -> None:
    assert moments(ending_at(10, 11, 13), 10.0, 0.25) == pytest.approx([0, 0.25, 0.5])
    assert moments(ending_at(10, 11, 13), 1.0, 0.0) == [0, 0, 0]


def test_a_night_without_data_is_short() -> None:
    assert moments(ending_at(0, 40_000, 40_001)) == pytest.approx([0, LONGEST_WAIT, LONGEST_WAIT + 1])


def test_time_that_goes_back_does_not_wait() -> None:
    assert moments(ending_at(10, 9, 11)) == pytest.approx([0, 0, 1])


def test_at_delay_the_records_of_one_end_come_by_themselves() -> None:
    player = ReplayPlayer(delay=0.0, monotonic=Time())
    player.offer(ending_at(1, 1, 2, 3, 3))
    assert [len(player.due()) for _ in range(3)] == [2, 1, 2]


def test_as_fast_as_possible_keys_are_heard_in_between() -> None:
    player = ReplayPlayer(None, monotonic=Time())
    player.offer(ending_at(*range(1, AHEAD + 1)))
    assert player.room == 0
    assert len(player.due()) == BATCH
    assert player.room == BATCH


@pytest.fixture
def playing() -> Callable[[], tuple[ReplayPlayer, Time]]:
    def make() -> tuple[ReplayPlayer, Time]:
        time = Time()
        player = ReplayPlayer(1.0, monotonic=time)
        player.offer(ending_at(10, 11, 11, 12, 20))
        assert len(player.due()) == 1
        return player, time

    return make


def test_a_pause_does_not_count(playing: Callable[[], tuple[ReplayPlayer, Time]]) -> None:
    player, time = playing()
    player.pause()
    time.now += 100
    assert (player.due(), player.wait()) == ([], None)
    player.go_on()
    assert player.wait() == pytest.approx(1.0)


def test_a_step_is_one_end(playing: Callable[[], tuple[ReplayPlayer, Time]]) -> None:
    player, _ = playing()
    player.pause()
    player.step()
    assert [interval.end for interval in player.due()] == [11 * SECOND, 11 * SECOND]
    assert player.wait() is None
    player.step()
    assert [interval.end for interval in player.due()] == [12 * SECOND]


def test_seeking_goes_there_at_once_and_on_from_there(playing: Callable[[], tuple[ReplayPlayer, Time]]) -> None:
    player, time = playing()
    player.seek(15 * SECOND)
    assert [interval.end for interval in player.due()] == [11 * SECOND, 11 * SECOND, 12 * SECOND]
    assert player.wait() == pytest.approx(LONGEST_WAIT)
    time.now += LONGEST_WAIT
    assert [interval.end for interval in player.due()] == [20 * SECOND]


def test_another_speed_counts_from_now(playing: Callable[[], tuple[ReplayPlayer, Time]]) -> None:
    player, time = playing()
    time.now += 0.5
    player.faster()
    assert (player.speed, player.wait()) == (2.0, pytest.approx(0.5))
    player.slower()
    player.slower()
    assert (player.speed, player.wait()) == (0.5, pytest.approx(2.0))


def test_a_replay_that_is_paused_before_it_began_hands_out_nothing() -> None:
    player = ReplayPlayer(1.0, monotonic=Time())
    player.pause()
    player.offer(ending_at(10, 11))
    assert player.due() == []
    player.step()
    assert [interval.end for interval in player.due()] == [10 * SECOND]
    player.go_on()
    assert player.wait() == pytest.approx(1.0)


def test_it_says_where_it_stands_and_how_long_the_recording_is() -> None:
    time = Time()
    player = ReplayPlayer(1.0, None, time, last=66 * 60 * SECOND)
    assert player.place_text == ""
    player.offer([Interval("x", Unit.US, (end - 1) * SECOND, end * SECOND, 1.0) for end in range(1, 721)])
    player.due()
    assert player.place_text == "1 s of 66 min"
    player.seek(720 * SECOND)
    while not player.is_empty:
        player.due()
    assert player.place_text == "12 min of 66 min"


@pytest.mark.parametrize(
    ("played", "whole", "said"),
    [
        (40, 67 * 60, "40 s of 67 min"),
        (58 * 60, 67 * 60, "58 min of 67 min"),
        (3580, 67 * 60, "60 min of 67 min"),
        (3620, 67 * 60, "60 min of 67 min"),
        (67 * 60, 67 * 60, "67 min of 67 min"),
        (3600, 3 * 86_400, "1 h of 3 d"),
        (86_400, 3 * 86_400, "1 d of 3 d"),
        (36 * 3600, 3 * 86_400, "1.5 d of 3 d"),
        (1800, 5 * 3600, "0.5 h of 5 h"),
    ],
)
def test_the_place_is_told_in_the_unit_of_the_whole(played: int, whole: int, said: str) -> None:
    player = ReplayPlayer(None, None, Time(), last=whole * SECOND)
    player.offer([Interval("x", Unit.US, 0, played * SECOND, float(played))])
    player.due()
    assert player.place_text == said


def test_the_end_is_known_when_all_is_read() -> None:
    player = ReplayPlayer(1.0, None, Time())
    player.offer([Interval("x", Unit.US, (end - 1) * SECOND, end * SECOND, 1.0) for end in range(1, 101)])
    player.due()
    assert player.place_text == "1 s"
    player.all_read()
    assert player.place_text == "1 s of 100 s"


def test_an_end_before_what_was_played_is_not_told() -> None:
    player = ReplayPlayer(None, None, Time(), last=2 * SECOND)
    player.offer(ending_at(5))
    player.due()
    assert player.place_text == "5 s"


@pytest.mark.parametrize("delay", [None, 10.0])
def test_all_that_is_left_at_once(delay: float | None) -> None:
    player = ReplayPlayer(1.0, delay, Time())
    player.offer(ending_at(*range(1, 11)))
    player.due()
    player.seek_end()
    assert player.is_seeking
    assert not player.every_record
    assert len(player.due()) == 9
    player.offer(ending_at(11, 12))
    assert len(player.due()) == 2


def test_a_pause_stops_on_the_way_to_the_end() -> None:
    player = ReplayPlayer(1.0, None, Time())
    player.offer(ending_at(*range(1, 11)))
    player.due()
    player.seek_end()
    player.pause()
    assert not player.is_seeking
    assert player.due() == []


def record(seconds: float) -> str:
    return f"<begin record>\ntimestamp,microsec,{round(seconds * SECOND)},x\nlabel,a\n64,1\n<end record>\n"


def end_of(path: Path) -> int | None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return end_of_recording(descriptor)
    finally:
        os.close(descriptor)


def test_the_end_of_a_plain_recording_is_in_its_last_block(tmp_path: Path) -> None:
    path = tmp_path / "r.lmap"
    path.write_text("".join(map(record, range(1_700_000_000, 1_700_005_000))))
    assert end_of(path) == 1_700_004_999 * SECOND
    with path.open("a") as file:
        file.write(record(9_700_000_000) + record(1_700_005_000) + "<begin record>\ntimestamp,micros")
    assert end_of(path) == 1_700_005_000 * SECOND, "a damaged stamp, and a record that is cut off"


@pytest.mark.parametrize(
    "text", [b"", b"10:00:00\n 64 -> 127 : 5\n", gzip.compress(b"#lmap\n" + record(1e9).encode(), mtime=0)]
)
def test_of_other_files_it_is_not_known(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "r").write_bytes(text)
    assert end_of(tmp_path / "r") is None

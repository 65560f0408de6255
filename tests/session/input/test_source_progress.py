"""How far a large file is read: told after a second, now and then, and taken back."""

import pytest

from pylatencymap.session.input.source import ReadProgress
from tests.other_thread import acting_within


def test_progress_is_told_after_a_second_and_taken_back() -> None:
    told: list[str] = []
    now = [0.0]
    progress = ReadProgress(told.append, lambda: now[0])
    for moment, done in [(0.0, 1), (0.9, 90_000_000), (1.0, 100_000_000), (1.1, 110_000_000), (1.5, 150_000_000)]:
        now[0] = moment
        progress.read("t.trc", done, 400_000_000)
    assert told == [
        "t.trc: 25 % of 400 MB, 100 MB/s, 3 s left",
        "t.trc: 38 % of 400 MB, 100 MB/s, 2 s left",
    ]
    assert progress.message().startswith("t.trc: 38 %")
    progress.over()
    assert told[-1] == ""
    assert progress.message() == ""


def test_the_end_of_a_file_and_the_next_one() -> None:
    told: list[str] = []
    now = [0.0]
    progress = ReadProgress(told.append, lambda: now[0])
    for moment, name, done in [(0.0, "a", 10), (5.0, "a", 1000), (5.1, "b", 10), (5.5, "b", 500), (7.1, "b", 500)]:
        now[0] = moment
        progress.read(name, done, 1000)
    assert told == ["b: 50 % of 0 MB, 0.00025 MB/s, 2 s left"]


def test_what_is_read_at_once_is_not_told_of() -> None:
    told: list[str] = []
    progress = ReadProgress(told.append, lambda: 0.0)
    progress.read("a", 10, 1000)
    progress.over()
    assert told == []


@pytest.mark.parametrize("step", range(1, 90))
def test_reading_can_be_over_while_the_view_asks_how_far_it_is(step: int) -> None:
    now = [0.0]
    progress = ReadProgress(lambda _: None, lambda: now[0])
    progress.read("t.trc", 100_000_000, 400_000_000)
    now[0] = 2.0
    with acting_within(ReadProgress.message, step, progress.over):
        assert progress.message() in ("", "t.trc: 25 % of 400 MB, 50 MB/s, 6 s left")

"""Work in a thread: only what was asked for last counts, and it never runs twice at once."""

from collections.abc import Iterator
from threading import Event

import pytest

from pylatencymap.session.two_sides import LatestWork


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def steps(*found: str) -> Iterator[str]:
    yield from found


def test_what_is_found_first_is_there_before_the_rest() -> None:
    go_on, woken = Event(), Event()

    def slow() -> Iterator[str]:
        yield "figures"
        go_on.wait()
        yield "verdict"

    work: LatestWork[str] = LatestWork(woken.set)
    assert work.wanted("a", 1, slow) is None
    woken.wait()
    assert work.wanted("a", 1, slow) == "figures"
    go_on.set()
    work.wait()
    assert work.has_news
    assert work.wanted("a", 1, slow) == "verdict"
    assert not work.has_news


def test_another_question_replaces_the_one_before() -> None:
    go_on = Event()

    def endless() -> Iterator[str]:
        go_on.wait()
        yield "late"

    work: LatestWork[str] = LatestWork()
    work.wanted("a", 1, endless)
    assert work.wanted("b", 1, lambda: steps("other")) is None
    go_on.set()
    work.wait()
    assert work.wanted("b", 1, lambda: steps("other")) is None  # begins only now
    work.wait()
    assert work.wanted("b", 1, lambda: steps("never")) == "other"
    assert work.wanted("a", 1, lambda: steps("again")) is None


def test_newer_data_wait_until_the_thread_has_rested() -> None:
    clock = Clock()
    work: LatestWork[str] = LatestWork(monotonic=clock)
    work.wanted("a", 1, lambda: steps("one"))
    work.wait()
    assert work.wanted("a", 2, lambda: steps("two")) == "one"
    clock.now += 1000.0
    assert work.wanted("a", 2, lambda: steps("two")) == "one"
    work.wait()
    assert work.wanted("a", 2, lambda: steps("three")) == "two"


def test_what_breaks_it_off_is_raised_where_it_is_asked_for() -> None:
    def broken() -> Iterator[str]:
        raise ZeroDivisionError
        yield ""

    work: LatestWork[str] = LatestWork()
    work.wanted("a", 1, broken)
    work.wait()
    with pytest.raises(ZeroDivisionError):
        work.wanted("a", 1, broken)


def test_what_is_whole_stays_until_the_next_is_whole() -> None:
    """A verdict does not make room for figures of newer data without one."""
    go_on, woken = Event(), Event()

    def slow() -> Iterator[str]:
        yield "new figures"
        go_on.wait()
        yield "new verdict"

    work: LatestWork[str] = LatestWork(woken.set)
    work.wanted("a", 1, lambda: steps("figures", "verdict"))
    work.wait()
    woken.clear()
    assert work.wanted("a", 2, slow, rests=False) == "verdict"
    woken.wait()
    assert work.wanted("a", 2, slow, rests=False) == "verdict"
    go_on.set()
    work.wait()
    assert work.wanted("a", 2, slow) == "new verdict"

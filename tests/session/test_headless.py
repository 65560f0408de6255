"""The time before a source has spoken."""

import threading
from collections.abc import Iterator

import pytest

from pylatencymap.session.ending import EndingRule, SignalWatcher
from pylatencymap.session.feed import SOON_SECONDS, Feed, ends_soon, run_until_spoken
from pylatencymap.session.messages import LEAST_SECONDS, FirstAdvice
from tests.waiting import PATIENCE


class Source:
    """Prints nothing until it is let go, and ends then; it has spoken at the third look."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.spoken = False
        self.told = 0

    def items(self) -> Iterator[int]:
        if not self.go.wait(PATIENCE):
            raise TimeoutError("never let go")
        yield from ()

    def tell(self) -> None:
        self.told += 1
        if self.told == 3:
            self.spoken = True

    def runs(self, *, interrupts: int = 0, terminated: bool = False) -> bool:
        feed = Feed(self.items)
        with SignalWatcher(feed.wake) as signals:
            signals.interrupts, signals.terminated = interrupts, terminated
            return run_until_spoken(feed, lambda: self.spoken, EndingRule(signals, pipe=True), self.tell)


def test_there_is_something_to_view_when_the_source_has_spoken() -> None:
    source = Source()
    assert source.runs()
    assert source.told == 3


def test_a_source_that_ends_without_a_word_is_not_viewed() -> None:
    source = Source()
    source.told = 3
    source.go.set()
    assert not source.runs()
    assert source.told > 3, "what was said meanwhile is told"


@pytest.mark.parametrize(("interrupts", "terminated"), [(1, False), (2, False), (0, True)])
def test_nothing_is_viewed_when_the_session_ends(interrupts: int, terminated: bool) -> None:
    source = Source()
    source.spoken = True
    assert not source.runs(interrupts=interrupts, terminated=terminated)


@pytest.mark.parametrize(
    ("begun", "expected"), [(False, "no data for 3 s: do"), (True, "no data for 3 s, only text without any: do")]
)
def test_the_first_advice_is_given_once(begun: bool, expected: str) -> None:
    now = [100.0]
    advice = FirstAdvice(lambda: "do", lambda: begun, lambda: now[0])
    told = []
    for seconds in (0.0, LEAST_SECONDS - 0.1, LEAST_SECONDS, LEAST_SECONDS + 1, 1000.0):
        now[0] = 100.0 + seconds
        told.append(advice.due())
    assert told == ["", "", expected, "", ""]


def test_a_source_that_ends_at_once_after_an_interrupt_is_not_waited_for() -> None:
    source = Source()
    source.go.set()
    feed = Feed(source.items)
    feed.start()
    while not feed.done:
        feed.wait(PATIENCE)
    assert ends_soon(feed)


def test_one_that_goes_on_is_waited_for() -> None:
    source, clock = Source(), iter([0.0, 0.1, SOON_SECONDS])
    feed = Feed(source.items)
    feed.wake()
    assert not ends_soon(feed, lambda: next(clock))
    source.go.set()

"""Work in a thread, its results where the loop is."""

import os
import select
import threading
from collections.abc import Iterator

import pytest

from pylatencymap.session.ending import EndingRule, SignalWatcher
from pylatencymap.session.feed import CAPACITY, MOST_BYTES, CaughtUp, Feed, drain, run_to_end
from pylatencymap.session.input.source import StopRequest
from tests.waiting import PATIENCE


def all_of(feed: Feed[int]) -> list[int]:
    found: list[int] = []
    while not feed.done:
        feed.wait(PATIENCE)
        found += feed.take()
    return found + feed.take()


def test_everything_arrives_in_order_however_much_it_is() -> None:
    feed = Feed(lambda: range(3 * CAPACITY))
    feed.start()
    assert all_of(feed) == list(range(3 * CAPACITY))
    assert feed.error is None


def test_waiting_ends_when_something_comes_or_at_a_call() -> None:
    gate = threading.Event()

    def gated() -> Iterator[int]:
        gate.wait(PATIENCE)
        yield 1

    feed = Feed(gated)
    feed.start()
    assert feed.wait(0) == []
    feed.wake()
    assert feed.wait(PATIENCE) == []
    assert feed.take() == []
    gate.set()
    assert all_of(feed) == [1]


def test_other_descriptors_are_waited_for_as_well() -> None:
    read_end, write_end = os.pipe()
    feed = Feed[int](lambda: ())
    os.write(write_end, b"x")
    assert feed.wait(PATIENCE, (read_end,)) == [read_end]
    os.close(read_end)
    os.close(write_end)


def test_many_wake_up_calls_do_no_harm() -> None:
    feed = Feed[int](lambda: ())
    for _ in range(100_000):
        feed.wake()
    feed.wait(0)


def test_a_call_in_the_middle_of_waking_does_not_silence_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    feed = Feed[int](lambda: ())
    read = os.read

    def interrupted(descriptor: int, size: int) -> bytes:
        feed.wake()
        return read(descriptor, size)

    feed.wake()
    monkeypatch.setattr(os, "read", interrupted)
    feed.wait(0)
    monkeypatch.undo()
    feed.wake()
    assert select.select([feed.fileno()], [], [], 0)[0] == [feed.fileno()]


def test_all_is_there_when_it_is_read_and_taken_and_stays_so() -> None:
    read = [False]
    feed = Feed[int](lambda: ())
    has_caught_up = CaughtUp(lambda: read[0], feed)
    assert not has_caught_up()
    feed.put(1)
    read[0] = True
    assert not has_caught_up()
    assert feed.take() == [1]
    assert has_caught_up()
    feed.put(2)
    assert has_caught_up()


def test_what_is_read_while_that_is_asked_is_not_overlooked() -> None:
    feed = Feed[int](lambda: ())

    def reads_the_last() -> bool:
        feed.put(1)
        return True

    assert not CaughtUp(reads_the_last, feed)()


def test_a_source_waits_while_nobody_takes_what_it_has() -> None:
    made, full = 0, threading.Event()

    def counted() -> Iterator[int]:
        nonlocal made
        for number in range(3 * CAPACITY):
            made += 1
            if made > CAPACITY:
                full.set()
            yield number

    feed = Feed(counted)
    feed.start()
    assert full.wait(PATIENCE)
    taken = 0
    while not feed.done:
        if not feed.waiting:
            feed.wait(PATIENCE)
        taken += len(feed.take(100))
        assert made <= taken + CAPACITY + 1
    assert taken == 3 * CAPACITY


def test_large_items_wait_up_to_a_size_and_a_full_feed_wakes_who_takes_them_late() -> None:
    put = 0

    def large() -> Iterator[int]:
        nonlocal put
        for number in range(50):
            feed.put(number, MOST_BYTES // 4)
            put += 1
        yield 50

    feed: Feed[int] = Feed(large)
    feed.start()
    taken: list[int] = []
    while not feed.done:
        feed.wait(PATIENCE, for_items=False)  # a picture is due: only a feed that is full, or ends, says so
        assert put <= len(taken) + 5
        taken += feed.take()
    assert taken + feed.take() == list(range(51))


def test_what_ended_the_source_is_kept() -> None:
    def broken() -> Iterator[int]:
        yield 1
        raise ValueError("injected")

    feed = Feed(broken)
    feed.start()
    assert all_of(feed) == [1]
    assert isinstance(feed.error, ValueError)


def test_an_abandoned_source_runs_out() -> None:
    ended = threading.Event()

    def endless() -> Iterator[int]:
        try:
            while True:
                yield 1
        finally:
            ended.set()

    feed = Feed(endless)
    feed.start()
    feed.wait(PATIENCE)
    feed.abandon()
    assert ended.wait(PATIENCE)


def test_items_are_taken_in_the_number_asked_for() -> None:
    feed = Feed(lambda: range(5))
    feed.start()
    while feed._thread.is_alive():
        feed.wait(0.1)
    assert feed.waiting
    assert (feed.take(2), feed.take(2), feed.take(2)) == ([0, 1], [2, 3], [4])
    assert feed.done
    assert not feed.waiting


def test_a_collection_ends_with_its_source_and_the_rest_of_a_stopped_one_is_taken() -> None:
    signals = SignalWatcher(lambda: None)
    found: list[int] = []
    run_to_end(Feed(lambda: range(10)), found.extend, EndingRule(signals, pipe=True))
    assert found == list(range(10))

    stop = StopRequest()

    def holds_back() -> Iterator[int]:
        yield 1
        stop.wait_for(0, PATIENCE)
        yield 2

    signals.terminated = True
    held = Feed(holds_back)
    kept: list[int] = []
    run_to_end(held, kept.extend, EndingRule(signals, pipe=True))
    stop.set()
    drain(held, kept.extend, lambda: 0.0)
    assert kept == [1, 2]


def test_the_rest_is_not_waited_for_without_end() -> None:
    feed = Feed[int](lambda: iter(threading.Event().wait, True))  # type: ignore[arg-type]
    feed.start()
    clock = iter([0.0, 0.0, 2.0])
    drain(feed, lambda _: None, lambda: next(clock))


def test_a_stop_is_noticed_at_once_and_may_be_asked_for_twice() -> None:
    stop = StopRequest()
    read_end, write_end = os.pipe()
    assert not stop.wait_for(read_end, 0)
    os.write(write_end, b"x")
    assert stop.wait_for(read_end, None)
    stop.set()
    stop.set()
    assert not stop.wait_for(read_end, None)
    stop.pause(1000.0)
    os.close(read_end)
    os.close(write_end)


@pytest.mark.parametrize("seconds", [0.0, -5.0])
def test_no_pause(seconds: float) -> None:
    StopRequest().pause(seconds)


def test_items_gather_while_they_are_not_waited_for() -> None:
    gate, added, ended = threading.Event(), threading.Event(), threading.Event()

    def gated() -> Iterator[int]:
        gate.wait(PATIENCE)
        yield 1
        yield 2
        added.set()
        ended.wait(PATIENCE)

    feed = Feed(gated)
    feed.wait(0, for_items=False)
    feed.start()
    gate.set()
    assert added.wait(PATIENCE)
    assert feed.waiting
    assert select.select([feed.fileno()], [], [], 0)[0] == [], "nobody is woken"
    assert feed.wait(PATIENCE) == []
    assert feed.take() == [1, 2], "who waits for items sees those that came before"
    ended.set()
    assert all_of(feed) == []

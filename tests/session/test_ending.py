"""The rules by which a session ends."""

import os
import signal

import pytest

from pylatencymap.errors import Exit
from pylatencymap.session.ending import ENDING, LAST_WORDS_SECONDS, EndingRule, SignalWatcher


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def ending(*, pipe: bool, seconds: float | None = None) -> tuple[EndingRule, SignalWatcher, Clock]:
    signals, clock = SignalWatcher(lambda: None), Clock()
    return EndingRule(signals, pipe=pipe, seconds=seconds, monotonic=clock), signals, clock


def test_nothing_happens() -> None:
    rules, _, clock = ending(pipe=True)
    clock.now = 1e9
    assert (rules.is_due, rules.shows_result, rules.status) == (False, True, Exit.OK)


def test_the_first_interrupt_of_a_pipe_waits_for_its_last_words() -> None:
    rules, signals, clock = ending(pipe=True)
    clock.now = 100.0
    signals.interrupts = 1
    assert not rules.is_due
    assert rules.waiting_for_last_words
    clock.now = 100.0 + LAST_WORDS_SECONDS - 0.01
    assert not rules.is_due
    clock.now = 100.0 + LAST_WORDS_SECONDS
    assert (rules.is_due, rules.shows_result, rules.status) == (True, True, 130)


def test_the_second_interrupt_quits_at_once() -> None:
    rules, signals, _ = ending(pipe=True)
    signals.interrupts = 2
    assert (rules.is_due, rules.shows_result, rules.status) == (True, False, 130)
    assert not rules.waiting_for_last_words


def test_a_file_has_no_last_words() -> None:
    rules, signals, _ = ending(pipe=False)
    signals.interrupts = 1
    assert (rules.is_due, rules.shows_result, rules.status) == (True, True, 130)
    assert not rules.waiting_for_last_words


@pytest.mark.parametrize("pipe", [True, False])
def test_termination_ends_at_once_and_is_fine(pipe: bool) -> None:
    rules, signals, _ = ending(pipe=pipe)
    signals.terminated = True
    assert (rules.is_due, rules.shows_result, rules.status) == (True, True, 0)


def test_a_duration_is_over() -> None:
    rules, _, clock = ending(pipe=True, seconds=10.0)
    clock.now = 9.9
    assert not rules.is_due
    clock.now = 10.0
    assert (rules.is_due, rules.status) == (True, 0)


def test_signals_are_noted_while_entered_and_handlers_put_back() -> None:
    numbers = (signal.SIGINT, *ENDING, signal.SIGWINCH, signal.SIGTSTP)
    before = [signal.getsignal(number) for number in numbers]
    calls: list[int] = []
    with SignalWatcher(lambda: calls.append(1)) as signals:
        signals.catch_suspension()
        for number in numbers:
            os.kill(os.getpid(), number)
        os.kill(os.getpid(), signal.SIGINT)
    assert (signals.interrupts, signals.terminated, signals.resized, signals.suspended) == (2, True, True, True)
    assert len(calls) == len(numbers) + 1
    assert [signal.getsignal(number) for number in numbers] == before


@pytest.mark.parametrize("number", ENDING)
def test_each_of_them_terminates(number: signal.Signals) -> None:
    with SignalWatcher(lambda: None) as signals:
        os.kill(os.getpid(), number)
    assert signals.terminated


def test_what_the_process_was_started_to_ignore_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with SignalWatcher(lambda: None) as signals:
            os.kill(os.getpid(), signal.SIGHUP)
        assert not signals.terminated
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)

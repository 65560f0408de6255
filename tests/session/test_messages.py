"""Messages that a live view holds: one after another on the screen, and all of them at its end."""

from pylatencymap.session.messages import MOST_SHOWN, SHOWN_SECONDS, NoticeQueue


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_each_is_shown_for_some_seconds_since_it_was_asked_for() -> None:
    clock = Clock()
    held = NoticeQueue(clock)
    assert held.current_notice() == ""
    held.add("a")
    held.add("b")
    clock.now += 60
    shown = []
    for _ in range(5):
        shown.append(held.current_notice())
        clock.now += SHOWN_SECONDS / 2
    assert shown == ["a", "a", "b", "b", ""]
    held.add("c")
    assert held.current_notice() == "c"


def test_not_more_than_one_reads_and_all_at_the_end() -> None:
    clock = Clock()
    held = NoticeQueue(clock)
    messages = [str(number) for number in range(MOST_SHOWN + 3)]
    for message in messages:
        held.add(message)
    shown = []
    for _ in messages:
        shown.append(held.current_notice())
        clock.now += SHOWN_SECONDS
    assert shown == [*messages[:MOST_SHOWN], "", "", ""]
    assert held.release() == messages
    assert held.release() == []
    assert held.current_notice() == ""

"""Runs a source without a screen: until it speaks, or to its end; and drains it at the end of any session."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from ..interval import Interval
from ..intervals import Batch, TakeBatch
from .ending import EndingRule
from .feed import Feed

CHECK_SECONDS = 0.25
SOON_SECONDS = 0.5
LAST_SECONDS = 1.0
"""How long a stopped source can take to hand over what it has read."""

Collected = TypeVar("Collected")
UseBatch = Callable[[list[Collected]], object]


def taker(feed: Feed[Interval | Batch]) -> TakeBatch:
    """Hands batches, and single intervals between them, over to a feed; for what the feed runs."""
    return lambda one: feed.put(one, large=not isinstance(one, Interval))


def run_until_spoken(
    feed: Feed[Collected], has_spoken: Callable[[], bool], ending: EndingRule, tell: Callable[[], object]
) -> bool:
    """Start the source and leave the terminal to it, because it may ask for a password there, until it has spoken in
    a format that we know. ``tell`` is called now and then until then. Returns whether there is something to view: not
    if the session, or the source without a word, has ended or is about to.
    """
    feed.start()
    while not (ending.is_due or ending.waiting_for_last_words):
        ended = feed.done
        if has_spoken():
            return True
        tell()
        if ended:
            break
        feed.wait(CHECK_SECONDS)
    tell()
    return False


def ends_soon(feed: Feed[Collected], monotonic: Callable[[], float] = time.monotonic) -> bool:
    """Whether a source that was interrupted ends within SOON_SECONDS, as most do: then there is nothing to wait for."""
    deadline = monotonic() + SOON_SECONDS
    while not feed.done and not feed.waiting and (left := deadline - monotonic()) > 0:
        feed.wait(left)
    return feed.done


def run_to_end(feed: Feed[Collected], use: UseBatch[Collected], ending: EndingRule) -> None:
    """Give all items to ``use`` until the source ends or the session is due to end."""
    feed.start()
    while not feed.done and not ending.is_due:
        feed.wait(CHECK_SECONDS)
        use(feed.take())
        feed.gather()
    use(feed.take())


def drain(feed: Feed[Collected], use: UseBatch[Collected], monotonic: Callable[[], float] = time.monotonic) -> None:
    """Give to ``use`` what a source still holds after it was stopped: a decoder keeps a histogram until it knows that
    the histogram is complete.
    """
    deadline = monotonic() + LAST_SECONDS
    while not feed.done and (left := deadline - monotonic()) > 0:
        feed.wait(left)
        use(feed.take())
    use(feed.take())

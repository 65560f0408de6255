"""Runs a source to its end without a screen, and drains a source at the end of any session."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from .ending import EndingRule
from .feed import Feed

CHECK_SECONDS = 0.25
LAST_SECONDS = 1.0
"""How long a stopped source can take to hand over what it has read."""

Collected = TypeVar("Collected")
UseBatch = Callable[[list[Collected]], object]


def run_to_end(feed: Feed[Collected], use: UseBatch[Collected], ending: EndingRule) -> None:
    """Give all items to ``use`` until the source ends or the session is due to end."""
    feed.start()
    while not feed.done and not ending.is_due:
        feed.wait(CHECK_SECONDS)
        use(feed.take())
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

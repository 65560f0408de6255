"""A session without a screen, and the end of any session: what came is taken, until it is time to end."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from .ending import EndingRule
from .feed import Feed

CHECK_SECONDS = 0.25
LAST_SECONDS = 1.0
"""How long a source that was told to stop may take to hand over what it has read."""

Collected = TypeVar("Collected")
UseBatch = Callable[[list[Collected]], object]


def run_to_end(feed: Feed[Collected], use: UseBatch[Collected], ending: EndingRule) -> None:
    """Give all that comes to ``use``, until the source ends or it is time."""
    feed.start()
    while not feed.done and not ending.is_due:
        feed.wait(CHECK_SECONDS)
        use(feed.take())
    use(feed.take())


def drain(feed: Feed[Collected], use: UseBatch[Collected], monotonic: Callable[[], float] = time.monotonic) -> None:
    """Give to ``use`` what a source that has just been told to stop still holds: a decoder keeps a histogram until it
    knows that it is complete.
    """
    deadline = monotonic() + LAST_SECONDS
    while not feed.done and (left := deadline - monotonic()) > 0:
        feed.wait(left)
        use(feed.take())
    use(feed.take())

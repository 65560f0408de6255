"""A session without a screen: read to the end, then show one picture."""

from ..interval import Interval
from .ending import Ending
from .feed import Feed
from .picture import Picture

CHECK_SECONDS = 0.25


def collect(feed: Feed[Interval], picture: Picture, ending: Ending) -> None:
    """Take all intervals until the source ends or it is time; raises what ended the source."""
    feed.start()
    while not feed.done and not ending.is_due:
        feed.wait(CHECK_SECONDS)
        take(feed, picture)
    take(feed, picture)


def take(feed: Feed[Interval], picture: Picture) -> int:
    """Move what has come into the picture; how many intervals that were."""
    intervals = feed.take()
    for interval in intervals:
        picture.add(interval)
    return len(intervals)

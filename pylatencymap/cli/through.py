"""Commands that write instead of showing: everything that comes is used as it comes, until it is time to end."""

from __future__ import annotations

from ..session.collect import Item, Use, collect, take_rest
from ..session.ending import Ending, Signals
from ..session.feed import Feed
from .inputs import Inputs


def run_through(feed: Feed[Item], use: Use[Item], inputs: Inputs, seconds: float | None) -> Ending:
    """Read ``inputs`` through a feed to their end; of programs in a pipe no longer than ``seconds``. How it ended."""
    with Signals(feed.wake) as signals:
        ending = Ending(
            signals, pipe=inputs.live, seconds=seconds if inputs.live else None, ask_to_end=inputs.ask_to_end
        )
        try:
            collect(feed, use, ending)
            inputs.stop.set()
            if inputs.live and ending.shows_result:
                take_rest(feed, use)
        finally:
            inputs.stop.set()
            feed.abandon()
            inputs.close()
    return ending

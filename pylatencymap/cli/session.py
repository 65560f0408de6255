"""One session from its first byte to its exit status: live, or one picture at the end."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ..errors import Exit
from ..interval import Interval
from ..session.ending import Ending
from ..session.feed import Feed
from ..session.once import collect
from ..session.pace import Pace
from ..session.picture import Picture
from ..session.signals import Signals
from ..session.source import Stop
from ..view.ansi import final_picture, plain_picture
from ..view.colour import Depth
from .setup import depth_of, picture_options, still_size

Producer = Callable[[Picture], Iterator[Interval]]


@dataclass
class Session:
    """What a command hands over.

    produce   makes the intervals, in a thread of its own; it may tell the picture of marks
    stop      ends the reading
    pipe      the source is a program in a pipe, which the terminal's Ctrl-C reaches as well
    state     the chip of the live view; ``final_state`` the one of the picture that is left
    bad_count how many records could not be read
    close     finishes recordings and messages
    """

    options: argparse.Namespace
    produce: Producer
    stop: Stop
    pipe: bool = False
    state: str = "LIVE"
    final_state: str = "END"
    pace: Pace | None = None
    advice: str = ""
    bad_count: Callable[[], int] = lambda: 0
    close: Callable[[], None] = lambda: None
    seconds: float | None = field(default=None)

    def run(self, live: bool) -> int:
        """Run to the end; the exit status. Raises what ended the source, after the picture was shown."""
        options = self.options
        view = picture_options(options, depth_of(options.depth, sys.stdout))
        picture = Picture(view, self.bad_count)
        feed: Feed[Interval] = Feed(lambda: self.produce(picture))
        with Signals(feed.wake) as signals:
            ending = Ending(signals, pipe=self.pipe, seconds=self.seconds)
            left = False
            try:
                left = self._show(live, feed, picture, signals, ending)
            finally:
                self.stop.set()
                feed.abandon()
                self.close()
            if not left and len(picture) and ending.shows_result:
                self._print(picture)
        return self._status(feed, picture, ending, left)

    def _print(self, picture: Picture) -> None:
        """The final picture; in a file or a pipe it is plain text unless something else was asked for."""
        options, view = self.options, picture.options.view
        cells = picture.final(still_size(options), self.final_state)
        plain = view.depth is Depth.MONO and options.depth in (None, "auto") and not sys.stdout.isatty()
        sys.stdout.write(plain_picture(cells) if plain else final_picture(cells, view))
        sys.stdout.flush()

    def _show(self, live: bool, feed: Feed[Interval], picture: Picture, signals: Signals, ending: Ending) -> bool:
        """Whether the user left a live view by q, having seen what there was."""
        if not live:
            collect(feed, picture, ending)
            return False
        from ..tui.app import App, Show
        from ..tui.keyboard import Keyboard
        from ..tui.screen import Screen

        screen = Screen(sys.stdout.fileno(), picture.options.view)
        app = App(feed, picture, screen, Keyboard(), signals, ending, Show(self.state, self.pace, self.advice))
        app.run()
        return app.quit

    def _status(self, feed: Feed[Interval], picture: Picture, ending: Ending, left: bool) -> int:
        if feed.error is not None:
            raise feed.error
        if ending.status is not Exit.OK or left:
            return ending.status
        if len(picture) == 0:
            print("pylatencymap: the source was read, but there was no interval in it", file=sys.stderr)
            return Exit.NO_INTERVAL
        return Exit.OK

"""One session from its first byte to its exit status: live, or one picture at the end."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..errors import Exit
from ..interval import Interval
from ..record import Mark
from ..session import (
    EndingRule,
    Feed,
    Picture,
    ReplayPlayer,
    SignalWatcher,
    SilenceNotice,
    Viewpoint,
    drain,
    run_to_end,
)
from ..session.input import StopRequest
from ..view.layout import END, LIVE
from ..view.style import AUTO, ColourDepth
from ..view.terminal import final_picture, plain_picture
from .setup import depth_of, picture_options, still_size
from .standard_streams import notice_or_raise, print_notice, print_text

Producer = Callable[[Picture], Iterator[Interval]]


class CommandSession(NamedTuple):
    """What a command hands over.

    produce   makes the intervals, in a thread of its own; it may tell the picture of marks
    stop      ends the reading
    why_empty what to say where there was no interval
    pipe      the source is a program in a pipe, which the terminal's Ctrl-C reaches as well
    state     the chip of the live view; ``final_state`` the one of the picture that is left
    silence   what the live view says of a source that says nothing
    news      what the live view should say for some seconds
    remark    what the picture that is left should say of the data
    bad_count how many records could not be read
    keep      records a mark that the user makes
    ask_to_end tells a program that we started ourselves, at the first Ctrl-C
    close     finishes recordings and messages
    seconds   the longest that it may take
    """

    options: argparse.Namespace
    produce: Producer
    stop: StopRequest
    why_empty: Callable[[], str]
    pipe: bool = False
    state: str = LIVE
    final_state: str = END
    player: ReplayPlayer | None = None
    silence: SilenceNotice | None = None
    news: Callable[[], str] = lambda: ""
    remark: Callable[[], str] = lambda: ""
    bad_count: Callable[[], int] = lambda: 0
    keep: Callable[[Mark], object] = lambda _: None
    ask_to_end: Callable[[], object] = lambda: None
    close: Callable[[], None] = lambda: None
    seconds: float | None = None

    def run(self, live: bool) -> int:
        """Run to the end; the exit status. Raises what ended the source, after the picture was shown."""
        view = picture_options(self.options, depth_of(self.options.depth, sys.stdout))
        picture = Picture(view, self.bad_count)
        feed: Feed[Interval] = Feed(lambda: self.produce(picture))
        with SignalWatcher(feed.wake) as signals:
            ending = EndingRule(signals, pipe=self.pipe, seconds=self.seconds, ask_to_end=self.ask_to_end)
            try:
                at = self._show(live, feed, picture, signals, ending)
                wanted = ending.shows_result and at is not None
                error = self._end(feed, picture, wanted=wanted)
                if at is not None and wanted and len(picture):
                    self._print(picture, at)
            finally:
                self.stop.set()
                feed.abandon()
                self.close()
        return self._status(error, picture, ending, left=at is None)

    def _show(
        self, live: bool, feed: Feed[Interval], picture: Picture, signals: SignalWatcher, ending: EndingRule
    ) -> Viewpoint | None:
        """Where the user looked last; None where a live view was left by q, for then all has been seen."""
        if not live:
            run_to_end(feed, picture.extend, ending)
            return picture.options.viewpoint
        from ..tui import App, MainView
        from ..tui.terminal import Keyboard, Screen
        from ..tui.viewer import Presentation, Viewer

        finds_background = self.options.background == AUTO
        show = Presentation(self.state, self.player, self.silence, self.keep, finds_background, self.news)
        main = MainView()
        stage = Viewer(picture, show, main)
        screen = Screen(sys.stdout.fileno(), stage.at.view)
        App(feed, stage, main, screen, Keyboard(screen), signals, ending).run()
        if stage.settle(waits=True):
            print_notice(stage.notice)
        return None if stage.quit else stage.at

    def _end(self, feed: Feed[Interval], picture: Picture, *, wanted: bool) -> BaseException | None:
        """Stop the source; what had ended it, if anything had. What a program in a pipe has printed is read to its
        end where that is wanted.
        """
        if self.pipe and wanted and not feed.done:
            self.stop.set()
            drain(feed, picture.extend)
        return feed.error if feed.done else None

    def _print(self, picture: Picture, at: Viewpoint) -> None:
        """The final picture; in a file or a pipe it is plain text unless something else was asked for."""
        options, view = self.options, at.view
        cells = picture.final(still_size(options), self.final_state, at, self.remark()).cells
        plain = view.depth is ColourDepth.MONO and options.depth in (None, "auto") and not sys.stdout.isatty()
        print_text(plain_picture(cells) if plain else final_picture(cells, view))

    def _status(self, error: BaseException | None, picture: Picture, ending: EndingRule, *, left: bool) -> int:
        interrupted = ending.status is not Exit.OK
        notice_or_raise(error, interrupted=interrupted)
        if interrupted or left or len(picture):
            return ending.status
        print_notice(self.why_empty())
        return Exit.NO_INTERVAL

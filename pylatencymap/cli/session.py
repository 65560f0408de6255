"""One session from its first byte to its exit status: live, or one picture at the end."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..errors import Exit
from ..interval import Interval
from ..intervals import Batch, TakeBatch
from ..record import SELECTION, Mark
from ..session import (
    LAST_WORDS,
    AlertWatch,
    CaughtUp,
    DetailReader,
    EndingRule,
    Feed,
    OpenPart,
    Picture,
    ReplayPlayer,
    SignalWatcher,
    SilenceNotice,
    UseBatch,
    Viewpoint,
    drain,
    ends_soon,
    run_to_end,
    run_until_spoken,
    taker,
)
from ..session.input import StopRequest
from ..view.layout import END, LIVE
from ..view.style import AUTO, ColourDepth
from ..view.terminal import OutputGuard, final_picture, plain_picture
from .alerts import Alerts, finish_alerts, tell_news
from .inputs import baseline_of
from .setup import depth_of, is_part_of_files, picture_options, reading_words, still_size
from .standard_streams import forget_stdout, notice_or_raise, print_notice, write_output

if TYPE_CHECKING:
    from ..events import EventSupplier
    from ..tui.viewer import EventReading, Presentation, SidesWatch, Viewer

STILL_SAVING = "still saving, as was asked for; the end waits for it"

Producer = Callable[[Picture, TakeBatch], Iterator[Interval]]


class CommandSession(NamedTuple):
    """What a command provides.

    produce         makes the intervals, in a thread of its own; it can give marks to the picture, and hand over batches
    stop            ends the reading
    why_empty       returns the message if there was no interval
    pipe            the source is a program in a pipe, which the terminal's Ctrl-C reaches as well
    state           the chip of the live view; ``final_state`` is that of the final picture
    player          hands out the intervals of a replay
    has_spoken      whether the terminal is ours: a program in a pipe may ask for a password until it prints data
    waiting_notices returns the messages to print until then, each once
    first_advice    returns the advice about a source that has not spoken, when it is due
    silence         the message about a silent source in the live view
    current_notice  returns the notice that the live view shows now
    closing_notice  returns the notice in the final picture
    bad_count       returns how many records could not be read
    keep            records a mark that the user makes
    ask_to_end      asks a program that we started to end, at the first Ctrl-C
    close           finishes recordings and prints the messages that waited
    seconds         the maximum duration
    flags           returns what the title says about the recording
    judge           returns the exit status as far as what was measured decides it
    open_part       opens what was read for reading a part of it again; None if that is not possible
    caught_up       whether a recording that is being written has been read so far: then its chip is LIVE
    alerts          what is watched while data come
    events          what knows single events, which can be asked for
    """

    options: argparse.Namespace
    produce: Producer
    stop: StopRequest
    why_empty: Callable[[], str]
    pipe: bool = False
    state: str = LIVE
    final_state: str = END
    player: ReplayPlayer | None = None
    has_spoken: Callable[[], bool] = lambda: True
    waiting_notices: Callable[[], list[str]] = list
    first_advice: Callable[[], str] = lambda: ""
    silence: SilenceNotice | None = None
    current_notice: Callable[[], str] = lambda: ""
    closing_notice: Callable[[], str] = lambda: ""
    bad_count: Callable[[], int] = lambda: 0
    keep: Callable[[Mark], object] = lambda _: None
    ask_to_end: Callable[[], object] = lambda: None
    close: Callable[[], None] = lambda: None
    seconds: float | None = None
    flags: Callable[[], tuple[str, ...]] = tuple
    judge: Callable[[Picture], int] | None = None
    caught_up: Callable[[], bool] = lambda: False
    open_part: OpenPart | None = None
    alerts: Alerts | None = None
    events: EventSupplier | None = None

    def run(self, live: bool) -> int:
        """Run to the end and return the exit status. After the final picture, raises what ended the source."""
        view = picture_options(self.options, depth_of(self.options.depth, sys.stdout))
        picture = Picture(view, self.bad_count)
        feed: Feed[Interval | Batch] = Feed(lambda: self.produce(picture, taker(feed)))
        guard = OutputGuard(sys.stdout)
        watch = self._watch(picture, feed)
        take = _taking(picture, watch)
        with SignalWatcher(feed.wake) as signals:
            ending = EndingRule(signals, pipe=self.pipe, seconds=self.seconds, ask_to_end=self.ask_to_end)
            try:
                at = self._show(live, feed, picture, signals, ending, guard, watch)
                wanted = ending.shows_result and at is not None
                error = self._end(feed, take, wanted=wanted)
                if at is not None and wanted and len(picture):
                    guard.take()
                    self._print(picture, at)
            finally:
                self.stop.set()
                feed.abandon()
                try:
                    self.close()
                finally:
                    guard.give_back(interrupted=signals.interrupts > 0)
                    if watch is not None:
                        _finish(watch, feed, signals, repeats=guard.had_view)
        return self._status(error, picture, ending, left=at is None)

    def _show(
        self,
        live: bool,
        feed: Feed[Interval | Batch],
        picture: Picture,
        signals: SignalWatcher,
        ending: EndingRule,
        guard: OutputGuard,
        watch: AlertWatch | None,
    ) -> Viewpoint | None:
        """Show the session. Returns the last viewpoint, or None if the user left the live view with q: then no final
        picture is needed.
        """
        if not live or not self._has_something_to_view(feed, ending):
            run_to_end(feed, _taking(picture, watch), ending)
            return picture.options.viewpoint
        from ..tui import App, MainView
        from ..tui.terminal import Keyboard, Screen
        from ..tui.viewer import Viewer

        show = self._presentation(picture, feed, watch)
        main = MainView()
        viewer = Viewer(picture, show, main)
        screen = Screen(sys.stdout.fileno(), viewer.viewpoint.view, guard=guard)
        try:
            App(feed, viewer, main, screen, Keyboard(screen), signals, ending).run()
        finally:
            if show.events is not None:
                show.events.give_up()
            _finish_saving(viewer)  # also where the terminal has gone meanwhile
        viewer.keep_named(SELECTION)
        return None if viewer.quit else viewer.viewpoint

    def _presentation(self, picture: Picture, feed: Feed[Interval | Batch], watch: AlertWatch | None) -> Presentation:
        """How the view presents this session."""
        from ..tui.viewer import Presentation

        files = tuple(getattr(self.options, "files", ()))
        return Presentation(
            self.state,
            self.player,
            self.silence,
            self.keep,
            self.options.background == AUTO,
            self.current_notice,
            self.flags,
            files,
            CaughtUp(self.caught_up, feed),
            self._detail_reader(picture, feed),
            watch,
            reading_words(self.options),
            is_part_of_files(self.options),
            self._sides(picture, feed),
            self._event_reading(picture, feed),
            picture.options.tz,
        )

    def _sides(self, picture: Picture, feed: Feed[Interval | Batch]) -> SidesWatch:
        """What compares A and B; a baseline is read from now on. Raises SourceError if it cannot be opened."""
        from ..tui.viewer import SidesWatch

        baseline = baseline_of(self.options, picture.options.tz)
        if baseline is not None:
            baseline.begin(feed.wake)
        return SidesWatch(baseline, self.open_part, feed.wake)

    def _event_reading(self, picture: Picture, feed: Feed[Interval | Batch]) -> EventReading | None:
        """What reads single events again; None if that is not possible."""
        if self.events is None:
            return None
        from ..tui.viewer import EventReading

        return EventReading(self.events, picture.options.history_mb, feed.wake)

    def _watch(self, picture: Picture, feed: Feed[Interval | Batch]) -> AlertWatch | None:
        """What watches the picture; None without an alert. What a followed recording had at first is history."""
        if self.alerts is None:
            return None
        follows = getattr(self.options, "follow", False)
        return self.alerts.watch(picture, self.keep, CaughtUp(self.caught_up, feed) if follows else lambda: True)

    def _detail_reader(self, picture: Picture, feed: Feed[Interval | Batch]) -> DetailReader | None:
        """What reads parts of the inputs again; None if that is not possible."""
        if self.open_part is None:
            return None
        return DetailReader(self.open_part, picture.keep_room(), feed.wake)

    def _has_something_to_view(self, feed: Feed[Interval | Batch], ending: EndingRule) -> bool:
        """Wait until the source has spoken. Until then it has the terminal, and we print lines on standard error."""
        if run_until_spoken(feed, self.has_spoken, ending, self._tell):
            return True
        if ending.waiting_for_last_words and not ends_soon(feed):
            print_notice(LAST_WORDS, below=True)
        return False

    def _tell(self) -> None:
        for message in self.waiting_notices():
            print_notice(message)
        if advice := self.first_advice():
            print_notice(advice, below=True)

    def _end(
        self, feed: Feed[Interval | Batch], take: UseBatch[Interval | Batch], *, wanted: bool
    ) -> BaseException | None:
        """Stop the source; returns the error that had ended it, if any. With ``wanted``, the rest of the output of a
        program in a pipe is read first.
        """
        if self.pipe and wanted and not feed.done:
            self.stop.set()
            drain(feed, take)
        return feed.error if feed.done else None

    def _print(self, picture: Picture, at: Viewpoint) -> None:
        """Print the final picture. In a file or pipe it is plain text unless ``--depth`` asks for colours."""
        options, view = self.options, at.view
        cells = picture.final(still_size(options), self.final_state, at, self.closing_notice()).cells
        plain = view.depth is ColourDepth.MONO and options.depth in (None, "auto") and not sys.stdout.isatty()
        try:
            write_output(plain_picture(cells) if plain else final_picture(cells, view))
        except BrokenPipeError:
            if self.judge is None:
                raise
            forget_stdout()  # nobody wants the picture, but the verdict is still due

    def _status(self, error: BaseException | None, picture: Picture, ending: EndingRule, *, left: bool) -> int:
        notice_or_raise(error, interrupted=ending.by_signal)
        if self.judge is not None and len(picture) and ending.shows_result and not left:
            judged = self.judge(picture)
            return ending.status or judged
        if ending.by_signal or left or len(picture):
            return ending.status
        print_notice(self.why_empty())
        return Exit.NO_INTERVAL


def _taking(picture: Picture, watch: AlertWatch | None) -> UseBatch[Interval | Batch]:
    """Adds intervals to the picture of a run without a view, and reports alerts as soon as they occur."""
    if watch is None:
        return picture.extend

    def take(arrived: list[Interval | Batch]) -> None:
        watch.extend(arrived)
        tell_news(watch)

    return take


def _finish_saving(viewer: Viewer) -> None:
    """Wait until everything that was asked for is saved, one file after the other, and say what was."""
    told = False
    while viewer.save_job is not None:
        if not told and not viewer.save_job.is_done:
            print_notice(STILL_SAVING)
            told = True
        viewer.collect_job(waits=True)
    for words in viewer.parting_words:
        print_notice(words)


def _finish(watch: AlertWatch, feed: Feed[Interval | Batch], signals: SignalWatcher, *, repeats: bool) -> None:
    """End what an alert has started; another Ctrl-C, or a signal that ends the session, does not wait for it."""
    before = signals.interrupts
    finish_alerts(watch, feed.wait, lambda: signals.terminated or signals.interrupts > before, repeats=repeats)

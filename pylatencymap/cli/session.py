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
        return _RunningSession(self).result(live)


class _RunningSession:
    """A command session while it runs: its picture, the feed that its source fills, and what watches both."""

    def __init__(self, session: CommandSession) -> None:
        self._session, self._options = session, session.options
        self._picture = Picture(
            picture_options(session.options, depth_of(session.options.depth, sys.stdout)), session.bad_count
        )
        self._feed: Feed[Interval | Batch] = Feed(lambda: session.produce(self._picture, taker(self._feed)))
        self._guard = OutputGuard(sys.stdout)
        self._watch = self._alert_watch()

    def result(self, live: bool) -> int:
        """See ``CommandSession.run``."""
        session, feed, picture, guard = self._session, self._feed, self._picture, self._guard
        with SignalWatcher(feed.wake) as signals:
            ending = EndingRule(signals, pipe=session.pipe, seconds=session.seconds, ask_to_end=session.ask_to_end)
            try:
                at = self._show(live, signals, ending)
                wanted = ending.shows_result and at is not None
                error = self._end(wanted=wanted)
                if at is not None and wanted and len(picture):
                    guard.take()
                    self._print(at)
            finally:
                session.stop.set()
                feed.abandon()
                try:
                    session.close()
                finally:
                    guard.give_back(interrupted=signals.interrupts > 0)
                    if self._watch is not None:
                        _finish(self._watch, feed, signals, repeats=guard.had_view)
        return self._status(error, ending, left=at is None)

    def _show(self, live: bool, signals: SignalWatcher, ending: EndingRule) -> Viewpoint | None:
        """Show the session. Returns the last viewpoint, or None if the user left the live view with q: then no final
        picture is needed.
        """
        picture = self._picture
        if not live or not self._has_something_to_view(ending):
            run_to_end(self._feed, self._take, ending)
            return picture.options.viewpoint
        from ..tui import App, MainView
        from ..tui.terminal import Keyboard, Screen
        from ..tui.viewer import Viewer

        show = self._presentation()
        main = MainView()
        viewer = Viewer(picture, show, main)
        screen = Screen(sys.stdout.fileno(), viewer.viewpoint.view, guard=self._guard)
        try:
            App(self._feed, viewer, main, screen, Keyboard(screen), signals, ending).run()
        finally:
            if show.events is not None:
                show.events.give_up()
            _finish_saving(viewer)  # also where the terminal has gone meanwhile
        viewer.keep_named(SELECTION)
        return None if viewer.quit else viewer.viewpoint

    def _presentation(self) -> Presentation:
        """How the view presents this session."""
        from ..tui.viewer import Presentation

        session, options = self._session, self._options
        return Presentation(
            state=session.state,
            player=session.player,
            silence=session.silence,
            keep=session.keep,
            finds_background=options.background == AUTO,
            current_notice=session.current_notice,
            flags=session.flags,
            files=tuple(getattr(options, "files", ())),
            caught_up=CaughtUp(session.caught_up, self._feed),
            detail=self._detail_reader(),
            alerts=self._watch,
            reading=reading_words(options),
            is_part=is_part_of_files(options),
            sides=self._sides(),
            events=self._event_reading(),
            zone=self._picture.options.tz,
        )

    def _sides(self) -> SidesWatch:
        """What compares A and B; a baseline is read from now on. Raises SourceError if it cannot be opened."""
        from ..tui.viewer import SidesWatch

        baseline = baseline_of(self._options, self._picture.options.tz)
        if baseline is not None:
            baseline.begin(self._feed.wake)
        return SidesWatch(baseline, self._session.open_part, self._feed.wake)

    def _event_reading(self) -> EventReading | None:
        """What reads single events again; None if that is not possible."""
        if self._session.events is None:
            return None
        from ..tui.viewer import EventReading

        return EventReading(self._session.events, self._picture.options.history_mb, self._feed.wake)

    def _alert_watch(self) -> AlertWatch | None:
        """What watches the picture; None without an alert. What a followed recording had at first is history."""
        session = self._session
        if session.alerts is None:
            return None
        follows = getattr(self._options, "follow", False)
        is_new = CaughtUp(session.caught_up, self._feed) if follows else lambda: True
        return session.alerts.watch(self._picture, session.keep, is_new)

    def _detail_reader(self) -> DetailReader | None:
        """What reads parts of the inputs again; None if that is not possible."""
        if self._session.open_part is None:
            return None
        return DetailReader(self._session.open_part, self._picture.keep_room(), self._feed.wake)

    def _take(self, arrived: list[Interval | Batch]) -> None:
        """Add intervals to the picture of a run without a view, and report alerts as soon as they occur."""
        if self._watch is None:
            self._picture.extend(arrived)
        else:
            self._watch.extend(arrived)
            tell_news(self._watch)

    def _has_something_to_view(self, ending: EndingRule) -> bool:
        """Wait until the source has spoken. Until then it has the terminal, and we print lines on standard error."""
        if run_until_spoken(self._feed, self._session.has_spoken, ending, self._tell):
            return True
        if ending.waiting_for_last_words and not ends_soon(self._feed):
            print_notice(LAST_WORDS, below=True)
        return False

    def _tell(self) -> None:
        for message in self._session.waiting_notices():
            print_notice(message)
        if advice := self._session.first_advice():
            print_notice(advice, below=True)

    def _end(self, *, wanted: bool) -> BaseException | None:
        """Stop the source; returns the error that had ended it, if any. With ``wanted``, the rest of the output of a
        program in a pipe is read first.
        """
        feed = self._feed
        if self._session.pipe and wanted and not feed.done:
            self._session.stop.set()
            drain(feed, self._take)
        return feed.error if feed.done else None

    def _print(self, at: Viewpoint) -> None:
        """Print the final picture. In a file or pipe it is plain text unless ``--depth`` asks for colours."""
        session, options, view = self._session, self._options, at.view
        cells = self._picture.final(still_size(options), session.final_state, at, session.closing_notice()).cells
        plain = view.depth is ColourDepth.MONO and options.depth in (None, "auto") and not sys.stdout.isatty()
        try:
            write_output(plain_picture(cells) if plain else final_picture(cells, view))
        except BrokenPipeError:
            if session.judge is None:
                raise
            forget_stdout()  # nobody wants the picture, but the verdict is still due

    def _status(self, error: BaseException | None, ending: EndingRule, *, left: bool) -> int:
        notice_or_raise(error, interrupted=ending.by_signal)
        session, has_data = self._session, bool(len(self._picture))
        if session.judge is not None and has_data and ending.shows_result and not left:
            judged = session.judge(self._picture)
            return ending.status or judged
        if ending.by_signal or left or has_data:
            return ending.status
        print_notice(session.why_empty())
        return Exit.NO_INTERVAL


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

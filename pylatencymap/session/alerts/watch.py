"""Watches conditions while data come: each is judged over a window of measured time that slides with the data."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from ...conditions import ConditionVerdict, LastingCondition, check_conditions, recorded_lately
from ...interval import Interval
from ...moment_text import TimeWords
from ...record import Clock, Mark, Stamp
from ...text.clean import printable

if TYPE_CHECKING:
    from ...intervals import Batch
    from ..picture import Picture
    from .command import AlertCommand

STEP_SECONDS = 0.95
"""Conditions are judged once in so much measured time, for intervals of a second are not exact;"""
STEPS = 600
"""but no more often than so many times in the time that they are about;"""
SERIES_A_SECOND = 50
"""and no more than so many series in a second, because one takes a millisecond."""
PATIENCE = 2
"""If a condition could not be judged for so many times its DURATION, the user is told why."""
MOST_KEPT = 20
"""At most so many alerts are repeated when the view has ended."""
MOST_TEXT = 2000
"""Characters of a message, a note or an environment variable."""


class AlertNews(NamedTuple):
    """Something to say; ``rings``: with the bell, because an alert begins."""

    text: str
    rings: bool


class _Turn(Enum):
    """What a verdict can make of an alert."""

    BEGINS = "alert"
    ENDS = "alert over"


class _Watched:
    """A condition, and whether it has been told to hold since it last did not for as long as it is about."""

    def __init__(self, lasting: LastingCondition) -> None:
        self.lasting = lasting
        self.span = round(lasting.seconds * 1e6)
        self.due = 0
        self.since: int | None = None
        self.was_told = self.was_warned = False
        self.reason = ""
        self.begun: int | None = None
        """The moment at which the last alert began."""
        self._raised = False
        self._not_since: int | None = None

    def turn(self, verdict: ConditionVerdict, moment: int) -> _Turn | None:
        """Take a verdict about the time before a moment (epoch microseconds); which turn the alert takes with it."""
        if verdict.holds is None:
            self.reason = verdict.reason
            self._not_since = None  # what was not measured may have been anything
            return None
        self.was_told = True
        if verdict.holds:
            was_raised, self._raised, self._not_since = self._raised, True, None
            if was_raised:
                return None
            self.begun = moment
            return _Turn.BEGINS
        if self._not_since is None:
            self._not_since = moment
        if not self._raised or moment - self._not_since < self.span:
            return None
        self._raised = False
        return _Turn.ENDS

    def lacks_data(self, moment: int) -> bool:
        """Whether to say, once, that it could not be told so far, though there was time enough."""
        self.since = moment if self.since is None else self.since
        if self.was_told or self.was_warned or moment - self.since < PATIENCE * self.span:
            return False
        self.was_warned = True
        return True


def _untold_text(one: _Watched) -> str:
    reason = one.reason or "there were too few data"
    return printable(f"--alert {one.lasting.text} could not be told at any time so far: {reason}", MOST_TEXT)


class AlertWatch:
    """Gives intervals to a picture, and judges conditions about them.

    keep      records a mark
    command   what to run when a condition begins to hold
    is_ready  whether to watch already: what a followed recording had at first is history
    """

    def __init__(
        self,
        picture: Picture,
        conditions: Sequence[LastingCondition],
        *,
        keep: Callable[[Mark], object] = lambda _: None,
        command: AlertCommand | None = None,
        is_ready: Callable[[], bool] = lambda: True,
    ) -> None:
        self._picture = picture
        self._watched = [_Watched(one) for one in conditions]
        self._keep = keep
        self.command = command
        self._is_ready = is_ready
        self._ready = is_ready()
        self._newest = 0
        self._here: set[str] = set()
        self._expected = 0
        self._news: list[AlertNews] = []
        self.told: deque[str] = deque(maxlen=MOST_KEPT)

    def extend(self, arrived: Iterable[Interval | Batch]) -> None:
        """Keep intervals in the picture. Conditions are judged whenever all that ends at a moment has come: as many
        series as before, or something newer.
        """
        waiting: list[Interval | Batch] = []
        for one in arrived:
            end = one.end if isinstance(one, Interval) else int(one.ends.max(initial=0))
            if end > self._newest:
                if self._is_due():
                    self._picture.extend(waiting)
                    waiting = []
                    self._judge()
                self._newest, self._expected = end, len(self._here)
                self._here = set()
            if end == self._newest:
                self._here.add(one.series)
            waiting.append(one)
        if waiting:
            self._picture.extend(waiting)
        self._settle()

    def news(self) -> list[AlertNews]:
        """What has happened since the last time; looks after commands that run. Call it now and then. What a command
        has to say comes by itself, after the alert, however soon it fails: a line has no room for both.
        """
        self._settle()
        found, self._news = self._news, []
        if not found and self.command is not None:
            found = [AlertNews(text, rings=False) for text in self.command.look()]
        return found

    def untold(self) -> Iterator[str]:
        """The conditions that could not be told at any time although there were data, and why: they watched nothing."""
        return (_untold_text(one) for one in self._watched if self._newest and not one.was_told)

    def _settle(self) -> None:
        """Begin to watch when it is time, with the present; judge the newest moment if all of it is here."""
        if not self._ready and self._is_ready():
            self._ready = True
            for one in self._watched:
                one.due = self._newest
        if len(self._here) >= self._expected and self._is_due():
            self._judge()

    def _is_due(self) -> bool:
        return self._ready and self._newest > 0 and any(self._newest >= one.due for one in self._watched)

    def _judge(self) -> None:
        """Judge the conditions that are due at the newest moment."""
        moment = self._newest
        for one in self._watched:
            if moment < one.due:
                continue
            (verdict,) = check_conditions(
                [one.lasting.condition], recorded_lately(self._picture.window, moment, one.span)
            )
            seconds = max(STEP_SECONDS, one.lasting.seconds / STEPS, len(verdict.checks) / SERIES_A_SECOND)
            one.due = moment + round(seconds * 1e6)
            turn = one.turn(verdict, moment)
            if turn is not None:
                self._tell(turn, one, verdict, moment)
            elif one.lacks_data(moment):
                self._news.append(AlertNews(_untold_text(one), rings=False))

    def _tell(self, turn: _Turn, one: _Watched, verdict: ConditionVerdict, moment: int) -> None:
        """An alert begins or ends: mark it and say so; run the command where it begins."""
        begins, times = turn is _Turn.BEGINS, self._times(moment)
        self._mark(moment, f"{turn.value}: {one.lasting.text}: {verdict.measured}")
        since = "" if begins or one.begun is None else f", since {times.moment(one.begun)}"
        text = printable(
            f"{turn.value.upper()} {times.moment(moment)} {one.lasting.text}{since}: {verdict.measured}", MOST_TEXT
        )
        self.told.append(text)
        self._news.append(AlertNews(text, rings=begins))
        if begins and self.command is not None:
            self.command.run(self._facts(one, verdict, moment))

    def _mark(self, moment: int, note: str) -> None:
        mark = Mark(Stamp(moment, Clock.EPOCH), printable(note, MOST_TEXT))
        self._picture.mark(mark)
        self._keep(mark)

    def _times(self, moment: int) -> TimeWords:
        window = self._picture.window
        name = window.by_time_waited()[0]
        clock = window.select(name, 1).matrix().clock
        return TimeWords(*(window.extent or (moment, moment)), self._picture.options.tz, clock=clock)

    def _facts(self, one: _Watched, verdict: ConditionVerdict, moment: int) -> dict[str, str]:
        """What the command learns, as environment variables; docs/viewer.md lists them."""
        telling = verdict.telling
        names = list(dict.fromkeys(check.series for check in telling))
        values = [measured.value for check in telling for measured in check.measures]
        times = self._times(moment)
        window = self._picture.window
        history = window[names[0] if names and names[0] in window else window.by_time_waited()[0]]
        facts = {
            "CONDITION": one.lasting.text,
            "MEASURED": verdict.measured,
            "VALUE": f"{values[0]:.9g}" if values and isfinite(values[0]) else "",
            "SERIES": "\n".join(printable(name, MOST_TEXT) for name in names),
            "SINCE": times.iso(moment - one.span) if times.clock else "",
            "AT": times.iso(moment) if times.clock else "",
            "TITLE": history.label or history.source,
        }
        return {
            f"PYLATENCYMAP_{name}": text if name == "SERIES" else printable(text, MOST_TEXT)
            for name, text in facts.items()
        }

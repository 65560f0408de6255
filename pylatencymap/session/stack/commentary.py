"""What the series of a stack do together: which of them changed and which went on as before, and whether they rise and
fall as one. Changes are looked for in short steps, as those of a single series.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo
from itertools import combinations
from math import inf, sqrt
from typing import TYPE_CHECKING, NamedTuple

from ...analysis import Correlation, EpisodeKind, correlation, shared_columns
from ...moment_text import TimeWords
from ...number_text import count_words, exact_text, length_words, listed, waited_text
from ...text.clean import printable
from ...view.stack import ToldTogether
from ...window import History
from ..commentary import Commentary, data_between, in_detail
from ..series_overview import event_noun
from .levels import Courses, Levels, TimeCourse, is_telling, levels_of

if TYPE_CHECKING:
    from ...findings import Change, SeriesData

MOST_TOLD = 4
"""Changes that are told; the costliest come first."""
AS_BEFORE = 1.5
"""A series went on as before if its rate and its time waited changed by less than this factor, and by less than half of
the way of what changed, in logarithms.
"""
MEETS = 0.25
"""Two changes are at the same time if they share this part of the shorter one."""
BESIDE = 1
"""Columns beside a change that are left out as well when series are compared outside of it."""


class StackCommentary:
    """What there is to say of two or three series."""

    def __init__(self, tz: tzinfo) -> None:
        self._tz = tz
        self._of: dict[str, Commentary] = {}
        self._key: object = None
        self._changes: tuple[_Known, ...] = ()
        self._work: tuple[list[str], Generator[None, None, bool]] | None = None
        self._courses = Courses()

    def is_due(self, histories: Sequence[History]) -> bool:
        """Whether there is a step to do."""
        return self._is_telling(histories) or any(self._about(one).is_due(one) for one in histories)

    def step(self, histories: Sequence[History]) -> bool:
        """Look for changes for a few milliseconds. Returns whether there is something new to say."""
        work = self._work[1] if self._work is not None and self._is_telling(histories) else None
        if work is None:
            due = next((one for one in histories if self._about(one).is_due(one)), None)
            if due is None:
                return False
            self._about(due).step(due)
            work = self._tell(histories)
            self._work = [one.name for one in histories], work
        try:
            next(work)
        except StopIteration as ended:
            self._work = None
            return bool(ended.value)
        return False

    def _is_telling(self, histories: Sequence[History]) -> bool:
        """Whether sentences about these series are being put together."""
        return self._work is not None and self._work[0] == [one.name for one in histories]

    def finish(self, histories: Sequence[History]) -> None:
        """Find all changes now, without regard to what was shown."""
        for one in histories:
            self._about(one).finish(one)
        self._work = None
        for _ in self._tell(histories):
            pass

    def start_anew(self) -> None:
        """Look at everything again: there will be no more data."""
        self._of.clear()
        self._key = self._work = None

    def _about(self, history: History) -> Commentary:
        if history.name not in self._of:
            self._of[history.name] = Commentary(self._tz)
        return self._of[history.name]

    def _tell(self, histories: Sequence[History]) -> Generator[None, None, bool]:
        """Put together what was found in each series; yields between short steps. Returns whether that is new."""
        found = [one for history in histories if (one := self._about(history).analysed) is not None]
        key = [history.name for history in histories], [id(its) for _, its in found]
        if key == self._key:
            return False
        from ...findings import told_changes, with_exact_ends

        before = self._changes
        named = {history.name: history for history in histories}
        changes = []
        for change in [one for one in told_changes(found) if not one.is_about_source][:MOST_TOLD]:
            exact = with_exact_ends(change, _reader(named[change.series[0]]), _width(change, found))
            yield
            its = [named[name] for name in change.series]
            changes.append(exact if exact is change else (yield from in_detail(its, exact)))
        self._changes = tuple(
            _Known(replace(one, alone=one.alone and not _meets_another(one, changes)), _all_levels(one, histories))
            for one in changes
        )
        self._key = key
        return before != self._changes

    def told(self, histories: Sequence[History], begin: int, end: int, *, clock: bool) -> tuple[ToldTogether, ...]:
        """The sentences about the time from ``begin`` to ``end`` (epoch microseconds): the costliest change in it,
        whether series rise and fall as one, other changes. ``clock``: whether these are times of day.
        """
        known = [one for one in histories if one.count_until(end) > one.count_until(begin)]
        if len(known) < 2:
            return ()
        times = TimeWords(begin, end, self._tz, max(one.usual_seconds() for one in known), clock)
        names = {one.name for one in known}
        shown = [
            one
            for one in self._changes
            if one.change.begin < end and one.change.end >= begin and names.issuperset(one.change.series)
        ]
        changes = [change_told(one.change, one.levels, known, times) for one in shown]
        courses, step = self._courses.of(known, begin, end)
        together = together_told(known, courses, step, [one.change for one in shown], times)
        return (*changes[:1], *together, *changes[1:])


class _Known(NamedTuple):
    """A change, and how each series was before and during it."""

    change: Change
    levels: dict[str, Levels | None]


def _all_levels(change: Change, histories: Sequence[History]) -> dict[str, Levels | None]:
    return {one.name: levels_of(one, change) for one in histories}


def _meets_another(change: Change, changes: Sequence[Change]) -> bool:
    """Whether another series changed meanwhile, even if that began and ended at other moments."""
    return any(
        min(one.end, change.end) - max(one.begin, change.begin)
        > MEETS * min(one.end - one.begin, change.end - change.begin)
        for one in changes
        if one is not change and set(one.series).isdisjoint(change.series) and _passes(one) and _passes(change)
    )


def _passes(change: Change) -> bool:
    """Whether it began and ended; a drift says nothing of when."""
    return change.end > change.begin and change.kind is not EpisodeKind.DRIFT


def _reader(history: History) -> Callable[[int, int], SeriesData]:
    return lambda first, last: data_between(history, first, last)


def _width(change: Change, found: Sequence[tuple[SeriesData, object]]) -> float:
    """Seconds of the columns in which it was found."""
    return next(data.width for data, _ in found if data.name == change.series[0])


# Sentences.


def change_told(
    change: Change, levels: Mapping[str, Levels | None], known: Sequence[History], times: TimeWords
) -> ToldTogether:
    """Whom a change is about, what it was, and how the others went on. Alone is a series only where enough is known of
    all others, and where none of them went half of its way meanwhile, even if that was found to be no change.
    """
    from ...findings import when_words

    others = [one for one in known if one.name not in change.series]
    limit = _as_before(change, [levels.get(name) for name in change.series])
    beside = [its for one in others if (its := levels.get(one.name)) is not None]
    alone = change.alone and all(its.tell and _is_within(_told_of(change, its), limit) for its in beside)
    head = listed([printable(name) for name in change.series]) + (" alone" if alone else "")
    if not others:
        head = "together"
    mine = _own_figures(change, levels, known)
    rest = [_went_on(one, levels.get(one.name), change, limit) for one in others]
    full, brief = _what_it_was(change)
    figures = "; ".join(filter(None, [mine if others else "", *rest]))
    texts = [f"{what}; {figures}" if figures else what for what in (full, brief)]
    if mine and others:
        texts.append("; ".join(filter(None, [mine, *rest])))
    return ToldTogether(head, when_words(change, times), (*texts, full, brief))


def _what_it_was(change: Change) -> tuple[str, str]:
    """In full and in brief. If several series changed at once, it describes the first one, as the report does."""
    whose = f"in {printable(change.series[0])}: " if len(change.series) > 1 else ""
    return f"{whose}{change.text}", f"{whose}{change.text.partition('; ')[0]}"


def _own_figures(change: Change, levels: Mapping[str, Levels | None], known: Sequence[History]) -> str:
    """Those of the series that changed, in the order in which they are named; with their names where there are two."""
    named = {one.name: one for one in known}
    own = [(name, _own(named[name], levels.get(name), change)) for name in change.series]
    several = len(own) > 1
    return "; ".join(f"{printable(name)}: {text}" if several else text for name, text in own if text)


def _own(history: History, levels: Levels | None, change: Change) -> str:
    """How a series was before and during its own change: events where their rate changed, else time waited."""
    if levels is None:
        return ""
    if change.low is None:
        return f"{_rates(levels)} {event_noun(history.label, history.source)}/s"
    return f"{_from_to(*levels.waits)} waited"


def _told_of(change: Change, levels: Levels) -> tuple[float, float]:
    """The figures that tell of a change: events per second if the rate changed, else the time waited."""
    return levels.rates if change.low is None else levels.waits


def _as_before(change: Change, own: Sequence[Levels | None]) -> float:
    """The factor by which a series can differ and yet be as before, beside what changed in its ``own`` series."""
    known = [_told_of(change, one) for one in own if one is not None]
    factors = [max(pair) / min(pair) for pair in known if min(pair) > 0]
    return min(AS_BEFORE, sqrt(max(min(factors, default=inf), 1.0)))


def _went_on(history: History, levels: Levels | None, change: Change, limit: float) -> str:
    """How a series was before and during a change that was not its own."""
    name = printable(history.name)
    if levels is None:
        return ""
    if not max(levels.events):
        return f"{name} silent"
    if not levels.tell:
        before, then = map(count_words, levels.events)
        return f"{name} nearly silent: {before} before, {then} then"
    how = " went on as before" if all(_is_within(one, limit) for one in (levels.rates, levels.waits)) else ""
    if change.low is None:
        return f"{name}{how}: {_rates(levels)}/s"
    return f"{name}{how}: {_from_to(*levels.waits)}"


def _is_within(levels: tuple[float, float], factor: float) -> bool:
    low, high = sorted(levels)
    return high < factor * low or high <= 0


def _rates(levels: Levels) -> str:
    return " -> ".join(map(exact_text, levels.rates))


def _from_to(before: float, inside: float) -> str:
    """Two times waited per second, with their unit once if it is the same."""
    texts = waited_text(before), waited_text(inside)
    unit = texts[1].rpartition(" ")[2]
    return f"{texts[0].removesuffix(' ' + unit)} -> {texts[1]}"


def together_told(
    known: Sequence[History],
    courses: Sequence[TimeCourse],
    step: int,
    changes: Sequence[Change],
    times: TimeWords,
) -> list[ToldTogether]:
    """Whether rates and time waited of the series rise and fall as one, outside of the changes that only some have; of
    a series with next to no events, that.
    """
    from ...findings import when_words

    apart = [one for one in changes if len(one.series) < len(known) and one.end > one.begin]
    outside = f"all but {when_words(apart[0], times)}: " if len(apart) == 1 else ""
    if len(apart) > 1:
        outside = "outside of these changes: "
    silent = [place for place, course in enumerate(courses) if not is_telling(course)]
    told = [_silence(known, place, courses[place]) for place in silent]
    for one, other in combinations([place for place in range(len(known)) if place not in silent], 2):
        text = _moves(*_correlations(courses[one], courses[other], step, apart))
        if not text:
            continue
        names = [printable(known[place].name) for place in (one, other)]
        who = "" if len(known) == 2 else f"{listed(names)}: "
        told.append(ToldTogether("together", "", (f"{outside}{who}{text}", f"{who}{text}")))
    return told


def _silence(known: Sequence[History], place: int, course: TimeCourse) -> ToldTogether:
    """What there is to say of a series with next to no events."""
    name, events = printable(known[place].name), float(course.events.sum())
    others = listed([printable(one.name) for number, one in enumerate(known) if number != place])
    if not events:
        return ToldTogether(f"{name} silent", "", (f"no events in {length_words(float(course.seconds.sum()))}",))
    much = f"{count_words(events)} event{'s' * (events != 1)} in {length_words(float(course.seconds.sum()))}"
    return ToldTogether(f"{name} nearly silent", "", (f"{much}: too few to tell whether it moves with {others}", much))


def _moves(rates: Correlation | None, waits: Correlation | None) -> str:
    """The sentence about both correlations; empty where neither is known."""
    if rates is None or waits is None:
        return ""
    if rates.is_close and waits.is_close and (rates.r > 0) == (waits.r > 0):
        return f"rates and waits {_way(rates)}, r {rates.r:.2f} and {waits.r:.2f}"
    if rates.is_close:
        return f"the rates {_way(rates)}, r {rates.r:.2f}; the waits do not, r {waits.r:.2f}"
    if waits.is_close:
        return f"the waits {_way(waits)}, r {waits.r:.2f}; the rates do not, r {rates.r:.2f}"
    return f"neither rates nor waits rise and fall as one, r {rates.r:.2f} and {waits.r:.2f}"


def _way(found: Correlation) -> str:
    return "rise and fall as one" if found.r > 0 else "go opposite ways"


def _correlations(
    one: TimeCourse, other: TimeCourse, step: int, apart: Sequence[Change]
) -> tuple[Correlation | None, Correlation | None]:
    """The correlations of events per second and of time waited per second, over the columns that both have."""
    mine, its = shared_columns(one.ends, other.ends, step)
    begins, ends = one.starts[mine], one.ends[mine]
    known = (one.seconds[mine] > 0) & (other.seconds[its] > 0)
    for change in apart:
        near = BESIDE * step
        known &= (ends <= change.begin - near) | (begins >= change.end + near)
    mine, its = mine[known], its[known]
    seconds = one.seconds[mine], other.seconds[its]
    return (
        correlation(one.events[mine] / seconds[0], other.events[its] / seconds[1]),
        correlation(one.waits[mine] / seconds[0], other.waits[its] / seconds[1]),
    )

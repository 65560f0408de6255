"""What the lines below the maps say of the series that is drawn: its modes in the window, and what changed in all that
is kept. The modes are found when texts are written; changes are looked for in short steps, while nothing else is due.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import replace
from datetime import tzinfo
from typing import TYPE_CHECKING, TypeAlias

from ..analysis import Modes, ShownCount, find_modes
from ..moment_text import TimeWords
from ..record import Mark
from ..view.layout import ChangeWords, Reading
from ..window import COLUMN_SECONDS, History, Selection, SeriesSum, ZoomCache, select_between, select_columns
from .marks import MarkList
from .moments import GivenSigns, NotableMoment, Slo, moment_of_change, moment_of_incident, moments_of
from .series_overview import event_noun

if TYPE_CHECKING:
    from ..analysis import Changes
    from ..findings import Change, SeriesData, ToldRecurrences

SeriesOrSum: TypeAlias = "History | SeriesSum"
"""What is looked at: one series, or all of them added up."""
Meanwhile: TypeAlias = (
    "Callable[[SeriesData, Sequence[Change]], Generator[None, None, tuple[list[Change], tuple[str, ...]]]]"
)
"""Adds to the changes of a series what others do meanwhile, and has a sentence about it; in short steps."""
Signs: TypeAlias = "tuple[tuple[int, str], ...]"
"""See Reading.signs."""
MOST_COLUMNS = 4000
"""Columns in which changes are looked for: more are merged. 4,000 cost little more than 1,000."""
DETAILED = 500
"""Columns in which a change is looked at again."""
REST = 400
"""Changes are looked for again after so many times the CPU time that it took: a quarter of a percent of a core."""


class Commentary:
    """``follows``: more data can come, so what is shown is kept as long as it is not refuted."""

    def __init__(
        self,
        tz: tzinfo,
        monotonic: Callable[[], float] = time.monotonic,
        used: Callable[[], float] = time.thread_time,
        meanwhile: Meanwhile | None = None,
    ) -> None:
        self._tz = tz
        self._meanwhile = meanwhile
        self._monotonic = monotonic
        self._used = used
        self._content: object = None
        self._place: object = None
        self._modes = Modes(0.0, 1.0, 0.0)
        self._shown, self._end = ShownCount(), 0
        self._changes = _SeriesChanges(tz)
        self._work: Generator[None, None, None] | None = None
        self._cost = 0.0
        self._rests_until = float("-inf")
        self._told: tuple[object, tuple[NotableMoment, ...]] = (None, ())
        self._passing: tuple[object, object, tuple[str, ...]] = (None, None, ())

    def reading(
        self,
        place: tuple[object, ...],
        selection: Selection,
        kept: SeriesOrSum | None,
        slo: float | None = None,
    ) -> Reading:
        """What there is to say of a selection. ``place``: the series and the width of the columns; for another place
        the number of modes is found anew. ``kept``: what is told of changes is of this. ``slo``: see ``moments``.
        """
        ends = selection.columns["end"]
        if not len(ends):
            return Reading()
        content = (*place, len(ends), int(ends[0]), int(ends[-1]), float(selection.counts.sum()))
        if content != self._content:
            self._content = content
            self._find_modes(place, selection)
        if kept is None or not self._changes.is_about(kept):
            return Reading(self._modes, self._shown.count)
        changes, signs = self._changes.signed(_slo_of(kept, slo))
        if self._passing[:2] != (content, self._changes.found):
            passing = self._changes.passing(self._modes, kept, selection)
            self._passing = content, self._changes.found, passing
        return Reading(self._modes, self._shown.count, changes, signs, self._passing[2], self._changes.recurring)

    def _find_modes(self, place: object, selection: Selection) -> None:
        edges, counts = selection.rows()
        about = selection.summary()
        exact = None if about.estimated else about.waited
        self._modes = find_modes(counts, edges, selection.columns["seconds"], exact=exact, tick=selection.tick)
        end = int(selection.columns["end"][-1])
        passed = max(round((end - self._end) / max(selection.width * 1e6, 1.0)), 0)
        if place != self._place:
            self._place, self._shown, passed = place, ShownCount(), 0
        self._shown, self._end = self._shown.after(self._modes, passed), end

    def is_due(self, history: SeriesOrSum) -> bool:
        """Whether there is a step to do."""
        if self._work is not None or not self._changes.is_about(history):
            return True
        return not self._changes.is_of(history) and self._monotonic() >= self._rests_until

    def step(self, history: SeriesOrSum) -> bool:
        """Look for changes in a series for some milliseconds. Returns whether all of it has been looked at, so that
        there can be other sentences and signs.
        """
        if not self._changes.is_about(history):
            self._changes, self._work = _SeriesChanges(self._tz, history), None
        if self._work is None:
            self._work, self._cost = self._changes.find(history, self._meanwhile), 0.0
        begun = self._used()
        try:
            next(self._work)
            self._cost += self._used() - begun
        except StopIteration:
            self._work = None
            self._rests_until = self._monotonic() + REST * (self._cost + self._used() - begun)
        return self._work is None

    @property
    def analysed(self) -> tuple[SeriesData, Changes] | None:
        """What was found last in a single series, and in which data; None before that, or if there are too few."""
        return self._changes.analysed

    def finish(self, history: SeriesOrSum) -> None:
        """Find all changes now, without regard to what was shown."""
        self._finish(history, _SeriesChanges(self._tz, history))

    def _finish(self, history: SeriesOrSum, changes: _SeriesChanges) -> None:
        self._changes = changes
        self._work = None
        for _ in self._changes.find(history, self._meanwhile):
            pass

    def start_anew(self) -> None:
        """Look at everything again, without regard to what was shown: there will be no more data."""
        self._changes, self._work = _SeriesChanges(self._tz), None
        self._rests_until = float("-inf")

    @property
    def merged(self) -> float | None:
        """Seconds of the columns that changes were looked for in, if those that are kept were too many; else None."""
        return self._changes.merged

    def knows_all(self, history: SeriesOrSum) -> bool:
        """Whether all that is kept of a series has been looked at."""
        return self._work is None and self._changes.is_about(history) and self._changes.is_of(history)

    def known_moments(
        self, history: SeriesOrSum, marks: MarkList, slo: float | None = None
    ) -> tuple[NotableMoment, ...]:
        """The moments that were found so far, without any search; none of another series."""
        if not self._changes.is_about(history):
            return ()
        key = self._changes.found, len(marks), slo
        if self._told[0] != key:
            self._told = key, self._changes.moments(marks, _slo_of(history, slo))
        return self._told[1]

    def moments(
        self, history: SeriesOrSum, marks: Iterable[Mark], slo: float | None = None
    ) -> tuple[NotableMoment, ...]:
        """What is worth a look in all that is kept of a series, or of all added up, what cost most first. ``slo``: a
        latency in seconds; where more events than usual exceed it is told too.
        """
        if not self._changes.is_about(history):
            self.finish(history)
        elif not self._changes.is_of(history):
            self._finish(history, self._changes.anew(history))
        elif self._work is not None:  # it has been begun, and nothing is known before it is done
            for _ in self._work:
                pass
            self._work = None
        return self._changes.moments(marks, _slo_of(history, slo))


class _SeriesChanges:
    """The changes of one series, or of all added up, as far as they are known."""

    def __init__(self, tz: tzinfo, kept: SeriesOrSum | None = None) -> None:
        self._key = None if kept is None else (type(kept), kept.name)
        self.words: tuple[ChangeWords, ...] = ()
        self._moments: tuple[NotableMoment, ...] = ()
        self._given = GivenSigns()
        self._found_changes: tuple[Change, ...] = ()
        self._selection = Selection.empty()
        self._signed: tuple[float | None, tuple[ChangeWords, ...], Signs] | None = None
        self._tz = tz
        self.found: object = None
        """Another value whenever the moments are others."""
        self.analysed: tuple[SeriesData, Changes] | None = None
        self._seen: object = None
        self._told: ToldRecurrences | None = None
        self._waiting: tuple[str, ...] = ()
        self._points: list[int] | None = None
        self._zoomed: ZoomCache | None = None
        self.merged: float | None = None
        """See Commentary.merged."""

    def anew(self, kept: SeriesOrSum) -> _SeriesChanges:
        """Nothing known yet of the same series, but which signs were given."""
        fresh = _SeriesChanges(self._tz, kept)
        fresh._given = self._given
        return fresh

    def is_about(self, kept: SeriesOrSum) -> bool:
        """Whether they are those of this series, or of the sum."""
        return self._key == (type(kept), kept.name)

    def is_of(self, history: SeriesOrSum) -> bool:
        """Whether all columns of the series have been looked at."""
        return self._seen == _state(history)

    def find(self, history: SeriesOrSum, meanwhile: Meanwhile | None) -> Generator[None, None, None]:
        """Look at all columns of the series, and keep sentences; yields between short steps."""
        # Late, because the first picture needs none of it.
        from ..analysis import changes_in_steps
        from ..findings import FEWEST, cost_words, when_words, with_exact_ends

        self._seen = _state(history)
        selection = yield from self._columns(history)
        if int((selection.columns["seconds"] > 0).sum()) < FEWEST:
            self.analysed, self._told, self._waiting = None, None, ()
            self._found_changes = ()
            self._tell(selection, (), ())
            return
        data = _data_of(history, selection)
        starts = data.starts
        shown = None if self._points is None else [int(starts.searchsorted(point)) for point in self._points]
        yield
        found = yield from changes_in_steps(
            data.counts, data.edges, data.seconds, resets=data.resets, waited=data.waited, shown=shown
        )
        yield
        self.analysed = data, found
        self._points = [int(starts[point.column]) for point in found.points]
        times, waited = _times_of(selection, self._tz), float(selection.summary().waited)
        told = []
        changes, recurring = yield from _changes_and_recurrences(data, found, times)
        for change in changes:
            exact = with_exact_ends(change, lambda first, last: data_between(history, first, last), data.width)
            yield
            told.append(exact if exact is change else (yield from in_detail([history], exact)))
        if meanwhile is not None:
            told, self._waiting = yield from meanwhile(data, told)
        own = [one for one in told if not one.is_about_source]
        words = tuple(ChangeWords(when_words(one, times), one.text, cost_words(one, waited)) for one in own)
        finest = TimeWords(times.begin, times.end, self._tz, history.usual_seconds(), times.clock)
        incidents = history.all_incidents() if isinstance(history, SeriesSum) else history.incidents.all()
        self.found, self._found_changes = object(), tuple(told)
        moments = (
            *(moment_of_change(one, when_words(one, finest)) for one in own),
            *(moment_of_incident(one, finest) for one in incidents),
        )
        self._told = recurring if self._told is None else self._told.after(recurring.findings)
        self._tell(selection, words, moments)

    @property
    def recurring(self) -> tuple[str, ...]:
        """Sentences about what recurs in all that is kept."""
        return self._waiting + (() if self._told is None else tuple(one.text for one in self._told.findings))

    def passing(self, modes: Modes, kept: SeriesOrSum, selection: Selection) -> tuple[str, ...]:
        """Of each of the ``modes`` of a selection when it was there, if changes made it; empty for a usual one."""
        if len(modes.modes) < 2 or not any(one.low is not None for one in self._found_changes):
            return ()
        from ..findings import mode_only_during, only_words

        data, times = _data_of(kept, selection), _times_of(self._selection, self._tz)
        each = [mode_only_during(data, mode.begin, mode.end, self._found_changes) for mode in modes.modes]
        return tuple(only_words(during, times) if during else "" for during in each)

    def _tell(self, selection: Selection, words: tuple[ChangeWords, ...], moments: tuple[NotableMoment, ...]) -> None:
        """From now on this is what is known: all at once, so that signs, sentences and list agree meanwhile."""
        self._selection, self.words, self._moments, self._signed = selection, words, moments, None

    def moments(self, marks: Iterable[Mark], slo: Slo | None) -> tuple[NotableMoment, ...]:
        """See Commentary.moments."""
        if not len(self._selection):
            return ()
        times = _times_of(self._selection, self._tz)
        return moments_of(self._moments, marks, self._selection, times, slo, self._given)

    def signed(self, slo: Slo | None) -> tuple[tuple[ChangeWords, ...], Signs]:
        """The sentences with their signs, and where each sign stands. Marks have none, and need not be known."""
        wanted = None if slo is None else slo.latency
        if self._signed is None or self._signed[0] != wanted:
            found = [one for one in self.moments((), slo) if one.is_ranked]
            self._signed = wanted, tuple(map(self._sentence, found)), tuple((one.begin, one.sign) for one in found)
        return self._signed[1:]

    def _sentence(self, moment: NotableMoment) -> ChangeWords:
        """What is said of a moment with a sign: of a change its own words, with what it cost as a share."""
        same = (
            words
            for words, one in zip(self.words, self._moments, strict=False)
            if (one.begin, one.end, one.low, one.high) == (moment.begin, moment.end, moment.low, moment.high)
        )
        cost = moment.cost_words if moment.cost else ""
        return next(same, ChangeWords(moment.when, moment.what, cost))._replace(sign=moment.sign)

    def _columns(self, history: SeriesOrSum) -> Generator[None, None, Selection]:
        """All columns, merged if there are too many."""
        usual = history.usual_seconds()
        seconds = (history.end - history.start) / 1e6
        self.merged = None
        if seconds <= MOST_COLUMNS * usual:
            return (
                history.select(MOST_COLUMNS)
                if isinstance(history, SeriesSum)
                else select_columns(history, MOST_COLUMNS)
            )
        least = max(seconds / MOST_COLUMNS, 2 * usual)
        self.merged = width = float(next((width for width in COLUMN_SECONDS if width >= least), least))
        if isinstance(history, SeriesSum):
            return (yield from history.filled(MOST_COLUMNS + 2, width))
        micros = round(width * 1e6)
        if self._zoomed is None or not self._zoomed.is_of(micros):
            self._zoomed = ZoomCache(history, micros)
        yield from self._zoomed.fill(MOST_COLUMNS + 2)
        if not self._zoomed.is_of(micros):  # meanwhile old columns were merged to save memory
            self._zoomed = ZoomCache(history, micros)
        return select_columns(history, MOST_COLUMNS + 2, width, None, self._zoomed)


def _changes_and_recurrences(
    data: SeriesData, found: Changes, times: TimeWords
) -> Generator[None, None, tuple[Sequence[Change], ToldRecurrences]]:
    """What a report says of the same columns: the changes, and what recurs, which is no change."""
    from ..findings import ToldRecurrences, recurring_findings, told_changes, without_swings

    changes = told_changes([(data, found)])
    yield
    recurring = recurring_findings([data], changes, times)
    yield
    return without_swings(changes, recurring), ToldRecurrences(tuple(recurring))


def _slo_of(kept: SeriesOrSum, latency: float | None) -> Slo | None:
    """An SLO for what is kept of a series, or of all added up."""
    if latency is None:
        return None
    noun = event_noun(kept.label, kept.source)
    return Slo(latency, noun, lambda begin, end: _between(kept, begin, end, DETAILED))


def _times_of(selection: Selection, tz: tzinfo) -> TimeWords:
    columns = selection.columns
    begin, end = int(columns["start"][0]), int(columns["end"][-1])
    return TimeWords(begin, end, tz, selection.width, selection.matrix().clock)


def data_between(history: SeriesOrSum, first: int, last: int) -> SeriesData:
    """What a series has between two moments (epoch microseconds), as it was recorded."""
    return _data_of(history, _between(history, first, last))


def in_detail(histories: Sequence[SeriesOrSum], change: Change) -> Generator[None, None, Change]:
    """A change of these series with the words and figures of its own time, found again among the columns around it."""
    from ..analysis import changes_in_steps
    from ..findings import told_changes

    length = change.end - change.begin
    again = []
    for history in histories:
        data = _data_of(history, _between(history, change.begin - length, change.end + length, DETAILED))
        found = yield from changes_in_steps(
            data.counts, data.edges, data.seconds, resets=data.resets, waited=data.waited
        )
        again.append((data, found))
    wanted = change.kind, change.low, change.high, change.series
    same = [one for one in told_changes(again) if (one.kind, one.low, one.high, one.series) == wanted]
    best = max(same, key=lambda one: min(one.end, change.end) - max(one.begin, change.begin), default=None)
    if best is None or min(best.end, change.end) - max(best.begin, change.begin) < length // 2:
        return change
    return replace(best, begin=change.begin, end=change.end, alone=change.alone)


def _between(kept: SeriesOrSum, first: int, last: int, count: int | None = None) -> Selection:
    """The columns between two moments, as they were recorded; if there are more than ``count``, merged."""
    if isinstance(kept, SeriesSum):
        return kept.between(first, last, count)
    return select_between(kept, first, last, count)


def _data_of(history: SeriesOrSum, selection: Selection) -> SeriesData:
    from ..findings import series_data

    return series_data(history.name, event_noun(history.label, history.source), history.label, selection)


def _state(kept: SeriesOrSum) -> tuple[object, ...]:
    """Changes with the data."""
    return kept.state if isinstance(kept, SeriesSum) else (kept.version, len(kept), kept.events)

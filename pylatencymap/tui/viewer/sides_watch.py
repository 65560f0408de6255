"""What the view says of A and B: which times they are, and what the comparison of them has found so far."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from datetime import date, datetime
from typing import TYPE_CHECKING, NamedTuple

from ...moment_text import TimeWords
from ...number_text import length_words
from ...session import SUM_SERIES
from ...session.two_sides import LatestWork, SideSource, SidesQuestion
from ...view.layout import NamedSides, SideAverages, SideHead, SidesPage, SideTimes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...session import OpenPart, Picture, Viewpoint
    from ...session.two_sides import Baseline, SidesFound
    from ...view.comparison import ComparedMap

A, B = "A", "B"
MANY_SERIES = 300
"""Of a sum of more series, any new data count as a change of both sides."""
SHARE = 0.25
"""The part of the memory for the history that one side may take when it is read again."""
PENDING = (("comparing ...", ""),)
"""The verdict until anything is known."""


class Subject(NamedTuple):
    """What is compared: two named times of what is shown, ``a`` and ``sides.b``, or ``a`` and a baseline."""

    picture: Picture
    viewpoint: Viewpoint
    sides: NamedSides
    a: SideTimes

    @property
    def series(self) -> str:
        """The series shown; of a sum, that with the most time waited."""
        name = self.picture.series(self.viewpoint)
        assert name is not None
        return name

    @property
    def names(self) -> list[str]:
        """All series of which the columns are."""
        return list(self.picture.window.names()) if self.is_sum else [self.series]

    @property
    def is_sum(self) -> bool:
        return self.picture.is_sum(self.viewpoint)

    @property
    def label(self) -> str:
        """The series in words."""
        return f"all {len(self.picture.window)} series" if self.is_sum else self.series

    @property
    def order(self) -> tuple[tuple[str, SideTimes | None], ...]:
        """Both sides with their times, the earlier one first; a baseline goes before all, None is its time."""
        if self.sides.other or self.sides.b is None:
            return (B, None), (A, self.a)
        first, second = sorted(((A, self.a), (B, self.sides.b)), key=lambda side: (side[1], side[0]))
        return first, second

    @property
    def state(self) -> Hashable:
        """Changes with the data of both sides."""
        window, spans = self.picture.window, [times for _, times in self.order if times is not None]
        names = self.names
        if len(names) > MANY_SERIES:
            return self.a, window.additions
        found: list[Hashable] = [self.a]
        for history in (window[name] for name in names):
            found.append(history.version)
            for begin, end in spans:
                found += [history.count_until(begin), history.count_until(end)]
                found.append(history.events if end >= history.end else 0)
        return tuple(found)

    def words(self, times: SideTimes) -> tuple[str, ...]:
        """A time in words, the longest wording first. Where both sides are of different days, none is without one."""
        extent = self.picture.extent(self.viewpoint) or times
        usual, clock = self.picture.usual_seconds(self.viewpoint), self.picture.has_clock(self.viewpoint)
        dated = TimeWords(*extent, self.picture.options.tz, usual, clock).span(*times)
        brief = TimeWords(*(times if clock else extent), self.picture.options.tz, usual, clock).span(*times)
        if self.sides.b is not None and clock and self._day(self.sides.b) != self._day(self.a):
            brief = dated.partition(" ")[0]
        return tuple(dict.fromkeys((dated, brief)))

    def _day(self, times: SideTimes) -> date:
        return datetime.fromtimestamp(times[0] // 1_000_000, self.picture.options.tz).date()


class SidesWatch:
    """Compares what is named, beside the view. ``baseline``: another recording; ``part``: reads a time again that
    memory holds merged; ``wake`` is called, in another thread, when something was found.
    """

    def __init__(
        self, baseline: Baseline | None = None, part: OpenPart | None = None, wake: Callable[[], object] = lambda: None
    ) -> None:
        self.baseline = baseline
        self.work: LatestWork[SidesFound] = LatestWork(wake)
        self.map_work: LatestWork[tuple[ComparedMap, ...]] = LatestWork(wake)
        self._part = part
        self._made: tuple[SidesFound | None, object, SidesPage] | None = None

    @property
    def has_news(self) -> bool:
        """Whether there is something new to show."""
        found = self.baseline is not None and self.baseline.has_news
        return any((self.work.has_news, self.map_work.has_news, found))

    def page(
        self, picture: Picture, viewpoint: Viewpoint, screen: SideTimes | None, *, ended: bool
    ) -> SidesPage | None:
        """What there is to show; None if nothing is named. ``screen``: the time on the screen; ``ended``: all data are
        there, so that parts can be read again.
        """
        sides = viewpoint.sides
        if sides is None or picture.series(viewpoint) is None:
            return None
        a = sides.a or (screen if sides.other else None)
        braces = tuple((name, *times) for name, times in ((A, sides.a), (B, sides.b)) if times is not None)
        if not sides.both or a is None:
            return SidesPage(braces) if braces else None
        subject = Subject(picture, viewpoint, sides, a)
        if sides.other and (problem := self._lacks_baseline(subject)):
            heads = tuple(self._head(name, times, subject, "") for name, times in subject.order)
            return SidesPage(braces, heads, subject.label, (("", problem),), is_whole=True)
        return self._compared(subject, braces, ended=ended)

    def _lacks_baseline(self, subject: Subject) -> str:
        """Why there is no baseline to compare with; empty if there is one."""
        baseline = self.baseline
        if baseline is None:
            return "B has no time: name it"
        if baseline.window is None:
            return baseline.problem or baseline.progress() or f"reading {baseline.name}"
        if subject.is_sum or self._its_series(subject) is not None:
            return ""
        has = ", ".join(baseline.window.by_time_waited()[:5])
        return f"{baseline.name} has no series {subject.series}; it has {has}"

    def _its_series(self, subject: Subject) -> str | None:
        """The series of the baseline that is compared."""
        if self.baseline is None or self.baseline.window is None:
            return None
        if subject.is_sum:
            return next(iter(self.baseline.window.by_time_waited()), None)
        return self.baseline.series_like(subject.series, single=len(subject.picture.window) == 1)

    def _compared(self, subject: Subject, braces: tuple[tuple[str, int, int], ...], *, ended: bool) -> SidesPage:
        order, slo = subject.order, subject.viewpoint.view.slo
        moves = subject.sides.other and subject.sides.a is None
        about = "screen" if moves else order, subject.label, slo, subject.picture.options.tz
        found = self.work.wanted(about, subject.state, lambda: self._begun(subject, ended=ended), rests=not ended)
        key = about, braces, subject.viewpoint.resolution
        if self._made is None or self._made[0] is not found or self._made[1] != key:
            known = ("", "") if found is None else found.times
            heads = tuple(self._head(name, times, subject, known[place]) for place, (name, times) in enumerate(order))
            page = SidesPage(braces, heads, subject.label, PENDING)
            if found is not None:
                page = page._replace(
                    verdict=found.verdict,
                    rows=found.rows,
                    notes=found.notes,
                    is_whole=found.is_whole,
                    averages=_averages(found, subject.viewpoint.resolution),
                )
            self._made = found, key, page
        return self._made[2]

    def maps(
        self,
        picture: Picture,
        viewpoint: Viewpoint,
        screen: SideTimes | None,
        wanted: tuple[tuple[str, ...], int, int, bool],
        *,
        ended: bool,
    ) -> tuple[ComparedMap, ...] | None:
        """The difference map in so many lines and columns; None while it is being made. ``wanted``: the kinds of maps,
        lines and columns of each, and whether a line can have two rows.
        """
        sides = viewpoint.sides
        a = None if sides is None else sides.a or (screen if sides.other else None)
        if sides is None or a is None or picture.series(viewpoint) is None:
            return None
        subject = Subject(picture, viewpoint, sides, a)
        if sides.other and self._lacks_baseline(subject):
            return ()
        moves = sides.other and sides.a is None
        about = "screen" if moves else subject.order, subject.label, wanted
        return self.map_work.wanted(
            about, subject.state, lambda: self._begun_maps(subject, wanted, ended=ended), rests=not ended
        )

    def _begun_maps(
        self, subject: Subject, wanted: tuple[tuple[str, ...], int, int, bool], *, ended: bool
    ) -> Iterator[tuple[ComparedMap, ...]]:
        question, (kinds, lines, width, halves) = self.question(subject, ended=ended), wanted

        def steps() -> Iterator[tuple[ComparedMap, ...]]:
            from ...session.two_sides import maps_in_steps

            yield from maps_in_steps(question, kinds, lines, width, halves=halves)

        return steps()

    def _begun(self, subject: Subject, *, ended: bool) -> Iterator[SidesFound]:
        """The steps of the comparison; what they need is loaded in their thread, and not at the key."""
        question = self.question(subject, ended=ended)

        def steps() -> Iterator[SidesFound]:
            from ...session.two_sides import compared_in_steps

            yield from compared_in_steps(question)

        return steps()

    def _head(self, name: str, times: SideTimes | None, subject: Subject, known: str) -> SideHead:
        """The head of a side; of a baseline, with its file."""
        if times is not None:
            dated = (known,) if known and subject.sides.other else ()
            return SideHead(name, tuple(dict.fromkeys((*dated, *subject.words(times)))))
        file = "" if self.baseline is None else self.baseline.name
        return SideHead(name, tuple(dict.fromkeys(filter(None, (f"{file} {known}".strip(), file)))))

    def question(self, subject: Subject, *, ended: bool) -> SidesQuestion:
        """What is to be compared; later data do not change it."""
        sides = []
        for name, times in subject.order:
            if times is None:
                sides.append(self._baseline_source(subject))
            else:
                sides.append(self._source(name, times, subject, ended=ended))
        return SidesQuestion(
            sides[0], sides[1], subject.picture.options.tz, subject.viewpoint.view.slo, tuple(_notes(subject))
        )

    def _baseline_source(self, subject: Subject) -> SideSource:
        series = self._its_series(subject)
        assert self.baseline is not None
        assert self.baseline.window is not None
        assert series is not None
        is_sum = subject.is_sum and len(self.baseline.window) > 1
        return SideSource(B, self.baseline.window, series, total=SUM_SERIES if is_sum else "")

    def _source(self, name: str, times: SideTimes, subject: Subject, *, ended: bool) -> SideSource:
        """A time of what is shown; where memory holds it merged, it is read again if that is possible."""
        picture = subject.picture
        total = SUM_SERIES if subject.is_sum else ""
        detail = None if picture.detail is None else picture.detail.kept_between(*times)
        source = SideSource(name, detail or picture.window.frozen(), subject.series, *times, total)
        is_merged = detail is None and picture.window.longest_merged(subject.names, *times) > 0
        if is_merged and ended and self._part is not None:
            return source._replace(part=self._part, megabytes=SHARE * picture.options.history_mb)
        return source


def _averages(found: SidesFound, resolution: int) -> tuple[SideAverages, SideAverages] | None:
    """What both sides have per second, in rows of a resolution; None where nothing was compared."""
    if found.sums is None:
        return None
    from ...session.two_sides import side_averages

    first, second = (side_averages(one, resolution) for one in found.sums)
    return first, second


def time_words(picture: Picture, viewpoint: Viewpoint, times: SideTimes) -> str:
    """A time of what is shown, in words."""
    return Subject(picture, viewpoint, NamedSides(), times).words(times)[0]


def _notes(subject: Subject) -> list[str]:
    """What limits the comparison because of how the sides were named."""
    if subject.sides.other or subject.sides.b is None:
        return []
    (one, first), (_, second) = subject.order
    assert first is not None
    assert second is not None
    found = []
    if (common := min(first[1], second[1]) - second[0]) > 0:
        found.append(f"A and B overlap: {length_words(common / 1e6)} count on both sides.")
    if one == B and subject.a != subject.sides.b:
        found.append("A is after B: changes are told from B to A.")
    return found

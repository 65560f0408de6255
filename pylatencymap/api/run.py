"""``Run``: what was read, as intervals, matrices, statistics and pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING

from ..analysis import Modes, find_modes
from ..errors import UsageError
from ..findings import Change, RunFindings, SeriesData, SeriesRun, find_all, series_data
from ..interval import Interval
from ..moment_text import nearest
from ..session import MarkList, event_noun, overview_lines
from ..window import Summary, Window, kept_intervals
from .exports import RunExports
from .options import Moment, checked

if TYPE_CHECKING:
    from ..conditions import ConditionVerdict
    from ..intervals import Division
    from ..record import Mark


class Run(RunExports):
    """The result of ``read``; it never changes.

    series    names of the series, most time waited first; the first is the default wherever a name is expected
    bad       number of records that could not be read and were left out
    messages  the first problems of the input, and assumptions about it, each ``file:line: what``

    >>> import pylatencymap as lm
    >>> run = lm.read("examples/cold-start.lmap.gz", tz="UTC")
    >>> print(run)
    <Run of 2 series, 2026-11-21 11:14:08 to 2026-11-21 11:15:22, 0 bad records>
    loop0  650/s, 1.01 s/s waited, avg 1.55 ms
    vda  105/s, 109 ms/s waited, avg 1.04 ms
    """

    def __init__(
        self,
        window: Window,
        marks: MarkList,
        bad: int,
        messages: tuple[str, ...],
        tz: tzinfo,
        files: tuple[str, ...] = (),
        reading: tuple[str, ...] = (),
        *,
        some_series: bool = False,
        only: tuple[str, ...] = (),
    ) -> None:
        super().__init__(window, marks, bad, tz, files)
        self.messages = messages
        self._reading, self._some_series, self._only = reading, some_series, only
        self._values: frozenset[tuple[str, str | None]] | None = None

    def divided_by(self, division: Division | None) -> Run:
        """This run, of which it is known how its events were divided by a key."""
        self._values = None if division is None else division.values
        return self

    @property
    def only(self) -> tuple[str, ...]:
        """With ``only``: what all events have in common, such as ``obj#=82015``. The others were left out."""
        return self._only

    @property
    def values(self) -> frozenset[tuple[str, str | None]] | None:
        """With ``by``: the events and values that have a series of their own. All others are in the series others."""
        return self._values

    def of_rows(self, bad: int, messages: tuple[str, ...]) -> Run:
        """This run, read from rows of which some were left out: so many ``bad`` ones, with what was said of them."""
        return Run(self._window, self._marks, bad, messages, self._tz)

    @property
    def tz(self) -> tzinfo:
        """The zone of times without one, and of texts and pictures."""
        return self._tz

    @property
    def marks(self) -> tuple[Mark, ...]:
        """Marks on the time axis, oldest first, each with its ``stamp`` and its text, ``note``."""
        return tuple(self._marks)

    def intervals(self, name: str | None = None) -> Iterator[Interval]:
        """The intervals of a series, oldest first; gaps, in which the source was silent, are among them.

        An Interval has ``start`` and ``end`` in epoch microseconds, ``ranges`` of ``(lower, upper, count)`` in its
        ``unit``, ``events``, and ``waited`` in seconds; a ``note`` of the source is not kept. Raises UsageError for a
        name that is none of ``series``.

        >>> import pylatencymap as lm
        >>> first = next(lm.read("examples/cold-start.lmap.gz").intervals("loop0"))
        >>> first.end, first.seconds, first.events, first.unit.value
        (1795259649000000, 1.000264, 97, 'us')
        """
        return kept_intervals(self._window[self._named(name)])

    def summary(
        self,
        name: str | None = None,
        *,
        slo: float | str | None = None,
        start: Moment | None = None,
        end: Moment | None = None,
    ) -> Summary:
        """Statistics of a series: ``events``, ``waited`` and ``span`` in seconds, ``average``, ``p50``, ``p90``,
        ``p99`` and ``maximum``; ``start`` and ``end`` as in ``matrix``.

        A latency has ``seconds``, and is ``beyond`` where it is only a lower limit, in an open range; it is None where
        there were no events. A percentile lies between its ``low`` and ``high``. ``estimated``: the source gives no
        times waited; they are estimated from the slope of the density in each range. With ``slo`` (seconds, or a text
        as ``"10ms"``) ``slow`` has the shares of events and of time waited above it. Raises UsageError for an unknown
        name or a wrong value.

        >>> import pylatencymap as lm
        >>> about = lm.read("examples/cold-start.lmap.gz").summary("loop0", slo="10ms")
        >>> about.events, round(about.p99.seconds, 4), about.estimated, round(about.slow.events, 2)
        (48123.0, 0.0146, True, 0.07)
        """
        return self._selection(name, start, end).summary(checked({"slo": slo})["slo"])

    def modes(
        self,
        name: str | None = None,
        *,
        start: Moment | None = None,
        end: Moment | None = None,
    ) -> Modes:
        """The modes of a series, in the finest rows that its source has; ``start`` and ``end`` as in ``matrix``.

        ``modes`` are those that are sure, ``sure`` and ``possible`` their numbers: equal numbers are beyond doubt. With
        fewer than 100 events, ``too_few`` is true and there are none. A mode has a range, ``lower`` to ``upper``, with
        5 to 95 % of its events; ``typical``, its median; ``share`` of the events and ``wait``, the share of the time
        waited, each with ``value``, ``low`` and ``high``; ``waited`` and ``rate``. A ``tail`` is what lies far above
        the last mode, if it has much of the time. All latencies and times are in seconds. Raises UsageError for an
        unknown name or a wrong value.

        >>> import pylatencymap as lm
        >>> found = lm.read("examples/cold-start.lmap.gz").modes("loop0")
        >>> [(mode.lower, mode.upper, round(mode.share.value, 2), round(mode.wait.value, 2)) for mode in found.modes]
        [(3.2e-05, 0.000256, 0.87, 0.07), (0.008192, 0.016384, 0.13, 0.93)]
        """
        selection = self._selection(name, start, end)
        about = selection.summary()
        edges, counts = selection.rows()
        return find_modes(
            counts,
            edges,
            selection.columns["seconds"],
            exact=None if about.estimated else about.waited,
            tick=selection.tick,
        )

    def check(
        self,
        condition: str,
        name: str | None = None,
        *,
        before: Run | None = None,
        start: Moment | None = None,
        end: Moment | None = None,
    ) -> ConditionVerdict:
        """Whether a condition holds, as ``--fail-if`` of the command line: ``run.check("p99 > 10ms")``.

        ``name``: the series that is meant outside of ``any`` and ``all``. ``before``: the run that ``before.p99`` is
        about. ``start`` and ``end`` as in ``matrix``; they are about this run alone.

        The result has ``holds``: True, False, or None if it cannot be told, and ``reason`` says why: too few events, no
        interval, a series that is not there. ``sure``: the answer is the same wherever in the bands the truth is.
        ``sentence`` says it all in words, and ``as_json()`` in values of JSON. ``checks`` has each comparison, for each
        series: ``series``, ``comparison``, ``holds``, ``sure``, ``reason`` and ``measures``, each with ``measure``,
        ``value``, ``low``, ``high`` and ``unit``. Raises UsageError for a condition that cannot be understood, with a
        line that points at the place, and for an unknown name.

        >>> import pylatencymap as lm
        >>> verdict = lm.read("examples/cold-start.lmap.gz").check("p99 > 10ms")
        >>> verdict.holds, verdict.sure
        (True, False)
        >>> verdict.sentence
        'p99 > 10ms holds, but not surely: loop0 p99 14.6 ms (8.19-16.4 ms)'
        """
        from ..conditions import check_conditions, parse_condition, recorded_series

        parsed = parse_condition(condition, comparing=before is not None)
        first, last = self._part(start, end)
        run = recorded_series(self._window, first, last)
        other = None if before is None else recorded_series(before._window)
        (verdict,) = check_conditions((parsed,), run, other, None if name is None else self._named(name))
        return verdict

    def changes(
        self,
        name: str | None = None,
        *,
        start: Moment | None = None,
        end: Moment | None = None,
    ) -> tuple[Change, ...]:
        """What changed in a series, or in any (None): what cost most first, then gaps, then resets; ``start`` and
        ``end`` as in ``matrix``.

        A Change has its ``kind``, ``begin`` and ``end`` in epoch microseconds (a step has both at one moment), the
        ``series`` that changed together, ``low`` and ``high``, the latencies in seconds whose share of the events
        changed (None where the rate did), ``before``, ``inside`` and ``after``, its ``cost`` in seconds waited (None
        for a gap) and ``text``, a sentence. Raises UsageError for an unknown name or a wrong value.

        >>> import pylatencymap as lm
        >>> run = lm.read("examples/cold-start.lmap.gz", tz="UTC")
        >>> for change in run.changes("loop0"):
        ...     print(change.kind.value, round((change.end - change.begin) / 1e6), change.text)
        drift 40 the share of I/Os at 8.19-16.4 ms drifts from 89 % to 8.7 %; rate 107 -> 953/s
        incident 4 the band at 64-256 us moves to 32-64 us and returns: 60 % of I/Os there, 1.0 % before
        """
        return self.report(name, start=start, end=end).changes

    def report(
        self,
        name: str | None = None,
        *,
        start: Moment | None = None,
        end: Moment | None = None,
        files: Sequence[str] = (),
    ) -> RunFindings:
        """What ``pylatencymap report`` says of a series, or of all (None); ``start`` and ``end`` as in ``matrix``.
        ``files``: what was read, for the title, if it is not what ``read`` was given.

        ``str()`` of it is one screen of text; ``text(columns, lines)``, ``markdown()`` and ``as_dict()`` are its other
        forms. ``verdict`` is the first two sentences; ``series`` has the figures, ``changes``, ``who`` and ``meaning``
        the further sentences, each with its evidence. Raises UsageError for an unknown name or a wrong value.

        >>> import pylatencymap as lm
        >>> print(lm.read("examples/steady.lmap.gz", tz="UTC").report("loop0").verdict)
        One drift: 11:13:06-11:13:14. Two modes, the slow one with 91 % of the wait.
        """
        names = self.series if name is None else [self._named(name)]
        found = [self._data(one, start, end) for one in names]
        series = [one for one in found if one is not None]
        if not series:
            raise UsageError("there is no interval between start and end")
        run = find_all(series, self._tz, bad=self.bad, files=files or self._files, marks=self._marks)
        some = self._some_series or name is not None
        return replace(run, reading=self._reading, some_series=some, only=self._only)

    def _data(self, name: str, start: Moment | None, end: Moment | None) -> SeriesData | None:
        """The columns of a series for findings; None if it has none in that time."""
        selection, history = self._selection(name, start, end), self._window[name]
        if not len(selection):
            return None
        return series_data(name, event_noun(history.label, history.source), history.label, selection)

    def series_runs(self) -> dict[str, SeriesRun]:
        """All series with their columns, as comparisons take them."""
        found = {}
        for name in self.series:
            history = self._window[name]
            noun = event_noun(history.label, history.source)
            found[name] = SeriesRun(self._window.between(name, None, None), noun, history.label)
        return found

    def __repr__(self) -> str:
        begin, end = (
            datetime.fromtimestamp(nearest(moment or 0) // 1_000_000, self._tz).strftime("%Y-%m-%d %H:%M:%S")
            for moment in (self._window.start, self._window.end)
        )
        bad = f"{self.bad} bad record{'' if self.bad == 1 else 's'}"
        return f"<Run of {len(self.series)} series, {begin} to {end}, {bad}>"

    def __str__(self) -> str:
        return "\n".join((repr(self), *overview_lines(self._window, list(self.series))))

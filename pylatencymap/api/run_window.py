"""The part of a run that its other parts stand on: its series, and which part of the time is meant."""

from __future__ import annotations

from datetime import tzinfo
from difflib import get_close_matches

from ..errors import UsageError
from ..session import MarkList
from ..window import Matrix, Selection, Window
from .options import Moment, checked, moment_of


class RunWindow:
    """The intervals and marks of a run, and what is selected of them."""

    def __init__(self, window: Window, marks: MarkList, bad: int, tz: tzinfo, files: tuple[str, ...] = ()) -> None:
        self.series = tuple(window.by_time_waited())
        self.bad = bad
        self._window = window
        self._marks = marks
        self._tz = tz
        self._files = files

    def matrix(
        self,
        name: str | None = None,
        *,
        columns: int | None = None,
        resolution: int = 1,
        start: Moment | None = None,
        end: Moment | None = None,
    ) -> Matrix:
        """Counts and time waited of a series, in rows of latency and columns of time: what a heat map shows.

        ``columns`` None: one column per interval, gaps included. Else the time is divided into at most so many columns
        of equal length, each with whole intervals; only an interval that is longer than a column, or a gap, is divided
        evenly. ``resolution``: rows per doubling of latency, a power of two up to 64. ``start`` and ``end`` (dates,
        without a zone in that of the run, or epoch microseconds): only intervals that end after the first and not
        after the second.

        The result has ``counts``, events and not rates, and ``waited``, seconds: float64 [rows, columns], the lowest
        latency and the oldest column first; ``bounds`` [rows + 1], seconds; ``ends`` int64 [columns], epoch
        microseconds; ``seconds`` [columns], what to divide by for rates, as its ``frequency()`` and ``intensity()``
        do; ``gap`` [columns], where there are no data, and the zeros mean nothing; ``unit``, that of the source; see
        Matrix. The sum of all counts is that of the intervals, whatever the columns and rows are.

        Raises UsageError for an unknown name or a wrong value.

        >>> import pylatencymap as lm
        >>> m = lm.read("examples/cold-start.lmap.gz").matrix("loop0", columns=20)
        >>> m.counts.shape, m.bounds.shape, m.ends.shape, int(m.counts.sum())
        ((13, 19), (14,), (19,), 48123)
        """
        wanted = checked({"columns": columns, "resolution": resolution})
        return self._selection(name, start, end, wanted["columns"]).matrix(wanted["resolution"])

    def _named(self, name: str | None) -> str:
        """The series of this name; the first one where none is given."""
        if name is None:
            return self.series[0]
        if name in self.series:
            return name
        close = get_close_matches(str(name), self.series, 1)
        advice = f"did you mean {close[0]}?" if close else f"there are: {'; '.join(self.series[:10])}"
        raise UsageError(f"no series is called {name}; {advice}")

    def _selection(
        self, name: str | None, start: Moment | None, end: Moment | None, columns: int | None = None
    ) -> Selection:
        return self._window.between(self._named(name), *self._part(start, end), columns)

    def _part(self, start: Moment | None, end: Moment | None) -> tuple[int | None, int | None]:
        """Two moments as epoch microseconds."""
        first, last = moment_of("start", start, self._tz), moment_of("end", end, self._tz)
        if first is not None and last is not None and first >= last:
            raise UsageError("start must be before end")
        return first, last

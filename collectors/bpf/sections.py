"""The section lines above a histogram, collected until its heading, and the series that they name."""

from typing import NamedTuple

from ...report import Report
from ...text.lines import Line
from .._series import OTHER, SeriesNames
from .headings import is_unknown, series_of


class Naming(NamedTuple):
    """The series of a histogram, the keys that name it, and the line that its section, or it, began with.

    ``shared`` says that several series of one interval may bear this name.
    """

    series: str
    keys: tuple[str, ...]
    begins: Line
    shared: bool


class Sections:
    """Pending section lines, and the names of the series so far."""

    def __init__(self, report: Report) -> None:
        self._names = SeriesNames(report)
        self._keys: dict[str, str] = {}
        self._begins: Line | None = None

    @property
    def pending(self) -> bool:
        """Whether a histogram is due."""
        return self._begins is not None

    def add(self, line: Line, keys: dict[str, str]) -> None:
        """A section line: a key said again replaces the earlier one, which had no histogram."""
        self._keys.update(keys)
        self._begins = self._begins or line

    def clear(self) -> None:
        """The pending sections have no histogram."""
        self._keys, self._begins = {}, None

    def take(self, heading: Line) -> Naming:
        """The series of the histogram whose heading comes now."""
        keys, begins = self._keys, self._begins or heading
        self.clear()
        series = self._names.capped(series_of(keys), heading.number)
        return Naming(series, tuple(keys), begins, shared=series == OTHER or is_unknown(keys))

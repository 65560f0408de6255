"""What the rows of a table show and its header does not tell: which column is the time, whether DELTA is a latency."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from ...collector import Columns
from ...text import decimal_of
from ...text.clean import is_noise
from ...text.lines import Line, Lines
from .._bounded import BoundedDict
from .header import NO_COLUMNS, TableLayout, is_rule, names_in, table_layout
from .names import column_name, latency_among, time_among

# A column that only rises and whose name has a unit, such as MONO(s), is a time.

LEAST_ROWS = 3
"""With fewer rows, any numbers seem to rise."""
MOST_ROWS = 8


def candidates(header: str, wanted: Columns) -> list[str]:
    """The columns of a header that could be the time: they name its unit, and are not the latency."""
    names = names_in(header)
    if wanted.time or wanted.regex or header.lstrip().startswith("{") or time_among(names) is not None:
        return []
    latency = latency_among(names)
    if latency is None and not wanted.latency:
        return []
    return [name for at, name in enumerate(names) if at != latency and _is_marked(name)]


def _is_marked(name: str) -> bool:
    return name.endswith((")", "]")) and column_name(name).unit is not None


def rising_among(header: str, rows: Sequence[str], wanted: Columns) -> str:
    """The candidate that never falls over the rows, and rises; empty if there is none, or more than one."""
    found = []
    for name in candidates(header, wanted):
        layout = table_layout(header, wanted._replace(time=name))
        if layout is not None and _rises(layout, rows):
            found.append(name)
    return found[0] if len(found) == 1 else ""


def _rises(layout: TableLayout, rows: Sequence[str]) -> bool:
    fields = [found for row in rows if (found := layout.row(row)) is not None]
    values = [decimal_of(found[layout.time.at]) for found in fields]
    numbers: list[Decimal] = [value for value in values if value is not None]
    if len(numbers) < LEAST_ROWS or len(numbers) < len(values):
        return False
    return numbers == sorted(numbers) and numbers[0] < numbers[-1]


def rising_in(head: str) -> str:
    """The name of such a column in the beginning of a text; empty if there is none."""
    lines = [line for line in head.split("\n") if not is_rule(line) and not is_noise(line)]
    for number, line in enumerate(lines[:-LEAST_ROWS]):
        if candidates(line, NO_COLUMNS):
            return rising_among(line, lines[number + 1 : number + 1 + MOST_ROWS], NO_COLUMNS)
    return ""


class RisingTime:
    """Looks at the rows below a header that names no time, before they are read. ``name``: the column, once found."""

    def __init__(self, wanted: Columns) -> None:
        self._wanted = wanted
        self.name = ""
        self.line = 0
        self._has_looked = False

    def read(self, lines: Lines) -> Iterator[Line | None]:
        """The same lines. The rows below such a header are held back until there are enough of them."""
        rest = iter(lines)
        for line in rest:
            if line is None or self._has_looked or not candidates(line.text, self._wanted):
                yield line
                continue
            self._has_looked = True
            rows: list[Line] = []
            while len(rows) < LEAST_ROWS and (below := next(rest, _END)) is not _END:
                if isinstance(below, Line) and not is_rule(below.text) and not is_noise(below.text):
                    rows.append(below)
            self.name = rising_among(line.text, [row.text for row in rows], self._wanted)
            self.line = line.number
            yield from (line, *rows)


_END = object()


# A column called DELTA holds a latency or, as in DTrace's flow scripts, the time since the row before.

ENOUGH_DELTAS = 5
"""After this many rows that can be compared with the row before, the column is known."""
MOST_DELTAS = 200
"""After this many rows it is taken for a latency, whatever they show."""
SHARE = 0.8
"""If at least this share of the rows are as long as the time since the row before, none of them is a latency."""
_AMBIGUOUS = frozenset({"delta"})
_CPUS = frozenset({"c", "cpu", "cpuid"})
_MICROS = 10**6


def is_ambiguous(name: str) -> bool:
    """Whether a column of this name can hold either."""
    return column_name(name).word in _AMBIGUOUS


class DeltaCheck:
    """Compares each value with the time since the row before, or since the row before of the same CPU."""

    def __init__(self, names: Sequence[str]) -> None:
        self._cpu = next((at for at, name in enumerate(names) if column_name(name).word in _CPUS), None)
        self._last: BoundedDict[str, int] = BoundedDict()
        self._grain = _MICROS
        self._rows = self._compared = self._equal = 0

    @property
    def is_settled(self) -> bool:
        """Whether the rows so far decide."""
        return self._compared >= ENOUGH_DELTAS or self._rows >= MOST_DELTAS

    @property
    def is_time_between(self) -> bool:
        """Whether the column is the time since the row before."""
        return 0 < self._compared * SHARE <= self._equal

    def take(self, fields: Sequence[str], end: int, latency: float, step: float) -> None:
        """Compare a row: its time in microseconds, its value in seconds, and the step in which values are printed."""
        self._rows += 1
        while end % self._grain:
            self._grain //= 1000
        cpu = fields[self._cpu] if self._cpu is not None else ""
        before = {self._last[key] for key in (cpu, "any") if key in self._last}
        allowed = 2 * max(step, self._grain / _MICROS)
        if before and latency > 2 * allowed:
            self._compared += 1
            self._equal += any(abs((end - last) / _MICROS - latency) <= allowed for last in before)
        self._last[cpu] = self._last["any"] = end

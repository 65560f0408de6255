"""A sentence with what it rests on, and the data of a series as sentences need them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np

from ..analysis import Estimate
from ..text.clean import printable
from ..window import ESTIMATED_BIT, RESET_BIT, UNCLOCKED_BIT, BoolArray, FloatArray, IntArray, Selection


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence. ``kind`` is a word for programs; ``evidence`` has the numbers in it, times in seconds."""

    kind: str
    text: str
    series: tuple[str, ...] = ()
    evidence: Mapping[str, float] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"kind": self.kind, "series": list(self.series), "text": self.text, "evidence": dict(self.evidence)}


LONGEST_FILTER = 60
"""Characters of a filter in a title."""


def filter_words(only: Sequence[str]) -> str:
    """`` with obj#=82015 and file#=7``; empty without a filter."""
    return f" with {' and '.join(printable(one, LONGEST_FILTER) for one in only)}" if only else ""


def finite(value: float) -> float | None:
    """JSON has no infinity: a band or range without an end is null."""
    return value if isfinite(value) else None


def estimate_json(one: Estimate) -> dict[str, float | None]:
    """An estimate and its band."""
    return {"value": finite(one.value), "low": finite(one.low), "high": finite(one.high)}


@dataclass(frozen=True)
class SeriesData:
    """One series: ``counts`` float64 [rows, columns] on ``edges`` [rows + 1], seconds; per column ``seconds`` (0 in a
    gap), ``starts`` and ``ends``, epoch microseconds, and ``waited``, seconds, None where they are only estimated;
    ``resets``, the columns in which counters began anew. ``noun``: what its events are; ``label``: what is measured.
    ``tick``: the step of its clock in seconds; None where only the counts could show it.
    """

    name: str
    noun: str
    label: str
    edges: FloatArray
    counts: FloatArray
    seconds: FloatArray
    starts: IntArray
    ends: IntArray
    waited: FloatArray | None
    resets: tuple[int, ...] = ()
    clock: bool = True
    width: float = 1.0
    tick: float | None = None

    @property
    def shown(self) -> str:
        """The name as texts have it: no control character, no line feed; a bare number, such as that of a device, is
        called a series.
        """
        return f"series {self.name}" if self.name.isdigit() else printable(self.name, 60)

    @cached_property
    def total(self) -> FloatArray:
        """Events per row."""
        return np.asarray(self.counts.sum(axis=1))

    @cached_property
    def exact(self) -> float | None:
        """Seconds waited by all events, where the source sums."""
        return None if self.waited is None else float(self.waited.sum())

    @property
    def span(self) -> float:
        """Seconds with data."""
        return float(self.seconds.sum())

    @property
    def measured(self) -> int:
        """Columns with data."""
        return int(np.count_nonzero(self.seconds > 0))


def series_data(name: str, noun: str, label: str, selection: Selection) -> SeriesData:
    """The columns of a series; ``selection`` has at least one."""
    edges, counts = selection.rows()
    columns = selection.columns
    flags: BoolArray = columns["flags"]
    exact = not (flags & ESTIMATED_BIT).any()
    return SeriesData(
        name,
        noun,
        label,
        edges,
        counts,
        columns["seconds"].astype(np.float64),
        columns["start"].astype(np.int64),
        columns["end"].astype(np.int64),
        columns["waited"].astype(np.float64) if exact else None,
        tuple(np.flatnonzero(flags & RESET_BIT).tolist()),
        not (flags & UNCLOCKED_BIT).any(),
        selection.width,
        selection.tick,
    )

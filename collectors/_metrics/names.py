"""Names the series of the histograms in metrics."""

from collections.abc import Iterable
from typing import TypeAlias

from ...report import Report
from ...text.clean import printable
from .._series import MAX_SERIES

LabelPairs: TypeAlias = tuple[tuple[str, str], ...]
MetricKey: TypeAlias = tuple[str, LabelPairs, LabelPairs]
"""A metric, the labels of one of its histograms, and the attributes that identify its origin."""


class HistogramNames:
    """All names given so far.

    A series is named by its metric and the values of its labels. The metric is omitted if it was the only one at first.
    If that name is taken, the keys of the labels are added, then the origin.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._names: dict[MetricKey, str] = {}
        self._taken: set[str] = set()
        self._only: str | None = None

    def __contains__(self, key: MetricKey) -> bool:
        return key in self._names

    def __len__(self) -> int:
        return len(self._names)

    def begin(self, metrics: Iterable[str]) -> None:
        """Note the metrics of the first data; if there is only one, names leave it out."""
        if not self._names:
            first = set(metrics)
            self._only = first.pop() if len(first) == 1 else None

    def name(self, key: MetricKey, line: int) -> str:
        """The name of a series; empty if there are too many, which is reported once."""
        if key not in self._names:
            if len(self._names) > MAX_SERIES:
                return ""
            if len(self._names) == MAX_SERIES:
                self._report.bad(line, f"more than {MAX_SERIES} histograms: the others are left out")
            self._names[key] = self._new_name(*key) if len(self._names) < MAX_SERIES else ""
        return self._names[key]

    def _new_name(self, metric: str, labels: LabelPairs, origin: LabelPairs) -> str:
        prefix = [] if metric == self._only else [metric]
        short = ",".join([*prefix, *(value for _, value in labels if value)]) or "all"
        long = [*prefix, *(f"{key}={value}" for key, value in labels)]
        longer = [*long, *(f"{key}={value}" for key, value in origin)]
        candidates = (printable(name) for name in (short, ",".join(long), ",".join(longer)) if name)
        name = next((name for name in candidates if name not in self._taken), "")
        name = name or printable(f"{short} ({len(self._taken) + 1})")
        self._taken.add(name)
        return name

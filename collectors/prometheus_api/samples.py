"""Joins the series of an answer: what one histogram had counted at each moment, and what is known of its instance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import NamedTuple, TypeVar

from ...record import Bound
from .._metrics.estimated_sums import SUFFIX
from .._metrics.names import LabelPairs
from .answers import ValueSeries, micros_of
from .totals import INFINITE, Totals, bound_of, classic_totals, native_totals, number_of, vmrange_totals

KINDS = ("_bucket", "_sum", "_count", "_created", SUFFIX)
UP, PROCESS_START = "up", "process_start_time_seconds"
LE, VMRANGE = "le", "vmrange"

Place = tuple[str, str]
"""The job and the instance of a series."""
ReportBad = Callable[[str], object]
Read = TypeVar("Read")


class HistogramKey(NamedTuple):
    """A histogram: its metric, empty for what an expression made, and its other labels."""

    metric: str
    labels: LabelPairs

    @property
    def place(self) -> Place:
        """The job and the instance."""
        labels = dict(self.labels)
        return labels.get("job", ""), labels.get("instance", "")


class _Parts:
    """The samples of one histogram by moment."""

    def __init__(self) -> None:
        self.buckets: dict[int, dict[Decimal, Bound]] = {}
        self.ranges: dict[int, dict[str, Bound]] = {}
        self.sums: dict[int, float] = {}
        self.created: dict[int, int] = {}
        self.estimated: dict[int, float] = {}
        self.native: dict[int, Totals] = {}

    def totals(self, report_bad: ReportBad) -> dict[int, Totals]:
        """The totals at each moment; those in native form where there are both, because they are finer."""
        classic = {moment: one for moment, one in self.buckets.items() if INFINITE in one}
        found = _made(classic, lambda moment, one: classic_totals(one.items(), self.sums.get(moment)), report_bad)
        found |= _made(self.ranges, lambda moment, one: vmrange_totals(one.items(), self.sums.get(moment)), report_bad)
        found |= self.native
        return {moment: one._replace(estimated=self.estimated.get(moment)) for moment, one in found.items()}


def _made(samples: dict[int, Read], make: Callable[[int, Read], Totals], report_bad: ReportBad) -> dict[int, Totals]:
    found = dict[int, Totals]()
    for moment, one in samples.items():
        try:
            found[moment] = make(moment, one)
        except ValueError as error:
            report_bad(f"a histogram at {moment / 1e6:.3f} is left out: {error}")
    return found


class JoinedSamples(NamedTuple):
    """Everything in an answer: totals and start-up times of histograms by moment, and of instances when their scrapes
    were, whether these succeeded, and when the process started. Moments are epoch microseconds.
    """

    totals: dict[HistogramKey, dict[int, Totals]]
    created: dict[HistogramKey, dict[int, int]]
    up: dict[Place, dict[int, bool]]
    process_starts: dict[Place, dict[int, int]]


def join_samples(series: Iterable[ValueSeries], report_bad: ReportBad) -> JoinedSamples:
    """Join the series of an answer. What cannot be read costs its histogram at its moment, and is reported."""
    parts: dict[HistogramKey, _Parts] = {}
    up: dict[Place, dict[int, bool]] = {}
    starts: dict[Place, dict[int, int]] = {}
    for one in series:
        if one.name == UP:
            up.setdefault(_place(one), {}).update(_read(one, lambda text: float(text) > 0, report_bad))
        elif one.name == PROCESS_START:
            starts.setdefault(_place(one), {}).update(_read(one, _micros, report_bad))
        else:
            _add(one, parts, report_bad)
    totals = {key: found for key, one in parts.items() if (found := one.totals(report_bad))}
    return JoinedSamples(totals, {key: parts[key].created for key in totals}, up, starts)


def _place(one: ValueSeries) -> Place:
    return one.labels.get("job", ""), one.labels.get("instance", "")


def _micros(text: str) -> int:
    return round(float(text) * 1e6)


def _add(one: ValueSeries, parts: dict[HistogramKey, _Parts], report_bad: ReportBad) -> None:
    """Add a series to its histogram. One that is part of none, as a counter, is ignored."""
    kind = _kind_of(one.name)
    found = parts.setdefault(key_of(one.labels), _Parts())
    if one.histograms:
        found.native.update(_read_native(one, report_bad))
    if LE in one.labels:
        _add_bucket(one, found, report_bad)
    elif VMRANGE in one.labels:
        for moment, count in _read(one, number_of, report_bad).items():
            found.ranges.setdefault(moment, {})[one.labels[VMRANGE]] = count
    elif kind == "_sum":
        found.sums.update(_read(one, float, report_bad))
    elif kind == SUFFIX:
        found.estimated.update(_read(one, float, report_bad))
    elif kind == "_created":
        found.created.update(_read(one, _micros, report_bad))


def key_of(labels: Mapping[str, str]) -> HistogramKey:
    """The histogram that a series with these labels is a part of."""
    name = labels.get("__name__", "")
    own = (LE, VMRANGE, "__name__")
    rest = tuple(sorted(pair for pair in labels.items() if pair[0] not in own))
    return HistogramKey(name.removesuffix(_kind_of(name)), rest)


def _kind_of(name: str) -> str:
    return next((kind for kind in KINDS if name.endswith(kind)), "")


def _add_bucket(one: ValueSeries, found: _Parts, report_bad: ReportBad) -> None:
    try:
        bound = bound_of(one.labels[LE])
    except ValueError as error:
        report_bad(f"a series is left out: {error}")
        return
    for moment, count in _read(one, number_of, report_bad).items():
        found.buckets.setdefault(moment, {})[bound] = count


def _read(one: ValueSeries, read: Callable[[str], Read], report_bad: ReportBad) -> dict[int, Read]:
    """The values of a series by moment. VictoriaMetrics tells the end of a series as NaN: that is no value."""
    found = dict[int, Read]()
    for sample in one.values:
        try:
            seconds, text = sample
            if text != "NaN":
                found[micros_of(seconds)] = read(str(text))
        except (ValueError, TypeError, OverflowError) as error:
            report_bad(f"a sample of {one.name or 'an expression'} is left out: {error}")
    return found


def _read_native(one: ValueSeries, report_bad: ReportBad) -> dict[int, Totals]:
    found = dict[int, Totals]()
    for sample in one.histograms:
        try:
            seconds, members = sample
            found[micros_of(seconds)] = native_totals(members)
        except (ValueError, TypeError, IndexError, OverflowError) as error:
            report_bad(f"a native histogram of {one.name or 'an expression'} is left out: {error}")
    return found

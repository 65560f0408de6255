"""The totals as text: that of Prometheus (0.0.4), or OpenMetrics, both written by prometheus-client."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from math import inf
from typing import TYPE_CHECKING

from ..collectors._metrics.estimated_sums import SUFFIX
from ..errors import MissingPackage
from .grids import CLOSE, ClassicGrid
from .served_totals import SeriesSnapshot, TotalsSnapshot

if TYPE_CHECKING:
    from prometheus_client import Metric

NEED = "the text for Prometheus is written by prometheus-client; install it by"
LATENCY = "Latency of events by series. What has no upper end in the source is in the last bucket alone."
ESTIMATES = "The part of the sum of this series that is an estimate, because the source has counts only."
ABOUT = (
    ("source_up", "gauge", "Whether the source of the latencies is there.", "up"),
    ("last_interval_timestamp_seconds", "gauge", "When the newest interval ended.", "last"),
    ("intervals", "counter", "Intervals that were added up.", "intervals"),
    ("gaps", "counter", "Times in which the source was silent.", "gaps"),
    ("resets", "counter", "Restarts of the counters of the source.", "resets"),
    ("series_left_out", "gauge", "Series that are one too many and count as series other.", "left_out"),
)
"""What is said besides: name, type, help, and the field of the snapshot."""
PREFIX = "pylatencymap"


def check_library() -> None:
    """Raise MissingPackage if the library is not there."""
    try:
        import prometheus_client
    except ImportError as error:
        raise MissingPackage(NEED, "prometheus-client") from error
    del prometheus_client


class _Families:
    """The families of a snapshot, as a registry of the library."""

    def __init__(self, found: TotalsSnapshot, metric: str, grid: ClassicGrid, live: bool) -> None:
        self._found = found
        self._about = ABOUT if live else ()
        self._live = live
        self._metric = metric
        self._grid = grid

    def collect(self) -> Iterator[Metric]:
        from prometheus_client import Metric
        from prometheus_client.utils import floatToGoString

        family = Metric(self._metric, LATENCY, "histogram", "seconds")
        bounds = [*self._grid.bounds, inf]
        names = [*map(floatToGoString, self._grid.bounds), "+Inf"]
        for one in self._found.series:
            labels = {"series": one.name}
            sums = accumulate(one.classic.get(number, 0) for number in range(len(bounds)))
            for bound, name, total in zip(bounds, names, sums, strict=True):
                if self._is_known(bound, one):
                    family.add_sample(f"{self._metric}_bucket", {**labels, "le": name}, total)
            family.add_sample(f"{self._metric}_count", labels, one.events)
            family.add_sample(f"{self._metric}_sum", labels, one.waited)
            family.add_sample(f"{self._metric}_created", labels, one.created)
        yield family
        yield from self._others()

    def _is_known(self, bound: float, one: SeriesSnapshot) -> bool:
        """Whether the events up to a bound are known, or it has to be there: live, buckets must not come and go."""
        return self._live or bound == inf or bound <= one.open_from * (1 + CLOSE)

    def _others(self) -> Iterator[Metric]:
        from prometheus_client import Metric

        estimates = Metric(estimates_of(self._metric), ESTIMATES, "counter")
        for one in self._found.series:
            estimates.add_sample(f"{self._metric}{SUFFIX}", {"series": one.name}, one.estimated)
        yield estimates
        for name, kind, what, member in self._about:
            other = Metric(f"{PREFIX}_{name}", what, kind)
            suffix = "_total" if kind == "counter" else ""
            other.add_sample(f"{PREFIX}_{name}{suffix}", {}, float(getattr(self._found, member)))
            yield other


def estimates_of(metric: str) -> str:
    """The name of the counter of estimates, as families have it: without its last word."""
    return f"{metric}{SUFFIX.removesuffix('_total')}"


def text_of(
    found: TotalsSnapshot, metric: str, grid: ClassicGrid, accept: str, *, live: bool = True
) -> tuple[bytes, str]:
    """The text that a scraper accepts, and its content type. ``live``: it says how its source is as well. Raises
    MissingPackage.
    """
    check_library()
    from prometheus_client import CollectorRegistry
    from prometheus_client.exposition import choose_encoder

    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Families(found, metric, grid, live))
    encode, content_type = choose_encoder(accept)
    return encode(registry), content_type

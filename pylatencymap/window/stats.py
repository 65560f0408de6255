"""Averages and percentiles of a distribution given as ranges."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Quantity:
    """A latency in seconds; ``beyond`` says that it is only a lower limit (it lies in an open overflow row)."""

    seconds: float
    beyond: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """What a line of statistics shows, over ``span`` seconds. The latencies are None where there were no events.

    ``maximum`` is the upper bound of the highest range in use (so "max <"), or its lower bound and ``beyond``.
    """

    span: float
    events: float
    waited: float
    estimated: bool
    average: Quantity | None = None
    p50: Quantity | None = None
    p90: Quantity | None = None
    p99: Quantity | None = None
    maximum: Quantity | None = None

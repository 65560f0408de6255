"""Turns objects of fio's JSON output into cumulative histograms by job and direction."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...record import Range, tidy_ranges
from ...text.clean import printable
from ...units import Unit
from .bins import range_around

DIRECTIONS = ("read", "write", "trim", "mixed", "sync")
_HISTOGRAMS = (("clat_ns", Unit.NS), ("lat_ns", Unit.NS), ("clat", Unit.US), ("lat", Unit.US))
"""Completion latency, as in histogram logs, is preferred to total latency; fio 2 counted in microseconds."""
SAME_EVENTS = 0.01
"""The share by which two of fio's counts of the same events can differ."""
_LONGEST = 10**9
"""Seconds; no run lasts as long."""


@dataclass
class JobCounts:
    """The counts of one series in one object; jobs of the same name are added up. ``waited`` can be unknown: None."""

    unit: Unit
    ranges: list[Range] = field(default_factory=list)
    waited: float | None = 0.0


class JsonOutput(NamedTuple):
    """One object: its moment in epoch microseconds, how long its jobs had run, and their counts.

    ``ios``: there were I/Os, with bins or without.
    """

    micros: int | None
    whole: bool
    ran: int
    counts: dict[str, JobCounts]
    ios: bool


def output_of(value: dict[str, Any]) -> JsonOutput:
    """What an object contains; raise ValueError for invalid bins."""
    milli, second = (_whole(value.get(name)) for name in ("timestamp_ms", "timestamp"))
    micros = milli * 1000 if milli else second * 1_000_000 if second else None
    counts: dict[str, JobCounts] = {}
    ran, ios = 0, False
    for name, direction, ops in _operations(value):
        ran = max(ran, _whole(ops.get("runtime")) or 0)
        ios |= bool(_whole(ops.get("total_ios")))
        _add(counts, printable(f"{name},{direction}"), ops)
    return JsonOutput(micros, not milli, min(ran, _LONGEST * 1000) * 1000, counts, ios)


def _operations(value: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Job, direction and results of all jobs, including those of a server's clients, but not the sums over these."""
    for jobs in (value.get("jobs"), value.get("client_stats")):
        for job in jobs if isinstance(jobs, list) else ():
            if not isinstance(job, dict) or job.get("jobname") == "All clients":
                continue
            host = job.get("hostname")
            name = f"{host},{job.get('jobname')}" if host else str(job.get("jobname"))
            for direction in DIRECTIONS:
                if isinstance(ops := job.get(direction), dict):
                    yield name, direction, ops


def _add(counts: dict[str, JobCounts], series: str, ops: dict[str, Any]) -> None:
    for kind, unit in _HISTOGRAMS:
        latency = ops.get(kind)
        bins = latency.get("bins") if isinstance(latency, dict) else None
        if not isinstance(latency, dict) or not isinstance(bins, dict) or not bins:
            continue
        ranges = [(*range_around(_count(value), unit), _count(count)) for value, count in bins.items()]
        if any(count for _, _, count in ranges):
            known = counts.setdefault(series, JobCounts(unit))
            known.ranges = list(tidy_ranges([*known.ranges, *ranges]))
            known.waited = _plus(known.waited, latency, sum(count for _, _, count in ranges), unit)
            return


def _plus(waited: float | None, latency: dict[str, Any], events: int, unit: Unit) -> float | None:
    """Add the time of a job, from its mean, which is exact.

    fio reads its counters while they are counting, so the mean can cover a few events more or less than the bins.
    """
    mean, measured = latency.get("mean"), latency.get("N", events)
    if waited is None or not isinstance(mean, float | int) or not 0 <= mean < 1e18:
        return None
    if not isinstance(measured, int) or abs(measured - events) > max(events * SAME_EVENTS, 2):
        return None
    return waited + mean * measured * unit.seconds


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53 else None


def _count(value: object) -> int:
    """A number, or the digits of one; raise ValueError for anything else."""
    digits = value if isinstance(value, str) else str(value) if isinstance(value, int) else ""
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 20):
        raise ValueError(f"a bin that holds no count: {str(value)[:40]}")
    return int(digits)

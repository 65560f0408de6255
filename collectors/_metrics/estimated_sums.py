"""How metrics say that times waited are estimates: a counter beside a histogram has the part of its ``_sum`` that is.

``pylatencymap serve`` and the files .prom and .om have it for each label set, 0 where sums are exact. What grew between
two scrapes tells whether the difference of their sums is exact.
"""

from __future__ import annotations

SUFFIX = "_estimated_total"
"""Behind the name of the histogram, as in ``rpc_seconds_estimated_total``. The counter has the same labels."""
OWN_METRIC = "pylatencymap_latency_seconds"
"""The usual name of our histograms. Where the counter was not asked for, their sums can be estimates."""


def is_estimated(metric: str, before: float | None, now: float | None) -> bool:
    """Whether the time waited since the last scrape is an estimate, by the counter in that one and in this one; None
    where a scrape does not have it.
    """
    if now is None:
        return before is not None or metric == OWN_METRIC
    return now > 0 and now != before

"""fio's histograms: the logs of write_hist_log, and the bins in its json+ output.

A line of a log contains, by bin, what happened since the last line of the same direction. In json+ the bins count from
the start of the job: one object covers the whole run, and the objects of --status-interval are cumulative. Source:
stat.c, stat.h and iolog.c of fio.
"""

import re
from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Event
from ...report import Report
from ...text.lines import Lines
from .signs import is_averages

DESCRIPTION = "fio histogram logs (write_hist_log, fio 2 and 3) and json+ output, also with --status-interval"

_LOG = re.compile(r"^[0-9]+, ?[0-2], ?[0-9]+, ?(?:[0-9]+, ?){15}", re.MULTILINE)
_JSON = re.compile(r'^[{ ]*"fio version" *: *"', re.MULTILINE)
_WITHIN = re.compile(r'^ +"(?:[sc]?lat_ns|clat|jobname|latency_target)" *: *[{"0-9]', re.MULTILINE)
"""Lines within the output, for texts whose beginning was cut off."""
_BINS = re.compile(r'(?:^ +"[0-9]{1,15}" *: *[0-9]{1,15},?\r?\n){20}', re.MULTILINE)
_SUMMARY = re.compile(
    r"^fio-[0-9]+\.[0-9]+[\w.-]*\r?$|^\S.*: \(g=[0-9]+\): rw=\w+|^ +(?:clat|lat) percentiles \([munsec]+\):",
    re.MULTILINE,
)


def detect(head: str) -> Likelihood:
    """Certain by the columns of a log, by the version in the JSON, or by the lines of a summary."""
    if _LOG.search(head):
        return Likelihood(0.96, "bins of a fio histogram log")
    if _JSON.search(head):
        return Likelihood(0.98, "fio's JSON")
    if _WITHIN.search(head):
        return Likelihood(0.93, "lines of fio's JSON")
    if _BINS.search(head):
        return Likelihood(0.6, "bins as in fio's JSON")
    if _SUMMARY.search(head):
        return Likelihood(0.95, "fio's summary of a run")
    if is_averages(head.splitlines()):
        return Likelihood(0.92, "a fio log of averages")
    return NOT_MINE


def decode(lines: Lines, report: Report, _: Known = NOTHING_KNOWN) -> Iterator[Event]:
    """Yield records of logs and of json+ output; raise Refused for output of fio without a distribution over time."""
    from .decoder import FioHistDecoder

    yield from FioHistDecoder(report).events(lines)

"""Logs of jobs, single events on any clock:

    job backup took 250 ms until 1700000000250000
    job backup took 40 ms until 36000000000 day on 2026-11-20
    job vacuum took 12 ms until 5000000 free in steps of 1

The first is in microseconds since 1970; ``day``, ``free`` and ``counted`` are the other clocks.
"""

import re
from collections.abc import Iterator

from pylatencymap.collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from pylatencymap.record import Clock, Decoded, Pause, Sample
from pylatencymap.report import Report
from pylatencymap.text.clean import printable
from pylatencymap.text.lines import Lines
from pylatencymap.units import Unit

DESCRIPTION = "job logs"

_LINE = re.compile(
    r"job (?P<series>\S+) took (?P<latency>\d+) (?P<unit>ns|us|ms) until (?P<micros>\d+)"
    r"(?: (?P<clock>day|free|counted))?(?: on (?P<text>\S+))?(?: in steps of (?P<step>\d+))?$"
)


def detect(head: str) -> Likelihood:
    """Not very sure: anything could begin so."""
    return Likelihood(0.6, "lines of jobs") if head.startswith("job ") else NOT_MINE


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Decoded]:
    """A sample for each job, when it ended."""
    for line in lines:
        if line is None:
            yield Pause()
        elif found := _LINE.match(line.text):
            yield Sample(
                series=printable(found["series"]),
                unit=known.unit or Unit(found["unit"]),
                latency=int(found["latency"]),
                micros=int(found["micros"]),
                clock=Clock(found["clock"] or "epoch"),
                text=found["text"] or "",
                label="jobs",
                source="joblog",
                line=line.number,
                arrival=line.arrival,
                step=int(found["step"] or 0),
            )
        else:
            report.bad(line.number, f"no job: {line.text}")

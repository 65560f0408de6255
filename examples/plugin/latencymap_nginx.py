"""nginx access logs whose lines end with ``rt=$request_time``, as events: one series for each method.

    log_format timed '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent rt=$request_time';

Source: nginx documentation, ngx_http_log_module: $request_time is in seconds with milliseconds, and the line is written
when the request has ended.
"""

import re
from collections.abc import Iterator
from datetime import datetime

from pylatencymap.collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from pylatencymap.record import Decoded, EventKey, Pause, Sample
from pylatencymap.report import Report
from pylatencymap.text.clean import printable
from pylatencymap.text.lines import Lines
from pylatencymap.units import Unit

DESCRIPTION = "nginx access logs with rt=$request_time"

_LINE = re.compile(r'(\S+) - .* \[([^\]]+)\] "(\S+) ([^"]*)" (\d{3}) .*\brt=(\d+)\.(\d{3})\b')


def detect(head: str) -> Likelihood:
    """Sure where a line of the log stands."""
    found = any(_LINE.match(line) for line in head.splitlines())
    return Likelihood(0.95, "access log with rt=") if found else NOT_MINE


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Decoded]:
    """A sample for each request, at its end; if they are wanted, with client, path and status as keys."""
    for line in lines:
        if line is None:
            yield Pause()
            continue
        found = _LINE.match(line.text)
        if found is None:
            report.bad(line.number, f"no line of this log format: {line.text}")
            continue
        client, moment, method, request, status, seconds, millis = found.groups()
        try:
            end = datetime.strptime(moment, "%d/%b/%Y:%H:%M:%S %z")
        except ValueError:
            report.bad(line.number, f"no time that nginx writes: {moment}")
            continue
        keys = (EventKey("client", client), EventKey("path", request.split(" ")[0]), EventKey("status", status))
        yield Sample(
            printable(method),
            Unit.MS,
            int(seconds) * 1000 + int(millis),
            round(end.timestamp()) * 1_000_000,
            label="nginx requests",
            source="nginx",
            line=line.number,
            arrival=line.arrival,
            keys=keys if known.keys else (),
        )

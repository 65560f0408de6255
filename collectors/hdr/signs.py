"""Recognises interval logs and percentile distributions."""

import re

INTERVAL = re.compile(
    r'^"?(?:Tag=[^,"\n]*"?,"?)?[0-9]+\.[0-9]+"?, ?"?[0-9]+\.[0-9]+"?, ?"?[0-9.]+"?, ?"?(?:HIST|DHIS|DHJ)[\w+/]',
    re.MULTILINE,
)
HEADER = re.compile(
    r'^#\[Histogram log format version|^#\[Logging for: |^"StartTimestamp","(?:Interval_Length|EndTimestamp)"',
    re.MULTILINE,
)
PERCENTILES = re.compile(
    r"^ *Value +Percentile +TotalCount +1/\(1-Percentile\)|^#\[(?:Mean +=|Buckets +=)", re.MULTILINE
)

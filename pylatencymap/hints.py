"""Hints for formats that people will try but that no collector reads: naming the format helps more than "unknown"."""

import re

from .text.clean import printable

_UNREAD = "which this version does not read"
_TEXTS = ((r"^latency +read +write +read +write", "zpool iostat -w text"),)
_SUMMARIES = (
    *(
        (rf"\A{magic}", f"{name} data, which is not unpacked here", f"{program} FILE | pylatencymap")
        for magic, name, program in (
            (r"BZh[1-9](?:1AY&SY|\x17rE8P)", "bzip2", "bzcat"),
            (r".{0,2}7zXZ\x00", "xz", "xzcat"),
        )
    ),
    (
        r"\A[\s,\[]*\{(?s:.{0,400})\"fstype\"(?s:.{0,400})\"(?:io|stat)\"",
        "JSON of ioping",
        "ioping without -J (and -I for times)",
    ),
    (
        r"^[a-zA-Z_:][\w:]*_bucket\{[^\n]{0,400}vmrange=",
        "histograms of VictoriaMetrics (vmrange), which this version does not read",
        "histograms with le: prometheus_buckets() of MetricsQL makes them, or a Prometheus client",
    ),
    (
        r"^--- \S.* ioping statistics ---",
        "the summary of ioping: averages of a whole run, no distribution over time",
        "ioping without -q (and -I for times)",
    ),
    (
        r"^TKPROF: Release|^call +count +cpu +elapsed +disk +query +current +rows",
        "a report of tkprof: totals of a whole trace, no distribution over time",
        "the trace file itself (.trc)",
    ),
    (
        r"^sysbench \d+\.\d|^Latency histogram \(values are in milliseconds\)",
        "sysbench output: percentiles per second and one histogram of the whole run, no distribution over time",
        "the server's own histogram, QUERY_RESPONSE_TIME or events_statements_histogram_global, printed every second",
    ),
    (
        r"^(?:proxy|(?=[^\s/]+/\S)\S+) histograms *\r?$|^Percentile +(?:SSTables|Read Latency)",
        "nodetool's histograms: percentiles only, no distribution",
        "Cassandra's latency metrics as Prometheus text",
    ),
    (
        r"^ *Thread Stats +Avg +Stdev|^ *Latency Distribution(?: \(HdrHistogram.*\))? *\r?$",
        "wrk output: averages and percentiles of a whole run, no distribution over time",
        "an HdrHistogram interval log (.hlog)",
    ),
    (
        r"\A\s*\d+(?:\.\d+)?(?:(?:[ \t]+(?:[,;|][ \t]*)?|[,;|][ \t]*)\d+(?:\.\d+)?)+[ \t]*\r?(?:\n|\Z)",
        "columns of numbers without names",
        "--time and --latency with their numbers and units, as in --time 1:s --latency 2:us where they are so",
    ),
    (
        r"\A\s*\{\".*\}\s*(?:\n|\Z)",
        "JSON lines in which no member is clearly a time and another a latency",
        "--time NAME and --latency NAME, with a path for a member of an object within, as in req.latency_ms",
    ),
    (
        r"\A\s*\"?[A-Za-z_][\w()./@-]*(?: [\w()./@-]+){0,2}\"?(?:[,;\t|]\"?[\w()./@-]+(?: [\w()./@-]+){0,2}\"?)+\r?"
        r"\n(?=[^\n,;\t|]*[,;\t|][^\n]*\d)",
        "a table in which no column is clearly a time and another a latency",
        "--time NAME and --latency NAME, with a unit behind a colon where the name has none",
    ),
)
"""Compressed data, and tables and percentiles without latency over time: (pattern, name, what works instead)."""
_HINTS = (
    *(
        (re.compile(pattern, re.MULTILINE), f"{name}; what would work is {instead}")
        for pattern, name, instead in _SUMMARIES
    ),
    *((re.compile(pattern, re.MULTILINE), f"{name}, {_UNREAD}") for pattern, name in _TEXTS),
)
_ORACLE_ERROR = re.compile(r"^(?:ORA|SP2|TNS)-\d{4,5}: .*", re.MULTILINE)
_LONGEST_ERROR = 120
"""How much of an error message is quoted, in characters."""


def hint_of(text: str) -> str:
    """What a text looks like, to complete "this looks like ..."; empty if the text matches no known format."""
    if error := _ORACLE_ERROR.search(text):
        quoted = printable(error[0].strip(), _LONGEST_ERROR)
        return f"an Oracle error, {quoted!r}; run SQL*Plus without the pipe to see what it lacks"
    return next((hint for pattern, hint in _HINTS if pattern.search(text)), "")

"""Recognises the text of BPF tools, and the forms of it that contain no latency distribution. Needs no grammar."""

import re
from typing import NamedTuple

from ...collector import NOT_MINE, Likelihood
from .tools import tool_of

HEADING = re.compile(r"^ *\S+(?: \S+)* *: count {4,5}distribution *\r?$", re.MULTILINE)
_ROW = re.compile(r"^ *[0-9]+ -> [0-9]+ *: -?[0-9]+ *\|[* ]*\+?\| *\r?$", re.MULTILINE)
_DICTIONARY = re.compile(r"^\{'(?:ts|val_type)': '", re.MULTILINE)
_FOREIGN = re.compile(
    r"^Attach(?:ing|ed) [0-9]+ probes?"  # bpftrace
    r"|^@\w*(?:\[.*\])?: *\r?$"  # bpftrace
    r"|^ *value +\|?-{10}"  # DTrace, SystemTap
    r"|>=\(\w+\) \.\. <\(\w+\)"  # perf-tools
    r"|^TIME(?:\(s\))? +(?:COMM|PID) +.*\b(?:LAT\((?:us|ms)\)|MS QUERY)",  # event by event
    re.MULTILINE,
)
_INSTEAD = "what would work is a histogram: biolatency, runqlat, cpudist, ext4dist, funclatency, softirqs -d"


class Refusal(NamedTuple):
    """A form of text that a BPF tool prints but that is not a latency distribution this version can read."""

    form: re.Pattern[str]
    reason: str


def _refusal(form: str, reason: str) -> Refusal:
    return Refusal(re.compile(form, re.MULTILINE), reason)


REFUSALS = (
    _refusal(
        r"^ *Range +: Count +Distribution *\r?$",
        f"perf-stat-hist counts the values of any variable in buckets, such as sizes, and names no unit; {_INSTEAD}",
    ),
    _refusal(
        r"^SYSCALL +COUNT(?: +(?:ERRORS|TIME \((?:us|ms)\)))* *\r?$",
        f"syscount prints totals per system call, no distribution; {_INSTEAD}",
    ),
    _refusal(
        r"^FUNC +COUNT *\r?$",
        f"funccount prints how often functions were called, no distribution; {_INSTEAD}",
    ),
    _refusal(
        r"^(?:SOFT|HARD)IRQ +TOTAL_\w+ *\r?$",
        "softirqs and hardirqs without -d print totals per interrupt, no distribution; with -d they print histograms",
    ),
    _refusal(
        r"^\S+ +p1 +p5 +p[0-9]+|^\{\"\w+\": \{\"1\": [0-9.e-]+, ",
        f"biolatpcts prints percentiles only, no distribution; {_INSTEAD}",
    ),
)


def refusal_of(line: str) -> str:
    """Why a line's form cannot be used; empty if it is none of these forms."""
    return next((reason for form, reason in REFUSALS if form.search(line)), "")


def likelihood(head: str) -> Likelihood:
    """How much a text looks like a BPF tool's."""
    if _FOREIGN.search(head):
        return NOT_MINE
    if HEADING.search(head):
        return Likelihood(0.98, "histograms headed 'usecs : count distribution'")
    if _DICTIONARY.search(head):
        return Likelihood(0.97, "histograms as Python dictionaries, {'ts': ..., 'val_type': ...")
    if any(form.search(head) for form, _ in REFUSALS):
        return Likelihood(0.95, "a table of a BPF tool")
    if _ROW.search(head):
        return Likelihood(0.6, "rows of a histogram 'lower -> upper : count |***|'")
    if any(tool_of(line) for line in head.splitlines()):
        return Likelihood(0.5, "the first line of a BPF tool")
    return NOT_MINE

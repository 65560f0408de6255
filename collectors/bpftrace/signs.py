"""Recognises the text of bpftrace."""

import re

from ...collector import NOT_MINE, Likelihood
from .rows import FORM

_ROW = re.compile(rf"^{FORM} +[0-9]{{1,20}} \|[@ ]*\|? *\r?$", re.MULTILINE)
_HEADING = re.compile(r"(?:^|\^C|[^\w@])@\w*(?:\[.*\])?: *\r?$", re.MULTILINE)
_NUMBER = re.compile(
    r"^@\w*(?:\[.*\])?: (?:-?[0-9]+|count [0-9]+, average -?[0-9]+, total -?[0-9]+) *\r?$", re.MULTILINE
)
_TYPES = r"attached_probes|lost_events|hist|stats|map|tseries|time|printf|value"
_JSON = re.compile(rf'^\{{\s*"type": ?"(?:{_TYPES})",\s*"(?:data|count)":', re.MULTILINE)
_ATTACHED = re.compile(r"^Attach(?:ing|ed) [0-9]+ probes?", re.MULTILINE)
_CLOCKS = re.compile(r"(?:Attach.*|[0-9/T -]*[0-9][0-9]:[0-9][0-9]:[0-9][0-9][0-9.]*)?")
TSERIES = re.compile(r"^ *hh:mm:ss(?:\.[mun]s)? +\|_+\|", re.MULTILINE)


def likelihood(head: str) -> Likelihood:
    """How much a text looks like bpftrace's."""
    if _JSON.search(head):
        return Likelihood(0.97, "messages of bpftrace -f json")
    if _ROW.search(head):
        return Likelihood(0.98 if _HEADING.search(head) else 0.95, "histograms with rows '[1K, 2K) 5 |@@@|'")
    if TSERIES.search(head):
        return Likelihood(0.95, "a time series of bpftrace")
    if _HEADING.search(head) or _NUMBER.search(head):
        return Likelihood(0.6, "a map of bpftrace")
    if _ATTACHED.search(head):
        is_quiet = all(_CLOCKS.fullmatch(line.strip()) for line in head.splitlines())
        return Likelihood(0.6 if is_quiet else 0.4, "the first line of bpftrace")
    return NOT_MINE

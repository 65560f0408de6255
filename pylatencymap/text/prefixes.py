"""What other programs put in front of each line: names of hosts, of units, of containers, and times."""

import re
from collections.abc import Iterator
from typing import NamedTuple

LEAST_LINES = 3
"""With fewer lines nothing can be said to be in front of each."""


class Prefix(NamedTuple):
    """``example`` is what stands in front of the first line; ``advice``: how to get ``text``, the lines without it."""

    example: str
    advice: str
    text: str


_SYSLOG_TIME = r"(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT[\d:.,+Z-]{8,24})"
_FORMS = (
    (rf"{_SYSLOG_TIME} \S{{1,80}} \S{{1,80}}?(?:\[\d{{1,10}}\])?:(?: |$)", "journalctl -o cat"),
    (rf"{_SYSLOG_TIME}(?: |$)", "the text without ts"),
    (r"[\w.-]{1,80} +\|(?: |$)", "docker compose logs --no-log-prefix"),
    (r"\[[\w./:-]{1,200}\](?: |$)", "kubectl logs without --prefix, or sed 's/^[^ ]* //'"),
    (r"[\w.@-]{1,80}:(?: |$)", "pdsh -N, or sed 's/^[^:]*: //' where each line is of one host"),
)
_COMPILED = tuple((re.compile(form), advice) for form, advice in _FORMS)


def prefixes_of(text: str) -> Iterator[Prefix]:
    """What may stand in front of each line of a text; empty lines do not need it."""
    lines = text.split("\n")
    full = [line for line in lines if line.strip()]
    if len(full) < LEAST_LINES:
        return
    for form, advice in _COMPILED:
        first = form.match(full[0])
        if first and all(map(form.match, full)):
            yield Prefix(first[0], advice, "\n".join(form.sub("", line, count=1) for line in lines))

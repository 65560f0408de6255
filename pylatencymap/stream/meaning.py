"""What a record's own text says of its series: name, source, and which bound its labels are."""

import re
from functools import lru_cache
from typing import NamedTuple

from ..text.clean import printable
from .syntax import ORACLE

NAMELESS = "all"
"""The series of a record without a label."""

_ORACLE_VIEW = re.compile(r"\bg?v\$", re.IGNORECASE)
_VIEW_TAIL = re.compile(r"\s+latency data from g?v\$.*$", re.IGNORECASE)


class Meaning(NamedTuple):
    """``upper``: the record's labels are upper bounds."""

    label: str
    series: str
    source: str
    upper: bool


@lru_cache(maxsize=1024)
def meaning_of(label: str, datasource: str) -> Meaning:
    """The meaning of the two lines. Without a datasource the label decides: it names ``gv$`` or ``v$`` for Oracle."""
    label = printable(label.strip())
    source = printable(datasource.strip().lower())
    if not source and _ORACLE_VIEW.search(label):
        source = ORACLE
    return Meaning(label, _VIEW_TAIL.sub("", label) or NAMELESS, source, source == ORACLE)

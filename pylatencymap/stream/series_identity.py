"""What a record's own text says of its series: name, source, and which bound its labels are."""

import re
from functools import lru_cache
from typing import NamedTuple

from ..text.clean import printable
from .syntax import ORACLE_SOURCE

NAMELESS = "all"
"""The series of a record without a label."""

_ORACLE_VIEW = re.compile(r"\bg?v\$", re.IGNORECASE)
_VIEW_TAIL = re.compile(r"\s+latency data from g?v\$.*$", re.IGNORECASE)


class SeriesIdentity(NamedTuple):
    """``upper``: the record's labels are upper bounds."""

    label: str
    series: str
    source: str
    upper: bool


@lru_cache(maxsize=1024)
def identity_of(label: str, datasource: str) -> SeriesIdentity:
    """The meaning of the two lines. Without a datasource the label decides: it names ``gv$`` or ``v$`` for Oracle."""
    label = printable(label.strip())
    source = printable(datasource.strip().lower())
    if not source and _ORACLE_VIEW.search(label):
        source = ORACLE_SOURCE
    return SeriesIdentity(label, _VIEW_TAIL.sub("", label) or NAMELESS, source, source == ORACLE_SOURCE)

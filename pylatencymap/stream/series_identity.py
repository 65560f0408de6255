"""Finds out from a record's own text which series it is of, its source, and whether its labels are upper bounds."""

import re
import sys
from functools import lru_cache
from typing import NamedTuple

from ..text.clean import printable
from .syntax import ORACLE_SOURCE

NAMELESS = "all"
"""The name of the series if a record has no label."""

_ORACLE_VIEW = re.compile(r"\bg?v\$", re.IGNORECASE)
_VIEW_TAIL = re.compile(r"\s+latency data from g?v\$.*$", re.IGNORECASE)


class SeriesIdentity(NamedTuple):
    """What the ``label`` and ``datasource`` lines of a record mean. ``upper``: its bucket labels are upper bounds."""

    label: str
    series: str
    source: str
    upper: bool


@lru_cache(maxsize=1024)
def identity_of(label: str, datasource: str) -> SeriesIdentity:
    """The meaning of the two lines. Without a datasource the label decides: an Oracle label names ``gv$`` or ``v$``."""
    label = sys.intern(printable(label.strip()))  # every record of a series names it
    source = printable(datasource.strip().lower())
    if not source and _ORACLE_VIEW.search(label):
        source = ORACLE_SOURCE
    return SeriesIdentity(label, _VIEW_TAIL.sub("", label) or NAMELESS, source, source == ORACLE_SOURCE)

"""What a name says of the numbers below it: ``read latency (us)``, ``@read_latency_ns``, ``bytes``.

For histograms that tell no unit of their own: bpftrace's maps, what scripts of DTrace and SystemTap print above them.
"""

import re
from functools import lru_cache

from ..units import Unit, unit_from

_LONG = r"(?:nano|micro|milli)sec(?:ond)?s?|[num]secs?|[\u00b5\u03bc]s"
_SHORT = r"ns|us|ms"
_UNIT = re.compile(
    rf"(?:(?<=[^A-Za-z])|^)(?:{_LONG})(?![A-Za-z])"  # words that are nothing else
    rf"|(?<=[_(\[])(?:{_SHORT})(?![A-Za-z])"  # lat_us, (us), [us]
    rf"|(?<=\bin )(?:{_SHORT})(?![A-Za-z])"
    rf"|(?:(?<=[ @])|^)(?:{_SHORT})(?=\s*(?:$|[:,;)\]\[]))",  # latency us: nothing follows in its sentence
    re.IGNORECASE,
)
_SIZES = (
    (re.compile(r"sector", re.IGNORECASE), "sizes in sectors, not a time"),
    (re.compile(r"kbytes|\bkb\b|kib", re.IGNORECASE), "sizes in kilobytes, not a time"),
    (re.compile(r"bytes|(?<![a-z])siz(?:e|es)(?![a-z])|bitesize", re.IGNORECASE), "sizes, not a time"),
    (re.compile(r"(?<![a-z])len(?:gth)?s?(?![a-z])|(?:q|que|queue|run)len\b", re.IGNORECASE), "lengths, not a time"),
    (re.compile(r"(?<![a-z])(?:depths?|fds?)(?![a-z])", re.IGNORECASE), "numbers of something, not a time"),
)


@lru_cache(maxsize=4096)
def unit_named(name: str) -> Unit | None:
    """The unit of time that a name mentions, None where it mentions none."""
    found = _UNIT.search(name)
    return unit_from(found[0]) if found else None


@lru_cache(maxsize=4096)
def reason_not_time(name: str) -> str:
    """Why a name is that of no time, such as "sizes, not a time"; empty where it may be one."""
    if unit_named(name):
        return ""
    return next((reason for pattern, reason in _SIZES if pattern.search(name)), "")

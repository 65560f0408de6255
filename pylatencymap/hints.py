"""Formats that people will try and that no collector reads: a message that names them helps more than "unknown"."""

import re

_UNREAD = "which this version does not read"
_TEXTS = (
    (r"^latency +read +write +read +write", "zpool iostat -w text"),
    (r"^(?:\[pid +)?[\d.: ]*\w+\(.*\) += .* <\d+\.\d{6}>$", "strace -T text"),
    (r"^\d+, \d+, [012], \d+(?:, .*)?$", "a fio latency log"),
    (r"^PING \S+ \(|^(?:\[\d+\.\d+\] )?\d+ bytes from \S+: icmp_seq=\d+", "ping text"),
    (r"^ *\d+\.\d+ (?:\([ \d.]+ ms\): )?\S+/\d+ [\w:]+\(", "perf trace text"),
    (r"^ *\S+ +\d+ \[\d{3}\] +\d+\.\d{6}: +\w+:\w+:", "perf script text"),
    (r"^ *\d+,\d+ +\d+ +\d+ +\d+\.\d{9} +\d+ +[A-Z]+ ", "blkparse text"),
    (r"^ *\d+\.\d{9} +\d+,\d+ +[A-Z] +[A-Z]+ \d+ \d+", "blkparse text"),
)
_HINTS = tuple((re.compile(pattern, re.MULTILINE), name) for pattern, name in _TEXTS)


def hint_of(text: str) -> str:
    """What a text looks like, as the end of "this looks like ..."; empty where nothing is known."""
    return next((f"{name}, {_UNREAD}" for pattern, name in _HINTS if pattern.search(text)), "")

"""Identifies the tool that printed a text by its banner, the line that every tool prints when its probe is attached."""

import re

from ...text.clean import printable

_BANNERS = (
    (r"Tracing block device I/O(?! requested)", "biolatency"),
    (r"Tracing run queue latency(?! higher)", "runqlat"),
    (r"Sampling run queue length", "runqlen"),
    (r"Tracing (?:on|off)-CPU time", "cpudist"),
    (r"Tracing soft irq event time", "softirqs"),
    (r"Tracing hard irq event time", "hardirqs"),
    (r"Tracing (ext4|xfs|btrfs|nfs|zfs|f2fs|bcachefs) operation latency", r"\1dist"),
    (r"Tracing [0-9]+ functions? for ", "funclatency"),
    (r"Tracing [\w.:/]+\.  Hit Ctrl-C to exit", "funclatency"),
    (r"Tracing TCP RTT", "tcprtt"),
    (r"Tracing work queue request latency", "wqlat"),
    (r"Tracing database queries", "dbstat"),
    (r"Tracing fs read-ahead", "readahead"),
    (r"Tracing block I/O(?=\.\.\.)", "bitesize"),
)
_TOOLS = tuple((re.compile(pattern), name) for pattern, name in _BANNERS)
_WORDS = re.compile(
    r"((?:Tracing|Sampling|Measuring|Summarizing|Monitoring|Capturing)\b.*?)(?:\.\.|\.  |[.;,]? Hit |$)"
)


def tool_of(banner: str) -> str:
    """The tool that prints such a banner; empty if none is known."""
    for pattern, name in _TOOLS:
        match = pattern.match(banner)
        if match:
            return match.expand(name)
    return ""


def tool_label(line: str) -> str:
    """The tool that a banner names, or else the banner's own words; empty if the line is not a banner."""
    words = _WORDS.match(line)
    return tool_of(line) or (printable(words[1].rstrip()) if words else "")

"""Lines of fio's other latency logs, which hold no histogram."""

import re

_SAMPLE = re.compile(r"^\d+, ?-?\d+, ?(?:\d+, ?)?[0-3], ?\d+(?:, ?(?:0x)?[\da-f]+){0,4}\r?$")
_AVERAGE = re.compile(r"^\d+, ?-?\d+, ?(?:\d+, ?)?[0-3], ?0(?:, ?(?:0x)?[\da-f]+){0,4}\r?$")


def is_averages(lines: list[str]) -> bool:
    """Whether lines are of a latency log with averages: of no block size, as no single I/O is."""
    return len(lines) > 1 and all(_AVERAGE.match(line) for line in lines if line)


def is_sample(line: str) -> bool:
    """Whether a line is of a log with a sample, or an average, per line."""
    return _SAMPLE.match(line) is not None

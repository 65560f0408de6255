"""Recognises fio's other latency logs, which contain no histogram."""

import re

_SAMPLE = re.compile(r"^[0-9]+, ?-?[0-9]+, ?(?:[0-9]+, ?)?[0-3], ?[0-9]+(?:, ?(?:0x)?[0-9a-f]+){0,4}\r?$")
_AVERAGE = re.compile(r"^[0-9]+, ?-?[0-9]+, ?(?:[0-9]+, ?)?[0-3], ?0(?:, ?(?:0x)?[0-9a-f]+){0,4}\r?$")


def is_averages(lines: list[str]) -> bool:
    """Whether the lines are a latency log of averages: the block size is 0, which no single I/O has."""
    return len(lines) > 1 and all(_AVERAGE.match(line) for line in lines if line)


def is_sample(line: str) -> bool:
    """Whether a line belongs to a log with one sample, or one average, per line."""
    return _SAMPLE.match(line) is not None

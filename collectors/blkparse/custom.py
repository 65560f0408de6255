"""Recognises custom formats of blkparse (-f). Their fields can be in any order, and nothing says which is which."""

import re

_FIELDS = (
    re.compile(r"(?<![0-9.,])[0-9]{1,4},[0-9]{1,7}(?![0-9.,])"),
    re.compile(r"(?<!\S)(?:[QGIDCRMFXPUSBA]|UT)(?!\S)"),
    re.compile(r"(?<!\S)F?[RWDN]F?A?S?M?(?!\S)"),
    re.compile(r"(?<!\S)[0-9]+\.[0-9]{9}(?!\S)"),
)
"""Device, action, flags and time."""
_LONGEST = 200
_MARKUP = re.compile(r"[(){}<>:=\"]")


def is_custom(text: str) -> bool:
    """Whether the first lines contain what a custom format needs and are not in the default format."""
    lines = [line for line in text.split("\n")[:5] if line.strip()]
    return bool(lines) and all(map(is_custom_line, lines[:-1] or lines))


def is_custom_line(line: str) -> bool:
    """Whether one line does."""
    return (
        len(line) <= _LONGEST
        and _MARKUP.search(line) is None
        and all(field.search(line) is not None for field in _FIELDS)
    )

"""The words of the record stream."""

BEGIN_RECORD = "<begin record>"
END_RECORD = "<end record>"
EXTENSION = "#lmap"
VERSION = 1
"""Version of the extension line; lines of a higher one are skipped."""

ORACLE_SOURCE = "oracle"
"""The one ``datasource`` whose labels are upper bounds."""
LOWER_BOUND_SOURCE = "bpf"
"""The ``datasource`` written for everything else: the earlier tool knows only four names."""

BASELINE = "baseline"
"""Flag of the empty record before the first interval of a series: it holds the running sums' start, and no data."""
NO_CLOCK = "no-clock"
"""Flag of a stamp that counts intervals from 0."""
EPOCH = "epoch"
"""Flag of a stamp that is epoch time, although its size does not tell."""
RESERVED_FLAGS = frozenset({NO_CLOCK, EPOCH})
"""Flags that belong to the stamp; a Record does not hold them."""


def is_begin(text: str) -> bool:
    """Whether a line begins a record, in any case and behind blanks or a byte order mark."""
    return text.strip("\ufeff \t\r").lower() == BEGIN_RECORD


def is_end(text: str) -> bool:
    """Whether a line ends a record."""
    return text.strip().lower() == END_RECORD


def extension_of(text: str) -> str | None:
    """The JSON text of an extension line, or None for any other line."""
    text = text.lstrip("\ufeff \t")
    return text[len(EXTENSION) :].strip() if text.startswith((EXTENSION + " {", EXTENSION + "{")) else None

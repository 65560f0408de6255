"""The keywords, flags and delimiter lines of the record stream."""

BEGIN_RECORD = "<begin record>"
END_RECORD = "<end record>"
EXTENSION = "#lmap"
VERSION = 1
"""Version of the extension line; a line of any other version is reported and skipped."""

ORACLE_SOURCE = "oracle"
"""The only ``datasource`` whose labels are upper bounds."""
ORACLE_SOURCES = (ORACLE_SOURCE, "oracle_trace")
"""Records of these sources are written with it."""
LOWER_BOUND_SOURCE = "bpf"
"""The ``datasource`` written for all other sources, because the earlier tool knows only four names."""

BASELINE = "baseline"
"""Flag of the record before the first interval of a series: it has no data, only the start of the running sums."""
REPEATED = "repeated"
"""Flag of a cumulative record that repeats the last one of its series, so that a further file of a recording can be
read by itself. Who reads on from the file before passes it over.
"""
NO_CLOCK = "no-clock"
"""Flag of a stamp that counts intervals from 0."""
EPOCH = "epoch"
"""Flag of a stamp that is epoch time although its number is too small to show it."""
RESERVED_FLAGS = frozenset({NO_CLOCK, EPOCH})
"""Flags that belong to the stamp; a Record does not keep them."""

SEEN_WAITS = "#waits"
"""How a line between records begins that holds waits which samples have seen. Readers of records pass it over."""


def is_begin(text: str) -> bool:
    """Whether a line begins a record. Case does not matter, nor do blanks or a byte order mark around the words."""
    return text == BEGIN_RECORD or text.strip("\ufeff \t\r").lower() == BEGIN_RECORD


def is_end(text: str) -> bool:
    """Whether a line ends a record. Case and surrounding blanks do not matter."""
    return text.strip().lower() == END_RECORD


def extension_of(text: str) -> str | None:
    """The JSON text of an extension line, or None for any other line."""
    text = text.lstrip("\ufeff \t")
    return text[len(EXTENSION) :].strip() if text.startswith((EXTENSION + " {", EXTENSION + "{")) else None

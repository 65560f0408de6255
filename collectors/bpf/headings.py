"""The lines around a histogram: its heading with the unit, the sections that name its series, exact sums."""

import re
from functools import lru_cache
from typing import NamedTuple

import pyparsing as pp

from ...text.clean import printable
from ...text.grammar import UNKNOWN, key_line, parse, unquoted
from ...units import Unit, unit_from

_HISTOGRAM = pp.Regex(r"(?P<word>\S.*?)\s*: count(?P<gap> {4,5})distribution")
_EXACT = (
    pp.Suppress("avg =")
    + pp.Suppress(pp.Regex(r"-?\d+"))
    + pp.Suppress(pp.Word(pp.alphas) + ", total:")
    + pp.Regex(r"\d+")("total")
    + pp.Word(pp.alphas)("unit")
    + pp.Suppress(", count:")
    + pp.Regex(r"\d+")("count")
)
_PARENTHESES = re.compile(r"\(([^()]*)\)\s*$")
_LINEAR = re.compile(r"\d+ ?[a-z]+$")
_AVERAGE = re.compile(r"\s*\[AVG \d+\]\s*$")
_SIZES = (
    (re.compile(r"sector"), "sizes in sectors, not a time"),
    (re.compile(r"kbytes|\bkb\b|kib", re.IGNORECASE), "sizes in kilobytes, not a time"),
    (re.compile(r"bytes|size", re.IGNORECASE), "sizes, not a time"),
    (re.compile(r"len(gth)?\b", re.IGNORECASE), "lengths, not a time"),
)
_ARGDIST = {"$latency": Unit.NS, "$latency/1000": Unit.US, "$latency/1000000": Unit.MS}


class Heading(NamedTuple):
    """``word : count distribution``. ``unit`` is None, with the reason, where the histogram is of no time.

    ``libbpf`` tells libbpf-tools' log2 histograms (four blanks before ``distribution``) from bcc's (five).
    """

    unit: Unit | None
    reason: str
    libbpf: bool


class Exact(NamedTuple):
    """``avg = 663 usecs, total: 16575 usecs, count: 25``: seconds waited and the events that they belong to."""

    seconds: float
    events: int


@lru_cache(maxsize=256)
def heading_of(line: str) -> Heading | None:
    """The heading of a histogram, or None where the line is none."""
    found = parse(_HISTOGRAM, line)
    if found is None:
        return None
    word = str(found["word"])
    unit = _unit(word)
    return Heading(unit, "" if unit else _reason(word), libbpf=len(found["gap"]) == 4)


def _unit(word: str) -> Unit | None:
    parentheses = _PARENTHESES.search(word)
    return unit_from(parentheses[1] if parentheses else word) or _ARGDIST.get(word)


def _reason(word: str) -> str:
    if _LINEAR.match(word) and unit_from(word.lstrip("0123456789")):
        return f"linear histograms ({printable(word)!r}) are not read yet; what would work is the tool's log2 histogram"
    kind = next((reason for pattern, reason in _SIZES if pattern.search(word)), "no unit of time is named")
    return f"a histogram of {printable(word)!r}: {kind}; what would work is a histogram of usecs, msecs or nsecs"


@lru_cache(maxsize=8192)
def section_of(line: str) -> tuple[tuple[str, str], ...]:
    """Keys and their values, cleaned: ``disk = b'sda'`` as (("disk", "sda"),); empty where the line is no section."""
    found = parse(key_line, line)
    return () if found is None else tuple((str(key).strip(), _value(str(value))) for key, value in found)


def _value(text: str) -> str:
    value = _AVERAGE.sub("", text).strip()
    return "all" if value and not value.strip("*") else unquoted(value)


def series_of(keys: dict[str, str]) -> str:
    """The name of a series: the values of its keys, joined by commas."""
    return printable(",".join(keys.values())) or "all"


def is_unknown(keys: dict[str, str]) -> bool:
    """Whether different series may share this name, because the tool could not find out a key."""
    return any(value.lower() == UNKNOWN for value in keys.values())


def exact_of(line: str) -> Exact | None:
    """The exact sum below a histogram, or None where the line is none or its unit is unknown."""
    found = parse(_EXACT, line)
    unit = unit_from(str(found["unit"])) if found else None
    return Exact(int(found["total"]) * unit.seconds, int(found["count"])) if found and unit else None

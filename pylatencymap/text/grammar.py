"""pyparsing pieces that the decoders of histogram text share: times of day, ``key = value`` lines, histogram rows.

Import this module only where text is decoded: pyparsing takes longer to load than most inputs take to read.
"""

import re
from functools import lru_cache

import pyparsing as pp

from ..record import Clock, Stamp
from .clean import printable

UNKNOWN = "unknown"
"""What a series is called whose key the probe could not find out."""

_QUOTED = re.compile(r"b?(['\"])(.*)\1", re.DOTALL)
_BYTES = re.compile(r"\bb(['\"])(.*?)\1")
"""How Python prints bytes, within a longer value: b'vfs_read' [1234]."""


def _lean(element: pp.ParserElement) -> pp.ParserElement:
    """Tabs separate keys in these texts, so they are neither skipped nor expanded."""
    return element.set_whitespace_chars(" ", copy_defaults=False).parse_with_tabs()


def _stamp(tokens: pp.ParseResults) -> Stamp:
    seconds = (int(tokens["hour"]) * 60 + int(tokens["minute"])) * 60 + int(tokens["second"])
    fraction = str(tokens["fraction"]) if "fraction" in tokens else ""
    micros = int(fraction[1:7].ljust(6, "0")) if fraction else 0
    clock = f"{tokens['hour']}:{tokens['minute']}:{tokens['second']}{fraction}"
    text = f"{tokens['date']} {clock}" if "date" in tokens else ""
    return Stamp(seconds * 1_000_000 + micros, Clock.DAY, whole=not fraction, text=text)


_DATE = pp.Regex(r"\d{4}[-/][01]\d[-/][0-3]\d")("date") + pp.Optional(pp.Suppress("T"))
_TIME = (
    pp.Regex(r"(?:[01]?\d|2[0-3])(?=:)")("hour")
    + pp.Suppress(":")
    + pp.Regex(r"[0-5]\d(?=:)")("minute")
    + pp.Suppress(":")
    + pp.Regex(r"[0-5]\d|60")("second")
    + pp.Optional(pp.Regex(r"\.\d{1,9}")("fraction"))
)
_MOMENT = (pp.Optional(_DATE) + _TIME).set_parse_action(_stamp)

clock_line = _lean(pp.Suppress("[") + _MOMENT + pp.Suppress("]") | _MOMENT + pp.Optional(pp.Suppress(":")))
"""``08:11:19``, ``[08:11:19]``, ``08:11:19:``, ``2026-11-21 08:11:19``: one Stamp of the day, the date in its text."""

_KEY = pp.Regex(r"[A-Za-z][\w -]{0,40}?:?(?= *=(?: |\t|$))")
_VALUE = pp.Optional(pp.Regex(r"[^\t]+"), default="")
_PAIR = pp.Group(_lean(_KEY) + pp.Suppress("=") + _lean(_VALUE))

key_line = _lean(
    pp.DelimitedList(_PAIR, delim=pp.Regex(r"\t+").leave_whitespace()) + pp.Optional(pp.Regex(r"\t+")).suppress()
)
"""``disk = X`` or ``disk = X<TAB>flags = Y``: groups of key and value, the value as printed."""

arrow_row = pp.Regex(
    r"\s*(?P<lower>\d{1,20}) -> (?P<upper>\d{1,20})\s*: (?P<count>-?\d{1,20})\s*(?P<bar>\|[* ]*\+?\|)?\s*$"
)
"""``512 -> 1023 : 43 |****|``: both bounds inclusive; the bar is missing where the text was cut by columns."""


def parse(element: pp.ParserElement, text: str) -> pp.ParseResults | None:
    """The whole text read by an element, or None where it does not fit."""
    try:
        return element.parse_string(text, parse_all=True)
    except pp.ParseException:
        return None


@lru_cache(maxsize=8192)
def unquoted(value: str) -> str:
    """A key's value as a name: without quotes, Python's b'' and blanks around it, safe to print."""
    value = value.strip()
    match = _QUOTED.fullmatch(value)
    return printable((match[2] if match else _BYTES.sub(r"\2", value)).strip()) or UNKNOWN

"""The one grammar of histogram text: lines of several keys and values, read with pyparsing.

What is a single regular expression is one, where it is used. Import this module only where such a line has come:
pyparsing takes longer to load than most inputs take to read.
"""

import pyparsing as pp


def _lean(element: pp.ParserElement) -> pp.ParserElement:
    """Tabs separate keys in these texts, so they are neither skipped nor expanded."""
    return element.set_whitespace_chars(" ", copy_defaults=False).parse_with_tabs()


_KEY = pp.Regex(r"[A-Za-z][\w -]{0,40}?:?(?= *=(?: |\t|$))")
_VALUE = pp.Optional(pp.Regex(r"[^\t]+"), default="")
_PAIR = pp.Group(_lean(_KEY) + pp.Suppress("=") + _lean(_VALUE))

key_line = _lean(
    pp.DelimitedList(_PAIR, delim=pp.Regex(r"\t+").leave_whitespace()) + pp.Optional(pp.Regex(r"\t+")).suppress()
)
"""``disk = X`` or ``disk = X<TAB>flags = Y``: groups of key and value, the value as printed."""


def parse_with(element: pp.ParserElement, text: str) -> pp.ParseResults | None:
    """The whole text read by an element, or None where it does not fit."""
    try:
        return element.parse_string(text, parse_all=True)
    except pp.ParseException:
        return None

"""The only grammar for histogram text: lines with several keys and values, read with pyparsing.

Anything that one regular expression can match is matched where it is used. Import this module only when such a line
has come: loading pyparsing takes longer than reading most inputs.
"""

import pyparsing as pp


def _lean(element: pp.ParserElement) -> pp.ParserElement:
    """Keep tabs: they separate keys in these texts, so the parser must neither skip nor expand them."""
    return element.set_whitespace_chars(" ", copy_defaults=False).parse_with_tabs()


_KEY = pp.Regex(r"[A-Za-z][\w -]{0,40}?:?(?= *=(?: |\t|$))")
_VALUE = pp.Optional(pp.Regex(r"[^\t]+"), default="")
_PAIR = pp.Group(_lean(_KEY) + pp.Suppress("=") + _lean(_VALUE))

key_line = _lean(
    pp.DelimitedList(_PAIR, delim=pp.Regex(r"\t+").leave_whitespace()) + pp.Optional(pp.Regex(r"\t+")).suppress()
)
"""``disk = X`` or ``disk = X<TAB>flags = Y``: groups of a key and its value, with the value as printed."""


def parse_with(element: pp.ParserElement, text: str) -> pp.ParseResults | None:
    """Parse the whole text with an element; None if it does not match."""
    try:
        return element.parse_string(text, parse_all=True)
    except pp.ParseException:
        return None

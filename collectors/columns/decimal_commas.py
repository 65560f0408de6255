"""Numbers with a decimal comma, as in much of Europe."""

from __future__ import annotations

import re

_COMMA = re.compile(r"([+-]?[0-9]+),([0-9]+)(\s*[^\W0-9]*)")
_OPEN = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}\s*[^\W0-9]*")


def with_point(text: str) -> str:
    """The same number with a point, whatever the comma means; any other text unchanged."""
    found = _COMMA.fullmatch(text.strip())
    return f"{found[1]}.{found[2]}{found[3]}" if found else text


def is_open(text: str) -> bool:
    """Whether a comma is ambiguous, as in ``1,234``: before decimals, or after thousands."""
    return _OPEN.fullmatch(text.strip()) is not None


class DecimalCommas:
    """Learns from the values of a table: ``0,015`` and ``15,25`` show what commas mean, ``1,234`` does not."""

    def __init__(self) -> None:
        self.shown_by = ""

    def plain(self, text: str) -> str:
        """A number with a point; any other text, or an ambiguous one, unchanged."""
        if "," not in text:
            return text
        found = with_point(text)
        if found == text or (not self.shown_by and is_open(text)):
            return text
        self.shown_by = self.shown_by or text
        return found

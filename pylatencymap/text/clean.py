"""Nothing that comes from outside reaches the terminal unescaped."""

import unicodedata

MAX_NAME = 200
"""Longest label, series name or message kept from an input, in characters."""

_ESCAPES = {0x09: " ", 0x0A: " ", 0x0D: " "}
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def printable(text: str, limit: int = MAX_NAME) -> str:
    """Text that is safe on a terminal: control, format and bidi characters as ``\\xNN``, cut at ``limit``."""
    text = text.translate(_ESCAPES)
    if not text.isprintable() or _BIDI.intersection(text):
        text = "".join(c if _harmless(c) else _escaped(c) for c in text)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _harmless(char: str) -> bool:
    return char == " " or (char.isprintable() and char not in _BIDI and unicodedata.category(char) != "Cf")


def _escaped(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"

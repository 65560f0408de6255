"""Escapes text from outside, so that no control character reaches the terminal."""

MAX_NAME = 200
"""Longest label, series name or message that is kept from an input, in characters."""

_ESCAPES = {0x09: " ", 0x0A: " ", 0x0D: " "}


def printable(text: str, limit: int = MAX_NAME) -> str:
    """The text made safe for a terminal and cut at ``limit`` characters.

    Characters that do not print (control, format and bidi characters) become ``\\xNN``, ``\\uNNNN`` or ``\\UNNNNNNNN``.
    """
    text = text.translate(_ESCAPES)
    if not text.isprintable():
        text = "".join(c if c.isprintable() else _escaped(c) for c in text)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _escaped(char: str) -> str:
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

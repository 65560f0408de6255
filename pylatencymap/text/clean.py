"""Nothing that comes from outside reaches the terminal unescaped."""

MAX_NAME = 200
"""Longest label, series name or message kept from an input, in characters."""

_ESCAPES = {0x09: " ", 0x0A: " ", 0x0D: " "}


def printable(text: str, limit: int = MAX_NAME) -> str:
    """Text that is safe on a terminal, cut at ``limit`` characters.

    What does not print (control, format and bidi characters) becomes ``\\xNN``, ``\\uNNNN`` or ``\\UNNNNNNNN``.
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

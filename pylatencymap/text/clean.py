"""Escapes text from outside, so that no control character reaches the terminal, and hides passwords in messages."""

import re

MAX_NAME = 200
"""Longest label, series name or message that is kept from an input, in characters."""

_NOISE = re.compile(
    r"(?:(?:\^[A-Z\\])+|\[?(?:\.{3}|\u2026)\]?)\s*$"
    r"|(?:\^C)?\s*(?:Tracing|Sampling|Attaching|Attached|Detaching|Exiting|Hit Ctrl-C|Possibly lost|Lost \d)\b"
)
_ESCAPES = {0x09: " ", 0x0A: " ", 0x0D: " "}
_HIDDEN = "***"
_SECRET_NAME = r"\b([\w.]*(?:password|passwd|pwd|secret|token)(?![-_]file)[\w.]*\s*=\s*)"
_SECRET = re.compile(_SECRET_NAME + r"""("[^"]*"|'[^']*'|[^\s&)"']+)""", re.IGNORECASE)
"""``name=value`` in a message, where the value ends with the word."""
_SECRET_OF_DSN = re.compile(_SECRET_NAME + r"""("[^"]*"|'[^']*'|[^&)]+)""", re.IGNORECASE)
"""The same in a connect string alone, where blanks belong to the value."""
_LOGIN = re.compile(r"([^\s/@='\"]+)/[^\s@]+@")
"""``USER/PASSWORD@``, as SQL*Plus takes it."""


def printable(text: str, limit: int = MAX_NAME) -> str:
    """The text made safe for a terminal and cut at ``limit`` characters.

    Characters that do not print (control, format and bidi characters) become ``\\xNN``, ``\\uNNNN`` or ``\\UNNNNNNNN``.
    """
    text = text.translate(_ESCAPES)
    if not text.isprintable():
        text = "".join(c if c.isprintable() else _escaped(c) for c in text)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def is_noise(text: str) -> bool:
    """Whether a line is what surrounds the text of any tool: ``^C``, ``[...]`` where somebody left lines out, or a
    banner such as ``Tracing ... Hit Ctrl-C to end``. It is neither a title nor a bad line.
    """
    return _NOISE.match(text.strip()) is not None


def _escaped(char: str) -> str:
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def printable_lines(text: str) -> str:
    """A text of several lines made safe for a terminal, without a limit to its length."""
    if text.replace("\n", "").isprintable():
        return text
    return "\n".join(printable(line, 10 * len(line) + 1) for line in text.split("\n"))


def hide_passwords(text: str) -> str:
    """A message without the values of what is called a password, as in ``password=***``."""
    return _SECRET.sub(rf"\1{_HIDDEN}", text)


def hide_logins(text: str) -> str:
    """A message without passwords, those of ``USER/PASSWORD@DATABASE`` included. Paths that hold an @ look alike, so
    this is only for what can be a login.
    """
    return _LOGIN.sub(rf"\1/{_HIDDEN}@", hide_passwords(text))


def secrets_of_dsn(dsn: str) -> list[str]:
    """The passwords in a connect string, without quotes."""
    return [found[2].strip().strip("\"'") for found in _SECRET_OF_DSN.finditer(dsn)]


def dsn_for_display(dsn: str) -> str:
    """A connect string without its passwords."""
    return _LOGIN.sub(rf"\1/{_HIDDEN}@", _SECRET_OF_DSN.sub(rf"\1{_HIDDEN}", dsn))


def without_secrets(text: str, dsn: str) -> str:
    """A message about a connect string without its passwords, wherever and however it quotes them."""
    text = text.replace(dsn, dsn_for_display(dsn)) if dsn else text
    for secret in filter(None, secrets_of_dsn(dsn)):
        text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", _HIDDEN, text)
    return hide_logins(text)

"""Escapes text from outside, so that no control character reaches the terminal, and hides passwords in messages."""

import re
from functools import lru_cache

MAX_NAME = 200
"""Longest label, series name or message that is kept from an input, in characters."""

_NOISE = re.compile(
    r"(?:(?:\^[A-Z\\])+|\[?(?:\.{3}|\u2026)\]?)\s*$"
    r"|(?:\^C)?\s*(?:Tracing|Sampling|Attaching|Attached|Detaching|Exiting|Hit Ctrl-C|Possibly lost|Lost \d)\b"
)
_ESCAPES = {0x09: " ", 0x0A: " ", 0x0D: " "}
_HIDDEN = "***"
_SECRET = re.compile(
    r"\b([\w.%]*(?:pass|pwd|secret|token)(?![\w.%]*[-_]file)[\w.%]*(?:\s*=\s*|:(?!\s)|\s*%3d\s*))"
    r"""("[^"]*"|'[^']*'|[^\s&)"']+)""",
    re.IGNORECASE,
)
"""``name=value`` in a message, where the value ends with the word; also ``name:value``."""
_LINE = re.compile(r"[0-9]{1,9}: ")
_EXTENSION = re.compile(r"(?:pass|pwd|secret|token)[\w%]*(?:\.\w{1,10}){1,3}:$", re.IGNORECASE)
_FOLDER = re.compile(r"(?:^|[\s'\"(])\.{0,2}/(?:[^\s:@?=&'\"]*/)?[\w.%+~-]*$")
"""Folders, and how the name of a file begins: from ``/``, ``./`` or ``../`` on, because ``a/b`` can be a user and a
password. The name goes on over ``app-`` or ``.``, but not over ``;`` or ``,``, which part what is in a connect string.
"""
_LOGIN = re.compile(r"([^\s/@='\"]+)/[^\s@]+@")
"""``USER/PASSWORD@``, as SQL*Plus takes it."""
_PARAMETERS = re.compile(r"(?<=[\w/])\?[^\s'\"]*[=:%][^\s'\"]*")
"""What follows the ``?`` in a connect string, in case a password is among it that is called something else."""


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
    return _SECRET.sub(lambda found: found[0] if _is_line_of_file(found) else found[1] + _HIDDEN, text)


def _is_line_of_file(found: re.Match[str]) -> bool:
    """Whether it is ``FILE:LINE:`` and not ``name:value``: the file has an extension, or its path begins with ``/``,
    ``./`` or ``../``.
    """
    if not found[1].endswith(":") or not _LINE.match(found.string, found.start(2)):
        return False
    before = found.string[: found.start()]
    return _EXTENSION.search(found[1]) is not None or _FOLDER.search(before) is not None


def line_of_file(name: str, number: int) -> str:
    """``FILE:LINE`` for a message. A file that is called as passwords are, ``tokens`` or ``logs/passwd``, is named from
    ``./`` on, so that ``hide_passwords`` leaves the number.
    """
    return f"{_named(name)}:{number}"


@lru_cache(64)
def _named(name: str) -> str:
    from_here = (one for one in (name, f"./{name}") if hide_passwords(f"{one}:1: ") == f"{one}:1: ")
    return next(from_here, name)


def hide_logins(text: str) -> str:
    """A message without passwords, those of ``USER/PASSWORD@DATABASE`` included. Paths that hold an @ look alike, so
    this is only for what can be a login.
    """
    return _LOGIN.sub(rf"\1/{_HIDDEN}@", hide_passwords(text))


def hide_parameters(text: str) -> str:
    """A message that may quote connect strings, without all logins and parameters of them."""
    return hide_logins(_PARAMETERS.sub(f"?{_HIDDEN}", text))

"""Turns what a terminal sends into events."""

from __future__ import annotations

import re

from ...view.style import parse_osc11
from .input_events import BackgroundColour, Mouse, MouseAction, Pasted, TerminalDone, TerminalEvent
from .key_names import KeyNames

_SGR_MOUSE = re.compile(rb"\x1b\[<(\d{1,5});(\d{1,5});(\d{1,5})([Mm])")
_BACKGROUND = b"\x1b]11;"
_STATUS = re.compile(rb"\x1b\[[03]n")
_PASTE, _PASTED = b"\x1b[200~", b"\x1b[201~"
_BUTTON, _MOTION, _WHEEL = 0b11, 32, 64
_MORE = 128
"""Buttons 8 to 11."""


class Replies:
    """Turns tokens into events. Tokens without a meaning here are dropped."""

    def __init__(self, keys: KeyNames) -> None:
        self._keys = keys
        self._pasting = False

    def forget(self) -> None:
        """What began before has not ended as it should have."""
        self._pasting = False

    def event(self, token: bytes) -> TerminalEvent | TerminalDone | None:
        """The events of one token."""
        if token in (_PASTE, _PASTED):
            self._pasting = token == _PASTE
            return None
        if self._pasting:
            return _pasted(token)
        if len(token) > 2 and token[0] == 0x1B:
            return _status(token) or _mouse(token) or _background(token) or self._key(token)
        return self._key(token)

    def _key(self, token: bytes) -> str | None:
        try:
            return self._keys.name(token.decode()) or None
        except UnicodeDecodeError:
            return None


def _pasted(token: bytes) -> Pasted | None:
    """A character of a paste. Line ends and tabs become blanks, so that they neither accept nor choose anything."""
    text = token.decode(errors="ignore")
    if text in ("\r", "\n", "\t"):
        return Pasted(" ")
    return Pasted(text) if len(text) == 1 and text.isprintable() else None


def _status(token: bytes) -> TerminalDone | None:
    return TerminalDone() if _STATUS.fullmatch(token) else None


def _mouse(token: bytes) -> Mouse | None:
    """A report of xterm's mode 1006, or of a terminal that has only mode 1000."""
    if found := _SGR_MOUSE.fullmatch(token):
        button, column, line = (int(part) for part in found.groups()[:3])
        kind = _kind(button, released=found[4] == b"m")
    elif len(token) == 6 and token.startswith(b"\x1b[M"):
        button, column, line = (byte - 32 for byte in token[3:])
        kind = _kind(button, released=False)  # a release is another button
    else:
        return None
    return Mouse(kind, max(column - 1, 0), max(line - 1, 0)) if kind else None


def _kind(button: int, *, released: bool) -> MouseAction | None:
    """The kind of event of the left button or the wheel; other buttons have none. Modifiers are ignored."""
    which = button & _BUTTON
    if button >= _MORE:
        return None
    if button & _WHEEL:
        return ("wheel-up", "wheel-down", None, None)[which]
    return "press" if which == 0 and not released and not button & _MOTION else None


def _background(token: bytes) -> BackgroundColour | None:
    """The answer to OSC 11."""
    if not token.startswith(_BACKGROUND):
        return None
    found = parse_osc11(token.decode("ascii", "replace"))
    return BackgroundColour(*(round(part * 255) for part in found)) if found else None

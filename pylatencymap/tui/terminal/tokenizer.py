"""Input of a terminal, cut into characters and control sequences (ECMA-48, and two kinds that break its rules)."""

from __future__ import annotations

import re

from ...view.style import parse_osc11
from .input_events import BackgroundColour, CursorPlace, Mouse, MouseAction, Pasted, TerminalDone, TerminalEvent
from .key_names import KeyNames

ESC = 0x1B
_PARAMETERS = range(0x20, 0x40)
"""Bytes between ``CSI`` and the final byte: parameters and intermediates."""
_FINALS = range(0x40, 0x7F)
_STRINGS = b"]PX^_"
"""After an Esc they open a string: OSC, DCS, SOS, PM, APC."""
_MOST = 65536
"""Bytes of a string that a terminal sends; more is no answer of a terminal."""


class Tokenizer:
    """Cuts as bytes come in; what is not complete waits for the rest."""

    def __init__(self) -> None:
        self._waiting = b""

    @property
    def is_doubtful(self) -> bool:
        """Whether what waits may be all there is: Esc alone, and Alt with a letter that opens sequences."""
        return self._waiting in (b"\x1b", b"\x1b[", b"\x1bO")

    def feed(self, data: bytes) -> list[bytes]:
        """The tokens that are complete now, in order."""
        data = self._waiting + data
        tokens, at = [], 0
        while at < len(data):
            end = _end(data, at)
            if end is None:
                break
            tokens.append(data[at:end])
            at = end
        self._waiting = data[at:] if len(data) - at <= _MOST else b""
        return tokens

    def settle(self) -> list[bytes]:
        """What waits, if nothing follows: the key that was pressed. The beginning of a longer sequence is no key."""
        token = self._waiting if self.is_doubtful else b""
        self._waiting = b""
        return [token] if token else []


def _end(data: bytes, at: int) -> int | None:
    """Where the token that begins at a place ends; None if it is not complete."""
    if data[at] != ESC:
        return _end_of_character(data, at)
    if at + 1 == len(data):
        return None
    kind = data[at + 1]
    if kind == ord("["):
        return _end_of_csi(data, at + 2)
    if kind == ord("O"):
        return _end_of_ss3(data, at + 2)
    if kind in _STRINGS:
        return _end_of_string(data, at + 2)
    return at + 1 if kind == ESC else _end_of_character(data, at + 1)


def _end_of_character(data: bytes, at: int) -> int | None:
    """Of one UTF-8 character; a byte that begins none is a token of its own."""
    first = data[at]
    length = 1 if first < 0xC2 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4 if first < 0xF5 else 1
    for place in range(at + 1, min(at + length, len(data))):
        if not 0x80 <= data[place] < 0xC0:
            return place
    return at + length if at + length <= len(data) else None


def _end_of_csi(data: bytes, at: int) -> int | None:
    """Of a control sequence. A mouse without mode 1006 sends three bytes behind ``CSI M``, and the Linux console one
    behind ``CSI [``. Where something comes that cannot be in a sequence, the sequence ends before it.
    """
    behind = {b"M": 4, b"[": 2}.get(data[at : at + 1], 0)
    if behind:
        return at + behind if at + behind <= len(data) else None
    while at < len(data) and data[at] in _PARAMETERS:
        at += 1
    if at == len(data):
        return None
    return at + 1 if data[at] in _FINALS else at


def _end_of_ss3(data: bytes, at: int) -> int | None:
    while at < len(data) and data[at] in b"0123456789;":
        at += 1
    if at == len(data):
        return None
    return at + 1 if data[at] in _FINALS else at


def _end_of_string(data: bytes, at: int) -> int | None:
    """Of a string: BEL or ST ends it, and an Esc that is no ST breaks it off."""
    while at < len(data):
        if data[at] == 0x07:
            return at + 1
        if data[at] == ESC:
            if at + 1 == len(data):
                return None
            return at + 2 if data[at + 1] == ord("\\") else at
        at += 1
    return None


# Turns what a terminal sends into events.


_SGR_MOUSE = re.compile(rb"\x1b\[<(\d{1,5});(\d{1,5});(\d{1,5})([Mm])")
_BACKGROUND = b"\x1b]11;"
_STATUS = re.compile(rb"\x1b\[[03]n")
_PLACE = re.compile(rb"\x1b\[(\d{1,5});(\d{1,5})R")
"""CPR. Source: ECMA-48. xterm sends the same for F3 with a modifier, which has no meaning here."""
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

    def event(self, token: bytes) -> TerminalEvent | TerminalDone | CursorPlace | None:
        """The event of one token."""
        if token in (_PASTE, _PASTED):
            self._pasting = token == _PASTE
            return None
        if self._pasting:
            return _pasted(token)
        if len(token) > 2 and token[0] == 0x1B:
            return _status(token) or _place(token) or _mouse(token) or _background(token) or self._key(token)
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


def _place(token: bytes) -> CursorPlace | None:
    found = _PLACE.fullmatch(token)
    return CursorPlace(int(found[1]), int(found[2])) if found else None


def _mouse(token: bytes) -> Mouse | None:
    """A report of xterm's mode 1006, or of a terminal that has only mode 1000."""
    if found := _SGR_MOUSE.fullmatch(token):
        button, column, line = (int(part) for part in found.groups()[:3])
        kind = _kind(button, released=found[4] == b"m")
    elif len(token) == 6 and token.startswith(b"\x1b[M"):
        button, column, line = (byte - 32 for byte in token[3:])
        kind = _kind(button, released=button & (_BUTTON | _WHEEL | _MOTION) == _BUTTON)  # it does not say which button
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
    if released and which in (0, _BUTTON):
        return "release"
    if which != 0:
        return None
    return "drag" if button & _MOTION else "press"


def _background(token: bytes) -> BackgroundColour | None:
    """The answer to OSC 11."""
    if not token.startswith(_BACKGROUND):
        return None
    found = parse_osc11(token.decode("ascii", "replace"))
    return BackgroundColour(*(round(part * 255) for part in found)) if found else None

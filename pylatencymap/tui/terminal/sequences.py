"""Control sequences that take a terminal and give it back; and which terminals are asked."""

from __future__ import annotations

ENTER = "\x1b[?1049h\x1b[?25l\x1b[2J"
"""Alternate screen, no cursor, empty. These are the same on every terminal that has an alternate screen."""
LISTEN = "\x1b[?1000h\x1b[?1006h\x1b[?2004h"
"""Buttons and wheel of the mouse, in decimal numbers; pasted text is marked. Terminals without them ignore it."""
MUTE = "\x1b[?2004l\x1b[?1006l\x1b[?1000l"
END_FRAME = "\x1b[?2026l"
"""Of synchronized output, for a frame of which only the beginning was sent."""
CANCEL = "\x18"
"""CAN breaks off a sequence of which only the beginning was sent."""
LEAVE = f"{END_FRAME}{MUTE}\x1b[0m\x1b[?25h\x1b[?1049l"
ASK_STATUS = "\x1b[5n"
"""DSR: every terminal answers at once, when it has done what came before."""

_MUTE_TERMINALS = ("linux", "dumb")
_TELL_BACKGROUND = ("xterm", "tmux", "foot", "alacritty", "kitty", "rxvt", "wezterm")


def answers_status(term: str) -> bool:
    """Whether a terminal of this type may be asked for its status; the answer must not come as text."""
    return bool(term) and not term.startswith(_MUTE_TERMINALS)


def tells_background(term: str) -> bool:
    """Whether a terminal of this type may be asked for its background; others show a part of the question."""
    return term.startswith(_TELL_BACKGROUND)

"""Names of keys: blessed knows what each terminal sends."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from blessed import Terminal

_PLAIN = {"\r": "KEY_ENTER", "\n": "KEY_ENTER", "\t": "KEY_TAB", "\x7f": "KEY_BACKSPACE", "\x08": "KEY_BACKSPACE"}
_PLAIN["\x1b"] = "KEY_ESCAPE"
_PLAIN["\x0c"] = "KEY_CTRL_L"
_SHIFTED = "KEY_SHIFT_"
_TABS = ("\x1b[Z", "\x1b[1;2I")


class KeyNames:
    """Tells the name of a key from what the terminal sends for it.

    blessed is imported with the first key that needs it, or by ``learn``.
    """

    def __init__(self) -> None:
        self._terminal: Terminal | None = None
        self._known: dict[str, str] = {}

    def learn(self) -> Terminal:
        """Import blessed and let it look up the terminal's keys.

        Its terminal gets no descriptor: on standard output, with the terminal as standard input, it asks the terminal
        two questions, waits 5 s for each where nothing answers, and for ever where Ctrl-S holds the output. See
        docs/architecture.md.
        """
        if self._terminal is None:
            from blessed import Terminal

            self._terminal = Terminal(stream=io.StringIO(), force_styling=True)
        return self._terminal

    def name(self, text: str) -> str:
        """A character, the name of a key, or nothing for a sequence that is no key.

        Control characters that are no key of their own, as Ctrl-U, stay what they are.
        """
        if len(text) == 1:
            return _PLAIN.get(text, text)
        if text not in self._known:
            self._known[text] = self._sequence(text)
        return self._known[text]

    def _sequence(self, text: str) -> str:
        if text in _TABS:
            return "KEY_BTAB"
        name = self._ask(text)
        if not name and text.startswith("\x1bO"):
            # Arrows in application mode, which blessed knows only where it may look into terminfo (not with NO_COLOR).
            name = self._ask("\x1b[" + text[2:])
        return "KEY_S" + name.removeprefix(_SHIFTED) if name.startswith(_SHIFTED) else name

    def _ask(self, text: str) -> str:
        """The name of one whole sequence; empty where blessed knows none, or only of its beginning."""
        terminal = self.learn()
        terminal.ungetch(text)
        key = terminal.inkey(timeout=0, esc_delay=0)
        rest = len(key) < len(text)
        while rest and terminal.inkey(timeout=0, esc_delay=0):
            continue  # what it has not taken as part of the key would be taken for the beginning of the next
        return key.name if not rest and key.name and key.name.startswith("KEY_") else ""

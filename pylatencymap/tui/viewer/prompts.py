"""Questions on the last line: a note, a latency, a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from ...errors import UsageError
from ..terminal.input_events import Mouse
from .viewer import Viewer

if TYPE_CHECKING:
    from ...view import DrawnPicture
    from .viewer import Layer, UserInput

Accept: TypeAlias = Callable[[Viewer, str], None]
MOST = 200
"""Maximum characters of an answer."""


def ask_on_last_line(viewer: Viewer, label: str, text: str, hint: str, accept: Accept) -> None:
    """Ask for a text. ``accept`` gets it on Enter; if it raises a UsageError, the message is shown."""
    viewer.open(Prompt(viewer.layers[-1], label, text, hint, accept))


class Prompt:
    """A line being typed, over the picture of the layer below."""

    def __init__(self, below: Layer, label: str, text: str, hint: str, accept: Accept) -> None:
        self._below = below
        self._label = label
        self._text = text
        self._caret = len(text)
        self._hint = hint
        self._refusal = ""
        self._accept = accept
        self._is_suggestion = bool(text)

    def draw(self, viewer: Viewer) -> DrawnPicture:
        """The picture below, with the question on its last line."""
        from ...view.boxes import prompt_line, with_last_line

        drawn = self._below.draw(viewer)
        line = prompt_line(self._label, self._text, self._caret, self._refusal or self._hint, drawn.cells.columns)
        return drawn._replace(cells=with_last_line(drawn.cells, line))

    def handle(self, viewer: Viewer, event: UserInput) -> None:
        """Edit the text, accept it (Enter) or cancel (Esc)."""
        if isinstance(event, Mouse):
            return
        if event == "KEY_ESCAPE":
            viewer.close()
        elif event == "KEY_ENTER":
            self._enter(viewer)
        else:
            self._edit(event)

    def _enter(self, viewer: Viewer) -> None:
        try:
            viewer.close()
            self._accept(viewer, self._text)
        except UsageError as error:
            viewer.open(self)
            self._refusal = str(error)

    def _edit(self, event: str) -> None:
        """Edit the text. A typed character replaces a suggestion that has not been edited."""
        self._refusal = ""
        if len(event) == 1 and event.isprintable():
            if self._is_suggestion:
                self._clear()
            self._put(event)
        elif edit := _EDITS.get(event):
            edit(self)
        self._is_suggestion = False

    def _put(self, text: str) -> None:
        if len(self._text) < MOST:
            self._text = self._text[: self._caret] + text + self._text[self._caret :]
            self._caret += len(text)

    def _rub_out(self) -> None:
        if self._caret:
            self._text = self._text[: self._caret - 1] + self._text[self._caret :]
            self._caret -= 1

    def _delete(self) -> None:
        self._text = self._text[: self._caret] + self._text[self._caret + 1 :]

    def _clear(self) -> None:
        self._text, self._caret = "", 0

    def _left(self) -> None:
        self._caret = max(0, self._caret - 1)

    def _right(self) -> None:
        self._caret = min(len(self._text), self._caret + 1)

    def _home(self) -> None:
        self._caret = 0

    def _end(self) -> None:
        self._caret = len(self._text)


_EDITS: dict[str, Callable[[Prompt], None]] = {
    "KEY_BACKSPACE": Prompt._rub_out,
    "KEY_DELETE": Prompt._delete,
    "\x15": Prompt._clear,
    "KEY_LEFT": Prompt._left,
    "KEY_RIGHT": Prompt._right,
    "KEY_HOME": Prompt._home,
    "KEY_END": Prompt._end,
}


class TimePrompt(Prompt):
    """A question that need not be answered: a key that cannot begin a time ends it, and does what it does below. So
    does Enter while nothing is typed.
    """

    def __init__(self, below: Layer, label: str, hint: str, accept: Accept) -> None:
        super().__init__(below, label, "", hint, accept)

    def handle(self, viewer: Viewer, event: UserInput) -> None:
        """Edit the text, or pass the event on."""
        begins = isinstance(event, str) and len(event) == 1 and (event.isdigit() or event in "+-")
        is_answer = bool(self._text) or (event != "KEY_ENTER" and bool(self._refusal))
        if is_answer or begins or event == "KEY_ESCAPE":
            super().handle(viewer, event)
            return
        viewer.close()
        viewer.layers[-1].handle(viewer, event)

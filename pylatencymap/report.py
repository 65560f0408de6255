"""Counts and reports what is wrong with an input."""

from collections.abc import Callable

from .errors import BadInput
from .text import Break
from .text.clean import line_of_file, printable

SHOWN = 20
"""Messages that are shown for each input."""
MAX_SAID = 500
"""Longest message about the program, in characters."""


class Report:
    """The report for one input. Bad input costs a record, but never ends the run unless ``strict`` is set.

    ``say`` receives the first messages, each as ``name:line: what``; the rest are only counted.
    ``is_broken``: a text has broken off. ``at_break``: its decoder has come to that place: what it cannot read there is
    shown (``said_at_break`` messages), but the break has been counted already.
    """

    def __init__(self, name: str, *, strict: bool = False, say: Callable[[str], None] | None = None) -> None:
        self.name = name
        self.strict = strict
        self.bad_count = 0
        self.is_broken = self.at_break = False
        self.said_at_break = 0
        self._speak = say
        self._said = 0

    def where(self, line: int) -> str:
        """``name:line``, as a message that is raised begins; ``bad`` and ``note`` add it themselves."""
        return line_of_file(self.name, line)

    def bad(self, line: int, what: str) -> None:
        """Count and report something unreadable at a line; raises BadInput if ``strict`` is set."""
        if self.at_break:
            self.said_at_break += 1
            self.note(line, what)
            return
        self.is_broken |= isinstance(what, Break)
        message = f"{self.where(line)}: {printable(what)}"
        self.bad_count += 1
        if self.strict:
            raise BadInput(message)
        self._tell(message)

    def note(self, line: int, what: str) -> None:
        """Report something worth knowing that lost no data."""
        self._tell(f"{self.where(line)}: {printable(what)}")

    def say(self, what: str) -> None:
        """Report something about the program rather than the input."""
        self._tell(printable(what, MAX_SAID))

    def _tell(self, message: str) -> None:
        self._said += 1
        if self._speak is None or self._said > SHOWN:
            return
        self._speak(message)
        if self._said == SHOWN:
            self._speak(f"{self.name}: further messages are only counted")

"""Counts and tells what was wrong with the input."""

from collections.abc import Callable

from .errors import BadInput
from .text.clean import printable

SHOWN = 20


class Report:
    """One input's account: bad input costs a record, never the run, unless ``strict``.

    ``say`` receives the first messages, each ``name:line: what``; the rest are only counted.
    """

    def __init__(self, name: str, *, strict: bool = False, say: Callable[[str], None] | None = None) -> None:
        self.name = name
        self.strict = strict
        self.bad_count = 0
        self._say = say
        self._said = 0

    def bad(self, line: int, what: str) -> None:
        """Count something unreadable at a line; raises BadInput when strict."""
        message = f"{self.name}:{line}: {printable(what)}"
        self.bad_count += 1
        if self.strict:
            raise BadInput(message)
        self._tell(message)

    def note(self, line: int, what: str) -> None:
        """Tell something worth knowing that lost no data."""
        self._tell(f"{self.name}:{line}: {printable(what)}")

    def _tell(self, message: str) -> None:
        self._said += 1
        if self._say is None or self._said > SHOWN:
            return
        self._say(message)
        if self._said == SHOWN:
            self._say(f"{self.name}: further messages are only counted")

"""What is wrong with a file that may have to be read once more: it is told when that is certain not to be."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..report import SHOWN, Report


class HeldReport(Report):
    """Keeps what another report would tell, and how much more it would count."""

    def __init__(self, report: Report) -> None:
        super().__init__(report.name, strict=report.strict)
        self._report = report
        self._first: list[Callable[[], None]] = []
        self._more = 0

    def bad(self, line: int, what: str) -> None:
        """Count something unreadable at a line; raises BadInput when strict."""
        super().bad(line, what)
        if len(self._first) < SHOWN:
            self._first.append(partial(self._report.bad, line, what))
        else:
            self._more += 1

    def note(self, line: int, what: str) -> None:
        """Keep something worth knowing."""
        if len(self._first) < SHOWN:
            self._first.append(partial(self._report.note, line, what))

    def say(self, what: str) -> None:
        """Keep something of the program."""
        if len(self._first) < SHOWN:
            self._first.append(partial(self._report.say, what))

    def tell(self) -> None:
        """Tell the report, and count there what it would not have shown."""
        for message in self._first:
            message()
        self._report.bad_count += self._more

"""The account of a source that may be stopped."""

from collections.abc import Callable

from ..report import Report
from .source import Stop


class Account(Report):
    """A report that is closed when the source is told to stop: what is unfinished then was cut off by us, and is not
    bad.
    """

    def __init__(
        self, name: str, stop: Stop, *, strict: bool = False, say: Callable[[str], None] | None = None
    ) -> None:
        super().__init__(name, strict=strict, say=say)
        self._stop = stop

    def bad(self, line: int, what: str) -> None:
        """As Report.bad, until the source is told to stop."""
        if not self._stop.is_set:
            super().bad(line, what)

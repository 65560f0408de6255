"""The unit that the user gave next to the unit that the text names: the text's own is used, and a contradiction is
reported.
"""

from ..report import Report
from ..units import Unit

MOST_SAID = 100
"""Most contradictions that are reported."""


ABOVE = "a line above"


class GivenUnit:
    """The user's ``--unit``, None without one."""

    def __init__(self, report: Report, unit: Unit | None) -> None:
        self.unit = unit
        self._report = report
        self._said: set[str] = set()

    def against(self, own: Unit | None, line: int, where: str) -> Unit | None:
        """The unit of a histogram: ``own``, which its heading or another line of the text names, else the user's.

        ``where`` says what named it; a contradiction is reported once for each.
        """
        if own is not None and self.unit is not None and own is not self.unit and self._is_new(where):
            self._report.note(
                line,
                f"{where} names {own.value}, so it is read in {own.value} and --unit {self.unit.value} is not used",
            )
        return own or self.unit

    def _is_new(self, where: str) -> bool:
        if where in self._said or len(self._said) >= MOST_SAID:
            return False
        self._said.add(where)
        return True

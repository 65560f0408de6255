"""Puts the table of a benchmark into docs/accuracy.md, between its own marks."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

PAGE = Path(__file__).parent.parent / "docs" / "accuracy.md"


class Goal(NamedTuple):
    """A figure with what it has to be, and what would be better still.

    ``measured`` may be several figures, such as one for each resolution; each has its own ``gate`` and ``stretch``.
    """

    name: str
    measured: tuple[float, ...]
    gate: tuple[float, ...]
    stretch: tuple[float, ...]
    more_is_better: bool = False
    unit: str = "%"
    digits: int = 2

    def met(self, limits: tuple[float, ...]) -> bool:
        pairs = zip(self.measured, limits, strict=True)
        return all(one >= limit if self.more_is_better else one <= limit for one, limit in pairs)

    def cells(self) -> tuple[str, ...]:
        texts = (
            " / ".join(f"{one:.{self.digits}f}" for one in self.measured),
            *map(self._limits, (self.gate, self.stretch)),
        )
        found, gate, stretch = (f"{text} {self.unit}".strip() for text in texts)
        verdict = "MISSED" if not self.met(self.gate) else "stretch" if self.met(self.stretch) else "gate"
        return self.name, found, gate, stretch, verdict

    def _limits(self, limits: tuple[float, ...]) -> str:
        return " / ".join(f"{one:g}" for one in limits)


def table(goals: list[Goal]) -> str:
    """Goals as a table in Markdown."""
    heads = ("what", "measured", "gate", "stretch", "met")
    rows = [heads, ("---",) * len(heads), *(goal.cells() for goal in goals)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def write_section(name: str, text: str) -> None:
    """Replace what stands between the marks of a benchmark on the page."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(begin)
    if not rest or end not in rest:
        raise SystemExit(f"{PAGE} lacks the marks {begin} and {end}")
    PAGE.write_text(f"{before}{begin}\n{text}\n{end}{rest.partition(end)[2]}", encoding="utf-8")

"""The lines of averages and percentiles."""

from collections.abc import Sequence

from ...window.statistics import Quantity, Summary
from ..style.ink import DIM, TEXT
from ..style.text import Span, Text
from .wording import average_text, lasted_text, maximum_text, quantile_text

_APART = "   "
_USUAL = len("16.4 ms")
"""Columns of a figure: those that are shorter now will not move the others when they are longer."""
_GIVING_WAY = ("max", "p90", "p50")
"""Which figure is left out first where a line is too short for all."""


def statistics_lines(named: Sequence[tuple[str, Summary]], width: int, *, with_maximum: bool) -> list[Text]:
    """``window 72 s   avg 1.79 ms   p50 103 us ...`` in at most ``width`` columns, with figures below each other."""
    titles = [f"{name} {lasted_text(summary.span)}" for name, summary in named]
    rows = [dict(_figures(summary)) for _, summary in named]
    left_out = [] if with_maximum else [_GIVING_WAY[0]]
    for key in ("", *_GIVING_WAY):
        left_out.append(key)
        lines = _lines(titles, [{name: row[name] for name in row if name not in left_out} for row in rows])
        if all(sum(len(text) for text, _ in line) <= width for line in lines):
            break
    return lines


def _figures(summary: Summary) -> list[tuple[str, str]]:
    wanted: list[tuple[str, Quantity | None]] = [
        ("p50", summary.p50),
        ("p90", summary.p90),
        ("p99", summary.p99),
    ]
    figures = [("avg", average_text(summary.average))] if summary.average else []
    figures += [(key, quantile_text(quantity)) for key, quantity in wanted if quantity]
    return figures + ([("max", maximum_text(summary.maximum))] if summary.maximum else [])


def _lines(titles: list[str], rows: list[dict[str, str]]) -> list[Text]:
    """All lines; of each the title and every figure but the last are as wide as the widest in their place."""
    widest = max(map(len, titles))
    widths = {key: max(_USUAL, *(len(row.get(key, "")) for row in rows)) for row in rows for key in row}
    lines = []
    for title, row in zip(titles, rows, strict=True):
        spans: list[Span] = [(title.ljust(widest), DIM)]
        for key, value in row.items():
            last = key == list(row)[-1]
            spans += [(f"{_APART}{key} ", DIM), (value if last else value.ljust(widths[key]), TEXT)]
        lines.append(tuple(spans if row else [*spans, (f"{_APART}no events", DIM)]))
    return lines

"""The lines of averages and percentiles."""

from ..window.stats import Quantity, Summary
from .cells import Span, Text
from .ink import DIM, TEXT
from .wording import average_text, maximum_text, quantile_text, span_text

_NAME_WIDTH = 13
_VALUE_WIDTH = 9
_GIVING_WAY = ("max", "p90", "p50")
"""Which figure is left out first where a line is too short for all."""


def statistics_text(name: str, summary: Summary, width: int, *, with_maximum: bool) -> Text:
    """``window 72 s   avg 1.79 ms  p50 103 us ...`` in at most ``width`` columns, figures aligned from line to line."""
    figures = [(key, value) for key, value in _figures(summary) if with_maximum or key != "max"]
    for left_out in ("", *_GIVING_WAY):
        figures = [(key, value) for key, value in figures if key != left_out]
        spans = _spans(name, summary.span, figures)
        if sum(len(text) for text, _ in spans) <= width:
            break
    return tuple(spans)


def _figures(summary: Summary) -> list[tuple[str, str]]:
    wanted: list[tuple[str, Quantity | None]] = [
        ("p50", summary.p50),
        ("p90", summary.p90),
        ("p99", summary.p99),
    ]
    figures = [("avg", average_text(summary.average))] if summary.average else []
    figures += [(key, quantile_text(quantity)) for key, quantity in wanted if quantity]
    return figures + ([("max", maximum_text(summary.maximum))] if summary.maximum else [])


def _spans(name: str, span: float, figures: list[tuple[str, str]]) -> list[Span]:
    # A short name is stretched, so that both lines have their figures in one place: "latest  1 s".
    title = f"{name} {span_text(span)}".ljust(_NAME_WIDTH)
    spans: list[Span] = [(title, DIM)]
    for position, (key, value) in enumerate(figures):
        last = position == len(figures) - 1
        spans += [(f" {key} ", DIM), (value if last else value.ljust(_VALUE_WIDTH), TEXT)]
    return spans if figures else [*spans, (" no events", DIM)]

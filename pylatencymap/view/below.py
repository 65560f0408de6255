"""The lines below the maps: reading, statistics, the other series, events."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..text.clean import printable
from ..window.matrix import Matrix
from ..window.stats import Summary
from .cells import Text
from .ink import DIM, TEXT, Ink, style
from .layout import Layout
from .reading import hidden_text, read, reading_text, trend_text
from .remarks import Remarks, list_lines
from .rows import Hidden
from .statistics import statistics_text
from .status import Status

_NOTICE = style(Ink.GAP, bold=True)
_EVENT_SHARE = 6
"""At most one line in so many is for the list of events."""


class Below(NamedTuple):
    """The lines that there are to choose from; empty texts are absent lines.

    ``notices`` are what must be seen: a message, and what is kept out of sight.
    """

    notices: tuple[Text, ...]
    reading: tuple[Text, Text, Text]
    """For wide, medium and narrow terminals."""
    trend: Text
    window: Summary
    latest: Summary | None
    others: tuple[str, ...]
    events: tuple[Text, ...]


def gather(
    matrix: Matrix,
    status: Status,
    window: Summary,
    latest: Summary | None,
    hidden: Hidden | None,
    remarks: Remarks,
    clipped: str,
    size: tuple[int, int],
) -> Below:
    """Everything that could be said about a window on a terminal of a size (columns, lines)."""
    noun, room = printable(status.noun, 24), size[0] - 2
    reading = read(matrix)
    notices: list[Text] = [((printable(status.message), _NOTICE),)] if status.message else []
    if hidden is not None:
        notices.append(hidden_text(hidden, matrix.seconds, noun))
    nothing = (("no events in this window" if matrix.columns else "waiting for data", DIM),)
    readings = [
        reading_text(reading.modes, noun, room, short=short, single=single) or nothing
        for short, single in ((False, False), (True, False), (True, True))
    ]
    events = list_lines(remarks, status, clock=matrix.clock, clipped=clipped)
    return Below(
        notices=tuple(notices),
        reading=(readings[0], readings[1], readings[2]),
        trend=trend_text(reading, matrix.seconds, noun),
        window=window,
        latest=latest if matrix.columns else None,
        others=tuple(printable(other) for other in status.others),
        events=events[: max(1, size[1] // _EVENT_SHARE)],
    )


def lines_below(below: Below, layout: Layout) -> tuple[Text, ...]:
    """The lines that the layout has room for, top to bottom."""
    return tuple(_lines(below, layout))


def _lines(below: Below, layout: Layout) -> Iterator[Text]:
    plan, room = layout.plan, layout.columns - 2
    yield from _blank(plan.blank("axis"))
    yield from below.notices
    yield below.reading[0 if layout.wide else 2 if layout.narrow else 1]
    if plan.trend:
        yield below.trend
    yield from _blank(plan.blank("statistics"))
    if plan.window:
        yield statistics_text("window", below.window, room, with_maximum=layout.wide)
    if plan.latest and below.latest is not None:
        yield statistics_text("latest", below.latest, room, with_maximum=layout.wide)
    yield from (((text, DIM),) for text in _some(below.others, plan.others))
    yield from _blank(plan.blank("events"))
    yield from below.events[: plan.events]


def _blank(wanted: bool) -> Iterable[Text]:
    return [(("", TEXT),)] if wanted else []


def _some(texts: tuple[str, ...], count: int) -> list[str]:
    """The first texts; where some are left out the last one says how many."""
    if count >= len(texts) or count < 1:
        return list(texts[:count])
    return [*texts[: count - 1], f"... {len(texts) - count + 1} more"]

"""The lines below the maps: reading, statistics, the other series, events."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..text.clean import printable
from ..window.matrix import Matrix
from ..window.stats import Summary
from .cells import Text
from .ink import DIM, NOTICE, TEXT
from .layout import MEDIUM, WIDE, Layout
from .reading import hidden_text, read, reading_text, trend_text
from .remarks import Remarks, clipped_line, list_lines
from .rows import Hidden
from .statistics import statistics_lines
from .status import Status
from .wrap import fitted

_EVENT_SHARE = 6
"""At most one line in so many is for the list of events."""


class Below(NamedTuple):
    """The lines that there are to choose from; empty texts are absent lines.

    ``notices`` are what must be seen: a message, and what is kept out of sight.
    """

    notices: tuple[Text, ...]
    reading: Text
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
    size: tuple[int, int],
) -> Below:
    """Everything that could be said about a window on a terminal of a size (columns, lines)."""
    noun, room = printable(status.noun, 24), size[0] - 2
    reading = read(matrix)
    notices: list[Text] = [((printable(status.message), NOTICE),)] if status.message else []
    if hidden is not None:
        notices.append(hidden_text(hidden, matrix.seconds, noun))
    nothing = (("no events in this window" if matrix.columns else "waiting for data", DIM),)
    short, single = size[0] < WIDE, size[0] < MEDIUM
    return Below(
        notices=tuple(notices),
        reading=reading_text(reading.modes, noun, room, short=short, single=single) or nothing,
        trend=trend_text(reading, matrix.seconds, noun),
        window=window,
        latest=latest if matrix.columns else None,
        others=tuple(printable(other) for other in status.others),
        events=list_lines(remarks, status, clock=matrix.clock)[: _most_events(size)],
    )


def with_clipped(below: Below, clipped: str, size: tuple[int, int]) -> Below:
    """The same with a line that says what is clipped, the last of the list of events; empty: nothing is."""
    if not clipped:
        return below
    return below._replace(events=(*below.events, clipped_line(clipped))[: _most_events(size)])


def lines_below(below: Below, layout: Layout, read_out: tuple[Text, ...], limits: tuple[Text, ...]) -> tuple[Text, ...]:
    """The lines that the layout has room for, the read-out first, ``limits`` after the reading."""
    return tuple(fitted(line, layout.columns - 2) for line in _lines(below, layout, read_out, limits))


def _most_events(size: tuple[int, int]) -> int:
    return max(1, size[1] // _EVENT_SHARE)


def _lines(below: Below, layout: Layout, read_out: tuple[Text, ...], limits: tuple[Text, ...]) -> Iterator[Text]:
    plan, room = layout.plan, layout.columns - 2
    yield from read_out
    yield from _blank(plan.blank("axis") and not read_out)
    yield from below.notices
    yield below.reading
    yield from limits
    if plan.trend:
        yield below.trend
    yield from _blank(plan.blank("statistics"))
    named = [("window", below.window)] if plan.window else []
    if plan.latest and below.latest is not None:
        named.append(("latest", below.latest))
    if named:
        yield from statistics_lines(named, room, with_maximum=layout.wide)
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

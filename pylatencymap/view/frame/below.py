"""The lines below the maps: reading, statistics, the other series, events."""

from collections.abc import Iterable, Iterator
from enum import IntEnum, auto
from typing import NamedTuple

from ...text.clean import printable
from ...text.width import fit
from ...window.matrix import Matrix
from ...window.statistics import Summary
from ..style.ink import DIM, NOTICE, TEXT
from ..style.text import Text
from ..style.wrap import fitted
from .layout import MEDIUM, WIDE, Layout
from .reading import hidden_text, read, reading_text, trend_text
from .remarks import Remarks, clipped_line, list_lines
from .rows import Hidden
from .statistics import statistics_lines
from .status import Status

_EVENT_SHARE = 6
"""At most one line in so many is for the list of events."""


class _Worth(IntEnum):
    """What gives way first to a message or a read-out stands first."""

    FIRST_BLANK = auto()
    LAST_BLANK = auto()
    BLANK = auto()
    TREND = auto()
    LATEST = auto()
    OTHERS = auto()
    EVENTS = auto()
    WINDOW = auto()
    READING = auto()
    COLUMN = auto()
    NOTICE = auto()
    READ_OUT = auto()
    MESSAGE = auto()


class _Line(NamedTuple):
    worth: _Worth
    text: Text


class Below(NamedTuple):
    """The lines that there are to choose from; empty texts are absent lines.

    ``message`` is what the user should see now, ``notices`` what must be seen as long as it is so: what is kept out of
    sight.
    """

    message: Text
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
    noun, room = fit(printable(status.noun), 24), size[0] - 2
    reading = read(matrix)
    nothing = (("no events in this window" if matrix.columns else "waiting for data", DIM),)
    short, single = size[0] < WIDE, size[0] < MEDIUM
    return Below(
        message=((printable(status.message), NOTICE),) if status.message else (),
        notices=() if hidden is None else (hidden_text(hidden, matrix.seconds, noun),),
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
    """The lines that there is room for, the read-out first, ``limits`` after the reading.

    A message and a read-out take the place of what is missed least; what is above them stays where it is.
    """
    lines = list(_lines(below, layout, read_out, limits))
    while len(lines) > max(layout.room_below, 1):
        least = min(line.worth for line in lines)
        del lines[max(place for place, line in enumerate(lines) if line.worth == least)]
    return tuple(fitted(line.text, layout.columns - 2) for line in lines)


def _most_events(size: tuple[int, int]) -> int:
    return max(1, size[1] // _EVENT_SHARE)


def _lines(below: Below, layout: Layout, read_out: tuple[Text, ...], limits: tuple[Text, ...]) -> Iterator[_Line]:
    plan = layout.plan
    yield from _worth(_Worth.FIRST_BLANK, _blank(plan.blank("axis") and not (read_out or below.message)))
    yield from _worth(_Worth.READ_OUT, read_out[:1])
    yield from _worth(_Worth.COLUMN, read_out[1:])
    yield from _worth(_Worth.MESSAGE, [below.message] if below.message else [])
    yield from _worth(_Worth.NOTICE, below.notices)
    yield _Line(_Worth.READING, below.reading)
    yield from _worth(_Worth.NOTICE, limits)
    yield from _worth(_Worth.TREND, [below.trend] if plan.trend else [])
    yield from _worth(_Worth.BLANK, _blank(plan.blank("statistics")))
    yield from _statistics(below, layout, instead=len(read_out) > 1)
    yield from _worth(_Worth.OTHERS, [((text, DIM),) for text in _some(below.others, plan.others)])
    yield from _worth(_Worth.BLANK, _blank(plan.blank("events")))
    yield from _worth(_Worth.EVENTS, below.events[: plan.events])
    yield from _worth(_Worth.LAST_BLANK, _blank(plan.blank("keys")))


def _statistics(below: Below, layout: Layout, *, instead: bool) -> Iterator[_Line]:
    """``instead``: the read-out has the figures of a column, in the place of those of the latest."""
    named = [("window", below.window, _Worth.WINDOW)] if layout.plan.window else []
    if layout.plan.latest and below.latest is not None and not instead:
        named.append(("latest", below.latest, _Worth.LATEST))
    if named:
        texts = statistics_lines([pair[:2] for pair in named], layout.columns - 2, with_maximum=layout.wide)
        yield from (_Line(worth, text) for (_, _, worth), text in zip(named, texts, strict=True))


def _worth(worth: _Worth, texts: Iterable[Text]) -> Iterator[_Line]:
    return (_Line(worth, text) for text in texts)


def _blank(wanted: bool) -> Iterable[Text]:
    return [(("", TEXT),)] if wanted else []


def _some(texts: tuple[str, ...], count: int) -> list[str]:
    """The first texts; where some are left out the last one says how many."""
    if count >= len(texts) or count < 1:
        return list(texts[:count])
    return [*texts[: count - 1], f"... {len(texts) - count + 1} more"]

"""Writes the lines below the maps: reading, statistics, latency objective, other series, remarks."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import IntEnum, auto
from functools import partial
from typing import NamedTuple

from ...number_text import average_text, lasted_text, maximum_text, percent_text, quantile_text, quantile_words
from ...text import fit
from ...text.clean import printable
from ...units import format_latency
from ...window import FloatArray, Matrix, Quantity, SlowShare, Summary
from ..layout.geometry import row_of
from ..layout.latency_rows import HiddenRows
from ..layout.layout import KEPT_TABLES, MEDIUM, WIDE, Layout
from ..layout.scene import Reading, TableFigures
from ..layout.status import Status
from ..style.glyphs import Glyphs
from ..style.styled_text import StyledSpan, StyledText, fitted, width_of
from ..style.styles import DIM, NOTICE, TEXT, Ink, style
from .reading import change_texts, hidden_text, reading_texts, recurring_text
from .remarks import CLIPPED_LETTER, LETTER, Remarks, clipped_line, remark_lines
from .tables import lines_wanted, table_lines

# The statistics: lines of averages and percentiles.


_APART = "   "
_USUAL = len("16.4 ms")
"""Least width of a figure, so that figures do not move sideways when one gets longer."""
_GIVING_WAY = ("max", "p90", "p50")
"""Figures in the order in which they are left out if the line is too short."""
_BANDED = (("p50", "p90", "p99"), ("p99",), ())
"""Percentiles that have their bands, from wide lines to short ones."""


def statistics_lines(named: Sequence[tuple[str, Summary]], width: int, *, with_maximum: bool) -> list[StyledText]:
    """Lines like ``window 72 s   avg 1.79 ms   p50 103 us ...`` of at most ``width`` columns, with aligned figures.

    Where there is room, percentiles have their bands: ``p99 10.3 ms (8.19-16.4)``.
    """
    titles = [f"{name} {lasted_text(summary.span)}" for name, summary in named]
    left_out = [] if with_maximum else [_GIVING_WAY[0]]
    for key in ("", *_GIVING_WAY):
        left_out.append(key)
        for banded in _BANDED:
            rows = [dict(_figures(summary, banded)) for _, summary in named]
            kept = [{name: row[name] for name in row if name not in left_out} for row in rows]
            lines = _statistics_lines(titles, kept)
            if all(sum(len(text) for text, _ in line) <= width for line in lines):
                return lines
    return lines


def _figures(summary: Summary, banded: tuple[str, ...]) -> list[tuple[str, str]]:
    """Names and texts; the ``banded`` ones with their bands."""
    wanted: list[tuple[str, Quantity | None]] = [
        ("p50", summary.p50),
        ("p90", summary.p90),
        ("p99", summary.p99),
    ]
    figures = [("avg", average_text(summary.average))] if summary.average else []
    for key, quantity in wanted:
        if quantity:
            figures.append((key, quantile_words(quantity) if key in banded else quantile_text(quantity)))
    return figures + ([("max", maximum_text(summary.maximum))] if summary.maximum else [])


def _statistics_lines(titles: list[str], rows: list[dict[str, str]]) -> list[StyledText]:
    """The lines. Titles, and figures except the last of a line, are padded to the widest in their place."""
    widest = max(map(len, titles))
    widths = {key: max(_USUAL, *(len(row.get(key, "")) for row in rows)) for row in rows for key in row}
    lines = []
    for title, row in zip(titles, rows, strict=True):
        spans: list[StyledSpan] = [(title.ljust(widest), DIM)]
        for key, value in row.items():
            last = key == list(row)[-1]
            spans += [(f"{_APART}{key} ", DIM), (value if last else value.ljust(widths[key]), TEXT)]
        lines.append(tuple(spans if row else [*spans, (f"{_APART}no events", DIM)]))
    return lines


_EVENT_SHARE = 6
"""The list of remarks has at most one of this many lines of the screen."""


class _Worth(IntEnum):
    """The importance of a line. If there are too many lines, the least important are dropped first."""

    FIRST_BLANK = auto()
    LAST_BLANK = auto()
    BLANK = auto()
    GIVING_WAY = auto()
    RECURRING = auto()
    CHANGE = auto()
    LATEST = auto()
    OTHERS = auto()
    EVENTS = auto()
    WINDOW = auto()
    READING = auto()
    AROUND = auto()
    COLUMN = auto()
    NOTICE = auto()
    READ_OUT = auto()
    MESSAGE = auto()


class _Line(NamedTuple):
    worth: _Worth
    text: StyledText


class Tables(NamedTuple):
    """What the tables of a large screen are made of, and the lines that all of them would take."""

    figures: TableFigures
    reading: Reading
    noun: str
    lines: int


class Footer(NamedTuple):
    """All lines that could be shown. An empty text means that there is no such line.

    ``scope`` says what the statistics are of: ``all``, or ``window``. ``message`` is what the user should see now.
    ``notices`` say what is hidden from the maps, and stay as long as that is true. ``readings``: the modes on one line,
    on two and so on, until all are named; ``changes``: what changed, in the same way. ``letters``: of all that
    ``events`` are of and more, the oldest first. ``finished``: no more data will come.
    """

    scope: str
    message: StyledText
    notices: tuple[StyledText, ...]
    readings: tuple[tuple[StyledText, ...], ...]
    changes: tuple[tuple[StyledText, ...], ...]
    recurring: StyledText
    window: Summary
    latest: Summary | None
    others: tuple[str, ...]
    events: tuple[StyledText, ...]
    letters: tuple[str, ...] = ()
    tables: Tables | None = None
    finished: bool = False


def gather_footer(
    matrix: Matrix,
    status: Status,
    window: Summary,
    latest: Summary | None,
    reading: Reading,
    hidden: HiddenRows | None,
    remarks: Remarks,
    size: tuple[int, int],
    tables: TableFigures | None = None,
) -> Footer:
    """All lines about a window for a terminal of a size (columns, lines)."""
    noun, room = fit(printable(status.noun), 24), size[0] - 2
    empty = "no events in this window" if window.span else "no data in this window, which is not zero"
    nothing = ((empty if matrix.columns else "waiting for data", DIM),)
    short, single = size[0] < WIDE, size[0] < MEDIUM
    return Footer(
        scope=_scope(matrix, status),
        message=((printable(status.message), NOTICE),) if status.message else (),
        notices=() if hidden is None else (hidden_text(hidden, matrix.seconds, noun),),
        readings=reading_texts(reading, noun, room, short=short, single=single) or ((nothing,),),
        changes=change_texts(reading.changes, room),
        recurring=recurring_text(reading.recurring, room),
        window=window,
        latest=latest if matrix.columns else None,
        others=tuple(printable(other) for other in status.others),
        events=remark_lines(remarks, status, matrix, _most_events(size)),
        letters=tuple(item.letter for item in remarks.items),
        tables=None if tables is None else Tables(tables, reading, noun, lines_wanted(tables, reading)),
        finished=status.finished,
    )


def _scope(matrix: Matrix, status: Status) -> str:
    """What the statistics are of."""
    if not status.finished or not status.shows_all(matrix.ends):
        return "window"
    return "part" if status.part else "all"


def with_clipped(below: Footer, clipped: str, size: tuple[int, int]) -> Footer:
    """Add a line about clipped columns at the end of the list of remarks. An empty ``clipped`` changes nothing."""
    if not clipped:
        return below
    events = (*below.events, clipped_line(clipped))[-_most_events(size) :]
    return below._replace(events=events, letters=(*below.letters, CLIPPED_LETTER))


def unsaid_text(below: Footer, shown: Collection[StyledText], layout: Layout) -> StyledText:
    """How many remarks have no line, and their letters; empty if there are none. ``shown``: the lines of the footer."""
    said = sum(fitted(event, layout.columns - 2) in shown for event in below.events)
    letters = below.letters[: len(below.letters) - said]
    if not letters or layout.plan.tables:
        return ()
    return ((f"{len(letters)} more: ", DIM), (" ".join(dict.fromkeys(letters)), LETTER))


class _Said(NamedTuple):
    """The lines of modes and of changes, whether statistics go before all other texts, and the lines of tables."""

    reading: tuple[StyledText, ...]
    change: tuple[StyledText, ...]
    statistics_go: bool = False
    tables: int = 0


def footer_lines(
    below: Footer, layout: Layout, read_out: tuple[StyledText, ...], limits: tuple[StyledText, ...], look: Glyphs
) -> tuple[StyledText, ...]:
    """The lines that fit, the read-out first, ``limits`` (the line of the SLO) after the reading.

    A message and a read-out replace the least important lines, so the maps above them do not move. Modes and changes
    that do not fit on one line have those that would be blank. On a small screen, the statistics of a finished picture
    give way to modes.
    """
    room = max(layout.room_below, 1)
    write = partial(_lines, below, layout, read_out, limits, look)
    said = _Said(below.readings[0], below.changes[0] if below.changes else (), tables=layout.plan.tables)
    said = _with_more(below, said, room - _taken(write(said), _Worth.BLANK), layout)
    if layout.plan.tables:
        said = said._replace(tables=_table_lines_kept(list(write(said)), room, layout.plan.tables))
    elif below.finished and not layout.wide and not read_out and said.reading != below.readings[-1]:
        shorter = said._replace(statistics_go=True)
        spare = room - _taken(write(shorter), _Worth.RECURRING)
        if spare > 0:
            said = shorter._replace(reading=below.readings[min(spare, len(below.readings) - 1)])
    lines = list(write(said))
    while len(lines) > room:
        least = min(line.worth for line in lines)
        del lines[max(place for place, line in enumerate(lines) if line.worth == least)]
    return tuple(fitted(line.text, layout.columns - 2) for line in lines)


def _with_more(below: Footer, said: _Said, free: int, layout: Layout) -> _Said:
    """More modes, and then more changes, on lines that are free."""
    reading = below.readings[min(max(free, 0), len(below.readings) - 1)]
    free -= len(reading) - 1
    if free > 0 and _tells(below, layout):
        return said._replace(reading=reading, change=below.changes[min(free, len(below.changes) - 1)])
    return said._replace(reading=reading)


def _table_lines_kept(lines: Sequence[_Line], room: int, wanted: int) -> int:
    """How many lines the tables have: statistics give way to KEPT_TABLES of them."""
    without = room - _taken(lines, _Worth.READING)
    beside = room - _taken((line for line in lines if line.worth != _Worth.READING), _Worth.BLANK)
    return min(wanted, max(beside, min(without, KEPT_TABLES), 0))


def _taken(lines: Iterable[_Line], worth: _Worth) -> int:
    """How many lines are worth more."""
    return sum(line.worth > worth for line in lines)


def _tells(below: Footer, layout: Layout) -> bool:
    """Whether there is a line of what changed."""
    return bool(below.changes) and layout.plan.change and not _says_already(below.message, below.changes[0][0])


def _most_events(size: tuple[int, int]) -> int:
    return max(1, size[1] // _EVENT_SHARE)


def _lines(
    below: Footer,
    layout: Layout,
    read_out: tuple[StyledText, ...],
    limits: tuple[StyledText, ...],
    look: Glyphs,
    said: _Said,
) -> Iterator[_Line]:
    plan = layout.plan
    yield from _worth(_Worth.FIRST_BLANK, _blank(plan.blank("axis") and not (read_out or below.message)))
    yield from _worth(_Worth.READ_OUT, read_out[:1])
    yield from _worth(_Worth.COLUMN, read_out[1:2])
    yield from _worth(_Worth.AROUND, read_out[2:])
    yield from _worth(_Worth.MESSAGE, [below.message] if below.message else [])
    yield from _worth(_Worth.NOTICE, below.notices)
    if plan.tables and below.tables is not None:
        yield from _worth(_Worth.NOTICE, limits)
        figures, modes, noun, _ = below.tables
        yield from _worth(_Worth.READING, table_lines(figures, modes, noun, said.tables, layout.columns - 2, look))
        yield from _worth(_Worth.BLANK, _blank(plan.blank("statistics")))
        yield from _statistics(below, layout, instead=len(read_out) > 1)
        yield from _worth(_Worth.LAST_BLANK, _blank(plan.blank("keys") and plan.keys))
        return
    # With what is before and after a selection there, what changed says more than the modes of the window.
    selects = len(read_out) > 2
    yield from _worth(_Worth.WINDOW if selects else _Worth.READING, said.reading)
    yield from _worth(_Worth.NOTICE, limits)
    tells = _tells(below, layout)
    yield from _worth(_Worth.AROUND if selects else _Worth.CHANGE, said.change if tells else [])
    own_line = _Worth.RECURRING if tells or selects else _Worth.CHANGE
    yield from _worth(own_line, [below.recurring] if below.recurring and plan.change else [])
    yield from _worth(_Worth.BLANK, _blank(plan.blank("statistics")))
    for worth, text in _statistics(below, layout, instead=len(read_out) > 1):
        yield _Line(_Worth.GIVING_WAY if said.statistics_go else worth, text)
    yield from _worth(_Worth.OTHERS, [((text, DIM),) for text in _some(below.others, plan.others)])
    yield from _worth(_Worth.BLANK, _blank(plan.blank("events") and plan.events > 0))
    yield from _worth(_Worth.EVENTS, below.events[len(below.events) - plan.events :])
    yield from _worth(_Worth.LAST_BLANK, _blank(plan.blank("keys") and plan.keys))


def _statistics(below: Footer, layout: Layout, *, instead: bool) -> Iterator[_Line]:
    """The lines of statistics. ``instead``: the read-out shows its column's figures in the place of the latest ones."""
    named = [(below.scope, below.window, _Worth.WINDOW)] if layout.plan.window else []
    if layout.plan.latest and below.latest is not None and not instead:
        named.append(("latest", below.latest, _Worth.LATEST))
    if named:
        texts = statistics_lines([pair[:2] for pair in named], layout.columns - 2, with_maximum=layout.wide)
        yield from (_Line(worth, text) for (_, _, worth), text in zip(named, texts, strict=True))


def _worth(worth: _Worth, texts: Iterable[StyledText]) -> Iterator[_Line]:
    return (_Line(worth, text) for text in texts)


def _says_already(message: StyledText, change: StyledText) -> bool:
    """Whether a message has the sentence of this change, which begins with the same sign and time."""
    begun, _, _ = "".join(text for text, _ in change).partition("  ")
    return any(f"{begun}  " in text for text, _ in message)


def _blank(wanted: bool) -> Iterable[StyledText]:
    return [(("", TEXT),)] if wanted else []


def _some(texts: tuple[str, ...], count: int) -> list[str]:
    """The first texts, at most ``count``. If some are left out, the last one says how many."""
    if count >= len(texts) or count < 1:
        return list(texts[:count])
    return [*texts[: count - 1], f"... {len(texts) - count + 1} more"]


# The line of the SLO: the latency objective, and the share of events that is slower.


_NAME = style(Ink.MARK, bold=True)
_EVENTS, _WAITED = style(Ink.FREQUENCY), style(Ink.INTENSITY)


def slo_text(
    threshold: float, window: Summary, latest: Summary | None, bounds: FloatArray, noun: str, width: int
) -> StyledText:
    """The shares above the threshold (seconds) in the window and, if there is room, in the newest column.

    ``bounds`` are the bounds of the rows shown.
    """
    name = ((f"▸ SLO {format_latency(threshold)}", _NAME), (_where(threshold, bounds), DIM), ("   ", TEXT))
    if window.slow is None or not window.events:
        return (*name, (f"no {noun} yet", DIM))
    now = _latest(latest.slow) if latest is not None and latest.slow is not None and latest.events else ()
    full, short = _full(window.slow, noun), _short(window.slow)
    for text in ((*name, *full, *now), (*name, *short, *now), (*name, *full), (*name, *short)):
        if width_of(text) <= width:
            return text
    return (*name[:1], ("   ", TEXT), *short)


def _where(threshold: float, bounds: FloatArray) -> str:
    if bounds.size < 2 or row_of(bounds, threshold) is not None:
        return ""
    return " (below the rows shown)" if threshold < bounds[0] else " (above the rows shown)"


def _full(slow: SlowShare, noun: str) -> StyledText:
    events, waited = slo_shares(slow)
    return ((f"{events} of {noun} are slower,", _EVENTS), (f" with {waited} of the wait", _WAITED))


def _short(slow: SlowShare) -> StyledText:
    events, waited = slo_shares(slow)
    return ((f"{events} slower", _EVENTS), (f", {waited} wait", _WAITED))


def _latest(slow: SlowShare) -> StyledText:
    events, waited = slo_shares(slow)
    return (("   latest: ", DIM), (events, _EVENTS), (", ", DIM), (waited, _WAITED))


def slo_shares(slow: SlowShare) -> tuple[str, str]:
    """The shares of events and of wait in percent; the first says how certain both are.

    "at least": slower events can be in an open range. "about": the SLO is inside a range, whose events are divided.
    """
    sure = "at least " if slow.unsure else "" if slow.exact else "about "
    return sure + percent_text(slow.events), percent_text(slow.waited)

"""Writes the title, the headings of the maps and the key hints."""

from datetime import tzinfo
from typing import NamedTuple

from ...moment_text import nearest, zones_between
from ...number_text import lasted_text, range_text, short_span_text
from ...text import fit, text_width
from ...text.clean import printable
from ...units import format_latency
from ...window import Matrix
from ..layout.layout import Layout
from ..layout.status import DEMO, LIVE, NOT_RECORDED, PAUSED, STALLED, WAITING, Status
from ..style.glyphs import Glyphs
from ..style.options import FREQUENCY, INTENSITY
from ..style.styled_text import StyledSpan, StyledText, width_of
from ..style.styles import DIM, STRONG, TEXT, Ink, style
from .time_axis import clock_text, wall_clock

_WAITS = style(Ink.CHIP_TEXT, Ink.CHIP_WAIT, bold=True)
_CHIPS = {
    LIVE: style(Ink.CHIP_TEXT, Ink.CHIP_GO, bold=True),
    DEMO: style(Ink.CHIP_TEXT, Ink.CHIP_GO, bold=True),
    PAUSED: _WAITS,
    WAITING: _WAITS,
    STALLED: _WAITS,
}
_OTHER_CHIP = style(bold=True, reverse=True)
_FILTER = style(Ink.CHIP_TEXT, Ink.MARK)
_RUNNING = (LIVE, DEMO, WAITING, STALLED)
"""The states in which the newest column is current, so that the clock needs no date."""
_WARNING = style(Ink.GAP)
LEAST_SERIES, LEAST_FILTER = 8, 4
"""Characters of the names of series and filters that stay on a narrow screen."""
MERGED_WORDS = "* merged rows"
EDGE = 1
"""Number of blanks before the title."""
AFTER_TITLE = 4
"""Number of blanks between both parts of the title, and at the edges of the screen."""
AFTER_HINT = 3
"""Number of blanks after each key hint."""


class TitleRoom(NamedTuple):
    """The characters beside the left part of the title: of all remarks, and of those that a file's name leaves."""

    beside: int
    least: int


def title_text(status: Status, matrix: Matrix, layout: Layout, look: Glyphs, room: TitleRoom) -> StyledText:
    """The left part of the title: source, series, state, interval, clock. It begins with the name of the file if that
    has room, in the place of the source if not both have. A long name of the series takes what room is left.
    """
    longest, beside = max(8, layout.columns // 4), room.beside
    title = _title(status, matrix, layout, look, room, longest)
    spare = layout.columns - beside - width_of(title)
    if spare > 0 and text_width(printable(status.series)) > longest:
        return _title(status, matrix, layout, look, room, longest + spare)
    return title


def _title(
    status: Status, matrix: Matrix, layout: Layout, look: Glyphs, room: TitleRoom, longest_series: int
) -> StyledText:
    longest = max(8, layout.columns // 4)
    label, file = (fit(printable(one), longest) for one in (status.label, status.file))
    both = () if status.bare_label else (((file, label), room.beside),)
    of_file = (*both, ((file,), room.beside), ((file,), room.least)) if file else ()
    # The name of the source is known from elsewhere; when the data are from, and which key helps, only from here.
    ones: tuple[tuple[str, ...], ...] = ((label,), ()) if status.series else ((label,),)
    without = tuple((names, beside) for beside in (room.least, EDGE) for names in ones)
    for about in _abouts(status, matrix, layout, look, longest_series):
        for names, beside in (*of_file, *without):
            title = (*_names(names), *about)
            if width_of(title) + beside <= layout.columns:
                return title
    named = _names(ones[-1])
    return *named, *_briefest(status, matrix, layout, look, layout.columns - EDGE - width_of(named))


def _names(names: tuple[str, ...]) -> StyledText:
    return tuple(span for name in names for span in ((name, STRONG), ("  ", TEXT)))


def _abouts(
    status: Status, matrix: Matrix, layout: Layout, look: Glyphs, longest_series: int
) -> tuple[StyledText, ...]:
    """Series, filters, state, interval, clock; filters take the room of what can be read elsewhere."""
    longest = max(8, layout.columns // 4)
    spans = (
        *_series(status, longest_series),
        *_filter_chips(status, longest, 2 * longest, look),
        *_chip_spans(status, matrix, look),
    )
    every = _every(status, matrix, layout)
    whole = (*spans, *every, *_clock(status, matrix, wide=layout.wide))
    if not status.filters:
        return (whole,)
    short = _clock(status, matrix, wide=False)
    return whole, (*spans, *every, *short), (*spans, *short)


def _briefest(status: Status, matrix: Matrix, layout: Layout, look: Glyphs, room: int) -> StyledText:
    """The same without the date: the series gives way first, then the filters, so that the time is not cut."""
    longest = max(8, layout.columns // 4)
    every = () if status.filters else _every(status, matrix, layout)
    clock = _clock(status, matrix, wide=layout.wide and not status.filters, dated=False)
    rest = (*_chip_spans(status, matrix, look), *every, *clock)
    chips = _filter_chips(status, longest, 2 * longest, look)
    left = room - width_of((*chips, *rest))
    least = min(text_width(printable(status.series)), LEAST_SERIES) + 2
    if left < least:
        chips, left = (), room - width_of(rest)
        for length in range(longest, LEAST_FILTER - 1, -1) if status.filters else ():
            chips = _filter_chips(status, length, 0, look)
            left = room - width_of((*chips, *rest))
            if left >= least:
                break
    return *_series(status, max(min(longest, left - 2), LEAST_SERIES)), *chips, *rest


def _series(status: Status, longest: int) -> StyledText:
    return ((fit(printable(status.series), longest), STRONG), ("  ", TEXT)) if status.series else ()


def _chip_spans(status: Status, matrix: Matrix, look: Glyphs) -> StyledText:
    spans: list[StyledSpan] = []
    for text, chip_style in _chips(status, matrix, look):
        chip = fit(printable(text), 24)
        spans += [(chip if chip_style == DIM else look.chip.format(chip), chip_style), ("  ", TEXT)]
    return tuple(spans)


def _every(status: Status, matrix: Matrix, layout: Layout) -> StyledText:
    return ((_column_text(status, wide=layout.wide), DIM), ("   ", TEXT)) if matrix.columns else ()


def _filter_chips(status: Status, longest: int, most: int, look: Glyphs) -> StyledText:
    """A chip for each filter, the last one for sure; of those before it that find no room in ``most`` characters there
    is only the number.
    """
    chosen = _FILTER if look.coloured else _OTHER_CHIP
    form = " {} " if look.coloured else "{{{}}}"
    chips: list[str] = []
    for text in reversed(status.filters):
        chip = form.format(fit(printable(text), longest))
        if chips and text_width("".join((*chips, chip))) > most:
            chips.append(form.format(f"+{len(status.filters) - len(chips)}"))
            break
        chips.append(chip)
    spans = [span for chip in reversed(chips) for span in ((chip, chosen), (" ", TEXT))]
    return (*spans, (" ", TEXT)) if spans else ()


def _chips(status: Status, matrix: Matrix, look: Glyphs) -> list[StyledSpan]:
    """The state; ``?`` where the newest data are doubtful; that nothing is recorded any more."""
    waits = _WAITS if look.coloured else _OTHER_CHIP
    chips = [(_chip_text(status, matrix), _chip_style(status, look))]
    if status.sides is not None:
        # What is shown of what is kept then stands beside it, and no chip says that the source has ended.
        said: StyledSpan = (chips[0][0], DIM) if status.finished else chips[0]
        chips = [said, (status.sides.chip, _OTHER_CHIP)][:: -1 if status.finished else 1]
    if not status.finished and matrix.columns and matrix.doubtful[-1]:
        chips.append(("?", waits))
    return [*chips, *((flag, waits) for flag in status.flags if flag in NOT_RECORDED)]


def _chip_text(status: Status, matrix: Matrix) -> str:
    """The state; in a finished picture, what is shown of what is kept."""
    if not status.finished or not matrix.columns or status.kept_seconds <= 0:
        return status.state
    kept = short_span_text(status.kept_seconds)
    if status.shows_all(matrix.ends):
        return f"{'PART' if status.part else 'ALL'} {kept}"
    return f"{short_span_text((int(matrix.ends[-1]) - _begin(status, matrix)) / 1e6)} of {kept}"


def _column_text(status: Status, *, wide: bool) -> str:
    """How long a column is: ``every 1 s``, or ``1 h a column`` if it is merged from several."""
    lasts = lasted_text(status.interval)
    if not wide:
        return lasts
    return f"{lasts} a column" if status.is_merged else f"every {lasts}"


def _begin(status: Status, matrix: Matrix) -> int:
    """Epoch microseconds at which the first column begins, or if that is later, at which the data begin."""
    return max(int(matrix.ends[0]) - round(status.interval * 1e6), status.kept[0])


def title_right_text(
    status: Status, layout: Layout, width: int, fixed: str = "", *, merged: bool = False
) -> StyledText:
    """The remarks at the right of the title, as many as fit in ``width``. The first ones are dropped first.

    ``fixed`` is the text of the latency range that the user fixed; ``merged``: a label has the sign of a merged row.
    """
    items: list[StyledSpan] = []
    if layout.plan.half:
        items.append(("2 rows per line" if layout.wide else "2 rows/line", DIM))
    if status.resolution > 1:
        items.append((f"{status.resolution} rows per doubling", DIM))
    if merged:
        items.append((MERGED_WORDS, DIM))
    items += _right_items(status, layout, fixed)
    while items and _right_width(items) > width:
        items.pop(0)
    # The hint for help is last, where users look for it.
    items.sort(key=lambda item: item[0].startswith("?"))
    return tuple(span for item in items for span in (("   ", TEXT), item))[1:]


def title_room(status: Status, layout: Layout, fixed: str = "") -> TitleRoom:
    """What is worth more than the name of a file: the number of the series only if there is room for both."""
    every, least = (_right_width(_right_items(status, layout, fixed, numbered=one)) for one in (True, False))
    return TitleRoom(every + AFTER_TITLE, least + AFTER_TITLE)


def _right_width(items: list[StyledSpan]) -> int:
    return width_of(items) + 3 * (len(items) - 1)


def _right_items(status: Status, layout: Layout, fixed: str, *, numbered: bool = True) -> list[StyledSpan]:
    """All but what is known from the maps; the most important last. ``numbered``: with the number of the series."""
    items: list[StyledSpan] = []
    if status.stacked:
        items.append((f"stack of {status.stacked}", DIM))
    elif numbered and (status.series_count > 1 or layout.wide):
        place = f"series {status.series_number}/{status.series_count}"
        items.append((place if status.series_number else f"all {status.series_count} series", DIM))
    if not layout.narrow:
        items += [(f"? {word}", DIM) for key, word in status.keys if key == "?"]
    if status.bad_count:
        items.append((f"{status.bad_count} bad record{'s' if status.bad_count > 1 else ''}", _WARNING))
    if fixed:
        items.append((f" {fixed} ", _OTHER_CHIP))
    return items + [(fit(printable(flag), 24), TEXT) for flag in reversed(status.flags) if flag not in NOT_RECORDED]


def fixed_range_text(low: float | None, high: float | None) -> str:
    """The range of latencies that the user fixed (seconds; None: that end follows the data); empty if neither is."""
    if low and high:
        return f"only {range_text(low, high)}"
    if low:
        return f"only from {format_latency(low)}"
    return f"only to {format_latency(high)}" if high else ""


def heading_text(kind: str, status: Status, matrix: Matrix, layout: Layout) -> StyledText:
    """What a map shows, and whether it is estimated or resampled."""
    noun = fit(printable(status.noun), 24)
    if kind == FREQUENCY:
        what = f"{noun} per second" if layout.wide else f"{noun}/s"
        flags = ["resampled"] if matrix.resampled else []
    else:
        what = "time waited per second" if layout.wide else "waited/s"
        estimated = bool(matrix.estimated.any())
        flags = (["estimated" if layout.wide else "est."] if estimated else []) + (
            ["resampled"] if matrix.resampled and layout.plan.maps == 1 else []
        )
    remark = (f" ({', '.join(flags)})" if layout.wide else " " + " ".join(flags)) if flags else ""
    ink = Ink.INTENSITY if kind == INTENSITY else Ink.FREQUENCY
    return ((kind.upper(), style(ink, bold=True)), ("  " + what + remark, DIM))


def key_hints_text(status: Status, layout: Layout, width: int) -> StyledText:
    """The key hints. On a narrow terminal only help, for which the title has no room there, and how to quit."""
    keys = [(key, word) for key, word in status.keys if layout.narrow or key != "?"]
    if layout.narrow:
        keys = [hint for hint in keys if hint[0] in ("?", "q")] or keys
    return fitting_hints(keys, width)


def fitting_hints(keys: list[tuple[str, str]], width: int) -> StyledText:
    """Keys and what they do, as many as fit. The last one, how to quit, is always shown."""
    shown = list(keys)
    spans = _hints(shown)
    while len(shown) > 1 and width_of(spans) > width:
        del shown[-2]
        spans = _hints(shown)
    return spans


def _hints(keys: list[tuple[str, str]]) -> StyledText:
    return tuple(span for key, word in keys for span in ((key, STRONG), (f" {word}{' ' * AFTER_HINT}", DIM)))


def _chip_style(status: Status, look: Glyphs) -> int:
    # Without colours all states look alike, and reverse makes the chip.
    return _CHIPS.get(_state_word(status), _OTHER_CHIP) if look.coloured else _OTHER_CHIP


def _state_word(status: Status) -> str:
    """The state without its numbers."""
    return STALLED if status.state.startswith(STALLED) else status.state


def _clock(status: Status, matrix: Matrix, *, wide: bool, dated: bool = True) -> StyledText:
    """The end of the newest column, with the zone if there is room, and the date if it may be another day. ``dated``:
    a part of a day has its date.
    """
    if not matrix.columns:
        return ()
    end = int(matrix.ends[-1])
    text = clock_text(end, status.tz, real=matrix.clock)
    if not matrix.clock:
        return ((text, TEXT), ("  no real clock", DIM))
    if status.finished:
        return ((_period(_begin(status, matrix), end, status.tz, wide=wide, dated=dated), TEXT),)
    when = wall_clock(end, status.tz)
    if wide:
        text = f"{printable(when.tzname() or '')} {text}"
    if _state_word(status) not in _RUNNING:
        text = f"{when.strftime('%Y-%m-%d' if wide else '%m-%d')} {text}"
    return ((text, TEXT),)


LONG, DAY = 600, 86_400
"""Seconds. Of a long picture, times are told to the minute; of one of days, a short line has dates only."""


def _period(begin: int, end: int, tz: tzinfo, *, wide: bool, dated: bool) -> str:
    """From when to when, epoch microseconds: ``2026-03-02 00:00 to 03-05 00:00 UTC``; to the nearest second, as
    sentences and reports have it. ``dated``: on a short line, a part of a day has its date.
    """
    seconds = (end - begin) / 1e6
    first, last = (wall_clock(nearest(one), tz) for one in (begin, end))
    clock = "%H:%M" if seconds >= LONG else "%H:%M:%S"
    if not wide:
        if seconds >= DAY:
            return f"{first:%Y-%m-%d} to {last:%m-%d}"
        return f"{first:{'%m-%d ' if dated else ''}{clock}} to {last:{clock}}"
    date = "" if last.date() == first.date() else "%m-%d "
    before, zone = map(printable, zones_between(first, last))
    return f"{first:%Y-%m-%d {clock}}{before} to {last:{date}{clock}}{zone}"

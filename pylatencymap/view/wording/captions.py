"""Writes the title, the headings of the maps and the key hints."""

from ...number_text import range_text, span_text
from ...text import fit
from ...text.clean import printable
from ...units import format_latency
from ...window import Matrix
from ..layout.layout import Layout
from ..layout.status import DEMO, LIVE, PAUSED, WAITING, Status
from ..style.glyphs import Glyphs
from ..style.options import FREQUENCY, INTENSITY
from ..style.styled_text import StyledSpan, StyledText, width_of
from ..style.styles import DIM, STRONG, TEXT, Ink, style
from .time_axis import clock_text, wall_clock

_CHIPS = {
    LIVE: style(Ink.CHIP_TEXT, Ink.CHIP_GO, bold=True),
    DEMO: style(Ink.CHIP_TEXT, Ink.CHIP_GO, bold=True),
    PAUSED: style(Ink.CHIP_TEXT, Ink.CHIP_WAIT, bold=True),
    WAITING: style(Ink.CHIP_TEXT, Ink.CHIP_WAIT, bold=True),
}
_OTHER_CHIP = style(bold=True, reverse=True)
_RUNNING = (LIVE, DEMO, WAITING)
"""The states in which the newest column is current, so that the clock needs no date."""
_WARNING = style(Ink.GAP)
AFTER_HINT = 3
"""Number of blanks after each key hint."""


def title_text(status: Status, matrix: Matrix, layout: Layout, look: Glyphs) -> StyledText:
    """The left part of the title: source, series, state, interval, clock."""
    longest = max(8, layout.columns // 4)
    spans: list[StyledSpan] = [(fit(printable(status.label), longest), STRONG), ("  ", TEXT)]
    if status.series:
        spans += [(fit(printable(status.series), longest), STRONG), ("  ", TEXT)]
    chip = look.chip.format(fit(printable(status.state), 20))
    spans += [(chip, _chip_style(status, look)), ("  ", TEXT)]
    if matrix.columns:
        spans += [(("every " if layout.wide else "") + span_text(status.interval), DIM), ("   ", TEXT)]
    return (*spans, *_clock(status, matrix, layout))


def title_right_text(status: Status, layout: Layout, width: int, fixed: str = "") -> StyledText:
    """The remarks at the right of the title, as many as fit in ``width``. The first ones are dropped first.

    ``fixed`` is the text of the latency range that the user fixed.
    """
    items: list[StyledSpan] = []
    if layout.plan.half:
        items.append(("2 rows per line" if layout.wide else "2 rows/line", DIM))
    if status.resolution > 1:
        items.append((f"{status.resolution} rows per doubling", DIM))
    if not layout.narrow:
        items += [(f"? {word}", DIM) for key, word in status.keys if key == "?"]
    if status.series_count > 1 or layout.wide:
        place = f"series {status.series_number}/{status.series_count}"
        items.append((place if status.series_number else f"all {status.series_count} series", DIM))
    if status.bad_count:
        items.append((f"{status.bad_count} bad record{'s' if status.bad_count > 1 else ''}", _WARNING))
    if fixed:
        items.append((f" {fixed} ", _OTHER_CHIP))
    items += [(fit(printable(flag), 24), TEXT) for flag in reversed(status.flags)]
    while items and width_of(items) + 3 * (len(items) - 1) > width:
        items.pop(0)
    # The hint for help is last, where users look for it.
    items.sort(key=lambda item: item[0].startswith("?"))
    return tuple(span for item in items for span in (("   ", TEXT), item))[1:]


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
    return _CHIPS.get(status.state, _OTHER_CHIP) if look.coloured else _OTHER_CHIP


def _clock(status: Status, matrix: Matrix, layout: Layout) -> StyledText:
    """The end of the newest column, with the zone if there is room, and the date if it may be another day."""
    if not matrix.columns:
        return ()
    end = int(matrix.ends[-1])
    text = clock_text(end, status.tz, real=matrix.clock)
    if not matrix.clock:
        return ((text, TEXT), ("  no real clock", DIM))
    when = wall_clock(end, status.tz)
    if layout.wide:
        text = f"{printable(when.tzname() or '')} {text}"
    if status.state not in _RUNNING:
        text = f"{when.strftime('%Y-%m-%d' if layout.wide else '%m-%d')} {text}"
    return ((text, TEXT),)

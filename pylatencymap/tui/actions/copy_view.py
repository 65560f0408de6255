"""What a view says, as text to copy, with the command line that opens the same view again."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Mapping
from datetime import tzinfo
from math import inf
from typing import TYPE_CHECKING

from ...findings import series_glob
from ...number_text import events_words
from ...session import SUM_SERIES
from ...text import moment_option, zone_name
from ...view.style import ViewOptions
from ..viewer.viewer import Viewer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_WITHOUT_CLIPBOARD = ("linux", "vt", "dumb", "ansi", "cygwin", "sun")
"""Beginnings of TERM of terminals that have no clipboard."""


def copy_words(viewer: Viewer) -> None:
    """Copy what the lines below the maps say, with the read-out, and how to open this view again: to the clipboard of
    the terminal, or if it has none to a file.
    """
    if not len(viewer.picture):
        viewer.notice = "there is nothing to copy yet"
        return
    files = viewer.presentation.files
    command, compares = reopening_command(viewer, files), comparing_command(viewer, files)
    opening = [command, *left_out(viewer)] if command else []
    text = "\n".join([*said_lines(viewer), *opening, *([compares] if compares else [])]) + "\n"
    if has_clipboard(os.environ):
        viewer.clipboard = text
        viewer.notice = f"copied {events_words(len(text.splitlines()), 'lines')} to the clipboard of the terminal"
        if not os.environ.get("TMUX"):
            return
    from pathlib import Path

    from ...session import save_beside

    name = Path(time.strftime("pylatencymap-%Y%m%d-%H%M%S"))
    written = save_beside(name, ".txt", text.encode())
    if viewer.clipboard == text:
        viewer.notice = f"copied, if tmux has set-clipboard on; also wrote {written.name} in {Path.cwd()}"
    else:
        viewer.notice = f"this terminal has no clipboard: wrote {written.name} in {Path.cwd()}"


def has_clipboard(environ: Mapping[str, str]) -> bool:
    """Whether the terminal takes a text for the clipboard (OSC 52), as far as the environment tells. Terminals that
    build on VTE, and Apple's, ignore it without a word.
    """
    term = environ.get("TERM", "")
    ignored = environ.get("VTE_VERSION") or environ.get("TERM_PROGRAM") == "Apple_Terminal"
    return bool(term) and not ignored and not term.startswith(_WITHOUT_CLIPBOARD)


ALL_LINES = (120, 54)
"""Columns and lines of a picture on which all is said, in full."""


def said_lines(viewer: Viewer) -> list[str]:
    """The title, and what the picture says below the maps, without key hints: all of it, also what has no room on a
    small screen.
    """
    drawn = viewer.bare_picture(least=ALL_LINES)
    lines = [line.removeprefix(" ").rstrip() for line in drawn.cells.text()]  # the margin is of the screen alone
    return [lines[0], *filter(None, lines[drawn.geometry.axis + 2 :])]


def reopening_command(viewer: Viewer, files: Sequence[str]) -> str:
    """The command line that opens the view as it is, of these files, as they are being read or as they were saved;
    empty if there is no file.
    """
    named = [file for file in files if file != "-"]
    if not named:
        return ""
    shown = viewer.presentation
    original = tuple(files) == shown.files
    how = shown.reading if original else ()
    where = (*_place_words(viewer, original=original), *_selection_words(viewer, original=original))
    return shlex.join(["pylatencymap", *named, *how, *where, *_look_words(viewer), *_baseline_words(viewer)])


def _baseline_words(viewer: Viewer) -> Iterator[str]:
    """The option for a baseline, if the view compares with one."""
    sides, baseline = viewer.viewpoint.sides, viewer.sides.baseline
    if sides is not None and sides.other and baseline is not None:
        yield from ("--baseline", baseline.word)


def comparing_command(viewer: Viewer, files: Sequence[str]) -> str:
    """The command line that prints the comparison of A and B; empty if there is none, no file, or events that a filter
    leaves are divided by a key, which ``compare`` refuses.
    """
    page, named, picture = viewer.sides_page(), [file for file in files if file != "-"], viewer.picture
    filters, how = [*_filter_words(viewer)], viewer.presentation.reading
    if page is None or not page.has_table or len(named) != 1 or viewer.presentation.is_part:
        return ""
    if filters and "--by" in how:
        return ""
    zone = _zone(viewer, original=True)
    extent, times = picture.extent(viewer.viewpoint), {name: (begin, end) for name, begin, end in page.braces}
    if zone is None or extent is None:
        return ""
    words = []
    for head in page.heads:
        if head.name in times:
            ends = (moment_option(one, zone) for one in times[head.name])
            words.append(f"{named[0]}@{'..'.join(ends)}")
        elif viewer.sides.baseline is not None and head.name == "B":
            words.append(viewer.sides.baseline.word)
        else:
            words.append(named[0])
    series = picture.series(viewer.viewpoint)
    only = [] if series is None or picture.is_sum(viewer.viewpoint) else ["--series", series_glob(series)]
    zoned = ["--tz", name] if (name := zone_name(zone)) else []
    return shlex.join(["pylatencymap", "compare", *words, *only, *filters, *how, *zoned])


def _zone(viewer: Viewer, *, original: bool) -> tzinfo | None:
    """The zone of the times in a command; None without a clock. With another one than that in which the files were
    read, what has no zone there would move.
    """
    picture = viewer.picture
    if not picture.has_clock(viewer.viewpoint):
        return None
    return (viewer.presentation.zone if original else None) or picture.options.tz


def left_out(viewer: Viewer) -> Iterator[str]:
    """What the command does not open again, as a comment of a shell."""
    picture, others = viewer.picture, len(viewer.picture.window) - 1
    if _names_series(viewer) and not picture.is_sum(viewer.viewpoint) and others:
        yield f"# without {others} other series"


def _selection_words(viewer: Viewer, *, original: bool) -> Iterator[str]:
    """The option that selects the same again."""
    picture, chosen = viewer.picture, viewer.viewpoint.selected
    extent = picture.extent(viewer.viewpoint)
    if chosen is None or extent is None or chosen.begin >= chosen.end:
        return
    if (zone := _zone(viewer, original=original)) is not None:
        begin, end = (moment_option(one, zone) for one in (chosen.begin, chosen.end))
    else:
        begin, end = (f"+{one / 1e6:.6f}s" for one in (max(chosen.begin - extent[0], 0), chosen.end - chosen.begin))
    low, high = ("" if one is None or one == inf else f"{one * 1e6:.10g}us" for one in (chosen.low, chosen.high))
    yield from ("--select", f"{begin}..{end},{low}..{high}" if low or high else f"{begin}..{end}")


def _filter_words(viewer: Viewer) -> Iterator[str]:
    """The options for the filters of the events."""
    for one in viewer.viewpoint.filters:
        yield from ("--only", one)


def _names_series(viewer: Viewer) -> bool:
    """Whether the command has to name the series that is shown: it opens at the one with the most time waited."""
    picture, viewpoint = viewer.picture, viewer.viewpoint
    if picture.stacked(viewpoint):
        return False
    shown, ranking = picture.series(viewpoint), picture.window.by_time_waited()
    is_part = viewer.presentation.is_part or not (viewpoint.fitted and viewpoint.follows)
    return shown is not None and (is_part or picture.is_sum(viewpoint) or shown != ranking[0])


def _place_words(viewer: Viewer, *, original: bool) -> Iterator[str]:
    """The options that say what part of the data is shown. ``original``: of the files that are being read, which can
    have more than what is kept.
    """
    is_part = original and viewer.presentation.is_part
    viewpoint, picture, geometry = viewer.viewpoint, viewer.picture, viewer.geometry
    extent = picture.extent(viewpoint)
    if extent is not None and geometry is not None and geometry.ends.size:
        begin = max(int(geometry.ends[0]) - viewer.column_micros, extent[0])
        end = min(int(geometry.ends[-1]), extent[1])
        zone, first = _zone(viewer, original=original), extent[0]
        if begin > extent[0] or is_part:
            yield from ("--from", _moment_word(begin, extent[0], zone, up=False))
            first = extent[0] if zone is not None else extent[0] + _seconds(begin - extent[0], up=False) * 1_000_000
        if end < extent[1] or is_part:
            yield from ("--to", _moment_word(end, first, zone, up=True))
        if zone is not None and (name := zone_name(zone)):
            yield from ("--tz", name)
    series = picture.series(viewpoint)
    for name in picture.stacked(viewpoint):
        yield from ("--stack", name)
    if series is not None and _names_series(viewer) and (len(picture.window) > 1 or is_part):
        yield from ("--series", SUM_SERIES if picture.is_sum(viewpoint) else series_glob(series))
    if original:
        yield from _filter_words(viewer)
    if viewpoint.resolution > 1:
        yield from ("--resolution", str(viewpoint.resolution))


def _look_words(viewer: Viewer) -> Iterator[str]:
    """The options that say how it is drawn, where that is not as usual."""
    view, usual = viewer.picture.view(viewer.viewpoint), ViewOptions()
    for option in ("map", "scale", "palette", "percentiles"):
        if (chosen := getattr(view, option)) != getattr(usual, option):
            yield from (f"--{option}", chosen)
    if not viewer.presentation.finds_background:
        yield from ("--background", view.background)
    if (columns := viewer.picture.options.columns) is not None:
        yield from ("--columns", str(columns))
    for number in ("rows", "frequency_max"):
        if (chosen := getattr(view, number)) is not None:
            yield from (_option(number), f"{chosen:.10g}")
    for latency in ("slo", "min_latency", "max_latency", "intensity_max"):
        if (chosen := getattr(view, latency)) is not None:
            yield from (_option(latency), f"{chosen * 1e6:.10g}us")


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


def _moment_word(micros: int, first: int, zone: tzinfo | None, *, up: bool) -> str:
    """A moment in whole seconds, as ``--from`` and ``--to`` take it; without a clock, counted from ``first``: the
    beginning, or for ``--to`` what ``--from`` is.
    """
    if zone is None:
        return f"+{_seconds(micros - first, up=up)}s"
    return moment_option(_seconds(micros, up=up) * 1_000_000, zone)


def _seconds(micros: int, *, up: bool) -> int:
    return -(-micros // 1_000_000) if up else micros // 1_000_000

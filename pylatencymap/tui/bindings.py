"""All keys of the view: their actions and their help texts. Key hints, help and README come from this table."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ..view.style import BOTH_MAPS, FREQUENCY, INTENSITY
from .actions import (
    appearance,
    copy_view,
    cursor,
    go_to_time,
    mark_and_save,
    navigation,
    selecting,
    series_choice,
    two_selections,
    zoom,
)
from .viewer.viewer import Viewer

if TYPE_CHECKING:
    from ..view.boxes import KeyHelp


# Keys that open a layer over the main view: the grid, the list of series, the help.


def open_grid(viewer: Viewer) -> None:
    """Open the grid of all series."""
    from .grid_view import GridView

    if len(viewer.picture.window) < 2:
        viewer.notice = "there is only one series: the grid would show the same"
    else:
        viewer.open(GridView(viewer.layers[-1]))


def open_picker(viewer: Viewer) -> None:
    """Open the list of series, to choose one by name."""
    from .picker_view import PickerView

    if len(viewer.picture.window):
        viewer.open(PickerView(viewer.layers[-1], viewer))


def open_moments(viewer: Viewer) -> None:
    """Open the list of what stands out, most costly first."""
    from .moments_view import MomentsView

    found = viewer.picture.moments(viewer.viewpoint)
    if found:
        viewer.open(MomentsView(viewer.layers[-1], found))
    else:
        viewer.notice = selecting.no_moments(viewer)


def open_difference(viewer: Viewer) -> None:
    """Open the difference map of A and B."""
    from .difference_view import DifferenceView

    page = viewer.sides_page()
    if page is not None and page.has_table:
        viewer.open(DifferenceView(viewer.layers[-1]))
    else:
        viewer.notice = two_selections.NOTHING_TO_COMPARE


def open_who(viewer: Viewer) -> None:
    """Say who is in the cursor's cell, or in the selection."""
    from .actions import who

    part = who.chosen_part(viewer)
    if not len(viewer.picture):
        viewer.notice = who.NO_DATA
    elif part is None:
        viewer.notice = who.NOTHING_CHOSEN
    else:
        from .who_view import WhoView

        viewer.open(WhoView(viewer.layers[-1], viewer, part))


def open_help(viewer: Viewer, keys: tuple[KeyHelp, ...]) -> None:
    """Open the help: how to read the maps, and these keys."""
    from .help_view import HelpView

    viewer.open(HelpView(viewer.layers[-1], keys))


Action = Callable[[Viewer], None]


class Binding(NamedTuple):
    """``group``, ``keys`` and ``text`` appear in the help; ``acts`` has the action for each keyboard event. Mouse
    events go to ``cursor.point_with_mouse``.
    """

    group: str
    keys: str
    text: str
    acts: dict[str, Action]


def _step(act: Action) -> Action:
    """An action that Backspace takes back."""

    def remembered(viewer: Viewer) -> None:
        before = viewer.place
        act(viewer)
        viewer.remember(before)

    return remembered


def _same(act: Action, *names: str) -> dict[str, Action]:
    return dict.fromkeys(names, act)


def _explain(viewer: Viewer) -> None:
    from ..view.boxes import KeyHelp

    open_help(viewer, tuple(KeyHelp(binding.keys, binding.text, binding.group) for binding in BINDINGS))


REPAINT_KEY = "KEY_CTRL_L"
"""The one key that means the same in every layer."""


def _repaint(viewer: Viewer) -> None:
    viewer.is_spoilt = True


def _quit(viewer: Viewer) -> None:
    viewer.quit = True


BINDINGS = (
    Binding("time", "space", "pause, go on; what comes is kept", _same(navigation.pause_or_go_on, " ")),
    Binding(
        "time",
        "[ ] wheel",
        "less, more time, about the cursor",
        {"[": _step(zoom.narrow_columns), "]": _step(zoom.widen_columns)},
    ),
    Binding("time", "a", "all that is kept on the screen", _same(_step(zoom.fit_all), "a")),
    Binding(
        "time",
        "n N",
        "what stands out, costliest first",
        {"n": _step(selecting.go_to_moment(1)), "N": _step(selecting.go_to_moment(-1))},
    ),
    Binding("time", "l", "list of what stands out", _same(open_moments, "l")),
    Binding("time", "Enter", "zoom: selection, or about the cursor", _same(_step(zoom.zoom_in), "KEY_ENTER")),
    Binding("time", "Backspace", "take back the last step", _same(zoom.go_back, "KEY_BACKSPACE")),
    Binding(
        "time",
        "PgUp PgDn",
        "one screen back, forward",
        {"KEY_PGUP": _step(navigation.page_back), "KEY_PGDOWN": _step(navigation.page_forward)},
    ),
    Binding(
        "time",
        "Home End",
        "oldest; newest: live, or replay's end",
        {"KEY_HOME": _step(navigation.go_to_oldest), "KEY_END": _step(navigation.go_to_newest)},
    ),
    Binding("time", "t", "go to a time", _same(go_to_time.ask_moment, "t")),
    Binding(
        "cursor",
        "arrows click",
        "cursor: reads out one cell; Shift: far",
        {
            "KEY_LEFT": cursor.move_cursor(-1, 0),
            "KEY_RIGHT": cursor.move_cursor(1, 0),
            "KEY_UP": cursor.move_cursor(0, 1),
            "KEY_DOWN": cursor.move_cursor(0, -1),
            "KEY_SLEFT": cursor.move_cursor(-cursor.FAR, 0),
            "KEY_SRIGHT": cursor.move_cursor(cursor.FAR, 0),
            "KEY_SUP": cursor.move_cursor(0, cursor.FAR),
            "KEY_SDOWN": cursor.move_cursor(0, -cursor.FAR),
        },
    ),
    Binding(
        "cursor",
        "( ) drag",
        "select from, to the cursor; drag",
        {"(": _step(selecting.set_edge(last=False)), ")": _step(selecting.set_edge(last=True))},
    ),
    Binding("cursor", "w", "who is in this cell, or selection", _same(open_who, "w")),
    Binding(
        "cursor",
        "A B",
        "name two times, and compare them; B -1d",
        {"A": _step(two_selections.name_a), "B": _step(two_selections.name_b)},
    ),
    Binding("cursor", "D", "difference map of A and B, and back", _same(open_difference, "D")),
    Binding("cursor", "Esc", "end cursor, selection; close this", _same(cursor.remove_cursor, "KEY_ESCAPE")),
    Binding(
        "latency",
        "+ -",
        "more, fewer rows per doubling",
        {**_same(appearance.double_resolution, "+", "="), "-": appearance.halve_resolution},
    ),
    Binding(
        "latency",
        "r { }",
        "fix a range of latencies; move it",
        {"r": appearance.ask_range, "{": appearance.pan_latencies(-1), "}": appearance.pan_latencies(1)},
    ),
    Binding("latency", "o", "SLO: a line, and what is slower", _same(appearance.ask_slo, "o")),
    Binding(
        "series",
        "Tab 1-9",
        "next series, series N",
        {
            "KEY_TAB": _step(series_choice.next_series(1)),
            "KEY_BTAB": _step(series_choice.next_series(-1)),
            **{str(number): _step(series_choice.show_numbered(number - 1)) for number in range(1, 10)},
        },
    ),
    Binding("series", "0", "all series added up", _same(_step(series_choice.show_sum), "0")),
    Binding("series", "v", "two or three above each other; one", _same(_step(series_choice.stack_or_one), "v")),
    Binding("series", "/", "choose a series by its name", _same(open_picker, "/")),
    Binding("series", "g", "grid; there arrows choose, Enter opens", _same(open_grid, "g")),
    Binding(
        "look",
        "f i b",
        "frequency, intensity, both maps",
        {
            "f": appearance.show_maps(FREQUENCY),
            "i": appearance.show_maps(INTENSITY),
            "b": appearance.show_maps(BOTH_MAPS),
        },
    ),
    Binding("look", "%", "p50 and p99: on the maps, a strip, none", _same(appearance.next_curves, "%")),
    Binding("look", "c", "colour scale: sqrt linear log share", _same(appearance.next_scale, "c")),
    Binding("look", "x", "pin both scales, let them go", _same(appearance.pin_scales, "x")),
    Binding(
        "look",
        "p d",
        "palette; dark or light background",
        {"p": appearance.next_palette, "d": appearance.switch_background},
    ),
    Binding("look", "u", "times in UTC or in local time", _same(appearance.switch_zone, "u")),
    Binding("look", "Ctrl-L", "paint the whole screen again", _same(_repaint, REPAINT_KEY)),
    Binding(
        "replay",
        "< > .",
        "slower, faster; one interval further",
        {"<": navigation.replay_slower, ">": navigation.replay_faster, ".": navigation.step_replay},
    ),
    Binding("keep", "m", "mark this moment with a note", _same(mark_and_save.ask_mark, "m")),
    Binding(
        "keep",
        "s S",
        "save picture, then recording; S asks",
        {"s": mark_and_save.save_view, "S": mark_and_save.ask_what_to_save},
    ),
    Binding("keep", "y", "copy the words, and how to reopen this", _same(copy_view.copy_words, "y")),
    Binding("keep", "?", "how to read the maps; the keys", _same(_explain, "?")),
    Binding("keep", "q", "quit", _same(_quit, "q")),
)


@cache
def actions_by_event() -> dict[str, Action]:
    """The action for each keyboard event in the main view."""
    return {key: act for binding in BINDINGS for key, act in binding.acts.items()}


BOTH = "A and B"


@cache
def key_hints(
    *,
    paused: bool,
    pointing: bool,
    selected: bool,
    replay: bool,
    several: bool,
    ended: bool,
    whole: bool,
    stacked: bool = False,
    named: str = "",
) -> tuple[tuple[str, str], ...]:
    """The key hints of the last line, most important first; the last one quits. ``ended``: nothing more will come;
    ``whole``: all that is kept is on the screen; ``named``: A, or A and B.
    """
    return (
        *([] if ended else [("space", "go on" if paused else "pause")]),
        *([("v", "one series")] if stacked else []),
        *([("D", "difference"), ("B", "another B")] if named == BOTH else [("B", "compare with")] if named else []),
        ("n", "next moment"),
        ("arrows", "move" if pointing else "read out"),
        *([("Enter", "zoom in"), ("w", "who is there")] if pointing or selected else []),
        *([("Esc", "end read-out" if pointing else "drop it")] if pointing or selected else []),
        *([("Esc", "end comparing")] if named and not (pointing or selected) else []),
        *([("A", "name it A")] if selected and not named else []),
        *([("< >", "speed")] if replay and not ended else []),
        ("[ ]", "zoom"),
        *([] if whole else [("a", "all")]),
        *([("Tab", "series"), ("g", "grid"), *([] if stacked else [("v", "stack")])] if several else []),
        ("+ -", "detail"),
        ("m", "mark"),
        ("s", "save"),
        ("?", "help"),
        ("q", "quit"),
    )

"""Every key of the view: what it does, and what the help says of it. Hints, help and README come from this table."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from ..view.boxes.help_tables import KeyHelp
from ..view.style.options import BOTH, FREQUENCY, INTENSITY
from . import appearance, cursor, keeping, opening, replaying, series, timing
from .stage import Stage

Act = Callable[[Stage], None]


class Binding(NamedTuple):
    """``keys`` and ``text`` are what the help says; ``acts`` says what each event of the keyboard does. What the mouse
    does, ``cursor.point`` knows.
    """

    group: str
    keys: str
    text: str
    acts: dict[str, Act]


def _same(act: Act, *names: str) -> dict[str, Act]:
    return dict.fromkeys(names, act)


def _explain(stage: Stage) -> None:
    opening.explain(stage, tuple(KeyHelp(binding.keys, binding.text, binding.group) for binding in BINDINGS))


def _quit(stage: Stage) -> None:
    stage.quit = True


BINDINGS = (
    Binding("time", "space", "pause, go on; what comes is kept", _same(timing.pause_or_go_on, " ")),
    Binding(
        "time", "[ ] wheel", "less, more time per column", {"[": timing.columns_shorter, "]": timing.columns_longer}
    ),
    Binding(
        "time", "PgUp PgDn", "one screen back, forward", {"KEY_PGUP": timing.page_back, "KEY_PGDOWN": timing.page_on}
    ),
    Binding(
        "time",
        "Home End",
        "oldest column; newest, and live again",
        {"KEY_HOME": timing.oldest, "KEY_END": timing.newest},
    ),
    Binding("time", "t", "go to a time", _same(timing.go_to, "t")),
    Binding(
        "cursor",
        "arrows click",
        "cursor: reads out one cell; Shift: far",
        {
            "KEY_LEFT": cursor.move(-1, 0),
            "KEY_RIGHT": cursor.move(1, 0),
            "KEY_UP": cursor.move(0, 1),
            "KEY_DOWN": cursor.move(0, -1),
            "KEY_SLEFT": cursor.move(-cursor.FAR, 0),
            "KEY_SRIGHT": cursor.move(cursor.FAR, 0),
            "KEY_SUP": cursor.move(0, cursor.FAR),
            "KEY_SDOWN": cursor.move(0, -cursor.FAR),
        },
    ),
    Binding("cursor", "Esc", "end the cursor, close this", _same(cursor.leave, "KEY_ESCAPE")),
    Binding(
        "latency",
        "+ -",
        "more, fewer rows per doubling",
        {**_same(appearance.finer, "+", "="), "-": appearance.coarser},
    ),
    Binding(
        "latency",
        "r { }",
        "fix a range of latencies; move it",
        {"r": appearance.fix_range, "{": appearance.pan(-1), "}": appearance.pan(1)},
    ),
    Binding("latency", "o", "SLO: a line, and what is slower", _same(appearance.set_slo, "o")),
    Binding(
        "series",
        "Tab 1-9",
        "next series, series N",
        {
            "KEY_TAB": series.next_series(1),
            "KEY_BTAB": series.next_series(-1),
            **{str(number): series.number(number - 1) for number in range(1, 10)},
        },
    ),
    Binding("series", "0", "all series added up", _same(series.add_up, "0")),
    Binding("series", "/", "choose a series by its name", _same(opening.picker, "/")),
    Binding("series", "g", "grid; there arrows choose, Enter opens", _same(opening.grid, "g")),
    Binding(
        "look",
        "f i b",
        "frequency, intensity, both maps",
        {"f": appearance.show_maps(FREQUENCY), "i": appearance.show_maps(INTENSITY), "b": appearance.show_maps(BOTH)},
    ),
    Binding("look", "c", "colour scale: sqrt linear log share", _same(appearance.next_scale, "c")),
    Binding("look", "x", "pin both scales, let them go", _same(appearance.pin, "x")),
    Binding(
        "look",
        "p d",
        "palette; dark or light background",
        {"p": appearance.next_palette, "d": appearance.other_background},
    ),
    Binding(
        "replay",
        "< > .",
        "slower, faster; one interval further",
        {"<": replaying.slower, ">": replaying.faster, ".": replaying.step},
    ),
    Binding("keep", "m", "mark this moment with a note", _same(keeping.mark, "m")),
    Binding("keep", "s", "save picture and recording", _same(keeping.save, "s")),
    Binding("keep", "?", "how to read the maps; the keys", _same(_explain, "?")),
    Binding("keep", "q", "quit", _same(_quit, "q")),
)


@cache
def acts() -> dict[str, Act]:
    """What each event of the keyboard does in the main view."""
    return {key: act for binding in BINDINGS for key, act in binding.acts.items()}


@cache
def hints(*, paused: bool, pointing: bool, replay: bool, several: bool) -> tuple[tuple[str, str], ...]:
    """The keys of the last line, the most wanted first; the last one is how to leave."""
    return (
        ("space", "go on" if paused else "pause"),
        ("arrows", "move" if pointing else "read out"),
        *([("Esc", "end read-out")] if pointing else []),
        *([("< >", "speed")] if replay else []),
        ("+ -", "detail"),
        ("[ ]", "time"),
        *([("Tab", "series"), ("g", "grid")] if several else []),
        ("c", "colour"),
        ("m", "mark"),
        ("s", "save"),
        ("?", "help"),
        ("q", "quit"),
    )

"""The colours of a page, on both backgrounds: those that the terminal and pictures have."""

from __future__ import annotations

from itertools import count, takewhile
from typing import Any

from ...view.style import BACKGROUNDS, GROUNDS, ColourDepth, Ink, ViewOptions, hex_of, rgb_of, theme_of

_NAMES = {
    "dim": Ink.DIM,
    "frame": Ink.FRAME,
    "hatch": Ink.HATCH,
    "gap": Ink.GAP,
    "mark": Ink.MARK,
    "clip": Ink.CLIP,
    "total": Ink.TOTAL,
    "box": Ink.BOX,
    "frequency": Ink.FREQUENCY,
    "intensity": Ink.INTENSITY,
}
"""What the script and the style sheets of a page call the inks that they use."""


def colours_for_script(view: ViewOptions) -> dict[str, Any]:
    """By background, then by name: colours as ``#rrggbb``, and the ramps of both maps as lists of them."""
    return {background: _named(view, background) | _ramps(view, background) for background in BACKGROUNDS}


def style_variables(view: ViewOptions) -> str:
    """The same as variables of a style sheet, without the ramps."""
    return "\n".join(
        f':root[data-theme="{background}"] {{ {_variables(view, background)} }}' for background in BACKGROUNDS
    )


def _variables(view: ViewOptions, background: str) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in _named(view, background).items())


def _named(view: ViewOptions, background: str) -> dict[str, str]:
    """Single colours by name: those of ``_NAMES``, and of texts and the ground below them."""
    theme = theme_of(_on(view, background))
    text, ground = GROUNDS[background]
    return {"text": hex_of(text), "ground": hex_of(ground)} | {
        name: hex_of(rgb_of(theme[ink])) for name, ink in _NAMES.items()
    }


def _ramps(view: ViewOptions, background: str) -> dict[str, list[str]]:
    """The colours of the levels of each map, from 1 on: level 0 is the ground."""
    theme = theme_of(_on(view, background))
    return {
        name: [hex_of(rgb_of(theme[ink])) for ink in takewhile(theme.__contains__, count(base + 1))]
        for name, base in (("frequencyRamp", Ink.FREQUENCY_RAMP), ("intensityRamp", Ink.INTENSITY_RAMP))
    }


def _on(view: ViewOptions, background: str) -> ViewOptions:
    return view._replace(background=background, depth=ColourDepth.TRUECOLOR)

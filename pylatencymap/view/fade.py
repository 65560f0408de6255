"""The colours of a picture that lies behind a box: dimmed, not hidden."""

from functools import lru_cache

from .colour import Depth
from .ink import Ink
from .options import ViewOptions
from .ramps import Colour, Rgb
from .theme import GROUNDS, colours
from .xterm import grey_of, rgb_of

KEPT = 0.3
"""How much of a colour is left; the rest is background."""
_GREY_OF_SIXTEEN = {"dark": 8, "light": 7}


@lru_cache(maxsize=32)
def _faded(palette: str, background: str, depth: Depth) -> dict[int, Colour]:
    theme = colours(palette, background, depth)
    if depth is Depth.COLOURS_16:
        on_grounds = {ink: theme[ink] for ink in (Ink.CHIP_TEXT, Ink.CLIP_TEXT)}
        return dict.fromkeys([Ink.DEFAULT, *theme], _GREY_OF_SIXTEEN[background]) | on_grounds
    text, paper = GROUNDS[background]
    full = {Ink.DEFAULT: text} | {ink: rgb_of(colour) for ink, colour in theme.items()} if theme else {}
    blended = {ink: _blend(colour, paper) for ink, colour in full.items()}
    if depth is Depth.COLOURS_256:
        # The colour cube has nothing between black and its first steps: lightness is all that can be kept.
        return {ink: grey_of(colour) for ink, colour in blended.items()}
    return dict(blended)


def faded_theme(options: ViewOptions) -> dict[int, Colour]:
    """The colour of each ink, the default foreground included, where a style is faded; empty where there is none."""
    return _faded(options.palette, options.background, options.depth)


def _blend(colour: Rgb, paper: Rgb) -> Rgb:
    red, green, blue = (round(KEPT * front + (1 - KEPT) * back) for front, back in zip(colour, paper, strict=True))
    return red, green, blue

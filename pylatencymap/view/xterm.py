"""The 256 colours of xterm in red, green and blue."""

from .ramps import Colour, Rgb, rgb

_SIXTEEN = (
    "000000cd000000cd00cdcd000000eecd00cd00cdcde5e5e5"  # the dark ones
    "7f7f7fff000000ff00ffff005c5cffff00ff00ffffffffff"  # the bright ones
)
"""The first 16 colours as xterm has them."""
_CUBE = (0, 95, 135, 175, 215, 255)
_FIRST_GREY, _GREYS = 232, 24


def rgb_of(colour: Colour) -> Rgb:
    """Red, green and blue of a colour; of a palette index those of xterm."""
    if isinstance(colour, tuple):
        return colour
    if colour < 16:
        return rgb(_SIXTEEN[6 * colour : 6 * colour + 6])
    if colour >= _FIRST_GREY:
        grey = 8 + 10 * (colour - _FIRST_GREY)
        return grey, grey, grey
    red, rest = divmod(colour - 16, 36)
    green, blue = divmod(rest, 6)
    return _CUBE[red], _CUBE[green], _CUBE[blue]


def grey_of(colour: Rgb) -> int:
    """Index of the grey that is about as light as a colour."""
    red, green, blue = colour
    # Weights of ITU-R BT.709; near enough for a choice among 24 greys.
    lightness = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return _FIRST_GREY + min(max(round((lightness - 8) / 10), 0), _GREYS - 1)

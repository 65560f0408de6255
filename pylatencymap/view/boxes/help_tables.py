"""The tables of signs and keys in the help, in as many columns as fit."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from ..style.glyphs import Glyphs
from ..style.styled_text import StyledSpan, StyledText, padded, side_by_side, width_of, wrap
from ..style.styles import DIM, STRONG, TEXT, Ink, background_bits, style

COLUMN_GAP = 2
_MOST_COLUMNS = 3
_SIGN_WIDTH = 3
_LEAST_KEY_TEXT = 32
"""The table has only as many columns as leave this width for the text of each key; longer texts are wrapped."""
_SCREEN = background_bits(Ink.SCREEN)


class KeyHelp(NamedTuple):
    """Keys such as "PgUp PgDn", what they do, and the group that they belong to."""

    keys: str
    text: str
    group: str = ""


def sign_lines(look: Glyphs, width: int) -> list[StyledText]:
    """Every sign as it looks in a map, with its meaning."""
    lines: list[StyledText] = [(*_sample(sample), ("  " + meaning, TEXT)) for sample, meaning in _signs(look)]
    widest = max(width_of(line) for line in lines)
    count = max(1, min(_MOST_COLUMNS, (width + COLUMN_GAP) // (widest + COLUMN_GAP)))
    return side_by_side(lines, count, COLUMN_GAP)


def key_lines(keys: Sequence[KeyHelp], width: int) -> list[StyledText]:
    """The table of keys. Keys of a group are together, with the name of the group if there is room."""
    if not keys:
        return []
    key_width = max(len(key.keys) for key in keys) + 2
    text_width = max(len(key.text) for key in keys)
    count = max(1, min(_MOST_COLUMNS, (width + COLUMN_GAP) // (key_width + _LEAST_KEY_TEXT + COLUMN_GAP)))
    column = (width - (count - 1) * COLUMN_GAP) // count
    group_width = max(len(key.group) for key in keys) + 2
    named = group_width + key_width + text_width <= column
    lines: list[StyledText] = []
    for group, members in groupby(keys, lambda key: key.group):
        for place, key in enumerate(members):
            name = (group if place == 0 else "").ljust(group_width) if named else ""
            row: StyledText = ((name, DIM), (key.keys.ljust(key_width), STRONG), (key.text, TEXT))
            lines += wrap(row, column, hanging=len(name) + key_width)
    return side_by_side([padded(line, min(column, _longest(lines))) for line in lines], count, COLUMN_GAP)


def _longest(lines: list[StyledText]) -> int:
    return max(width_of(line) for line in lines)


def _signs(look: Glyphs) -> list[tuple[StyledText, str]]:
    """A sample of each sign, and its meaning."""
    mark, hatch, gap = style(Ink.MARK), style(Ink.HATCH), style(Ink.GAP)
    clip = style(Ink.CLIP_TEXT, Ink.CLIP, bold=True) if look.coloured else STRONG
    wide = _SIGN_WIDTH
    slo: list[StyledSpan] = [("▸" if not look.ascii_only else ">", mark), (look.limit * (wide - 1), mark)]
    return [
        (((" " * wide, TEXT),), "zero: nothing fell here"),
        (((look.hatch * wide, hatch),), "no data: before the start"),
        (((look.hatch * wide, gap),), "gap (G): the source was silent"),
        ((("+" * wide, clip),), "more than the scale holds"),
        (((" 1 ", style(Ink.MARK, bold=True)),), "1 cost most of what stands out"),
        (((f" {look.dashes} ", mark),), "R reset, M mark: see the axis"),
        (tuple(slo), "SLO, in the row that holds it"),
        (((look.horizontal + look.cross + look.horizontal, TEXT),), "cursor: the cell read out"),
    ]


def _sample(text: StyledText) -> StyledText:
    """A sign on the background of a map."""
    return tuple((chars, ink if ink & background_bits(63) else ink | _SCREEN) for chars, ink in text)

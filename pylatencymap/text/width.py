"""Measures and cuts text in terminal cells, not in characters.

All code that truncates, pads or places text uses this module. Terminals disagree about the width of sequences of
characters, so sequences are avoided. A combining mark is composed with its letter if Unicode has the composed letter,
and is left out otherwise. A flag is drawn as its two letters. A skin tone after an emoji is left out. So every
character that is drawn takes one or two cells on every terminal.
"""

import re
import unicodedata
from functools import lru_cache

TAIL = "\uffff"
"""Stands for the second cell of a character that takes two, in texts held cell by cell. It is a noncharacter, which no
text contains.
"""
_UNKNOWN = "?"
_SURELY_NARROW = re.compile("[ -~\xa1-\xac\xae-\u02ff\u0410-\u044f\u2010-\u2015\u2018-\u2027\u2500-\u259f▴▸▾◂μ←↑→↓]*")
"""European letters and the signs used in pictures. Most pictures contain nothing else and so do without wcwidth, whose
import takes as long as drawing several pictures.
"""
_FLAG_LETTERS = {code: ord("A") + code - 0x1F1E6 for code in range(0x1F1E6, 0x1F200)}
_SKIN_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))


def text_width(text: str) -> int:
    """The number of cells that a text takes; a character of ambiguous width counts as 1."""
    return len(text) if text.isascii() else len(spread(text))


def cut(text: str, start: int, stop: int) -> str:
    """The cells from ``start`` to ``stop``; a character that is cut in two leaves a blank."""
    if text.isascii():
        return text[start:stop]
    cells = spread(text)
    piece = cells[start:stop]
    if piece.startswith(TAIL):
        piece = " " + piece[1:]
    if piece and cells[stop : stop + 1] == TAIL:
        piece = piece[:-1] + " "
    return piece.replace(TAIL, "")


def fit(text: str, columns: int) -> str:
    """The text in at most ``columns`` cells; an ellipsis replaces whatever is cut off."""
    return text if text_width(text) <= columns else cut(text, 0, max(0, columns - 1)) + "…"


@lru_cache(maxsize=4096)
def spread(text: str) -> str:
    """The text as it is drawn, one character per cell: TAIL follows a character that takes two cells.

    A character that does not print becomes a question mark; ``clean.printable`` writes its code instead.
    """
    if _SURELY_NARROW.fullmatch(text):
        return text
    from wcwidth import wcwidth

    cells: list[str] = []
    for character in unicodedata.normalize("NFC", text).translate(_FLAG_LETTERS):
        if not character.isprintable():
            cells.append(_UNKNOWN)
        elif not (character in _SKIN_TONES and cells and cells[-1] == TAIL):
            cells += (character, TAIL)[: max(0, wcwidth(character))]
    return "".join(cells)

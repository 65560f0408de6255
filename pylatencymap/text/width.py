"""How many cells of a terminal a text takes, and how it is cut to fit: by cells, not by characters.

Everything that truncates, pads or places text asks here. What terminals agree on is kept, what they do not agree on is
avoided: marks that combine are composed with their letter where Unicode has the composed letter, and are left out where
it has none; flags are drawn as their two letters; a skin tone behind an emoji is left out. So each character that is
drawn takes one cell or two on every terminal, whatever it makes of sequences.
"""

import re
import unicodedata
from functools import lru_cache

TAIL = "\uffff"
"""The second cell of a character that takes two, where a text is held cell by cell. No text has this noncharacter."""
_UNKNOWN = "?"
_SURELY_NARROW = re.compile("[ -~\xa1-\xac\xae-\u02ff\u0410-\u044f\u2010-\u2015\u2018-\u2027\u2500-\u259f▴▸▾◂μ←↑→↓]*")
"""Letters of Europe and the signs of the pictures: most pictures do without wcwidth, whose import takes as long as it
takes to draw several of them.
"""
_FLAG_LETTERS = {code: ord("A") + code - 0x1F1E6 for code in range(0x1F1E6, 0x1F200)}
_SKIN_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))


def text_width(text: str) -> int:
    """Cells that a text takes; the width of a character that is ambiguous is 1."""
    return len(text) if text.isascii() else len(spread(text))


def cut(text: str, start: int, stop: int) -> str:
    """The cells from ``start`` to ``stop``; of a character that is cut in two a blank is left."""
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
    """A text in at most so many cells; where something is cut off, an ellipsis says so."""
    return text if text_width(text) <= columns else cut(text, 0, max(0, columns - 1)) + "…"


@lru_cache(maxsize=4096)
def spread(text: str) -> str:
    """A text as it is drawn, one character per cell: TAIL follows one that takes two.

    What does not print becomes a question mark; see ``clean``, which says what it was.
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

"""Measures, cuts and wraps text in terminal cells, not in characters.

All code that truncates, pads or places text uses this module. Terminals disagree about the width of sequences of
characters, so sequences are avoided. A combining mark is composed with its letter if Unicode has the composed letter,
and is left out otherwise. A flag is drawn as its two letters. A skin tone after an emoji is left out. So every
character that is drawn takes one or two cells on every terminal.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

TAIL = "\uffff"
"""Stands for the second cell of a character that takes two, in texts held cell by cell. It is a noncharacter, which no
text contains.
"""
_UNKNOWN = "?"
WIDEST = 2
"""Columns of the widest character: those that a line has at least behind its indent."""
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
    cells: list[str] = []
    for character in unicodedata.normalize("NFC", text).translate(_FLAG_LETTERS):
        if not character.isprintable():
            cells.append(_UNKNOWN)
        elif not (character in _SKIN_TONES and cells and cells[-1] == TAIL):
            cells += (character, TAIL)[: max(0, _width_alone(character))]
    return "".join(cells)


def _width_alone(character: str) -> int:
    from wcwidth import wcwidth

    return WIDEST if character in _SKIN_TONES else wcwidth(character)  # which some releases take for a combining mark


# Sentences in lines. Nothing is cut: a word that is longer than a line goes on in the next one.


_TOGETHER = re.compile(
    r"(?<=\d) (?=(?:%|[num]?s|min|h|d|points?)(?![\w]))"  # 10.3 ms
    r"|(?<=\bx) (?=\d)|(?<=\b(?:p\d\d|avg)) (?=\d)"  # x 1.5, p99 10.3
    r"|(?<=\d) -> (?=\d)|(?<=\w) (?=\(\d)"  # 855 -> 731, 10.3 ms (8.19-16.4)
)
"""Blanks at which no line ends."""
_KEPT, _LEADING = "\1", "\0"


def wrap(text: str, columns: int, first: int = 0, rest: int = 0) -> list[str]:
    """The text in lines of at most so many ``columns``, the first with an indent of ``first``, the others of ``rest``.
    Two blanks between words stay two within a line; no line ends between a number and its unit, or its band.
    """
    lines: list[str] = []
    line, empty = " " * first, True
    most = max(columns, max(first, rest) + WIDEST)
    text = _TOGETHER.sub(lambda found: found[0].replace(" ", _KEPT), cut(text, 0, text_width(text)))
    for word in text.replace("  ", f" {_LEADING}").split(" "):
        shown = word.replace(_LEADING, " ").replace(_KEPT, " ")
        if not empty and text_width(line) + 1 + text_width(shown) > most:
            lines.append(line.rstrip())
            line, empty = " " * rest, True
            shown = shown.lstrip()
        *whole, line = _filled(f"{line}{shown}" if empty else f"{line} {shown}", most, rest)
        lines += whole
        empty = False
    return [*lines, line.rstrip()]


def _filled(line: str, columns: int, rest: int) -> Iterator[str]:
    """A line; if it is longer than ``columns``, in parts, at blanks if it has any."""
    while text_width(line) > columns:
        indent = len(line) - len(line.lstrip())
        part = cut(line, 0, columns).rstrip()
        place = part.rfind(" ", indent)
        part = part[:place] if place > indent and line[len(part) :].strip() else part
        yield part
        line = " " * rest + line[len(part) :].lstrip()
    yield line

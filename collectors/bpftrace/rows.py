"""Rows of histograms, ``[1K, 2K)  1043 |@@@@|``, and the meaning of their bounds."""

import re
from functools import lru_cache

from ...record import Range

LARGEST = 1 << 64
"""Bounds and counts are 64-bit numbers."""

_NUMBER = r"-?[0-9]{1,20}[kKMGTPE]?"
FORM = rf"(?:\[{_NUMBER}(?:, ?(?:{_NUMBER}|\.\.\.))?|\(\.\.\., ?{_NUMBER})[)\]]"
"""``[0]``, ``[2, 4)``, ``[10, ...)``, ``(..., 0)``, and the older ``[0, 1]``, ``[10,...)`` and ``(...,0]``."""
_ROW = re.compile(rf"\s*({FORM}) +([0-9]{{1,20}})(?: (\|)[^|]*\|?)?\s*$")
_POWERS = {
    letter: 10 * power for power, letters in enumerate(("", "kK", "M", "G", "T", "P", "E")) for letter in letters
}


def map_row(line: str) -> tuple[str, int] | None:
    """The bounds of a row as text, and its count; None if the line is not a whole row, which ends with a bar."""
    found = _ROW.match(line)
    return (found[1], int(found[2])) if found and found[3] else None


def is_cut(line: str) -> bool:
    """Whether a line is the beginning of a row that was cut off."""
    found = _ROW.match(line)
    return found is not None and not found[3]


@lru_cache(maxsize=8192)
def printed_bounds(text: str) -> tuple[int, int | None] | None:
    """The half-open range that the bounds stand for; None if all of it is below 0.

    Raise ValueError if the bounds contradict each other. The row below the first bound of lhist() contains latencies,
    so it begins at 0. Its upper bound is exclusive, whatever bracket older releases printed after it.
    """
    first, _, second = (part.strip() for part in text[1:-1].partition(","))
    if first == "...":
        return between(None, _number(second) - 1)
    lower = _number(first)
    if second == "...":
        return between(lower, None)
    return between(lower, _number(second) - text.endswith(")") if second else lower)


def between(least: int | None, most: int | None) -> tuple[int, int | None] | None:
    """The half-open range between two inclusive bounds; None if it is below 0.

    Without ``least`` it begins at 0, without ``most`` it is open. Raise ValueError if there is no such range.
    """
    if most is not None and most < 0:
        return None
    lower, upper = least or 0, None if most is None else most + 1
    if not 0 <= lower < (LARGEST if upper is None else upper) or (upper or 0) > LARGEST:
        raise ValueError(f"from {least} to {most}")
    return lower, upper


def scaled_range(entry: Range, factor: int) -> Range:
    """A range with its bounds in a smaller unit, ``factor`` of which make one of the old."""
    lower, upper, count = entry
    return lower * factor, None if upper is None else upper * factor, count


def _number(text: str) -> int:
    """``16K`` is 16384: the letters stand for powers of 1024."""
    shift = _POWERS.get(text[-1:], 0)
    return int(text[:-1] if shift else text) << shift

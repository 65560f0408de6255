"""Where the terminal's cursor is, and the shortest safe way to move it."""

from functools import lru_cache

DELETE, INSERT = "P", "@"
"""Final bytes of DCH and ICH (VT102): the rest of the line closes up, or makes room."""


def edit(final: str, count: int) -> str:
    """A control sequence with a count, which is left out where it is 1."""
    return f"\x1b[{final}" if count == 1 else f"\x1b[{count}{final}"


class Cursor:
    """Lines and columns count from 0. ``columns`` is the width of the terminal.

    Only sequences that every terminal of the last decades has are used: CUP, CHA, CUF, CUB, CUD, backspace, CR LF (with
    the carriage return, so that it does not matter whether the line discipline adds one).
    """

    def __init__(self, columns: int) -> None:
        self._columns = columns
        self._line: int | None = None
        self._column: int | None = None

    def to(self, line: int, column: int) -> str:
        """What to send so that the next character lands there; never beyond the last line."""
        way = _way(self._line, self._column, line, column)
        self._line, self._column = line, column
        return way

    def wrote(self, count: int) -> None:
        """Characters were written. Behind the last column terminals differ in where the cursor is: it is unknown."""
        if self._column is not None:
            self._column += count
            if self._column >= self._columns:
                self._column = None

    def lose(self) -> None:
        """What was written may be narrower or wider on this terminal: the column is unknown."""
        self._column = None


@lru_cache(maxsize=1 << 14)
def _way(from_line: int | None, from_column: int | None, line: int, column: int) -> str:
    """The way from one place, None where it is unknown, to another; pictures that move take the same ways again."""
    if from_line == line:
        return _along(from_column, column)
    ways = [f"\x1b[{line + 1};{column + 1}H" if column else f"\x1b[{line + 1}H"]
    if from_line is not None and line == from_line + 1:
        ways.append("\r\n" + (edit("C", column) if column else ""))
        if from_column is not None:
            ways.append("\x1b[B" + _along(from_column, column))
    return min(ways, key=len)


def _along(from_column: int | None, column: int) -> str:
    """Along the line."""
    absolute = edit("G", column + 1)
    if from_column is None:
        return absolute
    step = column - from_column
    if step == -1:
        return "\b"
    if not step:
        return ""
    relative = edit("C", step) if step > 0 else edit("D", -step)
    return relative if len(relative) <= len(absolute) else absolute

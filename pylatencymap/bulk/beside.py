"""Lines of a SQL trace that the decoder has to see, and those beside them by which it judges their times."""

from __future__ import annotations

from ..collectors.oracle_trace.clock import EARLIEST, LATEST
from ..collectors.oracle_trace.decoder import CALL, WAIT
from .text import Text


def for_the_decoder(
    text: Text, hard: list[int], dated: list[int], before: int
) -> tuple[dict[int, bytes], frozenset[int]]:
    """Waits that left a doubt, dates, and what the decoder must know of the lines beside them: the time behind each,
    and so many before it; two where the first may be far from those of lines that the decoder has seen before. The
    first and the last time of the piece are among them, for the lines of the pieces beside it.
    """
    own = sorted({*hard, *dated})
    decoded = {index: text.line(index) for index in own}
    known: set[int] = set()

    def time_beside(index: int, step: int, count: int = 1) -> None:
        index += step
        while count and 0 <= index < text.count and index not in decoded:
            line = text.line(index)
            tim = _tim_of(line.decode(errors="replace")) if b"tim=" in line else None
            if tim is not None:
                decoded[index] = line
                known.add(index)
                count -= EARLIEST <= tim < LATEST  # any other says little by itself
            index += step

    # What the search meets has been seen to before.
    for index in own:
        time_beside(index, -1, before)
    for index in [*own[::-1], -1]:
        time_beside(index, 1)
    for index in {0, *(index + 1 for index in own)} - decoded.keys():
        if index < text.count:  # what follows a wait that looks cut off shows that it is not the last line
            decoded[index] = text.line(index)
            known.add(index)
    time_beside(text.count, -1)
    return decoded, frozenset(known)


def _tim_of(line: str) -> int | None:
    """The tim that the decoder finds in a line."""
    wait = WAIT.match(line)
    call = None if wait else CALL.match(line)
    tim = wait[3] if wait else call[1] if call else None
    return None if tim is None else int(tim)

"""The bytes of texts in chunks of whole lines, that end with a record where they can."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from ...stream import END_RECORD
from ...text import TORN
from ...text.lines import MAX_LINE, Line, split_lines

CHUNK_BYTES = 1 << 19
"""About how much is looked at together, ..."""
MOST_CHUNK_BYTES = 1 << 23
"""... and at most, if so much is wanted."""
_MOST_LINE_BYTES = 4 * MAX_LINE
"""The bytes that MAX_LINE characters can have: of a longer line the rest is not looked at."""
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_END = END_RECORD.encode()


class TextChunk(NamedTuple):
    """Whole lines of a text; ``line`` is the number of the first one, and ``ended`` says whether a line feed ends the
    last one.
    """

    data: bytes
    line: int
    ended: bool = True


def texts_in_utf8(texts: Iterable[Iterable[bytes]]) -> Iterator[Iterable[bytes]]:
    """The texts; those with a byte order mark without it, as UTF-8 with the same lines."""
    for text in texts:
        pieces = iter(text)
        head = b""
        for piece in pieces:
            head += piece
            if len(head) >= len(codecs.BOM_UTF8):
                break
        whole = chain((head,), pieces)
        yield whole if not head.startswith(_MARKS) else _in_utf8(split_lines(map(_or_pause, whole)))


def _or_pause(piece: bytes) -> bytes | None:
    return piece if piece or piece is TORN else None


def _in_utf8(lines: Iterable[Line | None]) -> Iterator[bytes]:
    number = 0
    for line in lines:
        if line is None:
            yield b""
            continue
        left_out = b"\n" * (line.number - number - 1)  # blank lines
        yield left_out + line.text.encode(errors="replace") + (b"\n" if line.ended else b"")
        number = line.number


def chunks_of(pieces: Iterable[bytes], wanted: Callable[[], int] = lambda: 0) -> Iterator[TextChunk]:
    """The chunks of one text, of about so many bytes as are ``wanted``, within limits. An empty piece asks for all
    whole lines so far, before something is said of the text. A line that is TORN is left out.
    """
    held, size, line = list[bytes](), 0, 1
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        least = max(CHUNK_BYTES, min(wanted(), MOST_CHUNK_BYTES))
        if piece and size < least:
            continue
        data = b"".join(held)
        stop = _stop(data) if piece else data.rfind(b"\n") + 1
        if stop:
            yield TextChunk(data[:stop], line)
            line += data.count(b"\n", 0, stop)
        begun = b"" if piece is TORN else data[stop:]
        is_long = len(begun) > _MOST_LINE_BYTES
        held, size = ([begun[:_MOST_LINE_BYTES]], least - 1) if is_long else ([begun], len(begun))
    data = b"".join(held)
    stop = data.rfind(b"\n") + 1
    if stop:
        yield TextChunk(data[:stop], line)
    if data[stop:]:
        yield TextChunk(data[stop:] + b"\n", line + data.count(b"\n", 0, stop), ended=False)


def _stop(data: bytes) -> int:
    """Where the last whole record ends, else the last whole line; 0 if there is none."""
    last = data.rfind(b"\n")
    record = data.rfind(_END, 0, last + 1)
    return (data.index(b"\n", record) if record >= 0 else last) + 1

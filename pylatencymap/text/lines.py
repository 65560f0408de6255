"""Lines: numbered, decoded, cut at a sane length, and aware of the pauses of a live source."""

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

MAX_LINE = 1 << 20
"""Longest line kept, in characters; what exceeds it is cut off."""

_ESCAPE_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")


class Line(NamedTuple):
    """One line without its end. ``arrival`` is the monotonic time at which it was read, None from a file."""

    number: int
    text: str
    arrival: float | None = None


Lines: TypeAlias = Iterable[Line | None]
"""What decoders read. None says that a live source has paused at the end of a line: whatever looks complete is."""


def lines_of(text: str) -> Iterator[Line]:
    """The lines of a text at hand, as from a file."""
    for number, line in enumerate(text.splitlines(), 1):
        yield Line(number, line)


def split_lines(chunks: Iterable[bytes | None], monotonic: Callable[[], float] | None = None) -> Iterator[Line | None]:
    """Lines of a byte stream: UTF-8, or UTF-16 with a byte order mark; undecodable bytes are replaced.

    ``monotonic`` stamps each line's arrival. A chunk None (nothing came for a moment) is passed on as a pause, but only
    at the end of a line: within a line the source has more to say.
    """
    decoder: codecs.IncrementalDecoder | None = None
    number, rest, too_long = 0, "", False
    for chunk in chunks:
        if chunk is None:
            if not rest and number:
                yield None
            continue
        decoder = decoder or _decoder_for(chunk)
        arrival = monotonic() if monotonic else None
        *complete, rest = (rest + decoder.decode(chunk)).split("\n")
        for text in complete:
            if not too_long:
                number += 1
                yield Line(number, _plain(text), arrival)
            too_long = False
        if len(rest) > MAX_LINE:
            if not too_long:
                number += 1
                yield Line(number, _plain(rest), arrival)
            rest, too_long = "", True
    if rest and not too_long:
        yield Line(number + 1, _plain(rest), monotonic() if monotonic else None)


def _decoder_for(first: bytes) -> codecs.IncrementalDecoder:
    utf16 = first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return codecs.getincrementaldecoder("utf-16" if utf16 else "utf-8-sig")(errors="replace")


def _plain(text: str) -> str:
    """Without the carriage return and without the escape sequences of a captured terminal."""
    text = text[:MAX_LINE].rstrip("\r")
    return _ESCAPE_SEQUENCE.sub("", text) if "\x1b" in text else text

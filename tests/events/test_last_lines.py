"""What is kept of a pipe: the first lines and the last ones, in bounded memory, with their numbers."""

import sys
from random import Random

import pytest

from pylatencymap.events import last_lines
from pylatencymap.events.last_lines import HEAD_BYTES, TAIL_BYTES, LastLines
from pylatencymap.session.input import StopRequest


def kept_text(kept: last_lines.KeptLines) -> list[str]:
    return [line.text for line in kept.source.lines() if line is not None]


def test_all_of_a_short_text_is_kept() -> None:
    lines = LastLines("pipe")
    lines.add(b"one\ntw")
    lines.add(b"o\nthree\n")
    kept = lines.kept(StopRequest())
    assert kept_text(kept) == ["one", "two", "three"]
    assert (kept.number_of(3), kept.words) == (3, "")


@pytest.mark.parametrize("seed", range(5))
def test_the_beginning_and_the_end_of_a_long_text(seed: int) -> None:
    """However it is cut into pieces: each line that is kept is whole, and has its number."""
    chance, lines = Random(seed), LastLines("pipe")
    number, held = 0, b""
    while number < 200_000:
        rows = []
        for _ in range(chance.randrange(1, 900)):
            number += 1
            rows.append(b"line %d %s" % (number, b"x" * chance.randrange(60)))
        piece = held + b"\n".join(rows) + b"\n"
        cut = chance.randrange(len(piece))
        lines.add(piece[:cut])
        held = piece[cut:]
    lines.add(held)
    kept = lines.kept(StopRequest())
    texts = kept_text(kept)
    assert texts[0].startswith("line 1 ")
    assert texts[-1].startswith(f"line {number} ")
    for place, text in enumerate(texts, 1):
        assert text.split()[1] == str(kept.number_of(place))
    assert kept.dropped > 0
    assert f"the last {kept.lines - kept.head:,} lines" in kept.words


def test_memory_is_bounded() -> None:
    lines = LastLines("pipe")
    for _ in range(1000):
        lines.add(b"x" * 65_535 + b"\n")
    size = sys.getsizeof(lines._head) + sum(map(sys.getsizeof, lines._tail))
    assert size < HEAD_BYTES + TAIL_BYTES + 3 * 65_536

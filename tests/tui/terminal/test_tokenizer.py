"""Terminal input, cut into characters and sequences, however it is cut on the way."""

import itertools

import pytest
from hypothesis import given, strategies as st

from pylatencymap.tui.terminal.tokenizer import Tokenizer

TOKENS = [
    b"a",
    b" ",
    b"\r",
    b"\x15",
    "é".encode(),
    "▸".encode(),
    "🙂".encode(),
    b"\x1b[A",
    b"\x1b[1;2D",
    b"\x1b[5~",
    b"\x1b[[A",
    b"\x1bOA",
    b"\x1bO5P",
    b"\x1bx",
    b"\x1b[<0;10;20M",
    b"\x1b[<65;1;1m",
    b"\x1b[M !!",
    b"\x1b[M\x60\xff\x1b",
    b"\x1b[0n",
    b"\x1b[?62;22c",
    b"\x1b]11;rgb:ffff/0/80\x07",
    b"\x1b]11;rgb:ffff/0/80\x1b\\",
    b"\x1bP1+r\x1b\\",
    b"\x1b[200~",
]


@given(st.lists(st.sampled_from(TOKENS)), st.lists(st.integers(0, 200)))
def test_tokens_come_out_as_they_went_in_wherever_the_bytes_are_cut(tokens: list[bytes], cuts: list[int]) -> None:
    data = b"".join(tokens)
    places = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    cutter = Tokenizer()
    found = [token for start, stop in itertools.pairwise(places) for token in cutter.feed(data[start:stop])]
    assert found == tokens
    assert not cutter.is_doubtful


@given(st.binary(max_size=200))
def test_any_bytes_are_cut_without_loss(data: bytes) -> None:
    cutter = Tokenizer()
    found = b"".join(cutter.feed(data))
    assert data.startswith(found)


@pytest.mark.parametrize("data", [b"\x1b", b"\x1b[", b"\x1bO"])
def test_an_esc_is_a_key_when_nothing_follows(data: bytes) -> None:
    cutter = Tokenizer()
    assert cutter.feed(b"x" + data) == [b"x"]
    assert cutter.is_doubtful
    assert cutter.settle() == [data]
    assert cutter.feed(b"A") == [b"A"]


@pytest.mark.parametrize("data", [b"\x1b[1;", b"\x1b]11;rgb:", b"\x1b[M!", b"\xe2\x96"])
def test_the_beginning_of_more_waits_and_is_never_a_key(data: bytes) -> None:
    cutter = Tokenizer()
    assert cutter.feed(data) == []
    assert not cutter.is_doubtful
    assert cutter.settle() == []
    assert cutter.feed(b"A") == [b"A"]


@pytest.mark.parametrize(
    ("data", "tokens"),
    [
        (b"\x1b\x1b[A", [b"\x1b", b"\x1b[A"]),
        (b"\x1b[1;\x1b[A", [b"\x1b[1;", b"\x1b[A"]),
        (b"\x1b[1\x03q", [b"\x1b[1", b"\x03", b"q"]),
        (b"\x1b]11;rgb\x1b[Aq", [b"\x1b]11;rgb", b"\x1b[A", b"q"]),
        (b"\xff\x80q", [b"\xff", b"\x80", b"q"]),
        (b"\xe2q", [b"\xe2", b"q"]),
    ],
)
def test_what_is_broken_off_costs_nothing_behind_it(data: bytes, tokens: list[bytes]) -> None:
    assert Tokenizer().feed(data) == tokens


def test_a_string_without_an_end_is_not_kept_for_ever() -> None:
    cutter = Tokenizer()
    cutter.feed(b"\x1b]" + b"x" * 70_000)
    assert cutter.feed(b"q") == [b"q"]

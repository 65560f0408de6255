"""Lines of a byte stream: the same however the bytes come in chunks."""

from collections.abc import Iterator

import pytest
from hypothesis import given, strategies as st

from pylatencymap.text import lines as module
from pylatencymap.text.lines import Line, lines_of, split_lines


def texts(chunks: list[bytes | None]) -> list[str | None]:
    return [None if line is None else line.text for line in split_lines(chunks)]


def cut(data: bytes, sizes: list[int]) -> list[bytes | None]:
    """The data in chunks of the sizes, what is left in one."""
    chunks: list[bytes | None] = []
    for size in sizes:
        chunks.append(data[:size])
        data = data[size:]
    return [chunk for chunk in [*chunks, data] if chunk]


def test_of_a_long_run_of_blank_lines_only_some_are_passed_on_and_the_numbers_stay_right() -> None:
    data = b"a\n" + b"\n" * 1_000_000 + b"b\n" + b"\n" * 1000 + b"c"
    found = [
        line for line in split_lines([data[start : start + 65_536] for start in range(0, len(data), 65_536)]) if line
    ]
    assert [(line.number, line.text) for line in found if line.text] == [(1, "a"), (1_000_002, "b"), (1_001_003, "c")]
    assert len(found) < 200


@given(st.lists(st.integers(0, 400), max_size=5), st.lists(st.integers(1, 300), max_size=8))
def test_which_blank_lines_of_a_long_run_are_passed_on_does_not_depend_on_chunks(
    runs: list[int], cuts: list[int]
) -> None:
    data = b"a".join(b"\n" * run for run in runs)
    expected = [(line.number, line.text) for line in split_lines([data]) if line]
    assert [(line.number, line.text) for line in split_lines(cut(data, cuts)) if line] == expected
    assert all(number == 1 + data[: data.rfind(b"a")].count(b"\n") for number, text in expected[-1:] if text)


def test_in_utf16_a_run_of_bytes_is_no_run_of_lines() -> None:
    text = "a\n" + "\u0a0a" * 200 + "\nb"
    assert [line.text for line in split_lines([text.encode("utf-16")]) if line] == text.split("\n")


sizes = st.lists(st.integers(1, 5), max_size=60)
pieces = st.lists(st.sampled_from(["a", "µs", "日", "\U0001f600", " ", "\n", "\r\n", "\x1b[31m", "|@@|", "\x00"]))


@given(pieces, sizes, st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-be-bom"]))
def test_lines_do_not_depend_on_chunks(words: list[str], cuts: list[int], encoding: str) -> None:
    text = "".join(words)
    data = b"\xfe\xff" + text.encode("utf-16-be") if encoding == "utf-16-be-bom" else text.encode(encoding)
    expected = [line.replace("\x1b[31m", "") for line in text.replace("\r\n", "\n").split("\n")]
    if not text or text.endswith("\n"):
        expected.pop()
    found = list(split_lines(cut(data, cuts)))
    assert [line.text for line in found if line] == expected
    assert [line.number for line in found if line] == list(range(1, len(expected) + 1))


@given(st.binary(max_size=60), sizes)
def test_garbage_gives_the_same_lines_in_any_chunks(data: bytes, cuts: list[int]) -> None:
    assert texts(cut(data, cuts)) == texts([data])


@given(st.lists(st.integers(0, 25), max_size=8), sizes, st.sampled_from([b"\n", b"\r\n"]))
def test_overlong_lines_are_cut_in_the_same_place(lengths: list[int], cuts: list[int], end: bytes) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MAX_LINE", 10)
        data = b"".join(b"x" * length + end for length in lengths)
        assert texts(cut(data, cuts)) == ["x" * min(length, 10) for length in lengths]


def test_an_endless_line_is_kept_only_as_far_as_lines_go() -> None:
    chunk = b"x" * (1 << 18)
    found = texts([*[chunk] * 12, b"\nnext\n"])
    assert found == ["x" * module.MAX_LINE, "next"]


def test_a_byte_order_mark_may_come_in_two_pieces() -> None:
    data = "@us\n".encode("utf-16")
    assert texts([data[:1], data[1:]]) == ["@us"]
    assert texts([b"\xef", b"\xbb\xbf@us\n"]) == ["@us"]


def test_bytes_that_are_no_text_are_replaced_and_cost_no_line() -> None:
    assert texts([b"caf\xe9 = 1\nnext\xc3"]) == ["caf\ufffd = 1", "next\ufffd"]


@pytest.mark.parametrize(
    "sequence",
    [
        "\x1b[0;31m",
        "\x1b[2J",
        "\x1b[?25l",
        "\x1b]0;title\x07",
        "\x1b]8;;http://x\x1b\\",
        "\x1b(B",
        "\x1b=",
        "\x1b7",
        "\x1bM",
    ],
)
def test_escape_sequences_of_a_captured_terminal_are_removed(sequence: str) -> None:
    assert texts([f"64 -> {sequence}127\n".encode()]) == ["64 -> 127"]


def test_a_pause_is_passed_on_only_between_lines() -> None:
    assert texts([None, b"a\n", None, b"half", None, b" line\n", None]) == ["a", None, "half line", None]


def test_an_overlong_line_has_no_pause_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_LINE", 4)
    assert texts([b"xxxxxxxx", None, b"yy\nz\n", None]) == ["xxxx", "z", None]


def test_a_line_arrives_when_its_end_does() -> None:
    ticking: Iterator[float] = iter([1.0, 2.0, 3.0])
    found = list(split_lines([b"a\nb", b"b\nc"], lambda: next(ticking)))
    assert found == [Line(1, "a", 1.0), Line(2, "bb", 2.0), Line(3, "c", 3.0)]
    assert next(split_lines([b"a\n"])) == Line(1, "a", None)


def test_lines_of_a_text_at_hand() -> None:
    assert list(lines_of("a\r\n\nb\x0bc\u2028d")) == [Line(1, "a"), Line(2, ""), Line(3, "b\x0bc\u2028d")]
    assert list(lines_of("")) == []
    assert list(lines_of("a\n")) == [Line(1, "a")]

"""Fields that are read from many lines at once are those that expressions find in each."""

import re
from datetime import timedelta

import numpy as np
from hypothesis import given, strategies as st

from pylatencymap.scan.chunk import PADDING, Chunk
from pylatencymap.scan.fields import FieldReader, WordStarts, decimal_format, lines_at, matching_places
from pylatencymap.scan.patterns import MOST_CATEGORIES, Categories

texts = st.lists(st.text("0129 .:,x", max_size=24), min_size=1, max_size=20)


def text_of(lines: list[str]) -> Chunk:
    data = ("\n".join(lines) + "\n").encode()
    buffer = np.zeros(len(data) + 2 * PADDING, np.uint8)
    buffer[PADDING : PADDING + len(data)] = np.frombuffer(data, np.uint8)
    return Chunk(buffer, PADDING, PADDING + len(data))


@given(texts)
def test_numbers_and_what_is_behind_them(lines: list[str]) -> None:
    text = text_of(lines)
    rows = FieldReader(text, text.count)
    values, behind = rows.number(text.starts)
    for row, line in enumerate(lines):
        found = re.match(r"\d{1,15}(?!\d)", line)
        assert rows.sure[row] == bool(found)
        if found:
            assert (values[row], behind[row] - text.starts[row]) == (int(found[0]), found.end())


@given(texts, st.integers(1, 15))
def test_digits_of_one_length(lines: list[str], count: int) -> None:
    text = text_of(lines)
    rows = FieldReader(text, text.count)
    values = rows.digits(text.starts, count)
    for row, line in enumerate(lines):
        found = re.match(rf"\d{{{count}}}", line)
        assert rows.sure[row] == bool(found)
        assert not found or values[row] == int(found[0])


@given(texts)
def test_whole_numbers_before_a_blank(lines: list[str]) -> None:
    text = text_of(lines)
    rows = FieldReader(text, text.count)
    rows.integer(text.starts)
    assert rows.sure.tolist() == [bool(re.match(r"\d{1,15} ", line)) for line in lines]


@given(st.lists(st.from_regex(r"[0-9]{1,4}\.[0-9]{1,6}[ x]?", fullmatch=True), min_size=1), st.integers(1, 6))
def test_decimals_in_nanoseconds(lines: list[str], count: int) -> None:
    form = decimal_format("0." + "0" * count, "ms")
    assert form is not None
    text = text_of(lines)
    rows = FieldReader(text, text.count)
    nanos, behind = form.read(rows, text.starts)
    for row, line in enumerate(lines):
        found = re.match(rf"(\d+)\.(\d{{{count}}})(?: |$)", line)
        assert rows.sure[row] == bool(found)
        if found:
            assert nanos[row] == int(found[1]) * 10**6 + int(found[2]) * 10 ** (6 - count)
            assert behind[row] - text.starts[row] == len(found[0].rstrip())


@given(st.lists(st.times(), min_size=1))
def test_times_of_day(times: list[object]) -> None:
    lines = [f"{time:%H:%M:%S.%f} read" for time in times]
    form = decimal_format(lines[0].split()[0], "")
    assert form is not None
    text = text_of(lines)
    rows = FieldReader(text, text.count)
    nanos, _ = form.read(rows, text.starts)
    assert rows.sure.all()
    expected = [
        timedelta(hours=time.hour, minutes=time.minute, seconds=time.second, microseconds=time.microsecond)  # type: ignore[attr-defined]
        for time in times
    ]
    assert nanos.tolist() == [duration // timedelta(microseconds=1) * 1000 for duration in expected]


def test_what_is_no_time_of_day_is_left_to_the_decoder() -> None:
    lines = ["10:00:59 read", "24:00:00 read", "10:60:00 read", "23:59:60 read", "90:00:00 read", "23:59:59 read"]
    text = text_of(lines)
    rows = FieldReader(text, text.count)
    rows.time_of_day(text.starts)
    assert rows.sure.tolist() == [True, False, False, False, False, True]


@given(texts, st.sampled_from(" 0x"))
def test_characters_are_found_where_they_are(lines: list[str], char: str) -> None:
    text = text_of(lines)
    joined = "\n".join(lines)
    places = matching_places(text, lambda chars: chars[1:] == ord(char))
    assert (places - text.starts[0]).tolist() == [found.start() for found in re.finditer(char, joined)]
    assert matching_places(text, lambda chars: chars[1:] == ord(char), few=True).tolist() == places.tolist()
    assert lines_at(text, places).tolist() == [number for number, line in enumerate(lines) if char in line]


@given(texts, st.integers(1, 4), st.booleans())
def test_words_of_lines(lines: list[str], count: int, more: bool) -> None:
    text = text_of(lines)
    tokens = WordStarts(text, count, more)
    for row, line in enumerate(lines):
        starts = [found.start() for found in re.finditer(r"[^ ]+", line)]
        assert tokens.sure[row] == (len(starts) >= count if more else len(starts) == count)
        if tokens.sure[row]:
            assert [int(column[row] - text.starts[row]) for column in tokens.starts] == starts[:count]


@given(st.lists(st.lists(st.integers(-1, 250), max_size=300), max_size=4))
def test_kinds_that_are_learned(pieces: list[list[int]]) -> None:
    kinds = Categories[int]()
    for piece in pieces:
        values = np.array(piece, np.int64)
        sure = values % 7 != 0

        def is_of(kind: int, rows: object, values: np.ndarray = values) -> np.ndarray:
            return values[rows] == kind  # type: ignore[index]

        known, numbers = kinds.numbers(
            sure, is_of, lambda row, values=values: int(values[row]) if values[row] >= 0 else None
        )
        for value, is_sure, number in zip(piece, sure.tolist(), numbers.tolist(), strict=True):
            if number >= 0:
                assert is_sure
                assert known[number] == value
            else:
                assert not is_sure or value < 0 or len(known) >= MOST_CATEGORIES

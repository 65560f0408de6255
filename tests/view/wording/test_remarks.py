"""Of any number of marks, those that a picture can show."""

import numpy as np
from hypothesis import given, strategies as st

from pylatencymap.view.layout.status import Status
from pylatencymap.view.wording.remarks import find_remarks, remark_lines, shown_marks
from pylatencymap.window import Incident
from pylatencymap.window.matrix import Matrix

ENDS = np.array([2, 4, 6, 8], np.int64) * 1_000_000
FLAGS = np.zeros(4, np.bool_)
NONE, SECONDS = np.zeros((0, 4)), np.full(4, 2.0)
MATRIX = Matrix(np.zeros(1), NONE, NONE, ENDS, SECONDS, SECONDS, FLAGS, FLAGS, FLAGS, FLAGS)


@given(st.lists(st.integers(-1_000_000, 9_000_000), max_size=30), st.integers(1, 5))
def test_letters_and_the_newest_are_those_of_all_marks(moments: list[int], most: int) -> None:
    marks = tuple((moment, "M", str(number)) for number, moment in enumerate(moments))
    shown = shown_marks(marks, MATRIX, 2.0, most)
    every = find_remarks(MATRIX, Status("x", interval=2.0, marks=marks))
    fewer = find_remarks(MATRIX, Status("x", interval=2.0, marks=shown))
    assert len(shown) <= most + MATRIX.columns
    assert fewer.items[-most:] == every.items[-most:]
    assert fewer.letters() == every.letters()
    assert fewer.dashed.tolist() == every.dashed.tolist()


def test_no_columns_no_marks() -> None:
    nothing = MATRIX._replace(ends=ENDS[:0], counts=np.zeros((0, 0)))
    assert shown_marks(((1_000_000, "M", "x"),), nothing, 1.0, 5) == ()


def test_the_list_is_in_the_order_of_time_with_dates_where_there_are_several() -> None:
    hour, start = 3600 * 1_000_000, 1_772_409_600 * 1_000_000
    for hours, texts in ((24, ["06:00:00", "07:00:07", "08:00:00"]), (72, ["03-02 06:00", "03-02 07:00:07"])):
        ends = start + hour * np.arange(1, hours + 1)
        flags, seconds = np.zeros(hours, np.bool_), np.full(hours, 3600.0)
        none = np.zeros((0, hours))
        matrix = Matrix(np.zeros(1), none, none, ends, seconds, seconds, flags, flags, flags, flags)
        marks = tuple((start + at, "M", "x") for at in (7 * hour + 7_000_000, 8 * hour, 6 * hour))
        status = Status("x", interval=3600.0, marks=marks)
        remarks = find_remarks(matrix, status)
        lines, newest = (
            ["".join(text for text, _ in line) for line in remark_lines(remarks, status, matrix, most)]
            for most in (9, 2)
        )
        assert [line.split('  "')[0] for line in lines[: len(texts)]] == [f"M {text}" for text in texts]
        assert newest == lines[1:]


def test_digits_stand_where_changes_begin_the_costliest_first_and_go_before_letters() -> None:
    second = 1_000_000
    marks = ((3 * second, "M", "x"), (7 * second, "M", "y"))
    signs = ((2_500_000, "6"), (2 * second, "2"), (5 * second, "3"), (-second, "4"), (8 * second, "5"))
    remarks = find_remarks(MATRIX, Status("x", interval=2.0, marks=marks), signs)
    assert remarks.letters() == {1: "6", 2: "3", 3: "M"}, "column 1 is from 2 s to 4 s; 4 and 5 begin elsewhere"
    doubtful = MATRIX._replace(doubtful=np.array([False, True, False, False]))
    assert find_remarks(doubtful, Status("x", interval=2.0), signs).letters()[1] == "?"
    assert [item.letter for item in remarks.items] == ["M", "M"], "the list has no digits"


def test_what_begins_with_the_data_has_its_sign_in_the_first_column_however_long_that_is() -> None:
    signs = ((-40_000, "1"), (2_500_000, "a"))
    first = Status("x", interval=2.0, kept=(-40_000, 8_000_000))
    assert find_remarks(MATRIX, first, signs).letters() == {0: "1", 1: "a"}
    assert find_remarks(MATRIX, first._replace(kept=(-9_000_000, 8_000_000)), signs).letters() == {1: "a"}


def test_a_reset_is_told_once_whatever_memory_merged() -> None:
    second = 1_000_000
    merged = MATRIX._replace(reset=np.array([False, True, False, False]))  # that of 3.9 s, with what came before it
    old = Incident(200_000, 1 * second, 0.8, gap=False, reset=True)
    late = Incident(3_900_000, 4_900_000, 1.0, gap=False, reset=True)
    for known, told in (
        ((late,), ["counted from zero over 1 s"]),
        ((), ["counted from zero over 2 s"]),
        ((old, late), ["0.80 s", "1 s"]),
    ):
        items = find_remarks(merged, Status("x", interval=2.0, incidents=known)).items
        assert [item.letter for item in items] == ["R"] * len(told)
        for item, text in zip(items, told, strict=True):
            assert text in item.text

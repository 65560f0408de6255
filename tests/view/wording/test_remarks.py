"""Of any number of marks, those that a picture can show."""

import numpy as np
from hypothesis import given, strategies as st

from pylatencymap.view.layout.status import Status
from pylatencymap.view.wording.remarks import find_remarks, shown_marks
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

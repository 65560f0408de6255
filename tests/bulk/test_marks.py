"""Places are those that nonzero gives, however many there are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylatencymap.scan.byte_words import places_of


@given(st.lists(st.booleans(), max_size=300))
def test_any(truths: list[bool]) -> None:
    assert places_of(np.array(truths, np.bool_)).tolist() == [place for place, one in enumerate(truths) if one]


@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 4096, 100_003])
@pytest.mark.parametrize("every", [1, 2, 63, 64, 65, 1000])
def test_one_in_so_many(size: int, every: int) -> None:
    truths = np.arange(size) % every == every - 1
    assert places_of(truths).tolist() == list(range(every - 1, size, every))

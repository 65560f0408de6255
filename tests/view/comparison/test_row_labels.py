"""The labels of the rows of a comparison."""

from math import inf

import numpy as np
import pytest

from pylatencymap.view.comparison.maps import row_labels


@pytest.mark.parametrize(
    ("bounds", "half", "labels"),
    [
        ([1e-3, 2e-3, 4e-3], False, ["4 ms", "2 ms"]),
        ([1e-3, 2e-3, 4e-3, inf], False, ["> 4 ms", "4 ms", "2 ms"]),
        ([1e-3, 2e-3, inf], True, ["> 2 ms"]),
        ([1e-3, 2e-3, 4e-3, inf], True, ["> 4 ms", "2 ms"]),
        ([1e-3, 2e-3, 4e-3], True, ["2 ms"]),
    ],
)
def test_an_open_row_has_the_bound_above_which_it_is(bounds: list[float], half: bool, labels: list[str]) -> None:
    assert row_labels(np.array(bounds), half=half) == labels

"""Bounds in any unit of time, exactly."""

from decimal import Decimal

import pytest

from pylatencymap.text.unit_names import decimal_of, in_unit, seconds_of_unit, whole_unit
from pylatencymap.units import Unit


@pytest.mark.parametrize(
    ("bounds", "unit", "scaled"),
    [
        (["0.005", "0.01", "2.5"], Unit.MS, [5, 10, 2500]),
        (["5e-05", "0.0001", "0.25"], Unit.US, [50, 100, 250_000]),
        (["0.000003", "1000000"], Unit.US, [3, 10**12]),
        (["1e-09", "1"], Unit.NS, [1, 10**9]),
        (["0.0000104712855"], Unit.NS, [10471.2855]),
    ],
)
def test_the_coarsest_unit_that_makes_bounds_whole(bounds: list[str], unit: Unit, scaled: list[float]) -> None:
    numbers = [decimal_of(text) or Decimal(0) for text in bounds]
    assert whole_unit(numbers) is unit
    found = [in_unit(number, unit) for number in numbers]
    assert found == scaled
    assert [type(one) for one in found] == [type(one) for one in scaled]


@pytest.mark.parametrize(
    ("word", "seconds"),
    [("ms", "0.001"), ("microseconds", "0.000001"), ("s", "1"), ("Seconds", "1"), ("ps", "1e-12"), ("min", "60")],
)
def test_units_of_time(word: str, seconds: str) -> None:
    assert seconds_of_unit(word) == Decimal(seconds)


@pytest.mark.parametrize("word", ["By", "1", "", "m", "{request}"])
def test_what_is_no_unit_of_time(word: str) -> None:
    assert seconds_of_unit(word) is None


@pytest.mark.parametrize("text", ["", "x", "NaN", "Infinity", "-inf", "9" * 41, "1e999", "0x10"])
def test_what_is_no_number(text: str) -> None:
    assert decimal_of(text) is None

"""The nominal interval: a median of recent steps."""

from hypothesis import given, strategies as st

from pylatencymap.intervals.nominal import STEPS_REMEMBERED, NominalInterval, low_median


@given(st.lists(st.floats(0.001, 1e6), min_size=1))
def test_the_low_median_is_a_value_with_half_of_them_on_each_side(values: list[float]) -> None:
    middle = low_median(values)
    assert middle in values
    assert sum(value < middle for value in values) <= len(values) / 2
    assert sum(value > middle for value in values) <= len(values) / 2


def test_nothing_is_known_before_the_first_step() -> None:
    assert NominalInterval().seconds is None


def test_one_gap_among_two_steps_does_not_count() -> None:
    nominal = NominalInterval()
    for step in (1.0, 60.0):
        nominal.add(step)
    assert nominal.seconds == 1.0


def test_only_the_last_steps_count() -> None:
    nominal = NominalInterval()
    for step in [1.0] * 20 + [10.0] * (STEPS_REMEMBERED // 2):
        nominal.add(step)
    assert nominal.seconds == 1.0
    nominal.add(10.0)
    assert nominal.seconds == 10.0


def test_a_round_of_several_series_is_one_step() -> None:
    nominal = NominalInterval()
    for step, joins in ((0.25, True), (0.25, True), (0.5, False)):
        nominal.add(step, joins)
    assert nominal.seconds == 1.0

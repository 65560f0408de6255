"""The grid of buckets: its laws, at all resolutions."""

import itertools

import pytest
from hypothesis import given, strategies as st

from pylatencymap.buckets import MAX_RESOLUTION, bounds_of, bucket_of, check_resolution, fits, on_grid
from pylatencymap.errors import UsageError

RESOLUTIONS = [1, 2, 4, 8, 16, 32, 64]
values = st.integers(0, 2**64 - 1) | st.integers(0, 300)
resolutions = st.sampled_from(RESOLUTIONS)


@given(values, resolutions)
def test_a_value_lies_in_its_bucket(value: int, resolution: int) -> None:
    lower, upper = bounds_of(bucket_of(value, resolution), resolution)
    assert lower <= value < upper


@given(st.integers(0, 64 * 64), resolutions)
def test_both_ends_of_a_bucket_are_in_it(bucket: int, resolution: int) -> None:
    lower, upper = bounds_of(bucket, resolution)
    assert bucket_of(lower, resolution) == bucket == bucket_of(upper - 1, resolution)
    assert bucket_of(upper, resolution) == bucket + 1


@pytest.mark.parametrize("resolution", RESOLUTIONS)
def test_powers_of_two_begin_their_own_octave(resolution: int) -> None:
    for power in range(64):
        assert bounds_of(bucket_of(2**power, resolution), resolution)[0] == 2**power
        assert bounds_of(bucket_of(2**power - 1, resolution), resolution)[1] == 2**power


@pytest.mark.parametrize("resolution", RESOLUTIONS)
def test_an_octave_has_as_many_equal_parts_as_the_resolution_but_none_narrower_than_one(resolution: int) -> None:
    for octave in range(1, 65):
        first, last = bucket_of(2 ** (octave - 1), resolution), bucket_of(2**octave - 1, resolution)
        assert last - first + 1 == min(resolution, 2 ** (octave - 1))
        widths = {upper - lower for lower, upper in (bounds_of(b, resolution) for b in range(first, last + 1))}
        assert widths == {max(1, 2 ** (octave - 1) // resolution)}


@pytest.mark.parametrize("resolution", RESOLUTIONS)
def test_buckets_are_numbered_without_holes_from_zero_to_one(resolution: int) -> None:
    assert bounds_of(0, resolution) == (0, 1)
    edges = [bounds_of(bucket, resolution) for bucket in range(63 * resolution)]
    assert all(upper == lower for (_, upper), (lower, _) in itertools.pairwise(edges))


def test_resolution_one_is_the_plain_log2_histogram() -> None:
    assert [bounds_of(bucket) for bucket in range(6)] == [(0, 1), (1, 2), (2, 4), (4, 8), (8, 16), (16, 32)]


@given(values, st.sampled_from(RESOLUTIONS[1:]))
def test_coarsening_by_two_is_exact(value: int, resolution: int) -> None:
    bucket, half = bucket_of(value, resolution), bucket_of(value, resolution // 2)
    (lower, upper), (low, high) = bounds_of(bucket, resolution), bounds_of(half, resolution // 2)
    assert low <= lower
    assert upper <= high


@pytest.mark.parametrize("wrong", [0, -1, 3, 6, 65, 2 * MAX_RESOLUTION])
def test_only_powers_of_two_up_to_64_are_resolutions(wrong: int) -> None:
    with pytest.raises(UsageError, match=f"resolution {wrong} is none of 1, 2, 4"):
        check_resolution(wrong)


def test_resolutions_are_what_they_are() -> None:
    assert [check_resolution(resolution) for resolution in RESOLUTIONS] == RESOLUTIONS


def test_what_lies_on_the_grid() -> None:
    assert [bound for bound in range(17) if on_grid(bound, 1)] == [0, 1, 2, 4, 8, 16]
    assert [bound for bound in range(17) if on_grid(bound, 2)] == [0, 1, 2, 3, 4, 6, 8, 12, 16]
    assert not on_grid(2.5, 64)


@pytest.mark.parametrize(
    ("lower", "upper", "resolution", "fit"),
    [
        (512, 1024, 1, True),
        (512, 1024, 8, True),  # an octave is a union of eighths
        (512, 576, 1, True),  # an eighth lies within its octave
        (512, 576, 4, True),
        (0, 2, 1, True),  # bcc's 0 -> 1
        (0, 0.001, 1, True),
        (0.25, 0.5, 1, True),  # Oracle's fractions of a millisecond
        (0, 3, 1, False),
        (3, 5, 1, False),
        (3, 4, 1, True),
        (100, 500, 1, False),
        (100, 500, 64, True),
        (1000.0, 2000.0, 1, False),
        (4096, None, 1, True),
        (5000, None, 1, False),
    ],
)
def test_which_ranges_need_no_resampling(lower: float, upper: float | None, resolution: int, fit: bool) -> None:
    assert fits(lower, upper, resolution) is fit

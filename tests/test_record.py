"""Records and intervals: what their ranges and their estimates are."""

import copy
import inspect
import pickle
from dataclasses import MISSING, Field, FrozenInstanceError, fields, replace

import pytest
from hypothesis import given, strategies as st

from pylatencymap.interval import Interval, midpoint_time
from pylatencymap.record import Mark, Range, Record, Semantics, Stamp, Tick, tidy_ranges
from pylatencymap.units import Unit

ranges = st.lists(
    st.tuples(st.integers(0, 12), st.none() | st.integers(13, 20), st.integers(0, 5)).map(lambda entry: tuple(entry))
)


@given(ranges)
def test_tidy_ranges_sum_like_ones_and_keep_the_total(found: list[Range]) -> None:
    tidy = tidy_ranges(found)
    assert sum(count for *_, count in tidy) == sum(count for *_, count in found)
    assert all(count for *_, count in tidy)
    keys = [(lower, float("inf") if upper is None else upper) for lower, upper, _ in tidy]
    assert keys == sorted(set(keys))
    assert tidy_ranges(list(tidy)) == tidy


def test_where_a_record_came_from_is_no_part_of_what_it_says() -> None:
    one = Record("a", Unit.US, ((0, 1, 2), (1, 2, 3)), Semantics.INTERVAL, Stamp(5), arrival=1.0, line=7)
    same = Record("a", Unit.US, ((0, 1, 2), (1, 2, 3)), Semantics.INTERVAL, Stamp(5, whole=True, text="today"))
    assert one == same
    assert one.events == 5


@pytest.mark.parametrize(
    ("entry", "microseconds"),
    [
        ((0, 1, 1), 0.5),
        ((512, 1024, 1), 0.75 * 1024),
        ((0, 2, 1), 1.0),
        ((4096, None, 2), 8192.0),
        ((100, 500, 10), 3000.0),
    ],
)
def test_time_is_estimated_at_the_midpoint_and_of_an_open_range_at_its_lower_bound(
    entry: Range, microseconds: float
) -> None:
    assert midpoint_time((entry,), Unit.US) == pytest.approx(microseconds * 1e-6)
    assert midpoint_time((entry,), Unit.MS) == pytest.approx(microseconds * 1e-3)


def test_events_of_an_interval() -> None:
    assert Interval("a", Unit.US, 0, 1, 1.0, ((0, 1, 2), (4, None, 3))).events == 5
    assert Interval("a", Unit.US, 0, 1, 1.0, gap=True).events == 0


STAMP = Stamp(5, text="today")
VALUES = (
    STAMP,
    Record("a", Unit.US, ((0, 1, 2),), Semantics.INTERVAL, STAMP, start=1, line=7),
    Tick(STAMP, 1.5, 7, implied=True),
    Mark(STAMP, "note"),
    Interval("a", Unit.US, 0, 1, 1.0, ((0, 1, 2),), 0.5, label="disk"),
)


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
class TestValuesStayAsTheyAre:
    def test_no_field_can_be_set_or_deleted(self, value: Record) -> None:
        before = hash(value)
        for one in fields(value):
            with pytest.raises(FrozenInstanceError):
                setattr(value, one.name, None)
            with pytest.raises(FrozenInstanceError):
                delattr(value, one.name)
        assert hash(value) == before

    def test_there_is_room_for_no_other_field(self, value: Record) -> None:
        with pytest.raises((FrozenInstanceError, TypeError)):
            value.more = 1  # type: ignore[attr-defined]
        assert not hasattr(value, "__dict__")

    def test_copies_are_equal(self, value: Record) -> None:
        every = {one.name: getattr(value, one.name) for one in fields(value)}
        for made in (replace(value), copy.copy(value), pickle.loads(pickle.dumps(value)), type(value)(**every)):
            assert made == value
            assert hash(made) == hash(value)
            assert {one.name: getattr(made, one.name) for one in fields(made)} == every

    def test_they_are_made_from_the_fields_in_order(self, value: Record) -> None:
        parameters = inspect.signature(type(value)).parameters.values()
        assert [(one.name, one.kind, one.default) for one in parameters] == [
            (one.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default_of(one)) for one in fields(value)
        ]
        needed = [one.name for one in fields(value) if one.default is MISSING]
        if needed:
            with pytest.raises(TypeError, match=rf"{type(value).__name__}.__init__\(\) missing .*'{needed[0]}'"):
                type(value)()  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="unexpected keyword argument 'other'"):
            type(value)(other=1)  # type: ignore[call-arg]


def default_of(one: Field[object]) -> object:
    return inspect.Parameter.empty if one.default is MISSING else one.default


def test_records_of_two_kinds_are_never_equal() -> None:
    assert Mark(STAMP, "a", "b") != (STAMP, "a", "b")
    assert len({*VALUES, *map(copy.copy, VALUES)}) == len(VALUES)

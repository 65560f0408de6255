"""Who waits while a series stalls: said only if it fills the stalls, and hardly waits otherwise."""

import numpy as np
import pytest

from pylatencymap.findings import SeriesData
from tests.analysis.shapes import FloatArray
from tests.findings.data import findings, load, series

STALLS = (40, 80, 120, 160, 200)
COLUMNS = 300


def stalled(*begins: int, length: int = 3) -> SeriesData:
    counts = load(COLUMNS)
    for begin in begins:
        counts[:, begin : begin + length] = 0
    return series(counts, "reads", waited=counts.sum(axis=0) * 2e-3)


def locked(waited: dict[int, float], usual: float = 0.0, *, is_exact: bool = True) -> SeriesData:
    """A series of lock waits: seconds by column."""
    seconds = np.full(COLUMNS, usual)
    for column, each in waited.items():
        seconds[column] = each
    counts: FloatArray = np.zeros((load(2).shape[0], COLUMNS))
    counts[-2] = seconds > 0
    return series(counts, "lock", waited=seconds if is_exact else None)


def told(*many: SeriesData) -> list[str]:
    return [one.text for one in findings(*many).meaning if one.kind == "stalls"]


def test_a_wait_that_ends_with_each_stall() -> None:
    locks = locked({begin + 3: 3.2 for begin in STALLS})
    assert told(stalled(*STALLS), locks) == ["reads stalls while lock waits: in 5 of 5 stalls"]


def test_one_long_stall() -> None:
    assert told(stalled(100, length=20), locked({119: 20.0})) == ["reads stalls while lock waits"]


def test_most_of_the_stalls_are_enough_and_fewer_are_not() -> None:
    most, fewer = ({begin + 3: 3.2 for begin in STALLS[:number]} for number in (4, 3))
    assert told(stalled(*STALLS), locked(most)) == ["reads stalls while lock waits: in 4 of 5 stalls"]
    assert told(stalled(*STALLS), locked(fewer)) == []


def test_what_is_too_short_for_the_stalls_is_not_told() -> None:
    assert told(stalled(*STALLS), locked({begin + 3: 1.4 for begin in STALLS})) == []


def test_what_waits_as_much_otherwise_is_not_told() -> None:
    assert told(stalled(*STALLS), locked({}, usual=0.9)) == []
    assert told(stalled(*STALLS), locked({begin + 2: 3.2 for begin in STALLS}, usual=0.2)) != []


def test_an_estimated_sum_tells_nothing() -> None:
    assert told(stalled(*STALLS), locked({begin + 3: 3.2 for begin in STALLS}, is_exact=False)) == []


def test_the_one_that_waited_most_is_told() -> None:
    checkpoint = locked({begin + 3: 3.0 for begin in STALLS})
    other = series(checkpoint.counts, "checkpoint", waited=checkpoint.waited)
    assert told(stalled(*STALLS), other, locked({begin + 3: 3.2 for begin in STALLS})) == [
        "reads stalls while lock waits: in 5 of 5 stalls"
    ]


def one_session(seed: int) -> tuple[SeriesData, SeriesData, int]:
    """Reads one after the other, each of 0.3 to 6 ms, and every 25 s a lock of 3 to 6 s, as an SQL trace has them:
    stalls begin and end within a second. Returns how many, too.
    """
    rng, now, due, locks = np.random.default_rng(seed), 0.0, 20.0, 0
    counts: FloatArray = np.zeros((load(2).shape[0], COLUMNS))
    waited, locked_for = np.zeros(COLUMNS), {}
    while now < COLUMNS - 1:
        if now >= due and now < COLUMNS - 20:
            length = float(rng.uniform(3.0, 6.0))
            now, due, locks = now + length, now + length + 25.0, locks + 1
            locked_for[int(now)] = length
        length = float(rng.uniform(0.3e-3, 6e-3))
        now += length
        counts[3, int(now)] += 1
        waited[int(now)] += length
    return series(counts, "reads", waited=waited), locked(locked_for), locks


@pytest.mark.parametrize("seed", range(6))
def test_a_stall_need_not_begin_and_end_with_a_column(seed: int) -> None:
    reads, locks, number = one_session(seed)
    nearly = [f"reads stalls while lock waits: in {all_} of {all_} stalls" for all_ in (number, number - 1)]
    assert told(reads, locks)[0] in nearly, "one that is as short as 3 s may be missed"


def test_a_rate_that_falls_to_little_for_long_is_no_stall() -> None:
    counts = load(COLUMNS)
    counts[:, 100:160] = np.round(counts[:, 100:160] * 0.1)
    reads = series(counts, "reads", waited=counts.sum(axis=0) * 2e-3)
    assert told(reads, locked(dict.fromkeys(range(100, 160), 1.0))) == []

"""The arm serves one read at a time, and the cache forgets what was least recently used."""

from hypothesis import given, strategies as st

from pylatencymap.demo.devices import BLOCKS, REVOLUTION, SETTLE, STROKE, TRACK_BLOCKS, Arm, Cache, transfer_time

EXTENT = 8
arrivals = st.lists(st.tuples(st.integers(0, 30_000), st.integers(0, BLOCKS - EXTENT)), min_size=1, max_size=60)


@given(arrivals)
def test_no_two_services_overlap_and_the_arm_never_idles_while_somebody_waits(gaps_and_blocks):
    arm, now, free = Arm(), 0, 0
    slowest = SETTLE + STROKE + REVOLUTION + transfer_time(EXTENT)
    for gap, first in gaps_and_blocks:
        now += gap
        service = arm.read(now, first, EXTENT)
        assert service.begun == max(now, free)
        assert transfer_time(EXTENT) <= service.done - service.begun <= slowest
        free = service.done


@given(st.integers(0, BLOCKS - 1), st.integers(0, 10**9))
def test_a_block_comes_round_once_in_a_revolution(block, now):
    """Read again without a seek, a block is done whole revolutions later."""
    arm = Arm()
    first_done = arm.read(now, block).done
    again = arm.read(first_done + 12_345, block).done
    assert (again - first_done) % REVOLUTION == 0


def test_a_longer_seek_costs_more():
    """At best over all angles, that is without rotation: the shortest of many reads at each distance."""

    def shortest(track: int) -> int:
        return min(Arm().read(0, track * TRACK_BLOCKS + sector).done for sector in range(TRACK_BLOCKS))

    costs = [shortest(track) for track in (0, 1, 100, 1000, 8000)]
    assert costs == sorted(costs)
    assert costs[0] < 200
    assert costs[1] >= 1_200


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 30)), max_size=200), st.integers(1, 12))
def test_the_cache_is_the_naive_lru(steps, capacity):
    cache, naive = Cache(capacity), []
    for filling, block in steps:
        if filling:
            cache.fill(block)
        else:
            assert cache.use(block) == (block in naive)
        if filling or block in naive:
            naive = [*(other for other in naive if other != block), block][-capacity:]
        assert len(cache) == len(naive) <= capacity
    assert all(cache.use(block) for block in naive)


def test_an_extent_is_held_only_as_a_whole():
    cache = Cache(4)
    cache.fill(10, 3)
    assert cache.use(10, 3)
    assert not cache.use(10, 4)
    cache.fill(20, 2)
    assert not cache.use(10)
    assert cache.use(11, 2)
    cache.clear()
    assert len(cache) == 0

"""An aggregation that is killed goes on; ``aggregate_kills.py`` does it oftener."""

from tests.trust.aggregate_kills import killed_and_resumed


def test_killed_twice() -> None:
    killed_and_resumed(2, seed=7, size=2_000_000)

"""The terminal after the end of a view: the short form of endings.py."""

import pytest

from tests.trust.endings import SLOW, Kind, ended

SLOW_TERMINAL = Kind(speed=SLOW)


@pytest.mark.parametrize(
    ("way", "source", "kind"),
    [
        ("^C, ^C in the last picture", "pipe", SLOW_TERMINAL),
        ("^C, ^C in the last picture", "file", SLOW_TERMINAL),
        ("^C^C", "deaf pipe", SLOW_TERMINAL),
        ("^C, stalled ^C in the last picture", "pipe", Kind()),
        ("keys, q", "demo", Kind(answers=False)),
        ("before the source speaks, ^C ^C", "late pipe", Kind()),
    ],
)
def test_nothing_is_left_over(way: str, source: str, kind: Kind) -> None:
    assert ended(way, source, kind) == []

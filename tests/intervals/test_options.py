"""What is said about time."""

from pylatencymap.intervals.options import TimeOptions


def test_a_source_is_live_if_it_was_started() -> None:
    assert TimeOptions(started=0.0).live
    assert not TimeOptions(modified=1.0).live

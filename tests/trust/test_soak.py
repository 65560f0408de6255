"""The short forms of the long watch: nothing is lost and no descriptor stays open; and the watch notices if it is."""

from pathlib import Path

import pytest

from .soak import Use, Watched, fast, live, records_in, told, wrong_with


def test_a_stream_read_at_once_is_recorded_whole(tmp_path: Path) -> None:
    run = fast(tmp_path, seconds=1500, series=2, history_mb=0.2)
    assert list(wrong_with(run, is_long=False)) == []
    assert "flat, and nothing lost" in told("fast", run, [])
    assert (tmp_path / "fast.txt").read_text().strip()


def test_a_live_view_records_all_and_ends(tmp_path: Path) -> None:
    run = live(tmp_path, 0.0, 0.0, series=3, history_mb=0.2, rounds=1500)
    assert list(wrong_with(run, is_long=False)) == []
    assert records_in(run.recording).total() == 4500


def watched(tmp_path: Path, **changes: list[float]) -> Watched:
    """A run of 40 records that used the same all the time, but for the changes."""
    run = fast(tmp_path, seconds=40, series=1, history_mb=1.0)
    usual = {"rss_mb": [50.0] * 20, "cpu": [0.1 * place for place in range(20)], "descriptors": [9] * 20}
    values = {**usual, **changes}
    uses = [
        Use(
            float(place),
            values["cpu"][place],
            values["rss_mb"][place],
            int(values["descriptors"][place]),
            3,
            1000 * place,
        )
        for place in range(20)
    ]
    return run._replace(uses=uses)


def test_what_is_flat_is_taken_for_flat(tmp_path: Path) -> None:
    assert list(wrong_with(watched(tmp_path))) == []
    filling = [30.0 + 2 * place for place in range(10)] + [50.0] * 10
    assert list(wrong_with(watched(tmp_path, rss_mb=filling))) == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"rss_mb": [50.0 + place for place in range(20)]}, "memory grew by"),
        ({"descriptors": [9] * 15 + [10] * 5}, "10 descriptors are open in the second half, 9 before"),
        ({"cpu": [0.01 * place**2 for place in range(20)]}, "us of CPU at the end"),
    ],
)
def test_what_grows_is_noticed(tmp_path: Path, changes: dict[str, list[float]], said: str) -> None:
    (wrong,) = wrong_with(watched(tmp_path, **changes))
    assert said in wrong


def test_a_lost_record_is_noticed(tmp_path: Path) -> None:
    run = watched(tmp_path)
    text = run.recording.read_text()
    begin = text.index("<begin record>", 2000)
    run.recording.write_text(text[:begin] + text[text.index("<begin record>", begin + 5) :])
    (wrong,) = wrong_with(run)
    assert "40 records of each of 1 series were sent, and {'disk0': 39} recorded" in wrong


def test_another_count_at_the_end_is_noticed(tmp_path: Path) -> None:
    run = watched(tmp_path)
    head, _, last = run.recording.read_text().rpartition("1024,")
    run.recording.write_text(f"{head}1024,9{last}")
    (wrong,) = wrong_with(run)
    assert "the last counts of disk0" in wrong

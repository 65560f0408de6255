"""Saved history, replayed, is the same history."""

import gzip
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from pylatencymap.errors import SourceError
from pylatencymap.interval import Interval, midpoint_time
from pylatencymap.intervals.difference import to_intervals
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.stages import resolve_times
from pylatencymap.intervals.totals import sum_limits
from pylatencymap.record import Mark, Range, Stamp
from pylatencymap.report import Report
from pylatencymap.session.save import _put, save_beside, save_recording, saved_events
from pylatencymap.stream.reader import read_stream
from pylatencymap.stream.writer import StreamWriter
from pylatencymap.text.lines import lines_of
from pylatencymap.units import Unit
from pylatencymap.window.history import History
from pylatencymap.window.window import Window
from tests.other_thread import acting_within

EPOCH = 1_700_000_000_000_000
SECOND = 1_000_000
octaves = st.integers(0, 40).map(lambda power: (1 << power, 2 << power))
keys = octaves | st.sampled_from([(0, 1), (0, 2), (100, 250), (0.5, 0.75), (1 << 32, None)])
counts = st.integers(1, 10**7) | st.sampled_from([0.5, 2**40])
histograms = st.dictionaries(keys, counts, max_size=5)


def replayed(text: str) -> tuple[Window, list[Mark]]:
    """What a replay of a recording keeps."""
    report = Report("saved", strict=True)
    window, marks = Window(), []
    events = list(resolve_times(read_stream(lines_of(text), report), TimeOptions(), report))
    for interval in to_intervals(events):
        window.add(interval)
    marks = [event for event in events if isinstance(event, Mark)]
    return window, marks


def text_of(window: Window, marks: list[Mark] | None = None) -> str:
    pieces: list[str] = []
    writer = StreamWriter(pieces.append)
    for event in saved_events(window, marks or []):
        writer.event(event)
    return "".join(pieces)


def used(history: History) -> dict[Any, list[float]]:
    """Counts by range over all columns."""
    _, found = history.part(0, len(history))
    return {key: row for key, row in zip(history.ranges, found.T.tolist(), strict=True) if any(row)}


def assert_same(window: Window, again: Window) -> None:
    assert sorted(again.names()) == sorted(window.names())
    for name in window.names():
        old, new = window[name], again[name]
        assert (new.unit, new.label, new.source) == (old.unit, old.label, old.source)
        columns, found = old.part(0, len(old))[0], new.part(0, len(new))[0]
        for field in ("start", "end", "seconds", "flags"):
            assert_array_equal(found[field], columns[field], err_msg=field)
        assert_allclose(found["waited"], columns["waited"], rtol=1e-9)
        assert used(new) == used(old)


@st.composite
def histories(draw: st.DrawFn, name: str, clock: bool) -> list[Interval]:
    """Intervals of one series: lengths, gaps, holes, resets and jitter of all kinds."""
    moment = (EPOCH if clock else 0) + draw(st.integers(0, 5 * SECOND))
    unit, found = draw(st.sampled_from(list(Unit))), []
    for _ in range(draw(st.integers(1, 25))):
        moment += draw(st.sampled_from([0, 0, 0, 0, 7 * SECOND, 1]))
        length = draw(st.sampled_from([SECOND, SECOND, SECOND, 999_000, 100_000, 13 * SECOND]))
        start, moment = moment, moment + length
        gap = draw(st.integers(0, 9)) == 0
        ranges: tuple[Range, ...] = ()
        if not gap:
            chosen = draw(histograms)
            ranges = tuple(
                (*key, chosen[key]) for key in sorted(chosen, key=lambda key: (key[0], key[1] or float("inf")))
            )
        exact = draw(st.booleans())
        least, most = (total * unit.seconds for total in sum_limits(ranges))
        possible = least + draw(st.floats(0, 1)) * (min(most, least + 1e6) - least)
        waited = possible if exact else midpoint_time(ranges, unit)
        found.append(
            Interval(
                name,
                unit,
                start - draw(st.sampled_from([0, 0, 0, 1000])),
                moment,
                draw(st.sampled_from([length / 1e6, 1.0])),
                ranges,
                None if gap else waited,
                estimated=not exact,
                reset=draw(st.integers(0, 9)) == 0,
                gap=gap,
                clock=clock,
                label=draw(st.sampled_from(["", "disk, one"])) if not found else found[0].label,
                source=draw(st.sampled_from(["bpf", "oracle", "fio"])) if not found else found[0].source,
            )
        )
    return found


@given(
    st.lists(st.sampled_from(["a", "loop0,Sync-Read", "db file sequential read"]), min_size=1, max_size=3, unique=True),
    st.booleans(),
    st.integers(0, 3),
    st.data(),
)
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=60)
def test_a_saved_window_comes_back_as_it_was(names: list[str], clock: bool, merges: int, data: st.DataObject) -> None:
    added = [interval for name in names for interval in data.draw(histories(name, clock))]
    window = Window()
    for interval in sorted(added, key=lambda interval: interval.end):
        window.add(interval)
    for _ in range(merges):
        for name in names:
            window[name].merge_oldest()
    again, _ = replayed(text_of(window))
    assert_same(window, again)


def make(n: int, **more: Any) -> Interval:
    ranges: tuple[Range, ...] = () if more.get("gap") or n % 5 == 0 else ((64, 128, n), (8192, 16384, 1))
    waited = None if more.get("gap") else midpoint_time(ranges, Unit.US)
    end = EPOCH + n * SECOND
    return Interval("a", Unit.US, end - SECOND, end, 1.0, ranges, waited, source="bpf", **more)


def test_merged_columns_come_back_with_their_real_seconds() -> None:
    window = Window()
    for n in range(1, 3001):
        window.add(make(n, reset=n % 700 == 0, gap=n % 50 == 1))
    for _ in range(4):
        window["a"].merge_oldest()
    again, _ = replayed(text_of(window))
    assert_same(window, again)
    assert len(again["a"]) < 3000
    assert again["a"].events == window["a"].events


def test_a_silence_of_one_series_alone_is_no_gap_of_the_other() -> None:
    window = Window()
    for n in range(1, 40):
        window.add(make(n))
        if not 10 < n < 30:
            other = make(n)
            window.add(Interval("b", Unit.US, other.start, other.end, 1.0, other.ranges, other.waited))
    again, _ = replayed(text_of(window))
    assert_same(window, again)


def test_marks_stand_where_they_were_made() -> None:
    window = Window()
    for n in range(1, 6):
        window.add(make(n))
    late = Mark(Stamp(EPOCH + 9 * SECOND), "after the end", "a")
    within = Mark(Stamp(EPOCH + 5 * SECOND // 2), "cache dropped")
    text = text_of(window, [late, within])
    again, marks = replayed(text)
    assert marks == [within, late]
    assert_same(window, again)
    assert text.index("cache dropped") < text.index(f"timestamp,microsec,{EPOCH + 3 * SECOND}")
    assert text.index("cache dropped") > text.index(f"timestamp,microsec,{EPOCH + 2 * SECOND}")


def test_nothing_is_saved_of_nothing() -> None:
    assert text_of(Window()) == ""


class TestFiles:
    @staticmethod
    def window() -> Window:
        window = Window()
        for n in range(1, 9):
            window.add(make(n, reset=n == 4))
        return window

    def test_the_file_holds_what_history_held(self, tmp_path: Path) -> None:
        written = save_recording(tmp_path / "disk.lmap.gz", self.window())
        assert written == tmp_path / "disk.lmap.gz"
        again, _ = replayed(gzip.decompress(written.read_bytes()).decode())
        assert_same(self.window(), again)

    @pytest.mark.parametrize("asked", ["disk", "disk.lmap", "disk.lmap.gz"])
    def test_what_is_there_stays_as_it_is(self, tmp_path: Path, asked: str) -> None:
        (tmp_path / "disk.lmap.gz").write_text("mine")
        found = [save_recording(tmp_path / asked, self.window()).name for _ in range(2)]
        assert found == ["disk-2.lmap.gz", "disk-3.lmap.gz"]
        assert (tmp_path / "disk.lmap.gz").read_text() == "mine"
        assert len(list(tmp_path.iterdir())) == 3

    @pytest.mark.parametrize("kind", ["recording", "picture"])
    def test_whoever_looks_sees_whole_files_only(self, tmp_path: Path, kind: str) -> None:
        seen = set[tuple[str, int]]()

        def look() -> None:
            files = [file for file in tmp_path.iterdir() if not file.name.startswith(".")]
            seen.update((file.name, file.stat().st_size) for file in files)

        def save() -> Path:
            if kind == "recording":
                return save_recording(tmp_path / "disk", self.window())
            return save_beside(tmp_path / "disk", ".txt", b"picture")

        saved = [save()]
        with acting_within(_put, None, look):
            saved.append(save())
        look()
        assert seen == {(file.name, file.stat().st_size) for file in saved}

    def test_without_links_nothing_is_replaced_either(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def none(*_: object) -> None:
            raise PermissionError(1, "Operation not permitted")

        monkeypatch.setattr(os, "link", none)
        (tmp_path / "disk.txt").write_text("mine")
        names = [save_beside(tmp_path / "disk", ".txt", b"picture").name for _ in range(2)]
        assert names == ["disk-2.txt", "disk-3.txt"]
        assert [path.read_text() for path in sorted(tmp_path.iterdir())] == ["picture", "picture", "mine"]

    def test_a_picture_has_a_name_that_a_recording_can_have(self, tmp_path: Path) -> None:
        (tmp_path / "disk.lmap.gz").write_text("mine")
        assert save_beside(tmp_path / "disk", ".txt", b"picture").name == "disk-2.txt"

    def test_a_folder_that_is_not_there_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(SourceError, match=r"nowhere/disk.* cannot be written: No such file"):
            save_recording(tmp_path / "nowhere" / "disk", self.window())

    def test_what_cannot_be_finished_leaves_nothing_behind(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(StreamWriter, "event", full)
        with pytest.raises(SourceError, match="No space left"):
            save_recording(tmp_path / "disk", self.window())
        assert list(tmp_path.iterdir()) == []


def test_counts_beyond_whole_numbers_of_a_float_are_kept() -> None:
    window = Window()
    window.add(Interval("a", Unit.US, EPOCH, EPOCH + SECOND, 1.0, ((64, 128, 2**60),), 1e14, estimated=False))
    few = ((64, 128, 3),)
    window.add(Interval("a", Unit.US, EPOCH + SECOND, EPOCH + 2 * SECOND, 1.0, few, 3e-4, estimated=False))
    again, _ = replayed(text_of(window))
    assert_same(window, again)
    assert np.isclose(again["a"].events, 2**60)

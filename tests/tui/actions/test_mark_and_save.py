"""Marks, saving and the help."""

import shlex
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest

from pylatencymap.interval import Interval
from pylatencymap.report import Report
from pylatencymap.session import save
from pylatencymap.session.input.pipeline import ReadPlan, events_of, intervals_of
from pylatencymap.session.input.source import StopRequest, open_source
from pylatencymap.session.save import save_recording
from pylatencymap.tui.actions import mark_and_save
from pylatencymap.tui.bindings import BINDINGS
from pylatencymap.units import Unit
from pylatencymap.window.window import Window

SECOND = 1_000_000
START = 1_700_000_000 * SECOND


def test_a_mark_is_drawn_and_kept(view: Callable[..., Any]) -> None:
    driver = view(200)
    driver.press("m")
    driver.type("cache dropped here")
    assert [(mark.stamp.micros, mark.note) for mark in driver.kept] == [(START + 200 * SECOND, "cache dropped here")]
    assert '"cache dropped here"' in driver.line("^ M 22:16:40")
    driver.press("KEY_LEFT", "KEY_LEFT", "m")
    driver.type("x")
    assert driver.kept[1].stamp.micros == driver.viewer.viewpoint.pointer.micros


def test_a_mark_can_be_thought_better_of(view: Callable[..., Any]) -> None:
    driver = view(200)
    driver.press("m", "a", "b", "KEY_ESCAPE")
    assert driver.kept == []
    assert len(driver.viewer.layers) == 1


def test_a_line_is_edited(view: Callable[..., Any]) -> None:
    driver = view(10)
    driver.press(
        "m",
        *"q quit",
        "KEY_HOME",
        "KEY_DELETE",
        "KEY_DELETE",
        "KEY_END",
        *"e!",
        "KEY_LEFT",
        "KEY_BACKSPACE",
        "KEY_ENTER",
    )
    assert driver.kept[0].note == "quit!"
    assert not driver.viewer.quit


def second(number: int) -> Interval:
    """100 I/Os of [128, 256) us, in one second."""
    end = START + number * SECOND
    return Interval("sda", Unit.US, end - SECOND, end, 1.0, ((128, 256, 100),), 0.0192, True, label="biolatency")


def replayed(path: Path) -> tuple[Window, list[str]]:
    notes: list[str] = []
    window = Window()
    source = open_source(str(path), StopRequest())
    report = Report(source.name)
    for interval in intervals_of(
        events_of(source, ReadPlan(), report), ReadPlan(), lambda mark: notes.append(mark.note)
    ):
        window.add(interval)
    assert report.bad_count == 0
    return window, notes


def test_what_is_saved_is_what_history_holds(
    view: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    driver = view(500)
    driver.press("m")
    driver.type("here")
    driver.press("s")
    assert "saving pylatencymap-" in driver.text
    driver.saves()
    assert "saved pylatencymap-" in driver.text
    recording = next(tmp_path.glob("*.lmap.gz"))
    window, notes = replayed(recording)
    summary = window["sda"].total()
    assert (summary.events, summary.span, notes) == (500 * 100, 500.0, ["here"])
    picture = next(path for path in tmp_path.iterdir() if path.suffix in (".png", ".svg"))
    assert picture.stat().st_size > 5000


def test_saving_twice_in_a_second_keeps_both(
    view: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(mark_and_save, "time", SimpleNamespace(strftime=lambda _: "now"))
    (tmp_path / "now-2.png").write_text("mine")
    (tmp_path / "now-2.svg").write_text("mine")
    driver = view(50)
    for _ in range(3):
        driver.press("s")
        driver.saves()
    assert sorted(path.name for path in tmp_path.glob("*.lmap.gz")) == [
        "now-3.lmap.gz", "now-4.lmap.gz", "now.lmap.gz"
    ]  # fmt: skip
    pictures = {path.name.partition(".")[0] for path in tmp_path.iterdir() if path.stat().st_size > 5000}
    assert pictures >= {"now", "now-3", "now-4"}
    assert (tmp_path / "now-2.png").read_text() == (tmp_path / "now-2.svg").read_text() == "mine"


def test_the_view_goes_on_while_files_are_written(
    view: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes meanwhile is drawn and kept, and is not in the recording."""
    go_on = Event()

    def slowly(*given: Any) -> list[Path]:
        assert go_on.wait(60)
        return save_recording(*given)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(save, "save_recording", slowly)
    driver = view(200)
    driver.press("s")
    driver.add(*(second(number) for number in range(201, 300)))
    assert driver.right_edge == 299
    driver.press("s")
    assert "still saving" in driver.text
    while not (pictures := [path for path in tmp_path.iterdir() if path.suffix in (".png", ".svg")]):
        driver.viewer.collect_job(waits=True)  # the picture; the recording is what is slow
    assert len(pictures) == 1
    assert list(tmp_path.glob("*.lmap.gz")) == []
    assert not driver.viewer.collect_job()
    go_on.set()
    driver.saves()
    assert "saved pylatencymap-" in driver.text
    window, _ = replayed(next(tmp_path.glob("*.lmap.gz")))
    assert window["sda"].total().events == 200 * 100
    assert driver.viewer.picture.window["sda"].total().events == 299 * 100


def test_saving_where_nothing_can_be_written_says_so(
    view: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    driver = view(50)
    driver.press("s")
    driver.saves()
    assert "not saved:" in driver.text


def test_the_picture_comes_first_and_the_recording_says_how_to_open_it_here(
    view: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    driver = view(500)
    driver.press("]", "KEY_PGUP", "s")
    first, last = (int(driver.drawn.geometry.ends[place]) for place in (0, -1))
    driver.saves()
    (recording,) = tmp_path.glob("*.lmap.gz")
    picture, told = driver.said
    assert picture.startswith(f"saved {recording.name.removesuffix('.lmap.gz')}.")
    command = shlex.split(told.partition("this view again: ")[2])
    times = [f"{datetime.fromtimestamp(at / 1e6, timezone.utc):%Y-%m-%d %H:%M:%S}" for at in (first - 2 * SECOND, last)]
    assert command == ["pylatencymap", recording.name, "--from", times[0], "--to", times[1], "--tz", "UTC"]


@pytest.mark.parametrize("what", ["picture", "w", "all", ""])
def test_what_is_saved_can_be_chosen(
    view: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.chdir(tmp_path)
    driver = view(500)
    driver.press("S", "\x15")
    driver.type(what)
    driver.saves()
    recordings = list(tmp_path.glob("*.lmap.gz"))
    assert len(recordings) == (what != "picture")
    assert len(list(tmp_path.iterdir())) == {"picture": 1, "w": 1}.get(what, 2)
    if recordings:
        kept = replayed(recordings[0])[0]["sda"].total().span
        assert kept == (driver.drawn.geometry.ends.size if what == "w" else 500)


def test_what_cannot_be_saved_is_refused(view: Callable[..., Any]) -> None:
    driver = view(50)
    driver.press("S", "\x15")
    driver.type("everything")
    assert "'everything' cannot be saved; write picture, window, all" in driver.text


def test_pictures_for_others_hold_no_key_hints(view: Callable[..., Any]) -> None:
    driver = view([second(number) for number in range(1, 50)])
    driver.viewer.notice = "news"
    driver.viewer.viewpoint = driver.viewer.viewpoint.looking(frequency_max=1.0)
    driver.draw()
    assert "q quit" in driver.text
    bare = "\n".join(driver.viewer.bare_picture().cells.text())
    for hint in ("quit", "help", "news", "changes the scale"):
        assert hint not in bare
    assert "128-256 us" in bare


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (60, 20), (200, 60)])
def test_the_help_names_every_key(view: Callable[..., Any], size: tuple[int, int]) -> None:
    driver = view(200, size=size)
    driver.press("?")
    seen: list[str] = []
    for _ in range(6):
        seen += (line[3:-3] for line in driver.lines)  # what is seen of the picture beside the box is not the help
        driver.press(" ")
    for binding in BINDINGS:
        assert binding.text in " ".join(" ".join(seen).split()), binding.keys
    driver.press("KEY_ESCAPE")
    assert len(driver.viewer.layers) == 1


def test_the_help_explains_with_these_data(view: Callable[..., Any]) -> None:
    driver = view(200)
    driver.press("?")
    assert "8.19-16.4 ms" in driver.text
    assert "88 %" in driver.text
    assert "I/Os" in driver.text
    driver.press("?")
    assert len(driver.viewer.layers) == 1


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
def test_the_help_is_saved_and_says_so_beside_its_title(
    view: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    monkeypatch.chdir(tmp_path)
    driver = view(50, size=size)
    driver.press("?", "s")
    driver.saves()
    assert "How to read the maps" in driver.line("How to read")
    assert driver.lines[-1].startswith(" saved pylatencymap-")

"""What a view says, copied, and the command line that opens it again."""

import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pylatencymap.interval import Interval
from pylatencymap.session import parse_selection
from pylatencymap.tui.actions.copy_view import has_clipboard, left_out, reopening_command, said_lines
from pylatencymap.units import Unit
from pylatencymap.view.layout import Selected

START = 1_700_000_000_000_000
SECONDS = [
    Interval("a", Unit.US, START + n * 1_000_000, START + (n + 1) * 1_000_000, 1.0, ((128, 256, 50),), 1.0, True)
    for n in range(50)
]


@pytest.mark.parametrize(
    ("environ", "has"),
    [
        ({"TERM": "xterm-256color"}, True),
        ({"TERM": "tmux-256color"}, True),
        ({"TERM": "xterm-256color", "VTE_VERSION": "7200"}, False),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, False),
        ({"TERM": "linux"}, False),
        ({"TERM": "vt100"}, False),
        ({}, False),
    ],
)
def test_which_terminals_have_a_clipboard(environ: dict[str, str], has: bool) -> None:
    assert has_clipboard(environ) is has


def test_the_words_and_the_read_out_are_copied(view: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("VTE_VERSION", "TERM_PROGRAM", "TMUX"):
        monkeypatch.delenv(name, raising=False)
    driver = view(200)
    driver.press("KEY_LEFT", "y")
    copied = driver.viewer.clipboard
    for words in ("biolatency  sda", "read-out", "8.19-16.4 ms", "% of I/Os", "p99"):
        assert words in copied
    for words in ("quit", "│", "pylatencymap "):
        assert words not in copied, "no hints, no maps, and no command where there is no file"
    assert "copied" in driver.text


def test_a_terminal_without_a_clipboard_gets_a_file(
    view: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TERM", "linux")
    monkeypatch.chdir(tmp_path)
    driver = view(200)
    driver.press("y")
    (written,) = tmp_path.glob("*.txt")
    assert "% of I/Os" in written.read_text()
    assert driver.viewer.clipboard == ""
    assert written.name in driver.text


def test_within_tmux_both_are_done(view: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It passes a text on only if it has been told to, and nothing tells us."""
    monkeypatch.setenv("TERM", "tmux-256color")
    monkeypatch.setenv("TMUX", "/tmp/tmux-1000/default,1,0")
    for name in ("VTE_VERSION", "TERM_PROGRAM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    driver = view(200)
    driver.press("y")
    (written,) = tmp_path.glob("*.txt")
    assert driver.viewer.clipboard == written.read_text()
    assert "set-clipboard on" in driver.text


def test_the_command_names_what_is_not_as_usual(view: Callable[..., Any]) -> None:
    driver = view(200)
    driver.viewer.source_ended = True
    driver.press("a")
    assert reopening_command(driver.viewer, ["a b.lmap"]) == "pylatencymap 'a b.lmap' --tz UTC", "all of it"
    driver.press("f", "c", "o")
    driver.type("10ms")
    words = shlex.split(reopening_command(driver.viewer, ["x"]))
    assert words[4:] == ["--map", "frequency", "--scale", "linear", "--slo", "10000us"]
    assert reopening_command(driver.viewer, ["-"]) == "", "a pipe cannot be opened again"
    driver.viewer.picture.use_zone(ZoneInfo("Asia/Tokyo"))
    assert shlex.split(reopening_command(driver.viewer, ["x"]))[2:4] == ["--tz", "Asia/Tokyo"]


def test_the_command_has_the_colours_and_the_pinned_scales(view: Callable[..., Any]) -> None:
    driver = view(200)
    looks = driver.viewer.viewpoint.view._replace(
        palette="viridis", frequency_max=250.0, intensity_max=0.5, rows=7, background="light"
    )
    driver.viewer.viewpoint = driver.viewer.viewpoint._replace(view=looks)
    driver.viewer.presentation = driver.viewer.presentation._replace(
        files=("x",), reading=("--unit", "ms"), finds_background=False
    )
    words = shlex.split(reopening_command(driver.viewer, ["x"]))
    assert words[:4] == ["pylatencymap", "x", "--unit", "ms"]
    pairs = dict(zip(words[2::2], words[3::2], strict=True))
    assert pairs["--palette"] == "viridis"
    assert pairs["--background"] == "light"
    assert (pairs["--rows"], pairs["--frequency-max"], pairs["--intensity-max"]) == ("7", "250", "500000us")
    assert "--unit" not in reopening_command(driver.viewer, ["saved.lmap.gz"]), "a recording has its unit"
    driver.viewer.presentation = driver.viewer.presentation._replace(finds_background=True)
    assert "--background" not in reopening_command(driver.viewer, ["x"])


def test_the_command_has_the_part_that_was_read(view: Callable[..., Any]) -> None:
    driver = view(200)
    driver.viewer.source_ended = True
    driver.press("a")
    driver.viewer.presentation = driver.viewer.presentation._replace(files=("x",), is_part=True)
    words = shlex.split(reopening_command(driver.viewer, ["x"]))
    pairs = dict(zip(words[2::2], words[3::2], strict=True))
    assert (pairs["--from"], pairs["--to"]) == ("2023-11-14 22:13:20", "2023-11-14 22:16:40")
    assert pairs["--series"] == "sda"
    assert "--from" not in reopening_command(driver.viewer, ["saved.lmap.gz"]), "of a recording of the part, all"
    driver.viewer.viewpoint = driver.viewer.viewpoint._replace(buckets=(8, 16), intensity_max=5.0)
    words = shlex.split(reopening_command(driver.viewer, ["x"]))
    pairs = dict(zip(words[2::2], words[3::2], strict=True))
    assert (pairs["--min-latency"], pairs["--max-latency"], pairs["--intensity-max"]) == ("128us", "32768us", "5us")


def test_the_command_opens_all_series_unless_one_must_be_named_and_says_what_it_leaves_out(
    view: Callable[..., Any],
) -> None:
    driver = view(
        [replace(one, series=name, waited=waited) for name, waited in (("a", 2.0), ("b", 1.0)) for one in SECONDS]
    )
    driver.viewer.source_ended = True
    driver.press("a")
    assert "--series" not in reopening_command(driver.viewer, ["x"])
    assert list(left_out(driver.viewer)) == []
    driver.press("KEY_TAB")
    assert "--series b" in reopening_command(driver.viewer, ["x"])
    chosen = Selected(SECONDS[3].start, SECONDS[7].end)
    driver.viewer.viewpoint = driver.viewer.viewpoint._replace(selected=chosen)
    assert "--select '2023-11-14 22:13:23..2023-11-14 22:13:28'" in reopening_command(driver.viewer, ["x"])
    assert list(left_out(driver.viewer)) == ["# without 1 other series"]
    driver.press("0")
    assert "--series sum" in reopening_command(driver.viewer, ["x"])
    driver.viewer.picture.options = driver.viewer.picture.options._replace(columns=20)
    assert "--columns 20" in reopening_command(driver.viewer, ["x"])


def test_what_is_copied_has_no_cells(view: Callable[..., Any]) -> None:
    lines = said_lines(view(200).viewer)
    assert lines[0].startswith("biolatency")
    assert len(lines) >= 3
    assert not any("│" in line for line in lines)


def test_the_second_series_of_a_stack_stands_below_the_first(view: Callable[..., Any]) -> None:
    driver = view([replace(one, series=name) for one in SECONDS for name in ("a", "b")])
    driver.press("v")
    lines = said_lines(driver.viewer)
    (first,) = (line for line in lines if line.startswith("window "))
    second = lines[lines.index(first) + 1]
    assert second.lstrip().startswith("b ")
    assert second.index("b ") == first.index("a ")


@pytest.mark.parametrize("ends", [(3_250_001, 7_000_000), (3_000_000, 7_000_000)])
@pytest.mark.parametrize("latencies", [(None, None), (128e-6, None), (128e-6, 65_536e-6)])
@pytest.mark.parametrize("clock", [True, False])
def test_the_command_selects_the_same(
    view: Callable[..., Any], ends: tuple[int, int], latencies: tuple[float | None, float | None], clock: bool
) -> None:
    """To the microsecond, with a clock and without."""
    driver = view([replace(one, clock=clock) for one in SECONDS])
    chosen = Selected(START + ends[0], START + ends[1], *latencies)
    driver.viewer.viewpoint = driver.viewer.viewpoint._replace(selected=chosen)
    words = shlex.split(reopening_command(driver.viewer, ["x"]))
    named = parse_selection(words[words.index("--select") + 1])
    again = named.placed(driver.viewer.picture.extent(driver.viewer.viewpoint), driver.viewer.picture.options.tz)
    assert again is not None
    assert again[:2] == chosen[:2]
    assert again[2:] == (latencies[0] and pytest.approx(latencies[0]), latencies[1] and pytest.approx(latencies[1]))


def test_all_is_copied_also_what_a_small_screen_has_no_room_for(view: Callable[..., Any]) -> None:
    driver = view(200)
    driver.viewer.size = (80, 24)
    driver.viewer.viewpoint = driver.viewer.viewpoint.looking(slo=0.01)
    driver.press("KEY_LEFT")
    before, size = driver.text, driver.viewer.size
    said = "\n".join(said_lines(driver.viewer))
    for words in ("read-out", "whole column", "SLO 10 ms", "window ", "% of the wait"):
        assert words in said
    assert driver.viewer.size == size
    driver.press("f", "b")
    assert driver.text == before, "the screen stays as it is"

"""Before and after on a terminal: the keys counted, the figures against the command ``compare``, and what is kept."""

import itertools
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Make = Callable[..., Any]


def opened(terminal: Make, three_days: Path, size: tuple[int, int] = (120, 40), **env: str) -> Any:
    shown = terminal(f"L {three_days} --tz UTC --series sda", size=size, **{"COLORTERM": "truecolor", **env})
    shown.shows("ALL 3 d")
    return shown


def compared(three_days: Path, before: str, after: str) -> dict[str, Any]:
    """What the command says of two ranges."""
    words = [f"{three_days}@{span}" for span in (before, after)]
    command = [sys.executable, "-m", "pylatencymap", "compare", *words, "--series", "sda", "--tz", "UTC", "--json"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return dict(found["series"][0])


def row(view: Any, label: str) -> list[str]:
    """The cells of a row of the table."""
    line = next(text for text in view.text.splitlines() if text.startswith(f" {label} "))
    return [cell.strip() for cell in re.split(r"\s{3,}", line.strip())]


def test_before_and_after_take_three_keys(terminal: Make, three_days: Path) -> None:
    view = opened(terminal, three_days)
    view.shows("03-03 03:12-03:32")  # the words about changes come when there is time for them
    view.press("n")
    view.press("A")
    view.press("B")  # 3 keys: table and verdict
    view.shows("A and B", "Too little to be sure of, but plain:", "20 columns a side", "p99", "of the wait")
    wanted = compared(
        three_days, "2026-03-03 02:52:00..2026-03-03 03:12:00", "2026-03-03 03:12:00..2026-03-03 03:32:00"
    )
    assert row(view, "sda") == ["sda", "B  03-03 02:52-03:12", "A  03-03 03:12-03:32", "change B to A", "95 % interval"]
    rates = wanted["rate"]
    assert row(view, "rate")[1:3] == [f"{rates[side]:.0f}/s" for side in ("before", "after")]
    assert row(view, "rate")[3] == f"x {rates['ratio']['value']:.2f}"
    p99 = wanted["percentiles"]["p99"]
    assert row(view, "p99")[1:3] == [f"{p99[side]['value'] * 1e3:.3g} ms" for side in ("before", "after")]
    stated = wanted["stated"]
    shares = row(view, "above 8.19 ms")[1:3]
    assert shares == [f"{100 * stated[side]['value']:.1f} %" for side in ("before", "after")]


def test_a_stack_has_to_wait_for_the_end_of_a_comparison(terminal: Make, three_days: Path) -> None:
    view = opened(terminal, three_days)
    view.press("A")
    view.press("v")
    view.shows("A and B are compared in one series: Esc ends that, and v stacks then")
    view.press("KEY_ESCAPE")
    view.until(lambda: "end comparing" not in view.text)
    view.press("v")
    view.shows("there is only one series: a stack takes two or three")


def test_a_day_earlier_and_the_difference_map(terminal: Make, three_days: Path) -> None:
    view = opened(terminal, three_days)
    for key in ("t", *"03-03 03:12", "KEY_ENTER", "("):
        view.press(key)
    for key in ("t", *"03-03 05:00", "KEY_ENTER", ")", "A", "B", *"-1d", "KEY_ENTER"):
        view.press(key)
    view.shows("A and B", "B  03-02 03:1", "A  03-03 03:1", "that B has not")
    view.press("D")
    view.shows("DIFFERENCE", "less the average of B", "change")
    view.until(lambda: re.search(r"-\d+( m?s)? +0 +[+]\d+( m?s)?", view.text), "the scale")
    view.press("D")
    view.shows("A and B", "p99")
    view.press("KEY_BACKSPACE")
    view.until(lambda: "B  03-02" not in view.text and "B  03-03" in view.text)
    view.press("KEY_BACKSPACE")
    view.until(lambda: " change" not in view.text)
    view.press("q")
    assert view.ends() == 0
    view.is_as_before()


def test_what_is_named_is_saved_and_comes_again(terminal: Make, three_days: Path, tmp_path: Path) -> None:
    view = opened(terminal, three_days)
    view.shows("03-03 03:12-03:32")
    for key in ("n", "A", "B"):
        view.press(key)
    view.shows("A and B", "p99")
    view.press("S")
    view.shows("picture, window")
    for key in (*"all", "KEY_ENTER"):
        view.press(key)
    view.shows(".lmap.gz; this view again")
    view.press("q")
    view.ends()
    (saved,) = tmp_path.glob("*.lmap.gz")
    again = terminal(f"L {saved} --tz UTC", size=(120, 40), COLORTERM="truecolor")
    again.shows("A and B", "B  03-03 02:52-03:12", "A  03-03 03:12-03:32", "of the wait")
    text = subprocess.run(["gunzip", "-c", str(saved)], check=True, capture_output=True, text=True).stdout
    assert '"names": "A"' in text
    report = [sys.executable, "-m", "pylatencymap", "report", str(saved), "--tz", "UTC"]
    said = subprocess.run(report, check=True, capture_output=True, text=True)
    assert "bad record" not in said.stdout + said.stderr


def test_names_and_the_selection_are_recorded(terminal: Make, three_days: Path, tmp_path: Path) -> None:
    view = terminal(f"cat {three_days} | L --tz UTC --series sda --record kept.lmap", size=(120, 40))
    view.shows_the_end()
    view.shows("03-03 03:12-03:32")
    for key in ("n", "A", "B", "n"):
        view.press(key)
    view.shows("A and B")
    view.press("q")
    view.ends()
    text = (tmp_path / "kept.lmap").read_text()
    assert [text.count(f'"names": "{name}"') for name in ("A", "B", "selection")] == [1, 1, 1]
    again = terminal("L kept.lmap --tz UTC --series sda", size=(120, 40))
    again.shows("A and B", "03-03 02:52-03:12")


def test_a_baseline_is_b(terminal: Make, three_days: Path) -> None:
    """Of a file, and of a source that is live."""
    night = f"--baseline '{three_days}@2026-03-02 02:00..2026-03-02 05:00'"
    view = terminal(
        f"L '{three_days}' --from '2026-03-03 03:00' --to '2026-03-03 06:00' {night} --tz UTC", size=(120, 40)
    )
    view.shows("A and B", "three.lmap 03-02 02:00-05:00", "p99", "that B has not: 705 s")
    view.press("KEY_ESCAPE")
    view.until(lambda: "A and B" not in view.line(0))
    view.press("A")
    view.shows("A and B", "three.lmap")
    live = terminal(f"(cat {three_days}; exec sleep 100) | L {night} --tz UTC --series sda", size=(120, 40))
    live.shows("LIVE", "A and B", "three.lmap", "p99")


def test_a_baseline_needs_a_view_and_a_file(terminal: Make, three_days: Path) -> None:
    once = terminal(f"L {three_days} --once --baseline {three_days}")
    assert once.ends() == 2
    assert "--baseline compares in the view" in once.text
    missing = terminal(f"L {three_days} --baseline not-there.lmap")
    assert missing.ends() == 3
    assert "no such file" in missing.text


SIZES = ((60, 20), (80, 24), (120, 40), (200, 60))
DEPTHS = ("truecolor", "256", "16", "mono", "ascii")
FEW = {(SIZES[number % len(SIZES)], depth) for number, depth in enumerate(DEPTHS)}
"""Each size, and each depth; all pairs in make thorough."""


@pytest.mark.parametrize(
    ("size", "depth"),
    [
        pytest.param(*pair, marks=() if pair in FEW else pytest.mark.thorough)
        for pair in itertools.product(SIZES, DEPTHS)
    ],
)
def test_at_all_sizes_and_depths(terminal: Make, three_days: Path, size: tuple[int, int], depth: str) -> None:
    view = terminal(f"L {three_days} --tz UTC --series sda --depth {depth}", size=size)
    view.shows("ALL 3 d") if size[0] >= 80 else view.shows("3 d")
    view.press("t")
    for key in (*"03-03 03:12", "KEY_ENTER", "A", "B", "KEY_ESCAPE"):
        view.press(key)
    view.shows("A and B", "p99")
    view.press("D")
    view.shows("DIFFERENCE")
    view.until(lambda: "comparing" not in view.text)
    if depth == "ascii":
        assert view.text.isascii()
    view.press("D")
    view.shows("p99")
    view.press("q")
    assert view.ends() == 0
    view.is_as_before()

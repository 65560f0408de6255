"""The help: complete at every size, and true of the data on the screen."""

import re

import pytest

from pylatencymap.view.boxes.help import HelpFacts, KeyHelp, facts_of, help_lines
from pylatencymap.view.boxes.overlay import box_room, with_box
from pylatencymap.view.layout.scene import Scene
from pylatencymap.view.layout.status import Status
from pylatencymap.view.paint.canvas import Canvas
from pylatencymap.view.style.colour_depth import ColourDepth
from pylatencymap.view.style.options import SCALES, ViewOptions
from pylatencymap.view.style.styled_text import width_of
from pylatencymap.window.statistics import Quantity, Summary
from tests.view.conftest import read

KEYS = [
    KeyHelp("space", "pause, go on; data keep coming and are kept", "time"),
    KeyHelp("[ ]", "less, more time per column", "time"),
    KeyHelp("Home End", "oldest column; newest, and live again", "time"),
    KeyHelp("arrows", "cursor: reads out one cell", "cursor"),
    *(KeyHelp(letter, f"does what {letter} does", "letters") for letter in "abcdefghijklmnopq"),
    KeyHelp("q", "quit", "keep"),
]
SUMMARY = Summary(71.0, 26000.0, 81.65, True, average=Quantity(0.00179))


@pytest.fixture
def facts(make_matrix) -> HelpFacts:
    matrix, status = make_matrix(), Status("biolatency", series="loop0", noun="I/Os")
    return facts_of(Scene(matrix, status, SUMMARY, None, reading=read(matrix)), {"frequency": 1000.0, "intensity": 1.0})


def words(facts, size, options=None, keys=KEYS) -> str:
    """The text of all pages, with single blanks."""
    options = options or ViewOptions()
    first = help_lines(facts, keys, options, size)
    pages = [help_lines(facts, keys, options, size, page) for page in range(first.pages)]
    text = "\n".join("".join(chars for chars, _ in line) for page in pages for line in page.lines)
    return re.sub(r"\s+", " ", text)


def test_the_data_on_the_screen_are_the_example(facts) -> None:
    assert facts.interval == 1.0
    assert facts.resolution == 1
    assert facts.estimated
    assert facts.waiting == pytest.approx(1.15)
    fast, _, slow = facts.modes  # the few between are a mode of <1 %
    text = words(facts, (120, 40))
    assert (
        f"loop0, 64-256 us: {100 * fast.events:.0f} % of I/Os but {100 * fast.waited:.0f} % of the wait: many" in text
    )
    assert f"{100 * slow.events:.0f} % of I/Os but {100 * slow.waited:.0f} % of the wait: few and slow" in text
    assert "1.15 s/s waited means that, on average, 1.15 I/Os were waiting at any moment" in text
    assert "fell into the range; full at 1k/s" in text
    assert "1k I/Os/s and 1 s/s" in text


def test_all_keys_and_signs_are_on_one_page_of_120x40(facts) -> None:
    page = help_lines(facts, KEYS, ViewOptions(), (120, 40))
    assert page.pages == 1
    assert page.corner == "? or Esc closes"


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30), (120, 40), (200, 60), (400, 100)])
@pytest.mark.parametrize("depth", ColourDepth)
def test_nothing_is_cut_at_any_size(facts, size, depth) -> None:
    options = ViewOptions(depth=depth)
    columns, lines = box_room(size)
    first = help_lines(facts, KEYS, options, size)
    shapes = set()
    for number in range(first.pages):
        page = help_lines(facts, KEYS, options, size, number)
        shapes.add((len(page.lines), max(width_of(line) for line in page.lines)))
        assert len(page.lines) <= lines
        assert max(width_of(line) for line in page.lines) <= columns
        cells = with_box(Canvas(*size).cells(), page.lines, options, title=page.title, corner=page.corner)
        assert page.title in "".join(cells.text())
        assert page.corner in "".join(cells.text())
    assert len(shapes) == 1
    text = words(facts, size, options)
    for key in KEYS:
        assert key.keys in text
    for sentence in ("zero: nothing fell here", "cursor: the cell read out", "does not report it."):
        assert sentence in text
    assert all(word in text for key in KEYS for word in key.text.split())


def test_pages_go_round(facts) -> None:
    first = help_lines(facts, KEYS, ViewOptions(), (60, 20))
    assert first.pages > 1
    assert help_lines(facts, KEYS, ViewOptions(), (60, 20), first.pages) == first
    assert first.corner == f"1 of {first.pages}, space: more, Esc: close"


def test_other_data_are_told_otherwise(facts) -> None:
    exact = facts._replace(estimated=False, resampled=True, modes=(), waiting=None, resolution=4, interval=120.0)
    text = words(exact, (120, 40))
    assert "A column is 2 min. A row is one range of latencies, 4 of them make a doubling" in text
    assert "Time waited is as the source reports it." in text
    assert "spread over both" in text
    assert "one of the I/Os was waiting all the time" in text
    pinned = words(facts, (120, 40), ViewOptions(frequency_max=10.0))
    assert "The maximum of frequency is pinned: 1k I/Os/s. That of intensity is robust" in pinned
    both = words(facts, (120, 40), ViewOptions(frequency_max=10.0, intensity_max=1.0))
    assert "The maximum is pinned: 1k I/Os/s and 1 s/s." in both
    halves = words(facts._replace(half=True), (120, 40))
    assert "there are two rows per line, and its label is the bound between them" in halves
    assert "its label is the upper bound" not in halves


@pytest.mark.parametrize("scale", SCALES)
def test_every_scale_is_explained(facts, scale) -> None:
    text = words(facts, (120, 40), ViewOptions(scale=scale))
    assert "This picture: Colour is " in text
    assert ("The maximum is" in text) == (scale != "share")


def test_tiny_terminals_and_no_data_do_not_crash(facts, make_matrix) -> None:
    nothing = Scene(make_matrix(0), Status("x"), Summary(0.0, 0.0, 0.0, True), None)
    for size in [(1, 1), (5, 40), (200, 2), (30, 8)]:
        for said in (facts, facts_of(nothing, {})):
            page = help_lines(said, KEYS, ViewOptions(), size, 7)
            assert with_box(Canvas(*size).cells(), page.lines, ViewOptions()).chars.shape == size[::-1]
    assert help_lines(facts, [], ViewOptions(), (120, 40)).pages == 1


def test_the_help_as_it_looks(facts, golden) -> None:
    for name, options, size in (
        ("help-mono-120x40", ViewOptions(depth=ColourDepth.MONO), (120, 40)),
        ("help-ascii-60x20", ViewOptions(depth=ColourDepth.ASCII), (60, 20)),
    ):
        page = help_lines(facts, KEYS, options, size)
        golden(name, with_box(Canvas(*size).cells(), page.lines, options, title=page.title, corner=page.corner))

"""Whole screens of A and B, as they were once looked at: two sizes, with and without colours, and the difference map.

``python -m tests.tui.actions.test_two_selections_frames`` writes them anew; look at what has changed.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from pylatencymap.session.picture import Picture, PictureOptions
from pylatencymap.session.viewpoint import Viewpoint
from pylatencymap.tui.main_view import MainView
from pylatencymap.tui.viewer.viewer import Presentation, Viewer
from pylatencymap.view.layout import READING, Selected
from pylatencymap.view.style import ColourDepth, ViewOptions
from tests.tui.actions.conftest import SECOND, START, KeyDriver, second

FOLDER = Path(__file__).parent / "frames"
CASES = [
    (size, depth, difference)
    for size in ((120, 40), (80, 24))
    for depth in (ColourDepth.TRUECOLOR, ColourDepth.MONO, ColourDepth.ASCII)
    for difference in (False, True)
]


def frame(size: tuple[int, int], depth: ColourDepth, difference: bool) -> str:
    """The screen after A, B and, for the difference map, D: two minutes, the second one with an incident."""
    picture = Picture(PictureOptions(Viewpoint(view=ViewOptions(depth=depth))))
    picture.extend(
        second(number, fast=80 + number % 17, slow=(40 if 130 < number <= 200 else 10) + number % 3)
        for number in range(1, 301)
    )
    viewer = Viewer(picture, Presentation(READING), MainView())
    viewer.size, viewer.source_ended = size, True
    viewer.viewpoint = viewer.viewpoint._replace(selected=Selected(START + 60 * SECOND, START + 130 * SECOND))
    driver = KeyDriver(viewer)
    driver.press("A")
    viewer.viewpoint = viewer.viewpoint._replace(selected=Selected(START + 130 * SECOND, START + 200 * SECOND))
    driver.press("B", *("D" if difference else ""))
    for _ in range(2):
        viewer.sides.work.wait()
        viewer.sides.map_work.wait()
        driver.draw()
    return "\n".join(line.rstrip() for line in driver.lines) + "\n"


def file_of(size: tuple[int, int], depth: ColourDepth, difference: bool) -> Path:
    return FOLDER / f"{'difference' if difference else 'table'}-{size[0]}x{size[1]}-{depth.value}.txt"


@pytest.mark.parametrize(("size", "depth", "difference"), CASES)
def test_the_screen_is_as_it_was(size: tuple[int, int], depth: ColourDepth, difference: bool) -> None:
    found = frame(size, depth, difference)
    assert found == file_of(size, depth, difference).read_text(encoding="utf-8")
    assert depth is not ColourDepth.ASCII or found.isascii()


def write(make: Callable[..., str] = frame) -> None:
    FOLDER.mkdir(exist_ok=True)
    for case in CASES:
        file_of(*case).write_text(make(*case), encoding="utf-8")


if __name__ == "__main__":
    write()

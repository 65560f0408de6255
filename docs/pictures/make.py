"""Makes the pictures of README.md and docs/ anew, from the recordings in examples/: ``make pictures``."""

from __future__ import annotations

import sys
from datetime import timezone
from pathlib import Path
from typing import NamedTuple

from pylatencymap.export import EXPORTERS
from pylatencymap.session import Picture, PictureOptions, Viewpoint
from pylatencymap.session.input import ReadPlan, Sources, open_path
from pylatencymap.tui.main_view import MainView
from pylatencymap.tui.viewer import Presentation, Viewer
from pylatencymap.view.layout import END, READING
from pylatencymap.view.style import ColourDepth, ViewOptions

HERE = Path(__file__).parent
EXAMPLES = HERE.parent.parent / "examples"
SIZE = (120, 40)
COLD, FLAGS = "cold-start.lmap.gz", "flags.lmap.gz"


class Shot(NamedTuple):
    """A recording, and the keys to press in its view; without keys, the picture that ``export`` writes."""

    recording: str
    keys: tuple[str, ...] = ()
    slo: float | None = None


SHOTS = {
    "cold-start": Shot(COLD),
    "viewer": Shot(COLD, ("KEY_LEFT",) * 8, slo=0.01),
    "help": Shot(COLD, ("?",)),
    "grid": Shot(FLAGS, ("g",)),
}


def picture_of(shot: Shot) -> Picture:
    """All of a recording."""
    looks = Viewpoint(view=ViewOptions(depth=ColourDepth.TRUECOLOR, slo=shot.slo))
    picture = Picture(PictureOptions(looks, tz=timezone.utc, file=shot.recording))
    sources = Sources(ReadPlan(), print, strict=True)
    sources.add(open_path(str(EXAMPLES / shot.recording), sources.stop))
    try:
        picture.extend(sources.read(picture.mark))
    finally:
        sources.close_all()
    picture.settle()
    return picture


def shoot(name: str, shot: Shot) -> None:
    """Write one picture."""
    picture = picture_of(shot)
    view = picture.options.viewpoint.view
    cells = seen(picture, shot.keys) if shot.keys else picture.final(SIZE, END).cells
    (HERE / f"{name}.png").write_bytes(EXPORTERS[".png"](cells, view))


def seen(picture: Picture, keys: tuple[str, ...]) -> object:
    """What the view shows after these keys."""
    viewer = Viewer(picture, Presentation(READING), MainView())
    viewer.source_ended, viewer.size = True, SIZE
    viewer.fit()
    while picture.has_thoughts(viewer.viewpoint):
        picture.think(viewer.viewpoint)
    viewer.layers[-1].draw(viewer)
    for key in keys:
        viewer.layers[-1].handle(viewer, key)
        viewer.fit()
        viewer.layers[-1].draw(viewer)
    return viewer.layers[-1].draw(viewer).cells


for wanted in sys.argv[1:] or SHOTS:
    shoot(wanted, SHOTS[wanted])

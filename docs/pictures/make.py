"""Makes the pictures of README.md and docs/ anew, from the recordings in examples/: ``make pictures``.

The recordings in ``examples/patterns`` are made anew as well: they are simulated, the same ones each time.
"""

from __future__ import annotations

import os
import sys
from datetime import timezone
from pathlib import Path
from typing import NamedTuple

from simulations import PATTERNS, simulated

import pylatencymap as lm
from pylatencymap.cli.main import run
from pylatencymap.export import EXPORTERS
from pylatencymap.session import Picture, PictureOptions, Viewpoint
from pylatencymap.session.input import ReadPlan, Sources, open_path
from pylatencymap.tui.main_view import MainView
from pylatencymap.tui.viewer import Presentation, Viewer
from pylatencymap.view.layout import END, READING
from pylatencymap.view.style import ColourDepth, ViewOptions

HERE = Path(__file__).parent
BEGIN = 1_795_255_200
"""When simulations begin, seconds since 1970."""
DRAWN_SIZE = (100, 37)
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

DRAWN = {
    **{f"pattern-{name}": (f"patterns/{name}.lmap.gz", name) for name in PATTERNS},
    "pattern-cache-and-disk": ("steady.lmap.gz", "loop0"),
    "pattern-warm-up": (COLD, "loop0"),
    "tutorial-before": ("tutorial/before.lmap.gz", "loop1"),
    "tutorial-after": ("tutorial/after.lmap.gz", "loop1"),
}
"""Recordings that ``Run.save`` draws, and the series."""
COMPARED = {"compare": ("steady.lmap.gz", "spindle.lmap.gz", "loop0")}
"""BEFORE and AFTER, and the series."""


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


def record(name: str) -> None:
    """Write the recording of a simulated pattern."""
    lines = [f"{BEGIN + done / 1e6:.6f},{done - asked},{name}\n" for asked, done in simulated(name)]
    run = lm.read("time,simulated latency,load\n" + "".join(lines), latency="simulated latency:us", by="load", tz="UTC")
    run.save(EXAMPLES / "patterns" / f"{name}.lmap.gz")


def draw(name: str) -> None:
    """Write one picture of a series; the recording first, if it is simulated."""
    recording, series = DRAWN[name]
    if series in PATTERNS:
        record(series)
    lm.read(EXAMPLES / recording, tz="UTC", series=series).save(HERE / f"{name}.svg", size=DRAWN_SIZE)


def compare(name: str) -> None:
    """Write the picture of a comparison."""
    before, after, series = COMPARED[name]
    page = ["--tz", "UTC", "--png", str((HERE / name).with_suffix(".png"))]
    os.chdir(EXAMPLES)  # the page names the files as they were given; 3.10 has no contextlib.chdir
    if status := run(["compare", before, after, "--series", series, *page]):
        sys.exit(status)


for wanted in sys.argv[1:] or [*SHOTS, *DRAWN, *COMPARED]:
    if wanted in SHOTS:
        shoot(wanted, SHOTS[wanted])
    elif wanted in COMPARED:
        compare(wanted)
    else:
        draw(wanted)

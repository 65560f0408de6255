"""Keys that make a mark with a note, or save the recording and the picture."""

from __future__ import annotations

import time

from ...record import Clock, Mark, Stamp
from ..viewer.prompts import ask_on_last_line
from ..viewer.viewer import Viewer

MARK_HINT = "a note for this moment; Enter keeps it, Esc does not"


def ask_mark(viewer: Viewer) -> None:
    """Ask for a note on the cursor's column, or else on the newest column on the screen."""
    moment = viewer.viewpoint.pointer.micros if viewer.viewpoint.pointer else viewer.viewpoint.end or viewer.newest
    if moment is None:
        viewer.notice = "there are no data to mark yet"
        return

    def keep(viewer: Viewer, note: str) -> None:
        made = Mark(Stamp(moment, Clock.EPOCH), note.strip())
        viewer.picture.mark(made)
        viewer.presentation.keep(made)

    ask_on_last_line(viewer, "mark", "", MARK_HINT, keep)


def save_view(viewer: Viewer) -> None:
    """Save the history as a recording, and the picture; a notice says where when both are written."""
    from importlib.util import find_spec
    from pathlib import Path

    from ...export import exporter_for
    from ...session import save_files
    from ..viewer.background_job import BackgroundJob

    if not len(viewer.picture):
        viewer.notice = "there is nothing to save yet"
        return
    if viewer.save_job is not None:
        viewer.notice = "still saving what was asked for before"
        return
    name = time.strftime("pylatencymap-%Y%m%d-%H%M%S")
    suffix = ".png" if find_spec("PIL") else ".svg"
    cells, view = viewer.layers[-1].draw(viewer).cells, viewer.viewpoint.view
    window, marks = viewer.picture.window.frozen(), list(viewer.picture.marks)

    def work() -> str:
        picture = exporter_for(f"picture{suffix}")(cells, view)
        recording = save_files(Path(name), window, marks, {suffix: picture})[0]
        return f"saved {recording.name} and {suffix} in {Path.cwd()}"

    viewer.save_job = BackgroundJob(work)
    viewer.notice = f"saving {name} ..."

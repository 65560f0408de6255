"""Keys that keep something: a mark with a note, the recording and the picture."""

from __future__ import annotations

import time

from ...record import Clock, Mark, Stamp
from ..viewer.prompts import ask_on_last_line
from ..viewer.viewer import Viewer

MARK_HINT = "a note for this moment; Enter keeps it, Esc does not"


def ask_mark(stage: Viewer) -> None:
    """Ask for a note to the cursor's column, or to the newest on the screen."""
    moment = stage.at.pointer.micros if stage.at.pointer else stage.at.end or stage.newest
    if moment is None:
        stage.notice = "there are no data to mark yet"
        return

    def keep(stage: Viewer, note: str) -> None:
        made = Mark(Stamp(moment, Clock.EPOCH), note.strip())
        stage.picture.mark(made)
        stage.show.keep(made)

    ask_on_last_line(stage, "mark", "", MARK_HINT, keep)


def save_view(stage: Viewer) -> None:
    """Write what the history holds, and the picture as it is; say where when it is done."""
    from importlib.util import find_spec
    from pathlib import Path

    from ...export import exporter_for
    from ...session import save_files
    from ..viewer.background_job import BackgroundJob

    if not len(stage.picture):
        stage.notice = "there is nothing to save yet"
        return
    if stage.saving is not None:
        stage.notice = "still saving what was asked for before"
        return
    name = time.strftime("pylatencymap-%Y%m%d-%H%M%S")
    suffix = ".png" if find_spec("PIL") else ".svg"
    cells, view = stage.modes[-1].drawn(stage).cells, stage.at.view
    window, marks = stage.picture.window.frozen(), list(stage.picture.marks)

    def work() -> str:
        picture = exporter_for(f"picture{suffix}")(cells, view)
        recording = save_files(Path(name), window, marks, {suffix: picture})[0]
        return f"saved {recording.name} and {suffix} in {Path.cwd()}"

    stage.saving = BackgroundJob(work)
    stage.notice = f"saving {name} ..."

"""Keys that make a mark with a note, or save the recording and the picture."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from ...errors import UsageError
from ...record import Clock, Mark, Stamp
from ..viewer.named_times import named_marks
from ..viewer.prompts import ask_on_last_line
from ..viewer.viewer import Viewer
from .copy_view import reopening_command

PICTURE, WINDOW, ALL = SAVED = ("picture", "window", "all")
SAVE_HINT = "picture, window (recording of what is shown) or all; Enter, Esc"
RECORDING = "RECORDING"
"""Stands for the name of the recording until it has one."""
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


def ask_what_to_save(viewer: Viewer) -> None:
    """Ask whether to save the picture, a recording of what is on the screen, or both with a recording of all."""

    def accept(viewer: Viewer, answer: str) -> None:
        found = [what for what in SAVED if what.startswith(answer.strip().lower() or ALL)]
        if not found:
            raise UsageError(f"{answer.strip()!r} cannot be saved; write {', '.join(SAVED)}")
        save_view(viewer, found[0])

    ask_on_last_line(viewer, "save", ALL, SAVE_HINT, accept)


def save_view(viewer: Viewer, what: str = ALL) -> None:
    """Save the picture, then the history as a recording. For each a notice says where it is when it is written; that of
    the recording also says how to open it at this view. ``what``: one of SAVED.
    """
    from ..viewer.background_job import BackgroundJob

    if not len(viewer.picture):
        viewer.notice = "there is nothing to save yet"
        return
    if viewer.save_job is not None:
        viewer.notice = "still saving what was asked for before"
        return
    name = Path(time.strftime("pylatencymap-%Y%m%d-%H%M%S"))
    targets = [name]
    works = [_recording_work(viewer, targets, what)] if what != PICTURE else []
    if what != WINDOW:
        works.insert(0, _picture_work(viewer, targets))
    viewer.save_job = BackgroundJob(*works)
    viewer.notice = f"saving {name} ..."


def _picture_work(viewer: Viewer, targets: list[Path]) -> Callable[[], str]:
    """Writes the picture as it is now; its name goes to ``targets``."""
    from importlib.util import find_spec

    from ...export import exporter_for
    from ...session import save_beside

    suffix = ".png" if find_spec("PIL") else ".svg"
    cells, view = viewer.bare_picture(-1).cells, viewer.viewpoint.view

    def work() -> str:
        written = save_beside(targets[-1], suffix, exporter_for(f"picture{suffix}")(cells, view))
        targets.append(Path(written.name.removesuffix(suffix)))
        return f"saved {written.name} in {Path.cwd()}"

    return work


def _recording_work(viewer: Viewer, targets: list[Path], what: str) -> Callable[[], str]:
    """Writes what is kept now, or the part of it on the screen, under the last name in ``targets``."""
    from ...session import save_recording

    window, marks = (
        viewer.picture.window.frozen(),
        [*viewer.picture.marks, *named_marks(viewer.picture, viewer.viewpoint)],
    )
    span = None
    if what == WINDOW and viewer.geometry is not None and viewer.geometry.ends.size:
        ends = viewer.geometry.ends
        span = int(ends[0]) - viewer.column_micros, int(ends[-1])
    command = reopening_command(viewer, [RECORDING])

    def work() -> str:
        recording = save_recording(targets[-1], window, marks, span)
        return f"saved {recording.name}; this view again: {command.replace(RECORDING, recording.name)}"

    return work

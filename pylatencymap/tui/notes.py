"""Keys that keep something: a mark with a note, the recording and the picture."""

from __future__ import annotations

import time
from importlib.util import find_spec
from pathlib import Path

from ..errors import LatencyMapError, SourceError
from ..export import exporter_for
from ..record import Clock, Mark, Stamp
from ..session.save import save_recording
from .prompts import ask
from .stage import Stage

MARK_HINT = "a note for this moment; Enter keeps it, Esc does not"


def mark(stage: Stage) -> None:
    """Ask for a note to the cursor's column, or to the newest on the screen."""
    moment = stage.at.pointer.micros if stage.at.pointer else stage.at.end or stage.newest
    if moment is None:
        stage.notice = "there are no data to mark yet"
        return

    def keep(stage: Stage, note: str) -> None:
        made = Mark(Stamp(moment, Clock.EPOCH), note.strip())
        stage.picture.mark(made)
        stage.show.keep(made)

    ask(stage, "mark", "", MARK_HINT, keep)


def save(stage: Stage) -> None:
    """Write what the history holds, and the picture as it is; say where."""
    if not len(stage.picture):
        stage.notice = "there is nothing to save yet"
        return
    name = time.strftime("pylatencymap-%Y%m%d-%H%M%S")
    try:
        recording = save_recording(Path(f"{name}.lmap.gz"), stage.picture.window, stage.picture.marks)
        picture = _save_picture(stage, recording.name.removesuffix(".lmap.gz"))
    except LatencyMapError as error:
        stage.notice = f"not saved: {error}"
        return
    stage.notice = f"saved {recording.name} and {picture} in {Path.cwd()}"


def _save_picture(stage: Stage, name: str) -> str:
    """Write the picture that is on the screen; as PNG where that can be drawn here."""
    path = Path(name + (".png" if find_spec("PIL") else ".svg"))
    data = exporter_for(path.name)(stage.modes[-1].drawn(stage).cells, stage.at.view)
    try:
        path.write_bytes(data)
    except OSError as error:
        raise SourceError(f"{path}: cannot be written: {error.strerror}") from error
    return path.name

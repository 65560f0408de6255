"""Keys of a replay: faster, slower, one interval further."""

from __future__ import annotations

from .stage import Stage
from .timing import hold

NO_REPLAY = "only a replay has a speed; this is live"


def faster(stage: Stage) -> None:
    """The next higher speed."""
    if stage.player is None:
        stage.notice = NO_REPLAY
    else:
        stage.player.faster()


def slower(stage: Stage) -> None:
    """The next lower speed."""
    if stage.player is None:
        stage.notice = NO_REPLAY
    else:
        stage.player.slower()


def step(stage: Stage) -> None:
    """Pause, and go on by one interval."""
    if stage.player is None:
        stage.notice = "only a replay has steps; this is live"
        return
    hold(stage)
    stage.at = stage.at._replace(end=None)
    stage.player.step()

"""What the keys of the live view change: where the user looks, whether time runs, and what is to be said."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from ...session import speed_text
from ...view.layout import END, PAUSED, Status
from ..terminal.input_events import Mouse

if TYPE_CHECKING:
    from ...record import Mark
    from ...session import Picture, ReplayPlayer, SilenceNotice, TerminalSize
    from ...view import DrawnPicture
    from ...view.layout import Geometry
    from .background_job import BackgroundJob

KeepMark: TypeAlias = "Callable[[Mark], object]"
"""Puts a mark into the recording that is being made, if one is."""


class Presentation(NamedTuple):
    """How a session presents itself: the chip while it runs, the player of a replay, what to say of a silent source,
    where the user's marks are recorded, whether the colours suit whatever background the terminal says it has, and what
    is to be read now of what was found out about the source.
    """

    state: str
    player: ReplayPlayer | None = None
    silence: SilenceNotice | None = None
    keep: KeepMark = lambda _: None
    finds_background: bool = False
    news: Callable[[], str] = lambda: ""


UserInput: TypeAlias = str | Mouse
"""What a mode answers."""


class Layer(Protocol):
    """What fills the screen, or lies over it, and answers the keys meanwhile."""

    def drawn(self, stage: Viewer) -> DrawnPicture: ...

    def answer(self, stage: Viewer, event: UserInput) -> None: ...


class Viewer:
    """``at`` is where the user looks; ``held_at`` the newest moment when the picture was held still; ``notice`` is
    said until the next key; ``modes`` lie over each other; ``tick`` is that of the clock of the texts while a picture
    is drawn that holds them, see Picture.drawn.
    """

    def __init__(self, picture: Picture, show: Presentation, *modes: Layer) -> None:
        self.picture = picture
        self.show = show
        self.at = picture.options.viewpoint
        self.modes = list(modes)
        self.paused = False
        self.held_at: int | None = None
        self.source_ended = False
        self.notice = ""
        self.size: TerminalSize = (80, 24)
        self.geometry: Geometry | None = None
        self.quit = False
        self.saving: BackgroundJob | None = None
        self.tick: int | None = None

    @property
    def player(self) -> ReplayPlayer | None:
        return self.show.player

    @property
    def state(self) -> str:
        """The chip."""
        if self.paused:
            return PAUSED
        if self.source_ended:
            return END
        player = self.player
        if player is None:
            return self.show.state
        normal = player.delay is not None or player.speed == 1.0
        return self.show.state if normal else f"{self.show.state} {speed_text(player.speed)}"

    @property
    def newest(self) -> int | None:
        """Epoch microseconds at which the newest column of what is looked at ends; None while there are no data."""
        extent = self.picture.extent(self.at)
        return extent[1] if extent else None

    @property
    def waiting(self) -> int:
        """Intervals that have come since the picture is held still. A replay stands still with it."""
        if not self.paused or self.held_at is None or self.player is not None:
            return 0
        return self.picture.new_since(self.at, self.held_at)

    @property
    def column_micros(self) -> int:
        """Microseconds that a column lasts."""
        return round((self.at.width or self.picture.usual_seconds(self.at)) * 1e6)

    def status(self, keys: tuple[tuple[str, str], ...], message: str) -> Status:
        """What the picture says about the session."""
        flags = (f"{self.waiting} new",) if self.waiting else ()
        return Status(label="pylatencymap", state=self.state, message=self.notice or message, keys=keys, flags=flags)

    def settle(self, *, waits: bool = False) -> bool:
        """Say what became of files that are being saved, once it is known; whether there is something to say."""
        if self.saving is None or not (waits or self.saving.is_done):
            return False
        done, self.saving = self.saving, None
        self.notice = done.result()
        return True

    def open(self, mode: Layer) -> None:
        """Lay a mode over the others."""
        self.modes.append(mode)

    def close(self) -> None:
        """Take the uppermost mode away."""
        self.modes.pop()

"""The state that keys change in the live view: viewpoint, pause, layers, notice."""

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
"""Writes a mark to the recording, if there is one."""


class Presentation(NamedTuple):
    """How a session presents itself.

    ``state``: the chip while the session runs. ``player``: that of a replay. ``silence``: the message for a silent
    source. ``keep`` records the user's marks. ``finds_background``: whether the colours follow the background that the
    terminal reports. ``current_notice`` returns the notice about the source to show now, ``flags`` what the title says
    about the recording.
    """

    state: str
    player: ReplayPlayer | None = None
    silence: SilenceNotice | None = None
    keep: KeepMark = lambda _: None
    finds_background: bool = False
    current_notice: Callable[[], str] = lambda: ""
    flags: Callable[[], tuple[str, ...]] = tuple


UserInput: TypeAlias = str | Mouse
"""What a layer handles."""


class Layer(Protocol):
    """Draws the screen, or a box over the layer below, and handles the keys while it is on top."""

    def draw(self, viewer: Viewer) -> DrawnPicture: ...

    def handle(self, viewer: Viewer, event: UserInput) -> None: ...


class Viewer:
    """The live view without its terminal.

    ``viewpoint``: where the user looks. ``paused_at``: the newest moment when the user paused. ``notice`` is shown
    until the next key. ``layers`` lie on each other, the last one on top. ``is_spoilt``: others have written over the
    picture, as the user says. ``tick``: while a picture with unchanged
    texts is drawn, the tick of their clock; see Picture.drawn.
    """

    def __init__(self, picture: Picture, presentation: Presentation, *layers: Layer) -> None:
        self.picture = picture
        self.presentation = presentation
        self.viewpoint = picture.options.viewpoint
        self.layers = list(layers)
        self.paused = False
        self.paused_at: int | None = None
        self.source_ended = False
        self.notice = ""
        self.size: TerminalSize = (80, 24)
        self.geometry: Geometry | None = None
        self.quit = False
        self.is_spoilt = False
        self.save_job: BackgroundJob | None = None
        self.tick: int | None = None

    @property
    def player(self) -> ReplayPlayer | None:
        return self.presentation.player

    @property
    def state(self) -> str:
        """The text of the chip: PAUSED, END, or the session's state, with the speed of a replay."""
        if self.paused:
            return PAUSED
        if self.source_ended:
            return END
        player = self.player
        if player is None:
            return self.presentation.state
        normal = player.delay is not None or player.speed == 1.0
        return self.presentation.state if normal else f"{self.presentation.state} {speed_text(player.speed)}"

    @property
    def newest(self) -> int | None:
        """Epoch microseconds at which the newest column of the series shown ends; None while there are no data."""
        extent = self.picture.extent(self.viewpoint)
        return extent[1] if extent else None

    @property
    def new_intervals(self) -> int:
        """Intervals that have arrived since the user paused. Always 0 in a replay, which pauses as well."""
        if not self.paused or self.paused_at is None or self.player is not None:
            return 0
        return self.picture.new_since(self.viewpoint, self.paused_at)

    @property
    def column_micros(self) -> int:
        """Duration of a column in microseconds."""
        return round((self.viewpoint.width or self.picture.usual_seconds(self.viewpoint)) * 1e6)

    def status(self, keys: tuple[tuple[str, str], ...], message: str) -> Status:
        """What the picture says about the session."""
        new = (f"{self.new_intervals} new",) if self.new_intervals else ()
        flags = (*self.presentation.flags(), *new)
        return Status(label="pylatencymap", state=self.state, message=self.notice or message, keys=keys, flags=flags)

    def collect_job(self, *, waits: bool = False) -> bool:
        """Show the result of a save job once it is done (``waits``: wait for it). Returns whether there is a result."""
        if self.save_job is None or not (waits or self.save_job.is_done):
            return False
        done, self.save_job = self.save_job, None
        self.notice = done.result()
        return True

    def open(self, layer: Layer) -> None:
        """Put a layer on top."""
        self.layers.append(layer)

    def close(self) -> None:
        """Remove the topmost layer."""
        self.layers.pop()

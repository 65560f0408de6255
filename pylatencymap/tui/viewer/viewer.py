"""The state that keys change in the live view: viewpoint, pause, layers, notice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from ...errors import LatencyMapError
from ...number_text import short_span_text
from ...session import speed_text
from ...view.layout import END, LIVE, PAUSED, READING, STALLED, NamedSides, SidesPage, Status
from ..terminal.input_events import Mouse
from .named_times import FirstSelection, named_marks, recalled
from .sides_watch import SidesWatch

if TYPE_CHECKING:
    from datetime import tzinfo

    from ...interval import Interval
    from ...intervals import Batch
    from ...record import Mark, NamedTime
    from ...session import (
        AlertWatch,
        DetailReader,
        NotableMoment,
        Picture,
        ReplayPlayer,
        SilenceNotice,
        TerminalSize,
        Viewpoint,
    )
    from ...view import DrawnPicture
    from ...view.layout import Geometry, Pointer, Selected
    from .background_job import BackgroundJob
    from .event_reading import EventReading

KeepMark: TypeAlias = "Callable[[Mark], object]"
"""Writes a mark to the recording, if there is one."""


class Presentation(NamedTuple):
    """How a session presents itself.

    ``state``: the chip while the session runs. ``player``: that of a replay. ``silence``: the message for a silent
    source. ``keep`` records the user's marks. ``finds_background``: whether the colours follow the background that the
    terminal reports. ``current_notice`` returns the notice about the source to show now, ``flags`` what the title says
    about the recording. ``files``: what is being read, as the user named it, with the options ``reading``;
    ``is_part``: not all of their time, or of their series; ``zone``: that of times in them that name none.
    ``caught_up``: whether a recording that is being written has been read so far. ``detail`` reads parts again that
    memory holds merged. ``alerts`` are watched. ``sides`` compares A and B. ``events`` reads single events again.
    """

    state: str
    player: ReplayPlayer | None = None
    silence: SilenceNotice | None = None
    keep: KeepMark = lambda _: None
    finds_background: bool = False
    current_notice: Callable[[], str] = lambda: ""
    flags: Callable[[], tuple[str, ...]] = tuple
    files: tuple[str, ...] = ()
    caught_up: Callable[[], bool] = lambda: False
    detail: DetailReader | None = None
    alerts: AlertWatch | None = None
    reading: tuple[str, ...] = ()
    is_part: bool = False
    sides: SidesWatch | None = None
    events: EventReading | None = None
    zone: tzinfo | None = None


UserInput: TypeAlias = str | Mouse
"""What a layer handles."""


class Layer(Protocol):
    """Draws the screen, or a box over the layer below, and handles the keys while it is on top."""

    def draw(self, viewer: Viewer) -> DrawnPicture: ...

    def handle(self, viewer: Viewer, event: UserInput) -> None: ...


class TrailStep(NamedTuple):
    """What part of the data is on the screen: what Backspace goes back to. ``paused``: the picture was held still."""

    viewpoint: Viewpoint
    paused: bool

    def is_as(self, other: TrailStep) -> bool:
        """Whether the same part is shown; the cursor and how it looks do not matter."""
        mine, others = self.viewpoint, other.viewpoint
        return _part_shown(mine) == _part_shown(others)


def _part_shown(one: Viewpoint) -> tuple[object, ...]:
    return one.end, one.width, one.fitted, one.series, one.summed, one.stacked, one.selected, one.sides, one.only


class Press(NamedTuple):
    """Where the mouse button was pressed, and what was on the screen then."""

    pointer: Pointer
    place: TrailStep


class WheelTurn(NamedTuple):
    """A turn of the wheel at a ``column`` of the screen: ``moment``, epoch microseconds, is what it zoomed about,
    ``place`` what was shown after it, of data up to ``newest``.
    """

    column: int
    moment: int
    place: TrailStep
    newest: int | None


LONGEST_TRAIL = 100
NOT_AGAIN = "{}; the columns stay merged"


class Viewer:
    """The live view without its terminal.

    viewpoint   where the user looks
    zone        the time zone at the beginning
    paused_at   the newest moment when the user paused
    notice      shown until the next key
    layers      lie on each other, the last one on top
    is_bare     pictures have no key hints and no notices, because they are drawn for others
    clipboard   what the terminal is to put on its clipboard
    parting_words   to be printed when the view has ended: what was saved, and how to open it again
    rings       the terminal is to ring its bell
    ticked      the series that the user ticked in the list, in the order of ticking
    has_more    the next picture says more, though nothing happens
    is_spoilt   others have written over the picture, as the user says
    wants_costliest  the user asked for what cost most while a file is being read, and has pressed no key since
    gone_to     the moment that a key went to last, and the selection that it made
    tick        while a picture with unchanged texts is drawn, the tick of their clock; see Picture.drawn
    """

    def __init__(self, picture: Picture, presentation: Presentation, *layers: Layer) -> None:
        self.picture = picture
        self.presentation = presentation
        fitted = picture.options.fits and presentation.state == READING
        self.viewpoint = picture.options.viewpoint._replace(fitted=fitted)
        self.zone = picture.options.tz
        self.layers = list(layers)
        self.paused = False
        self.paused_at: int | None = None
        self.source_ended = False
        self.notice = ""
        self.size: TerminalSize = (80, 24)
        self.geometry: Geometry | None = None
        self.quit = False
        self.rings = self.has_more = False
        self.is_spoilt = False
        self.wants_costliest = False
        self.gone_to: tuple[NotableMoment, Selected] | None = None
        self.pressed: Press | None = None
        self.wheel: WheelTurn | None = None
        self.sides = presentation.sides or SidesWatch()
        self._recalled: Mapping[str, NamedTime] = {}  # not the marks that are there: a file can have been read by now
        self._first = FirstSelection(picture.options.select)
        if self.sides.baseline is not None:
            self.viewpoint = self.viewpoint._replace(sides=NamedSides(other=True))
        self.save_job: BackgroundJob | None = None
        self.is_bare = False
        self.clipboard = ""
        self.parting_words: list[str] = []
        self.ticked: list[str] = []
        self._trail: list[TrailStep] = []
        self.tick: int | None = None
        self._told_place: tuple[int | None, str] = (None, "")

    @property
    def player(self) -> ReplayPlayer | None:
        return self.presentation.player

    @property
    def state(self) -> str:
        """The text of the chip: PAUSED, END, READING while a replay runs to a moment as fast as possible, or the
        session's state, with the speed of a replay.
        """
        if self.paused:
            return PAUSED
        if self.source_ended:
            return END
        player = self.player
        if player is None:
            stalled = self._stalled_seconds
            if stalled:
                return f"{STALLED} {short_span_text(round(stalled))}"
            return LIVE if self.presentation.caught_up() else self.presentation.state
        if player.is_seeking:
            return READING
        normal = player.delay is not None or player.speed == 1.0
        return self.presentation.state if normal else f"{self.presentation.state} {speed_text(player.speed)}"

    @property
    def _stalled_seconds(self) -> float:
        """For how long a live source that has spoken has been silent; 0 unless that is longer than usual."""
        silence = self.presentation.silence
        is_live = self.presentation.state == LIVE or self.presentation.caught_up()
        if silence is None or not is_live or not len(self.picture):
            return 0.0
        return silence.stalled(self.picture.usual_seconds(self.viewpoint))

    @property
    def is_live(self) -> bool:
        """Whether more data come by themselves, and not from a file that is being read to its end."""
        return self.player is None and not self.source_ended and not self.is_reading

    @property
    def is_reading(self) -> bool:
        """Whether a file is being read to its end."""
        return self.presentation.state == READING and not self.presentation.caught_up()

    @property
    def seen_so_far(self) -> str:
        """What the picture has of a recording of which more will come; empty where it has all, and live."""
        if self.source_ended or self.is_live:
            return ""
        return "what is read so far" if self.player is None else "what is played so far"

    @property
    def has_read_all(self) -> bool:
        """Whether a file that was being read to its end has been, or its source has ended."""
        return self.source_ended or not self.is_reading

    @property
    def newest(self) -> int | None:
        """Epoch microseconds at which the newest column of the series shown ends; None while there are no data."""
        extent = self.picture.extent(self.viewpoint)
        return extent[1] if extent else None

    def fit(self) -> None:
        """If all that is kept is to be on the screen: choose how long columns are. Before that, show what was named in
        a recording that is being read.
        """
        named = self.picture.marks.named
        if named and named is not self._recalled:
            self._recalled = named
            self.viewpoint = recalled(self.viewpoint, named)
        self.viewpoint = self._first.shown(self.picture, self.viewpoint, is_complete=not self.seen_so_far)
        self.notice = self.notice or self._first.tell()
        self.viewpoint = self.picture.fitted(self.viewpoint, self.size)

    @property
    def place(self) -> TrailStep:
        """What is on the screen."""
        return TrailStep(self.viewpoint, self.paused)

    def remember(self, before: TrailStep) -> None:
        """Put a place on the trail, unless it is where we are."""
        if not before.is_as(self.place):
            self._trail = [*self._trail[1 - LONGEST_TRAIL :], before]

    def moment_in(self, moment: int) -> int:
        """What to zoom about in the column that contains a moment (epoch microseconds) on the screen: its costliest
        minute, or its middle; of a column that is one interval, its end.
        """
        if self.geometry is None or not self.geometry.ends.size:
            return moment
        begin, end = self.geometry.span_of(moment)
        return end if self.viewpoint.width is None else self.picture.costliest_minute(self.viewpoint, begin, end)

    def point_at(self, moment: int) -> None:
        """Move the cursor to a moment (epoch microseconds). A new cursor gets the row with the most time waited."""
        pointer = self.viewpoint.pointer
        if pointer is None and self.geometry is not None:
            pointer = self.geometry.moved(None, 0, 0)
        if pointer is not None:
            self.viewpoint = self.viewpoint._replace(pointer=pointer._replace(micros=moment))

    def step_back(self) -> TrailStep | None:
        """The last place on the trail, taken from it; None if there is none."""
        return self._trail.pop() if self._trail else None

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
        flags = (*self.presentation.flags(), *new, *self._place_flags())
        said = Status(label="pylatencymap", state=self.state, flags=flags, sides=self.sides_page())
        return said if self.is_bare else said._replace(message=self.notice or message, keys=keys)

    def sides_page(self) -> SidesPage | None:
        """What there is to say of A and B; None if none is named."""
        screen = self.screen_times() if self.viewpoint.sides is not None else None
        return self.sides.page(self.picture, self.viewpoint, screen, ended=self.source_ended)

    def screen_times(self) -> tuple[int, int] | None:
        """From when to when the screen shows data, epoch microseconds; None while there are none."""
        extent = self.picture.extent(self.viewpoint)
        if extent is None:
            return None
        end, micros = min(self.viewpoint.end or extent[1], extent[1]), self.column_micros
        last = -(-end // micros) * micros if self.viewpoint.width else end
        return max(last - self.picture.columns_at(self.size) * micros, extent[0]), end

    def _place_flags(self) -> tuple[str, ...]:
        """Where a replay stands. Like other texts it stays the same within a tick."""
        if self.player is None or self.source_ended:
            return ()
        if self.tick is None or self._told_place[0] != self.tick:
            self._told_place = self.tick, self.player.place_text
        return (self._told_place[1],) if self._told_place[1] else ()

    def bare_picture(self, layer: int = 0, least: TerminalSize = (0, 0)) -> DrawnPicture:
        """A layer as a picture for others: without key hints and notices, of the columns that are on the screen, and at
        least so large.
        """
        geometry, size, options = self.geometry, self.size, self.picture.options
        self.is_bare, self.size = True, (max(size[0], least[0]), max(size[1], least[1]))
        self.picture.options = options._replace(columns=self.picture.columns_at(size))
        try:
            return self.layers[layer].draw(self)
        finally:
            self.geometry, self.size, self.picture.options, self.is_bare = geometry, size, options, False

    def collect_job(self, *, waits: bool = False) -> bool:
        """Show the result of a save job once it is done (``waits``: wait for it). Returns whether there is a result."""
        if self.save_job is None or not (waits or self.save_job.is_done):
            return False
        done, self.save_job = self.save_job, None
        self.notice = done.result()
        self.parting_words.append(self.notice)
        self.save_job = done.next_job()
        return True

    def look_closer(self) -> None:
        """Have what is on the screen read again, if memory has merged what its columns would show apart."""
        reader = self.presentation.detail
        if reader is None or not (self.source_ended or self.presentation.caught_up()):
            return
        if self.viewpoint.only != self.picture.options.viewpoint.only:
            return  # the inputs would be read without the filter
        span = self.picture.lacks_detail(self.viewpoint, self.picture.columns_at(self.size))
        extent = self.picture.extent(self.viewpoint)
        if span is None or extent is None:
            reader.give_up()
            return
        try:
            reader.want(span, extent)
        except LatencyMapError as error:
            self.notice = NOT_AGAIN.format(error)

    def collect_detail(self) -> bool:
        """Show a part that has been read again. Returns whether there is one."""
        reader = self.presentation.detail
        try:
            detail = reader.collect() if reader is not None else None
        except LatencyMapError as error:
            self.notice = NOT_AGAIN.format(error)
            return True
        is_of_all = self.viewpoint.only == self.picture.options.viewpoint.only
        if detail is not None and is_of_all:
            self.picture.detail = detail
        return detail is not None and is_of_all

    def take(self, arrived: list[Interval | Batch]) -> None:
        """Keep intervals in the picture; alerts watch them."""
        alerts = self.presentation.alerts
        if alerts is None:
            self.picture.extend(arrived)
        else:
            alerts.extend(arrived)

    def collect_alerts(self) -> bool:
        """Show what an alert has to say, until the next key. Returns whether there is anything."""
        news = [] if self.presentation.alerts is None else self.presentation.alerts.news()
        if news:
            self.notice = "; ".join(one.text for one in news)
            self.rings = self.rings or any(one.rings for one in news)
        return bool(news)

    def keep_named(self, name: str) -> None:
        """Write what has that name, A, B or the selection, into the recording, if there is one."""
        for mark in named_marks(self.picture, self.viewpoint):
            if mark.name == name:
                self.presentation.keep(mark)

    def open(self, layer: Layer) -> None:
        """Put a layer on top."""
        self.layers.append(layer)

    def close(self) -> None:
        """Remove the topmost layer."""
        self.layers.pop()

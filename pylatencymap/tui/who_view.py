"""The panel that says who is in a cell: over the view, beside the cell where there is room."""

from __future__ import annotations

import os

from ..events import EventsFound, FoundKey
from ..number_text import events_words, others_words
from ..text import fit
from ..text.clean import printable
from ..view import DrawnPicture
from ..view.boxes import (
    PanelPlace,
    WhoKey,
    WhoLine,
    WhoPage,
    WhoText,
    WhoValue,
    panel_room,
    who_hints,
    who_lines,
    who_part,
    who_remarks,
    who_text,
    who_title,
    with_last_line,
    with_panel,
)
from ..view.layout import Geometry
from ..view.style import NOTICE, StyledText
from .actions.mark_and_save import save_view
from .actions.series_choice import show_series
from .actions.who import CellPart, SeriesShares, bright_areas, page_of, question_of, series_named
from .terminal.input_events import Mouse, Pasted
from .viewer.filters import add_filter
from .viewer.viewer import Layer, UserInput, Viewer

LEAST_LINES = 17
"""Below the first map, a panel has at least so many lines; else it lies over the maps."""
ROOMY_LINES = 24
"""A panel of so many lines has blank ones around its title."""
MORE_VALUES = (1, 2, 3, 5, 10, 20)
PAGE = 10
LONGEST_CHOICE = 30
FAR = 1_000_000
READING = "the file is read again for this time and these latencies: what is found so far"
ASKING = "more is asked for: what samples have seen so far"
NOTHING = "no event is there"
NOTHING_KNOWN = (
    "of this source only counts are known, not who the events are: the shares of the series follow from them"
)
LONGER = "select a longer time, or slower ones"
UNKNOWN = "this key does nothing here: arrows, Enter, l, + -, s, Esc"
_CLOSING = ("KEY_ESCAPE", "w", "q")
_STEPS = {"KEY_UP": -1, "KEY_DOWN": 1, "KEY_PGUP": -PAGE, "KEY_PGDOWN": PAGE, "KEY_HOME": -FAR, "KEY_END": FAR}
_WHEEL = {"wheel-up": -3, "wheel-down": 3}


class WhoView:
    """A panel over the view below. What it says grows while the file is read; closing it ends the reading."""

    def __init__(self, below: Layer, viewer: Viewer, part: CellPart) -> None:
        self._below = below
        self._part = part
        self._shares = SeriesShares(viewer, part)
        self._shares.step()
        self._known = page_of(viewer, part, self._shares)
        self._only = viewer.viewpoint.only
        self._events = viewer.presentation.events
        self._chosen = "", ""
        self._most = 0
        self._first_line = 0
        self._shows_lines = False
        self._text = WhoText(())
        self._page = self._known
        if self._events is not None:
            ending = self._shares.ending() if self._events.is_sample else 1.0
            self._events.ask(question_of(viewer, part, ending))

    def draw(self, viewer: Viewer) -> DrawnPicture:
        """The panel over the picture. It goes when the events that were chosen are drawn alone."""
        if viewer.viewpoint.only != self._only:
            self._close(viewer)
            return self._below.draw(viewer)
        drawn = self._below.draw(viewer)
        options = viewer.viewpoint.view
        bright = bright_areas(drawn.geometry, self._part)
        panel = _placed(drawn.geometry, viewer.size, bright[0].top if bright else 0)
        panel = panel._replace(is_roomy=panel.bottom - panel.top >= ROOMY_LINES)
        self._go_on(viewer)
        self._page = self._now(viewer)
        columns, height = panel_room(viewer.size[0], panel)
        remarks = who_remarks(self._page, columns)
        room = columns, max(height - len(remarks), 1)
        self._text = who_text(self._page, self._chosen, options, room, self._most)
        lines = self._lines_shown(room) if self._shows_lines else who_part(self._text, room[1])
        if self._is_short:
            if any(remarks) and len(lines) + len(remarks) < height:
                remarks.insert(0, ())
            around = panel.bottom - panel.top - height
            panel = panel._replace(bottom=min(panel.bottom, panel.top + len(lines) + len(remarks) + around))
        else:
            lines = (*lines, *[()] * (room[1] - len(lines)))
        title = who_title(self._page, columns, "Esc: the values" if self._shows_lines else "Esc closes")
        box = with_panel(drawn.cells, (*lines, *remarks), options, panel._replace(bright=bright), title)
        return drawn._replace(cells=with_last_line(box, self._last_line(viewer)))

    def _go_on(self, viewer: Viewer) -> None:
        """Add up some more series, if there are many, and have another picture drawn."""
        if not self._shares.is_complete:
            self._shares.step()
            self._known = page_of(viewer, self._part, self._shares)
            viewer.has_more = not self._shares.is_complete

    @property
    def _is_short(self) -> bool:
        """Whether nothing more comes, so that the panel can be as high as its text."""
        reading = self._events
        return not self._shows_lines and (reading is None or not (reading.is_asking or reading.is_drawing))

    def _lines_shown(self, room: tuple[int, int]) -> tuple[StyledText, ...]:
        """The longest lines, a page of them."""
        all_lines = self._page.lines
        self._first_line = max(0, min(self._first_line, len(all_lines) - room[1] + 1))
        part = all_lines[self._first_line : self._first_line + room[1] - 1]
        return tuple(who_lines(part, room[0])) if part else (((NOTHING, NOTICE),),)

    def _now(self, viewer: Viewer) -> WhoPage:
        """What is known now: what the picture counts, and what has been found in the file."""
        reading = self._events
        if reading is None:
            return self._known._replace(remarks=(NOTHING_KNOWN,))
        found, remarks = reading.answer, []
        if reading.is_drawing:
            remarks.append(reading.progress)
        if reading.refusal:
            remarks.append(reading.refusal)
        if reading.is_asking:
            remarks.append(reading.progress or (ASKING if reading.is_sample else READING))
        if found is None:
            return self._known._replace(remarks=tuple(remarks))
        if found.seen is not None:
            remarks.append(_sample_words(found, self._known))
        elif found.note:
            remarks.append(found.note)
        if found.is_complete and not found.total.events and found.seen is None:
            remarks.append(NOTHING)
        return _filled(self._known, found, viewer)._replace(remarks=tuple(remarks))

    def _last_line(self, viewer: Viewer) -> StyledText:
        """A notice, or the keys."""
        if viewer.notice:
            return ((f" {viewer.notice}", NOTICE),)
        is_empty = not (self._text.choices or self._shows_lines)
        keys = [("Esc", "close"), *([] if is_empty else [("arrows", "choose")])]
        if (chosen := self._choice()) is not None:
            is_series, name, value = chosen
            short = fit(value, LONGEST_CHOICE)
            if is_series or (self._events is not None and self._events.can_filter):
                keys.insert(0, ("Enter", f"show {short}" if is_series else f"draw {name}={short} alone"))
        if self._page.lines:
            number = len(self._page.lines)
            what = "line" if self._page.sampled is None else "wait"
            lines = f"{number:,} {what}s" if number > 1 else f"1 {what}"
            keys.append(("l", "the values" if self._shows_lines else lines))
        more = [] if is_empty else [("+ -", "more, fewer")]
        return who_hints([*keys, *more, ("s", "save")], viewer.size[0] - 1)

    def handle(self, viewer: Viewer, event: UserInput) -> None:
        """Arrows choose, Enter draws the chosen events alone, ``l`` lists lines, Esc ends panel and reading."""
        if isinstance(event, Mouse):
            self._move(_WHEEL.get(event.kind, 0))
        elif isinstance(event, Pasted):
            return
        elif event in _STEPS:
            self._move(_STEPS[event])
        elif event == "KEY_ESCAPE" and self._shows_lines:
            self._shows_lines = False
        elif event in _CLOSING:
            self._close(viewer)
        elif event == "KEY_ENTER":
            self._enter(viewer)
        elif event == "l":
            self._shows_lines, self._first_line = not self._shows_lines, 0
        elif event in ("+", "=", "-"):
            self._show_more(more=event != "-")
        elif event == "s":
            save_view(viewer)
        else:
            viewer.notice = UNKNOWN

    def _move(self, step: int) -> None:
        if self._shows_lines:
            self._first_line = max(0, self._first_line + step)
        elif self._text.choices and step:
            place = max(0, min(len(self._text.choices) - 1, self._text.chosen + step))
            self._chosen = self._named(place)[1:]

    def _named(self, place: int) -> tuple[bool, str, str]:
        """A choice: whether it is a series, the name of the key, and the value."""
        choice = self._text.choices[place]
        key = self._page.keys[choice.key]
        return key.is_series, key.name, key.values[choice.value].value

    def _show_more(self, *, more: bool) -> None:
        """More, or fewer, values of each key; the panel then moves with the chosen one."""
        shown = self._most or max((len(key.shown(FAR)) for key in self._page.keys), default=1)
        if not self._most:
            counted = [choice.key for choice in self._text.choices]
            shown = max((counted.count(key) for key in set(counted)), default=1)
        wanted = [number for number in MORE_VALUES if (number > shown if more else number < shown)]
        if wanted:
            self._most = wanted[0] if more else wanted[-1]

    def _choice(self) -> tuple[bool, str, str] | None:
        """What is chosen, as of ``_named``; None while lines are listed."""
        return None if self._shows_lines or not self._text.choices else self._named(self._text.chosen)

    def _enter(self, viewer: Viewer) -> None:
        chosen = self._choice()
        if chosen is None:
            return
        is_series, name, value = chosen
        if is_series:
            series = series_named(viewer, value)
            self._close(viewer)
            before = viewer.place
            if series is not None:
                show_series(viewer, series)
            viewer.remember(before)
        else:
            add_filter(viewer, name, value)

    def _close(self, viewer: Viewer) -> None:
        if self._events is not None:
            self._events.give_up()
        if self in viewer.layers:
            viewer.layers.remove(self)


def _placed(geometry: Geometry, size: tuple[int, int], line: int) -> PanelPlace:
    """Where the panel lies: below the first of two maps, else above or below the ``line`` of the cell, else over all
    but the title.
    """
    bottom = size[1] - 1
    regions = geometry.regions
    if len(regions) > 1:
        top = regions[0].top + regions[0].lines + 1
        if bottom - top >= LEAST_LINES:
            return PanelPlace(top, bottom)
    if line and bottom - line - 2 >= LEAST_LINES:
        return PanelPlace(line + 2, bottom)
    if line and line - 2 >= LEAST_LINES:
        return PanelPlace(1, line - 1)
    return PanelPlace(1, bottom)


def _sample_words(found: EventsFound, known: WhoPage) -> str:
    """How much of a cell a sample has seen."""
    of = f"of about {events_words(known.events, known.noun)} here"
    seen = f"sampled: {found.seen:,} {of} seen" if found.seen else f"sampled: none {of} was seen"
    return "; ".join(filter(None, [seen, found.note or LONGER * (not found.total.events)]))


def _filled(known: WhoPage, found: EventsFound, viewer: Viewer) -> WhoPage:
    """What the picture knows, with what the file says: its sums are exact."""
    keys = tuple(_key(key) for key in found.keys)
    lines = tuple(WhoLine(one.number, one.waited, one.text, os.path.basename(one.file)) for one in found.lines)
    series = known.keys
    name = viewer.picture.series(viewer.viewpoint) or ""
    if found.is_complete and not viewer.picture.is_sum(viewer.viewpoint):
        series = tuple(_with_sums(key, printable(name), found) for key in series)
    several = len(viewer.picture.window) > 1
    if found.seen is not None:
        return known._replace(keys=(*keys, *known.keys), lines=lines, sampled=found.total.waited)
    return known._replace(
        keys=(*series, *keys) if several else (*keys, *series),
        lines=lines,
        events=found.total.events,
        waited=found.total.waited,
    )


def _with_sums(key: WhoKey, name: str, found: EventsFound) -> WhoKey:
    """The series with the sums of the file for the one that was asked about: the picture's are estimated."""
    values = [
        one._replace(events=found.total.events, waited=found.total.waited) if one.value == name else one
        for one in key.values
    ]
    if len(key.values) == 1 and not key.others:
        return key._replace(values=tuple(values), total=found.total.waited)
    return key._replace(values=tuple(values))


def _key(key: FoundKey) -> WhoKey:
    values = tuple(WhoValue(one.value, one.amount.events, one.amount.waited, one.note) for one in key.values)
    others: list[WhoValue] = []
    if key.others.events:
        others.append(WhoValue(others_words(key.more, at_least=key.at_most is not None), *key.others))
    if key.without.events:
        others.append(WhoValue("not said", *key.without))
    remark = "" if key.at_most is None else "too many values to keep all: the largest are exact"
    return WhoKey(key.name, values, tuple(others), key.is_flat, remark)

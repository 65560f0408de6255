"""The stack of filters: which events are drawn, each filter a step of the trail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import LatencyMapError

if TYPE_CHECKING:
    from ...events import Only
    from .viewer import Viewer

MOST_FILTERS = 8
NOT_YET = "only a file that has been read to its end can be filtered; End reads the rest"
NO_FILES = "a pipe cannot be read again: save it to a file, and filter that"
SAMPLE = "this is a sample, of which there is no picture: give the value to what can look it up"
TOO_MANY = f"{MOST_FILTERS} filters are as many as there can be: Backspace takes the last"


def add_filter(viewer: Viewer, name: str, value: str) -> bool:
    """Begin to read the events with a value of a key, of those that are drawn. Says why not, if it cannot be done."""
    reading = viewer.presentation.events
    only = (*viewer.viewpoint.only, (name, value))
    if (name, value) in viewer.viewpoint.only:
        viewer.notice = f"all events that are drawn have {name}={value}"
    elif reading is None or not reading.can_filter:
        viewer.notice = SAMPLE if reading is not None and reading.is_sample else NO_FILES
    elif not viewer.source_ended:
        viewer.notice = NOT_YET
    elif len(only) - len(viewer.picture.options.viewpoint.only) > MOST_FILTERS:
        viewer.notice = TOO_MANY
    else:
        return _read(viewer, only)
    return False


def _read(viewer: Viewer, only: Only) -> bool:
    reading = viewer.presentation.events
    try:
        if reading is not None:
            reading.read_alone(only)
    except LatencyMapError as error:
        viewer.notice = str(error)
        return False
    return True


def collect_filter(viewer: Viewer) -> bool:
    """Draw the events of a filter, once they have been read. Returns whether there is something new to see."""
    reading = viewer.presentation.events
    only = None if reading is None else reading.collect_window()
    if only is None or reading is None:
        return False
    if only not in reading.windows:
        viewer.notice = reading.refusal
        return True
    before = viewer.place
    show_filter(viewer, only)
    viewer.remember(before)
    return True


def show_filter(viewer: Viewer, only: Only) -> None:
    """Draw the events that a filter leaves, which have been read."""
    reading, shown = viewer.presentation.events, viewer.viewpoint.only
    if reading is None or only == shown:
        return
    reading.windows.setdefault(shown, viewer.picture.window)
    if only not in reading.windows:
        return
    viewer.picture.show_window(reading.windows[only])
    viewer.viewpoint = viewer.viewpoint._replace(only=only)
    # What lies behind the last step cannot be gone back to.
    base = viewer.picture.options.viewpoint.only
    reading.windows = {key: one for key, one in reading.windows.items() if key in (base, only[: len(key)])}


def take_filter_off(viewer: Viewer) -> bool:
    """Take the last filter off, if there is one. What the command line has left out is read for it."""
    only, reading = viewer.viewpoint.only, viewer.presentation.events
    if not only:
        return False
    if reading is not None and only[:-1] not in reading.windows:
        if not viewer.source_ended:
            viewer.notice = NOT_YET
        else:
            _read(viewer, only[:-1])
        return True
    show_filter(viewer, only[:-1])
    return True

"""Keys and the mouse select a part of the data: a time, and with the mouse latencies too; n goes to what is notable."""

from __future__ import annotations

from collections.abc import Callable

from ...number_text import length_words
from ...session import NotableMoment
from ...text.clean import printable
from ...view.layout import Pointer, Selected
from ..terminal.input_events import Mouse
from ..viewer.viewer import Viewer
from .navigation import pause_view
from .zoom import show_around

NO_MOMENTS = "nothing stands out in {}: no change, gap, reset or mark"
MERGED = "{}, merged to {}"
IN_FULL = "; report looks at all of its columns"
SO_FAR = "nothing stands out in what is read so far; what does is shown when all is read"
ALL_READ = "all is read: "
FROM_FRONT = "that was the last: the first again; "
FROM_BACK = "that was the first: the last again; "
MARK = "M"


def set_edge(*, last: bool) -> Callable[[Viewer], None]:
    """A key that sets the end of the selection, or its beginning, at the cursor."""

    def act(viewer: Viewer) -> None:
        pointer, geometry = viewer.viewpoint.pointer, viewer.geometry
        if pointer is None or geometry is None:
            viewer.notice = "put the cursor first: arrows or a click"
            return
        begin, end = geometry.span_of(pointer.micros)
        old = viewer.viewpoint.selected
        moved = Selected(begin, end) if old is None else old
        chosen = moved._replace(end=end) if last else moved._replace(begin=begin)
        if chosen.end <= chosen.begin:
            chosen = Selected(begin, end)
        viewer.viewpoint = viewer.viewpoint._replace(selected=chosen)

    return act


def select_by_dragging(viewer: Viewer, pressed: Pointer, mouse: Mouse) -> None:
    """Select what lies between the cell on which the button was pressed and the one under the pointer."""
    geometry = viewer.geometry
    here = None if geometry is None else geometry.nearest(mouse.column, mouse.line)
    if here is None or geometry is None or (here == pressed and viewer.viewpoint.selected is None):
        return
    times = [*geometry.span_of(pressed.micros), *geometry.span_of(here.micros)]
    latencies = [*geometry.line_range(pressed.latency), *geometry.line_range(here.latency)]
    chosen = Selected(min(times), max(times), min(latencies), max(latencies))
    viewer.viewpoint = viewer.viewpoint._replace(selected=chosen, pointer=None)


def drop_selection(viewer: Viewer) -> None:
    """Drop the selection."""
    viewer.viewpoint = viewer.viewpoint._replace(selected=None)


def go_to_moment(step: int) -> Callable[[Viewer], None]:
    """A key that goes to the next moment in time, or with ``step`` -1 to the one before; at first to the costliest.
    While a file is being read, that is the costliest so far, and when all is read the costliest of all.
    """

    def act(viewer: Viewer) -> None:
        is_first = viewer.viewpoint.selected is None and viewer.viewpoint.pointer is None
        viewer.wants_costliest = is_first and not viewer.has_read_all
        found = viewer.picture.moments(viewer.viewpoint)
        if not found:
            viewer.notice = no_moments(viewer)
            return
        chosen, word = _next(found, viewer, step)
        show_moment(viewer, chosen, word)

    return act


def go_to_costliest(viewer: Viewer) -> None:
    """Go where the user wanted to while the file was being read: to the costliest moment of all of it."""
    viewer.wants_costliest = False
    found = viewer.picture.moments(viewer.viewpoint)
    if found:
        show_moment(viewer, found[0], ALL_READ)
    else:
        viewer.notice = no_moments(viewer)


def no_moments(viewer: Viewer) -> str:
    """Why there is no moment to go to."""
    if viewer.wants_costliest:
        return SO_FAR
    whose, merged = series_of_stack(viewer), viewer.picture.commentary.merged
    what = (viewer.seen_so_far or "what is kept") + (f" of {whose}" if whose else "")
    if merged is None:
        return NO_MOMENTS.format(what)
    return NO_MOMENTS.format(MERGED.format(what, length_words(merged))) + IN_FULL


def series_of_stack(viewer: Viewer) -> str:
    """In a stack, the series that moments are of, as it is shown; else empty."""
    stacked = viewer.picture.stack_at(viewer.viewpoint, viewer.size).names
    return printable(viewer.picture.series(viewer.viewpoint) or "") if stacked else ""


def _next(found: tuple[NotableMoment, ...], viewer: Viewer, step: int) -> tuple[NotableMoment, str]:
    """The moment to go to, and what to say first."""
    selected, pointer = viewer.viewpoint.selected, viewer.viewpoint.pointer
    if selected is None and pointer is None:
        return found[0], ""
    ordered = sorted(found, key=lambda one: (one.begin, one.end))
    alike = [place for place, one in enumerate(ordered) if selected is not None and _is_here(one, viewer)]
    if alike:
        here = alike[-1] if step > 0 else alike[0]  # behind all that cannot be told from it, or n would stay there
    else:
        begin = selected.begin if selected is not None else pointer.micros if pointer is not None else 0
        before = sum(one.begin <= begin for one in ordered)
        here = before - 1 if step > 0 else sum(one.begin < begin for one in ordered)
    place = here + step
    word = FROM_FRONT if place >= len(ordered) else FROM_BACK if place < 0 else ""
    return ordered[place % len(ordered)], word


def show_moment(viewer: Viewer, moment: NotableMoment, word: str = "") -> None:
    """Select a moment, say its sentence, and move the screen if it is not on it. A live picture is then held."""
    chosen = _span(moment, viewer)
    viewer.viewpoint = viewer.viewpoint._replace(selected=chosen, pointer=None)
    viewer.gone_to = moment, chosen
    on_screen = _is_on_screen(chosen, viewer)
    if viewer.is_live:
        pause_view(viewer)
    if not on_screen:
        show_around(viewer, (chosen.begin + chosen.end) // 2)
    so_far = f"of {viewer.seen_so_far}: " if viewer.seen_so_far else ""
    whose = series_of_stack(viewer)
    viewer.notice = _sentence(moment, so_far + word + (f"{whose}: " if whose else ""), viewer.size[0] - 2)


def _is_on_screen(chosen: Selected, viewer: Viewer) -> bool:
    """Whether the next picture has all of a selection, if the screen does not move."""
    if viewer.viewpoint.fitted and viewer.viewpoint.follows:
        return True  # also what has come since the last picture
    geometry = viewer.geometry
    return geometry is not None and all(geometry.column_of(one) is not None for one in (chosen.begin + 1, chosen.end))


def _sentence(moment: NotableMoment, word: str, width: int) -> str:
    """What a moment is, in as many words as fit."""
    cost = f"; {moment.cost_words}" if moment.cost_text else ""
    begun = f"{word}{moment.sign} {moment.when}  ".lstrip()
    brief = moment.what.partition("; ")[0]
    shorter = brief.replace(" of the wait", " wait").removeprefix("the ")
    signed = (f"{begun}{what}" for what in (f"{moment.what}{cost}", moment.what, brief, shorter))
    texts = (*signed, f"{word}{moment.sign} {brief}", f"{word}{brief}")
    return next((text for text in texts if len(text) <= width), texts[-1])


def _is_here(moment: NotableMoment, viewer: Viewer) -> bool:
    """Whether the selection is that of a moment. Two that are in the same column have the same one: then the moment is
    the one that was gone to.
    """
    selected = viewer.viewpoint.selected
    if viewer.gone_to is not None and viewer.gone_to[1] == selected:
        return _identity(moment) == _identity(viewer.gone_to[0])
    return selected == _span(moment, viewer)


def _identity(moment: NotableMoment) -> tuple[object, ...]:
    """What tells a moment from others; sign and words only of a gap, reset or mark, as those of a change follow the
    data.
    """
    own = (moment.sign, moment.what) if moment.sign.isupper() else ()
    return moment.begin, moment.end, moment.low, own


def _span(moment: NotableMoment, viewer: Viewer) -> Selected:
    """A moment as a selection. One without duration is one column: that of a mark is the one below its sign, and a step
    begins one. Lengths of columns differ a little, so they are taken as they are.
    """
    begin, end = moment.begin, moment.end
    if end <= begin:
        is_mark = moment.sign == MARK
        column = viewer.picture.column_at(viewer.viewpoint, begin if is_mark else begin + 1)
        if column is None or (viewer.viewpoint.width and not is_mark):
            column = begin, begin + viewer.column_micros
        begin, end = column
    return Selected(begin, end, moment.low, moment.high if moment.low is not None else None)

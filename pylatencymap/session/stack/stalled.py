"""What waits while the series that is drawn stalls: said in the sentence of each stall, and of all of them in one."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...window import Window, select_between
from ..series_overview import event_noun

if TYPE_CHECKING:
    from ...findings import Change, SeriesData
    from ..commentary import Meanwhile


def stalls_explained(window: Window) -> Meanwhile:
    """``while_stalled``, with the other series of a window."""
    return lambda data, changes: while_stalled(data, changes, _others_in(window, data))


def _others_in(window: Window, data: SeriesData) -> Iterator[SeriesData]:
    """Those that sum the time waited, what waited most first, in as many columns."""
    from ...findings import MOST_WAITING, series_data

    for name in window.by_time_waited()[:MOST_WAITING]:
        history = window[name]
        columns = select_between(history, None, None, len(data.starts))
        other = series_data(name, event_noun(history.label, history.source), history.label, columns)
        if name != data.name and other.waited is not None:
            yield other


def while_stalled(
    data: SeriesData, changes: Sequence[Change], others: Iterable[SeriesData]
) -> Generator[None, None, tuple[list[Change], tuple[str, ...]]]:
    """The changes of a series, whose stalls say what waits meanwhile, and a sentence about all stalls if they are some;
    yields between short steps.
    """
    from ...findings import is_filled, is_stall, waiting_in_stalls

    told = list(changes)
    stalls = [one for one in told if is_stall(one, data)]
    if not stalls:
        return told, ()
    rest = []
    for other in others:
        rest.append(other)
        yield
    found = waiting_in_stalls([data, *rest], told)
    if not found:
        return told, ()
    first = next(one for one in rest if one.name == found[0].series[1])
    told = [_meanwhile(one, first.shown) if one in stalls and is_filled(first, one) else one for one in told]
    return told, (found[0].text,) if len(stalls) > 1 else ()


def _meanwhile(change: Change, who: str) -> Change:
    """With what waits meanwhile before what was before and after: a short line has only the first of a sentence."""
    first, semicolon, rest = change.text.partition("; ")
    return replace(change, text=f"{first}, while {who} waits{semicolon}{rest}")

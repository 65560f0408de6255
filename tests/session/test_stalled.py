"""What waits while a series stalls: the lines below the maps and the list of moments say what the report says."""

from collections.abc import Sequence
from datetime import timezone

import numpy as np
import pytest

from pylatencymap.findings import MOST_WAITING, find_all, series_data
from pylatencymap.interval import Interval
from pylatencymap.session.commentary import Commentary
from pylatencymap.session.marks import MarkList
from pylatencymap.session.page import page_content
from pylatencymap.session.stack import stalls_explained
from pylatencymap.session.viewpoint import Viewpoint
from pylatencymap.units import Unit
from pylatencymap.window import Window, select_between

BEGIN = 1_772_409_600_000_000
STALLS = (40, 80, 120, 160, 200)
SECONDS, LENGTH = 300, 3


def second(name: str, number: int, events: int, waited: float, *, estimated: bool = False) -> Interval:
    end = BEGIN + (number + 1) * 1_000_000
    ranges = ((2048, 4096, events),) if events else ()
    return Interval(name, Unit.US, end - 1_000_000, end, 1.0, ranges, waited, estimated=estimated)


def window_of(filled: Sequence[int], *, estimated: bool = False) -> Window:
    """Reads that stall, and a lock that waits to the end of the stalls that are ``filled``."""
    rng, window = np.random.default_rng(1), Window()
    stalled = {begin + place for begin in STALLS for place in range(LENGTH)}
    ends = {begin + LENGTH for begin in filled}
    for number in range(SECONDS):
        events = 0 if number in stalled else int(rng.poisson(300))
        window.add(second("reads", number, events, events * 3e-3))
        window.add(second("lock", number, int(number in ends), 3.2 * (number in ends), estimated=estimated))
        window.add(second("other", number, 5, 0.015))
    return window


def said(window: Window) -> tuple[list[str], tuple[str, ...]]:
    """The sentences about stalls among the moments, and what is said of all of them."""
    commentary = Commentary(timezone.utc, meanwhile=stalls_explained(window))
    moments = commentary.moments(window["reads"], MarkList())
    reading = commentary.reading(("reads",), window.select("reads", 60), window["reads"])
    return [one.what for one in moments if one.what.startswith("stall")], reading.recurring


def reported(window: Window) -> list[str]:
    series = [series_data(one, "waits", "", select_between(window[one], None, None)) for one in window.by_time_waited()]
    return [one.text for one in find_all(series, timezone.utc).meaning if one.kind == "stalls"]


@pytest.mark.parametrize("filled", [STALLS, STALLS[:4]])
def test_each_stall_says_what_waits_meanwhile(filled: Sequence[int]) -> None:
    window = window_of(filled)
    stalls, recurring = said(window)
    assert len(stalls) == len(STALLS)
    assert sum(one.endswith(", while lock waits") for one in stalls) == len(filled)
    assert recurring[:1] == tuple(reported(window))
    assert recurring[0] == f"reads stalls while lock waits: in {len(filled)} of 5 stalls"


@pytest.mark.parametrize(("filled", "estimated"), [(STALLS[:3], False), (STALLS, True), ((), False)])
def test_nothing_is_said_where_the_report_says_nothing(filled: Sequence[int], estimated: bool) -> None:
    window = window_of(filled, estimated=estimated)
    stalls, recurring = said(window)
    assert len(stalls) == len(STALLS)
    assert not any("while" in one for one in stalls)
    assert not any("stalls while" in one for one in recurring)
    assert reported(window) == []


def test_of_one_series_nothing_else_is_known() -> None:
    window = window_of(STALLS)
    stalls = [one for one in Commentary(timezone.utc).moments(window["reads"], MarkList()) if "stall" in one.what]
    assert not any("while" in one.what for one in stalls)


def test_a_page_says_it_as_well() -> None:
    content = page_content(window_of(STALLS), MarkList(), Viewpoint(), timezone.utc)
    reads = next(one for one in content.series if one.history.name == "reads")
    stalls = [one.what for one in reads.moments if one.what.startswith("stall")]
    assert len(stalls) == len(STALLS)
    assert all(one.endswith(", while lock waits") for one in stalls)


def test_a_page_of_many_series_says_it_of_those_that_waited_most() -> None:
    """Series that hardly wait change nothing of it, and the last of many that stalls has nothing said of it."""
    window = window_of(STALLS)
    stalled = {begin + place for begin in STALLS for place in range(LENGTH)}
    for number in range(SECONDS):
        for name in range(MOST_WAITING):
            events = 0 if number in stalled else 100
            window.add(second(f"small {name}", number, events, events * 1e-6))
    content = page_content(window, MarkList(), Viewpoint(), timezone.utc)
    told = {
        one.history.name: [moment.what for moment in one.moments if "stall" in moment.what] for one in content.series
    }
    assert len(told["reads"]) == len(STALLS)
    assert all(one.endswith(", while lock waits") for one in told["reads"])
    last = told[window.by_time_waited()[-1]]
    assert len(last) == len(STALLS)
    assert not any("while" in one for one in last)

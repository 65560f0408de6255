"""What was taken for what, in words: a wrong guess is not to be missed."""

from __future__ import annotations

from datetime import datetime, timezone
from decimal import Decimal

from ...record import Clock
from .header import Layout, Place
from .names import date_among, other_latencies
from .values import Meaning, Moment

ALL = "all"
"""The series of a table whose events are all of one kind."""
_WORDS = {Decimal(1): "s", Decimal("0.001"): "ms", Decimal("0.000001"): "us", Decimal("0.000000001"): "ns"}


def told(layout: Layout, meaning: Meaning, moment: Moment, latency: Decimal, unit: Decimal) -> list[str]:
    """The messages, with what stands in the first row: when, and how many of which unit."""
    at = "start" if layout.starts else "end"
    date = f"{_name(layout.time.date, layout)} with " if layout.time.date else ""
    series = ", ".join(_name(place, layout) for place in layout.by) or f"{ALL!r}, for --by names no column"
    names = [
        f"time is {date}{_name(layout.time, layout)}: {meaning.what}, the {at} of each event",
        f"latency is {_name(layout.latency, layout)}, in {unit_word(unit)}; series: {series}",
        f"first row: {_clock(moment)}, {latency:f} {unit_word(unit)}",
    ]
    if unused := _unused_date(layout, moment):
        names.append(
            f"column {unused!r} is not used; --time {unused},{layout.time.name} takes it for the date of each time"
        )
    others = [] if layout.nameless else other_latencies(layout.names, {layout.time.at, layout.latency.at})
    return [*names, f"not drawn: {', '.join(others)}; --latency chooses another column"] if others else names


def unit_word(unit: Decimal) -> str:
    """``us``, or how many seconds it is."""
    return _WORDS.get(unit.normalize(), f"units of {unit:f} s")


def _unused_date(layout: Layout, moment: Moment) -> str:
    """The name of a column with dates beside times of day; empty where there is none."""
    if layout.nameless or moment.clock is not Clock.DAY:
        return ""
    place = date_among(layout.names, layout.time.at)
    return "" if place is None else layout.names[place]


def _name(place: Place, layout: Layout) -> str:
    return f"column {place.at + 1}" if layout.nameless else f"column {place.name!r}"


def _clock(moment: Moment) -> str:
    if moment.clock is Clock.EPOCH:
        return datetime.fromtimestamp(moment.micros / 1e6, timezone.utc).isoformat(timespec="milliseconds")
    return f"{moment.micros / 1e6:.6f} s" + (" after midnight" if moment.clock is Clock.DAY else "")

"""What was found of the events that were asked for, so far or in the end: small values, and their form in JSON."""

from __future__ import annotations

from typing import Any, NamedTuple

SCHEMA = "pylatencymap-events"
VERSION = 1
"""Of the schema: raised if a field changes its meaning or goes; new fields do not raise it."""


FEW_VALUES = 20


class Amount(NamedTuple):
    """A number of events, and the seconds that they waited together."""

    events: int = 0
    waited: float = 0.0


class FoundValue(NamedTuple):
    """One value of a key with the exact sums of its events. ``note`` explains the value, as a statement's text does."""

    value: str
    amount: Amount
    note: str = ""


class FoundKey(NamedTuple):
    """A key: the values with most time waited, most first, and the sums of all others.

    ``others`` are the events with other values, of which there are ``more``, or at least so many if ``at_most`` is set.
    ``without`` are the events that say nothing of this key. ``at_most`` is set, in seconds, if there were so many
    values that not all could be kept: no value that is missing here waited longer, and the sums of those that are here
    are exact all the same.
    """

    name: str
    values: tuple[FoundValue, ...]
    others: Amount
    more: int
    without: Amount
    at_most: float | None = None

    @property
    def is_flat(self) -> bool:
        """Whether it has a value for nearly each event: then it says where each of them was, and not who they were."""
        number = len(self.values) + self.more
        events = sum(value.amount.events for value in self.values) + self.others.events
        return number > FEW_VALUES and 2 * number > events


class FoundLine(NamedTuple):
    """An event with its line: the number, the text, and what it says. ``end`` is in epoch microseconds, ``waited`` in
    seconds. ``is_cut``: the line is longer than the text. ``file``: its file, where there are several.
    """

    number: int
    text: str
    series: str
    waited: float
    end: int
    keys: tuple[tuple[str, str], ...] = ()
    is_cut: bool = False
    file: str = ""


class EventsFound(NamedTuple):
    """What was found until now. It is final if ``is_complete``; until then the sums are those of a part of the file.

    total       all events that were asked for
    estimated   the source cut latencies off, so that the time waited is an estimate
    doubtful    the number of events whose time no other event confirms
    series      the sums by series; all others follow by key, those with several values first
    not_asked   the names of keys that were found and not asked for
    lines       the events that took longest, longest first, at most tally.MOST_LINES
    span        begin and end of all events of the file, wanted or not, in epoch microseconds; None without events
    has_clock   whether the times are real ones
    note        what the answer covers, if that is not all of the input
    seen        how many of the events that were asked for a sample has seen; None if it is no sample
    done, size  bytes of the file that have been read, and all of them
    """

    total: Amount = Amount()
    estimated: bool = False
    doubtful: int = 0
    series: FoundKey = FoundKey("series", (), Amount(), 0, Amount())
    keys: tuple[FoundKey, ...] = ()
    keys_left_out: int = 0
    not_asked: tuple[str, ...] = ()
    lines: tuple[FoundLine, ...] = ()
    span: tuple[int, int] | None = None
    has_clock: bool = True
    done: int = 0
    size: int = 0
    is_complete: bool = False
    note: str = ""
    seen: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """The values for JSON. docs/events.md describes the fields."""
        return {
            **_amount(self.total),
            "estimated": self.estimated,
            "doubtful": self.doubtful,
            "clock": self.has_clock,
            "series": _key(self.series, self.total),
            "keys": [_key(key, self.total) for key in self.keys],
            "keys_left_out": self.keys_left_out,
            "lines": [_line(line) for line in self.lines],
            "lines_left_out": self.total.events - len(self.lines),
        }


def _amount(amount: Amount) -> dict[str, Any]:
    return {"events": amount.events, "time": amount.waited}


def _key(key: FoundKey, total: Amount) -> dict[str, Any]:
    return {
        "key": key.name,
        "values": [_value(value, total) for value in key.values],
        "others": {**_amount(key.others), "values": key.more},
        "without": _amount(key.without),
        "at_most": key.at_most,
    }


def _value(value: FoundValue, total: Amount) -> dict[str, Any]:
    share = value.amount.waited / total.waited if total.waited else None
    note = {"note": value.note} if value.note else {}
    return {"value": value.value, **_amount(value.amount), "share": share, **note}


def _line(line: FoundLine) -> dict[str, Any]:
    return {
        "line": line.number,
        "text": line.text,
        "cut": line.is_cut,
        "series": line.series,
        "latency": line.waited,
        "end": line.end / 1e6,
        "keys": dict(line.keys),
    }

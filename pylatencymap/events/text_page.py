"""What was found, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, tzinfo
from typing import NamedTuple

from ..number_text import others_words, percent_text, range_words, waiting_words
from ..text import fit, moment_text, text_width
from .found import Amount, EventsFound, FoundKey
from .question import EventQuestion

LEAST_COLUMNS, WIDEST = 60, 100
"""A page may be wider, but not its tables."""
_INDENT = "  "
_FEW = 3
"""Values of a key that has one for nearly each event."""
_FIGURES = 34
"""Columns of the numbers behind a value."""
WITHOUT = "not said"


class PageOptions(NamedTuple):
    """``columns`` of the page, None where lines may be of any length; the zone of its times, and how many lines of the
    file it shows.
    """

    columns: int | None
    tz: tzinfo | None
    lines: int


def events_page(name: str, question: EventQuestion, found: EventsFound, options: PageOptions) -> str:
    """The page: what was asked, the sums, the keys, and the lines of the events that took longest."""
    columns = options.columns and max(options.columns, LEAST_COLUMNS)
    lines = [*_head(name, question, found, options), *_keys(found, min(columns or WIDEST, WIDEST))]
    lines += _worst(found, options.lines)
    return "\n".join(line if columns is None else fit(line, columns) for line in lines) + "\n"


def _head(name: str, question: EventQuestion, found: EventsFound, options: PageOptions) -> Iterator[str]:
    yield name
    asked = [*_when(question, found, options.tz), *_latencies(question)]
    if asked:
        yield ", ".join(asked)
    total = found.total
    estimated = ", estimated" if found.estimated else ""
    sampled = "" if found.seen is None else ": seen by samples, which is some of the waits"
    yield f"{_events(total)}, {waiting_words(total.waited)} waited{estimated}{sampled}"
    if found.seen is not None and found.note:
        yield found.note
    if found.doubtful:
        yield f"{found.doubtful} of them with a time that no other event confirms"


def _events(amount: Amount) -> str:
    return "1 event" if amount.events == 1 else f"{amount.events:,} events"


def _when(question: EventQuestion, found: EventsFound, tz: tzinfo | None) -> Iterator[str]:
    """The time that was asked for, or all of it."""
    if question.first is None and question.last is None:
        return
    span = found.span or (question.first or 0, question.last or 0)
    first = span[0] if question.first is None else question.first
    last = span[1] if question.last is None else question.last
    ends, names = [moment_text(one, tz) for one in (first, last)], [_zone_of(one, tz) for one in (first, last)]
    apart = f" {names[0]}" if names[0] != names[1] else ""
    yield f"{ends[0]}{apart} to {ends[1]} {names[1]}".rstrip()


def _zone_of(micros: int, tz: tzinfo | None) -> str:
    """What the zone is called at a moment; empty for one without a clock."""
    if moment_text(micros, tz).startswith("+"):
        return ""
    return datetime.fromtimestamp(micros // 1_000_000, tz).astimezone(tz).tzname() or ""


def _latencies(question: EventQuestion) -> Iterator[str]:
    if question.low > 0 or question.high is not None:
        yield range_words(question.low, float("inf") if question.high is None else question.high)


def _keys(found: EventsFound, columns: int) -> Iterator[str]:
    keys = [found.series, *found.keys]
    several = [key for key in keys if len(key.values) + key.more > 1 or key.at_most is not None]
    single = [key for key in keys if key not in several]
    for key in several:
        yield ""
        yield from _key(key, found.total, columns)
    if single:
        yield ""
        yield _row("one value each", "events", "waited", "share", columns)
    for key in single:
        for value in key.values:
            yield _amount_row(f"{key.name}  {value.value}", value.amount, found.total, columns)
            if value.note:
                yield f"{_INDENT * 2}{value.note}"
    if found.keys_left_out:
        yield f"{found.keys_left_out} more keys are left out: --by KEY chooses"


def _key(key: FoundKey, total: Amount, columns: int) -> Iterator[str]:
    shown = key.values[: _FEW if key.is_flat else len(key.values)]
    hidden = key.values[len(shown) :]
    rest = Amount(
        key.others.events + sum(value.amount.events for value in hidden),
        key.others.waited + sum(value.amount.waited for value in hidden),
    )
    yield _row(key.name, "events", "waited", "share", columns)
    for value in shown:
        yield _amount_row(value.value, value.amount, total, columns)
        if value.note:
            yield f"{_INDENT * 2}{value.note}"
    if rest.events:
        others = others_words(key.more + len(hidden), at_least=key.at_most is not None)
        yield _amount_row(others, rest, total, columns)
    if key.without.events:
        yield _amount_row(WITHOUT, key.without, total, columns)
    if key.at_most is not None:
        yield f"{_INDENT}too many values to keep: each of the others waited {waiting_words(key.at_most)} at most"


def _amount_row(name: str, amount: Amount, total: Amount, columns: int) -> str:
    share = percent_text(amount.waited / total.waited) if total.waited else ""
    return _row(_INDENT + name, f"{amount.events:,}", waiting_words(amount.waited), share, columns)


def _row(name: str, events: str, waited: str, share: str, columns: int) -> str:
    width = columns - _FIGURES
    named = fit(name, width)
    return f"{named}{' ' * (width - text_width(named))}{events:>12}{waited:>12}{share:>10}"


def _worst(found: EventsFound, most: int) -> Iterator[str]:
    shown = found.lines[:most]
    if not shown:
        return
    yield ""
    are_lines = found.seen is None
    yield f"the {_longest(len(shown))}{', by line' if are_lines else ''}"
    numbers = [f"{line.number}  " if are_lines else "" for line in shown]
    digits = max(map(len, numbers))
    for number, line in zip(numbers, shown, strict=True):
        yield f"{_INDENT}{number:>{digits}}{waiting_words(line.waited):>8}  {line.text}"


def _longest(number: int) -> str:
    return "event that took longest" if number == 1 else f"{number} events that took longest"

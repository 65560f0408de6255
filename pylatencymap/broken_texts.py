"""What is made of a text that breaks off: what it breaks off in is left out, and counts with the break."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from .collector import Collector, Known
from .record import Decoded, Record, Tick, lost_record
from .report import Report
from .text.lines import Lines

Fed = TypeVar("Fed")
Item = TypeVar("Item")

_SNAPSHOT = "the text breaks off in this snapshot, or right behind it; it is left out"
_RECORD = "the text breaks off in this record, or right behind it; it is left out"


def decode_lines(collector: Collector, lines: Lines, report: Report, known: Known) -> Iterator[Decoded]:
    """What a collector makes of the lines of a text; see ``decode_to_break``."""
    return decode_to_break(lambda fed: collector.decode(fed, report, known), lines, report, live=known.live)


def decode_to_break(
    decode: Callable[[Iterator[Fed]], Iterable[Item]], text: Iterable[Fed], report: Report, *, live: bool
) -> Iterator[Item]:
    """What ``decode`` makes of a text.

    Where a text breaks off (``Report.is_broken``), nobody knows what is missing of the snapshot that was printed last:
    a row, or a series, which would count as idle. So that snapshot is left out, or if it is the only one, its last
    record. Of a ``live`` text it has been drawn already, all but that record. Single events are whole lines, and count.
    What the decoder says of a record that it leaves out by itself is shown, but was counted with the break.
    """

    def fed() -> Iterator[Fed]:
        yield from text
        report.at_break = report.is_broken

    held, is_first = list[Item](), True
    try:
        for item in decode(fed()):
            if isinstance(item, Tick) and not (item.implied or live or report.at_break):
                yield from held
                is_first, held = not held and is_first, [item]
            elif held or report.at_break:
                held.append(item)
            else:
                yield item
    finally:
        is_broken, report.at_break = report.at_break, False
    yield from _before_break(held, report, is_only=is_first) if is_broken else held


def _before_break(last: list[Any], report: Report, *, is_only: bool) -> Iterator[Any]:
    """What counts of the last snapshot, and of what came because the text ended."""
    first = last[0] if last else None
    if isinstance(first, Tick) and not is_only:
        report.note(first.line, _SNAPSHOT)
        yield from (item for item in last if not isinstance(item, Record | Tick))
        return
    records = [place for place, item in enumerate(last) if isinstance(item, Record)]
    if records and not report.said_at_break:
        torn = last[records[-1]]
        report.note(torn.line, _RECORD)
        last[records[-1]] = lost_record(torn)
    yield from last

"""Parses the text of one record, from ``<begin record>`` to ``<end record>``."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from ..record import Bound, Stamp
from ..report import Report
from ..text.lines import Line
from .bounds import is_power_of_two
from .limits import MAX_COUNT, MAX_LABEL
from .stamps import read_stamp
from .syntax import extension_of, is_begin, is_end

MAX_LINES = 10_000
"""Longest record, in lines; later buckets are skipped."""
PLAIN_DIGITS = 38
"""A count with at most this many digits is certainly below MAX_COUNT."""
MAX_SHOWN = 60
"""How much of a bad line a message shows, in characters."""

MOST_SAID = 1000
"""Most lines that ``said`` keeps: a source can invent new labels for ever."""
_REPEATED = {"label": "label", "latencyunit": "unit", "datasource": "datasource"}
_PLAIN_LABELS = {str(1 << power): 1 << power for power in range(64)}


@dataclass(slots=True)
class RecordText:
    """The parsed lines of one record.

    ``odd``: the line numbers of labels that are no powers of two and so are valid only in some sources.
    ``full``: the record is longer than MAX_LINES, and this was reported.
    ``noise``: the number of the last line that could not be used; 0 if there is none.
    """

    line: int
    counters: dict[Bound, Bound] = field(default_factory=dict)
    odd: dict[Bound, int] = field(default_factory=dict)
    stamp: Stamp | None = None
    label: str = ""
    unit: str = ""
    datasource: str = ""
    arrival: float | None = None
    full: bool = False
    noise: int = 0


def read_record_text(
    stream: Iterator[Line], begin: Line, report: Report, said: dict[str, tuple[str, str]]
) -> tuple[RecordText | None, Line | None]:
    """The record that begins at a line; (None, line) if another record begins before its end, (None, None) at EOF.

    ``said`` keeps the lines that every record repeats, each with the attribute and the value that it sets.
    """
    block = RecordText(begin.number)
    counters, number, last = block.counters, begin.number, begin.number + MAX_LINES
    plain_label = _PLAIN_LABELS.get
    for line in stream:
        number, text, arrival = line
        label, _, count_text = text.partition(",")
        bucket = plain_label(label)
        # The fast path for most lines: no sign, no blank, and few enough digits that the count is not too large.
        if (
            bucket is not None
            and count_text.isdecimal()
            and count_text.isascii()
            and len(count_text) <= PLAIN_DIGITS
            and number <= last
        ):
            if bucket in counters:
                counters[bucket] += int(count_text)
            else:
                counters[bucket] = int(count_text)
            continue
        if text in said:
            setattr(block, *said[text])
            continue
        if "<" in text or "#" in text:
            if is_end(text):
                block.arrival = arrival
                return block, None
            if is_begin(text) or extension_of(text) is not None:
                report.bad(begin.number, "a record without <end record>; it is dropped")
                return None, line
        _take(block, line, report)
        attribute = _REPEATED.get(label)
        if attribute is not None and len(said) < MOST_SAID:
            said[text] = attribute, getattr(block, attribute)
    # If the last line was cut off, it has already been reported and counted as bad.
    tell = report.note if block.noise == number else report.bad
    tell(begin.number, "the input ends within a record; it is dropped")
    return None, None


def _take(block: RecordText, line: Line, report: Report) -> None:
    """Parse any line that is no plain bucket line: metadata, a bucket in another notation, or noise."""
    key, comma, value = line.text.partition(",")
    key, value = key.strip().lower(), value.strip()
    try:
        if comma and not _metadata(block, key, value) and not _bucket(block, key, value, line.number):
            raise ValueError("neither a bucket nor known metadata")
        if key and not comma:
            raise ValueError("noise within a record")
    except ValueError as error:
        block.noise = line.number
        shown = line.text.strip()
        shown = shown if len(shown) <= MAX_SHOWN else shown[:MAX_SHOWN] + "..."
        report.bad(line.number, f"{error}: {shown!r}; the line is skipped")


def _metadata(block: RecordText, key: str, value: str) -> bool:
    if key == "timestamp":
        block.stamp = None
        block.stamp = read_stamp(value)
    elif key == "label":
        block.label = value
    elif key == "latencyunit":
        block.unit = value
    elif key == "datasource":
        block.datasource = value
    else:
        return False
    return True


def _bucket(block: RecordText, key: str, value: str, line: int) -> bool:
    """Add a bucket to the record; False if the key is no number. Raises ValueError for a bad label or count."""
    label = _number(key)
    if label is None:
        return False
    if line > block.line + MAX_LINES:
        if not block.full:
            block.full = True
            raise ValueError(f"more than {MAX_LINES} lines in a record, the rest of its buckets is skipped")
        return True
    count = _number(value)
    if count is None or not 0 <= count < MAX_COUNT:
        raise ValueError("no count of 0 or more")
    if not 0 <= label <= MAX_LABEL:
        raise ValueError("no bucket label")
    if label and not is_power_of_two(label):
        block.odd.setdefault(label, line)
    block.counters[label] = block.counters.get(label, 0) + count
    return True


def _number(text: str) -> Bound | None:
    """Parse a number as SQL, awk and C print it; an int if it is whole. Only Python allows underscores and digits of
    other scripts, so they are refused.
    """
    if "_" in text or not text.isascii():
        return None
    with suppress(ValueError):
        return int(text)
    with suppress(ValueError):
        number = float(text)
        return int(number) if number.is_integer() else number
    return None

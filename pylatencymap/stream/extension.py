"""Reads and writes the ``#lmap`` line: JSON with what the plain text of a record cannot express."""

from collections.abc import Mapping
from contextlib import suppress
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from ..record import SELECTION, Bound, Clock, Mark, NamedTime, Range, Semantics, Stamp, tidy_totals
from ..text.clean import printable
from ..units import Unit
from .limits import LONGEST, MAX_COUNT, MAX_LABEL, MAX_TEXT, MOST_EPOCH, is_on_axis
from .record_text import MAX_LINES
from .stamps import clock_flags, flagged
from .syntax import EXTENSION, RESERVED_FLAGS, VERSION

if TYPE_CHECKING:
    from json import JSONEncoder

Fields: TypeAlias = Mapping[str, object]


class Extension(NamedTuple):
    """What an ``#lmap`` line says about the record that follows it. A field that the line omits keeps its default."""

    series: str | None = None
    label: str | None = None
    source: str | None = None
    unit: Unit | None = None
    semantics: Semantics = Semantics.CUMULATIVE
    buckets: tuple[Range, ...] | None = None
    waited: float | None = None
    start: int | None = None
    seconds: float | None = None
    flags: frozenset[str] = frozenset()
    note: str = ""
    final: bool = False
    silent: tuple[int, int] | None = None
    part: bool | None = None


class EmptySnapshot(NamedTuple):
    """A line of its own: a snapshot in which no series has a record. The fields are those of its tick."""

    stamp: Stamp
    start: int | None
    silent: tuple[int, int] | None
    part: bool


NAMES = ("A", "B", SELECTION)
"""What a mark can name; one that names something else is a note."""
NO_EXTENSION = Extension()
NO_FLAGS: frozenset[str] = frozenset()
"""Shared by most records: a set of its own would take 200 bytes in each record that is kept."""


REPEATED_LENGTH = 400
"""Characters of a line that most records of a series repeat, but for the start; longer ones hold data of their own."""
_START = ', "start": '
_START_DIGITS = 16
"""Of a number that is below MOST_EPOCH for certain."""


def parse_extension(text: str) -> Extension | Mark | EmptySnapshot:
    """Parse the JSON text of a line: an extension, or what stands alone. Raises ValueError with the reason."""
    if len(text) > REPEATED_LENGTH:
        return _parsed(text)
    head, _, start = text.rpartition(_START)
    digits = start[:-1]
    if head and start.endswith("}") and digits.isdecimal() and digits.isascii() and len(digits) <= _START_DIGITS:
        # The text is an object whose last field is a start if it is an object without that too.
        with suppress(ValueError):
            known = _repeated(head + "}")
            if digits[0] != "0" and isinstance(known, Extension):
                return known._replace(start=int(digits))
    return _repeated(text)


def _parsed(text: str) -> Extension | Mark | EmptySnapshot:
    fields = _object(text)
    version = fields.get("v")
    if type(version) is not int or version != VERSION:
        raise ValueError(f"version {version!r} of the #lmap line; this program knows version {VERSION}")
    if "snapshot" in fields:
        return _snapshot(fields)
    return _mark(fields) if "mark" in fields else _extension(fields)


_repeated = lru_cache(maxsize=1024)(_parsed)


def write_extension(fields: Fields) -> str:
    """The extension line for some fields, with its line end."""
    return f"{EXTENSION} {_encoder().encode({'v': VERSION, **fields})}\n"


@cache
def _encoder() -> "JSONEncoder":
    import json

    return json.JSONEncoder(allow_nan=False)


def write_mark(mark: Mark) -> str:
    """The extension line for a mark, with its line end."""
    fields: dict[str, object] = {"mark": printable(mark.note, MAX_TEXT), "at": mark.stamp.micros}
    if mark.series:
        fields["series"] = mark.series
    if isinstance(mark, NamedTime):
        told = {"names": mark.name, "begin": mark.begin, "low": mark.low, "high": mark.high}
        fields.update({key: value for key, value in told.items() if value is not None})
    if flags := clock_flags(mark.stamp):
        fields["flags"] = sorted(flags)
    return write_extension(fields)


def write_empty_snapshot(snapshot: EmptySnapshot) -> str:
    """The extension line for a snapshot without records, with its line end."""
    fields: dict[str, object] = {"snapshot": snapshot.stamp.micros}
    if snapshot.start is not None:
        fields["start"] = snapshot.start
    if snapshot.silent is not None:
        fields["silent"] = list(snapshot.silent)
    if snapshot.part:
        fields["part"] = True
    if flags := clock_flags(snapshot.stamp):
        fields["flags"] = sorted(flags)
    return write_extension(fields)


def _object(text: str) -> Fields:
    """The fields in a JSON text. The text begins with a brace, so valid JSON can only be an object."""
    import json

    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"no valid JSON in an #lmap line: {error}") from error
    return cast("Fields", fields)


def _mark(fields: Fields) -> Mark:
    at = _whole(fields, "at")
    if at is None or not is_on_axis(at):
        raise ValueError('a mark without its time "at" in an #lmap line')
    stamp = flagged(Stamp(at, Clock.EPOCH), _flags(fields))
    note, series = _text(fields, "mark") or "", _text(fields, "series") or ""
    name, begin = _text(fields, "names"), _whole(fields, "begin")
    if name not in NAMES or begin is None:
        return Mark(stamp, note, series)
    if not is_on_axis(begin) or begin >= at:
        raise _unusable("begin")
    low, high = (_quantity(fields, key, MAX_LABEL) for key in ("low", "high"))
    return NamedTime(stamp, note, series, name, begin, low, high)


def _snapshot(fields: Fields) -> EmptySnapshot:
    at = _whole(fields, "snapshot")
    if at is None or not is_on_axis(at):
        raise _unusable("snapshot")
    stamp = flagged(Stamp(at, Clock.EPOCH), _flags(fields))
    return EmptySnapshot(stamp, _whole(fields, "start"), _silent(fields), _truth(fields, "part") or False)


def _extension(fields: Fields) -> Extension:
    return Extension(
        series=_text(fields, "series"),
        label=_text(fields, "label"),
        source=_text(fields, "source"),
        unit=_unit(fields),
        semantics=_semantics(fields),
        buckets=_buckets(fields),
        waited=_quantity(fields, "time", MAX_COUNT),
        start=_whole(fields, "start"),
        seconds=_quantity(fields, "seconds", LONGEST),
        flags=_flags(fields),
        note=_text(fields, "note") or "",
        final=_truth(fields, "final") or False,
        silent=_silent(fields),
        part=_truth(fields, "part"),
    )


def _unusable(key: str) -> ValueError:
    return ValueError(f'"{key}" is not as docs/stream.md specifies in an #lmap line')


def _text(fields: Fields, key: str) -> str | None:
    value = fields.get(key)
    if value is not None and not isinstance(value, str):
        raise _unusable(key)
    return None if value is None else printable(value, MAX_TEXT)


def _whole(fields: Fields, key: str) -> int | None:
    value = fields.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not -MOST_EPOCH < value < MOST_EPOCH:
        raise _unusable(key)
    return value


def _truth(fields: Fields, key: str) -> bool | None:
    value = fields.get(key)
    if value is not None and not isinstance(value, bool):
        raise _unusable(key)
    return value


def _silent(fields: Fields) -> tuple[int, int] | None:
    value = fields.get("silent")
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2 or not all(type(one) is int and is_on_axis(one) for one in value):
        raise _unusable("silent")
    return value[0], value[1]


def _quantity(fields: Fields, key: str, limit: int) -> float | None:
    value = fields.get(key)
    if value is not None and not _within(value, limit):
        raise _unusable(key)
    return cast("float | None", value)


def _within(value: object, limit: int) -> bool:
    """Whether a JSON value is a number from 0 to a limit. False for anything that is no number, and for infinity."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= limit


def _unit(fields: Fields) -> Unit | None:
    value = fields.get("unit")
    if value is None:
        return None
    try:
        return Unit(value)
    except ValueError:
        raise _unusable("unit") from None


def _semantics(fields: Fields) -> Semantics:
    word = fields.get("counts", "cumulative")
    if word not in ("cumulative", "interval"):
        raise _unusable("counts")
    return Semantics(word)


def _flags(fields: Fields) -> frozenset[str]:
    values = fields.get("flags")
    if values is None:
        return frozenset()
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise _unusable("flags")
    return frozenset(printable(value) for value in values)


def _buckets(fields: Fields) -> tuple[Range, ...] | None:
    entries = fields.get("buckets")
    if entries is None:
        return None
    if not isinstance(entries, list) or len(entries) > MAX_LINES:
        raise _unusable("buckets")
    return tidy_totals([_range(entry) for entry in entries])


def _range(entry: object) -> Range:
    if not isinstance(entry, list) or len(entry) != 3:
        raise _unusable("buckets")
    lower, upper, count = cast("list[Bound]", entry)
    bounded = upper is None or (_within(upper, 2 * MAX_LABEL) and _within(lower, MAX_LABEL) and lower < upper)
    if not (bounded and _within(lower, MAX_LABEL) and _within(count, MAX_COUNT)):
        raise _unusable("buckets")
    return lower, upper, count


def record_flags(flags: frozenset[str]) -> frozenset[str]:
    """The flags that belong to the record, without those of its stamp."""
    return flags - RESERVED_FLAGS or NO_FLAGS

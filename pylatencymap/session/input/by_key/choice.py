"""Looks through the files of a run for the values of a key that waited most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias

from ....errors import Refused, SourceError
from ....intervals import NO_EVENTS, ChosenValues, Division, LatestValues, Summing, ValueSums, sum_values, within_limits
from ....record import Clock, Sample
from ....report import Report
from ....text.clean import printable
from ..large_files import sum_values_of_large_file
from ..pipeline import recognised
from ..plan import ReadPlan, RecognisedText
from ..rolled.followed_log import FollowedLog
from ..rolled.log import RolledLog
from ..source import Source

Bounds: TypeAlias = "tuple[int | None, int | None]"
LOOKED_AT = 2_000
"""So many events show which keys there are."""
MOST_NAMED = 30
MOST_FILES = 3


def division_of(sources: Sequence[Source], plan: ReadPlan) -> Division | None:
    """How the events of the sources are divided; None if tables are divided by a column alone.

    All files are one: their values are ranked together. Those of a program in a pipe are ranked as they come. Raises
    Refused for sources without single events, and SourceError for a key that no event has.
    """
    for source in sources:
        _check_has_events(source, plan)
    asked = plan.divided_by
    if any(source.live for source in sources):
        return LatestValues(asked)
    sums, texts = ValueSums(), list[RecognisedText]()
    for source in sources:
        text = recognised(source, plan.afresh(), Report(source.name))
        if text is None or not text.known.keys:
            continue
        texts.append(text)
        sums = _with_values_of(text, plan, sums, _bounds(texts[0], plan))
        if source.stop.is_set:
            return None
    if not texts:
        return None
    if sums.has_no_value:
        raise SourceError(no_such_key([text.source.name for text in texts], _keys_in(texts), plan.by))
    return ChosenValues(asked, sums)


class FileValues(NamedTuple):
    """What the values of a key have waited in one file. ``keys``: if no event has the key, those that there are."""

    sums: ValueSums
    keys: Sequence[str] = ()


def values_of_file(source: Source, plan: ReadPlan) -> FileValues | None:
    """What a file says of the key of the plan, to be ranked together with other files; None if a column of a table
    names the series. Raises Refused for a source without single events.
    """
    _check_has_events(source, plan)
    text = recognised(source, plan.afresh(), Report(source.name))
    if text is None:
        return FileValues(ValueSums())
    if not text.known.keys:
        return None
    sums = _with_values_of(text, plan, ValueSums(), (None, None))
    return FileValues(sums, _keys_in([text]) if sums.has_no_value else ())


def _check_has_events(source: Source, plan: ReadPlan) -> None:
    if type(source) not in (Source, RolledLog, FollowedLog):
        raise Refused(NO_EVENTS.format(name=source.name, key=plan.by))


def _bounds(text: RecognisedText, plan: ReadPlan) -> Bounds:
    """The time that is wanted of files, of which this is the first one."""
    if plan.excerpt is None:
        return None, None
    first = next((one for one in _events_of(text) if isinstance(one, Sample)), None)
    return plan.excerpt.bounds(None if first is None or first.clock is not Clock.EPOCH else first.micros)


def _with_values_of(text: RecognisedText, plan: ReadPlan, sums: ValueSums, bounds: Bounds) -> ValueSums:
    """The sums with those of a file."""
    again = sums.copy()
    by = Summing(sums, plan.divided_by, plan.wants, *bounds)
    if sum_values_of_large_file(text, plan.jobs, by):
        return sums
    name = text.source.name
    sum_values(_events_of(text), by._replace(sums=again), name)
    return again


def _events_of(text: RecognisedText) -> Iterator[object]:
    report = Report(text.source.name)
    for event in within_limits(text.collector.decode(text.source.lines(), report, text.known), report):
        if text.source.stop.is_set:
            return
        yield event


def _keys_in(texts: Iterable[RecognisedText]) -> list[str]:
    """The keys of the first events."""
    names: dict[str, None] = {}
    for text in texts:
        for event in islice(_events_of(text), LOOKED_AT):
            if isinstance(event, Sample):
                names.update(dict.fromkeys(one.name for one in event.keys))
    return [*names]


def no_such_key(files: Sequence[str], keys: Iterable[str], key: str) -> str:
    """Says that no event of these files has a key, and which ``keys`` they have."""
    said = ", ".join(printable(name, 40) for name in islice(keys, MOST_NAMED))
    there_are = f"there are: {said}" if said else "its events have no keys" if len(files) == 1 else "they have no keys"
    named = ", ".join(files[:MOST_FILES]) + (f" and {len(files) - MOST_FILES} more" if files[MOST_FILES:] else "")
    return f"no event of {named} has the key {key}; {there_are}"

"""Episodes by place, and which of them belong together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from .bands import BandChange

PAUSE = 4
"""Columns between episodes that are one."""
MOSTLY = 0.5
"""The part of what is beside a change of the rate that is outside of an incident, or what is beyond that counts."""


class EpisodeKind(Enum):
    """What an episode is."""

    INCIDENT = "incident"
    """Something came and went, or was away and came back."""
    MOVE = "move"
    """A band moved, in several steps, and returned."""
    STEP = "step"
    """Something changed and stayed."""
    DRIFT = "drift"
    """It goes in one direction little by little."""
    STALL = "stall"
    """No events where many were due."""
    GAP = "gap"
    """No data."""
    RESET = "reset"
    """The source's counters began anew."""


@dataclass(frozen=True, slots=True)
class Level:
    """What a part of a recording is like. ``events``, ``share`` of all events and ``time_share`` of the time waited are
    those of the episode's latencies, of an episode of the rate those of all; ``rate`` is of all events per second,
    ``waited`` seconds waited per second.
    """

    events: float
    share: float
    time_share: float
    rate: float
    waited: float


@dataclass(frozen=True, slots=True)
class Zigzag:
    """What goes somewhere and comes back several ``times``. ``band``: what becomes of a band, None if events only come
    and go; ``shares`` of the span's octaves: where it comes from, and where it goes to; ``going`` and ``coming``,
    columns: how long it is on its way.
    """

    times: int
    band: BandChange | None
    shares: tuple[float, float]
    going: float
    coming: float


@dataclass(frozen=True)
class Span:
    """An episode as places in the columns with data: [first, last), of a step first = last.

    octaves        those that changed in the same direction, first and last + 1; None for the rate
    touched        from the first to the last + 1 of those that changed at all
    size           standard deviations
    before, after  the segments beside it
    reach          up to where it has consequences: what a stall held up completes behind it
    zigzag         how often it went and came back, if more than once
    """

    kind: EpisodeKind
    first: int
    last: int
    octaves: tuple[int, int] | None
    touched: tuple[int, int] | None
    size: float
    before: tuple[int, int] | None
    after: tuple[int, int] | None
    reach: int
    zigzag: Zigzag | None = None


@dataclass(frozen=True)
class Stretch:
    """Segments that are alike, by time; what lay between them was taken out."""

    parts: tuple[tuple[int, int], ...]

    @property
    def head(self) -> tuple[int, int]:
        return self.parts[0]

    @property
    def tail(self) -> tuple[int, int]:
        return self.parts[-1]

    @property
    def first(self) -> int:
        return self.head[0]

    @property
    def last(self) -> int:
        return self.tail[1]


PASSING = (EpisodeKind.INCIDENT, EpisodeKind.MOVE)
LASTING = (EpisodeKind.STEP, EpisodeKind.DRIFT)


def _same_change(one: Span, other: Span) -> bool:
    """Whether both are changes of the rate, or both of latencies."""
    return EpisodeKind.STALL not in (one.kind, other.kind) and (one.octaves is None) == (other.octaves is None)


def follows(one: Span, other: Span) -> bool:
    """Whether an episode begins where an earlier one ends, and at least one of them passes; what passes is stronger."""
    if not _same_change(one, other) or abs(other.first - one.last) > PAUSE:
        return False
    lasting = [abs(span.size) for span in (one, other) if span.kind not in PASSING]
    passing = [abs(span.size) for span in (one, other) if span.kind in PASSING]
    return bool(passing) and all(size < max(passing) for size in lasting)


def is_part(one: Span, whole: Span) -> bool:
    """Whether an episode inside another is part of it: the same kind of change, and much weaker, or weaker and in the
    same octaves.
    """
    if not _same_change(one, whole) or one.first < whole.first - PAUSE or one.last > whole.last + PAUSE:
        return False
    if abs(one.size) >= abs(whole.size) or whole.kind not in PASSING:
        return False
    if one.octaves is None or whole.touched is None or abs(one.size) < abs(whole.size) / 2:
        return True
    return one.octaves[0] < whole.touched[1] and whole.touched[0] < one.octaves[1]


def goes_on(one: Span, other: Span) -> bool:
    """Whether of two lasting changes of latencies, one of them a drift, the later begins before the other ends, or
    after a pause that is no longer than one of them, in octaves that both touch: a band that climbs leaves one after
    the other.
    """
    kinds = {one.kind, other.kind}
    if one.touched is None or other.touched is None or EpisodeKind.DRIFT not in kinds or not kinds <= {*LASTING}:
        return False
    near = other.first - one.last <= max(one.last - one.first, other.last - other.first, PAUSE)
    return near and other.touched[0] <= one.touched[1] and one.touched[0] <= other.touched[1]


def with_all_beside(span: Span, happened: Sequence[Span], columns: int) -> Span:
    """A change of latencies that passed, with all that is beside it, up to other changes of latencies and stalls that
    ``happened``: what it differs from is what was there just before and after, whatever parts a load that swings was
    divided into.
    """
    if span.kind not in PASSING or span.octaves is None:
        return span
    apart = [one for one in happened if one.octaves is not None or one.kind is EpisodeKind.STALL]
    others = [one for one in apart if one is not span]
    begin = max((one.last for one in others if one.last <= span.first), default=0)
    end = min((one.first for one in others if one.first >= span.last), default=columns)
    before = (begin, span.first) if begin < span.first else span.before
    after = (span.last, end) if span.last < end else span.after
    return replace(span, before=before, after=after)


def with_sides_beyond(span: Span, happened: Sequence[Span], columns: int) -> Span:
    """A change of the rate beside a change of latencies that passed, with what is beyond that: the rate meanwhile is
    one of its own, so that beside it a load that grows seems to rise and to fall, and what follows to last.
    """
    if span.octaves is not None or span.kind is EpisodeKind.STALL:
        return span
    before, after = span.before, span.after
    for one in happened:
        within = one.first + PAUSE < span.first <= span.last < one.last - PAUSE
        if one.kind not in PASSING or one.octaves is None or within:
            continue
        if before and one.first < before[1] and before[1] - max(before[0], one.last) < MOSTLY * (before[1] - before[0]):
            before = (max(one.first - (before[1] - before[0]), 0), one.first) if one.first else None
        if after and after[0] < one.last and min(after[1], one.first) - after[0] < MOSTLY * (after[1] - after[0]):
            after = (one.last, min(one.last + after[1] - after[0], columns)) if one.last < columns else None
    return replace(span, before=before, after=after)


def is_on_its_way(inside: Level, beside: Sequence[Level]) -> bool:
    """Whether the rate of a part lies between those of the parts beside it, as that of a load that grows: beside an
    incident, a piece of that is short enough to look like one of its own.
    """
    rates = [one.rate for one in beside]
    return len(rates) > 1 and min(rates) < inside.rate < max(rates)

"""Moments worth a look: what changed, gaps, resets, marks, and the column with the most time waited."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..moment_text import TimeWords
from ..number_text import RESET_WORDS, gap_words, length_words, percent_text, waiting_words
from ..record import Mark
from ..text.clean import printable
from ..units import format_latency

if TYPE_CHECKING:
    from ..findings import Change
    from ..window import Incident, Selection, WorstColumn

WORST_FACTOR = 3.0
"""A column is worth a look by itself from so many times the usual time waited per second on."""
FEWEST = 8
"""Columns with data; of fewer, none is told as the worst."""
SAME_COST = 1.1
"""Costs that differ by less are the same: they are estimates."""
RANKS = "123456789abcdefghijklmnopqrstuvwxyz"
"""Signs of those that have no capital letter, given in the order of their cost."""
ALL_THE_TIME = "all the time"


class NotableMoment(NamedTuple):
    """From ``begin`` to ``end``, epoch microseconds; both are the same for a step. ``when`` and ``what`` are words.

    sign      its sign on the axis: a capital letter, or one of RANKS; empty for what there are no RANKS left for
    cost      seconds waited more than the time around it would have had, less than 0 for a saving; None: not known
    low, high seconds, the latencies that it is about; None: all, or no bound
    """

    begin: int
    end: int
    sign: str
    when: str
    what: str
    cost: float | None = 0.0
    low: float | None = None
    high: float | None = None

    @property
    def cost_text(self) -> str:
        """What it cost, as a list has it."""
        if self.cost is None:
            return "not known"
        if self.cost < 0:
            return f"{waiting_words(-self.cost)} less waiting"
        return f"{waiting_words(self.cost)} of waiting" if self.cost else ""

    @property
    def cost_words(self) -> str:
        """The same as a clause of its sentence."""
        return self.cost_text if self.cost is not None and self.cost <= 0 else f"cost: {self.cost_text}"

    @property
    def is_ranked(self) -> bool:
        """Whether its sign says how costly it is."""
        return self.sign != "" and self.sign in RANKS


def moment_of_change(change: Change, when: str) -> NotableMoment:
    """A change of one series as a moment."""
    return NotableMoment(change.begin, change.end, "", when, change.text, change.cost or 0.0, change.low, change.high)


def moment_of_incident(incident: Incident, times: TimeWords) -> NotableMoment:
    """A gap or a reset, at its exact times."""
    begin, end = incident.start, incident.end
    if incident.gap:
        return NotableMoment(
            begin, end, "G", times.span(begin, end), gap_words(length_words((end - begin) / 1e6)), None
        )
    return NotableMoment(begin, end, "R", times.moment(begin), RESET_WORDS)


def moments_of(
    changes: Sequence[NotableMoment],
    marks: Iterable[Mark],
    selection: Selection,
    times: TimeWords,
    slo: Slo | None,
    given: GivenSigns | None = None,
) -> tuple[NotableMoment, ...]:
    """All of them, what cost most first. ``selection``: the columns of all that is kept; marks outside of them are left
    out. Where an SLO is missed in a time that is told as a change, the change says so. ``given``: the signs of what was
    told before, if something was.
    """
    given = GivenSigns() if given is None else given
    if slo is not None:
        changes = _with_crossings(changes, crossings_of(selection, slo, times), slo)
    marked = [
        NotableMoment(
            mark.stamp.micros, mark.stamp.micros, "M", times.moment(mark.stamp.micros), f'mark "{printable(mark.note)}"'
        )
        for mark in marks
        if times.begin < mark.stamp.micros <= times.end
    ]
    worst = _worst(selection, times, changes)
    told = any(_covers(change, worst) for change in changes if not _is_always(change)) if worst is not None else True
    known = [] if worst is None or told else [worst]
    ordered = as_before(sorted([*changes, *known, *marked], key=_order), given.told)
    return given.signed(ordered, times.end, round(times.width * 1e6))


# Which sign each has.


STAYS = 30
"""For so many columns the sign of what is not told any more is given to nothing else: it may be told again."""
NEAR = 3
"""Columns by which the beginning of a moment may be found elsewhere when it is looked for again."""


class GivenSigns:
    """The signs that were given so far: what is told again keeps its sign, whatever else is found or costs more."""

    def __init__(self) -> None:
        self.told: tuple[NotableMoment, ...] = ()
        self._given: list[tuple[NotableMoment, int]] = []

    def signed(self, ordered: Sequence[NotableMoment], end: int, column: int) -> tuple[NotableMoment, ...]:
        """Moments, of which those without a letter get RANKS, as far as there are any: the one that they had, or the
        first that is free. ``end``: where the data end, and ``column``: how long a column is, microseconds.
        """
        signs = self._kept(ordered, column)
        stay = [(old, last) for old, last in self._given if old.sign not in signs and end - last <= STAYS * column]
        # Where signs run out, those of what is not told any more are given first to what is.
        taken = {*signs, *(old.sign for old, _ in stay)}
        free = iter([*(rank for rank in RANKS if rank not in taken), *(old.sign for old, _ in stay)])
        places = {place: sign for sign, place in signs.items()}
        self.told = tuple(
            one if one.sign else one._replace(sign=places[place] if place in places else next(free, ""))
            for place, one in enumerate(ordered)
        )
        ranked = [one for one in self.told if one.is_ranked]
        used = {one.sign for one in ranked}
        self._given = [*((one, end) for one in ranked), *(one for one in stay if one[0].sign not in used)]
        return self.told

    def _kept(self, ordered: Sequence[NotableMoment], column: int) -> dict[str, int]:
        """The place in ``ordered`` of what has each sign already: what is most alike first."""
        alike = [
            (score, -place, old.sign)
            for place, one in enumerate(ordered)
            if not one.sign
            for old, _ in self._given
            if (score := _alike(one, old, column)) > 0
        ]
        signs: dict[str, int] = {}
        for _, place, sign in sorted(alike, reverse=True):
            if sign not in signs and -place not in signs.values():
                signs[sign] = -place
        return signs


def _alike(one: NotableMoment, other: NotableMoment, column: int) -> float:
    """How likely both are the same moment, found again when there are more data; 0 if they are not. It is if it is most
    of the same time, or begins where the other did, for a step becomes a time when its end is known.
    """
    shared = _shared(one, other)
    begins = abs(one.begin - other.begin) <= NEAR * column
    if shared < SAME and not begins:
        return 0.0
    ends = begins and abs(one.end - other.end) <= NEAR * column
    return 1.0 + shared + ends + ((one.low, one.high) == (other.low, other.high))


def as_before(ordered: Sequence[NotableMoment], before: Sequence[NotableMoment]) -> list[NotableMoment]:
    """The same with those that cost the same in the order of ``before``, so that they do not go to and fro as costs are
    estimated anew with each new column.
    """
    found = [
        (one, next((place for place, old in enumerate(before) if _covers(one, old)), len(before))) for one in ordered
    ]
    for last in range(len(found) - 1, 0, -1):
        for place in range(last):
            (one, rank), (other, wanted) = found[place : place + 2]
            if wanted < rank and not (one.sign or other.sign) and _cost_the_same(one, other):
                found[place : place + 2] = found[place + 1], found[place]
    return [one for one, _ in found]


def _cost(moment: NotableMoment) -> float:
    return moment.cost or 0.0


def _cost_the_same(one: NotableMoment, other: NotableMoment) -> bool:
    """Whether the costs, or the savings, of both differ by so little that either may be the larger one."""
    if not (_cost(one) or _cost(other)):
        return one.end - one.begin == other.end - other.begin
    small, large = sorted((abs(_cost(one)), abs(_cost(other))))
    return _cost(one) * _cost(other) >= 0 and large <= SAME_COST * small


# Where an SLO begins and ceases to be missed.


class Slo(NamedTuple):
    """A latency in seconds that at most SLO_LIMIT of the events, which are called ``noun``, may exceed. ``between``
    returns the data between two moments.
    """

    latency: float
    noun: str
    between: Callable[[int, int], Selection]

    def words(self, share: float) -> str:
        """That this share is above it."""
        return f"{percent_text(share)} of {self.noun} are above the SLO of {format_latency(self.latency)}"

    def share_in(self, begin: int, end: int) -> float:
        """The share that is above it between two moments."""
        slow = self.between(begin, end).summary(self.latency).slow
        return 0.0 if slow is None else slow.events


SLO_LIMIT = 0.01
SAME = 0.5
"""A time in which it is missed is that of a change if they share this part of the longer one."""


def crossings_of(selection: Selection, slo: Slo, times: TimeWords) -> list[NotableMoment]:
    """The times in which more than SLO_LIMIT of the events are above an SLO, and outside of which fewer are; one if
    there is no time outside.
    """
    return [
        NotableMoment(
            one.begin,
            one.end,
            "",
            times.span(one.begin, one.end),
            slo.words(one.share) if one.cost is not None else f"{slo.words(one.share)}, {ALL_THE_TIME}",
            one.cost,
            slo.latency,
        )
        for one in selection.slow_times(slo.latency, SLO_LIMIT)
    ]


def _is_always(moment: NotableMoment) -> bool:
    """Whether it is an SLO that is missed all the time: then it says nothing of any time in particular."""
    return moment.cost is None and not moment.sign


def _with_crossings(
    changes: Sequence[NotableMoment], crossings: Sequence[NotableMoment], slo: Slo
) -> list[NotableMoment]:
    """Changes and crossings; a crossing that is the same time as a change becomes words of it, with its own share."""
    told, rest = list(changes), []
    for crossing in crossings:
        same = [place for place, one in enumerate(told) if not one.sign and _shared(one, crossing) >= SAME]
        if same:
            one = told[same[0]]
            told[same[0]] = one._replace(what=f"{one.what}; {slo.words(slo.share_in(one.begin, one.end))}")
        else:
            rest.append(crossing)
    return [*told, *rest]


def _shared(one: NotableMoment, other: NotableMoment) -> float:
    """The time that both share, as a part of the longer one."""
    both = min(one.end, other.end) - max(one.begin, other.begin)
    return both / max(one.end - one.begin, other.end - other.begin, 1)


def _order(moment: NotableMoment) -> tuple[bool, bool, float, int, int]:
    """What cost most is first; then what has no known cost, then what cost nothing, the longest first; then what saved.
    Of those alike, and of remarks, the earlier is first; what is so all the time is after all that is at some time.
    """
    later = _is_always(moment) or (moment.cost is not None and moment.sign != "")
    length = 0 if _cost(moment) or moment.sign else moment.end - moment.begin
    return bool(moment.sign), later, -_cost(moment), -length, moment.begin


def _covers(one: NotableMoment, other: NotableMoment) -> bool:
    """Whether both have some time in common."""
    return one.begin < max(other.end, other.begin + 1) and max(one.end, one.begin + 1) > other.begin


def _worst(selection: Selection, times: TimeWords, changes: Sequence[NotableMoment]) -> NotableMoment | None:
    """The column with the most time waited per second, if it stands out: from all, and from those between the same two
    changes, for of what a step left behind some column is always the worst.
    """
    worst = selection.worst()
    if worst is None or not _stands_out(worst):
        return None
    ranked = [one for one in changes if not one.sign]
    since = max((one.end for one in ranked if one.end <= worst.begin), default=None)
    until = min((one.begin for one in ranked if one.begin >= worst.end), default=None)
    near = selection.worst(since, until)
    if near is not None and near.columns >= FEWEST:
        worst = near
    if not _stands_out(worst):
        return None
    usual = f"{format_latency(worst.usual)} is usual" if worst.usual > 0 else "usually nothing waits"
    what = f"the most time waited: {format_latency(worst.rate)} each second; {usual}"
    cost = (worst.rate - worst.usual) * worst.seconds
    return NotableMoment(worst.begin, worst.end, "", times.span(worst.begin, worst.end), what, cost)


def _stands_out(worst: WorstColumn) -> bool:
    return worst.columns >= FEWEST and worst.rate >= WORST_FACTOR * worst.usual and worst.rate > 0

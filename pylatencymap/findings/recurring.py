"""What recurs in a run, in words: bursts, pauses and swings, which are no changes, each with its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..analysis import EpisodeKind, Recurrence, RecurrenceKind, find_recurrences
from ..moment_text import TimeWords
from ..number_text import count_words, length_words, listed, percent_text
from ..units import format_latency
from .changes import Change, changes_by_series
from .evidence import Finding, SeriesData

WIDE = 0.5
"""A move of a band over more than this part of the run tells what recurs in it."""
COARSE = 10
"""A period of which few turns are seen is told to so large a part of itself."""
UNITS = (1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 86400)
"""Seconds."""
ALIKE = 0.1
"""Series whose periods differ by less have one sentence."""
NEARLY = 0.2
"""What differs by less leaves a sentence true."""
OPPOSITE = {RecurrenceKind.BURSTS: ("burst", "rises"), RecurrenceKind.PAUSES: ("pause", "falls")}


def recurring_findings(series: Sequence[SeriesData], changes: Sequence[Change], times: TimeWords) -> list[Finding]:
    """What recurs in any series, those first that come first; what recurs in several alike is told once."""
    told: list[tuple[Recurrence, list[SeriesData]]] = []
    of_series = changes_by_series(changes)
    for data in series:
        for one in _recurrences(data, of_series.get(data.name, [])):
            same = next((group for other, group in told if _is_alike(one, other)), None)
            if same is None:
                told.append((one, [data]))
            else:
                same.append(data)
    return [_finding(one, group, times, len(series)) for one, group in told]


def without_swings(changes: Sequence[Change], recurring: Sequence[Finding]) -> tuple[Change, ...]:
    """Without drifts of the rate that are but a part of a swing that is told."""
    swinging = {name for one in recurring if one.kind == "swing" and "edge" not in one.evidence for name in one.series}
    return tuple(
        change
        for change in changes
        if not (change.kind is EpisodeKind.DRIFT and change.low is None and swinging.issuperset(change.series))
    )


@dataclass(frozen=True)
class ToldRecurrences:
    """What a text that is written again and again says recurs. A sentence stays word by word while it is nearly true;
    it goes when it was not found twice in succession. ``missed``: those that were not found last.
    """

    findings: tuple[Finding, ...] = ()
    missed: tuple[Finding, ...] = ()

    def after(self, found: Sequence[Finding]) -> ToldRecurrences:
        """What is told after another search, which found these."""
        told = tuple(next((old for old in self.findings if _stays_true(old, one)), one) for one in found)
        subjects = {"edge" in one.evidence for one in told}
        missed = tuple(
            old for old in self.findings if ("edge" in old.evidence) not in subjects and old not in self.missed
        )
        return ToldRecurrences((*told, *missed), missed)


def _stays_true(old: Finding, now: Finding) -> bool:
    """Whether a sentence says nearly what is found now: another latency that says the same is no news."""
    if old.kind != now.kind or old.evidence.keys() != now.evidence.keys():
        return False
    same_edge = old.evidence.get("edge") == now.evidence.get("edge")
    names = {"low", "high", "period", "length"} if same_edge else {"period"}
    return all(
        abs(old.evidence[name] - now.evidence[name]) <= NEARLY * max(old.evidence[name], now.evidence[name])
        for name in names & now.evidence.keys()
    )


def _recurrences(data: SeriesData, changes: Sequence[Change]) -> Iterator[Recurrence]:
    """What recurs in a series, and is not told already, as changes of the same."""
    own = [one for one in changes if not one.is_about_source]
    for one in find_recurrences(data.counts, data.edges, data.seconds, data.waited):
        same = [change for change in own if (change.low is None) == (one.edge is None)]
        wide = WIDE * (int(data.ends[-1]) - int(data.starts[0]))
        few = one.times is None and any(change.kind is not EpisodeKind.DRIFT for change in same)
        if not few and not any(change.kind is EpisodeKind.MOVE and change.end - change.begin > wide for change in same):
            yield one


def _is_alike(one: Recurrence, other: Recurrence) -> bool:
    if (one.kind, one.edge) != (other.kind, other.edge) or one.period is None or other.period is None:
        return False
    return abs(one.period - other.period) <= ALIKE * other.period


def _finding(one: Recurrence, group: Sequence[SeriesData], times: TimeWords, many: int) -> Finding:
    data = group[0]
    text = _short_words(one, data) if one.kind in OPPOSITE else _swing_words(one, data, times)
    if many > 1:
        text = f"{data.shown}: {text}"
    if len(group) > 1:
        names = [other.shown for other in group[1:]]
        text += f"; {listed(names)} too" if len(names) < 4 else f"; so do {len(names)} more series"
    known = {"edge": one.edge, "low": one.low, "high": one.high, "period": one.period, "times": one.times}
    evidence = {name: float(value) for name, value in known.items() if value is not None}
    if one.kind in OPPOSITE:
        evidence |= {"length": one.length, "wait": one.wait}
    return Finding(one.kind.value, text, tuple(other.name for other in group), evidence)


def _swing_words(one: Recurrence, data: SeriesData, times: TimeWords) -> str:
    text = f"{_what(one, data)} swings between {_level(one, one.low)} and {_level(one, one.high)}"
    if one.period is not None:
        return f"{text}, with a period of about {length_words(one.period if one.times else _rounded(one.period))}"
    turns = [f"{_level(one, level)} at {times.moment(int(data.ends[column]))}" for column, level in one.turns]
    return f"{text}: {listed(turns)}"


def _short_words(one: Recurrence, data: SeriesData) -> str:
    name, verb = OPPOSITE[one.kind]
    levels = [_level(one, level) for level in (one.low, one.high)]
    first, then = levels if one.kind is RecurrenceKind.BURSTS else levels[::-1]
    every = length_words(one.period or 0.0)
    text = f"every {every} a {name} of about {length_words(max(one.length, data.width))}: {_what(one, data)} {verb}"
    wait = f", and {percent_text(one.wait)} of the wait is in these" if one.kind is RecurrenceKind.BURSTS else ""
    return f"{text} from {first} to {then}{wait}"


def _what(one: Recurrence, data: SeriesData) -> str:
    return "the rate" if one.edge is None else f"the share of {data.noun} above {format_latency(one.edge)}"


def _level(one: Recurrence, level: float) -> str:
    return f"{count_words(level)}/s" if one.edge is None else percent_text(level)


def _rounded(seconds: float) -> float:
    """To a unit that is no finer than what is known."""
    unit = next((unit for unit in UNITS if unit >= seconds / COARSE), UNITS[-1])
    return round(seconds / unit) * unit

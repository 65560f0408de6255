"""All that was found in a run, and the words that its pages have in common: verdict, title, modes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from ..analysis import EpisodeKind, LatencyPart, Mode, Modes
from ..moment_text import TimeWords
from ..number_text import (
    count_words,
    events_words,
    length_words,
    listed,
    number_word,
    percent_text,
    range_words,
    waiting_words,
)
from ..record import Mark
from ..text.clean import printable
from ..units import format_latency, format_measured
from .change_sentences import LASTING
from .changes import COSTLY, Change, cost_words, when_words
from .evidence import Finding, filter_words
from .figures import SeriesFigures
from .stragglers import SlowTasks
from .trace_profile import TraceProfile

OPPOSED = 0.3
"""From this difference between the shares of events and of time on, a sentence says "but"."""
KINDS = {
    EpisodeKind.INCIDENT: "incident",
    EpisodeKind.MOVE: "move of a band",
    EpisodeKind.STEP: "lasting change",
    EpisodeKind.DRIFT: "drift",
    EpisodeKind.STALL: "stall",
}
PLURALS = {**{kind: f"{name}s" for kind, name in KINDS.items()}, EpisodeKind.MOVE: "moves of a band"}


@dataclass(frozen=True)
class RunFacts:
    """What a run says.

    ``series``: figures by series, most time waited first; ``all``: those of all together, None for one series or where
    rows differ; ``changes``: the most expensive first; ``who``, ``meaning``: further sentences; ``passing``: modes that
    are only there because of changes, by series name and number of the mode; ``bad``: records left out; ``limits``:
    what the data cannot show; ``marks``: those within the time of the data, oldest first;
    ``recurring``: what comes again and again, and is no change; ``profile``: of an SQL trace;
    ``stragglers``: of an event log of Spark, the stages with most run time first. ``reading``: the options with which
    the files were read; ``some_series``: not all of their series were; ``only``: what all events have in common, such
    as ``obj#=82015``, if a filter left others out.
    """

    series: tuple[SeriesFigures, ...]
    all: SeriesFigures | None
    changes: tuple[Change, ...]
    who: Finding | None
    meaning: tuple[Finding, ...]
    limits: tuple[Finding, ...]
    passing: dict[tuple[str, int], tuple[Change, ...]]
    times: TimeWords
    names: dict[str, str]
    bad: int = 0
    files: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    recurring: tuple[Finding, ...] = ()
    profile: TraceProfile | None = None
    stragglers: tuple[SlowTasks, ...] = ()
    reading: tuple[str, ...] = ()
    some_series: bool = False
    only: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """The first two sentences: what changed, and what the rest is like."""
        if self.says_little:
            return f"{few_words(self.series[0], 'what changed, or modes')}."
        shape = self._shape()
        return f"{self._changed()} {self._away()}{shape if len(self.series) > 1 else shape[0].upper() + shape[1:]}"

    @property
    def says_little(self) -> bool:
        """Whether the only series has too few events to tell anything, and nothing else is to be told."""
        one = self.series[0]
        return len(self.series) == 1 and one.modes.too_few and one.events > 0 and not (self.changes or self.limits)

    @property
    def waited(self) -> float:
        """Seconds waited in all series."""
        return sum(one.waited.value for one in self.series)

    def mark_lines(self) -> list[tuple[str, str]]:
        """When each mark is, and its text as pages have it."""
        return [(self.times.moment(mark.stamp.micros), printable(mark.note)) for mark in self.marks]

    def cost_words(self, change: Change) -> str:
        """What a change cost, and its share of what all series waited; or how much less was waited."""
        if change.cost is not None and change.cost <= -COSTLY * self.waited < 0:
            return (
                f"{waiting_words(-change.cost)} less waiting than {'before' if change.kind in LASTING else 'around'} it"
            )
        return cost_words(change, self.waited, "all" if len(self.series) == 1 else "what all series waited")

    def who_changed(self, change: Change) -> str:
        """``sda alone``, ``sda and sdb``, ``all 4 series``; empty where there is only one, or all were silent."""
        if len(self.series) == 1 or (change.is_about_source and len(change.series) == len(self.series)):
            return ""
        if len(change.series) == len(self.series) > 2:
            return f"all {len(self.series)} series"
        names = [self.names[name] for name in change.series]
        if len(names) > 3:
            return f"{names[0]} and {len(names) - 1} more series"
        return f"{names[0]} alone" if change.alone else listed(names)

    def _away(self) -> str:
        """Gaps and restarts of the source: ``One gap: 10:01:40-10:02:40. ``; empty without."""
        said = ""
        for kind, word in ((EpisodeKind.GAP, "gap"), (EpisodeKind.RESET, "restart")):
            some = [change for change in self.changes if change.kind is kind]
            if some:
                longest = max(some, key=lambda one: one.end - one.begin)
                which = "" if len(some) == 1 else "s, the longest" if kind is EpisodeKind.GAP else "s, the first"
                told = longest if kind is EpisodeKind.GAP else min(some, key=lambda one: one.begin)
                said += f"{number_word(len(some)).capitalize()} {word}{which}: {when_words(told, self.times)}. "
        return said

    def _changed(self) -> str:
        real = [change for change in self.changes if not change.is_about_source]
        if not real:
            few = next((one for one in self.limits if one.kind == "few-columns"), None)
            columns = max(round(one.seconds / self.times.width) for one in self.series)
            if few:
                return few.text
            if self.recurring:
                again = self.recurring[0].text.partition("; ")[0]
                again = again if len(self.series) > 1 else again[0].upper() + again[1:]
                return f"{again}. No other change in {events_words(columns, 'intervals')}."
            return f"No change that lasts or stands out in {events_words(columns, 'intervals')}."
        least = max(COSTLY * self.waited, 1e-300)
        costly, effect = (real[0].cost or 0.0) >= least, abs(real[0].cost or 0.0) >= least
        first = real[0] if effect else max(real, key=lambda one: one.end - one.begin)
        which = "costliest" if costly else "largest" if effect else "longest"
        who = self.who_changed(first)
        where = f"{when_words(first, self.times)}{', ' if who else ''}{who}"
        if len(real) == 1:
            return f"One {KINDS[first.kind]}: {where}."
        kinds = {one.kind for one in real}
        many = number_word(len(real)).capitalize()
        if len(kinds) == 1:
            return f"{many} {PLURALS[first.kind]}, the {which}: {where}."
        return f"{many} changes, the {which} {_article(KINDS[first.kind])}: {where}."

    def _shape(self) -> str:
        one = self.series[0]
        whose = f"{self.names[one.name]}: " if len(self.series) > 1 else ""
        usual = [number for number in range(one.modes.sure) if (one.name, number) not in self.passing]
        if not usual:
            return f"{whose}{few_words(one)}."
        if one.modes.tail is not None and one.modes.tail.wait.value >= OPPOSED:
            bound, wait = format_latency(one.modes.tail.bound), percent_text(one.modes.tail.wait.value)
            return f"{whose}{modes_words(one.modes, usual)}; what is above {bound} has {wait} of the wait."
        if (beyond := one.modes.beyond) and one.modes.tail is None and beyond.wait.value >= OPPOSED:
            above, wait = format_latency(beyond.lower), percent_text(beyond.wait.value)
            return f"{whose}{modes_words(one.modes, usual)}; what is above {above} has {wait} of the wait."
        otherwise = "" if len(usual) == len(one.modes.modes) else "otherwise "
        return f"{whose}{otherwise}{modes_words(one.modes, usual)}."


def only_words(changes: Sequence[Change], times: TimeWords) -> str:
    """When a mode was there: ``only 00:01:40-00:02:10 and 00:06:40-00:07:40``, ``only from 00:09:30 on``."""
    whens = [f"{'' if one.end > one.begin else 'from '}{when_words(one, times)}" for one in changes]
    last = " on" if changes[-1].end == changes[-1].begin else ""
    return f"only {listed(whens)}{last}" if len(whens) < 3 else f"only in {number_word(len(whens))} of the changes"


def modes_words(found: Modes, usual: Sequence[int] | None = None) -> str:
    """``one mode, 32-512 us``; ``two modes, the slow one with 88 % of the wait``. Of only the modes with the numbers
    ``usual``, shares are those of their wait.
    """
    numbers = range(found.sure) if usual is None else usual
    modes = [found.modes[number] for number in numbers]
    if len(modes) == 1:
        return f"one mode, {range_words(modes[0].lower, modes[0].upper)}"
    waits = [shares_of(found, number)[1] for number in numbers]
    most = max(range(len(modes)), key=waits.__getitem__)
    which = {0: "fast", len(modes) - 1: "slow"}.get(most, "middle")
    name = f"the {which} one" if len(modes) < 4 else f"that at {range_words(modes[most].lower, modes[most].upper)}"
    if len(modes) == found.sure:
        return f"{number_word(len(modes))} modes, {name} with {percent_text(waits[most])} of the wait"
    share = percent_text(min(waits[most] / (sum(waits) or 1.0), 1.0))
    return f"{number_word(len(modes))} modes, {name} with {share} of their wait"


def few_words(one: SeriesFigures, what: str = "modes") -> str:
    """Why no modes are told, or ``what`` else."""
    if not one.events:
        return f"no {one.noun}"
    events = events_words(one.events, one.noun)
    if one.events >= 100:
        single = count_words(round(one.events / one.modes.bunch))
        return f"{events} in bursts, worth {single} single ones: too few to tell {what}, which takes 100"
    return f"{events}: too few to tell {what}, which takes 100"


def shares_of(modes: Modes, number: int) -> tuple[float, float]:
    """The shares of events and of the time waited of a mode; what has a line of its own, as a tail, is not in it, so
    that all lines add up to all.
    """
    mode = part_of(modes, number)
    return mode.share.value, mode.wait.value


def part_of(modes: Modes, number: int) -> Mode | LatencyPart:
    """A mode; of the last one what has no line of its own."""
    return modes.modes[number] if modes.last is None or number < modes.sure - 1 else modes.last


def beyond_words(modes: Modes) -> str:
    """Where that lies which is beyond the range of the last mode, and no mode; empty without any."""
    if modes.beyond is None:
        return ""
    return range_words(modes.beyond.lower, inf if modes.tail is None else modes.beyond.upper)


def mode_words(modes: Modes, number: int, noun: str) -> str:
    """``90 % of reads but 9 % of the wait``; of the only mode, how many of its events its range holds."""
    if modes.sure == 1 and modes.last is None:
        return f"all {noun}, 90 % of them here"
    share, wait = shares_of(modes, number)
    joint = " but" if abs(share - wait) > OPPOSED else ","
    return f"{percent_text(share)} of {noun}{joint} {percent_text(wait)} of the wait"


def half_words(one: SeriesFigures) -> str:
    """Where half of the waiting time is; empty without events."""
    if one.half is None or not one.half.value:
        return ""
    low, high = one.half.low, one.half.high
    said = format_measured(low) != format_measured(high) and 0 < low < high < inf
    band = f" ({range_words(low, high)})" if said else ""
    return f"half of the waiting is in waits longer than {format_measured(one.half.value)}{band}"


def _article(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def title_of(run: RunFacts) -> str:
    """``monday.lmap: sda and sdb, 3 d``."""
    files = ["standard input" if file == "-" else printable(os.path.basename(file)) for file in run.files]
    where = "" if not files else f"{files[0]}: " if len(files) == 1 else f"{files[0]} and {len(files) - 1} more: "
    names = [run.names[one.name] for one in run.series]
    series = listed(names) if len(names) <= 3 else f"{names[0]} and {len(names) - 1} more series"
    return f"{where}{series}{filter_words(run.only)}, {length_words((run.times.end - run.times.begin) / 1e6)}"

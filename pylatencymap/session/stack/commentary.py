"""What the series of a stack do together: which of them changed and which went on as before, and whether they rise and
fall as one. Changes are looked for in short steps, as those of a single series.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import tzinfo
from itertools import combinations
from typing import TYPE_CHECKING

from ...analysis import Correlation, correlation, shared_columns
from ...number_text import TimeWords, listed, waited_text
from ...text.clean import printable
from ...view.stack import ToldTogether
from ...window import History, Selection
from ..commentary import REACH, Commentary, data_between

if TYPE_CHECKING:
    from ...findings import Change, SeriesData

MOST_TOLD = 4
"""Changes that are told; the costliest come first."""
AS_BEFORE = 1.5
"""A series went on as before if its time waited changed by less than this factor."""
BESIDE = 1
"""Columns beside a change that are left out as well when series are compared outside of it."""


class StackCommentary:
    """What there is to say of two or three series."""

    def __init__(self, tz: tzinfo) -> None:
        self._tz = tz
        self._of: dict[str, Commentary] = {}
        self._key: object = None
        self._changes: tuple[Change, ...] = ()

    def is_due(self, histories: Sequence[History]) -> bool:
        """Whether there is a step to do."""
        return any(self._about(one).is_due(one) for one in histories)

    def step(self, histories: Sequence[History]) -> bool:
        """Look for changes for a few milliseconds. Returns whether there is something new to say."""
        due = next((one for one in histories if self._about(one).is_due(one)), None)
        if due is None:
            return False
        self._about(due).step(due)
        return self._tell(histories)

    def finish(self, histories: Sequence[History]) -> None:
        """Find all changes now, without regard to what was shown."""
        for one in histories:
            self._about(one).finish(one)
        self._tell(histories)

    def start_anew(self) -> None:
        """Look at everything again: there will be no more data."""
        self._of.clear()
        self._key = None

    def _about(self, history: History) -> Commentary:
        if history.name not in self._of:
            self._of[history.name] = Commentary(self._tz)
        return self._of[history.name]

    def _tell(self, histories: Sequence[History]) -> bool:
        """Put together what was found in each series. Returns whether that is new."""
        found = [one for history in histories if (one := self._about(history).analysed) is not None]
        key = [history.name for history in histories], [id(its) for _, its in found]
        if key == self._key:
            return False
        self._key = key
        from ...findings import told_changes, with_exact_ends

        before = self._changes
        named = {history.name: history for history in histories}
        self._changes = tuple(
            with_exact_ends(change, _reader(named[change.series[0]]), _reach(change, found))
            for change in [one for one in told_changes(found) if not one.is_about_source][:MOST_TOLD]
        )
        return before != self._changes

    def told(self, selections: Sequence[tuple[str, Selection]]) -> tuple[ToldTogether, ...]:
        """The sentences about what is on the screen: the costliest change in it, whether series rise and fall as one,
        other changes.
        """
        known = [(name, one) for name, one in selections if len(one)]
        if len(known) < 2:
            return ()
        begin = min(int(one.columns["start"][0]) for _, one in known)
        end = max(int(one.columns["end"][-1]) for _, one in known)
        widest = max(one.width for _, one in known)
        times = TimeWords(begin, end, self._tz, widest, all(one.matrix().clock for _, one in known))
        names = {name for name, _ in known}
        shown = [one for one in self._changes if one.begin < end and one.end >= begin and names.issuperset(one.series)]
        changes = [change_told(one, known, times) for one in shown]
        return (*changes[:1], *together_told(known, shown, times), *changes[1:])


def _reader(history: History) -> Callable[[int, int], SeriesData]:
    return lambda first, last: data_between(history, first, last)


def _reach(change: Change, found: Sequence[tuple[SeriesData, object]]) -> int:
    width = next((data.width for data, _ in found if data.name == change.series[0]), 1.0)
    return round(REACH * width * 1e6)


# Sentences.


def change_told(change: Change, known: Sequence[tuple[str, Selection]], times: TimeWords) -> ToldTogether:
    """Whom a change is about, what it was, and how the others went on."""
    from ...findings import when_words

    others = [(name, one) for name, one in known if name not in change.series]
    alone = " alone" if change.alone else ""
    head = listed([printable(name) for name in change.series]) + alone
    if not others:
        head = "together"
    waits = "; ".join(_waits(one, change) for name, one in known if name in change.series)
    rest = [_went_on(name, one, change) for name, one in others]
    brief = change.text.partition("; ")[0]
    beside = "; ".join(filter(None, [waits if others else "", *rest]))
    texts = [f"{what}; {beside}" if beside else what for what in (change.text, brief)]
    if waits and others:
        texts.append("; ".join(filter(None, [waits, *rest])))
    return ToldTogether(head, when_words(change, times), (*texts, change.text, brief))


def _went_on(name: str, selection: Selection, change: Change) -> str:
    """How a series was before and during a change that was not its own."""
    levels = _levels(selection, change)
    if levels is None:
        return ""
    before, inside = levels
    low, high = sorted(levels)
    same = high < AS_BEFORE * low or high <= 0
    how = " went on as before" if same else ""
    return f"{printable(name)}{how}: {_from_to(before, inside)}"


def _waits(selection: Selection, change: Change) -> str:
    levels = _levels(selection, change)
    return "" if levels is None else f"{_from_to(*levels)} waited"


def _from_to(before: float, inside: float) -> str:
    """Two times waited per second, with their unit once if it is the same."""
    texts = waited_text(before), waited_text(inside)
    unit = texts[1].rpartition(" ")[2]
    return f"{texts[0].removesuffix(' ' + unit)} -> {texts[1]}"


def _levels(selection: Selection, change: Change) -> tuple[float, float] | None:
    """Seconds waited per second before a change, for as long as it lasted, and in it; of a step, as far as the screen
    goes. None where one of both is not on the screen.
    """
    columns = selection.columns
    last = int(columns["end"][-1])
    end = change.end if change.end > change.begin else last
    length = end - change.begin
    inside = (columns["start"] < end) & (columns["end"] > change.begin)
    before = (columns["end"] <= change.begin) & (columns["start"] >= change.begin - max(length, _step(selection)))
    rates = [
        float(columns["waited"][part].sum() / seconds)
        for part in (before, inside)
        if (seconds := float(columns["seconds"][part].sum())) > 0
    ]
    return (rates[0], rates[1]) if len(rates) == 2 else None


def _step(selection: Selection) -> int:
    return round(2 * selection.width * 1e6)


def together_told(
    known: Sequence[tuple[str, Selection]], changes: Sequence[Change], times: TimeWords
) -> list[ToldTogether]:
    """Whether rates and time waited of the series rise and fall as one, outside of the changes that only some have."""
    from ...findings import when_words

    apart = [one for one in changes if len(one.series) < len(known) and one.end > one.begin]
    outside = f"all but {when_words(apart[0], times)}: " if len(apart) == 1 else ""
    if len(apart) > 1:
        outside = "outside of these changes: "
    told = []
    for (name, one), (other_name, other) in combinations(known, 2):
        text = _moves(*_aligned_rates(one, other, apart))
        if not text:
            continue
        who = "" if len(known) == 2 else f"{printable(name)} and {printable(other_name)}: "
        told.append(ToldTogether("together", "", (f"{outside}{who}{text}", f"{who}{text}")))
    return told


def _moves(rates: Correlation | None, waits: Correlation | None) -> str:
    """The sentence about both correlations; empty where neither is known."""
    if rates is None or waits is None:
        return ""
    if rates.is_close and waits.is_close and (rates.r > 0) == (waits.r > 0):
        return f"rates and waits {_way(rates)}, r {rates.r:.2f} and {waits.r:.2f}"
    if rates.is_close:
        return f"the rates {_way(rates)}, r {rates.r:.2f}; the waits do not, r {waits.r:.2f}"
    if waits.is_close:
        return f"the waits {_way(waits)}, r {waits.r:.2f}; the rates do not, r {rates.r:.2f}"
    return f"neither rates nor waits rise and fall as one, r {rates.r:.2f} and {waits.r:.2f}"


def _way(found: Correlation) -> str:
    return "rise and fall as one" if found.r > 0 else "go opposite ways"


def _aligned_rates(
    one: Selection, other: Selection, apart: Sequence[Change]
) -> tuple[Correlation | None, Correlation | None]:
    """The correlations of events per second and of time waited per second, over the columns that both have."""
    step = round(one.width * 1e6)
    mine, its = shared_columns(one.columns["end"], other.columns["end"], step)
    first, second = one.columns[mine], other.columns[its]
    known = (first["seconds"] > 0) & (second["seconds"] > 0)
    for change in apart:
        near = BESIDE * step
        known &= (first["end"] <= change.begin - near) | (first["start"] >= change.end + near)
    mine, its = mine[known], its[known]
    seconds = one.columns["seconds"][mine], other.columns["seconds"][its]
    events = one.counts[mine].sum(axis=1), other.counts[its].sum(axis=1)
    waits = one.columns["waited"][mine], other.columns["waited"][its]
    return (
        correlation(events[0] / seconds[0], events[1] / seconds[1]),
        correlation(waits[0] / seconds[0], waits[1] / seconds[1]),
    )

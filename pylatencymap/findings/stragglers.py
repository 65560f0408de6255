"""Slow tasks of stages: in how few of them half of the time is, and whether an executor or their size is why.

A stage has too few tasks for modes, and the log has each of them exactly; so nothing here is estimated. An executor is
named if it ran more of the slow tasks than chance explains (hypergeometric distribution).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, lgamma
from statistics import median
from typing import NamedTuple

from ..number_text import count_words, listed, number_word
from ..text.clean import printable
from ..units import format_measured

HEADING = "Slow tasks"
FEWEST = 4
"""With fewer tasks nothing stands out."""
FEW = 0.25
"""The share of the tasks that may hold half of the time to be reported; for tasks of similar length it is 0.4."""
CHANCE = 0.01
"""An executor is named if chance would put so many slow tasks on any of them less often than this."""
SKEWED = 4.0
"""Times the median of the bytes or records read, from which on a task has more work than others."""
MOST_NAMED = 3


class StageTask(NamedTuple):
    """A task that ended: which one of its stage, who ran it, its run time in ms, and how much it read."""

    place: int
    executor: str
    millis: int
    size: int
    records: int = 0


@dataclass(frozen=True)
class SlowTasks:
    """The tasks of a stage that ran for ``bound`` seconds and longer, longest first: with fewer than these it is less
    than half of the time. ``waited``: seconds of all ``tasks``. ``executor``: the one that ran more of them than chance
    explains, with how many of them and of all; None if there is none. ``usual`` and ``usual_records``: the medians of
    what was read.
    """

    stage: str
    name: str
    tasks: int
    waited: float
    bound: float
    slow: tuple[StageTask, ...]
    executor: tuple[str, int, int] | None
    usual: float
    usual_records: float
    executors: int

    @property
    def share(self) -> float:
        """The part of all time that the slow tasks took."""
        return sum(one.millis for one in self.slow) / 1000 / self.waited

    @property
    def skewed(self) -> tuple[StageTask, ...]:
        """Those that read much more than usual."""
        return tuple(one for one in self.slow if self.times(one)[0] >= SKEWED)

    def times(self, task: StageTask) -> tuple[float, str]:
        """How many times as much as the median task a task read, and of what: bytes, which can be compressed, or
        records, which can be long.
        """
        by_size = (task.size / self.usual if self.usual else 0.0, "bytes")
        by_records = (task.records / self.usual_records if self.usual_records else 0.0, "records")
        return max(by_size, by_records, key=lambda one: one[0])


def slow_tasks(stage: str, name: str, tasks: Sequence[StageTask]) -> SlowTasks | None:
    """What is slow in a stage; None if time is spread over tasks and executors as usual,
    and no slow task had more to read."""
    total = sum(one.millis for one in tasks)
    if len(tasks) < FEWEST or not total:
        return None
    ordered = sorted(tasks, key=lambda one: (-one.millis, one.place))
    taken, bound = 0, 0
    for one in ordered:
        taken, bound = taken + one.millis, one.millis
        if 2 * taken >= total:
            break
    slow = tuple(one for one in ordered if one.millis >= bound)
    usual = median(one.size for one in tasks), median(one.records for one in tasks)
    executors, executor = len({one.executor for one in tasks}), _partial(slow, tasks)
    found = SlowTasks(stage, name, len(tasks), total / 1000, bound / 1000, slow, executor, *usual, executors)
    return found if len(slow) <= FEW * len(tasks) or executor is not None or found.skewed else None


def _partial(slow: Sequence[StageTask], tasks: Sequence[StageTask]) -> tuple[str, int, int] | None:
    """The executor that ran more of the slow tasks than chance explains."""
    every, mine = Counter(one.executor for one in tasks), Counter(one.executor for one in slow)
    chances = {one: _chance(mine[one], len(slow), every[one], len(tasks)) for one in mine}
    least = min(chances, key=lambda one: (chances[one], one))
    return (least, mine[least], every[least]) if chances[least] * len(every) <= CHANCE else None


def _chance(found: int, drawn: int, mine: int, every: int) -> float:
    """How likely at least ``found`` of so many drawn are mine, if ``mine`` of ``every`` are."""
    whole = _ways(every, drawn)
    most = min(drawn, mine)
    least = max(found, drawn - (every - mine))
    return sum(exp(_ways(mine, some) + _ways(every - mine, drawn - some) - whole) for some in range(least, most + 1))


def _ways(every: int, some: int) -> float:
    """The logarithm of the number of ways to take some of them."""
    return lgamma(every + 1) - lgamma(some + 1) - lgamma(every - some + 1)


def slow_sentences(found: SlowTasks) -> Iterable[str]:
    """What is slow, who ran it, and whether it had more to do than others."""
    number = len(found.slow)
    which = f"of {format_measured(found.bound)} and longer" if number > 1 else f"of {format_measured(found.bound)}"
    name = f" ({printable(found.name, 60)})" if found.name else ""
    yield (
        f"stage {found.stage}{name}: half of {format_measured(found.waited)} is in {number_word(number)} of "
        f"{count_words(found.tasks)} tasks, {which}{_named(found)}"
    )
    if found.executor is not None:
        yield _on_executor(found, *found.executor)
    if found.skewed:
        yield _skew(found)


def _named(found: SlowTasks) -> str:
    """``: task 17 on executor 1``; empty if they are many."""
    if len(found.slow) > MOST_NAMED:
        return ""
    said = []
    for one in found.slow:
        where = f" on executor {printable(one.executor, 40)}" if found.executors > 1 else ""
        time = f" ({format_measured(one.millis / 1000)})" if len(found.slow) > 1 else ""
        said.append(f"task {one.place}{where}{time}")
    return f": {listed(said)}"


def _on_executor(found: SlowTasks, executor: str, mine: int, every: int) -> str:
    number = len(found.slow)
    some = f"all {count_words(number)}" if mine == number else f"{count_words(mine)} of these {count_words(number)}"
    whole = f"{count_words(every)} of all {count_words(found.tasks)}"
    return f"executor {printable(executor, 40)} ran {some}, and {whole}: it is slow, or what it runs on"


def _skew(found: SlowTasks) -> str:
    most = max(found.skewed, key=lambda one: found.times(one)[0])
    factor, what = found.times(most)
    times = f"{count_words(factor)} times the {what} of the median task"
    if len(found.slow) == 1:
        return f"it read {times}: skew"
    number = len(found.skewed)
    some = "all of them" if number == len(found.slow) else "one of them" if number == 1 else f"{number} of them"
    return f"{some} read much more than others, task {most.place} {times}: skew"

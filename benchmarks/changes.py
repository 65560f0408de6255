"""How often comparisons and changes are right, on loads with known truth.

python benchmarks/changes.py            # 1,000 pairs a cell and 100 hours: hours of CPU time on a busy machine
python benchmarks/changes.py --quick    # a try
python benchmarks/changes.py --table    # and write the table in docs/accuracy.md

changing_load.py makes the loads. A decidable incident is one whose evidence is 8 and more: see ``evidence`` there.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from changing_load import (
    DRIFTS,
    KINDS,
    Pair,
    Planted,
    Recording,
    drifting,
    evidence,
    moved,
    pair,
    recording,
    two_bands,
)

from pylatencymap.analysis import (
    Comparison,
    Episode,
    EpisodeKind,
    LatencyVerdict,
    TimedCounts,
    compare,
    find_changes,
    find_recurrences,
)

PAGE = Path(__file__).parents[1] / "docs" / "accuracy.md"
BEGIN, END = "<!-- benchmarks/changes.py writes this -->", "<!-- end of benchmarks/changes.py -->"
SHUFFLES = 399
DECIDABLE, CLEAR = 8, 10
HOUR, DAY = 3600, 86400
NEAR = 30
"""Columns from a planted incident at which nothing counts as false."""
SHORT = (24, 30, 47)
"""Columns of short recordings: too few to measure how longer parts differ."""
RATES, ROWS = (30.0, 300.0, 3000.0), (1, 2, 4)


@dataclass(frozen=True)
class Amount:
    """How much is run: pairs for each cell of a table, hours, days and recordings of three days, sliding windows."""

    pairs: int
    hours: int
    days: int
    three_days: int
    windows: int
    seed: int


@dataclass(frozen=True)
class Goal:
    """A row: what was measured, of how many, what it must be and what it should be."""

    name: str
    measured: float
    of: int
    gate: float
    stretch: float
    unit: str = "%"
    at_most: bool = False

    def meets(self, limit: float) -> bool:
        return self.measured <= limit if self.at_most else self.measured >= limit

    @property
    def verdict(self) -> str:
        return "stretch" if self.meets(self.stretch) else "met" if self.meets(self.gate) else "MISSED"


Run = Callable[[Callable[[int], Any], Iterable[int]], Iterator[Any]]


def compared(made: Pair, shuffles: int = SHUFFLES) -> Comparison:
    before, after = (TimedCounts(side, np.ones(side.shape[1])) for side in (made.before, made.after))
    return compare([before], [after], made.edges, shuffles=shuffles)


@dataclass(frozen=True)
class Cell:
    """Pairs of one kind; ``block`` keeps the seeds of cells apart."""

    block: int
    wander: str
    n: int = 300
    effect: str = ""
    size: float = 1.0
    rows: int = 4

    def seeds(self, amount: Amount, part: float = 1.0) -> range:
        first = amount.seed + self.block * 1_000_000
        return range(first, first + max(int(amount.pairs * part), 4))


def outcome(cell: Cell, seed: int) -> tuple[bool, bool, bool]:
    """Whether latencies differ, surely differ, and whether the rate differs."""
    found = compared(pair(seed, cell.wander, cell.effect, cell.size, cell.n, rows=cell.rows))
    return found.p <= 0.05, found.verdict is LatencyVerdict.SURE, found.rate is not None and found.rate.different


def shares(run: Run, amount: Amount, cell: Cell) -> tuple[int, list[float]]:
    """How many pairs, and the percentages of the outcomes."""
    found = list(run(partial(outcome, cell), cell.seeds(amount)))
    return len(found), [100 * sum(one[which] for one in found) / len(found) for which in range(3)]


def level(run: Run, amount: Amount) -> Iterator[Goal]:
    """How often two recordings of the same load are called different."""
    short = [
        Cell(block, wander, n) for block, (wander, n) in enumerate(_each(("iid", "burst5", "ar1"), (60, 300, 1200)))
    ]
    found = [shares(run, amount, cell) for cell in short]
    worst = max(one[1] for _, one in found)
    yield Goal("same load called different, sure: worst of iid, burst5, ar1 at 60, 300, 1,200 columns", worst,
               sum(of for of, _ in found), 5, 3, at_most=True)  # fmt: skip
    for block, (wander, n, gate, stretch) in enumerate(
        (("ar10", 300, 8, 5), ("ar10", 1200, 5, 3), ("ar60", 1200, 12, 7))
    ):
        of, (_, sure, _) = shares(run, amount, Cell(20 + block, wander, n))
        yield Goal(f"the same, {wander}, {n:,} columns", sure, of, gate, stretch, at_most=True)


def _each(*axes: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    return ((one, other) for one in axes[0] for other in axes[1])


def power(run: Run, amount: Amount) -> Iterator[Goal]:
    """How often changes are found."""
    wanted = (
        ("p99 + 20 %", "tail", 1.2, (("burst5", 95, 99), ("ar1", 95, 99), ("ar10", 75, 85))),
        ("all + 5 %", "scale", 1.05, (("ar1", 97, 100), ("ar10", 80, 90))),
        ("a new mode of 0.5 %", "mode", 0.005, (("ar1", 97, 100), ("ar10", 90, 98))),
    )
    block = 30
    for name, effect, size, cells in wanted:
        for wander, gate, stretch in cells:
            of, (different, _, _) = shares(run, amount, Cell(block, wander, 300, effect, size))
            yield Goal(f"{name} found, {wander}, 300 columns", different, of, gate, stretch)
            block += 1
    of, (different, _, rate) = shares(run, amount, Cell(block, "ar1", 300, "rate", 1.3))
    yield Goal("rate x 1.3 told as a rate, ar1, 300 columns", rate, of, 98, 100)
    yield Goal("rate x 1.3 called a difference of latencies", different, of, 5, 3, at_most=True)


CLOSE = (("ar1", 60), ("burst5", 300), ("ar1", 300), ("ar10", 300), ("ar10", 1200))
"""Loads that wander for at most a thirtieth of the time."""


def held(cell: Cell, seed: int) -> tuple[list[bool], list[bool], list[bool]]:
    """Whether intervals hold the truth: of shares and the rate, of ratios of percentiles, of that of p99."""
    made = pair(seed, cell.wander, "tail", 1.2, cell.n, rows=cell.rows)
    found = compared(made)
    exact = []
    for share in found.shares:
        if not np.isfinite(share.high):
            edge = int(np.searchsorted(made.edges, share.low * (1 - 1e-9)))
            truth = float(made.cdf_before[edge] - made.cdf_after[edge])
            exact.append(share.difference.low <= truth <= share.difference.high)
    if found.rate is not None:
        exact.append(found.rate.ratio.low <= made.rate_ratio <= found.rate.ratio.high)
    ratios = {one.q: one.ratio for one in found.quantiles if one.ratio is not None}
    truths = {q: 2 ** (made.quantiles_after[q] - made.quantiles_before[q]) for q in ratios}
    inside = {q: ratio.low <= truths[q] <= ratio.high for q, ratio in ratios.items()}
    return exact, list(inside.values()), [inside[q] for q in inside if q == 0.99]


def intervals(run: Run, amount: Amount) -> Iterator[Goal]:
    """How often 95 % intervals hold the truth: the worst of the loads."""
    found: dict[tuple[str, int, int], list[Any]] = {}
    for block, (wander, n) in enumerate(CLOSE):
        for number, rows in enumerate((1, 4, 16)):
            cell = Cell(50 + 3 * block + number, wander, n, rows=rows)
            found[wander, n, rows] = list(run(partial(held, cell), cell.seeds(amount, 0.2)))

    def worst(which: int, rows: Sequence[int]) -> tuple[float, int]:
        cells = [[hit for one in made for hit in one[which]] for key, made in found.items() if key[2] in rows]
        cells = [cell for cell in cells if cell]
        return min(100 * sum(cell) / len(cell) for cell in cells), sum(
            len(found[key]) for key in found if key[2] in rows
        )

    where = "worst load with tau <= n / 30"
    yield Goal(f"95 % intervals hold the truth: shares and rates, {where}", *worst(0, (1, 4, 16)), 90, 95)
    yield Goal(f"the same: ratios of p50, p90, p99, 4 and 16 rows an octave, {where}", *worst(1, (4, 16)), 90, 95)
    yield Goal(f"the same: ratio of p99, 1 row an octave, {where}", *worst(2, (1,)), 80, 92)


def seen(cell: Cell, seed: int) -> bool | None:
    """Whether the change that is said to be visible is seen; None where something is found without it."""
    said = compared(pair(seed, cell.wander, n=cell.n)).seen
    if said is None:
        return None
    return compared(pair(seed, cell.wander, "scale", 1 + said, cell.n)).p <= 0.05


def would_be_seen(run: Run, amount: Amount) -> Iterator[Goal]:
    worst, of = 100.0, 0
    for block, (wander, n) in enumerate(CLOSE):
        cell = Cell(70 + block, wander, n)
        hits = [hit for hit in run(partial(seen, cell), cell.seeds(amount, 0.3)) if hit is not None]
        worst, of = min(worst, 100 * sum(hits) / len(hits)), of + len(hits)
    yield Goal("'X would have been seen' is seen, worst load with tau <= n / 30", worst, of, 80, 90)


# Recordings with incidents.


@dataclass(frozen=True)
class Found:
    """What came of a recording: each planted incident with its evidence and the errors of both ends, None where it was
    not found; episodes that are none; hours; seconds of CPU.
    """

    planted: list[tuple[Planted, float, tuple[int, int] | None]]
    false: list[Episode]
    hours: float
    cpu: float


PASSING = (EpisodeKind.INCIDENT, EpisodeKind.MOVE, EpisodeKind.STALL)


def judged(n: int, incidents: int, wanders: tuple[str, ...], seed: int) -> Found:
    number = seed % 1000
    wander = wanders[number % len(wanders)]
    made = recording(seed, n, incidents, wander, RATES[number % 3], ROWS[number % 3])
    begin = time.process_time()
    episodes = find_changes(made.counts, made.edges, np.ones(n)).episodes
    cpu = time.process_time() - begin
    planted = [(one, evidence(made, one), _errors(one, episodes)) for one in made.planted]
    false = [one for one in episodes if not any(_touches(one, other) for other in made.planted)]
    return Found(planted, false, n / HOUR, cpu)


def _errors(one: Planted, episodes: Sequence[Episode]) -> tuple[int, int] | None:
    """By how many columns both ends are off, if an episode and the incident share half of what they span together."""
    for episode in episodes:
        common = min(one.last, episode.last) - max(one.first, episode.first)
        together = max(one.last, episode.last) - min(one.first, episode.first)
        if episode.kind in PASSING and common >= 0.5 * together:
            return abs(episode.first - one.first), abs(episode.last - one.last)
    return None


def _touches(episode: Episode, one: Planted) -> bool:
    return episode.first <= one.last + NEAR and episode.last >= one.first - NEAR


def incidents(run: Run, amount: Amount) -> Iterator[Goal]:
    """Gates and stretch goals of hours, days and three days."""
    runs = {
        "1 h": (HOUR, 2, ("ar1", "ar10", "burst5", "ar60"), amount.hours),
        "1 day": (DAY, 12, ("ar1", "ar10", "burst5"), amount.days),
        "3 days": (3 * DAY, 12, ("ar10",), amount.three_days),
    }
    found = {}
    for block, (name, (n, many, wanders, times)) in enumerate(runs.items()):
        first = amount.seed + (90 + block) * 1_000_000
        found[name] = list(run(partial(judged, n, many, wanders), range(first, first + times)))
        _explain(name, found[name])
    clear = {"1 h": (92, 97), "1 day": (95, 99)}
    decidable = {"1 h": (88, 95), "1 day": (90, 97), "3 days": (95, 100)}
    for least, limits in ((CLEAR, clear), (DECIDABLE, decidable)):
        for name, (gate, stretch) in limits.items():
            hits = [errors for one in found[name] for _, size, errors in one.planted if size >= least]
            share = 100 * sum(errors is not None for errors in hits) / max(len(hits), 1)
            yield Goal(f"incidents found, evidence {least} and more, {name}", share, len(hits), gate, stretch)
    for name, gate, stretch in (("1 h", 3, 1), ("1 day", 1, 0.2)):
        yield _false(f"false episodes a day, with incidents, {name}", found[name], gate, stretch)
    first = amount.seed + 93_000_000
    quiet = run(partial(judged, HOUR, 0, ("iid", "burst5", "ar10")), range(first, first + amount.hours))
    yield _false("the same, no incidents, tau <= n / 360", list(quiet), 0.5, 0.05)
    yield _short(run, amount)
    yield from _ends(found["1 h"])


def _short(run: Run, amount: Amount) -> Goal:
    worst, of = 0.0, 0
    for block, (wander, n) in enumerate(product(("iid", "burst5", "ar1"), SHORT)):
        first = amount.seed + (100 + block) * 1_000_000
        found = list(run(partial(judged, n, 0, (wander,)), range(first, first + amount.hours)))
        worst, of = max(worst, 100 * sum(bool(one.false) for one in found) / len(found)), of + len(found)
    loads = "worst of iid, burst5, ar1 at 24, 30, 47 columns"
    name = f"short recordings without incidents in which a change is reported, {loads}"
    return Goal(name, worst, of, 10, 3, at_most=True)


def _false(name: str, found: list[Found], gate: float, stretch: float) -> Goal:
    hours = sum(one.hours for one in found)
    number = sum(len(one.false) for one in found)
    return Goal(name, 24 * number / hours, int(hours), gate, stretch, "", at_most=True)


def _ends(found: list[Found]) -> Iterator[Goal]:
    off = [
        error
        for one in found
        for planted, size, errors in one.planted
        if errors is not None and size >= DECIDABLE and planted.kind != "move"
        for error in errors
    ]
    yield Goal("start and end, not of moves, 1 h: median error", median(off), len(off), 2, 0, "columns", at_most=True)
    yield Goal("the same, 95 %", float(np.quantile(off, 0.95)), len(off), 15, 5, "columns", at_most=True)


def _explain(name: str, found: list[Found]) -> None:
    """Details on standard error: what is found by kind, and what is false."""
    for kind in KINDS:
        hits = [
            errors
            for one in found
            for planted, size, errors in one.planted
            if planted.kind == kind and size >= DECIDABLE
        ]
        print(f"  {name} {kind}: {sum(hit is not None for hit in hits)} of {len(hits)}", file=sys.stderr)
    for one in found:
        for episode in one.false:
            print(
                f"  {name} false: {episode.kind.value} {episode.first} {episode.last} {episode.size:.1f}",
                file=sys.stderr,
            )


def drifts(run: Run, amount: Amount) -> Iterator[Goal]:
    """Whether drifts are told as such, and by how much of their length both ends are off."""
    planted, errors = 0, []
    for block, shape in enumerate(DRIFTS):
        first = amount.seed + (80 + block) * 1_000_000
        for many, off in run(partial(drifted, shape), range(first, first + amount.hours)):
            planted += many
            errors += off
    yield Goal("drifts of 0.5 to 4 octaves told as drifts", 100 * len(errors) / (2 * planted), planted, 90, 97)
    for name, q, gate, stretch in (("median error", 0.5, 10, 2), ("error in 90 %", 0.9, 25, 10)):
        off = 100 * float(np.quantile(errors, q)) if errors else 100.0
        yield Goal(f"begin and end of a drift, {name}, of its length", off, len(errors), gate, stretch, "%", True)


def drifted(shape: str, seed: int) -> tuple[int, list[float]]:
    """How many drifts were planted, and by how much of its length each end of those is off that are told as drifts."""
    made = drifting(seed, shape, ("iid", "burst5", "ar1", "ar10")[seed % 4])
    episodes = find_changes(made.counts, made.edges, np.ones(made.counts.shape[1])).episodes
    told = [one for one in episodes if one.kind is EpisodeKind.DRIFT and one.low is not None]
    errors = []
    for one in made.planted:
        length = one.last - one.first
        common = [(min(one.last, other.last) - max(one.first, other.first), other) for other in told]
        best, other = max(common, key=lambda found: found[0], default=(0, None))
        if other is not None and best >= length / 4:
            errors += [abs(other.first - one.first) / length, abs(other.last - one.last) / length]
    return len(made.planted), errors


def moving(wanders: tuple[str, ...], seed: int) -> Found:
    """An hour in which the slow mode moves to another octave and stays there, as unsteady as before."""
    number = seed % 1000
    made = moved(seed, HOUR, wanders[number % len(wanders)], RATES[number % 3], ROWS[number // 3 % 3])
    episodes = find_changes(made.counts, made.edges, np.ones(HOUR)).episodes
    one = made.planted[0]
    near = [other for other in episodes if _touches(other, one)]
    errors = min(((abs(other.first - one.first), abs(other.last - one.last)) for other in near), default=None)
    return Found([(one, DECIDABLE, errors)], [other for other in episodes if other not in near], 1.0, 0.0)


def moves(run: Run, amount: Amount) -> Iterator[Goal]:
    """Whether the report has a slow mode that moved for good, and no change that is only its unsteadiness there."""
    first = amount.seed + 110_000_000
    found = list(run(partial(moving, ("ar1", "ar10", "burst5", "ar60")), range(first, first + amount.hours)))
    _explain("moves", found)
    told = 100 * sum(one.planted[0][2] is not None for one in found) / len(found)
    yield Goal("slow modes that move by 1 to 3 octaves for good, found, 1 h", told, len(found), 95, 99)
    yield _false("false episodes a day, where a slow mode moves for good, 1 h", found, 3, 1)


def apart(wanders: tuple[str, ...], seed: int) -> bool | None:
    """Whether an episode of its own is reported for each of two bands; None if the evidence of one is too small."""
    number = seed % 1000
    made = two_bands(seed, HOUR, wanders[number % len(wanders)], RATES[number % 3], ROWS[number // 3 % 3])
    if min(evidence(made, one) for one in made.planted) < CLEAR:
        return None
    episodes = find_changes(made.counts, made.edges, np.ones(HOUR)).episodes
    return all(_errors(one, episodes) is not None for one in made.planted)


def pauses(run: Run, amount: Amount) -> Iterator[Goal]:
    """Whether two bands with a pause between them are reported as two."""
    first = amount.seed + 120_000_000
    found = run(partial(apart, ("iid", "burst5", "ar1", "ar10")), range(first, first + amount.hours))
    told = [one for one in found if one is not None]
    name = "two slow bands in other octaves with a pause between them, both found, 1 h"
    yield Goal(name, 100 * sum(told) / max(len(told), 1), len(told), 70, 90)


WANDERING = ("iid", "burst5", "ar1", "ar10", "ar60")


def recurs(wander: str, seed: int) -> int:
    """How many sentences say that something recurs in an hour of a load that only wanders."""
    kind = seed % 3
    made = recording(seed, HOUR, 0, wander, RATES[kind], ROWS[kind])
    return len(find_recurrences(made.counts, made.edges, np.ones(HOUR)))


def recurrences(run: Run, amount: Amount) -> Iterator[Goal]:
    worst = 0.0
    for block, wander in enumerate(WANDERING):
        first = amount.seed + (100 + block) * 1_000_000
        found = list(run(partial(recurs, wander), range(first, first + amount.hours)))
        worst = max(worst, 100 * sum(found) / len(found))
    of = len(WANDERING) * amount.hours
    yield Goal("said to recur in 100 hours of a load that wanders, worst of iid ... ar60", worst, of, 2, 0, "", True)


WINDOW, STEPS = 600, 200
FROM_ENDS, FROM_OTHERS = 12, 8
"""Columns at the beginning of the window in which a change point may go, and between two that are not the same."""


def flickering(n_incidents: int, seed: int) -> int:
    """Change points that come, or go while they are still in the window, beyond those of planted incidents."""
    kind = seed % 3
    made = recording(seed, WINDOW + STEPS, n_incidents, ("ar1", "ar10", "burst5")[kind], RATES[kind], ROWS[kind])
    shown: set[int] = set()
    known: set[int] = set()
    changes = 0
    for step in range(STEPS + 1):
        part = made.counts[:, step : step + WINDOW]
        own = [column - step for column in shown if column > step]
        now = {point.column + step for point in find_changes(part, made.edges, np.ones(WINDOW), shown=own).points}
        if step:
            changes += sum(column > step + FROM_ENDS for column in shown - now)
            changes += sum(not _is_true(column, made.planted, known) for column in now - shown)
        known |= now
        shown = now
    return changes


def _is_true(column: int, planted: Sequence[Planted], known: set[int]) -> bool:
    """Whether a change point that comes belongs to a planted incident and none was shown there before: a band that
    moves has several. What comes again is flicker.
    """
    inside = any(one.first - NEAR <= column <= one.last + NEAR for one in planted)
    return inside and all(abs(column - other) >= FROM_OTHERS for other in known)


def words(run: Run, amount: Amount) -> Iterator[Goal]:
    for block, (name, many, gate, stretch) in enumerate((("with incidents", 2, 0.3, 0.1), ("without", 0, 0.15, 0.05))):
        first = amount.seed + (95 + block) * 1_000_000
        found = list(run(partial(flickering, many), range(first, first + amount.windows)))
        rate = 100 * sum(found) / (STEPS * len(found))
        yield Goal(
            f"words: changes per 100 columns beyond true edges, {name}", rate, len(found), gate, stretch, "", True
        )


def costs(amount: Amount) -> Iterator[Goal]:
    """CPU times, each the least of several runs: what else the machine does lengthens them."""
    made = pair(amount.seed, "ar1")
    yield Goal("CPU of a comparison, 300 columns x 108 rows, 399 shuffles", 1e3 * _cpu(lambda: compared(made), 9), 9,
               50, 15, "ms", at_most=True)  # fmt: skip
    long = recording(amount.seed, 3 * DAY, 12, "ar10", rows=1)
    yield Goal(
        "CPU of all changes, 259,200 columns of octaves", _cpu(partial(_changes, long, 3 * DAY), 3), 3, 2, 1, "s", True
    )
    short = partial(_changes, recording(amount.seed, WINDOW, 1, "ar10", rows=1), WINDOW)
    yield Goal("the same, a window of 600", 1e3 * _cpu(short, 9), 9, 10, 4, "ms", at_most=True)


def _changes(made: Recording, n: int) -> None:
    find_changes(made.counts, made.edges, np.ones(n))


def _cpu(call: Callable[[], object], times: int) -> float:
    found = []
    for _ in range(times):
        begin = time.process_time()
        call()
        found.append(time.process_time() - begin)
    return min(found)


# What is run, and what is written.


PARTS: dict[str, Callable[[Run, Amount], Iterator[Goal]]] = {
    "level": level,
    "power": power,
    "intervals": intervals,
    "seen": would_be_seen,
    "incidents": incidents,
    "drifts": drifts,
    "moves": moves,
    "pauses": pauses,
    "recurrences": recurrences,
    "words": words,
    "costs": lambda _, amount: costs(amount),
}


HEAD = ["| what | measured | of | gate | stretch goal | |", "| --- | --- | --- | --- | --- | --- |"]


def rows_of(goals: Sequence[Goal]) -> list[str]:
    lines = []
    for goal in goals:
        unit = f" {goal.unit}" if goal.unit else ""
        sign = "at most " if goal.at_most else ""
        cells = (f"{goal.measured:.3g}{unit}", f"{goal.of:,}", f"{sign}{goal.gate:g}", f"{sign}{goal.stretch:g}")
        lines.append(f"| {goal.name} | {' | '.join(cells)} | {goal.verdict} |")
    return lines


def write_table(goals: Sequence[Goal]) -> None:
    """Rows that were run replace those of the same name; the others stay, so that a part can be run alone."""
    page = PAGE.read_text(encoding="utf-8")
    head, _, rest = page.partition(BEGIN)
    if not rest:
        sys.exit(f"{PAGE}: there is no line {BEGIN!r}")
    own, _, tail = rest.partition(END)
    kept = {line.split(" | ")[0]: line for line in own.splitlines() if line.startswith("| ") and line not in HEAD}
    kept |= {row.split(" | ")[0]: row for row in rows_of(goals)}
    text = "\n".join([*HEAD, *kept.values()])
    PAGE.write_text(f"{head}{BEGIN}\n\n{text}\n\n{END}{tail}", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--pairs", type=int, default=1000, help="pairs for each cell (default: %(default)s)")
    parser.add_argument("--hours", type=int, default=100, help="recordings of an hour (default: %(default)s)")
    parser.add_argument("--days", type=int, default=12, help="recordings of a day (default: %(default)s)")
    parser.add_argument("--three-days", type=int, default=4, help="recordings of three days (default: %(default)s)")
    parser.add_argument("--windows", type=int, default=60, help="sliding windows of each kind (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=314_000_000, help="first seed (default: %(default)s)")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="parts of the table")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="little of all: for a try")
    parser.add_argument("--table", action="store_true", help="write the table into docs/accuracy.md")
    options = parser.parse_args()
    amount = Amount(options.pairs, options.hours, options.days, options.three_days, options.windows, options.seed)
    if options.quick:
        amount = Amount(40, 20, 1, 1, 4, options.seed)
    goals = []
    with ProcessPoolExecutor(options.jobs) as pool:
        run: Run = map if options.jobs == 1 else partial(pool.map, chunksize=4)  # type: ignore[assignment]
        for name in options.only:
            for goal in PARTS[name](run, amount):
                goals.append(goal)
                print(f"{goal.verdict:<8} {goal.measured:8.3g} {goal.unit:<8} {goal.name} ({goal.of:,})", flush=True)
    if options.table:
        write_table(goals)
    sys.exit("missed" if any(goal.verdict == "MISSED" for goal in goals) else 0)


if __name__ == "__main__":
    main()

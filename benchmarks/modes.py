"""How often modes, percentiles and times waited are right, on distributions with known truth.

.venv/bin/python benchmarks/modes.py [--cases 10000] [--seed 20261] [--flicker 555] [--table]

``mixtures.py`` makes the distributions. --table writes the result into docs/accuracy.md. The status is 1 if a figure
misses its gate. The CPU time of a histogram is the least of three.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from math import inf, log
from typing import NamedTuple

import numpy as np
from accuracy_page import Goal, table, write_section
from mixtures import LN2, RESOLUTIONS, Case, Distribution, Lognormals, case
from numpy.typing import NDArray

from pylatencymap.analysis import (
    Modes,
    ShownCount,
    find_modes,
    percentile,
    percentiles_of,
    time_waited,
)

US = 1e-6
N_BANDS = (300, 1_000, 3_000, 10_000, 100_000, 1_000_001)
RANKS = (0.5, 0.9, 0.99)
COLUMNS = 60
STEPS = 300
BURST = 5.0
RUNS = 3
"""Of each histogram, the least of whose CPU times counts: other processes only make them longer."""
Flags = NDArray[np.bool_]


class Told(NamedTuple):
    """What was found in a sample of a case.

    ``errors`` has a line for each mode if there are several and their number is right: of its share of the events and
    of the time waited, in points, and of its typical latency, in octaves.
    """

    true: int
    sure: int
    possible: int
    borderline: bool
    decidable: bool
    resolution: int
    n: int
    cpu: float
    errors: tuple[tuple[float, float, float], ...] = ()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=10_000, help="distributions (%(default)s)")
    parser.add_argument("--flicker", type=int, default=555, help="distributions that slide by (%(default)s)")
    parser.add_argument("--seed", type=int, default=20_261)
    parser.add_argument("--table", action="store_true", help="write docs/accuracy.md")
    options = parser.parse_args()
    begin = time.perf_counter()
    goals: list[Goal] = []
    for found in parts(options.seed, options.cases, options.flicker):
        goals += found
        print(
            "\n".join(table(found).splitlines()[2:] if len(goals) > len(found) else table(found).splitlines()),
            flush=True,
        )
    said = f"{options.cases:,} distributions, seed {options.seed}; {options.flicker} for flicker"
    print(f"{said}; {time.perf_counter() - begin:.0f} s")
    if options.table:
        command = (
            f"python benchmarks/modes.py --cases {options.cases} --flicker {options.flicker} --seed {options.seed}"
        )
        write_section("modes", f"`{command} --table`: {said}.\n\n{table(goals)}")
    return 0 if all(goal.met(goal.gate) for goal in goals) else 1


def parts(seed: int, cases: int, flicker: int) -> Iterator[list[Goal]]:
    """The goals, a group at a time."""
    told = [examined(case((seed, number)), (seed, number, 1)) for number in range(cases)]
    yield of_counts(told)
    yield of_bursts(seed, cases // 4)
    yield of_uncertainty(told)
    yield of_ticks(seed, max(cases // 5, 1))
    yield of_descriptions(told)
    yield of_cpu(told)
    yield of_flicker(seed, flicker)
    yield of_percentiles(seed, cases // 2)
    yield of_sums(seed, cases // 2)
    yield of_times(seed, cases // 2)


def examined(one: Case, seed: tuple[int, ...]) -> Told:
    """A sample of a case, analysed."""
    counts, edges = one.sample(np.random.default_rng(seed)), one.edges * US
    cpu = inf
    for _ in range(RUNS):
        begin = time.process_time()
        found = find_modes(counts, edges, tick=one.distribution.tick * US)
        cpu = min(cpu, time.process_time() - begin)
    about = len(one.modes), found.sure, found.possible, one.is_borderline, one.is_decidable, one.resolution, one.n, cpu
    return Told(*about, errors(one, found) if 1 < found.sure == len(one.modes) else ())


def errors(one: Case, found: Modes) -> tuple[tuple[float, float, float], ...]:
    """See ``Told``."""
    times = one.times / one.times.sum()
    return tuple(
        (
            100 * abs(mode.share.value - float(one.masses[first:stop].sum())),
            100 * abs(mode.wait.value - float(times[first:stop].sum())),
            abs(log(mode.typical / US / one.quantile(0.5, first, stop))) / LN2,
        )
        for mode, (first, stop) in zip(found.modes, one.modes, strict=True)
    )


def percent(flags: Flags) -> float:
    return 100 * float(flags.mean()) if flags.size else np.nan


def of_counts(told: list[Told]) -> list[Goal]:
    true, sure = (np.array([one[place] for one in told]) for place in (0, 1))
    right, decidable = true == sure, np.array([one.decidable for one in told])
    borderline = np.array([one.borderline for one in told])
    n, resolution = np.array([one.n for one in told]), np.array([one.resolution for one in told])
    bands = [(n >= low) & (n < high) for low, high in pairwise(N_BANDS)]
    worst = min(percent(right[decidable & band]) for band in [*bands, *(resolution == r for r in RESOLUTIONS)])
    one_mode = true == 1
    false = (sure > 1)[one_mode], (sure > 1)[one_mode & ~borderline]
    return [
        Goal("number of modes right, decidable", (percent(right[decidable]),), (99,), (99.8,), True),
        Goal("number of modes right, all", (percent(right),), (96,), (97.5,), True),
        Goal("the same, decidable, worst resolution or number of events", (worst,), (98.5,), (99.5,), True),
        Goal("false second mode, all / not borderline", (percent(false[0]), percent(false[1])), (1.5, 0.3), (0.8, 0.1)),
    ]


def of_bursts(seed: int, cases: int) -> list[Goal]:
    """Events that come in bursts of five; their bunching is estimated."""
    false = []
    for number in range(cases):
        one = case((seed, 2, number))
        if len(one.modes) == 1:
            counts = one.bursts(np.random.default_rng((seed, 3, number)), COLUMNS, BURST)
            false.append(find_modes(counts, one.edges * US, tick=one.distribution.tick * US).sure > 1)
    return [Goal("false second mode, bursts of 5", (percent(np.array(false)),), (2,), (1,))]


def of_uncertainty(told: list[Told]) -> list[Goal]:
    inside = np.array([one.sure <= one.true <= one.possible for one in told])
    hedged = np.array([one.possible > one.sure for one in told if one.decidable])
    return [
        Goal("truth within sure ... possible", (percent(inside),), (97.5,), (98.5,), True),
        Goal('"possibly" on decidable ones', (percent(hedged),), (5,), (3,)),
    ]


def of_ticks(seed: int, cases: int) -> list[Goal]:
    """Timers that round down to a tick, known and not."""
    right: list[tuple[bool, bool]] = []
    for number in range(cases):
        one = case((seed, 4, number), family="quantised")
        counts = one.sample(np.random.default_rng((seed, 5, number)))
        found = [find_modes(counts, one.edges * US, tick=tick) for tick in (one.distribution.tick * US, None)]
        right.append((found[0].sure == len(one.modes), found[1].sure == len(one.modes)))
    known, guessed = (percent(np.array(column)) for column in zip(*right, strict=True))
    return [Goal("timers with a tick, right: known / guessed", (known, guessed), (97, 95), (98.5, 97), True)]


def of_descriptions(told: list[Told]) -> list[Goal]:
    judged = [one for one in told if one.decidable]
    many = [one for one in judged if one.n >= 10_000]
    events = tuple(usual_error(group, 0) for group in (judged, many))
    wait = usual_error(judged, 1)
    typical = tuple(usual_error([one for one in judged if one.resolution == r], 2) for r in RESOLUTIONS)
    return [
        Goal("share of events, 95 %: all / 10,000 events or more", events, (2, 0.7), (1.3, 0.4), unit="points"),
        Goal("share of time, 95 %", (wait,), (2.5,), (1.5,), unit="points"),
        Goal(
            "typical latency, 95 %, 1 / 2 / 4 / 8 buckets an octave",
            typical,
            (0.25, 0.12, 0.1, 0.1),
            (0.18, 0.08, 0.08, 0.07),
            unit="octaves",
            digits=3,
        ),
    ]


def usual_error(told: list[Told], place: int) -> float:
    """The error that 95 % of all modes stay below."""
    return float(np.percentile([line[place] for one in told for line in one.errors], 95))


def of_cpu(told: list[Told]) -> list[Goal]:
    cpu = [1e3 * one.cpu for one in told]
    figures = float(np.mean(cpu)), float(np.percentile(cpu, 99))
    return [Goal("CPU per histogram, mean / 99 %", figures, (1, 3), (0.3, 1), unit="ms")]


def of_flicker(seed: int, cases: int) -> list[Goal]:
    """A window of 60 columns slides by: how often the number of modes that is shown changes."""
    changes: list[tuple[int, bool]] = []
    for number in range(cases):
        n = int(np.exp(np.random.default_rng((seed, 6, number)).uniform(log(300), log(1e5))))
        one = case((seed, 7, number), n=n)
        shown = list(numbers_shown(one, np.random.default_rng((seed, 8, number))))
        changes.append((int(np.count_nonzero(np.diff(shown))), one.is_decidable))
    per_hundred = [
        100 / STEPS * np.mean([many for many, decided in changes if decided or not only]) for only in (False, True)
    ]
    return [
        Goal(
            "flicker, changes per 100 columns: all / decidable",
            tuple(map(float, per_hundred)),
            (0.2, 0.08),
            (0.1, 0.03),
            unit="",
            digits=3,
        )
    ]


def numbers_shown(one: Case, rng: np.random.Generator) -> Iterator[int]:
    columns = rng.poisson(one.masses[:, None] * (one.n / COLUMNS), (len(one.masses), COLUMNS + STEPS)).astype(
        np.float64
    )
    shown = ShownCount()
    for step in range(STEPS + 1):
        window = columns[:, step : step + COLUMNS]
        shown = shown.after(find_modes(window, one.edges * US, tick=one.distribution.tick * US))
        yield shown.count


def of_percentiles(seed: int, cases: int) -> list[Goal]:
    holds = []
    for number in range(cases):
        one = case((seed, 9, number))
        counts = one.sample(np.random.default_rng((seed, 10, number)))
        found = [percentile(counts, one.edges * US, rank, tick=one.distribution.tick * US) for rank in RANKS]
        truth = [one.quantile(rank) * US for rank in RANKS]
        holds.append(
            [band is not None and band.low <= true <= band.high for band, true in zip(found, truth, strict=True)]
        )
    worst = min(percent(column) for column in np.array(holds).T)
    return [Goal("band of a percentile holds the truth, worst of p50, p90, p99", (worst,), (98,), (99.5,), True)]


def of_sums(seed: int, cases: int) -> list[Goal]:
    """Percentiles of sources that sum their latencies, of the mix and of very narrow modes: how often their bands hold
    the truth, and the mean error as a part of that without the sum.
    """
    holds, errors = [], []
    for narrow in (False, True):
        found = [summed(seed, narrow, number) for number in range(cases)]
        holds.append(min(percent(column) for column in np.array([held for held, _, _ in found]).T))
        with_sum, without = (float(np.mean([one[place] for one in found])) for place in (1, 2))
        errors.append(100 * with_sum / without)
    return [
        Goal("the same where the source sums: mix / very narrow modes", tuple(holds), (98, 98), (99.5, 99.5), True),
        Goal(
            "error of percentiles where the source sums, of that of counts alone: mix / very narrow modes",
            tuple(errors),
            (100, 90),
            (98, 80),
        ),
    ]


def summed(seed: int, narrow: bool, number: int) -> tuple[list[bool], float, float]:
    """Whether the bands of RANKS hold the truth, and their mean error in octaves, with the sum and without."""
    key = (seed, 13 + narrow, number)
    rng = np.random.default_rng((*key, 1))
    one = case(key, resolution=int(rng.choice(RESOLUTIONS)))
    if narrow:
        one = Case(Distribution("narrow", narrow_modes(rng).below), one.n, one.resolution)
    counts, micros = one.sample_with_sum(rng)
    about, tick = (counts, one.edges * US, RANKS), one.distribution.tick * US
    truth = [one.quantile(rank) * US for rank in RANKS]
    found = percentiles_of(*about, exact=micros * US, tick=tick), percentiles_of(*about, tick=tick)
    holds = [band.low <= true <= band.high for band, true in zip(found[0], truth, strict=True)]
    known, unknown = (
        float(np.mean([abs(log(band.value / true)) for band, true in zip(each, truth, strict=True)])) / LN2
        for each in found
    )
    return holds, known, unknown


def narrow_modes(rng: np.random.Generator) -> Lognormals:
    """One to three of them, each within one bucket or two."""
    many = int(rng.integers(1, 4))
    centres, sigmas = rng.uniform(5, 17, many) * LN2, rng.uniform(0.01, 0.1, many)
    return Lognormals(centres, sigmas, rng.dirichlet(np.ones(many)))


def of_times(seed: int, cases: int) -> list[Goal]:
    """Time waited from counts alone, of the mix and of very narrow modes."""
    holds, missed = [], []
    for narrow in (False, True):
        found = [
            [timed(seed, narrow, resolution, number) for number in range(cases // len(RESOLUTIONS))]
            for resolution in RESOLUTIONS
        ]
        missed.append(tuple(float(np.percentile([error for error, _ in group], 95)) for group in found))
        holds.append(percent(np.array([held for group in found for _, held in group])))
    return [
        Goal(
            "band of the time waited holds the truth: mix / very narrow modes",
            tuple(holds),
            (99, 94),
            (99.9, 98),
            more_is_better=True,
        ),
        Goal(
            "time waited, 95 %, 1 / 2 / 4 / 8 buckets an octave",
            missed[0],
            (7, 2.5, 1, 0.5),
            (5, 1.6, 0.7, 0.3),
        ),
    ]


def timed(seed: int, narrow: bool, resolution: int, number: int) -> tuple[float, bool]:
    """The error of the time waited in percent, and whether its band holds the truth."""
    key = (seed, 11 + narrow, resolution, number)
    one = case(key, resolution=resolution)
    rng = np.random.default_rng((*key, 1))
    if narrow:
        centre, sigma = rng.uniform(5, 13) * LN2, rng.uniform(0.01, 0.1)
        mode = Lognormals(np.array([centre]), np.array([sigma]), np.ones(1))
        one = Case(Distribution("narrow", mode.below), one.n, resolution)
    counts, micros = one.sample_with_sum(rng)
    found, true = time_waited(counts, one.edges * US, tick=one.distribution.tick * US), micros * US
    return 100 * abs(found.value / true - 1), found.low <= true <= found.high


if __name__ == "__main__":
    sys.exit(main())

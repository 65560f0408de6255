"""Whether something changed in steps or little by little: beside a step, all is constant; a drift has no such parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..density import FloatArray
from ..ramps import RampFit
from .bands import LEAST_SPREAD, band_mean
from .contrasts import LONGEST, Contrasts, IntArray

SHORTEST = 8
"""Columns of a drift. Change points that are nearer to each other are one step: none is nearer than four."""
BESIDE_STEP = 4
"""Columns around such change points in which the step is looked for."""
CLEAR = 6.0
"""By how much the squared deviations from a drift, in units of the noise, are less than those from steps."""
MOST_BINS = 384
AS_TELLING = 0.5
"""The part of the evidence of shares from which on that of latencies is used."""
END = 16
"""The part of a drift that tells what it is like at an end, if nothing constant lies beyond."""
OUTSIDE, LEAST_OUTSIDE = 4, 16
"""What is constant beyond an end is looked at for this part of the length of the drift, and so many columns."""


@dataclass(frozen=True)
class Course:
    """What changed in a lasting way, by column: ``values`` and their ``weights``, one over the variance, at ``places``,
    all [columns].
    """

    places: IntArray
    values: FloatArray
    weights: FloatArray

    def steps(self, walls: Sequence[int]) -> list[int]:
        """The places of steps; change points that are too near to each other to be two are one."""
        groups: list[list[int]] = []
        for wall in walls:
            if groups and wall - groups[-1][-1] < SHORTEST:
                groups[-1].append(wall)
            else:
                groups.append([wall])
        ends = [int(self.places[0]), *(group[-1] for group in groups[:-1])]
        return [
            self._step(end, group, others[0] if others else int(self.places[-1]) + 1)
            for end, group, others in zip(ends, groups, [*groups[1:], []], strict=True)
        ]

    def _step(self, first: int, walls: Sequence[int], last: int) -> int:
        """The place near change points at which two constant parts meet."""
        begin, end = np.searchsorted(self.places, [first, last])
        weight = np.cumsum(self.weights[begin:end])
        mass = np.cumsum((self.weights * self.values)[begin:end])
        places = self.places[begin + 1 : end]
        near = (places >= walls[0] - BESIDE_STEP) & (places <= walls[-1] + BESIDE_STEP)
        before, after = weight[:-1][near], (weight[-1] - weight[:-1])[near]
        if not ((before > 0) & (after > 0)).any():
            return walls[0]
        apart = (mass[:-1][near] * weight[-1] - mass[-1] * before) ** 2 / np.maximum(before * after, 1e-300)
        return int(places[near][apart.argmax()])

    def drift(self, steps: Sequence[int]) -> tuple[int, int] | None:
        """Where a drift begins and ends, if that is nearer to the data than ``steps``."""
        without = replace(self, weights=self._without(steps))
        fit = RampFit(without.places, without.values, without.weights, SHORTEST)
        ramp = fit.straight()
        if ramp is None:
            return None
        binned = without._binned(steps)
        straight = binned.left_by(np.stack([np.ones(len(binned.places)), *ramp.parts(binned.places)], axis=1))
        knots = np.array([self.places[0], *steps, self.places[-1] + 1], dtype=np.float64)
        bent = binned.left_by(np.stack([np.interp(binned.places, knots, one) for one in np.eye(len(knots))], axis=1))
        walls = np.searchsorted(binned.places, steps, side="left")
        levels = np.searchsorted(walls, np.arange(len(binned.places)), side="right")
        if min(straight, bent) + CLEAR >= binned.left_by(np.eye(len(steps) + 1)[levels]):
            return None
        ramp = fit.bent(ramp)
        return None if fit.rests(ramp) else (ramp.first, ramp.last)

    def ramp(self) -> tuple[int, int] | None:
        """Where the ramp that is nearest to the data begins and ends; None if there is no room for one."""
        fit = RampFit(self.places, self.values, self.weights, SHORTEST)
        straight = fit.straight()
        if straight is None:
            return None
        ramp = fit.bent(straight)
        return ramp.first, ramp.last

    def _without(self, steps: Sequence[int]) -> FloatArray:
        """Weights without the columns at steps: what changes within a column has a value between both."""
        at_steps = np.isin(self.places, [place + beside for place in steps for beside in (-1, 0)])
        return np.where(at_steps, 0.0, self.weights)

    def _binned(self, steps: Sequence[int]) -> Course:
        """In fewer columns."""
        bins = np.linspace(0, len(self.places), min(len(self.places), MOST_BINS), endpoint=False).astype(np.int64)
        begins = np.unique(np.concatenate([bins, np.searchsorted(self.places, steps)]))
        weight, mass = (np.add.reduceat(one, begins) for one in (self.weights, self.weights * self.values))
        return Course(self.places[begins], mass / np.maximum(weight, 1e-300), weight)

    def left_by(self, basis: FloatArray) -> float:
        """The squared deviations from the nearest sum of the columns of ``basis`` [columns, parts]."""
        root = np.sqrt(self.weights)
        wanted = root * self.values
        scaled = root[:, None] * basis
        return float(((wanted - scaled @ np.linalg.lstsq(scaled, wanted, rcond=None)[0]) ** 2).sum())


def course_between(
    contrasts: Contrasts, parts: Sequence[tuple[int, int]], feature: int, *, sudden: bool = False
) -> Course:
    """The course of what differs between the first and the last of ``parts``, [first, last) by time: the rate; for
    latencies their mean where a band went to others, else how much more each column is like the last part than like
    the first. If it was ``sudden`` there is no way between both, and what tells more is taken.
    """
    kept = [(max(first, last - LONGEST), last) for first, last in parts[:-1]]
    kept.append((parts[-1][0], min(parts[-1][1], parts[-1][0] + LONGEST)))
    places = np.concatenate([np.arange(first, last) for first, last in kept])
    noise = float(contrasts.noise_at(np.array([min(last - first for first, last in (kept[0], kept[-1]))]))[feature, 0])
    if feature == contrasts.rate:
        seconds = np.diff(contrasts.time)[places]
        rate = np.diff(contrasts.events)[places] / seconds
        return Course(places, rate, seconds / max(float(rate.mean()), 1e-300) / noise)
    events, values, spread = _latencies(contrasts, kept, places, 1.0 if sudden else AS_TELLING)
    return Course(places, values, events / spread / noise)


def _latencies(
    contrasts: Contrasts, parts: Sequence[tuple[int, int]], places: IntArray, least: float
) -> tuple[FloatArray, FloatArray, float]:
    """In each column the events and a mean value of them, and the variance of one event.

    The value is the latency, among the octaves in which a band was and those in which it is: wherever it is on its way,
    the mean goes with it, and what there is elsewhere does not matter. But the shares of few events tell much more than
    their latencies if these came and did not move: latencies have at least this part of the evidence of shares.
    """
    ends = contrasts.sums(*np.array([parts[0], parts[-1]]).T).levels()[: contrasts.rows]
    moved = band_mean(ends)
    scores, its_spread, its_evidence = _telling(*ends.T)
    if moved.evidence >= least * its_evidence:
        return *contrasts.latencies_in(places, *moved.octaves), moved.spread
    octaves = contrasts.octaves[:, places + 1] - contrasts.octaves[:, places]
    events = octaves.sum(axis=0)
    return events, (scores @ octaves) / np.maximum(events, 1e-300), its_spread


def _telling(before: FloatArray, after: FloatArray) -> tuple[FloatArray, float, float]:
    """How much an event of each octave speaks for the part after a change, the variance of that, and its evidence."""
    both = before + after
    share = both / max(float(both.sum()), 1e-300)
    scores = np.divide(after - before, both, out=np.zeros(len(both)), where=both > 0)
    spread = max(float((share * scores**2).sum() - (share * scores).sum() ** 2), LEAST_SPREAD)
    return scores, spread, float(scores @ (after - before)) ** 2 / spread


def ends_of_drift(begin: int, end: int, first: int, last: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The parts between ``first`` and ``last`` that tell what a drift is like where it begins and ends: just outside of
    it where there is room, else just inside.
    """
    inside = max((end - begin) // END, SHORTEST // 2)
    outside = max((end - begin) // OUTSIDE, LEAST_OUTSIDE)
    before = (max(begin - outside, first), begin) if begin - first >= inside else (begin, begin + inside)
    after = (end, min(end + outside, last)) if last - end >= inside else (end - inside, end)
    return before, after

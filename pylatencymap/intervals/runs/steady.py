"""Whether the snapshots of a run only go on: none goes back, and none comes so late that there is a gap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...record import Clock, Tick
from ..nominal import GAP_FACTOR, STEPS_REMEMBERED, NominalInterval
from .run import RecordRun

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SECOND = 1e6
_MIDDLE = (STEPS_REMEMBERED - 1) // 2


def steps_to(before: Sequence[int], run: RecordRun) -> NDArray[np.float64]:
    """The steps in seconds from each moment (microseconds) to the next, and on from snapshot to snapshot of a run."""
    import numpy as np

    moments = np.concatenate((np.array(before, np.int64), run.ends))
    steps: NDArray[np.float64] = (moments[1:] - moments[:-1]) / _SECOND
    return steps


def usual_steps(steps: NDArray[np.float64], kept: NDArray[np.bool_], usual: NominalInterval) -> int:
    """How many of the first steps are neither back, nor so long that a source was silent, as ``usual`` would say if it
    got one after the other. ``kept``: its time is final, so that it can be of any length.
    """
    import numpy as np

    recent = usual.recent
    if recent is None:
        return 0
    odd = steps <= 0
    if not kept.all():
        both = np.concatenate((recent, steps))
        if both.max() > GAP_FACTOR * both.min():
            windows = np.lib.stride_tricks.sliding_window_view(both[:-1], STEPS_REMEMBERED)
            medians = np.partition(windows, _MIDDLE, axis=1)[:, _MIDDLE]
            odd |= ~kept & (steps > GAP_FACTOR * medians)
    return int(odd.argmax()) if odd.any() else steps.size


def _are_on(clock: Clock, *ticks: Tick) -> bool:
    """Whether snapshots have stamps of this clock."""
    return all(tick.stamp is not None and tick.stamp.clock is clock for tick in ticks)


def usual_of_run(run: RecordRun, last: Tick, held: Tick, usual: NominalInterval) -> int:
    """How many of the first snapshots go on from the held one, which goes on from the last one that was passed on; of
    the last of these it is only known that it is later.
    """
    import numpy as np

    if held.joins or not _are_on(run.clock, last, held):
        return 0
    assert run.snapshots is not None
    assert last.stamp is not None
    assert held.stamp is not None
    steps = steps_to([last.stamp.micros, held.stamp.micros], run)
    kept = np.concatenate(([held.kept], run.snapshots.kept))
    return min(usual_steps(steps[:-1], kept[:-1], usual), _later(steps) - 1)


def _later(steps: NDArray[np.float64]) -> int:
    """The number of steps up to the first one that goes back."""
    back = steps <= 0
    return int(back.argmax()) if back.any() else steps.size

"""A window like that of a cold cache in front of a spindle, without any chance in it."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from pylatencymap.analysis import find_modes
from pylatencymap.view.drawing import draw_picture
from pylatencymap.view.layout.colour_scale import ScaleMemory
from pylatencymap.view.layout.scene import ChangeWords, Reading, Scene
from pylatencymap.view.layout.status import Status
from pylatencymap.view.paint.canvas import Cells
from pylatencymap.view.style.options import ViewOptions
from pylatencymap.window.matrix import Matrix
from pylatencymap.window.statistics import Quantity, Summary

START = 1_700_000_000
"""22:13:20 UTC."""
LOWEST = 4
"""The first row is [2^4, 2^5) us."""
ROWS = 12

MakeMatrix = Callable[..., Matrix]
Draw = Callable[..., Cells]


def bimodal_counts(columns: int) -> np.ndarray:
    """Events [ROWS, columns]: reads of 64-256 us become more, 90 a second of 8.19-16.4 ms stay, a few lie between."""
    time = np.arange(columns)
    counts = np.zeros((ROWS, columns))
    counts[2] = 10 + time * 8
    counts[3] = time * 2
    counts[1] = time % 5
    counts[5] = time % 3 == 0
    counts[9] = 90
    return counts


def matrix_of(
    counts: np.ndarray,
    *,
    lowest: int = LOWEST,
    gap: Sequence[int] = (),
    reset: Sequence[int] = (),
    overflow: bool = False,
    clock: bool = True,
    resampled: bool = False,
) -> Matrix:
    """One-second columns on octaves of microseconds; gaps hold no counts."""
    counts = counts.astype(float)
    rows, columns = counts.shape
    bounds = 2.0 ** np.arange(lowest, lowest + rows + 1) * 1e-6
    middles = (bounds[:-1] + bounds[1:]) / 2
    if overflow:
        middles[-1], bounds[-1] = bounds[-2], np.inf
    silent, restarted = np.zeros(columns, np.bool_), np.zeros(columns, np.bool_)
    silent[list(gap)], restarted[list(reset)] = True, True
    counts[:, silent] = 0
    return Matrix(
        bounds=bounds,
        counts=counts,
        waited=counts * middles[:, np.newaxis],
        ends=(START + 1 + np.arange(columns, dtype=np.int64)) * 1_000_000,
        seconds=np.where(silent, 0.0, 1.0),
        lasted=np.where(silent, 0.0, 1.0),
        gap=silent,
        reset=restarted,
        estimated=np.ones(columns, np.bool_),
        doubtful=np.zeros(columns, np.bool_),
        overflow=overflow,
        resampled=resampled,
        clock=clock,
    )


SUMMARY = Summary(
    span=71.0,
    events=26000.0,
    waited=80.5,
    estimated=True,
    average=Quantity(0.00179),
    p50=Quantity(0.000103),
    p90=Quantity(0.0105),
    p99=Quantity(0.0158),
    maximum=Quantity(0.016384),
)


def read(matrix: Matrix, *changes: ChangeWords) -> Reading:
    """What the analysis finds in a matrix, and sentences about changes."""
    if not matrix.columns:
        return Reading()
    found = find_modes(matrix.counts, matrix.bounds, matrix.seconds)
    return Reading(found, found.sure, changes)


@pytest.fixture
def make_matrix() -> MakeMatrix:
    """matrix_of, with the bimodal counts of so many columns unless counts are given."""

    def make(columns: int = 71, counts: np.ndarray | None = None, **details: object) -> Matrix:
        return matrix_of(bimodal_counts(columns) if counts is None else counts, **details)  # type: ignore[arg-type]

    return make


@pytest.fixture
def picture() -> Draw:
    """draw() with a status and summaries that need not be given."""

    def make(
        matrix: Matrix,
        size: tuple[int, int] = (120, 40),
        options: ViewOptions | None = None,
        memory: ScaleMemory | None = None,
        **status: object,
    ) -> Cells:
        keys = (("space", "pause"), ("q", "quit"))
        said = Status(**{"label": "biolatency", "series": "loop0", "noun": "I/Os", "keys": keys, **status})  # type: ignore[arg-type]
        return draw_picture(
            Scene(matrix, said, SUMMARY, SUMMARY, reading=read(matrix)),
            options or ViewOptions(),
            size,
            memory or ScaleMemory(),
        ).cells

    return make


@pytest.fixture
def golden() -> Callable[[str, Cells], None]:
    """Compares cells with a file of text; after a wanted change run with UPDATE_GOLDEN=1 and read the difference."""

    def compare(name: str, cells: Cells) -> None:
        shown = "".join(line.rstrip() + "\n" for line in cells.text())
        file = Path(__file__).parent / "golden" / f"{name}.txt"
        if os.environ.get("UPDATE_GOLDEN"):
            file.write_text(shown, encoding="utf-8")
        assert shown == file.read_text(encoding="utf-8")

    return compare

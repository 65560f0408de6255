"""Hundreds of series: the same page as ever, for work that does not grow with their square."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pylatencymap.findings import RunFindings
from pylatencymap.findings.pages import screen_page as pages
from tests.findings.data import findings, load, series
from tests.findings.test_changes import with_incident


def of_many(number: int) -> RunFindings:
    """A run whose later series are copies of the second one, with what is said about it."""
    run = findings(series(with_incident()), series(load(), "disk0"))
    copies = [f"disk{place}" for place in range(1, number)]
    return replace(
        run,
        series=(*run.series, *(replace(run.series[1], name=name) for name in copies)),
        names=run.names | {name: name for name in copies},
        meaning=(*run.meaning, *(replace(run.meaning[0], series=(name,)) for name in copies)),
    )


@pytest.mark.parametrize("lines", [8, 12, 24, 40, 90])
@pytest.mark.parametrize("columns", [40, 80, 120])
def test_what_has_no_chance_changes_nothing(columns: int, lines: int, monkeypatch: pytest.MonkeyPatch) -> None:
    run = of_many(60)
    page = run.text(columns, lines)
    monkeypatch.setattr(pages, "_with_chances", lambda items, _: items)
    assert run.text(columns, lines) == page


def test_a_page_of_twice_as_many_series_is_no_more_work(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[int] = []
    real = pages._left_out
    monkeypatch.setattr(pages, "_left_out", lambda run, items: kept.append(len(items)) or real(run, items))
    work = []
    for number in (200, 400):
        kept.clear()
        of_many(number).text(80, 24)
        work.append(sum(kept))
    assert work[1] < 1.2 * work[0]


def test_changes_at_other_times_are_not_compared_with_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of many series has an incident when the others have none."""
    from pylatencymap.findings import changes

    compared: list[SimpleNamespace] = []
    real = changes._is_same
    monkeypatch.setattr(changes, "_is_same", lambda *pair: compared.append(pair) or real(*pair))
    quiet, width = load(1200), 20
    many = []
    for place in range(20):
        counts = quiet.copy()
        at = 60 + 54 * place
        counts[-4, at : at + width] += 40
        many.append(series(counts, f"disk{place}"))
    found = [one for one in findings(*many).changes if one.low is not None]
    assert sorted(one.series for one in found) == sorted((f"disk{place}",) for place in range(20))
    assert all(one.alone for one in found)
    assert len(compared) < len(many) * np.log2(len(many))

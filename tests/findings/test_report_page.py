"""docs/report.md names every field of the JSON, and no other; and every kind of finding with its evidence."""

import re
from collections.abc import Iterator
from datetime import timezone
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pylatencymap.findings import Finding, RunFindings, find_all
from pylatencymap.record import Mark, Stamp
from tests.analysis.loads import FAST, SLOW, mean_counts, mode, poisson
from tests.analysis.shapes import FloatArray
from tests.findings.data import findings, load, mixture, series
from tests.findings.test_changes import with_incident
from tests.findings.test_meaning import FINE, busy, loaded, shifted, whole
from tests.findings.test_stalls import locked, stalled

ESTIMATE = {"value", "low", "high"}
AS_BEFORE = ("changes[].inside", "changes[].after")
FINDINGS = ("who", "limits[]")


def paths(value: Any, name: str = "") -> Iterator[str]:
    """The fields of a JSON value; estimates and evidence are leaves."""
    if isinstance(value, dict) and not value.keys() >= ESTIMATE and not name.endswith("evidence"):
        for key, inner in value.items():
            yield from paths(inner, f"{name}.{key}" if name else key)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for inner in value:
            yield from paths(inner, f"{name}[]")
    else:
        yield name


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs/report.md").read_text(encoding="utf-8")


def whole_run() -> RunFindings:
    """A run with a tail, changes, several series, marks and sentences of meaning."""
    tailed = mixture((100e-6, 0.5, 5_000.0), columns=300)
    tailed[22, :30:5] = 1
    many = series(with_incident(), gaps=(40,), resets=(60,)), series(tailed, "sdb"), series(load(), "sdc")
    return find_all(many, timezone.utc, marks=[Mark(Stamp(int(many[0].ends[9])), "deploy"), Mark(Stamp(0), "early")])


def test_the_page_names_every_field(page: str) -> None:
    named = set(re.findall(r"^\| `([a-z_0-9.\[\]]+)` \|", page.split("## JSON")[1], re.MULTILINE))
    found = set(paths(whole_run().as_dict()))
    alike = {name for name in found if name.startswith((*AS_BEFORE, *FINDINGS, "all."))}
    within = {
        f"changes[].before{name.removeprefix(one)}" for name in alike for one in AS_BEFORE if name.startswith(one)
    }
    within |= {f"meaning[]{name.removeprefix(one)}" for name in alike for one in FINDINGS if name.startswith(one)}
    within |= {f"series[].{name.removeprefix('all.')}" for name in alike if name.startswith("all.")}
    same = {"all", "who", "limits", *AS_BEFORE}
    empty = {"changes[].before", "series[].tail", "series[].beyond", "series[].modes", "meaning", "limits"}
    assert (found - alike) | within <= named | empty
    assert named - same == (found - alike - same - empty) | (within - empty)


def recurring() -> list[FloatArray]:
    """A slow share that swings, bursts every ten seconds, and pauses."""
    places = np.arange(600)
    share = 0.1 * (1 + 0.8 * np.sin(2 * np.pi * places / 60))
    return [
        poisson(400 * (np.outer(mode(FAST), 1 - share) + np.outer(mode(SLOW), share))),
        poisson(mean_counts(600) + 300 * mode(14.1)[:, None] * (places % 10 == 3)),
        poisson(mean_counts(600) * np.where(places % 20 < 3, 0.05, 1.0)),
    ]


def sentences() -> list[Finding]:
    edges = FINE
    counts, waited = loaded(5_000)
    fine = np.append(1e-6 * 2.0 ** np.arange(0, 12), 1e-6 * 2.0 ** np.arange(12, 28, 1 / 64))
    many = [
        findings(series(whole(1e-3), edges=edges)),
        findings(series(counts, waited=waited)),
        findings(series(mixture((100e-6, 0.3, 900.0), (10e-3, 0.1, 100.0)), waited=busy(2.0), clock=False)),
        findings(series(mixture((10e-3, 0.3, 900.0), (1.01, 0.004, 60.0), edges=fine), edges=fine)),
        findings(series(load(20)), series(load(20), "sdb")),
        findings(series(shifted(add=5e-3), edges=FINE)),
        findings(series(shifted(factor=2.8), edges=FINE)),
        *(findings(series(counts)) for counts in recurring()),
        findings(stalled(100, length=20), locked({119: 20.0})),
    ]
    return [one for run in many for one in (*run.recurring, *run.meaning, *run.limits, *filter(None, [run.who]))]


def test_the_page_names_every_sentence_and_its_evidence(page: str) -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \|.*\|([^|]*)\|$", page.split("## JSON")[0], re.MULTILINE)
    named = {kind: set(re.findall(r"`(\w+)`", evidence)) for kind, evidence in rows}
    found = {one.kind: set(one.evidence) for one in sentences()}
    assert named == found


def test_the_version_is_that_of_the_page(page: str) -> None:
    said = whole_run().as_dict()
    assert (said["schema"], said["version"]) == ("pylatencymap-report", 1)
    assert "| `version` | 1 |" in page
    assert [mark["text"] for mark in said["marks"]] == ["deploy"], "what is before the data is left out"


@pytest.mark.parametrize(("events", "told"), [(1, False), (3, False), (4, True)])
def test_percentiles_are_told_all_or_none(events: int, told: bool) -> None:
    """Of three events or fewer, nobody knows on which side of them the median lies; then p99 says nothing either."""
    counts = np.zeros((24, 60))
    counts[13, :events] = 1
    text = findings(series(counts)).text()
    assert [f"{name} " in text for name in ("p50", "p90", "p99")] == [told] * 3
    assert f"{events} I/O{'' if events == 1 else 's'}, " in text


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_a_shortened_page_says_which_chapters_it_has_not(columns: int) -> None:
    run = whole_run()
    everything = run.text(columns, None).splitlines()
    for lines in range(10, len(everything)):
        text, _, note = run.text(columns, lines).partition("--full shows")
        for chapter in ("What changed", "Marks", "What it means"):
            assert any(line.startswith(chapter) for line in everything)
            is_there = any(line.startswith(chapter) for line in text.splitlines())
            assert is_there != (chapter in " ".join(note.split())), (lines, chapter)

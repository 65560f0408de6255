"""``Run.report`` and ``Run.changes``."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import pylatencymap as lm
from pylatencymap.errors import UsageError

Command = Callable[..., bytes]


@pytest.fixture(scope="module")
def cold(examples: Path) -> lm.Run:
    return lm.read(examples / "cold-start.lmap.gz", tz="UTC")


def test_a_report_is_that_of_the_command(examples: Path, cold: lm.Run, root: Path) -> None:
    path = examples / "cold-start.lmap.gz"
    words = [sys.executable, "-m", "pylatencymap", "report", str(path), "--json", "--tz", "UTC"]
    said = json.loads(subprocess.run(words, capture_output=True, check=True, cwd=root).stdout)
    assert said == json.loads(json.dumps(cold.report(files=[str(path)]).as_dict()))


def test_figures_are_those_of_the_other_methods(cold: lm.Run) -> None:
    for one in cold.report().series:
        assert one.modes == cold.modes(one.name)
        assert one.events == cold.summary(one.name).events
    assert cold.report().changes == cold.changes()


def test_one_series_and_a_part_of_the_time(cold: lm.Run) -> None:
    part = cold.report("vda", start="2026-11-21 11:15", end="2026-11-21 11:15:20")
    assert [one.name for one in part.series] == ["vda"]
    assert part.series[0].seconds == pytest.approx(20, abs=1.5)
    assert {name for change in cold.changes("loop0") for name in change.series} == {"loop0"}


def test_wrong_names_and_times(cold: lm.Run) -> None:
    with pytest.raises(UsageError, match="no series is called vdb; did you mean vda"):
        cold.report("vdb")
    with pytest.raises(UsageError, match="no interval between start and end"):
        cold.changes(start="2027-01-01")


def test_the_examples_say_what_is_in_them(examples: Path) -> None:
    """The cache and the disk of the truth files; the cold start as drift of the share of misses."""
    cold = lm.read(examples / "cold-start.lmap.gz", tz="UTC").report("loop0")
    drift = next(one for one in cold.changes if one.kind.value == "drift")
    assert drift.text.startswith("the share of I/Os at 8.19-16.4 ms drifts from 89 % to 8.7 %")
    cache = next(one for one in cold.meaning if one.kind == "cache")
    assert cache.evidence["hits"] == pytest.approx(0.87, abs=0.02)
    assert cold.verdict.endswith("Two modes, the slow one with 93 % of the wait.")


def test_a_report_names_the_files_that_were_read(examples: Path) -> None:
    path = examples / "cold-start.lmap.gz"
    assert lm.read(path, tz="UTC").report().as_dict()["files"] == [str(path)]

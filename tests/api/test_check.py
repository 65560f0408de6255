"""``Run.check``: the verdicts of the command line, from Python."""

from collections.abc import Callable
from pathlib import Path

import pytest

import pylatencymap as lm
from pylatencymap.errors import UsageError


@pytest.fixture(scope="module")
def cold(examples: Path) -> lm.Run:
    return lm.read(examples / "cold-start.lmap.gz", tz="UTC")


def test_a_condition_is_about_the_first_series_or_the_one_that_is_named(cold: lm.Run) -> None:
    assert cold.check("rate > 500/s").holds is True
    assert cold.check("rate > 500/s", "vda").holds is False
    assert cold.check("any(rate > 500/s)", "vda").holds is True
    assert cold.check("modes == 2").holds is True


def test_it_measures_what_the_other_methods_say(cold: lm.Run) -> None:
    (found,) = cold.check("rate > 500/s").checks[0].measures
    about = cold.summary()
    assert found.value == pytest.approx(about.events / about.span)
    assert cold.check("events == 48123").holds is True


def test_a_part_of_the_time(cold: lm.Run) -> None:
    whole, part = (
        cold.check("rate > 1/s", end=end).checks[0].measures[0].value for end in (None, "2026-11-21 11:14:40")
    )
    about = cold.summary(end="2026-11-21 11:14:40")
    assert part == pytest.approx(about.events / about.span)
    assert part != whole
    assert cold.check("rate > 1/s", start="2027-01-01").reason == "loop0 has no interval"
    with pytest.raises(UsageError, match="start must be before end"):
        cold.check("rate > 1/s", start="2027-01-01", end="2026-01-01")


def test_before_is_another_run(cold: lm.Run, examples: Path) -> None:
    spindle = lm.read(examples / "spindle.lmap.gz")
    assert spindle.check("p99 > 1.2 * before.p99", before=cold).holds is True
    assert cold.check("p99 > 1.2 * before.p99", before=spindle).holds is False
    with pytest.raises(UsageError, match=r"column 13: before\. needs a second run"):
        cold.check("p99 > 1.2 * before.p99")


def test_what_cannot_be_understood_is_pointed_at(cold: lm.Run) -> None:
    with pytest.raises(UsageError) as found:
        cold.check("p99 > 10%")
    assert str(found.value).splitlines()[1:] == ["    p99 > 10%", "          ^"]
    with pytest.raises(UsageError, match="no series is called sda"):
        cold.check("p99 > 10ms", "sda")


def test_it_says_what_the_command_line_says(cold: lm.Run, examples: Path, command: Callable[..., bytes]) -> None:
    verdict = cold.check("p99 > 1s")
    assert verdict.holds is False
    assert command(examples / "cold-start.lmap.gz", "--once", "--fail-if", "p99 > 1s")
    assert verdict.as_json()["sentence"] == verdict.sentence

"""Event logs of Spark that are followed: what is appended, files that follow, and the end of the application."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from pylatencymap.errors import UsageError
from pylatencymap.intervals import TimeOptions
from pylatencymap.report import Report
from pylatencymap.session.input import FollowedLog
from pylatencymap.session.input.followed import open_followed
from pylatencymap.session.input.pipeline import ReadPlan, intervals_from
from tests.session.input.test_followed import ScriptedStop, nothing

SAMPLE = Path(__file__).parents[2] / "collectors" / "samples" / "spark" / "failures.txt"
TEXT = SAMPLE.read_text()
LINES = TEXT.splitlines(keepends=True)
Told = list[tuple[int, str]]


def written(path: Path, text: str) -> Callable[[], object]:
    def act() -> None:
        with path.open("a") as file:
            file.write(text)

    return act


def lines_of(path: Path, *actions: Callable[[], object]) -> Told:
    """All lines up to the end of the application, with their numbers. Each pause does the next action."""
    stop = ScriptedStop(*actions)
    source = open_followed(str(path), stop, print)
    assert isinstance(source, FollowedLog)
    found = [(line.number, line.text + "\n") for line in source.lines() if line is not None]
    source.close()
    assert not stop.left, "it ended too early"
    assert not stop.is_set, "it was stopped, and did not end with the application"
    stop.close()
    return found


def test_a_file_up_to_the_end_of_its_application(tmp_path: Path) -> None:
    path = tmp_path / "local-1.inprogress"
    path.touch()
    first, second = TEXT[:1000], TEXT[1000:]
    end = lambda: path.rename(tmp_path / "local-1")  # noqa: E731
    found = lines_of(path, nothing, written(path, first), nothing, nothing, written(path, second), end)
    assert found == [*enumerate(LINES, 1)]


def test_a_file_that_is_finished_is_read_and_ends(tmp_path: Path) -> None:
    (tmp_path / "local-1.gz").write_bytes(gzip.compress(TEXT.encode()))
    assert lines_of(tmp_path / "local-1.gz") == [*enumerate(LINES, 1)]


def test_a_folder_from_file_to_file(tmp_path: Path) -> None:
    """Lines are counted over all files. What is written to a file before the next one begins is read first."""
    log = tmp_path / "eventlog_v2_local-1"
    log.mkdir()
    status = log / "appstatus_local-1.inprogress"
    status.touch()
    one, two, ten = (log / f"events_{number}_local-1" for number in (1, 2, 10))
    one.write_text("".join(LINES[:3]))

    def next_one() -> None:
        written(one, "".join(LINES[3:6]))()
        two.write_text("".join(LINES[6:8]))

    def last() -> None:
        ten.write_text("".join(LINES[8:]))

    end = lambda: status.rename(log / "appstatus_local-1")  # noqa: E731
    assert lines_of(log, nothing, next_one, nothing, last, nothing, end) == [*enumerate(LINES, 1)]


def test_intervals_are_those_of_the_whole_log(tmp_path: Path) -> None:
    path = tmp_path / "local-1.inprogress"
    path.write_text("".join(LINES[:7]))
    steps = [written(path, line) for line in LINES[7:]]
    stop = ScriptedStop(*steps, lambda: path.rename(tmp_path / "local-1"))
    source = open_followed(str(path), stop, print)
    plan = ReadPlan(time=TimeOptions(interval=1.0), format="spark")
    found = [one for one in intervals_from(source, plan, Report("x"), lambda _: None) if one.events]
    whole_stop = ScriptedStop()
    whole = open_followed(str(tmp_path / "local-1"), whole_stop, print)
    expected = [one for one in intervals_from(whole, plan.afresh(), Report("x"), lambda _: None) if one.events]
    key = [(one.series, one.start, one.end, one.events) for one in found]
    assert sorted(key) == sorted((one.series, one.start, one.end, one.events) for one in expected)
    assert sum(one.events for one in found) > 5


def test_other_files_in_progress_are_no_logs(tmp_path: Path) -> None:
    (tmp_path / "x.inprogress").write_text("10:00:01\n 64 -> 127 : 5\n")
    with pytest.raises(UsageError, match="it is no recording"):
        open_followed(str(tmp_path / "x.inprogress"), ScriptedStop(), print)

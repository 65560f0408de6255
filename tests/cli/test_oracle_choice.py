"""oralatencymap's sets, classes, ranks, containers and other views, from the command line to the picture."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.cli.oracle.command import run
from tests.oracle.conftest import mock_view, oracle_rig, server

__all__ = ["mock_view", "oracle_rig", "server"]


class Ran:
    """Exit status, standard output and standard error."""

    def __init__(self, status: int, captured: Any) -> None:
        self.status, self.out, self.err = status, captured.out, captured.err


@pytest.fixture
def draw(
    server: Callable[..., Any],
    mock_view: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., Ran]:
    """Draw two intervals of a database with many events, once; ``service`` is a container."""

    def draw(*words: str, service: str = "", change: Callable[[Any], object] = bool, **given: Any) -> Ran:
        db = server(mock_view.MockHistogram(rates=mock_view.wide_rates(), **given))
        change(db.mock)
        for name, value in {
            "HOME": str(tmp_path),
            "ORALATENCYMAP_PASSWORD": db.password,
            "LINES": "40",
            "COLUMNS": "120",
        }.items():
            monkeypatch.setenv(name, value)
        fixed = ["--user", db.user, "--interval", "0.2"]
        dsn = ["--dsn", db.dsn_of(service) if service else db.dsn]
        once = [] if "--list-events" in words else ["--count", "2", "--once", "--depth", "ascii"]
        return Ran(run([*words, *dsn, *fixed, *once]), capsys.readouterr())

    return draw


def test_a_set_is_drawn_as_a_pair_above_each_other(draw: Callable[..., Ran]) -> None:
    ran = draw("commits")
    assert ran.status == 0
    assert "drawn are log file sync, log file parallel write, SYNC remote write" in ran.err
    assert "[log file sync@1] INTENSITY" in ran.out
    assert "log file parallel write@1  INTENSITY" in ran.out
    assert "estimated" not in ran.out


def test_a_pair_is_that_of_the_instance_that_is_chosen(draw: Callable[..., Ran]) -> None:
    ran = draw("commits", "--instance", "2")
    assert "[log file sync@2] INTENSITY" in ran.out


def test_a_class_and_the_busiest_of_it(draw: Callable[..., Ran]) -> None:
    ran = draw("--class", "user i/o", "--top", "2")
    assert ran.status == 0
    assert "the busiest events: db file sequential read, cell single block physical read" in ran.err
    assert "db file scattered read" not in ran.out


def test_a_pattern_draws_what_has_waited(draw: Callable[..., Ran]) -> None:
    ran = draw("gc *", "--instance", "1")
    assert {name for name in ("block 2-way", "grant 2-way", "block 3-way") if f"gc cr {name}@1" in ran.out} == {
        "block 2-way",
        "grant 2-way",
        "block 3-way",
    }


def test_without_the_names_of_events_a_class_needs_a_grant_to_this_user(draw: Callable[..., Ran]) -> None:
    ran = draw("--class", "Commit", change=lambda mock: mock.hide_view("v$event_name"))
    assert ran.status == 3
    assert "GRANT READ ON SYS.V_$EVENT_NAME TO mon;" in ran.err


def test_the_ranking_of_a_class_is_exact_and_tells_foreground_sessions(draw: Callable[..., Ran]) -> None:
    ran = draw("--list-events", "--class", "System I/O")
    assert (ran.status, ran.err) == (0, "")
    heading, write = ran.out.splitlines()[:2]
    assert heading.split()[-1] == "foreground"
    assert write.startswith("log file parallel write")
    assert write.endswith(" 0 %")


def test_from_a_container_it_says_whose_waits_they_are(draw: Callable[..., Ran]) -> None:
    ran = draw("log_file_sync", service="SALES", containers=True)
    assert "these waits are of the whole instance, not of SALES alone (--container draws it" in ran.err
    assert "(estimated)" in ran.out
    ran = draw("log_file_sync", "--container", service="SALES", containers=True)
    assert "log file sync@1/SALES" in ran.out
    assert "estimated" not in ran.out + ran.err


@pytest.mark.parametrize(
    ("words", "service", "told"),
    [
        (
            ["reads", "--container", "NOWHERE"],
            "",
            "there is no container 'NOWHERE' among CDB$ROOT, PDB$SEED, SALES, HR",
        ),
        (["--container", "log_file_sync"], "", "An event after --container: --container=all EVENT"),
        (
            ["reads", "--container", "SALES"],
            "HR",
            "there is no container 'SALES' from HR, which sees HR; connect to the",
        ),
    ],
)
def test_a_container_that_is_not_there(draw: Callable[..., Ran], words: list[str], service: str, told: str) -> None:
    ran = draw(*words, service=service, containers=True)
    assert ran.status == 2
    assert told in ran.err


def test_what_is_not_there_says_what_is(draw: Callable[..., Ran]) -> None:
    for words, told in (
        (["reads", "--container"], "this database has no containers; leave out --container"),
        (["--class", "comit"], "no wait class is called 'comit'; there are 'Application', 'Cluster', 'Commit', "),
        (["log_file_sync", "--top", "2"], "leave out the names"),
    ):
        ran = draw(*words)
        assert ran.status == 2
        assert told in ran.err


def test_files_and_standby(draw: Callable[..., Ran]) -> None:
    def both(mock: Any) -> None:
        mock.role, mock.parameters["statistics_level"] = "PHYSICAL STANDBY", "ALL"

    ran = draw("--files", "--top", "2", change=both)
    assert "drawn are the 2 files with the most time, not 3 others" in ran.err
    assert "/u03/archive01.dbf@1" in ran.out
    ran = draw("--standby", "--interval", "1.5", change=both)
    assert "apply lag@1" in ran.out


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["x", "--files"], "--files draws the reads of data files and no event"),
        (["x", "--standby"], "--standby draws the apply lag and no event"),
        (["--standby", "--files"], "draw different things; leave out one of them"),
        (["--standby", "--top", "3"], "draw different things; leave out one of them"),
        (["--standby", "--instance", "1"], "leave out --instance"),
        (["--files", "--container"], "draw different things; leave out one of them"),
        (["--files", "7,9", "--top", "3"], "leave out their numbers"),
        (["--files", "seven"], "no list of file numbers; write it as in 1,2"),
        (["--files", "--list-events"], "--list-events ranks events; leave out --files"),
        (["--top", "0"], "--top"),
        (["--top", "51"], "--top takes 1 to 50"),
        (["--print-sql", "--class", "Commit"], "--print-sql prints a script for one event; leave out --class"),
        (["x", "--awr", "--licensed", "diagnostics", "--top", "3"], "leave out --top"),
    ],
)
def test_what_contradicts_itself_is_refused(argv: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(argv) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "views"),
    [
        (["--container"], ["GV_$CON_EVENT_HISTOGRAM_MICRO", "GV_$CON_SYSTEM_EVENT", "V_$CONTAINERS"]),
        (["--files"], ["GV_$FILE_HISTOGRAM", "GV_$INSTANCE", "V_$DATAFILE"]),
        (["--files", "--local"], ["V_$FILE_HISTOGRAM", "V_$INSTANCE", "V_$DATAFILE"]),
        (["--standby"], ["V_$STANDBY_EVENT_HISTOGRAM", "V_$INSTANCE"]),
    ],
)
def test_grants_are_those_of_what_is_drawn(
    words: list[str], views: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["--grants", "--user", "mon", *words]) == 0
    printed = capsys.readouterr().out
    for view in views:
        assert f"GRANT READ ON SYS.{view} TO mon;" in printed
    assert ("EVENT_HISTOGRAM_MICRO" in printed) is ("--container" in words)
    assert ("CONTAINER_DATA" in printed) is ("--container" in words)

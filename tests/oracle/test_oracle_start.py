"""What ends oralatencymap before anything is drawn: told in one line, and no session stays open."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.cli.oracle.command import run
from pylatencymap.oracle.connection import database as databases
from pylatencymap.oracle.connection.driver import Connection, Driver, Login

LOG = "log_file_sync"


@pytest.fixture
def start(
    server: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, int, int]]:
    """Run with these words; exit status, message, and how many sessions were opened and closed."""
    opened, closed = [], []
    connect, close = Driver.connect, Connection.close

    def connect_and_count(driver: Driver, login: Login) -> Connection:
        opened.append(connect(driver, login))
        return opened[-1]

    def close_and_count(connection: Connection) -> None:
        closed.append(connection)
        close(connection)

    monkeypatch.setattr(databases.Driver, "connect", connect_and_count)
    monkeypatch.setattr(Connection, "close", close_and_count)

    def start(*words: str, hidden: tuple[str, ...] = ()) -> tuple[int, str, int, int]:
        db = server()
        db.mock.parameters["control_management_pack_access"] = "DIAGNOSTIC+TUNING"
        for view in hidden:
            db.mock.hide_view(view)
        for name, value in {"HOME": str(tmp_path), "ORALATENCYMAP_PASSWORD": db.password}.items():
            monkeypatch.setenv(name, value)
        often = () if "--awr" in words else ("--interval", "0.2")
        status = run([*words, "--dsn", db.dsn, "--user", db.user, *often])
        captured = capsys.readouterr()
        assert captured.out == ""
        return status, captured.err, len(opened), len(closed)

    return start


@pytest.mark.parametrize(
    ("words", "hidden", "status", "said"),
    [
        (["lock_file_sync"], (), 2, "no wait event is called 'lock_file_sync'; did you mean 'log file sync'"),
        (["log_file_sink", "--awr", "--licensed", "diagnostics"], (), 2, "no wait event is called 'log_file_sink'"),
        ([LOG, "--instance", "1,7"], (), 2, "no instance 7 is up; there are 1, 2"),
        ([LOG, "--record", "/no/such/folder/x.lmap"], (), 3, "--record /no/such/folder/x.lmap: cannot be written"),
        ([LOG], ("gv$event_histogram_micro", "gv$event_histogram"), 3, "GRANT READ ON SYS.GV_$EVENT_HISTOGRAM_MICRO"),
        (
            [LOG, "--awr", "--licensed", "diagnostics", "--from", "2999-01-31T08:00"],
            (),
            3,
            "there is no snapshot from 2999-01-31 08:00:00 to 2999-02-01 08:00:00; they are kept from ",
        ),
        ([], ("v$event_name",), 3, "GRANT READ ON SYS.V_$EVENT_NAME TO mon; Or name the event"),
        (["--list-events"], ("v$event_name",), 3, "GRANT READ ON SYS.V_$EVENT_NAME TO mon;"),
        (
            [LOG, "--awr", "--licensed", "diagnostics"],
            ("dba_hist_event_histogram",),
            3,
            "GRANT READ ON SYS.DBA_HIST_SNAPSHOT TO mon; GRANT READ ON SYS.DBA_HIST_EVENT_HISTOGRAM TO mon;",
        ),
    ],
)
def test_what_ends_the_start_leaves_no_session_open(
    start: Callable[..., Any], words: list[str], hidden: tuple[str, ...], status: int, said: str
) -> None:
    ended, told, opened, closed = start(*words, hidden=hidden)
    assert ended == status
    assert told.splitlines()[-1].startswith("oralatencymap: ")
    assert said in told
    assert (opened, closed) == (1, 1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--min-latency", "1s", "--max-latency", "1ms"], "--min-latency must be less than --max-latency"),
        (["--tz", "Atlantis"], "Atlantis"),
    ],
)
@pytest.mark.parametrize("history", [[], ["--awr", "--licensed", "diagnostics"]])
def test_what_cannot_be_drawn_is_told_before_anybody_logs_in(
    start: Callable[..., Any], words: list[str], said: str, history: list[str]
) -> None:
    status, told, opened, _ = start(LOG, *words, *history)
    assert (status, opened) == (2, 0)
    assert said in told

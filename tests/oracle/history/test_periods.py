"""The history as a DBA asks for it: a process, the real driver, a listener; and two periods compared."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.cli.main import run as run_pylatencymap
from pylatencymap.cli.oracle.command import run

READS = "db file sequential read"


@pytest.fixture
def db(server: Callable[..., Any], mock_view: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A listener on a Friday morning: the last two days were slower than those of the week before."""
    made = server(mock_view.MockHistogram(clock=mock_view.SimClock(datetime(2026, 1, 9, 10, 30), tick=0)))
    for name, value in {
        "COLUMNS": "120",
        "LINES": "40",
        "HOME": str(tmp_path),
        "TZ": "UTC",
        "ORALATENCYMAP_DSN": made.dsn,
        "ORALATENCYMAP_USER": made.user,
        "ORALATENCYMAP_PASSWORD": made.password,
    }.items():
        monkeypatch.setenv(name, value)
    return made


@pytest.fixture
def asked(db: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    def ask(*words: str) -> tuple[int, str, str]:
        monkeypatch.setenv("ORALATENCYMAP_PASSWORD", db.password)  # it is taken out by each run
        return run(list(words)), *capsys.readouterr()

    return ask


def span(db: Any, days: int, back: int) -> tuple[str, str]:
    """So many days of the snapshots, up to so many days before the last."""
    until = db.mock.statspack.end.replace(tzinfo=None) - timedelta(days=back)
    return (until - timedelta(days=days)).isoformat(), until.isoformat()


def true_waits(db: Any, begin: str, end: str, instance: int) -> int:
    own = db.mock.statspack.intervals[instance]
    return sum(one.waits[READS] for one in own if begin < one.end.replace(tzinfo=None).isoformat() <= end)


def test_this_week_against_the_last_says_what_became_slower(db: Any, asked: Callable[..., Any]) -> None:
    (since, until), (begin, end) = span(db, 2, 0), span(db, 2, 7)
    words = ("db_file_seq", "--statspack", "--from", since, "--to", until)
    status, out, err = asked(*words, "--against", f"{begin}..{end}", "--json")
    found = json.loads(out)
    assert (status, err) == (0, "")
    assert db.mock.licensed == []
    one = next(one for one in found["series"] if one["name"] == f"{READS}@2")
    assert one["verdict"] == "different"  # 48 columns: to be sure takes 60
    assert one["direction"] == "slower"
    for side, (first, last) in {"before": (begin, end), "after": (since, until)}.items():
        assert found["files"][side] == [f"{first[:16].replace('T', ' ')} to {last[:16].replace('T', ' ')}"]
        assert one[side]["events"] == true_waits(db, first, last, 2)
    _, same, _ = asked(*words, "--against", "7d", "--json")
    assert json.loads(same)["series"] == found["series"]


def test_two_recordings_give_the_same_as_two_periods(
    db: Any, asked: Callable[..., Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / "before.lmap", tmp_path / "after.lmap"]
    for file, (begin, end) in zip(files, (span(db, 2, 7), span(db, 2, 0)), strict=True):
        words = ("db_file_seq", "--statspack", "--from", begin, "--to", end, "--record", str(file), "--once")
        assert asked(*words)[0] == 0
    assert run_pylatencymap(["compare", *map(str, files), "--json"]) == 0
    recorded = json.loads(capsys.readouterr().out)
    (since, until) = span(db, 2, 0)
    live = json.loads(
        asked("db_file_seq", "--statspack", "--from", since, "--to", until, "--against", "7d", "--json")[1]
    )
    for one, other in zip(recorded["series"], live["series"], strict=True):
        assert one["sentences"] == other["sentences"]
        assert one["after"]["events"] == other["after"]["events"]


def test_the_page_its_picture_and_a_condition(db: Any, asked: Callable[..., Any], tmp_path: Path) -> None:
    (since, until), picture = span(db, 2, 0), tmp_path / "page.svg"
    words = ("db_file_seq", "--statspack", "--instance", "2", "--from", since, "--to", until, "--against", "7d")
    status, out, err = asked(*words, "--svg", str(picture), "--fail-if", "p90 > 1.2 * before.p90")
    assert status == 6
    assert "p90" in err
    assert "AFTER is slower, not sure" in out
    assert picture.read_text().startswith("<svg")
    status, out, _ = asked(*words, "--markdown")
    assert (status, "| BEFORE" in out or "BEFORE" in out) == (0, True)


def test_a_period_without_snapshots_says_which_there_are(asked: Callable[..., Any]) -> None:
    status, out, err = asked("db_file_seq", "--statspack", "--last", "24", "--against", "30d")
    assert (status, out) == (3, "")
    assert "there is no snapshot from" in err
    assert "they are kept from" in err


@pytest.mark.parametrize("history", [("--statspack",), ("--awr", "--licensed", "diagnostics")])
def test_the_last_snapshots_are_drawn_with_exact_times(
    db: Any, asked: Callable[..., Any], history: tuple[str, ...]
) -> None:
    db.mock.parameters["control_management_pack_access"] = "DIAGNOSTIC+TUNING"
    status, out, err = asked("db_file_seq", *history, "--last", "12", "--once")
    assert (status, err) == (0, "")
    assert "ALL 12 h" in out
    assert "estimated" not in out


def test_where_the_sums_cannot_be_read_the_picture_says_estimated(db: Any, asked: Callable[..., Any]) -> None:
    db.mock.hide_view("stats$system_event")
    status, out, err = asked("db_file_seq", "--statspack", "--last", "12", "--once")
    assert status == 0
    assert "GRANT READ ON PERFSTAT.STATS$SYSTEM_EVENT TO mon;" in err
    assert "estimated" in out


def test_a_site_without_the_pack_is_told_of_statspack(db: Any, asked: Callable[..., Any]) -> None:
    status, out, err = asked("db_file_seq", "--awr", "--licensed", "diagnostics", "--last", "12", "--once")
    assert (status, out) == (3, "")
    assert "CONTROL_MANAGEMENT_PACK_ACCESS is NONE" in err
    assert "--statspack needs no pack" in err
    assert db.mock.licensed == []

"""oralatencymap as a DBA runs it: a process of its own, the real driver, a listener with the mock views behind it."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pexpect
import pyte
import pytest

from tests.oracle.listener import PATIENCE, Hang, Steady

READS, SYNC = "db file sequential read", "log file sync"
SECRET = "correct-horse-7"
DROPPED = (
    "ORALATENCYMAP_DSN",
    "TWO_TASK",
    "ORACLE_SID",
    "TNS_ADMIN",
    "ORACLE_HOME",
    "NO_COLOR",
    "COLUMNS",
    "LINES",
    "XDG_CONFIG_HOME",
)
CTRL_C = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
"""Tests that run in the background hand on that it is ignored."""
PROGRAM = "import sys; from pylatencymap.cli.oracle.command import run; sys.exit(run())"


class Ran(NamedTuple):
    status: int
    out: str
    err: str


@pytest.fixture
def db(server: Callable[..., Any], mock_view: Any) -> Any:
    """A listener whose user mon has a password that can be looked for. ``steady`` is its clock."""
    steady = Steady()
    made = server(mock_view.MockHistogram(clock=steady))
    steady.drive(made.mock)
    made.mock.parameters["control_management_pack_access"] = "DIAGNOSTIC+TUNING"
    made.steady, made.password, made.accounts = steady, SECRET, {"MON": SECRET}
    return made


@pytest.fixture
def around(root: Path, tmp_path: Path) -> Callable[..., dict[str, str]]:
    """The environment of a DBA: home is empty, and the password is in the environment."""

    def environment(db: Any, **more: str) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name not in DROPPED}
        paths = [str(root), *filter(None, os.environ.get("PYTHONPATH", "").split(":"))]
        return {
            **kept,
            "PYTHONPATH": ":".join(paths),
            "HOME": str(tmp_path),
            "TZ": "UTC",
            "LC_ALL": "C.UTF-8",
            "TERM": "xterm-256color",
            "ORALATENCYMAP_DSN": db.dsn,
            "ORALATENCYMAP_USER": "mon",
            "ORALATENCYMAP_PASSWORD": SECRET,
            **more,
        }

    return environment


@pytest.fixture
def oralatencymap(around: Callable[..., dict[str, str]]) -> Callable[..., Ran]:
    def run(db: Any, *words: str, **more: str) -> Ran:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *words],
            env=around(db, **more),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert SECRET not in done.stdout + done.stderr
        assert "\x1b" not in done.stderr
        assert "Traceback" not in done.stderr or "--traceback" in words
        return Ran(done.returncode, done.stdout, done.stderr)

    return run


def jsonl(root: Path, path: Path) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-m", "pylatencymap", "convert", "--to", "jsonl", str(path)],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_rates_of_a_recording_are_the_mocks(
    db: Any, oralatencymap: Callable[..., Ran], root: Path, tmp_path: Path
) -> None:
    path = tmp_path / "kept.lmap"
    ran = oralatencymap(db, "DB_File_Seq", "log_file_sync", "--interval", "1", "--count", "2", "--record", str(path))
    assert (ran.status, ran.err) == (0, "")
    assert SECRET not in path.read_text()
    told = jsonl(root, path)
    assert {one["series"] for one in told} == {f"{event}@{instance}" for event in (READS, SYNC) for instance in (1, 2)}
    assert path.read_text().count("<begin record>") == 3 * 4
    for one in told:
        event, _, instance = one["series"].rpartition("@")
        rates = db.mock.rates[event][int(instance)]
        assert one["source"] == "oracle"
        if not one["gap"]:
            # Counters are of whole events, and a range without any is not told.
            counts = dict.fromkeys(rates, 0) | {upper: count for _, upper, count in one["counts"]}
            assert counts == {upper: pytest.approx(rate * one["seconds"], abs=1.01) for upper, rate in rates.items()}
    assert re.search(r"^ oracle  db file sequential read@1   ALL \d+ s   every ", ran.out, re.MULTILINE)
    assert re.search(r"^ db file sequential read@2 ", ran.out, re.MULTILINE)


def test_the_busiest_event_is_drawn_where_none_is_named(db: Any, oralatencymap: Callable[..., Ran]) -> None:
    ran = oralatencymap(db, "--interval", "0.5", "--count", "1", "--instance", "2")
    assert ran.status == 0
    assert f"the busiest event: {READS} (" in ran.err
    assert f" oracle  {READS}@2 " in ran.out


def test_list_events(db: Any, oralatencymap: Callable[..., Ran]) -> None:
    ran = oralatencymap(db, "--list-events", "--interval", "0.5")
    assert (ran.status, ran.err) == (0, "")
    assert [line[:13] for line in ran.out.splitlines()][:3] == ["event        ", "db file seque", "log file sync"]


def test_the_history_needs_a_licence_and_says_why(db: Any, oralatencymap: Callable[..., Ran]) -> None:
    ran = oralatencymap(db, "log file sync", "--awr")
    assert (ran.status, ran.out) == (2, "")
    assert "licence of the Diagnostics Pack" in ran.err
    assert db.mock.queries == []


def test_the_history_is_drawn_and_recorded(
    db: Any, oralatencymap: Callable[..., Ran], root: Path, tmp_path: Path
) -> None:
    path = tmp_path / "kept.lmap"
    begin = (db.mock.history.start.replace(tzinfo=None)).isoformat()
    words = ("--awr", "--licensed", "diagnostics", "--from", begin, "--record", str(path), "--once")
    ran = oralatencymap(db, "log_file_sync", *words)
    assert (ran.status, ran.err) == (0, "")
    assert "every 1 h" in ran.out
    assert [one["gap"] for one in jsonl(root, path)].count(False) == 2 * 24


def test_marks_of_others_are_on_the_axis(db: Any, oralatencymap: Callable[..., Ran], tmp_path: Path) -> None:
    start = db.mock.history.start
    marks = tmp_path / "deploys.txt"
    marks.write_text(f"{(start + timedelta(hours=5, minutes=1)).isoformat()},deploy of 2.4\n")
    words = ("--awr", "--licensed", "diagnostics", "--from", start.replace(tzinfo=None).isoformat(), "--once")
    ran = oralatencymap(db, "log_file_sync", *words, "--marks", str(marks))
    assert (ran.status, ran.err) == (0, "")
    assert '  "deploy of 2.4"' in ran.out
    ran = oralatencymap(db, "log_file_sync", "--interval", "0.5", "--count", "2", "--once", "--marks", str(marks))
    assert ran.status == 0
    assert "1 of 1 marks is outside of the data" in ran.err
    ran = oralatencymap(db, "log_file_sync", "--once", "--marks", str(tmp_path / "none.txt"))
    assert ran.status == 3
    assert "no such file" in ran.err


def test_conditions_judge_a_sample_and_the_history(db: Any, oralatencymap: Callable[..., Ran]) -> None:
    judged = ("--once", "--fail-if", "any(events > 100)", "--fail-if", "rate > 100000000/s")
    ran = oralatencymap(db, "log_file_sync", "--interval", "1", "--count", "2", *judged)
    assert ran.status == 6
    assert "any(events > 100) holds: log file sync@" in ran.err
    assert "rate > 100000000/s does not hold" in ran.err
    begin = (db.mock.history.start.replace(tzinfo=None)).isoformat()
    ran = oralatencymap(db, "log_file_sync", "--awr", "--licensed", "diagnostics", "--from", begin, *judged)
    assert ran.status == 6
    ran = oralatencymap(db, "log_file_sync", "--count", "2", "--once", "--fail-if", "p99 >")
    assert ran.status == 2


def test_a_wrong_password_ends_with_what_to_run_also_with_a_traceback(
    db: Any, oralatencymap: Callable[..., Ran], tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text("battery-staple-9\n")
    wrong.chmod(0o600)
    for words in ((), ("--traceback",), ("-d", "1", "--traceback")):
        ran = oralatencymap(db, "log_file_sync", "--password-file", str(wrong), *words)
        assert ran.status == 3
        assert "ALTER USER mon IDENTIFIED BY" in ran.err
        assert "battery-staple-9" not in ran.err
        assert ("Traceback" in ran.err) is bool(words)


def test_a_missing_grant_ends_with_the_statement(db: Any, oralatencymap: Callable[..., Ran]) -> None:
    for view in ("gv$event_histogram_micro", "gv$event_histogram"):
        db.mock.hide_view(view)
    ran = oralatencymap(db, "log_file_sync")
    assert ran.status == 3
    assert "GRANT READ ON SYS.GV_$EVENT_HISTOGRAM_MICRO TO mon;" in ran.err


def test_a_database_that_is_away_at_the_start_is_told(db: Any, oralatencymap: Callable[..., Ran]) -> None:
    db.stop()
    ran = oralatencymap(db, "log_file_sync")
    assert ran.status == 3
    assert f"{db.dsn} ($ORALATENCYMAP_DSN): no connection (DPY-6005" in ran.err
    assert "lsnrctl status" in ran.err


def test_all_from_the_configuration_file(db: Any, oralatencymap: Callable[..., Ran], tmp_path: Path) -> None:
    """``oralatencymap EVENT`` is all that is typed then."""
    folder = tmp_path / ".config" / "pylatencymap"
    folder.mkdir(parents=True)
    (tmp_path / "secret").write_text(f"{SECRET}\n")
    (tmp_path / "secret").chmod(0o600)
    (folder / "config.toml").write_text(
        f'[oracle]\ndsn = "{db.dsn}"\nuser = "mon"\npassword_file = "~/secret"\n', encoding="utf-8"
    )
    cleared = {"ORALATENCYMAP_DSN": "", "ORALATENCYMAP_USER": "", "ORALATENCYMAP_PASSWORD": ""}
    ran = oralatencymap(db, "log_file_sync", "--interval", "0.3", "--count", "1", **cleared)
    assert (ran.status, ran.err) == (0, "")


def test_no_password_in_argv_or_in_the_environment_of_children(
    db: Any, around: Callable[..., dict[str, str]], tmp_path: Path
) -> None:
    """A child of the process while it samples has no password in its environment."""
    program = (
        f"{CTRL_C}"
        "import os, subprocess, sys, threading\n"
        "from pylatencymap.cli.oracle import run\n"
        "def look():\n"
        "    sys.stdin.readline()\n"
        f"    open({str(tmp_path / 'env')!r}, 'wb').write(subprocess.run(['env'], stdout=-1).stdout)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "threading.Thread(target=look).start()\n"
        "sys.exit(run())\n"
    )
    words = [sys.executable, "-c", program, "log_file_sync", "--interval", "0.2", "--once"]
    with subprocess.Popen(words, env=around(db), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        db.steady.wait_for(4)
        seen = Path(f"/proc/{process.pid}/cmdline").read_bytes()
        process.communicate(b"look\n", timeout=PATIENCE)
    assert process.returncode == 130
    assert b"log_file_sync" in seen
    assert SECRET.encode() not in seen
    inherited = (tmp_path / "env").read_bytes()
    assert b"ORALATENCYMAP_DSN" in inherited
    assert SECRET.encode() not in inherited


def test_ctrl_c_shows_what_there_is(db: Any, around: Callable[..., dict[str, str]]) -> None:
    words = [sys.executable, "-c", CTRL_C + PROGRAM, "log_file_sync", "--interval", "0.2", "--once"]
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(words, env=around(db), text=True, **pipes) as process:  # type: ignore[call-overload]
        db.steady.wait_for(8)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (130, "")
    assert " oracle  log file sync@1 " in out


class View:
    """The live view on a terminal of 110 x 34."""

    def __init__(self, words: list[str], env: dict[str, str]) -> None:
        self.screen = pyte.Screen(110, 34)
        self._stream = pyte.ByteStream(self.screen)
        self.child = pexpect.spawn(
            sys.executable, ["-c", PROGRAM, *words], env=env, dimensions=(34, 110), timeout=PATIENCE
        )

    def wait_for(self, text: str) -> str:
        """The screen as soon as it shows a text."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                self._stream.feed(self.child.read_nonblocking(65536, timeout=0.1))
            except pexpect.TIMEOUT:
                pass
            except pexpect.EOF:
                break
            if re.search(text, "\n".join(self.screen.display)):
                return "\n".join(self.screen.display)
        raise AssertionError(f"no {text!r} in:\n" + "\n".join(self.screen.display))

    def leave(self) -> None:
        """Press q; it ends well."""
        self.child.send("q")
        self.child.expect(pexpect.EOF)
        self.child.close()
        assert self.child.exitstatus == 0


def test_the_view_stays_while_the_database_is_away(db: Any, around: Callable[..., dict[str, str]]) -> None:
    view = View(["log_file_sync", "--interval", "0.5"], around(db))
    view.wait_for(r"log file sync@1 .* LIVE ")
    view.wait_for(r"latest .* avg")
    db.stop()
    shown = view.wait_for(r"away since \d\d:\d\d:\d\d \(\d+ s\): no connection \(DPY-6005\)")
    assert "FREQUENCY" in shown
    for number in db.mock.instances:
        db.mock.restart_instance(number)
    db.start()
    view.wait_for(r"away \d\d:\d\d:\d\d to \d\d:\d\d:\d\d: ")
    view.wait_for(r" R \d\d:\d\d:\d\d  reset: the counters began anew; ")
    view.leave()


def test_a_prompt_asks_for_the_password_without_showing_it(db: Any, around: Callable[..., dict[str, str]]) -> None:
    view = View(["log_file_sync", "--interval", "0.5"], around(db, ORALATENCYMAP_PASSWORD=""))
    view.wait_for(f"Password of mon at {re.escape(db.dsn)}: ")
    view.child.sendline(SECRET)
    shown = view.wait_for(r"log file sync@1 .* LIVE ")
    assert SECRET not in shown
    view.leave()


def test_the_view_says_which_event_is_the_busiest(db: Any, around: Callable[..., dict[str, str]]) -> None:
    view = View(["--interval", "0.5"], around(db))
    view.wait_for(rf"the busiest event: {READS} \(")
    view.leave()


def test_the_view_says_that_it_shows_milliseconds(db: Any, around: Callable[..., dict[str, str]]) -> None:
    db.mock.hide_view("gv$event_histogram_micro")
    view = View(["log_file_sync", "--interval", "0.5"], around(db))
    view.wait_for(r"LIVE [\s\S]* GV\$EVENT_HISTOGRAM_MICRO cannot be read: milliseconds from GV\$EVENT_HISTOGRAM")
    view.leave()


def test_a_view_is_left_at_once_while_the_database_hangs(db: Any, around: Callable[..., dict[str, str]]) -> None:
    view = View(["log_file_sync", "--interval", "0.5"], around(db))
    view.wait_for(r"latest .* avg")
    hang = Hang(db)
    hang.wait()
    view.leave()
    assert hang.left, "it waited for its call to time out"


def test_a_mark_of_the_viewer_is_recorded(db: Any, around: Callable[..., dict[str, str]], tmp_path: Path) -> None:
    path = tmp_path / "kept.lmap"
    view = View(["log_file_sync", "--interval", "0.5", "--record", str(path)], around(db))
    view.wait_for(r"latest .* avg")
    view.child.send("m")
    view.child.send("redo moved\r")
    view.wait_for('"redo moved"')
    view.leave()
    assert "redo moved" in path.read_text()


def test_w_says_who_waits(db: Any, around: Callable[..., dict[str, str]]) -> None:
    """Of the slow half of the reads: whose they are is known of a sample."""
    view = View(["db_file_sequential_read", "--instance", "1", "--interval", "0.2"], around(db))
    view.wait_for(r"latest .* avg")
    end = time.monotonic() + PATIENCE
    while sum("gv$session" in one for one in db.mock.queries) < 40 and time.monotonic() < end:
        view.wait_for("LIVE")
    for key in ("\x1b[D", "w"):  # the cursor begins on the row with most time waited
        view.child.send(key)
    shown = view.wait_for(r"sampled: [\s\S]* of about .* waits here")
    assert re.search(r"sql_id +seen +waited +share[^\n]*\n[^\n]*3q7tqyz9cy1ck", shown)
    view.child.send("\r")
    view.wait_for("this is a sample, of which there is no picture")
    view.child.send("l")
    view.wait_for("Longest waits seen")
    view.child.send("q")
    view.leave()


def test_w_says_what_to_grant(db: Any, around: Callable[..., dict[str, str]]) -> None:
    db.mock.hide_view("gv$session")
    view = View(["db_file_sequential_read", "--instance", "1", "--interval", "0.2"], around(db))
    view.wait_for(r"latest .* avg")
    for key in ("\x1b[D", "w"):
        view.child.send(key)
    view.wait_for(r"GV\$SESSION cannot be read, so that w does not say who waits: as SYS run:")
    view.child.send("q")
    view.leave()


def test_without_sessions_nothing_asks_for_them(db: Any, around: Callable[..., dict[str, str]]) -> None:
    view = View(["db_file_sequential_read", "--interval", "0.2", "--no-sessions"], around(db))
    view.wait_for(r"latest .* avg")
    for key in ("\x1b[D", "w"):
        view.child.send(key)
    view.wait_for("of this source only counts are known")
    assert not [one for one in db.mock.queries if "gv$session" in one]
    view.child.send("q")
    view.leave()

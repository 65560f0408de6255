"""The command oralatencymap: what it says and prints without a database."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from pylatencymap import __version__
from pylatencymap.cli.oracle.command import run
from pylatencymap.cli.oracle.options import parse_arguments
from pylatencymap.oracle_script import script
from tests.waiting import PATIENCE


@pytest.mark.parametrize(
    ("typed", "sysdba", "external", "events"),
    [
        (["/", "as", "sysdba"], True, True, []),
        (["/ as SYSDBA", "log file sync"], True, True, ["log file sync"]),
        (["/", "log file sync"], False, True, ["log file sync"]),
        (["Disk file I/O Calibration"], False, False, ["Disk file I/O Calibration"]),
    ],
)
def test_what_sqlplus_takes_on_the_server_is_a_login(
    typed: list[str], sysdba: bool, external: bool, events: list[str]
) -> None:
    options = parse_arguments(typed)
    assert (options.sysdba, options.external, options.events) == (sysdba, external, events)


def test_print_sql_prints_the_script(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--print-sql"]) == 0
    assert capsys.readouterr().out == (root / "oralatencymap.sql").read_text()


def test_a_script_of_any_length(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--print-sql", "--hours", "0.5", "--interval", "10"]) == 0
    assert capsys.readouterr().out == script(0.5, 10)
    assert run(["log file sync", "--hours", "2"]) == 2
    assert "--hours belongs to --print-sql" in capsys.readouterr().err


def test_the_command_lines_of_the_documentation_are_right(root: Path) -> None:
    text = (root / "docs" / "oracle.md").read_text()
    found = re.findall(r"(?:^ {4}|`|^\| .*`)oralatencymap ([^`#\n>]+)", text, re.MULTILINE)
    assert len(found) >= 10
    for line in found:
        if line.strip() != "EVENT":
            assert parse_arguments(shlex.split(line))


def test_without_a_database_all_five_ways_to_name_one_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("ORALATENCYMAP_DSN", "TWO_TASK", "ORACLE_SID"):
        monkeypatch.delenv(name, raising=False)
    assert run(["db_file_sequential_read"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    ways = ("--dsn", "$ORALATENCYMAP_DSN", "~/.config/pylatencymap/config.toml", "$TWO_TASK", "$ORACLE_SID")
    assert [captured.err.find(way) for way in ways] == sorted(captured.err.index(way) for way in ways)


def test_an_option_that_does_not_exist(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--instances", "1"]) == 2
    assert "did you mean --instance?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["x", "--local", "--instance", "1"], "--local is the instance"),
        (["--print-sql", "--interval", "2.5"], "whole seconds"),
        (["x", "--print-sql"], '@oralatencymap 3 "EVENT"'),
        (["x", "--list-events"], "leave out the names"),
        (["x", "--from", "2026-01-01"], "belong to --awr"),
        (["x", "--instance", "one"], "as in 1,2"),
        (["x", "--last", "5"], "belong to --awr or --statspack"),
        (["x", "--against", "7d"], "belong to --awr or --statspack"),
        (["x", "--schema", "perf"], "--schema is that of --statspack"),
        (["x", "--statspack", "--schema", "a b"], "no name of a schema"),
        (["x", "--statspack", "--awr"], "are two histories"),
        (["--statspack"], "name the events"),
        (["--statspack", "--list-events"], "leave out --statspack"),
        (["x", "--statspack", "--interval", "5"], "--interval is from sample to sample"),
        (["x", "--statspack", "--last", "5", "--from", "2026-01-01"], "--last counts snapshots back from --to"),
        (["x", "--statspack", "--last", "0"], "--last"),
        (["x", "--statspack", "--json"], "are about the page of --against"),
        (["x", "--statspack", "--against", "7d", "--record", "f"], "leave out --record"),
        (["x", "--statspack", "--against", "7d", "--scale", "share"], "no scale of a comparison"),
        (["x", "--statspack", "--against", "7d", "--svg", "x.png"], "must end in .svg"),
        (["x", "--statspack", "--against", "monday"], "FROM..TO"),
        (["x", "--statspack", "--against", "2026-01-05..2026-01-04"], "ends before it begins"),
        (["x", "--statspack", "--against", "999999999999d"], "--against"),
        (["x", "--awr", "--from", "yesterday"], "as in 2026-01-31T14:00"),
        (["x", "--thick", "/no/such"], "no such folder"),
        (["x", "--wallet", "/no/such"], "--wallet /no/such: there is no such folder"),
        (["x", "--awr", "--interval", "5"], "--interval is from sample to sample"),
        (["x", "--awr"], "licence of the Diagnostics Pack"),
        (["--awr", "--licensed", "diagnostics"], "name the events"),
    ],
)
def test_what_contradicts_itself_is_refused(argv: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(argv) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["mon/hunter2@db"], "write --user NAME --dsn DATABASE"),
        (["log_file_sync", "mon/hunter2@//db:1521/sales"], "write --user NAME --dsn DATABASE"),
        (["--thick", "mon/hunter2@db"], "write --user NAME --dsn DATABASE"),
        (["x", "--password=hunter2"], "no option for a password: "),
        (["x", "--Password", "hunter2"], "no option for a password: "),
        (["x", "-passwd=hunter2"], "no option for a password: "),
    ],
)
def test_a_password_in_the_command_line_is_refused_and_not_repeated(
    argv: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(argv) == 2
    captured = capsys.readouterr()
    assert told in captured.err
    assert "--password-file, $ORALATENCYMAP_PASSWORD" in captured.err
    assert "hunter2" not in captured.out + captured.err


def test_events_may_hold_a_slash_and_a_password_file_is_no_password() -> None:
    options = parse_arguments(["Disk file I/O Calibration", "--password-file=secret"])
    assert (options.events, options.password_file) == (["Disk file I/O Calibration"], "secret")


def statements(printed: str) -> list[str]:
    """The lines of a script that SQL*Plus takes: it ends a statement only at a ``;`` that ends its line."""
    lines = [line for line in printed.splitlines() if not line.startswith("--")]
    assert all(line.endswith(";") and line.count(";") == 1 for line in lines)
    return lines


def test_grants_are_the_least_privileges(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--grants", "--user", "mon"]) == 0
    printed = capsys.readouterr().out
    assert statements(printed) == [
        "GRANT CREATE SESSION TO mon;",
        "GRANT READ ON SYS.GV_$EVENT_HISTOGRAM_MICRO TO mon;",
        "GRANT READ ON SYS.GV_$SYSTEM_EVENT TO mon;",
        "GRANT READ ON SYS.GV_$INSTANCE TO mon;",
        "GRANT READ ON SYS.V_$EVENT_NAME TO mon;",
        "GRANT READ ON SYS.GV_$SESSION TO mon;",
        "GRANT READ ON SYS.GV_$SQLSTATS TO mon;",
        "GRANT READ ON SYS.DBA_OBJECTS TO mon;",
    ]
    documented = re.search(
        r"--grants --user mon` prints.*:\n\n((?: {4}.*\n)+)", (root / "docs" / "oracle.md").read_text()
    )
    assert documented
    assert documented[1] == "".join(f"    {line}\n" for line in printed.splitlines())


def test_grants_of_one_instance_and_of_the_history(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--grants", "--local", "--awr"]) == 0
    printed = statements(capsys.readouterr().out)
    for view in ("DBA_HIST_SNAPSHOT", "DBA_HIST_EVENT_HISTOGRAM", "DBA_HIST_SYSTEM_EVENT", "V_$PARAMETER"):
        assert f"GRANT READ ON SYS.{view} TO the_user;" in printed
    assert run(["--grants", "--statspack", "--schema", "perf", "--user", "mon"]) == 0
    assert statements(capsys.readouterr().out) == [
        "GRANT CREATE SESSION TO mon;",
        "GRANT READ ON PERF.STATS$SNAPSHOT TO mon;",
        "GRANT READ ON PERF.STATS$EVENT_HISTOGRAM TO mon;",
        "GRANT READ ON PERF.STATS$SYSTEM_EVENT TO mon;",
        "GRANT READ ON SYS.V_$EVENT_NAME TO mon;",
    ]
    assert run(["--grants", "--local", "--user", "mon"]) == 0
    assert "GRANT READ ON SYS.V_$SESSION TO mon;" in statements(capsys.readouterr().out)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        run(["--version"])
    assert ending.value.code == 0
    assert capsys.readouterr().out == f"oralatencymap {__version__}\n"


def test_a_closed_pipe_ends_silently() -> None:
    program = "import sys; from pylatencymap.cli.oracle.command import run; sys.exit(run(['--print-sql']))"
    # More than a pipe holds would be needed to meet the closed end while writing; the last flush meets it anyhow.
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("word", ["--print-sql", "--help", "--version"])
def test_a_full_disk_is_told_by_oralatencymap(word: str) -> None:
    program = f"import sys; from pylatencymap.cli.oracle import run; sys.exit(run([{word!r}]))"
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-u", "-c", program], stdout=full, stderr=subprocess.PIPE, timeout=PATIENCE
        )
    assert done.stderr == b"oralatencymap: standard output cannot be written: No space left on device\n"
    assert done.returncode == 3

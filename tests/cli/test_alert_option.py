"""``--alert`` and ``--alert-run`` on the command line, and where no view shows them."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]
SAID = "ALERT 22:13:56 p50 > 20ms for 10s: sda p50 36.8 ms (128 us-65.5 ms)"
ALERT = "--alert", "p50 > 20ms for 10s"


@pytest.fixture
def slow(make_stream: Callable[..., str]) -> str:
    """A minute of 200 events a second, the second half of which is slow."""
    counters = [{128: 200 * min(n, 30), 32768: 200 * max(n - 30, 0)} for n in range(61)]
    return make_stream("sda", *counters)


def test_without_a_screen_it_is_said_marked_and_run(command: Command, slow: str, tmp_path: Path) -> None:
    facts, recording = tmp_path / "facts", tmp_path / "r.lmap"
    writes = "import os, sys; open(sys.argv[1], 'w').write(os.environ['PYLATENCYMAP_MEASURED'] + sys.argv[2])"
    words = f'{sys.executable} -c "{writes}" "{facts}" "$HOME; ls"'
    ran = command("--once", "--record", recording, *ALERT, "--alert-run", words, given=slow)
    assert (ran.status, ran.err) == (0, f"pylatencymap: {SAID}\n")
    assert 'M 22:13:56  "alert: p50 > 20ms for 10s: sda p50 36.8 ms' in ran.out
    assert recording.read_text().count('"mark": "alert: p50 > 20ms for 10s') == 1
    assert facts.read_text() == "sda p50 36.8 ms (128 us-65.5 ms)$HOME; ls"


def test_the_status_is_that_of_the_run(command: Command, slow: str) -> None:
    ran = command("--once", *ALERT, "--alert-run", "false", given=slow)
    assert ran.status == 0
    assert ran.err == f"pylatencymap: {SAID}\npylatencymap: --alert-run: false failed with status 1\n"
    assert command("--once", *ALERT, "--fail-if", "p99 > 20ms", given=slow).status == 6


def test_what_could_not_be_told_is_said(command: Command, slow: str) -> None:
    ran = command("--once", "--alert", "p99 > 20ms for 5m", given=slow)
    reason = "sda was measured for 60 s of the last 300 s"
    assert ran.err == (f"pylatencymap: --alert p99 > 20ms for 5m could not be told at any time so far: {reason}\n")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--alert", "p99 > 20ms"], "--alert: column 11: the condition ends here; expected 'for' and how long"),
        (["--alert", "p99 > 20ms for 1m", "--alert", "p99 for 1m"], "--alert: column 5: expected a comparison"),
        (["--alert-run", "mail"], "--alert-run needs --alert: "),
        ([*ALERT, "--alert-run", "mail 'x"], "--alert-run mail 'x: no closing quotation"),
        ([*ALERT, "--alert-run", " "], "--alert-run is empty; write a command: "),
        ([*ALERT, "--alert-run", "/nonexistent/mail x"], "--alert-run: /nonexistent/mail: no such program"),
    ],
)
def test_wrong_alerts_are_2_before_anything_is_read(
    quick: Command, slow: str, options: list[str], said: str, tmp_path: Path
) -> None:
    ran = quick("--once", "--record", tmp_path / "r.lmap", *options, given=slow)
    assert ran.status == 2
    assert ran.err.startswith(f"pylatencymap: {said}")
    assert not (tmp_path / "r.lmap").exists()


def test_files_that_are_whole_are_refused_and_recordings_left_alone(quick: Command, slow: str, tmp_path: Path) -> None:
    (tmp_path / "a.lmap").write_text(slow)
    (tmp_path / "r.lmap").write_text(slow)
    ran = quick(tmp_path / "a.lmap", "--once", "--record", tmp_path / "r.lmap", *ALERT)
    assert ran.status == 2
    assert "--alert watches what comes" in ran.err
    assert sorted(os.listdir(tmp_path)) == ["a.lmap", "r.lmap"]


def test_the_history_of_oracle_is_refused() -> None:
    from pylatencymap.cli.oracle.options import parse_arguments
    from pylatencymap.errors import UsageError

    for option in ("--awr", "--list-events", "--grants", "--print-sql"):
        with pytest.raises(UsageError, match="--alert watches the live view"):
            parse_arguments([option, *ALERT])

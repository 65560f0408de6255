"""The command oralatencymap, as far as it goes."""

import subprocess
import sys
from pathlib import Path

import pytest

from pylatencymap import __version__
from pylatencymap.cli.oracle import run


def test_print_sql_prints_the_script(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--print-sql"]) == 0
    assert capsys.readouterr().out == (root / "oralatencymap.sql").read_text()


@pytest.mark.parametrize("argv", [[], ["db_file_sequential_read"], ["--dsn", "db", "log file sync"]])
def test_anything_else_says_what_works_today(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(argv) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert 'sqlplus -S user@db @oralatencymap stream 3 "EVENT" | pylatencymap' in captured.err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        run(["--version"])
    assert ending.value.code == 0
    assert capsys.readouterr().out == f"oralatencymap {__version__}\n"


def test_a_closed_pipe_ends_silently() -> None:
    program = "import sys; from pylatencymap.cli.oracle import run; sys.exit(run(['--print-sql']))"
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
        done = subprocess.run([sys.executable, "-u", "-c", program], stdout=full, stderr=subprocess.PIPE, timeout=20)
    assert done.stderr == b"pylatencymap: standard output cannot be written: No space left on device\n"
    assert done.returncode == 3

"""Messages hide what may be a password, and keep the lines of files, whatever the files are called."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pylatencymap.collector import Known
from pylatencymap.errors import Refused
from pylatencymap.registry import load_collector
from pylatencymap.report import Report
from pylatencymap.text.clean import hide_passwords, line_of_file
from pylatencymap.text.lines import Line

ROOT = Path(__file__).parents[2]
LINES_OF_FILES = [
    "/etc/passwd:3: this is no text that any collector knows",
    "./passwd:12: this is no text",
    "../logs/tokens:1234567: a line that does not fit",
    "cannot read '/my/secret:7: x",
    "/etc/ssh-secrets:3: this is no text",
    "./.pgpass:3: this is no text",
    "cannot read '../logs/app+db-passwd:7: x",
    "two files: password.txt:12: a line, and logs/old_pwd.log.gz:3: another",
]
PERHAPS_PASSWORDS = [
    "password:1234", "password:1234: wrong", "x password:1234: wrong", "token:4711:", "passwd=1234: x",
    "127.0.0.1:1/svc?password:1234: refused", "svc?pyo.wallet_password:1234: refused", "a=b/passwd:1234: x",
    "scott@db/passwd:1234: x", "/etc/passwd:1234", "password.txt:1234", "/etc/passwd=1234:", "/etc/passwd:1234x: y",
    "/etc/passwd:x1234: y", "scott/password:1234: refused", "cannot log in as 'scott/password:1234: x",
    "(scott/token:4711: x", "a/b/secret:1234: x", "...scott/password:1234: x", "scott./password:1234: x",
    "app-tokens:1234: x", "logs/db-passwd:1234: x", "scott/my-password:1234: x", ".pgpass:1234: x",
    "//db/svc;password:1234: x", "(//db/svc,password:1234: x", "/x db-password:1234: x", "/app-tokens:1234",
    "//db/svc?my-password:1234: x", "//scott:x@db/my-password:1234: x", "/svc#token:1234: x", "/svc&a-token:1234: x",
]  # fmt: skip
"""``USER/PASSWORD`` looks like a file in a folder."""
REFUSING = [
    "biosnoop",
    "blkparse",
    "bpftrace",
    "columns",
    "fio_hist",
    "fio_log",
    "ftrace",
    "ioping",
    "otlp",
    "perf_script",
    "perf_trace",
    "ping",
    "prometheus",
    "prometheus_api",
    "strace",
]
"""The collectors that refuse a text without anything of theirs at one of its lines."""
_BY_HAND = re.compile(r"(?:name|path)\}:\{")


@pytest.mark.parametrize("text", LINES_OF_FILES)
def test_the_line_of_a_file_is_shown_whatever_it_is_called(text: str) -> None:
    assert hide_passwords(text) == text


@pytest.mark.parametrize("text", PERHAPS_PASSWORDS)
def test_what_is_no_line_of_a_file_stays_hidden(text: str) -> None:
    for message in (text, f"note: {text}"):
        assert "1234" not in hide_passwords(message)
        assert "4711" not in hide_passwords(message)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        *((name, f"./{name}") for name in ("passwd", "tokens", "logs/passwd", "2026/01/secret", "tokens%3")),
        *((name, f"./{name}") for name in ("app-tokens", "logs/db-passwd", "a-b/ssh-secrets", ".pgpass", "x~pwd")),
        *((name, name) for name in ("x.trc", "logs/x.trc", "/etc/passwd", "./passwd", "passwd.gz", "<stdin>", "")),
        *((name, name) for name in ("password=x", "my secret", "http://host/token")),
    ],
)
def test_a_file_that_may_be_called_like_a_password_is_named_from_here(name: str, shown: str) -> None:
    assert line_of_file(name, 12) == f"{shown}:12"


@pytest.mark.parametrize("name", ["passwd", "logs/tokens", "scott/password", "app-tokens", "logs/db-passwd", ".pgpass"])
def test_our_own_messages_keep_their_lines(name: str, tmp_path: Path) -> None:
    """Of a text that nobody knows, of a bad line, and of a line of --hosts; and the file is there under that name."""
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)

    def said(text: str, *words: str) -> str:
        path.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "pylatencymap", *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60).stderr

    assert f"./{name}:2: this is no text" in said("\nscott/password:1234: no\n", "report", name)
    assert "1234" not in said("\nscott/password:1234: no\n", "report", name)
    wait = "WAIT #1: nam='log file sync' ela= 9 buffer#=1 p2=0 p3=0 obj#=-1 tim=1400000000000000\n"
    assert f"./{name}:3: a wait that" in said(2 * wait + "WAIT #\n" + wait, "report", name)
    assert f"./{name}:2: '-x' is no name of a host" in said(
        "db1\n-x\n", "merge", "--hosts", name, "--", "cat", "{host}"
    )


@pytest.mark.parametrize("collector", REFUSING)
def test_a_refusal_names_the_line_as_a_bad_line_does(collector: str) -> None:
    """A text that is for no collector, in a file that is called as tokens are."""
    lines = [Line(1, "PING x"), Line(2, "x: nothing"), Line(3, "y z")]
    with pytest.raises(Refused, match=r"^\./tokens:\d: ") as refused:
        list(load_collector(collector).decode(iter(lines), Report("tokens"), Known()))
    assert hide_passwords(str(refused.value)) == str(refused.value)


def test_a_refusal_is_shown_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "tokens").write_text("PING x\nnothing\n", encoding="utf-8")
    command = [sys.executable, "-m", "pylatencymap", "report", "--format", "ping", "tokens"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert "pylatencymap: ./tokens:2: no reply; " in ran.stderr


@pytest.mark.parametrize("folder", ["pylatencymap", "collectors", "examples", "docs"])
def test_nobody_puts_name_and_line_together_by_hand(folder: str) -> None:
    """``Report.where`` and ``line_of_file`` do it."""
    texts = {
        path: path.read_text(encoding="utf-8") for end in ("py", "md") for path in (ROOT / folder).rglob(f"*.{end}")
    }
    assert texts
    assert [str(path.relative_to(ROOT)) for path, text in texts.items() if _BY_HAND.search(text)] == []

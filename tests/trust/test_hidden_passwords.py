"""Messages hide what may be a password, and keep the lines of files, whatever the files are called."""

import subprocess
import sys
from pathlib import Path

import pytest

from pylatencymap.text.clean import hide_passwords, line_of_file

LINES_OF_FILES = [
    "/etc/passwd:3: this is no text that any collector knows",
    "./passwd:12: this is no text",
    "../logs/tokens:1234567: a line that does not fit",
    "cannot read '/my/secret:7: x",
    "two files: password.txt:12: a line, and logs/old_pwd.log.gz:3: another",
]
PERHAPS_PASSWORDS = [
    "password:1234", "password:1234: wrong", "x password:1234: wrong", "token:4711:", "passwd=1234: x",
    "127.0.0.1:1/svc?password:1234: refused", "svc?pyo.wallet_password:1234: refused", "a=b/passwd:1234: x",
    "scott@db/passwd:1234: x", "/etc/passwd:1234", "password.txt:1234", "/etc/passwd=1234:", "/etc/passwd:1234x: y",
    "/etc/passwd:x1234: y", "scott/password:1234: refused", "cannot log in as 'scott/password:1234: x",
    "(scott/token:4711: x", "a/b/secret:1234: x", "...scott/password:1234: x", "scott./password:1234: x",
]  # fmt: skip
"""``USER/PASSWORD`` looks like a file in a folder."""


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
        *((name, name) for name in ("x.trc", "logs/x.trc", "/etc/passwd", "./passwd", "passwd.gz", "<stdin>", "")),
        *((name, name) for name in ("password=x", "my secret", "http://host/token")),
    ],
)
def test_a_file_that_may_be_called_like_a_password_is_named_from_here(name: str, shown: str) -> None:
    assert line_of_file(name, 12) == f"{shown}:12"


@pytest.mark.parametrize("name", ["passwd", "logs/tokens", "scott/password"])
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

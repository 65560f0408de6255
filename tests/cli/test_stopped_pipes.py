"""A program in a pipe that goes on for longer than we listen: what it had not finished is no bad input."""

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.errors import BadInput
from pylatencymap.session.account import Account
from pylatencymap.session.source import Stop

Listen = Callable[..., tuple[int, str, str]]
HALF = "<begin record>\ntimestamp,microsec,1700000009000000,x\n64,40\n"
BAD = HALF.replace("64,40", "label,a\nlatencyunit,fortnights\n64,40") + "<end record>\n"


@pytest.fixture
def listen(command_words: Any, clean_environment: Any) -> Listen:
    def run(text: str, *arguments: object, end: signal.Signals | None = None) -> tuple[int, str, str]:
        """Status and output of a command whose standard input stays open; ``end`` is sent when it has written."""
        read_end, write_end = os.pipe()
        pipe = subprocess.PIPE
        words = command_words(*arguments)
        with subprocess.Popen(words, 0, None, read_end, pipe, pipe, env=clean_environment()) as process:
            os.write(write_end, text.encode())
            if end is not None:
                assert process.stdout is not None
                process.stdout.read(1)
                process.send_signal(end)
            out, err = process.communicate(timeout=20)
        os.close(read_end)
        os.close(write_end)
        return process.returncode, out.decode(), err.decode()

    return run


@pytest.mark.parametrize("words", [["--once"], ["convert", "--to", "jsonl"], ["export", "-", "-o", "OUT"]])
def test_what_we_cut_off_is_not_bad(
    listen: Listen, make_stream: Any, make_counters: Any, tmp_path: Path, words: list[str]
) -> None:
    out = tmp_path / "x.svg"
    arguments = [out if word == "OUT" else word for word in words]
    status, shown, said = listen(make_stream("a", *make_counters(2)) + HALF, *arguments, "--strict", "--duration", "2")
    assert (status, said) == (0, "")
    assert "bad record" not in shown
    assert out.exists() is ("OUT" in words)


def test_what_was_bad_before_is_told_after_the_picture(listen: Listen, make_stream: Any, make_counters: Any) -> None:
    text = make_stream("a", *make_counters(2)) + BAD
    status, shown, said = listen(text, "--once", "--strict", "--duration", "2")
    assert status == 4
    assert "FREQUENCY" in shown
    assert "<stdin>:" in said


def test_an_account_is_closed_by_a_stop() -> None:
    stop, said = Stop(), list[str]()
    account = Account("x", stop, strict=True, say=said.append)
    with pytest.raises(BadInput, match="x:3: wrong"):
        account.bad(3, "wrong")
    stop.set()
    account.bad(4, "cut off")
    assert (account.bad_count, said) == (1, [])


@pytest.mark.parametrize("number", [signal.SIGQUIT, signal.SIGTERM])
def test_a_signal_ends_a_conversion_and_is_fine(
    listen: Listen, make_stream: Any, make_counters: Any, number: signal.Signals
) -> None:
    status, shown, said = listen(make_stream("a", *make_counters(4)), "convert", end=number)
    assert (status, said) == (0, "")
    assert shown.count("<begin record>") >= 3

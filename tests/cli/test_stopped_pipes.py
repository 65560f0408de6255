"""A program in a pipe that goes on for longer than we listen: what it had not finished is no bad input."""

import fcntl
import os
import signal
import subprocess
import termios
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.errors import BadInput
from pylatencymap.session.input.source import StoppableReport, StopRequest
from tests.waiting import PATIENCE, TICK, TIME_IS_UP_BY_FILE

Listen = Callable[..., tuple[int, str, str]]
HALF = "<begin record>\ntimestamp,microsec,1700000009000000,x\n64,40\n"
BAD = HALF.replace("64,40", "label,a\nlatencyunit,fortnights\n64,40") + "<end record>\n"


@pytest.fixture
def listen(command_words: Any, clean_environment: Any, tmp_path: Path, root: Path) -> Listen:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(TIME_IS_UP_BY_FILE)
    environment = clean_environment(PYTHONPATH=f"{tmp_path / 'site'}:{root}")

    def run(text: str, *arguments: object, end: signal.Signals | None = None) -> tuple[int, str, str]:
        """Status and output of a command whose standard input stays open. When it has decoded the text, ``end`` is
        sent, or without one the time is up.
        """
        read_end, write_end = os.pipe()
        pipe = subprocess.PIPE
        words = command_words(*arguments)
        with subprocess.Popen(words, 0, None, read_end, pipe, pipe, env=environment, cwd=tmp_path) as process:
            hand_over(process, read_end, write_end, text)
            if end is not None:
                process.send_signal(end)
            else:
                (tmp_path / "over").touch()
            out, err = process.communicate(timeout=PATIENCE)
        os.close(read_end)
        os.close(write_end)
        return process.returncode, out.decode(), err.decode()

    return run


def hand_over(process: "subprocess.Popen[bytes]", read_end: int, write_end: int, text: str) -> None:
    """Write a text, and wait until it is decoded: then the line end behind it is read, or bad input has ended all."""
    for piece in (text, "\n"):
        os.write(write_end, piece.encode())
        while process.poll() is None and fcntl.ioctl(read_end, termios.FIONREAD, bytes(4)) != bytes(4):
            with suppress(subprocess.TimeoutExpired):
                process.wait(TICK)


@pytest.mark.parametrize("words", [["--once"], ["convert", "--to", "jsonl"], ["export", "-", "-o", "OUT"]])
def test_what_we_cut_off_is_not_bad(
    listen: Listen, make_stream: Any, make_counters: Any, tmp_path: Path, words: list[str]
) -> None:
    out = tmp_path / "x.svg"
    arguments = [out if word == "OUT" else word for word in words]
    status, shown, said = listen(
        make_stream("a", *make_counters(2)) + HALF, *arguments, "--strict", "--duration", "3600"
    )
    assert (status, said) == (0, "")
    assert "bad record" not in shown
    assert out.exists() is ("OUT" in words)


def test_what_was_bad_before_is_told_after_the_picture(listen: Listen, make_stream: Any, make_counters: Any) -> None:
    text = make_stream("a", *make_counters(2)) + BAD
    status, shown, said = listen(text, "--once", "--strict", "--duration", "3600")
    assert status == 4
    assert "FREQUENCY" in shown
    assert "<stdin>:" in said


def test_an_account_is_closed_by_a_stop() -> None:
    stop, said = StopRequest(), list[str]()
    account = StoppableReport("x", stop, strict=True, say=said.append)
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


@pytest.mark.parametrize("text", ["", "a banner\n", HALF, None], ids=["nothing", "banner", "half", "one reading"])
@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_signal_before_the_first_interval_is_fine_as_well(
    listen: Listen, make_stream: Any, make_counters: Any, number: signal.Signals, text: str | None
) -> None:
    given = make_stream("a", *make_counters(1)) if text is None else text
    status, shown, said = listen(given, "--once", end=number)
    assert (status, shown) == (0, "")
    assert said.count("\n") <= 1
    assert "Known formats" not in said


@pytest.mark.parametrize("words", [["--once"], ["convert"]])
def test_the_time_is_over_also_while_nothing_comes(
    words: list[str], command_words: Any, clean_environment: Any, tmp_path: Path
) -> None:
    pipe = subprocess.PIPE
    words = command_words(*words, "--duration", "0.5")
    with subprocess.Popen(words, 0, None, pipe, pipe, pipe, env=clean_environment(), cwd=tmp_path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.wait(PATIENCE) == 1  # standard input is still open
        assert process.stdout.read() == b""
        assert process.stderr.read() == b"pylatencymap: nothing has come from <stdin>\n"

"""How a live view ends: by key, by signal, with its source; and what is left of it on the terminal."""

import contextlib
import fcntl
import os
import signal
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import TIME_IS_UP_BY_FILE

Make = Callable[..., Any]

ON_INTERRUPT = (
    """rm -f ready; trap : INT; sh -c 'trap "cat dump.txt; exit 0" INT; echo "Tracing... Hit Ctrl-C to end."; """
)
ON_INTERRUPT += """touch ready; while :; do sleep 0.1; done' | L """
DEAF = """trap : INT; sh -c 'trap "" INT; cat dump.txt; touch ready; exec sleep 600' | L """
THREE_SECONDS = "ending.LAST_WORDS_SECONDS = 3.0\n"
"""For its last words a source is given what users give it."""
OPEN_PIPE = """mkfifo pipe; exec 3<>pipe; cat dump.txt >pipe; exec "$PY" -m pylatencymap <pipe """
"""A source that has printed a histogram, and neither ends nor prints anything more."""
BREAK = """
import pylatencymap.session.picture as picture
frames = []
def drawn(self, *_, **__):
    frames.append(1)
    if len(frames) > 2:
        raise RuntimeError("injected")
    return original(self, *_, **__)
original, picture.Picture.drawn = picture.Picture.drawn, drawn
"""


def test_one_ctrl_c_shows_what_the_source_prints_at_its_end(terminal: Make, dump: Path) -> None:
    view = terminal(ON_INTERRUPT + "--record r.lmap", COLORTERM="truecolor")
    view.until(lambda: (dump.parent / "ready").exists() and is_reading(view, "pylatencymap"))
    view.press("\x03")
    assert view.ends() == 130
    view.is_as_before()
    assert b"\x1b[?" not in view.raw, "a banner opens no view: the source may still ask for something"
    assert "FREQUENCY" in view.text
    assert "64,7\n4096,3\n" in (dump.parent / "r.lmap").read_text()


def test_so_it_does_with_one_picture_and_when_converting(terminal: Make, dump: Path) -> None:
    once = terminal(ON_INTERRUPT.replace("L ", "L --once "))
    once.until(lambda: (dump.parent / "ready").exists() and is_reading(once, "pylatencymap"))
    once.press("\x03")
    assert once.ends() == 130
    assert "FREQUENCY" in once.text
    assert once.modes == once.modes_before
    converted = terminal(ON_INTERRUPT.replace("L ", "L convert "))
    converted.until(lambda: (dump.parent / "ready").exists() and is_reading(converted, "pylatencymap"))
    converted.press("\x03")
    assert converted.ends() == 130
    assert "4096,3" in converted.text
    assert converted.modes == converted.modes_before


def is_reading(view: Any, name: str) -> bool:
    """Whether the program has installed its own SIGINT handler: by then it has a second thread."""
    view.pump(0.02)
    return any(name in words and threads > 1 for words, threads in children(view.child.pid))


def children(parent: int) -> Iterator[tuple[str, int]]:
    """Command line and number of threads of each child of a process, as /proc tells: not every machine has ``ps``."""
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
            if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                yield (folder / "cmdline").read_text().replace("\0", " "), len(list((folder / "task").iterdir()))


def is_read(pipe: Path) -> bool:
    """Whether nothing waits in a named pipe."""
    descriptor = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        return fcntl.ioctl(descriptor, termios.FIONREAD, bytes(4)) == bytes(4)
    finally:
        os.close(descriptor)


def test_two_ctrl_c_quit_at_once_and_show_nothing(terminal: Make, dump: Path) -> None:
    view = terminal(DEAF)
    view.until((dump.parent / "ready").exists)
    view.shows("WAITING")
    view.press("\x03")
    view.shows("interrupted: waiting up to")
    view.press("\x03")
    view.until(lambda: not view.has_view)
    view.until(lambda: view.modes == view.modes_before)
    assert "FREQUENCY" not in view.after
    view.is_as_before()


def test_a_source_that_never_ends_is_given_three_seconds(terminal: Make, dump: Path) -> None:
    view = terminal(DEAF, injected=THREE_SECONDS)
    view.until((dump.parent / "ready").exists)
    view.shows("WAITING")
    begin = time.monotonic()
    view.press("\x03")
    view.shows("interrupted: waiting up to 3 s")
    view.until(lambda: not view.has_view)
    assert time.monotonic() - begin >= 3.0
    view.until(lambda: " all " in view.after and view.after.endswith("\n"))
    view.until(lambda: view.modes == view.modes_before, "the modes as they were")
    view.is_as_before()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_request_to_terminate_shows_what_is_there(terminal: Make, dump: Path, number: int) -> None:
    view = terminal(OPEN_PIPE + "--record r.lmap")
    view.shows("WAITING")
    view.until(lambda: is_read(dump.parent / "pipe"))
    os.kill(view.child.pid, number)
    assert view.ends() == 0
    view.is_as_before()
    assert "FREQUENCY" in view.after
    assert "64,7\n4096,3\n" in (dump.parent / "r.lmap").read_text()


@pytest.mark.parametrize("words", ["--once", "convert --to jsonl"])
def test_so_it_does_without_a_view(terminal: Make, dump: Path, words: str) -> None:
    command = OPEN_PIPE.replace("-m pylatencymap", f"-m pylatencymap {words}")
    without = terminal(command)
    threads = Path(f"/proc/{without.child.pid}/task")
    without.until(lambda: b"pylatencymap" in Path(f"/proc/{without.child.pid}/cmdline").read_bytes())
    without.until(lambda: len(list(threads.iterdir())) > 1 and is_read(dump.parent / "pipe"))
    os.kill(without.child.pid, signal.SIGTERM)
    assert without.ends() == 0
    assert ("FREQUENCY" if words == "--once" else "[4096, 8192, 3]") in without.text.replace("\n", "")
    assert without.modes == without.modes_before
    assert dump.exists()


def test_duration_ends_a_pipe_and_shows_what_is_there(terminal: Make, dump: Path) -> None:
    view = terminal(OPEN_PIPE + "--duration 3600", injected=TIME_IS_UP_BY_FILE)
    view.shows("WAITING")
    view.until(lambda: is_read(dump.parent / "pipe"))
    (dump.parent / "over").touch()
    assert view.ends() == 0
    view.is_as_before()
    assert "FREQUENCY" in view.after


def test_q_leaves_nothing_and_is_fine(terminal: Make, recording: Path) -> None:
    pipe = OPEN_PIPE.replace("dump.txt", recording.name)
    for command in (f"L {recording.name}", f"L < {recording.name}", pipe, "L demo"):
        view = terminal(command)
        view.shows("FREQUENCY", "q quit")
        assert view.screen.cursor.hidden
        view.until(lambda view=view: view.modes != view.modes_before)
        view.press("q")
        view.until(lambda view=view: not view.has_view)
        view.until(lambda view=view: view.modes == view.modes_before)
        assert view.ends() == 0
        view.is_as_before()
        assert view.after == ""


@pytest.mark.parametrize("said", ["", "Tracing block device I/O... Hit Ctrl-C to end.\\n", "Enter password: "])
def test_the_terminal_is_the_sources_until_it_has_printed_data(terminal: Make, said: str) -> None:
    """No key is read and nothing is asked; Ctrl-C ends."""
    view = terminal(f"""mkfifo pipe; exec 3<>pipe; printf '{said}' >&3; exec "$PY" -m pylatencymap <pipe""")
    view.shows("no data for")
    assert view.modes == view.modes_before
    view.press("q")
    view.press("\x03")
    view.shows("interrupted: waiting up to")
    view.press("\x03")
    assert view.ends() == 130
    view.is_as_before()
    assert b"\x1b" not in view.raw


def test_ctrl_c_on_a_replay_shows_what_was_there(terminal: Make, make_stream: Any, tmp_path: Path) -> None:
    (tmp_path / "r.lmap").write_text(make_stream("sda", [{128: 100 * n} for n in range(9)], 1_700_000_000, 2.0))
    view = terminal("exec L r.lmap --delay 600")
    view.shows("window 2 s", "REPLAY")
    view.press("\x03")
    assert view.ends() == 130
    view.is_as_before()
    assert "all 2 s" in view.after


def test_the_end_of_a_source_waits_for_q(terminal: Make, recording: Path) -> None:
    view = terminal(f"L --speed max {recording.name}")
    view.shows_the_end()
    view.press("q")
    assert view.ends() == 0


def test_a_source_that_fails_ends_the_view_with_a_message(terminal: Make) -> None:
    view = terminal("echo nobody knows this | L ; exit $?")
    assert view.ends() == 3
    view.is_as_before()
    assert b"\x1b[?" not in view.raw, "there was nothing to view"
    assert "no text that any collector knows" in view.text


def test_messages_are_shown_for_some_seconds_and_stay_when_the_view_is_gone(
    terminal: Make, make_stream: Any, tmp_path: Path
) -> None:
    text = make_stream("sda", [{128: 1}, {128: 2}, {128: 3}], 1_700_000_000)
    (tmp_path / "r.lmap").write_text(text.replace("128,2", "x,y\n128,2"))
    view = terminal("L --speed max r.lmap")
    view.shows("r.lmap:13: neither a bucket nor known metadata")  # the end may come when it has been shown long enough
    view.until(lambda: "r.lmap:13:" not in view.text, "the picture without the message")
    view.press("q")
    assert view.ends() == 0
    assert "r.lmap:13:" in view.after


@pytest.mark.parametrize("words", ["replay", "--once", "demo"])
def test_an_exception_leaves_the_terminal_as_it_was(terminal: Make, recording: Path, words: str) -> None:
    broken = BREAK if words != "--once" else BREAK.replace("2:", "-1:").replace(".drawn", ".final")
    view = terminal(
        f"stty -g > before; L {words} {recording.name if words != 'demo' else ''}; echo $? > status; stty -g > after",
        injected=broken,
    )
    view.ends()
    view.is_as_before()
    assert view.raw.decode().count("internal error: RuntimeError('injected')") == 1
    assert b"Traceback" not in view.raw
    read = {name: (recording.parent / name).read_text() for name in ("before", "after", "status")}
    assert read["before"] == read["after"]
    assert read["status"] == "3\n"


@pytest.mark.parametrize("trap", ["", "trap '' HUP; "])
def test_a_terminal_that_goes_away_ends_the_program(terminal: Make, tmp_path: Path, trap: str) -> None:
    view = terminal(trap + "exec L demo --record r.lmap")
    view.shows("FREQUENCY", "window")
    assert os.WIFEXITED(view.hang_up())
    assert (tmp_path / "r.lmap").read_text().endswith("<end record>\n")

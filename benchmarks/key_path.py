"""How many files and functions of the product a key goes through until its picture is on the terminal.

.venv/bin/python benchmarks/key_path.py [--keys c,left,g,+,--once] [--show]

The product runs by its command line, on a pseudo-terminal of 120 columns and 40 lines, in a process of its own for each
key: it replays a recording as fast as it can, and waits. Then a key is pressed. What Python enters between the end of
the wait and the write of the frame is recorded with ``sys.setprofile``. ``--once`` is the way from 20 prints of
biolatency to the picture, in all threads, from the first line of the command.

Only functions and lambdas of the product count: no comprehensions (the number with them is in parentheses; from Python
3.12 on most are no calls), no bodies of classes and modules, nothing that others generate. A count says how much a
reader has to follow, not how long it takes.
"""

import argparse
import atexit
import fcntl
import json
import os
import runpy
import select
import subprocess
import sys
import termios
import threading
from collections import Counter
from importlib.util import find_spec
from inspect import CO_OPTIMIZED
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import NamedTuple

from generate import biolatency
from measure import READ_BYTES, compiled_in, read_until_closed, terminal, terminal_environment
from recordings import EXAMPLES

KEYS = {"c": b"c", "left": b"\x1b[D", "g": b"g", "+": b"+"}
ONCE = "--once"
PRINTS = 20
SIZE = 120, 40
FRAME_END = b"\x1b[?2026l"
COMPREHENSIONS = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}
SECONDS = 60
"""After which a process that has drawn nothing is given up."""
QUIET_SECONDS = 2.0
FILES_GOAL = 55
"""Of the way of the key c."""


class Function(NamedTuple):
    """A function that was entered, and how often."""

    file: str
    line: int
    name: str
    calls: int

    @property
    def is_comprehension(self) -> bool:
        return self.name.rpartition(".")[2] in COMPREHENSIONS


class Recorder:
    """In the process of the product: collects the code that is entered, and writes it as JSON."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._entered: Counter[CodeType] = Counter()

    def begin(self) -> None:
        """Record from here on, in this thread and in those that are started later."""
        self._entered.clear()
        sys.setprofile(self._profile)

    def end(self) -> None:
        """Record no more; write what was entered."""
        sys.setprofile(None)
        threading.setprofile(None)
        functions = [
            (code.co_filename, code.co_firstlineno, getattr(code, "co_qualname", code.co_name), calls)
            for code, calls in self._entered.items()
            if _counts(code)
        ]
        self._log.write_text(json.dumps(functions))

    def _profile(self, frame: FrameType, event: str, argument: object) -> None:  # noqa: ARG002 - sys.setprofile
        if event == "call":
            self._entered[frame.f_code] += 1


def _counts(code: CodeType) -> bool:
    """Whether it is a function of the product; bodies of classes and modules are not optimized code."""
    home = Path(find_spec("pylatencymap").origin).parent
    return bool(code.co_flags & CO_OPTIMIZED) and code.co_filename.startswith(f"{home}{os.sep}")


def record_key(recorder: Recorder, key: bytes) -> None:
    """Record from each wait on, until a wait was ended by the key and a whole frame has been written."""
    real_select, real_read, real_write = select.select, os.read, os.write
    pressed = False

    def waiting(*arguments: object) -> object:
        if not pressed:
            sys.setprofile(None)
        ready = real_select(*arguments)
        if not pressed:
            recorder.begin()
        return ready

    def reading(descriptor: int, size: int) -> bytes:
        nonlocal pressed
        data = real_read(descriptor, size)
        pressed = pressed or data == key
        return data

    def writing(descriptor: int, data: bytes) -> int:
        written = real_write(descriptor, data)
        if pressed and FRAME_END in data:
            recorder.end()
            os._exit(0)
        return written

    select.select, os.read, os.write = waiting, reading, writing


def record_all(recorder: Recorder) -> None:
    """Record from here to the end of the process, however it ends."""
    real_exit = os._exit

    def leaving(status: int) -> None:
        recorder.end()
        real_exit(status)

    os._exit = leaving
    atexit.register(recorder.end)
    threading.setprofile(recorder._profile)
    recorder.begin()


def product(log: Path, way: str, argv: list[str]) -> None:
    """In a process of its own: run the product, and record."""
    recorder = Recorder(log)
    if way == ONCE:
        record_all(recorder)
    else:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        record_key(recorder, KEYS[way])
    sys.argv[1:] = argv
    runpy.run_module("pylatencymap", run_name="__main__", alter_sys=True)


def entered(way: str, folder: Path) -> list[Function]:
    """What is entered on the way from a key, or with ``--once`` from the command, to the picture."""
    log = folder / "log.json"
    log.unlink(missing_ok=True)
    child = [sys.executable, __file__, "--child", str(log), way, "--"]
    if way == ONCE:
        prints = folder / "biolatency.txt"
        prints.write_text("".join(islice(biolatency(), PRINTS)))
        subprocess.run([*child, ONCE, str(prints)], stdout=subprocess.DEVNULL, check=True)
    else:
        _press(KEYS[way], [*child, "replay", "--speed", "max", str(EXAMPLES / "cold-start.lmap.gz")])
    if not log.exists():
        sys.exit(f"{way}: no picture was drawn")
    return sorted(Function(*one) for one in json.loads(log.read_text()))


def _press(key: bytes, argv: list[str]) -> None:
    """Run a command on a pseudo-terminal, press a key when nothing moves any more, and wait for its end."""
    ours, theirs = terminal(*SIZE)
    process = subprocess.Popen(argv, stdin=theirs, stdout=theirs, stderr=theirs, env=terminal_environment())
    os.close(theirs)
    watchdog = threading.Timer(SECONDS, process.kill)
    watchdog.start()
    _wait_for_silence(ours)
    os.write(ours, key)
    read_until_closed(ours, lambda _: False)
    process.wait()
    watchdog.cancel()
    os.close(ours)


def _wait_for_silence(descriptor: int) -> None:
    """Read until the data have been drawn and nothing more comes for two seconds. Ends the benchmark where the product
    ends instead.
    """
    seen = b""
    while b"REPLAY" not in seen or select.select([descriptor], [], [], QUIET_SECONDS)[0]:
        try:
            seen += os.read(descriptor, READ_BYTES)
        except OSError:  # Linux: nobody has the other end open any more
            sys.exit(f"the product ended: {seen[-1000:].decode(errors='replace')}")


def report(way: str, found: list[Function], *, show: bool) -> str:
    """The counts of a way, in a line; with ``show`` the functions too."""
    functions = [one for one in found if not one.is_comprehension]
    files = {one.file for one in functions}
    shown = f"{len(functions)} ({len(found)})"
    line = f"{way:<8} {len(files):>6} {shown:>16} {sum(one.calls for one in functions):>8}"
    if way == "c":
        line += f"  at most {FILES_GOAL} files: {'met' if len(files) <= FILES_GOAL else 'MISSED'}"
    listed = [f"    {one.file}:{one.line} {one.name} {one.calls}" for one in functions] if show else []
    return "\n".join([line, *listed])


def main() -> None:
    if sys.argv[1:2] == ["--child"]:
        product(Path(sys.argv[2]), sys.argv[3], sys.argv[5:])
        return
    parser = argparse.ArgumentParser(description="Count what a key goes through.", allow_abbrev=False)
    parser.add_argument("--keys", default=",".join([*KEYS, ONCE]))
    parser.add_argument("--show", action="store_true", help="list the files and functions too")
    options = parser.parse_args()
    ways = options.keys.split(",")
    if unknown := [way for way in ways if way not in (*KEYS, ONCE)]:
        sys.exit(f"no such key: {', '.join(unknown)}; there are {', '.join([*KEYS, ONCE])}")
    print(f"{'way':<8} {'files':>6} {'functions':>16} {'calls':>8}")
    with TemporaryDirectory() as folder:
        compiled_in(Path(folder) / "bytecode")
        for way in ways:
            print(report(way, entered(way, Path(folder)), show=options.show), flush=True)


if __name__ == "__main__":
    main()

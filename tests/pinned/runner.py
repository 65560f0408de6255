"""Runs many command lines quickly: one process imports the package, and each command line is a fork of it.

A command line is text as in a shell: ``COLUMNS=80 pylatencymap --once steady.lmap.gz``. Its program is found as an
installed one is, by the console scripts that setup.cfg names. A test in ``test_golden.py`` checks that a process of its
own does the same.

Run as a program, this reads requests from standard input, a JSON line each, and answers what the command line did.
"""

import configparser
import gc
import importlib
import json
import os
import pkgutil
import shlex
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, NoReturn

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 120.0
NEUTRAL = {"TERM": "xterm-256color", "TZ": "UTC", "LC_ALL": "C.UTF-8", "COLUMNS": "120", "LINES": "40"}
DROPPED = ("NO_COLOR", "CLICOLOR_FORCE", "COLORTERM", "PYTHONIOENCODING", "PYTHONUTF8", "TWO_TASK", "ORACLE_SID")


class Ran(NamedTuple):
    """How a command line ended, and what it printed."""

    status: int
    out: str
    err: str


def environment(**changes: str) -> dict[str, str]:
    """Surroundings in which nothing depends on this machine and its user."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in DROPPED and not name.startswith(("ORALATENCYMAP_", "XDG_"))
    }
    return {**kept, **NEUTRAL, "HOME": "/nonexistent", "PYTHONPATH": str(ROOT), **changes}


class Runner:
    """The process that imports the package once; a context. ``changes`` are to the environment of all command lines."""

    def __init__(self, **changes: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment(**changes),
        )

    def __enter__(self) -> "Runner":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def run(self, line: str, folder: Path, given: str | None = None) -> Ran:
        """Run one command line in a folder; ``given`` comes through a pipe, else there is nothing on standard input."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([line, str(folder), given]), file=self._process.stdin, flush=True)
        return Ran(*json.loads(self._process.stdout.readline()))


def run_alone(line: str, folder: Path, given: str | None = None, **changes: str) -> Ran:
    """Run one command line in a process of its own; ``given`` comes through a pipe."""
    variables, program, words = parts_of(line)
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.exit({call_of(program)})", *words],
        input=None if given is None else given.encode(),
        stdin=subprocess.DEVNULL if given is None else None,
        capture_output=True,
        cwd=folder,
        env=environment(**changes, **variables),
        timeout=PATIENCE,
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))


def parts_of(line: str) -> tuple[dict[str, str], str, list[str]]:
    """Variables, program and words of a command line."""
    words = shlex.split(line)
    variables = {}
    while "=" in words[0]:
        name, _, variables[name] = words.pop(0).partition("=")
    return variables, words[0], words[1:]


def call_of(program: str) -> str:
    """The expression that runs a console script: what stands in setup.cfg as ``package.module:function``."""
    module, _, function = script_of(program)
    return f"getattr(__import__('importlib').import_module({module!r}), {function!r})()"


def script_of(program: str) -> tuple[str, str, str]:
    """Module and function of a console script."""
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    scripts = dict(line.split(" = ") for line in config["options.entry_points"]["console_scripts"].split("\n") if line)
    return scripts[program].partition(":")


def import_all() -> None:
    """Import whatever the package has, so that no fork needs to; what cannot be imported here is left out."""
    package = importlib.import_module("pylatencymap")
    for module in pkgutil.walk_packages(package.__path__, "pylatencymap.", onerror=lambda _: None):
        if not module.name.endswith("__main__"):
            with suppress(Exception, SystemExit):
                importlib.import_module(module.name)


def forked(line: str, folder: str, given: str | None) -> Ran:
    """What a command line does in a fork of this process."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        source, sink = os.pipe()
        os.write(sink, (given or "").encode())  # short enough for a pipe
        os.close(sink)
        nothing = os.open(os.devnull, os.O_RDONLY)
        child = os.fork()
        if not child:
            os.chdir(folder)
            streams = (nothing if given is None else source, out.fileno(), err.fileno())
            for descriptor, stream in enumerate(streams):
                os.dup2(stream, descriptor)
            become(line)
        os.close(source)
        os.close(nothing)
        _, ended = os.waitpid(child, 0)
        texts = [os.pread(file.fileno(), 1 << 30, 0).decode("utf-8", "replace") for file in (out, err)]
    return Ran(os.waitstatus_to_exitcode(ended), *texts)


def become(line: str) -> NoReturn:
    """Run a command line in this process, and end it."""
    status = 98
    try:
        variables, program, words = parts_of(line)
        os.environ.update(variables)
        time.tzset()
        sys.argv = [program, *words]
        module, _, function = script_of(program)
        try:
            status = getattr(importlib.import_module(module), function)()
        except SystemExit as end:
            status = int(end.code or 0)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


if __name__ == "__main__":
    import_all()
    gc.freeze()  # so that the forks share its memory
    while request := sys.stdin.readline():
        print(json.dumps(forked(*json.loads(request))), flush=True)

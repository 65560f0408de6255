"""Runs many command lines quickly: one process imports the package, and each command line is a fork of it.

A command line is text as in a shell: ``COLUMNS=80 pylatencymap --once steady.lmap.gz``. Its program is found as an
installed one is, by the console scripts that setup.cfg names. A test in ``test_golden.py`` checks that a process of its
own does the same.

Run as a program, it reads a list of command lines (JSON) from standard input, runs them in the working directory and
prints what each of them did (JSON).
"""

import configparser
import importlib
import json
import os
import pkgutil
import shlex
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

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


def run_all(lines: list[str], folder: Path, **changes: str) -> dict[str, Ran]:
    """Run these command lines in a folder, one after the other; ``changes`` are to the environment of all."""
    done = subprocess.run(
        [sys.executable, __file__],
        input=json.dumps(lines),
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment(**changes),
        timeout=PATIENCE * 2,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {line: Ran(*ran) for line, ran in zip(lines, json.loads(done.stdout), strict=True)}


def run_alone(line: str, folder: Path, **changes: str) -> Ran:
    """Run one command line in a process of its own."""
    variables, program, words = parts_of(line)
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.exit({call_of(program)})", *words],
        stdin=subprocess.DEVNULL,
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


def forked(line: str, number: int) -> tuple[int, str, str]:
    """What a command line does in a fork of this process."""
    variables, program, words = parts_of(line)
    out, err = Path(f".out-{number}"), Path(f".err-{number}")
    child = os.fork()
    if not child:
        status = 98
        try:
            os.environ.update(variables)
            time.tzset()
            for descriptor, place, flags in (
                (0, "/dev/null", os.O_RDONLY),
                (1, out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
                (2, err, os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
            ):
                os.dup2(os.open(place, flags), descriptor)
            sys.argv = [program, *words]
            module, _, function = script_of(program)
            status = getattr(importlib.import_module(module), function)()
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(status)
    _, ended = os.waitpid(child, 0)
    texts = [place.read_bytes().decode("utf-8", "replace") for place in (out, err)]
    out.unlink()
    err.unlink()
    return os.waitstatus_to_exitcode(ended), texts[0], texts[1]


if __name__ == "__main__":
    wanted = json.load(sys.stdin)
    import_all()
    print(json.dumps([forked(line, number) for number, line in enumerate(wanted)]))

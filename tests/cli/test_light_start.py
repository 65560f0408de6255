"""Help and refusals come at once: nothing heavy is loaded for them."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pylatencymap import registry
from pylatencymap.cli.main import COMMANDS
from tests.waiting import PATIENCE

ROOT = Path(__file__).parent.parent.parent
LIBRARIES = {"numpy", "blessed", "pyparsing", "PIL", "oracledb", "cx_Oracle"}
SLOW = {"dataclasses", "inspect", "subprocess", "importlib.metadata"}
"""Of the standard library: each takes as long as all the rest that help needs."""
MODULES = {"pylatencymap": "pylatencymap.cli.main", "oralatencymap": "pylatencymap.cli.oracle.command"}
PROGRAM = """
import importlib, sys
try:
    status = importlib.import_module(sys.argv[1]).run(sys.argv[2:])
except SystemExit as end:
    status = end.code or 0
print(status, *sys.modules, file=sys.stderr)
"""

OTHERS = {f"pylatencymap.collectors.{name}" for name in registry.collector_names() if name != "records"}
KEYS = {
    f"pylatencymap.{name}" for name in ("tui.grid_view", "tui.help_view", "tui.picker_view", "session.save", "export")
}
"""What keys need, and the first picture of the live view does not."""

ASKING = [
    "pylatencymap --help",
    "pylatencymap --version",
    *(f"pylatencymap {name} --help" for name in COMMANDS),
    "pylatencymap live bpf --help",
    "pylatencymap collect bpftrace --help",
    "oralatencymap --help",
    "oralatencymap --version",
]
WRONG = [
    "pylatencymap --colour",
    "pylatencymap --palette pink file",
    "pylatencymap --interval soon file",
    "pylatencymap --semantics new file",
    "pylatencymap --date monday file",
    "pylatencymap --count",
    "pylatencymap --min-latency 1s --max-latency 1ms file",
    "pylatencymap --tz Mars/Olympus file",
    "pylatencymap --unit s --format bpf file",
    "pylatencymap file live",
    "pylatencymap - file",
    "pylatencymap replay --delay",
    "pylatencymap live",
    "pylatencymap live bpf --count none",
    "pylatencymap live nobody",
    "pylatencymap live ping",
    "pylatencymap collect --bogus",
    "pylatencymap convert --to xml",
    "pylatencymap convert --tz Mars/Olympus file",
    "pylatencymap export file",
    "pylatencymap export file -o picture.bmp",
    "pylatencymap export file -o picture.svg --size large",
    "pylatencymap export file -o picture.svg --tz Mars/Olympus",
    "pylatencymap report",
    "pylatencymap report file@soon..",
    "pylatencymap report file --json --markdown",
    "pylatencymap compare",
    "pylatencymap compare file",
    "pylatencymap compare file@soon.. file",
    "pylatencymap compare file file --svg picture.png",
    "pylatencymap events",
    "pylatencymap events -",
    "pylatencymap events file --min-latency 1s --max-latency 1ms",
    "pylatencymap collectors --verbose",
    "pylatencymap demo --seed none",
    "pylatencymap demo --tz Mars/Olympus",
    "oralatencymap --colour",
    "oralatencymap --password secret",
    "oralatencymap --instance none",
    "oralatencymap --awr",
    "oralatencymap --from 2026-01-31T14:00",
    "oralatencymap --tz Mars/Olympus",
    "oralatencymap --min-latency 1s --max-latency 1ms",
]


def loaded_by(line: str, *more: Path) -> tuple[int, set[str]]:
    """The exit status of a command line, and all modules that it has loaded."""
    name, *words = line.split()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, MODULES[name], *words, *more],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    status, *modules = done.stderr.splitlines()[-1].split()
    return int(status), set(modules)


@pytest.mark.parametrize("line", ASKING)
def test_help_and_version_load_nothing_heavy(line: str) -> None:
    status, modules = loaded_by(line)
    assert status == 0
    assert not (LIBRARIES | SLOW) & modules


@pytest.mark.parametrize("line", WRONG)
def test_wrong_uses_load_no_library(line: str) -> None:
    status, modules = loaded_by(line)
    assert status == 2
    assert not LIBRARIES & modules


def test_the_picture_of_a_record_stream_asks_no_other_collector(
    make_stream: Callable[..., str], make_counters: Callable[..., object], tmp_path: Path
) -> None:
    path = tmp_path / "one.lmap"
    path.write_text(make_stream("sda", *make_counters(9)))
    status, modules = loaded_by("pylatencymap --once", path)
    assert status == 0
    assert "pylatencymap.collectors.records" in modules
    assert not (OTHERS | KEYS | LIBRARIES - {"numpy"} | {"numpy.ma", "pylatencymap.plugins"}) & modules


def test_the_picture_of_biolatency_needs_no_grammar(make_biolatency: Callable[..., str], tmp_path: Path) -> None:
    path = tmp_path / "disks.txt"
    text = make_biolatency({"10:00:01": {64: 10}, "10:00:02": {64: 20}})
    path.write_text(text.replace("     usecs", "disk = loop0\t\n     usecs"))
    status, modules = loaded_by("pylatencymap --once", path)
    assert status == 0
    assert not (LIBRARIES - {"numpy"} | {"pylatencymap.collectors.bpf.grammar"}) & modules


def test_the_live_view_loads_what_keys_need_when_they_are_pressed() -> None:
    program = "import sys, pylatencymap.tui.app; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True)
    assert not (KEYS | LIBRARIES - {"numpy"}) & set(done.stdout.split())

"""Programs of other packages that measure: found in the PATH, started without root, ended with us."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pylatencymap.probes.external_programs import external_programs_in_path
from tests.waiting import TICK, TIME_IS_UP_BY_FILE

ROOT = Path(__file__).parent.parent.parent

PROGRAM = f"""#!{sys.executable}
import os, sys
print("words", *sys.argv[1:], os.environ["PYLATENCYMAP_INTERVAL"], os.getuid(), file=sys.stderr)
for second in range(4):
    print("<begin record>\\ntimestamp,microsec,%d,x" % ((1700000000 + second) * 1000000))
    print("label,mine\\nlatencyunit,microsec\\ndatasource,bpf\\n64,%d\\n<end record>" % (second * 10))
sys.exit(int(sys.argv[1]) if sys.argv[1:] else 0)
"""
HANGS = f"""#!{sys.executable}
import fcntl, os, termios, time
for text in ("@us:\\n[64, 128) 5 |@@|\\n\\n", "\\n"):  # the second is read when the first has been decoded
    os.write(1, text.encode())
    while fcntl.ioctl(1, termios.FIONREAD, bytes(4)) != bytes(4):
        time.sleep({TICK})
open("over", "w")
time.sleep(600)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "bin"
    place.mkdir()
    (place / "pylatencymap-mine").write_text(PROGRAM)
    (place / "pylatencymap-mine").chmod(0o755)
    (place / "pylatencymap-no-program").write_text("text\n")
    (place / "pylatencymap-").write_text("")
    return place


def run(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "PATH": f"{folder}:/nowhere:{os.environ['PATH']}", **more}
    command = [sys.executable, "-m", "pylatencymap", *words]
    closed = subprocess.DEVNULL
    return subprocess.run(command, capture_output=True, text=True, env=environ, stdin=closed, cwd=folder, check=False)


def test_only_programs_are_found_and_the_first_of_two(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "pylatencymap-mine").write_text(PROGRAM)
    (other / "pylatencymap-mine").chmod(0o755)
    assert external_programs_in_path(f"{folder}:/nowhere:{other}") == {"mine": str(folder / "pylatencymap-mine")}
    assert external_programs_in_path(f"{other}:{folder}") == {"mine": str(other / "pylatencymap-mine")}


def test_what_it_prints_is_recognised_and_collected(folder: Path) -> None:
    done = run(folder, "collect", "mine", "--to", "jsonl", "--interval", "2.5")
    assert done.returncode == 0, done.stderr
    assert [json.loads(line)["counts"] for line in done.stdout.splitlines()] == [[[64, 128, 10]]] * 3


def test_it_is_drawn(folder: Path) -> None:
    done = run(folder, "live", "mine", "--once")
    assert done.returncode == 0, done.stderr
    totals = [line.split()[-2:] for line in done.stdout.splitlines() if line.startswith("  total")]
    assert totals == [["10", "/s"], ["923", "us/s"]]


def test_its_failure_is_told_with_its_words_period_and_without_root(folder: Path) -> None:
    done = run(folder, "collect", "mine", "--interval", "2.5", "--", "7", "--deep")
    assert done.returncode == 3
    assert f"mine: the probe ended with status 7: words 7 --deep 2.5 {os.getuid()}" in done.stderr


def test_it_is_listed(folder: Path) -> None:
    done = run(folder, "collectors")
    assert [line for line in done.stdout.splitlines() if line.split() == ["mine", "can", "run", "here"]]
    done = run(folder, "collectors", "--check", "mine")
    assert done.returncode == 0
    assert str(folder / "pylatencymap-mine") in done.stdout


def script(folder: Path, name: str, text: str) -> None:
    (folder / f"pylatencymap-{name}").write_text(text)
    (folder / f"pylatencymap-{name}").chmod(0o755)


@pytest.mark.parametrize("words", [("collect", "silent"), ("live", "silent", "--once")])
def test_its_time_is_over_also_while_it_is_silent(words: tuple[str, ...], folder: Path) -> None:
    script(folder, "silent", "#!/bin/sh\nexec sleep 600\n")
    done = run(folder, *words, "--duration", "0.5")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "pylatencymap: pylatencymap-silent has printed nothing\n"


def test_what_it_has_printed_before_it_fell_silent_is_drawn(folder: Path) -> None:
    script(folder, "hangs", HANGS)
    (folder / "sitecustomize.py").write_text(TIME_IS_UP_BY_FILE)
    done = run(folder, "collect", "hangs", "--to", "jsonl", "--duration", "3600", PYTHONPATH=f"{folder}:{ROOT}")
    assert done.returncode == 0, done.stderr
    assert [json.loads(line)["counts"] for line in done.stdout.splitlines()] == [[[64, 128, 5]]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#!/no/such/program -x\n", "its interpreter, /no/such/program -x, is not there."),
        ("no program at all\n", "Exec format error; a script needs #! and its interpreter in the first line."),
    ],
)
def test_a_program_that_cannot_be_started(text: str, said: str, folder: Path) -> None:
    script(folder, "odd", text)
    done = run(folder, "collect", "odd")
    assert (done.returncode, done.stdout) == (3, "")
    path = folder / "pylatencymap-odd"
    assert f"odd: the probe ended with status 127: {path} cannot be started: {said}" in done.stderr


def test_an_interpreter_that_is_missing_is_listed(folder: Path) -> None:
    script(folder, "odd", "#! /no/such/program -x\n")
    done = run(folder, "collectors", "--check", "odd")
    assert done.returncode == 3
    assert [line.split()[:3] for line in done.stdout.splitlines()][1] == ["missing", "interpreter", "/no/such/program"]

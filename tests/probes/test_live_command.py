"""``live`` and ``collect`` over a probe that measures nothing: what is drawn and printed, and how it ends."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect
import pytest

WAITED = 60
RECORD = """
def record(number, count):
    print(f'#lmap {{"v": 1, "series": "sda,read", "label": "block I/O service time", "counts": "interval", '
          f'"buckets": [[8192, 9216, {count}]], "time": {count * 0.009}, "start": {(BEGIN + number) * 1000000}, '
          '"flags": ["kept"]}')
    print(f'<begin record>\\ntimestamp,microsec,{(BEGIN + number + 1) * 1000000},x\\nlabel,x\\nlatencyunit,microsec\\n'
          'datasource,bpf\\n<end record>', flush=True)
BEGIN = 1700000000
print('# a probe', flush=True)
record(0, 5)
record(1, 7)
"""
LAST_WORDS = "sys.stdin.read()\nrecord(2, 9)"
DRIVER = """
import sys
from pylatencymap import registry
from pylatencymap.probes.contract import ProbeCommand
from pylatencymap.probes.machine import Machine

class Fake:
    "Nothing at all."
    @staticmethod
    def add_options(to):
        to.add_argument("--wanted")
    @staticmethod
    def command(options, machine):
        return ProbeCommand(@PROBE@, "records", waiting="nothing has come yet")

import pylatencymap.probes.launcher as launch
import pylatencymap.session.ending as ending
import pylatencymap.session.feed as once
ending.LAST_WORDS_SECONDS = once.LAST_SECONDS = launch.END_SECONDS = 30.0  # the machine may stall
Machine.is_root = lambda self: True
registry.load_probe = lambda name: Fake
from pylatencymap.cli.main import entry
entry()
"""
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def words(fake_probe: Callable[[str], list[str]], tmp_path: Path) -> Callable[..., list[str]]:
    """The words that run pylatencymap with a probe that prints two records and then does ``body``."""

    def make(body: str, *arguments: str) -> list[str]:
        driver = tmp_path / "driver.py"
        driver.write_text(DRIVER.replace("@PROBE@", repr(fake_probe(RECORD + body))))
        return [sys.executable, str(driver), *arguments]

    return make


@pytest.fixture
def surroundings(root: Path) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(root),
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        "TERM": "xterm-256color",
    }


@pytest.fixture
def run(words: Callable[..., list[str]], surroundings: dict[str, str]) -> Run:
    def run_it(body: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words(body, *arguments),
            capture_output=True,
            text=True,
            timeout=WAITED,
            env=surroundings,
            stdin=subprocess.DEVNULL,
        )

    return run_it


def counted(text: str) -> list[int]:
    """The events of each record with buckets of its own."""
    lines = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("#lmap")]
    return [line["buckets"][0][2] for line in lines if line.get("buckets")]


def test_collect_prints_the_record_stream(run: Run) -> None:
    ran = run("", "collect", "bpf", "--wanted", "x")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert counted(ran.stdout) == [5, 7]


def test_collect_as_json_lines(run: Run) -> None:
    ran = run("", "collect", "bpf", "--to", "jsonl")
    found = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [(one["series"], one["counts"], one["seconds"]) for one in found] == [
        ("sda,read", [[8192, 9216, 5]], 1.0),
        ("sda,read", [[8192, 9216, 7]], 1.0),
    ]


def test_count_ends_a_probe_that_would_go_on(run: Run, tmp_path: Path, gone: Callable[[int], bool]) -> None:
    ran = run("sys.stdin.read()", "collect", "bpf", "--duration", "0.5")
    assert ran.returncode == 0
    assert gone(int((tmp_path / "pid").read_text()))


def test_interrupted_collect_prints_the_last_words(
    words: Callable[..., list[str]], surroundings: dict[str, str]
) -> None:
    running = subprocess.Popen(
        words(LAST_WORDS, "collect", "bpf"),
        stdout=subprocess.PIPE,
        text=True,
        env=surroundings,
        stdin=subprocess.DEVNULL,
    )
    assert running.stdout is not None
    head = "".join(iter(running.stdout.readline, "<end record>\n")) + "<end record>\n"
    running.send_signal(signal.SIGINT)
    text, _ = running.communicate(timeout=WAITED)
    assert running.returncode == 130
    assert counted(head + text)[-1] == 9


def test_once_draws_one_picture_and_records_everything(run: Run, tmp_path: Path) -> None:
    ran = run("", "live", "bpf", "--once", "--depth", "ascii", "--record", str(tmp_path / "r.lmap"))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "sda,read" in ran.stdout
    assert re.search(r"all 2 s +avg 9.00 ms", ran.stdout)
    assert counted((tmp_path / "r.lmap").read_text()) == [5, 7]


def test_marks_of_others_are_on_the_axis(run: Run, tmp_path: Path) -> None:
    marks = tmp_path / "m.txt"
    ran = run("", "live", "bpf", "--once", "--marks", str(marks))
    assert ran.returncode == 3
    assert "no such file" in ran.stderr
    assert not (tmp_path / "pid").exists(), "it is read before anything is started"
    marks.write_text("1700000002,deploy of 2.4\n")
    ran = run("", "live", "bpf", "--once", "--tz", "UTC", "--marks", str(marks))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert 'M 22:13:22  "deploy of 2.4"' in ran.stdout


def test_once_is_judged(run: Run, tmp_path: Path) -> None:
    junit = tmp_path / "verdicts.xml"
    judged = ("--fail-if", "events > 11", "--fail-if", "rate > 1000/s", "--junit", str(junit))
    ran = run("", "live", "bpf", "--once", *judged)
    assert (ran.returncode, ran.stdout) == (6, run("", "live", "bpf", "--once").stdout)
    assert ran.stderr.splitlines()[0] == "pylatencymap: events > 11 holds: sda,read events 12"
    assert 'failures="1"' in junit.read_text()
    assert run("", "live", "bpf", "--once", "--fail-if", "rate > 1000/s").returncode == 0
    assert "needs --once" in run("", "live", "bpf", "--fail-if", "rate > 1000/s").stderr


def test_a_probe_that_fails_at_once_draws_nothing(
    fake_probe: Callable[[str], list[str]], words: Callable[..., list[str]], surroundings: dict[str, str]
) -> None:
    arguments = words("", "live", "bpf", "--once")
    fake_probe("print('no BPF here', file=sys.stderr)\nsys.exit(1)")
    ran = subprocess.run(arguments, capture_output=True, text=True, timeout=WAITED, env=surroundings)
    assert (ran.returncode, ran.stdout) == (3, "")
    assert "bpf: the probe ended with status 1: no BPF here." in ran.stderr


def test_a_probe_that_saw_nothing_says_so(
    fake_probe: Callable[[str], list[str]], words: Callable[..., list[str]], surroundings: dict[str, str]
) -> None:
    arguments = words("", "live", "bpf", "--once")
    fake_probe("print('# a probe')")
    ran = subprocess.run(arguments, capture_output=True, text=True, timeout=WAITED, env=surroundings)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == "pylatencymap: nothing has come yet\n"


def test_a_probe_that_fails_later_leaves_what_it_measured(run: Run) -> None:
    ran = run("print('the disk is gone', file=sys.stderr)\nsys.exit(1)", "live", "bpf", "--once")
    assert ran.returncode == 3
    assert "sda,read" in ran.stdout
    assert "the disk is gone" in ran.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["live"], "required: COLLECTOR"),
        (["collect", "records"], "records has no probe (bpf and bpftrace have)"),
        (["live", "nobody"], "'nobody' has no probe"),
        (["live", "bpf", "--disk", "no-such-disk"], "there is no disk 'no-such-disk'"),
        (["live", "bpf", "--format", "bpf"], "unrecognized arguments: --format"),
    ],
)
def test_what_cannot_be_is_a_usage_error(arguments: list[str], said: str, surroundings: dict[str, str]) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "pylatencymap", *arguments], capture_output=True, text=True, env=surroundings
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert said in ran.stderr


def on_terminal(arguments: list[str], surroundings: dict[str, str]) -> Any:
    """A command on a terminal of 120 columns."""
    program, *rest = arguments
    return pexpect.spawn(
        program,
        rest,
        env=surroundings,
        dimensions=(40, 120),
        encoding="utf-8",
        timeout=WAITED,  # type: ignore[arg-type]
    )


@pytest.fixture
def terminal(words: Callable[..., list[str]], surroundings: dict[str, str]) -> Callable[..., Any]:
    """A live view that has drawn both records."""

    def open_it(body: str, *arguments: str) -> Any:
        spawned = on_terminal(words(body, "live", "bpf", *arguments), surroundings)
        spawned.expect("16.4 ms")
        return spawned

    return open_it


@pytest.mark.parametrize(("key", "status"), [("q", 0), ("\x03", 130)])
def test_leaving_the_view_ends_the_probe(
    key: str, status: int, terminal: Callable[..., Any], tmp_path: Path, gone: Callable[[int], bool]
) -> None:
    spawned = terminal(LAST_WORDS)
    spawned.send(key)
    spawned.expect(pexpect.EOF)
    spawned.close()
    assert spawned.exitstatus == status
    assert gone(int((tmp_path / "pid").read_text()))


def test_ctrl_c_shows_the_last_words(terminal: Callable[..., Any]) -> None:
    spawned = terminal(LAST_WORDS)
    spawned.sendintr()
    spawned.expect(pexpect.EOF)
    picture = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", spawned.before.rpartition("\x1b[?1049l")[2])
    assert " all 3 s" in picture
    spawned.close()


def test_no_probe_is_left_of_a_view_that_is_killed(
    terminal: Callable[..., Any], tmp_path: Path, gone: Callable[[int], bool]
) -> None:
    spawned = terminal(LAST_WORDS)
    spawned.kill(signal.SIGKILL)
    assert gone(int((tmp_path / "pid").read_text()))
    spawned.close(force=True)


IDLE = re.sub(r'"time": [0-9.{}a-z *]+', '"time": 0', RECORD.replace("[[8192, 9216, {count}]]", "[]"))


def test_an_idle_source_is_drawn_and_counted(
    fake_probe: Callable[[str], list[str]], words: Callable[..., list[str]], surroundings: dict[str, str]
) -> None:
    arguments = words("", "live", "bpf", "--once", "--count", "2")
    fake_probe(IDLE + "record(2, 0)\nsys.stdin.read()")
    ran = subprocess.run(arguments, capture_output=True, text=True, timeout=WAITED, env=surroundings)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert re.search(r"all 2 s +no events", ran.stdout)


def test_the_view_says_that_nothing_has_happened(
    fake_probe: Callable[[str], list[str]], words: Callable[..., list[str]], surroundings: dict[str, str]
) -> None:
    arguments = words("", "live", "bpf")
    fake_probe(IDLE + "sys.stdin.read()")
    spawned = on_terminal(arguments, surroundings)
    spawned.expect("nothing has come yet")
    spawned.send("q")
    spawned.expect(pexpect.EOF)
    spawned.close()


def test_where_nothing_comes_no_view_opens_and_a_line_says_what_it_waits_for(
    fake_probe: Callable[[str], list[str]], words: Callable[..., list[str]], surroundings: dict[str, str]
) -> None:
    arguments = words("", "live", "bpf")
    fake_probe("print('# a probe', flush=True)\nsys.stdin.read()")
    spawned = on_terminal(arguments, surroundings)
    spawned.expect("no data for .*nothing has come yet")
    spawned.sendintr()
    spawned.expect(pexpect.EOF)
    spawned.close()

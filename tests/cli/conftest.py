"""Helpers of the commands' tests: real runs, and texts with known truth."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pylatencymap.cli import main
from tests.waiting import PATIENCE

ROOT = Path(__file__).parent.parent.parent
NEUTRAL = {"TERM": "xterm-256color", "TZ": "UTC", "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT)}
DROPPED = ("NO_COLOR", "CLICOLOR_FORCE", "COLORTERM", "COLUMNS", "LINES", "PYTHONIOENCODING", "PYTHONUTF8")


class Ran(NamedTuple):
    status: int
    out: str
    err: str
    raw: bytes


def environment(**changes: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in DROPPED}
    return {**kept, **NEUTRAL, **changes}


def command_line(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "pylatencymap", *map(str, arguments)]


def run(*arguments: object, given: str | bytes | None = None, env: dict[str, str] | None = None) -> Ran:
    """A command's status and output. Whatever happens, no traceback and no escape sequence in what it says."""
    data = given.encode() if isinstance(given, str) else given
    done = subprocess.run(
        command_line(*arguments),
        input=data,
        stdin=subprocess.DEVNULL if data is None else None,
        capture_output=True,
        env=environment(**(env or {})),
        timeout=PATIENCE,
    )
    ran = Ran(
        done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"), done.stdout
    )
    assert "Traceback" not in ran.err or "--traceback" in arguments or "-d" in arguments, ran.err
    assert "\x1b" not in ran.err
    return ran


def rows(counts: dict[int, int]) -> str:
    """A histogram of biolatency: counts by lower bound, all octaves up to the highest."""
    text = "     usecs               : count     distribution\n"
    lower, top = 0, max(counts)
    while lower <= top:
        upper = max(1, 2 * lower - 1)
        text += f"{lower:>10} -> {upper:<10} : {counts.get(lower, 0):<8} |{'*' * 40}|\n"
        lower = upper + 1
    return text


def biolatency(intervals: dict[str, dict[int, int]]) -> str:
    """``biolatency -T 1``: a histogram by time of day."""
    return "Tracing block device I/O... Hit Ctrl-C to end.\n" + "".join(
        f"\n{time}\n{rows(counts)}" for time, counts in intervals.items()
    )


def stream(series: str, *counters: dict[int, int], first: int = 1_700_000_000, step: int = 1) -> str:
    """A record stream of cumulative counters, one record each ``step`` seconds."""
    return "".join(
        f"<begin record>\ntimestamp,microsec,{(first + number * step) * 1_000_000},no date\nlabel,{series}\n"
        "latencyunit,microsec\ndatasource,bpf\n"
        + "".join(f"{bucket},{count}\n" for bucket, count in buckets.items())
        + "<end record>\n"
        for number, buckets in enumerate(counters)
    )


def growing(records: int, per_record: int = 100, bucket: int = 128) -> list[dict[int, int]]:
    """Counters that grow evenly; so many records make one interval less."""
    return [{bucket: per_record * (number + 1)} for number in range(records)]


def parse(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(scope="session")
def command() -> Callable[..., Ran]:
    return run


@pytest.fixture
def quick(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """As ``command``, in this process, and with what is given in a file: for what does not depend on processes."""
    for name in DROPPED:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TZ", "UTC")

    def run_here(*arguments: object, given: str | None = None) -> Ran:
        words = [str(argument) for argument in arguments]
        if given is not None:
            (tmp_path / "given.txt").write_text(given)
            words.append(str(tmp_path / "given.txt"))
        status = main.run(words)
        told = capsys.readouterr()
        assert "Traceback" not in told.err
        assert "\x1b" not in told.err
        return Ran(status, told.out, told.err, told.out.encode())

    return run_here


@pytest.fixture(scope="session")
def command_words() -> Callable[..., list[str]]:
    return command_line


@pytest.fixture(scope="session")
def clean_environment() -> Callable[..., dict[str, str]]:
    return environment


@pytest.fixture(scope="session")
def make_stream() -> Callable[..., str]:
    return stream


@pytest.fixture(scope="session")
def make_counters() -> Callable[..., list[dict[int, int]]]:
    return growing


@pytest.fixture(scope="session")
def make_biolatency() -> Callable[..., str]:
    return biolatency


@pytest.fixture(scope="session")
def json_lines() -> Callable[[str], list[dict[str, Any]]]:
    return parse


@pytest.fixture
def three(tmp_path: Path) -> Path:
    """Three seconds of biolatency with known counts."""
    path = tmp_path / "three.txt"
    path.write_text(
        biolatency({"10:00:01": {64: 10, 8192: 2}, "10:00:02": {64: 20, 8192: 1}, "10:00:03": {128: 5, 16384: 3}})
    )
    return path

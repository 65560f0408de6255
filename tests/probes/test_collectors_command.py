"""``pylatencymap collectors`` over machines that exist only here: which can measure, and what is missing."""

from collections.abc import Callable
from typing import Any

import pytest

from pylatencymap.cli import main
from pylatencymap.cli.commands import collectors
from pylatencymap.probes.checks import TRACEFS
from pylatencymap.probes.machine import Answer

Said = Callable[..., tuple[int, str, str]]
BPFTRACE = {"/usr/bin/bpftrace": Answer(0, "bpftrace v0.17.0\n")}
TRACED = {
    "/etc/os-release": "ID=debian\n",
    "/proc/mounts": f"tracefs {TRACEFS[0]} tracefs rw 0 0\nsecurityfs /sys/kernel/security securityfs rw 0 0\n",
    **{f"{TRACEFS[0]}/events/block/block_rq_{name}/format": "" for name in ("insert", "issue", "complete", "requeue")},
}


@pytest.fixture
def said(pretend: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Said:
    """Exit status, output and messages of the command on a machine with bpftrace and without bcc."""

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(collectors, "Machine", lambda: pretend(TRACED, ("bpftrace",), BPFTRACE))
        status = main.run(["collectors", *arguments])
        told = capsys.readouterr()
        return status, told.out, told.err

    return run


def test_the_list_says_which_can_measure_here(said: Said) -> None:
    status, out, _ = said()
    measuring = dict(line.split(maxsplit=1) for line in out.rpartition("\n\n")[2].splitlines()[1:])
    assert status == 0
    assert measuring["bpftrace"] == "can run here"
    assert measuring["bpf"].startswith("cannot run here: bcc: no Python here has it; headers: neither ")


def test_what_is_missing_is_told_with_what_to_do(said: Said) -> None:
    status, out, _ = said("--check", "bpf")
    lines = out.splitlines()
    at = next(number for number, line in enumerate(lines) if line.split()[:2] == ["missing", "bcc"])
    assert status == 3
    assert lines[at + 1].strip() == "apt-get install python3-bpfcc"
    assert [line.split()[:2] for line in lines if "trial" in line] == [["?", "trial"]]


def test_where_nothing_is_missing_all_is_well(said: Said) -> None:
    status, out, _ = said("--check", "bpftrace")
    assert status == 0
    assert {line.split()[0] for line in out.splitlines()} == {"ok"}


def test_what_only_reads_needs_nothing(said: Said) -> None:
    assert said("--check", "records") == (0, "records reads text and needs nothing but that text\n", "")


def test_a_name_that_nobody_has_is_a_usage_error(said: Said) -> None:
    status, out, err = said("--check", "nobody")
    assert (status, out) == (2, "")
    assert "nobody" in err

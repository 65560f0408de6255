"""What is started for which options, and what is refused before anything is."""

import argparse
from collections.abc import Callable
from typing import Any

import pytest

from pylatencymap import registry
from pylatencymap.errors import LatencyMapError, SourceError, UsageError
from pylatencymap.probes.block_io import add_block_options, idle_disks
from pylatencymap.probes.contract import SCRIPT_FILE, ProbeCommand
from pylatencymap.probes.launcher import as_root
from pylatencymap.probes.machine import Answer
from pylatencymap.session.series_overview import event_noun

BLOCK = "/sys/class/block"
DISKS = {
    f"{BLOCK}/sda/dev": "8:0\n",
    f"{BLOCK}/sda1/dev": "8:1\n",
    f"{BLOCK}/sda1/partition": "1\n",
    f"{BLOCK}/loop0/dev": "7:0\n",
    f"{BLOCK}/dm-0/dev": "253:0\n",
    f"{BLOCK}/dm-0/dm/name": "vg-lv\n",
    f"{BLOCK}/dm-1/dev": "253:1\n",
    f"{BLOCK}/dm-1/dm/name": "multipath\n",
    f"{BLOCK}/dm-1/mq/0/tags": "",
    f"{BLOCK}/nvme0n1/dev": "259:4\n",
    f"{BLOCK}/sdb/dev": "8:16\n",
    "/usr/bin/python3": "",
}
ANSWERS = {"/usr/bin/python3": Answer(0, ""), "/usr/bin/bpftrace": Answer(0, "bpftrace v0.17.0\n")}


@pytest.fixture
def command(pretend: Callable[..., Any]) -> Callable[..., ProbeCommand]:
    """``command("bpf", "--disk", "sda", interval=2)``."""

    def make(name: str, *words: str, interval: float = 1.0, answers: dict[str, Answer] = ANSWERS) -> ProbeCommand:
        parser = argparse.ArgumentParser(exit_on_error=False)
        registry.load_probe(name).add_options(parser)
        options = parser.parse_args(words)
        options.interval = interval
        machine = pretend(DISKS, ("python3", "bpftrace"), answers)
        return registry.load_probe(name).command(options, machine)

    return make


def test_both_can_measure_by_themselves() -> None:
    assert {"bpf", "bpftrace"} <= set(registry.probe_names())


def test_bpf_runs_under_the_python_that_has_bcc(command: Callable[..., ProbeCommand]) -> None:
    words, form, *_ = command("bpf", "-Q", "--disk", "sda", "--disk", "/dev/loop0", "--min-bytes", "64k", interval=0.5)
    assert (words[0], form) == ("/usr/bin/python3", "records")
    said = ["--interval", "0.5", "--min-bytes", "65536", "--queued", "--disk", "sda", "--disk", "loop0"]
    assert words[-13:] == [*said, "--idle", "sda", "--idle", "loop0"]


def test_bpftrace_gets_numbers(command: Callable[..., ProbeCommand]) -> None:
    found = command("bpftrace", "-Q", "--disk", "sda", "--disk", "nvme0n1", "--min-bytes", "4097", interval=2.5)
    assert found.words[0] == "/usr/bin/bpftrace"
    assert found.words[-4:] == ["1", "9", str(8 << 20), str(259 << 20 | 4)]
    assert found.words[1] == SCRIPT_FILE
    assert "interval:ms:2500" in found.script
    assert "interval:s:1" not in found.script
    assert (found.format, found.from_zero, found.kept) == ("bpftrace", True, True)


@pytest.mark.parametrize(
    ("printed", "finer"),
    [
        ("bpftrace v0.17.0", False),
        ("v0.19.1", False),
        ("bpftrace v0.20.3", True),
        ("bpftrace v1.0.0", True),
        ("?", False),
    ],
)
def test_bpftrace_has_the_finest_rows_of_its_version(
    printed: str, finer: bool, command: Callable[..., ProbeCommand]
) -> None:
    script = command("bpftrace", answers={"/usr/bin/bpftrace": Answer(0, printed)}).script
    assert script.count("= hist($us, 3);") == (4 if finer else 0)
    assert script.count("= hist($us);") == (0 if finer else 4)


@pytest.mark.parametrize("name", ["bpf", "bpftrace"])
@pytest.mark.parametrize(
    ("disk", "reason"),
    [
        ("sdz", "there is no disk 'sdz'"),
        ("../sda", "there is no disk"),
        ("sda1", "sda1 is a partition"),
        ("dm-0", "dm-0 has no requests"),
    ],
)
def test_disks_that_have_no_requests_are_refused(
    name: str, disk: str, reason: str, command: Callable[..., ProbeCommand]
) -> None:
    with pytest.raises(UsageError, match=reason):
        command(name, "--disk", disk)


def test_a_mapped_disk_with_requests_is_watched(command: Callable[..., ProbeCommand]) -> None:
    assert command("bpf", "--disk", "dm-1").words[-4:] == ["--disk", "dm-1", "--idle", "dm-1"]


def test_the_series_of_idle_disks_are_those_of_the_disks_that_are_watched(command: Callable[..., ProbeCommand]) -> None:
    found = command("bpftrace", "--disk", "sda", "--disk", "loop0")
    assert found.watched == (("sda,read", "sda,write"), ("loop0,read", "loop0,write"))


@pytest.mark.parametrize(
    ("statistics", "busiest"),
    [
        ("8 0 sda 100 0 0 0 20 0 0 0\n8 1 sda1 900 0 0 0 20 0 0 0\n7 0 loop0 1 0 0 0 120 0 0 0\n", ["loop0"]),
        ("253 0 dm-0 900 0 0 0 20 0 0 0\n8 0 sda 100 0 0 0 20 0 0 0\n", ["sda"]),
        ("8 0 sda 0 0 0 0 0 0 0 0\n", []),
        ("", []),
    ],
)
def test_of_all_disks_the_busiest_since_boot_is_drawn_while_idle(
    statistics: str, busiest: list[str], pretend: Callable[..., Any]
) -> None:
    queues = {f"{BLOCK}/{disk}/mq/0": "" for disk in ("sda", "loop0")}
    assert idle_disks([], pretend({**DISKS, **queues, "/proc/diskstats": statistics})) == busiest


@pytest.mark.parametrize(
    ("words", "label"), [((), "block I/O service time"), (("-Q",), "block I/O queue and service time")]
)
def test_both_probes_have_one_label(words: tuple[str, ...], label: str, command: Callable[..., ProbeCommand]) -> None:
    assert command("bpftrace", *words).label == label
    assert event_noun(label, "bpftrace") == "I/Os"


def test_bpftrace_watches_four_disks_by_name(command: Callable[..., ProbeCommand]) -> None:
    four = [word for disk in ("sda", "sdb", "loop0", "nvme0n1") for word in ("--disk", disk)]
    assert len(command("bpftrace", *four).words[2:]) == 6
    with pytest.raises(UsageError, match="4 disks"):
        command("bpftrace", *four, "--disk", "dm-1")


def test_what_is_not_installed_is_named_with_its_package(pretend: Callable[..., Any]) -> None:
    machine = pretend({"/etc/os-release": "ID=debian\n"})
    for name, package in (("bpf", "python3-bpfcc"), ("bpftrace", "bpftrace")):
        options = argparse.Namespace(disk=[], min_bytes=0, queued=False, interval=1.0)
        with pytest.raises(SourceError, match=f"apt-get install {package}"):
            registry.load_probe(name).command(options, machine)


def test_all_that_is_missing_is_named_at_once(pretend: Callable[..., Any]) -> None:
    options = argparse.Namespace(disk=[], min_bytes=0, queued=False, interval=1.0)
    with pytest.raises(SourceError) as error:
        registry.load_probe("bpf").command(options, pretend({"/etc/os-release": "ID=debian\n"}))
    said = str(error.value)
    assert said.startswith(
        "bpf cannot measure here. bcc: no Python here has it (apt-get install python3-bpfcc); headers: "
    )
    assert "; tracefs: not mounted (mount -t tracefs none /sys/kernel/tracing). " in said
    assert said.endswith("'pylatencymap collectors --check bpf' says more")


@pytest.mark.parametrize("text", ["", "x", "-1", "1.5k", "4g", "k", "9" * 5000])
def test_sizes_are_whole_numbers(text: str) -> None:
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_block_options(parser)
    with pytest.raises(argparse.ArgumentError, match="no size"):
        parser.parse_args([f"--min-bytes={text}"])


def test_root_needs_no_sudo(pretend: Callable[..., Any]) -> None:
    assert as_root(["probe"], pretend(programs=("sudo",))) == ["probe"]


def test_only_the_probe_gets_root_and_the_password_is_asked_for_before(pretend: Callable[..., Any]) -> None:
    machine = pretend(programs=("sudo",), root=False)
    asked: list[list[str]] = []

    def run(words: list[str]) -> int:
        asked.append(words)
        return 0

    assert as_root(["probe", "-x"], machine, run) == ["/usr/bin/sudo", "-n", "--", "probe", "-x"]
    assert asked == [["/usr/bin/sudo", "-v"]]


def test_nobody_is_asked_where_sudo_needs_no_password(pretend: Callable[..., Any]) -> None:
    machine = pretend(programs=("sudo",), root=False, answers={"/usr/bin/sudo": Answer(0, "")})
    assert as_root(["probe"], machine, lambda _: pytest.fail("asked")) == ["/usr/bin/sudo", "-n", "--", "probe"]


@pytest.mark.parametrize("programs", [(), ("sudo",)])
def test_without_root_nothing_is_started(programs: tuple[str, ...], pretend: Callable[..., Any]) -> None:
    with pytest.raises(LatencyMapError, match="as root"):
        as_root(["probe"], pretend(programs=programs, root=False), lambda _: 1)

"""Both probes of block I/O on a real disk with two modes: what they counted, beside what fio measured itself."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pylatencymap import registry
from pylatencymap.probes.machine import Machine
from tests.real_disk import (
    MOST_SYSTEM_CALL,
    CpuWaits,
    Truth,
    agree,
    memory_kills,
    only_user_of_the_rig,
    total,
    truth_of,
)
from tests.waiting import TICK

NEEDED = ("fio", "nbdkit", "nbdfuse", "losetup", "dd")
PROBES = ("bpf", "bpftrace")
WAITED = 120
LOAD_SECONDS = 8


class Disk(NamedTuple):
    """A disk of the rig that is up."""

    script: Path
    device: str
    environment: dict[str, str]

    @property
    def name(self) -> str:
        return Path(self.device).name

    def read(self, size: str, count: int) -> None:
        words = [
            "dd",
            f"if={self.device}",
            "of=/dev/null",
            f"bs={size}",
            f"count={count}",
            "iflag=direct",
            "status=none",
        ]
        subprocess.run(words, check=True)


class Collecting:
    """``pylatencymap collect PROBE`` that runs, with its output in a file; reads of a ``size`` make it print."""

    def __init__(self, disk: Disk, output: Path, *words: str, size: str = "4k") -> None:
        self.output = output
        self._kills_before = memory_kills()
        with output.open("wb") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "pylatencymap", "collect", *words, "--disk", disk.name, "--to", "jsonl"],
                stdout=file,
                env=disk.environment,
            )
        with self.ended_if_this_fails():
            until(lambda: disk.read(size, 1) or bool(self.intervals()) or self.process.poll() is not None)
            self.must_run()

    def intervals(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.output.read_text().splitlines(keepends=True) if line.endswith("\n")]

    def since(self, moment: float) -> list[dict[str, Any]]:
        return [one for one in self.intervals() if one["start"] >= moment]

    def settle(self) -> float:
        """Wait until all that has happened so far has been printed; the end of the last interval of that."""
        now = time.time()
        with self.ended_if_this_fails():
            until(lambda: self.since(now) or self.process.poll() is not None)
            self.must_run()
        return float(self.since(now)[0]["start"])

    def must_run(self) -> None:
        if self.process.poll() is None:
            return
        if memory_kills() != self._kills_before:
            pytest.skip("the machine ran out of memory meanwhile, and the kernel killed programs")
        pytest.fail(f"it ended by itself, with status {self.process.returncode}; it printed {len(self.intervals())}")

    @contextmanager
    def ended_if_this_fails(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.end()
            raise

    def end(self) -> int:
        self.process.terminate()
        return self.process.wait(WAITED)


def until(happened: Callable[[], object]) -> None:
    deadline = time.monotonic() + WAITED
    while not happened():
        if time.monotonic() > deadline:
            pytest.skip("this machine is too slow to measure on")
        time.sleep(0.1)


@pytest.fixture(scope="module")
def disk(shared: Path, root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Disk]:
    script = shared / "rig" / "bimodal-disk"
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if os.geteuid() != 0 or missing or not script.exists():
        pytest.skip(f"real BPF needs root and {script}; missing: {', '.join(missing) or 'nothing else'}")
    for name in PROBES:
        lacking = [f"{one.what}: {one.found}" for one in registry.load_probe(name).checks(Machine()) if one.ok is False]
        if lacking:
            pytest.skip(f"{name} cannot measure here: {'; '.join(lacking)}")
    state = str(tmp_path_factory.mktemp("rig") / "state")
    environment = {**os.environ, "BIMODAL_STATE": state, "PYTHONPATH": str(root)}
    with only_user_of_the_rig():
        yield from disk_of(script, environment)


def disk_of(script: Path, environment: dict[str, str]) -> Iterator[Disk]:
    up = subprocess.run([str(script), "up"], env=environment, capture_output=True, text=True)
    if up.returncode:
        pytest.skip(f"the rig does not work here: {up.stderr[-300:]}")
    try:
        device = subprocess.run(
            [str(script), "dev"], env=environment, capture_output=True, text=True, check=True
        ).stdout
        yield Disk(script, device.strip(), environment)
    finally:
        subprocess.run([str(script), "down"], env=environment, capture_output=True)


class Load(NamedTuple):
    """What fio says of its reads, and the intervals of each probe in which they lie; ``waits``: of fio for a CPU."""

    truth: Truth
    waits: float
    measured: dict[str, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def load(disk: Disk, tmp_path_factory: pytest.TempPathFactory) -> Load:
    folder = tmp_path_factory.mktemp("load")
    with ExitStack() as at_last:
        collecting = {}
        for name in PROBES:
            collecting[name] = Collecting(disk, folder / name, name)
            at_last.callback(collecting[name].end)
        begin = {name: one.settle() for name, one in collecting.items()}
        waits = run_load(disk, folder / "truth.csv")
        for one in collecting.values():
            one.settle()
        assert {one.end() for one in collecting.values()} == {0}
    measured = {name: one.since(begin[name]) for name, one in collecting.items()}
    return Load(total([*truth_of(folder / "truth.csv").values()]), waits, measured)


def run_load(disk: Disk, truth: Path) -> float:
    """Let fio read for LOAD_SECONDS; returns the seconds for which it waited for a CPU."""
    waits = CpuWaits(Path(disk.environment["BIMODAL_STATE"]))
    words = [str(disk.script), "load", "--seconds", str(LOAD_SECONDS), "--truth", str(truth)]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(words, env=disk.environment, stdin=quiet, stdout=quiet, stderr=quiet) as running:
        while running.poll() is None:
            waits.look()
            with suppress(subprocess.TimeoutExpired):
                running.wait(TICK)
    assert running.returncode == 0
    return waits.seconds


def counts_of(intervals: list[dict[str, Any]], series: str) -> list[list[Any]]:
    return [entry for one in intervals if one["series"] == series for entry in one["counts"]]


@pytest.mark.parametrize("name", PROBES)
def test_both_modes_are_counted_as_fio_counts_them(name: str, load: Load, disk: Disk) -> None:
    counts = [(lower, count) for lower, _, count in counts_of(load.measured[name], f"{disk.name},read")]
    assert sum(count for _, count in counts) == pytest.approx(load.truth.reads, rel=0.01)
    agree(counts, load.truth, load.truth, load.waits)


@pytest.mark.parametrize("name", PROBES)
def test_time_waited_is_exact(name: str, load: Load, disk: Disk) -> None:
    """It is fio's, but for its system calls and the time for which fio itself waited for a CPU."""
    intervals = [one for one in load.measured[name] if one["series"] == f"{disk.name},read" and not one["gap"]]
    waited = sum(one["time"] for one in intervals)
    counts = counts_of(intervals, f"{disk.name},read")
    assert not any(one["estimated"] for one in intervals)
    assert (
        sum(lower * count for lower, _, count in counts) <= waited * 1e6 <= sum(top * count for _, top, count in counts)
    )
    of_fio = load.truth.micros / 1e6
    assert of_fio - load.truth.reads * MOST_SYSTEM_CALL - load.waits < waited < of_fio * 1.005


def test_both_probes_agree(load: Load, disk: Disk) -> None:
    ours, others = (load.measured[name] for name in PROBES)
    series = f"{disk.name},read"
    counted = [sum(count for _, _, count in counts_of(one, series)) for one in (ours, others)]
    assert counted[0] == pytest.approx(counted[1], rel=0.01)
    waited = [sum(one["time"] or 0.0 for one in found if one["series"] == series) for found in (ours, others)]
    assert waited[0] == pytest.approx(waited[1], rel=0.01)


@pytest.mark.parametrize("name", PROBES)
def test_only_the_disk_that_was_named_is_measured(name: str, load: Load, disk: Disk) -> None:
    assert {one["series"].split(",")[0] for one in load.measured[name]} == {disk.name}


@pytest.mark.parametrize("name", PROBES)
def test_time_passes_on_an_idle_disk(name: str, disk: Disk) -> None:
    words = ["collect", name, "--disk", disk.name, "--count", "2", "--interval", "0.5", "--to", "jsonl"]
    command = [sys.executable, "-m", "pylatencymap", *words]
    ran = subprocess.run(command, env=disk.environment, capture_output=True, text=True, timeout=WAITED)
    assert ran.returncode == 0, ran.stderr
    found = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [(one["series"], one["counts"], one["time"]) for one in found] == [
        (f"{disk.name},{operation}", [], 0.0) for _ in range(2) for operation in ("read", "write")
    ]


def test_bpf_ends_its_intervals_with_the_seconds_and_leaves_none_out(load: Load) -> None:
    ours = [one for one in load.measured["bpf"] if one["series"].endswith("read")]
    for one, following in pairwise(ours):
        assert one["end"] == following["start"]
    assert sum(one["end"] % 1 < 0.2 for one in ours[:-1]) >= len(ours) // 2


@pytest.mark.parametrize("name", PROBES)
def test_small_requests_are_left_out(name: str, disk: Disk, tmp_path: Path) -> None:
    words = ("-Q", "--min-bytes", "8k", "--interval", "0.5")
    collecting = Collecting(disk, tmp_path / "out", name, *words, size="64k")
    begin = collecting.settle()
    for size, count in (("4k", 30), ("16k", 20), ("4k", 30)):
        disk.read(size, count)
    collecting.settle()
    assert collecting.end() == 0
    counts = counts_of(collecting.since(begin), f"{disk.name},read")
    assert sum(count for _, _, count in counts) == 20


def children(process: int) -> list[int]:
    """All that a process has started, directly or not."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = entry.read_text()
        except OSError:
            continue
        parents[int(entry.parent.name)] = int(text.rpartition(")")[2].split()[1])
    found = [process]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found[1:]


@pytest.mark.parametrize("name", PROBES)
def test_no_probe_is_left_when_its_reader_is_killed(
    name: str, disk: Disk, tmp_path: Path, gone: Callable[[int], bool]
) -> None:
    collecting = Collecting(disk, tmp_path / "out", name)
    started = children(collecting.process.pid)
    assert started
    collecting.process.send_signal(signal.SIGKILL)
    collecting.process.wait()
    assert all(gone(process) for process in started)

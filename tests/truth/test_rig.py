"""Real BPF on a real disk with two modes: what biolatency printed, what fio measured, what the picture shows."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime, timezone
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import pexpect
import pytest

from tests.real_disk import CpuWaits, agree, only_user_of_the_rig, total, truth_of
from tests.waiting import PATIENCE, TICK

NEEDED = ("biolatency", "fio", "nbdkit", "nbdfuse", "losetup", "stdbuf", "tee")
JUDGED = """
echo "$BIMODAL_DISK" > disk
stdbuf -oL biolatency -D -T 1 10 | tee printed |
  pylatencymap --once --depth ascii --series "loop*" --record r.lmap > picture
"""
PLAIN = """trap : INT
biolatency -D | tee -i plain | pylatencymap --depth ascii --series "$0" --record p.lmap
echo "status $?"
"""
MORE_TIME = """
import pylatencymap.session.ending as ending
ending.LAST_WORDS_SECONDS = 60.0
"""
"""What Python imports by itself, as sitecustomize: a machine under load may print its last words late."""
FAST, BETWEEN, SLOW = ("64 us", "128 us", "256 us", "512 us"), ("1.02 ms", "2.05 ms", "4.10 ms", "8.19 ms"), "16.4 ms"

ReadApart = Callable[[str, str | None], list[tuple[float, dict[str, list[list[int]]]]]]


@pytest.fixture(scope="module")
def rig(shared: Path) -> Iterator[Path]:
    script = shared / "rig" / "bimodal-disk"
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if os.geteuid() != 0 or missing or not script.exists():
        pytest.skip(f"real BPF needs root and {script}; missing: {', '.join(missing) or 'nothing else'}")
    with only_user_of_the_rig():
        yield script


class OnRig(NamedTuple):
    """The folder with what both commands left; what the terminal of the plain one received, and its seconds; and how
    long fio waited for a CPU.
    """

    folder: Path
    received: str
    seconds: float
    waits: CpuWaits


@pytest.fixture(scope="module")
def on_rig(rig: Path, surroundings: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> OnRig:
    """The judged command, and beside it a plain ``biolatency | pylatencymap`` that is ended by Ctrl-C."""
    folder = tmp_path_factory.mktemp("rig")
    environment = {**surroundings, "PATH": f"{folder}:{surroundings['PATH']}", "BIMODAL_STATE": str(folder / "state")}
    wrapper = folder / "pylatencymap"
    wrapper.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pylatencymap "$@"\n')
    wrapper.chmod(0o755)
    load = ["run", "--seconds", "14", "--truth", str(folder / "truth.csv")]
    with open(folder / "said", "w") as said:
        running = subprocess.Popen(
            [str(rig), *load, "--", "sh", "-c", JUDGED], cwd=folder, env=environment, stdout=said, stderr=said
        )
        waits = CpuWaits(folder / "state")
        try:
            plain = plain_session(folder, environment, running, waits)
            until(lambda: waits.look() or False, running)
        finally:
            if running.poll() is None:
                running.terminate()
                running.wait(timeout=PATIENCE)
    return plain


def plain_session(
    folder: Path, environment: dict[str, str], running: subprocess.Popen[bytes], waits: CpuWaits
) -> OnRig:
    """A few seconds of ``biolatency | pylatencymap`` in a terminal, then one Ctrl-C."""
    printed = folder / "printed"
    until(lambda: printed.exists() and "distribution" in printed.read_text(), running)
    if running.poll() is not None:
        pytest.skip(f"the rig or biolatency does not work here: {(folder / 'said').read_text()[-300:]}")
    disk = (folder / "disk").read_text().strip()
    site = folder / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(MORE_TIME)
    places = f"{site}:{environment['PYTHONPATH']}"
    begin = time.monotonic()
    terminal = pexpect.spawn(
        "/bin/sh",
        ["-c", PLAIN, disk],
        cwd=str(folder),
        env={**environment, "TERM": "xterm-256color", "PYTHONPATH": places},  # type: ignore[arg-type]
        dimensions=(40, 120),
        encoding="utf-8",
    )
    rounds = len(printed.read_text().split("disk ="))
    until(lambda: waits.look() or len(printed.read_text().split("disk =")) > rounds + 5, running)
    terminal.sendintr()
    terminal.expect(r"status (\d+)", timeout=PATIENCE)
    received = str(terminal.before) + str(terminal.after)
    terminal.expect(pexpect.EOF)
    return OnRig(folder, received, time.monotonic() - begin, waits)


def until(happened: Callable[[], bool], running: subprocess.Popen[bytes]) -> None:
    """Wait for something that happens at the latest when the rig ends."""
    deadline = time.monotonic() + PATIENCE
    while not happened() and running.poll() is None:
        if time.monotonic() > deadline:
            pytest.skip("the rig printed nothing in time")
        with suppress(subprocess.TimeoutExpired):
            running.wait(TICK)


def disk_of(folder: Path) -> str:
    return (folder / "disk").read_text().strip()


def per_interval(run: Callable[..., Any], recording: Path, disk: str) -> list[dict[str, Any]]:
    answer = run("convert", recording, "--to", "jsonl", "--series", disk)
    assert (answer.status, answer.err) == (0, "")
    return list(answer.objects)


def test_the_recording_holds_what_biolatency_printed(
    on_rig: OnRig, run: Callable[..., Any], read_apart: ReadApart
) -> None:
    folder = on_rig.folder
    day = datetime.fromtimestamp((folder / "printed").stat().st_mtime, timezone.utc).strftime("%Y-%m-%d")
    printed = read_apart((folder / "printed").read_text(), day)
    disks = {series for _, shown in printed for series in shown}
    assert len(printed) == 10
    for disk in disks:
        # Where in its second a print came, its arrival says.
        told = {one["end"] // 1: one["counts"] for one in per_interval(run, folder / "r.lmap", disk)}
        assert told == {end: shown.get(disk, []) for end, shown in printed if end in told}
        assert set(told) >= {end for end, shown in printed if disk in shown}


def test_rates_are_those_of_the_load(on_rig: OnRig, run: Callable[..., Any]) -> None:
    """biolatency's stamps are whole seconds, at which its intervals do not end exactly, the less the busier the machine
    is: the counts lie between those of the seconds that are surely covered and those that may be.
    """
    folder = on_rig.folder
    told = per_interval(run, folder / "r.lmap", disk_of(folder))
    truth = truth_of(folder / "truth.csv")
    inside = [one for one in told if {int(one["start"]), int(one["end"])} <= truth.keys()]
    assert len(inside) >= 7
    begin, end = int(inside[0]["start"]), int(inside[-1]["end"])
    least = total([truth[second] for second in range(begin + 1, end)])
    most = total([truth[second] for second in range(begin, end + 1)])
    counts = [(lower, count) for one in inside for lower, _, count in one["counts"]]
    assert 0.95 * least.reads < sum(count for _, count in counts) < 1.05 * most.reads
    agree(counts, least, most, on_rig.waits.seconds)


def test_the_picture_shows_two_bands(on_rig: OnRig, rows_of: Callable[..., dict[str, Any]]) -> None:
    folder = on_rig.folder
    reads = [truth.reads for _, truth in sorted(truth_of(folder / "truth.csv").items())][1:-1]
    if min(reads) < median(reads) / 2:
        pytest.skip(f"the load was not steady, the machine stalled: {reads} reads per second")
    picture = (folder / "picture").read_text()
    for which in (0, 1):
        rows = {upper: row.cells for upper, row in rows_of(picture, which).items()}
        assert median(map(int, rows[SLOW].replace(" ", "0").replace(".", "0"))) >= 2
        assert share_of(rows[SLOW], "123456789") >= 0.9  # a busy machine asks the disk for less
        assert share_of(rows[SLOW], " ") == 0
        between = "".join(rows[upper] for upper in BETWEEN if upper in rows)
        assert share_of(between, " .123") >= 0.75  # a busy machine delays some requests
    frequency = {upper: row.cells for upper, row in rows_of(picture, 0).items()}
    brightest = "".join(map(max, zip(*(frequency[upper] for upper in FAST if upper in frequency), strict=True)))
    assert share_of(brightest, "56789") >= 0.9


def share_of(cells: str, signs: str) -> float:
    return sum(cell in signs for cell in cells) / len(cells)


def test_one_ctrl_c_ends_a_plain_biolatency_and_shows_what_it_printed(
    on_rig: OnRig,
    run: Callable[..., Any],
    read_apart: ReadApart,
    rows_of: Callable[..., dict[str, Any]],
) -> None:
    folder, received, seconds, _ = on_rig
    ((_, printed),) = read_apart((folder / "plain").read_text(), None)
    disk = disk_of(folder)
    (told,) = per_interval(run, folder / "p.lmap", disk)
    assert told["counts"] == printed[disk]
    assert 1 <= told["seconds"] <= seconds
    assert received.endswith("status 130")
    picture = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", received.rpartition("\x1b[?1049l")[2])
    rows = rows_of(picture, 0)
    for _, upper, count in printed[disk]:
        rate, row = count / told["seconds"], rows.get(label(upper))
        if row is None:  # what a busy machine delayed for long shares the row above all others
            assert any(one.startswith(">") for one in rows)
        elif rate >= 1:
            assert shown_rate(row.numbers) == pytest.approx(rate, abs=0.51, rel=0.01)


def label(upper_us: int) -> str:
    """An upper bound as rows show it: three digits."""
    if upper_us < 1000:
        return f"{upper_us} us"
    value, unit = (upper_us / 1000, "ms") if upper_us < 1_000_000 else (upper_us / 1_000_000, "s")
    return f"{value:#.3g}".removesuffix(".") + f" {unit}"


def shown_rate(numbers: str) -> float:
    """The latest column's number, right of the map."""
    found = re.search(r" ([\d.]+)(k?) +<?\d+ % ", numbers + " ")
    assert found, numbers
    return float(found[1]) * (1000 if found[2] else 1)

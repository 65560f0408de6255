"""The scripts for SystemTap and DTrace: SystemTap parses its own, and what they print is read as they mean it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from pylatencymap import registry
from pylatencymap.collector import NOTHING_KNOWN
from pylatencymap.record import Clock, Event, Record, Tick
from pylatencymap.report import Report
from pylatencymap.text.lines import lines_of
from pylatencymap.units import Unit

SCRIPTS = {"systemtap": ["block_io.stp", "oracle_wait.stp", "pread.stp"], "dtrace": ["block_io.d", "pread.d"]}


def stap(tmp_path: Path, *words: str | Path) -> "subprocess.CompletedProcess[str]":
    if not shutil.which("stap"):
        pytest.skip("SystemTap is not installed")
    environ = {**os.environ, "SYSTEMTAP_DIR": str(tmp_path / "systemtap")}
    return subprocess.run(["stap", *map(str, words)], capture_output=True, text=True, env=environ, check=False)


def test_all_scripts_are_there_and_documented(root: Path) -> None:
    for folder, names in SCRIPTS.items():
        suffix = Path(names[0]).suffix
        assert sorted(path.name for path in (root / "collectors" / folder).glob(f"*{suffix}")) == names
        readme = (root / "collectors" / folder / "README.md").read_text()
        assert all(f"`{name} " in readme for name in names)
        assert "not been run" in readme


@pytest.mark.parametrize("name", SCRIPTS["systemtap"])
def test_systemtap_parses_its_scripts(root: Path, tmp_path: Path, name: str) -> None:
    arguments = ["/bin/true", "146"] if name.startswith("oracle") else []
    ran = stap(tmp_path, "-p1", root / "collectors" / "systemtap" / name, *arguments)
    assert ran.returncode == 0, ran.stderr


def decoded(name: str, text: str) -> list[Event]:
    return list(registry.load_collector(name).decode(lines_of(text), Report("text", strict=True), NOTHING_KNOWN))


def prints(events: list[Event]) -> list[list[str]]:
    found: list[list[str]] = []
    for event in events:
        if isinstance(event, Tick):
            found.append([])
        elif isinstance(event, Record):
            found[-1].append(event.series)
    return found


def test_what_the_systemtap_scripts_print() -> None:
    rows = f"value |{'-' * 50} count\n   64 |{'':<50}  0\n  128 |{'@@@':<50}  3\n  256 |{'':<50}  0\n\n"
    text = "".join(
        f"170000000{n}000250\nblock I/O latency (us)\n\n" + ("" if n == 1 else f"sda,read\n{rows}sdb,write\n{rows}")
        for n in range(3)
    )
    events = decoded("systemtap", text)
    assert prints(events) == [["sda,read", "sdb,write"], [], ["sda,read", "sdb,write"]]
    (first,) = (event for event in events[:2] if isinstance(event, Record))
    assert (first.unit, first.ranges, first.label) == (Unit.US, ((128, 256, 3),), "block I/O latency (us)")
    assert first.stamp is not None
    assert (first.stamp.micros, first.stamp.clock) == (1_700_000_000_000_250, Clock.EPOCH)
    text = f"1700000000000250\nwait time of event 146 (us)\n{rows}1700000001000250\n"
    assert prints(decoded("systemtap", text)) == [["wait time of event 146 (us)"], []]


def test_what_the_dtrace_scripts_print() -> None:
    heading = f"{'value':>16} {'------------- Distribution -------------':>41} {'count':<9}\n"
    rows = "".join(f"{label:>16} |{'':<40} {count:<9d}\n" for label, count in ((64, 0), (128, 3), (256, 0)))
    keys = "".join(f"  {key:<50}" for key in ("sd0", "read")) + "\n"
    text = "".join(
        f"2024 Jan 15 10:00:0{n}\nblock I/O latency (ns)\n\n" + ("" if n == 1 else f"{keys}{heading}{rows}\n")
        for n in range(3)
    )
    events = decoded("dtrace", text)
    assert prints(events) == [["sd0,read"], [], ["sd0,read"]]
    record = events[1]
    assert isinstance(record, Record)
    assert (record.unit, record.ranges, record.label) == (Unit.NS, ((128, 256, 3),), "block I/O latency (ns)")
    assert record.stamp is not None
    assert (record.stamp.clock, record.stamp.text) == (Clock.DAY, "2024 Jan 15 10:00:00")

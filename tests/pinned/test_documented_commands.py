"""Every command line that the documentation shows is accepted, and so is every one that version 0.1.0 showed.

What can run here runs, on files of the names that it gives. Of what needs a database, a disk or root it is checked that
the command line is understood: with one option more, which does not exist, this one alone is complained of.
"""

import gzip
import importlib.util
import re
import shutil
from pathlib import Path

import pytest

from tests.pinned.documented import command_lines
from tests.pinned.runner import ROOT, Runner

SHOWN_BY_0_1 = (Path(__file__).parent / "commands-0.1.txt").read_text().splitlines()
SHOWN = sorted({*SHOWN_BY_0_1, *command_lines()})
SAMPLES = ROOT / "tests" / "collectors" / "samples"
ACCESS = '10.0.0.1 - - [21/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 612 "-" "curl/8" rt=0.003\n'
LOGS = {
    "fio_clat.1.log": "{millis}, 200000, 0, 4096, 0\n",
    "storage_clat.1.log": "{millis}, 200000, 0, 4096, 0\n",
    "release-log.*": "0 1 2000 0 {seconds} 0\n",
}
"""Logs of fio and pgbench, a line each: two seconds of 1,000 fast events follow. The star is one for a shell only."""
FILES = {
    "monday.lmap": "records/two.txt",
    "example_latency_data.txt": "records/two.txt",
    "FILE": "bpf/disks-stamped.txt",
    "ora_4711.trc": "oracle_trace/waits.txt",
    "spark.log": "spark/sql.txt",
    "hour.json": "prometheus_api/classic.txt",
    "trace.trc": "oracle_trace/waits.txt",
    "x.trc": "oracle_trace/waits.txt",
    "monday.trc": "oracle_trace/waits.txt",
    "tuesday.trc": "oracle_trace/waits.txt",
    "test_10046_tracefile.trc": "oracle_trace/waits.txt",
    "test_DTrace_data.txt": "dtrace/quantize-ticks.txt",
    "test_SystemTap_data.txt": "systemtap/log-moments.txt",
}
"""Stand-ins for files that the documentation names."""
COMPARED = (
    *("before", "after", "last", "new", "commits", "disks"),
    *(f"{side}{run}" for side in ("old", "new") for run in range(1, 5)),
)
"""Recordings that are compared, or read together; all are the same one."""
COMPLETED = {
    "pylatencymap export FILE -o OUT": "pylatencymap export monday.lmap -o out.csv",
    "pylatencymap export -o picture.png": "pylatencymap export -o picture.png monday.lmap",
    "pylatencymap live NAME -- WORDS": "pylatencymap live till --once -- WORDS",
    "pylatencymap collectors --check NAME": "pylatencymap collectors --check till",
    "pylatencymap live prometheus": "pylatencymap live prometheus rpc_seconds",
    "pylatencymap serve": "pylatencymap serve bpf",
    "pylatencymap export last-hour.lmap -o /var/lib/textfile/latency.prom": "pylatencymap export monday.lmap -o x.prom",
    "pylatencymap completions": "pylatencymap completions collectors",
    "pylatencymap export traces/*.trc --series 'db file*' -o reads.lmap": (
        "pylatencymap export traces/x.trc.gz traces/y.trc --series 'db file*' -o reads.lmap"
    ),
    "pylatencymap help COMMAND": "pylatencymap help report",
    "pylatencymap demo": "pylatencymap demo --count 20",
    "pylatencymap FILE...": "pylatencymap monday.lmap",
    "pylatencymap OUT": "pylatencymap monday.lmap",
    "pylatencymap aggregate": "pylatencymap aggregate monday.lmap -o out.lmap",
    "pylatencymap aggregate ONE TWO -o ALL": "pylatencymap aggregate before.lmap after.lmap -o all.lmap",
    "pylatencymap aggregate PATH... -o OUT": "pylatencymap aggregate monday.lmap trace.trc -o out.lmap",
    "pylatencymap month.parquet": "pylatencymap monday.lmap",
    "pylatencymap events": "pylatencymap events trace.trc",
    "pylatencymap events FILE": "pylatencymap events trace.trc",
    "pylatencymap report": "pylatencymap report monday.lmap",
    "pylatencymap report FILE": "pylatencymap report monday.lmap",
    "pylatencymap convert monday.lmap --series sda": "pylatencymap convert steady.lmap.gz --series loop0",
    "pylatencymap monday.lmap --from 14:00 --to 14:30": "pylatencymap steady.lmap.gz --from 11:13 --to 11:14",
}
"""What stands for something else, or is cut short."""
CELL = re.compile(r"(?<=events trace\.trc )--from \S+ --to \S+ --min-latency \S+ --max-latency \S+")
CELL_HERE = "--from 2026-01-31T00:00 --to 2026-02-01T00:00 --min-latency 1us --max-latency 100s"
"""A cell of the picture in the documentation; one of the stand-in."""
ONLY, ONLY_HERE = "--only obj#=82015", "--only obj#=1"
"""An object of that picture; one of the stand-in."""
RECORDED = ("latency/", "/var/lib/pylatencymap")
"""Folders of recordings that the documentation names."""
MEASURES = (
    *("pylatencymap live bpf", "pylatencymap collect bpf", "pylatencymap collectors --check bpf"),
    *("pylatencymap live prometheus", "pylatencymap collect prometheus", "pylatencymap serve", "pylatencymap merge"),
)
NEEDS_WORDS = re.compile(r"pylatencymap (?:(?:live|collect) prometheus|serve|merge)\b")
ENDS_BY_ITSELF = ("--grants", "--print-sql", "--help", "--version")
NO_OPTION = "--no-such-option"
HERE = [line for line in SHOWN if "--follow" not in line and "--engine spark" not in line]
"""Without what has no end, and needs a terminal: tests/tui/test_follow_view.py; and what needs Spark:
tests/aggregate/test_spark.py.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that the documentation names."""
    for name, sample in FILES.items():
        shutil.copy(SAMPLES / sample, tmp_path / name)
    for name, line in LOGS.items():
        moments = range(1_700_000_000_000, 1_700_000_002_000)
        text = (line.format(millis=millis, seconds=millis // 1000) for millis in moments)
        (tmp_path / name).write_text("".join(text))
    for name in COMPARED:
        shutil.copy(ROOT / "examples/steady.lmap.gz", tmp_path / f"{name}.lmap")
    data = (SAMPLES / "oracle_trace/waits.txt").read_bytes()
    for place in ("archive", "old", "traces"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "x.trc.gz").write_bytes(gzip.compress(data))
    (tmp_path / "traces/y.trc").write_bytes(data)
    (tmp_path / "access.log").write_text(ACCESS)
    (tmp_path / "deploys.txt").write_text("2026-03-03 03:12,deploy\n")
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("plugin", "*.ipynb"))
    for recording in (ROOT / "examples").glob("*.lmap.gz"):
        shutil.copy(recording, tmp_path)
    return tmp_path


def is_checked_only(line: str) -> bool:
    """Whether it needs what is not here, or must not be used: a database, a disk, root."""
    if line.startswith("oralatencymap"):
        return not any(option in line.split() for option in ENDS_BY_ITSELF)
    return line.removeprefix("| ").startswith(MEASURES) or any(name in line for name in RECORDED)


@pytest.mark.parametrize(
    "line", [line for line in HERE if is_checked_only(line) and not any(name in line for name in RECORDED)]
)
def test_it_is_understood(runner: Runner, folder: Path, line: str) -> None:
    line = COMPLETED.get(line, line.removeprefix("| "))
    own, dashes, behind = line.partition(" -- ")  # what stands there is the command line of another program
    told = runner.run(f"{own} {NO_OPTION}{dashes}{behind}", folder)
    assert (told.status, NO_OPTION in told.err) == (2, True)
    if NEEDS_WORDS.match(line):
        assert f"unrecognized arguments: {NO_OPTION}" in told.err
        return
    command = re.match(r"oralatencymap|pylatencymap (live|collect) bpf\w*|pylatencymap collectors", line)
    assert command is not None
    assert told == runner.run(f"{command[0]} {NO_OPTION}", folder)


@pytest.mark.parametrize("line", [line for line in HERE if any(name in line for name in RECORDED)])
def test_only_its_folder_is_missing(runner: Runner, folder: Path, line: str) -> None:
    ran = runner.run(line.removeprefix("| "), folder, (SAMPLES / "bpf/disks-stamped.txt").read_text())
    if "--record" in line:
        assert ran.status == 0, ran.err
    else:
        assert (ran.status, "no such file" in ran.err) == (3, True), ran.err


@pytest.mark.parametrize("line", [line for line in HERE if not is_checked_only(line)])
def test_it_runs(runner: Runner, folder: Path, line: str) -> None:
    if ".png" in line and importlib.util.find_spec("PIL") is None:
        pytest.skip("PNG pictures need Pillow")
    if ".parquet" in line and importlib.util.find_spec("pyarrow") is None:
        pytest.skip("Parquet needs pyarrow")
    wanted = CELL.sub(CELL_HERE, COMPLETED.get(line, line)).removeprefix("| ").replace(ONLY, ONLY_HERE)
    given = (SAMPLES / "bpf/disks-stamped.txt").read_text()
    ran = runner.run(wanted, folder, given)
    assert ran.status == 0, ran.err
    assert ran.out or "-o " in wanted


def test_command_lines_are_found() -> None:
    found = command_lines()
    assert len(found) > 40
    assert {"| pylatencymap", "pylatencymap replay --speed 10x monday.lmap", "oralatencymap --list-events"} <= {*found}


def test_what_is_not_understood_is_seen(runner: Runner, folder: Path) -> None:
    for wrong in ("pylatencymap live bpf --dosk sda", "oralatencymap --owr x", "oralatencymap --instance x y"):
        with pytest.raises(AssertionError):
            test_it_is_understood(runner, folder, wrong)
    assert runner.run("pylatencymap replay --sped 10x FILE", folder).status == 2

"""The events of a cell are those that the cell counts, to the event and the microsecond; and who they are is true."""

import csv
import gzip
import json
import os
import subprocess
import sys
from collections import Counter
from datetime import timezone
from pathlib import Path

import pytest

from pylatencymap.collector import Columns, Known
from pylatencymap.events import EventFile, EventQuestion
from pylatencymap.intervals import TimeOptions
from pylatencymap.session.input import ReadPlan
from tests.events.asking import PLAN, answer, cells, check_keys, check_sums, reading_by

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
import lines as made

CAPTURES = (
    "strace-fttt-fio.txt",
    "strace-tt-y-sqlite.txt",
    "bpftrace-biosnoop-tp.txt",
    "libbpf-runqslower.txt",
    "fio-lat-log_lat.1.log",
    "perf-trace-fio.txt",
    "perf-trace-block.txt",
    "perf-script-block.txt",
    "ftrace-trace_pipe-block.txt",
    "blkparse-default.txt",
    "ping-localhost-D.txt",
    "ioping-vda-file.txt",
)
TRACE = "earlier-tools/test_10046_tracefile.trc"
KINDS = ("oracle", "strace", "fio", "biosnoop")
WAYS = ("line", "scan")
WRITTEN = 1_769_900_000
"""When files with times of day were written: at 22:53:20 UTC, far from these."""
UTC_PLAN = ReadPlan(jobs=1, time=TimeOptions(tz=timezone.utc))


@pytest.mark.parametrize("name", CAPTURES)
def test_captures(shared: Path, name: str) -> None:
    check_sums(shared / "data/captures" / name)


@pytest.mark.parametrize("way", WAYS)
def test_a_real_trace(shared: Path, way: str) -> None:
    with reading_by(way, 200_000) as finished:
        check_sums(shared / "data" / TRACE, questions=1)
    assert way == "line" or "scan" in finished


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("damage", [False, True])
def test_made_files(tmp_path: Path, kind: str, way: str, damage: bool) -> None:
    path = tmp_path / "t.txt"
    path.write_bytes(b"".join(made.text(kind, 60_000, damage=damage, seed=3)))
    with reading_by(way) as finished:
        check_sums(path, seed=len(kind))
    assert way == "line" or damage or "scan" in finished


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_both_ways_find_the_same(tmp_path: Path, kind: str, seed: int) -> None:
    """Lines, keys and all, also in damaged text."""
    path = tmp_path / "t.txt"
    path.write_bytes(b"".join(made.text(kind, 60_000, damage=seed > 0, seed=seed)))
    found = []
    for way in WAYS:
        with reading_by(way):
            found.append(answer(path, low=0.0002 if seed % 2 else 0.0))
    assert found[0].total.events > 10
    assert found[0].as_dict() == found[1].as_dict()
    assert found[0].span == found[1].span


def test_several_processes_find_the_same(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_bytes(b"".join(made.text("strace", 200_000, damage=True, seed=5)))
    with reading_by("scan", 20_000) as finished:
        assert answer(path, PLAN).as_dict() == answer(path, ReadPlan(jobs=2)).as_dict()
    assert finished == ["scan", "scan"]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_a_compressed_file_says_the_same(tmp_path: Path, kind: str, way: str, seed: int) -> None:
    plain, packed = tmp_path / "t.txt", tmp_path / "t.txt.gz"
    text = b"".join(made.text(kind, 400_000, damage=seed > 0, seed=seed + 9))
    plain.write_bytes(text)
    packed.write_bytes(gzip.compress(text))
    low = 0.0002 if seed == 1 else 0.0
    with reading_by("line"):
        expected = answer(plain, low=low)
    with reading_by(way, 150_000) as finished:  # a decompressor gives 64 kB at a time
        found = answer(packed, low=low)
        check_sums(packed, seed=seed, questions=2)
    assert expected.total.events > 10
    assert found.as_dict() == expected.as_dict()
    assert found.span == expected.span
    assert way == "line" or seed or "scan" in finished


def test_a_compressed_file_whose_end_is_missing_says_what_is_before_it(tmp_path: Path) -> None:
    packed, found = tmp_path / "t.txt.gz", []
    whole = gzip.compress(b"".join(made.text("strace", 400_000, damage=False, seed=4)))
    packed.write_bytes(whole[: len(whole) * 2 // 3])
    for way in WAYS:
        with reading_by(way, 150_000) as finished:
            found.append(answer(packed))
    assert "scan" in finished
    assert found[0].total.events > 100
    assert found[0].as_dict() == found[1].as_dict()


# Times that jump: which of them count is known only later, or at the end of the file.


def strace_line(second: float, micros: int, pid: int = 7) -> str:
    return f"{pid} {1_769_850_000 + second:.6f} read(3, 8) = 8 <{micros / 1e6:.6f}>"


@pytest.mark.parametrize("way", WAYS)
def test_an_event_whose_time_is_damaged_is_in_no_cell(tmp_path: Path, way: str) -> None:
    rows = [strace_line(n / 100, 100 + n % 50) for n in range(2000)]
    rows[700] = strace_line(7 + 90_000, 9_999)
    path = tmp_path / "t.txt"
    path.write_text("\n".join(rows) + "\n")
    with reading_by(way) as finished:
        assert answer(path).total.events == 1999
        assert answer(path, low=0.005).total.events == 0
        check_sums(path)
    assert way == "line" or "scan" in finished


@pytest.mark.parametrize("way", WAYS)
def test_the_last_event_of_all_counts_and_is_doubtful(tmp_path: Path, way: str) -> None:
    rows = [*(strace_line(n / 100, 100) for n in range(2000)), strace_line(50_000, 100)]
    path = tmp_path / "t.txt"
    path.write_text("\n".join(rows) + "\n")
    with reading_by(way):
        found = answer(path)
        check_sums(path)
    assert (found.total.events, found.doubtful) == (2001, 1)
    assert any(interval.doubtful for interval in cells(path)[0])


def test_times_of_day_over_two_midnights(tmp_path: Path) -> None:
    """They are dated as in a picture: by when the file was written."""
    rows = []
    for minute in range(20 * 60, 20 * 60 + 2 * 1440, 7):
        hour, rest = divmod(minute % 1440, 60)
        rows.append(f"7 {hour:02d}:{rest:02d}:01.000000 read(3, 8) = 8 <0.000{minute % 900 + 100}>")
    path = tmp_path / "t.txt"
    path.write_text("\n".join(rows) + "\n")
    os.utime(path, (WRITTEN, WRITTEN))
    check_sums(path, UTC_PLAN, questions=5)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("first", ["10:00", "23:59"])
def test_times_of_day(tmp_path: Path, way: str, first: str) -> None:
    hour, minute = map(int, first.split(":"))
    rows = []
    for tenth in range(3000):
        second = hour * 3600 + minute * 60 + tenth // 10
        clock = f"{second // 3600 % 24:02d}:{second // 60 % 60:02d}:{second % 60:02d}.{tenth % 10}00000"
        rows.append(f"7 {clock} read(3, 8) = 8 <0.000{tenth % 900 + 100}>")
    path = tmp_path / "t.txt"
    path.write_text("\n".join(rows) + "\n")
    os.utime(path, (WRITTEN, WRITTEN))
    with reading_by(way) as finished:
        check_sums(path, UTC_PLAN, questions=4)
    assert way == "line" or first == "23:59" or "scan" in finished


def test_a_table_whose_clock_changes(tmp_path: Path) -> None:
    rows = [f"{n},{n % 90 + 10}" for n in range(100)]
    rows += [f"{1_769_850_000 + n},{n % 90 + 10}" for n in range(100)]
    path = tmp_path / "t.csv"
    path.write_text("time_s,lat_us\n" + "\n".join(rows) + "\n")
    check_sums(path)


@pytest.mark.parametrize("interval", [0.1, 10.0])
def test_other_intervals_than_a_second(tmp_path: Path, interval: float) -> None:
    path = tmp_path / "t.txt"
    path.write_bytes(b"".join(made.text("strace", 60_000, damage=True, seed=4)))
    check_sums(path, ReadPlan(jobs=1, time=TimeOptions(interval=interval)))


# Who they are.


def test_the_picture_of_a_real_trace(shared: Path) -> None:
    """The two seconds and the range of the drawn target: counted by hand from the trace."""
    found = answer(shared / "data" / TRACE, first=1377520923000000, last=1377520925000000, low=0.008192, high=0.016384)
    assert found.total == (110, 1.120515)
    keys = {key.name: key for key in found.keys}
    assert [(value.value, value.amount) for value in keys["obj#"].values] == [
        ("82008", (109, 1.10818)),
        ("82015", (1, 0.012335)),
    ]
    assert [(value.value, value.note) for value in keys["sqlid"].values] == [
        ("309mwpa4tk161", "SELECT COUNT(C2) FROM CF1 WHERE CUSTID > ( :B1 - :B2 ) AND (CUSTID < :B1 )")
    ]
    assert [line.number for line in found.lines[:3]] == [17069, 17141, 17049]
    assert "ela= 14770 " in found.lines[0].text


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("release", ["11.2", "19"])
def test_statements_modules_and_objects_are_those_of_the_truth(
    shared: Path, tmp_path: Path, release: str, way: str
) -> None:
    """Cursors are reused for other statements, and the module changes: what held for each wait is known."""
    script = shared / "oracle/gen_10046.py"
    made_by = [sys.executable, str(script), "--release", release, "--seconds", "40", "--seed", "5", "--dates", "1s"]
    subprocess.run([*made_by, "--out", str(tmp_path)], check=True, capture_output=True)
    truth = truth_of(tmp_path / "waits.tsv")
    with reading_by(way, 30_000) as finished:
        found = answer(tmp_path / "trace.trc")
    assert way == "line" or "scan" in finished
    check_keys(found)
    columns = {"sqlid": "sql_id", "obj#": "obj#", "module": "module", "action": "action", "client": "client_id"}
    for key in found.keys:
        if key.name in columns:
            assert {value.value: value.amount.events for value in key.values} == {
                value: events for (name, value), events in truth.items() if name == columns[key.name] and value
            }, key.name
    said = {key for key, name in columns.items() if any(column == name and value for column, value in truth)}
    assert len(said) > 3
    assert said <= {key.name for key in found.keys}
    assert found.total.events == truth["all", ""]


def truth_of(path: Path) -> Counter[tuple[str, str]]:
    """The number of waits by column and value."""
    counted: Counter[tuple[str, str]] = Counter()
    with path.open() as file:
        for row in csv.DictReader(file, delimiter="\t"):
            counted["all", ""] += 1
            counted.update(row.items())
    return counted


def test_the_columns_of_a_table(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = [f"2026-01-31 10:00:{n % 60:02d},{n % 7},{n % 3},/page{n % 5},{n * 10 + 1}" for n in range(300)]
    path.write_text("time,host,user,url,lat_us\n" + "\n".join(rows) + "\n")
    plan = ReadPlan(jobs=1, known=Known(columns=Columns(by=("host",))), format="columns")
    found = answer(path, plan, low=0.001)
    events = [n for n in range(300) if n * 10 + 1 >= 1000]
    assert found.total.events == len(events)
    keys = {key.name: {value.value: value.amount.events for value in key.values} for key in found.keys}
    assert keys["user"] == {str(k): v for k, v in Counter(n % 3 for n in events).items()}
    assert keys["url"] == {f"/page{k}": v for k, v in Counter(n % 5 for n in events).items()}
    assert {value.value for value in found.series.values} == {str(n) for n in range(7)}


def test_the_members_of_objects(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    objects = [{"time": 1_769_850_000 + n, "latency_ms": n % 9 + 1, "req": {"path": f"/{n % 4}"}} for n in range(50)]
    path.write_text("".join(json.dumps(one) + "\n" for one in objects))
    found = answer(path)
    keys = {key.name: {value.value: value.amount.events for value in key.values} for key in found.keys}
    assert keys == {"req.path": {f"/{k}": v for k, v in Counter(n % 4 for n in range(50)).items()}}


# Chosen events alone, as a picture draws them.


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
def test_all_events_alone_are_the_intervals_of_the_file(tmp_path: Path, kind: str, way: str) -> None:
    path = tmp_path / "t.txt"
    path.write_bytes(b"".join(made.text(kind, 60_000, damage=kind != "fio", seed=6)))
    with reading_by(way), EventFile(str(path), PLAN) as file:
        alone = [one for one in file.intervals(EventQuestion()) if one is not None]
    assert alone == cells(path)[0]


def test_events_with_one_value_of_a_key_alone(tmp_path: Path) -> None:
    """Together they are all events, on the same axis; and so are their sums."""
    path = tmp_path / "t.txt"
    path.write_bytes(b"".join(made.text("strace", 60_000, seed=6)))
    everything, _ = cells(path)
    counted, waited = Counter[tuple[object, ...]](), 0.0
    with EventFile(str(path), PLAN) as file:
        for pid in ("22551", "22552", "22553", "22554"):
            question = EventQuestion(only=(("pid", pid),))
            intervals = [one for one in file.intervals(question) if one is not None]
            assert (intervals[0].start, intervals[-1].end) == (everything[0].start, everything[-1].end)
            *_, found = file.read(question)
            assert found.total.events == sum(one.events for one in intervals)
            assert [value.value for key in found.keys for value in key.values if key.name == "pid"] == [pid]
            waited += found.total.waited
            for one in intervals:
                counted.update({(one.series, one.end, *range_): count for *range_, count in one.ranges})
    assert counted == Counter({(one.series, one.end, *r): count for one in everything for *r, count in one.ranges})
    assert waited == pytest.approx(sum(one.waited or 0.0 for one in everything))


def test_a_stack_of_filters(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_bytes(b"".join(made.text("strace", 60_000, seed=6)))
    pid, both = answer(path, only=(("pid", "22551"),)), answer(path, only=(("pid", "22551"), ("fd", "7")))
    descriptors = {value.value: value.amount for key in pid.keys if key.name == "fd" for value in key.values}
    assert both.total == descriptors["7"]

"""``pylatencymap events``."""

import gzip
import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.events.sampled import SeenWait, wait_line
from pylatencymap.record import Clock, EventKey, Record, Semantics, Stamp
from pylatencymap.recorder import Recording, SegmentedRecording
from pylatencymap.units import Unit
from tests.cli.conftest import environment
from tests.waiting import PATIENCE

Command = Callable[..., Any]
EPOCH = 1_769_850_000
"""2026-01-31 09:00:00 UTC."""


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """Ten seconds of two processes: every tenth call of the second one takes 9 ms."""
    rows = []
    for n in range(1000):
        pid, slow = 100 + n % 2, n % 20 == 1
        micros = 9_000 if slow else 100 + n % 10
        rows.append(f"{pid} {EPOCH + n // 100}.{n % 100:02d}0000 pread64({3 + n % 3}, 8) = 8 <{micros / 1e6:.6f}>")
    path = tmp_path / "trace.txt"
    path.write_text("\n".join(rows) + "\n")
    return path


def test_who_is_in_a_cell(quick: Command, trace: Path) -> None:
    ran = quick(
        "events", trace, "--from", "2026-01-31 09:00:02", "--to", "09:00:04", "--min-latency", "1ms", "--lines", 2
    )
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[:3] == [
        str(trace),
        "2026-01-31 09:00:02 to 2026-01-31 09:00:04 UTC, above 1 ms",
        "10 events, 90.0 ms waited",
    ]
    assert re.search(r"^  pid  101 +10 +90.0 ms +100 %$", ran.out, re.MULTILINE)
    assert re.search(r"^fd +events +waited +share\n  \d +4 +36.0 ms +40 %$", ran.out, re.MULTILINE)
    assert lines[-3] == "the 2 events that took longest, by line"
    assert lines[-2].split()[0] == "202"
    assert lines[-2].endswith(trace.read_text().splitlines()[201])


def test_a_range_behind_the_file(quick: Command, trace: Path) -> None:
    given = quick("events", f"{trace}@09:00:02..09:00:04", "--json")
    options = quick("events", trace, "--from", "09:00:02", "--to", "09:00:04", "--json")
    assert given.out == options.out
    assert json.loads(given.out)["events"] == 200
    both = quick("events", f"{trace}@09:00:02..", "--to", "09:00:04")
    assert both.status == 2
    assert "not both" in both.err


def test_json(quick: Command, trace: Path) -> None:
    said = json.loads(quick("events", trace, "--min-latency", "9ms", "--json").out)
    assert (said["schema"], said["version"], said["file"]) == ("pylatencymap-events", 1, str(trace))
    assert said["asked"] == {
        "from": None, "to": None, "min_latency": 0.009, "max_latency": None, "series": [], "keys": [], "only": []
    }  # fmt: skip
    assert (said["events"], said["time"]) == (50, 0.45)
    keys = {key["key"]: key for key in said["keys"]}
    assert keys["pid"]["values"] == [{"value": "101", "events": 50, "time": 0.45, "share": 1.0}]
    assert sum(value["events"] for value in keys["fd"]["values"]) == 50
    assert len(said["lines"]) == 50
    assert said["lines_left_out"] == 0
    assert said["lines"][0]["keys"] == {"pid": "101", "fd": "4"}
    assert said["lines"][0]["end"] == EPOCH + 0.019


def test_the_page_of_the_docs_names_every_field(quick: Command, trace: Path, root: Path) -> None:
    page = (root / "docs/events.md").read_text(encoding="utf-8")
    documented = set(
        re.findall(r"`([a-z_]+)`", "".join(re.findall(r"^\|.*\|$", page[page.index("## JSON") :], re.MULTILINE)))
    )
    said = json.loads(quick("events", trace, "--json").out)
    key, line = said["keys"][0], said["lines"][0]
    named = {*said, *said["asked"], *key, *key["values"][0], *key["others"], *line}
    named -= {"from", "to"}
    assert named <= documented | {"value"}, named - documented


def test_only_one_key(quick: Command, trace: Path) -> None:
    said = json.loads(quick("events", trace, "--by", "PID", "--json").out)
    assert [key["key"] for key in said["keys"]] == ["pid"]
    wrong = quick("events", trace, "--by", "obj#")
    assert wrong.status == 2
    assert wrong.err.endswith("no event there has such a key; there are: fd, pid\n")


def test_a_filter_by_a_key_that_is_not_there_names_those_that_are(quick: Command, trace: Path) -> None:
    wrong = quick("events", trace, "--only", "obj#=82015")
    assert wrong.status == 2
    assert wrong.err.endswith("--only obj#: no event there has such a key; there are: fd, pid\n")
    none = quick("events", trace, "--only", "pid=99999999")
    assert none.status == 1
    assert "has no event there with pid=99999999" in none.err


def test_keys_are_the_same_in_capitals(quick: Command, trace: Path) -> None:
    values = json.loads(quick("events", trace, "--json").out)["keys"]
    pid = next(key for key in values if key["key"] == "pid")["values"][0]
    said = json.loads(quick("events", trace, "--only", f"PID={pid['value']}", "--json").out)
    assert said["events"] == pid["events"]


def test_only_some_series(quick: Command, trace: Path) -> None:
    assert json.loads(quick("events", trace, "--series", "PREAD*", "--json").out)["events"] == 1000
    none = quick("events", trace, "--series", "write")
    assert none.status == 1
    assert "has no event there of the series write; other series there: pread64; all its events are" in none.err


def test_nothing_there(quick: Command, trace: Path) -> None:
    ran = quick("events", trace, "--min-latency", "1s")
    assert (ran.status, ran.out) == (1, "")
    assert "has no event there; all its events are from 2026-01-31 09:00:00.0001 to 2026-01-31 09:00:09.99" in ran.err


def test_times_without_a_clock_count_from_the_beginning(quick: Command, tmp_path: Path) -> None:
    """A latency log of fio: milliseconds since its start. 3 of its 5 events end from 1 s on and before 66 s."""
    log = tmp_path / "job_lat.1.log"
    log.write_text("".join(f"{ms}, 2000000, 0, 4096, 0\n" for ms in (400, 1000, 1200, 65_900, 66_000)))
    ran = quick("events", log, "--from", "+1s", "--to", "+65s")
    assert ran.status == 0
    assert ran.out.splitlines()[1:3] == ["+0:01 to +1:06", "3 events, 6.00 ms waited"]
    none = quick("events", log, "--from", "+2h")
    assert (none.status, none.out) == (1, "")
    assert none.err.endswith("all its events are from +0:00.4 to +1:06\n")
    picture = quick("--once", log, "--from", "+2h")
    assert "nothing was recorded after +2:00:00; what there is begins +0:00 and ends +1:07" in picture.err


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["examples/steady.lmap.gz"], 3, "holds counts per interval and no single events"),
        (["examples"], 3, "is a folder"),
        (["no-such-file"], 3, "no such file"),
        (["-"], 2, "save standard input to a file first"),
        (["README.md"], 3, "no text that any collector knows"),
        (["README.md", "LICENSE"], 2, "events reads one file; who is in several: pylatencymap FILE... --by KEY"),
        (["README.md", "--last", "5m"], 2, "unrecognized arguments: --last 5m"),
        (["README.md", "--min-latency", "2ms", "--max-latency", "1ms"], 2, "--min-latency must be less"),
        (["README.md", "--from", "14:00:00", "--to", "soon"], 2, "is no time"),
        ([], 2, "FILE"),
    ],
)
def test_what_cannot_be_answered(quick: Command, root: Path, words: list[str], status: int, said: str) -> None:
    there = [str(root / word) if (root / word).exists() and not word.startswith("-") else word for word in words]
    ran = quick("events", *there)
    assert (ran.status, ran.out) == (status, "")
    assert said in ran.err


def test_a_bad_line_is_counted_and_ends_a_strict_run(quick: Command, trace: Path) -> None:
    with trace.open("a") as file:
        file.write("101 1769850010.000000 read(3, 8) = 8 <0.0\n")
    ran = quick("events", trace, "--json")
    assert "trace.txt:1001: a call that was cut off or is damaged" in ran.err
    assert json.loads(ran.out)["bad_lines"] == 1
    assert quick("events", trace, "--strict").status == 4


def test_a_start_moves_a_file_without_a_clock(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "job_clat.1.log"
    path.write_text("".join(f"{5000 + n * 10}, {100_000 + n}, 0, 4096, 0\n" for n in range(500)))
    start = "--start", f"{path.name}=2026-01-31T09:00:00Z"
    said = json.loads(quick("events", path, *start, "--from", "09:00:01", "--to", "09:00:02", "--json").out)
    assert said["events"] == 100
    assert min(line["end"] for line in said["lines"]) == EPOCH + 1


def test_times_of_a_file_without_a_clock(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "job_clat.1.log"
    path.write_text("".join(f"{n * 10}, {100_000 + n}, 0, 4096, 0\n" for n in range(500)))
    assert json.loads(quick("events", path, "--from", "00:00:01", "--to", "00:00:02", "--json").out)["events"] == 100


def test_a_table_and_its_series(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        "time_s,lat_us,host,user\n" + "".join(f"{EPOCH + n},{n + 1},h{n % 2},u{n % 3}\n" for n in range(90))
    )
    said = json.loads(quick("events", path, "--series-by", "host", "--series", "h1", "--by", "user", "--json").out)
    assert said["events"] == 45
    assert {value["value"]: value["events"] for value in said["keys"][0]["values"]} == {"u0": 15, "u1": 15, "u2": 15}


def test_text_from_the_file_does_not_reach_the_terminal_unescaped(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"time_s,lat_us,who\n{EPOCH},5,\x9b31mevil\u202e\n{EPOCH},7,\x9b31mevil\u202e\n")
    out = quick("events", path).out
    assert "\\x9b31mevil\\u202e" in out
    assert not re.search("[\x80-\x9f\u202e]", out)
    json.loads(quick("events", path, "--json").out)


def test_a_wide_terminal_and_a_narrow_one(command: Command, trace: Path) -> None:
    for columns in (70, 200):
        lines = command("events", trace, env={"COLUMNS": str(columns)}).out.splitlines()
        assert max(map(len, lines[1:])) <= columns
    assert trace.read_text().splitlines()[1] in command("events", trace).out


def test_a_terminal_shows_the_progress(tmp_path: Path) -> None:
    """Of a file that takes a while: its clock goes a minute a look."""
    path = tmp_path / "t.txt.gz"
    rows = (f"7 {EPOCH + n // 100}.{n % 100:02d}0000 read(3, 8) = 8 <0.000{n % 900 + 100}>" for n in range(20_000))
    path.write_bytes(gzip.compress("\n".join(rows).encode(), 0))
    code = (
        "import sys, itertools\n"
        "from pylatencymap.session.input import source\n"
        "clock = itertools.count(0, 60)\n"
        "source.ReadProgress.__init__.__defaults__ = (lambda: next(clock),)\n"
        "from pylatencymap.cli import main\n"
        "sys.exit(main.run(sys.argv[1:]))\n"
    )
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-c", code, "events", path.name],
            stdout=subprocess.PIPE, stderr=theirs, env=environment(), cwd=tmp_path, timeout=PATIENCE,
        )  # fmt: skip
        shown = os.read(ours, 1 << 16).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.returncode == 0
    assert re.search(r"t\.txt\.gz: \d+ % of ", shown)
    assert shown.endswith("\r\x1b[K")


@pytest.fixture
def sampled(tmp_path: Path) -> Path:
    """A recording of a minute that keeps a wait for each second, of two statements; each tenth is long."""
    path = tmp_path / "reads.lmap"
    recording = Recording(str(path))
    waits = []
    for n in range(60):
        end = (EPOCH + n) * 1_000_000
        recording.event(Record("sync@1", Unit.US, ((128, 256, n),), Semantics.CUMULATIVE, Stamp(end, Clock.EPOCH)))
        keys = (EventKey("sql_id", f"q{n % 2}", "COMMIT"),)
        waits.append(SeenWait("sync@1", 9_000 if n % 10 == 1 else 200, end, n % 4 != 0, end, keys, ()))
    recording.aside(wait_line(waits, "GV$SESSION"))
    recording.close()
    return path


def test_a_recording_says_what_samples_have_seen(quick: Command, sampled: Path) -> None:
    ran = quick("events", sampled, "--from", "2026-01-31 09:00:10", "--lines", 1)
    assert ran.status == 0
    assert "50 events, 54.0 ms waited: seen by samples, which is some of the waits" in ran.out
    assert "the event that took longest\n   9.00 ms  " in ran.out
    assert re.search(r"q1 +25 +49\.0 ms", ran.out)
    assert "    COMMIT\n" in ran.out


def test_only_waits_that_were_over_have_a_latency(quick: Command, sampled: Path) -> None:
    told = json.loads(quick("events", sampled, "--max-latency", "1ms", "--json").out)
    assert (told["sampled"], told["events"]) == (True, 60 - 6 - 15)
    assert told["time"] == pytest.approx(39 * 200e-6)
    long = json.loads(quick("events", sampled, "--min-latency", "1ms", "--only", "sql_id=q1", "--json").out)
    assert [(line["latency"], line["keys"]) for line in long["lines"]] == [(0.009, {"sql_id": "q1"})] * 6


def test_where_the_samples_have_nothing_it_says_what_there_is(quick: Command, sampled: Path) -> None:
    ran = quick("events", sampled, "--min-latency", "1s")
    assert ran.status == 1
    assert "all its events are from 2026-01-31 09:00:00 to 2026-01-31 09:00:59" in ran.err
    assert quick("events", sampled, "--by", "pid").status == 2


def test_an_always_on_recording_answers_too(quick: Command, sampled: Path, tmp_path: Path) -> None:
    folder = tmp_path / "segments"
    recording = SegmentedRecording(str(folder), now=lambda: float(EPOCH))
    end = Stamp(EPOCH * 1_000_000, Clock.EPOCH)
    recording.event(Record("sync@1", Unit.US, ((128, 256, 1),), Semantics.CUMULATIVE, end))
    recording.aside(next(line for line in sampled.read_text().splitlines(keepends=True) if line.startswith("#waits")))
    recording.close()
    assert json.loads(quick("events", folder, "--json").out)["events"] == 60

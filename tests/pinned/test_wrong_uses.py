"""What scripts look at: exit statuses exactly, and of messages the words that name what is wrong and where.

Sentences may be bettered. These are wrong uses that tests/cli/test_exit_statuses.py does not have. What programs read
(JSON lines, the record stream) is pinned in test_golden.py.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.pinned.cases import lay_out
from tests.pinned.runner import Runner

FILE = "steady.lmap.gz"
USAGE = (
    ("pylatencymap --palete viridis FILE", "--palete", "--palette"),
    ("pylatencymap --palette viridi FILE", "--palette", "viridi", "cool-warm", "viridis", "cividis", "inferno"),
    ("pylatencymap --background grey FILE", "--background", "grey", "auto", "dark", "light"),
    ("pylatencymap --map all FILE", "--map", "all", "frequency", "intensity", "both"),
    ("pylatencymap --slo 10 FILE", "--slo", "'10'", "128us", "1.5ms"),
    ("pylatencymap --unit minutes FILE", "--unit", "minutes", "ns, us, ms"),
    ("pylatencymap --tim-unit s FILE", "--tim-unit", "ns/1024", "cs"),
    ("pylatencymap --tz Europe/Genf FILE", "--tz", "Europe/Genf", "Europe/Zurich"),
    ("pylatencymap --regex '(' hello.txt", "--regex", "'('"),
    ("pylatencymap --regex x hello.txt", "--regex", "(?P<time>", "(?P<latency>"),
    ("pylatencymap --time 1 --format bpf FILE", "--time", "--format bpf"),
    ("pylatencymap --jobs 0 FILE", "--jobs", "0", "1"),
    ("pylatencymap --rows 0 FILE", "--rows", "0", "1"),
    ("pylatencymap --history-mb 0 FILE", "--history-mb", "0"),
    ("pylatencymap --frequency-max x FILE", "--frequency-max", "'x'"),
    ("pylatencymap --duration x FILE", "--duration", "'x'"),
    ("pylatencymap --delay x FILE", "--delay", "'x'"),
    ("pylatencymap --speed 0 FILE", "--speed", "10x", "max"),
    ("pylatencymap --max_bucket 99 FILE", "--max_bucket", "99", "64"),
    ("pylatencymap --min-latency 10ms --max-latency 1ms FILE", "--min-latency", "--max-latency"),
    ("pylatencymap --date 2026-13-01 FILE", "--date", "2026-13-01", "2026-01-31"),
    ("pylatencymap --start x FILE", "--start", "x", "=1769853600"),
    ("pylatencymap --start nofile=12 FILE", "--start", "nofile=12"),
    ("pylatencymap --format vmstat FILE", "vmstat", "bpf", "strace", "systemtap"),
    ("pylatencymap export -o out.svg", "FILE"),
    ("pylatencymap export FILE -o out.gif", ".gif", ".svg", ".png"),
    ("pylatencymap export --size 100 FILE -o out.svg", "--size", "'100'", "120x40"),
    ("pylatencymap live", "COLLECTOR"),
    ("pylatencymap live nosuch", "nosuch", "bpf", "bpftrace"),
    ("pylatencymap collect nosuch", "nosuch", "bpf", "bpftrace"),
    ("pylatencymap live bpf --disk nosuch", "nosuch", "lsblk"),
    ("pylatencymap collectors --check nosuch", "nosuch", "bpf", "strace"),
    ("pylatencymap demo --seed x", "--seed", "x"),
    ("oralatencymap", "--dsn", "$ORALATENCYMAP_DSN", "config.toml", "$TWO_TASK", "$ORACLE_SID"),
    ("oralatencymap --list-event", "--list-event", "--list-events"),
    ("oralatencymap --list-events x", "--list-events"),
    ("oralatencymap --dsn user/password@db x", "--dsn", "--user"),
    ("oralatencymap --awr x", "--licensed diagnostics"),
    ("oralatencymap --licensed spatial --awr x", "--licensed", "spatial", "diagnostics"),
    ("oralatencymap --awr --licensed diagnostics --from x y", "--from", "'x'", "2026-01-31T14:00"),
    ("oralatencymap --from 2026-01-01 x", "--from", "--awr"),
    ("oralatencymap --dbid 1 x", "--dbid", "--awr"),
    ("oralatencymap --instance x y", "--instance", "'x'", "1,2"),
    ("oralatencymap --local --instance 1 x", "--local", "--instance"),
    ("oralatencymap --hours 0 --print-sql", "--hours", "0"),
    ("oralatencymap --interval 0 x", "--interval", "0"),
    ("oralatencymap --wallet /nonexistent x", "--wallet", "/nonexistent"),
    ("oralatencymap --dsn h:1/x --user mon --password-file /nonexistent x", "/nonexistent"),
    ("oralatencymap --dsn h:1/x --user mon x", "--password-file", "$ORALATENCYMAP_PASSWORD"),
)
"""Command lines that end with status 2 before anything is read, and words of what they say."""
OTHERS = (
    ("pylatencymap repaly FILE", 3, "repaly"),
    ("pylatencymap convert FILE missing.lmap", 3, "missing.lmap"),
    ("pylatencymap folder", 3, "folder"),
    ("pylatencymap empty.txt", 3, "empty.txt"),
    ("pylatencymap", 3, "<stdin>"),
    ("pylatencymap convert", 3, "<stdin>"),
    ("pylatencymap random.bin", 3, "random.bin:1: ", "bpf", "--format"),
    ("pylatencymap convert --strict random.bin", 3, "random.bin:1: "),
    ("pylatencymap hello.txt", 3, "hello.txt:1: ", "hello world", "--format"),
    ("pylatencymap --format strace FILE", 3, FILE + ":1769: ", "strace -f -ttt -T"),
    ("pylatencymap --latency foo hello.txt", 3, "hello.txt:1: ", "'foo'", "--time", "--latency", "--by"),
    ("pylatencymap --once --record /nonexistent/x.lmap FILE", 3, "--record", "/nonexistent/x.lmap"),
    ("pylatencymap export FILE -o /nonexistent/x.svg", 3, "/nonexistent/x.svg"),
    ("pylatencymap --series nosuch FILE", 1, "nosuch", "loop0", "vda"),
    ("pylatencymap --series '' FILE", 1, "loop0", "vda"),
    ("pylatencymap convert --strict cut.lmap.gz", 4, "cut.lmap.gz:851: ", "gzip"),
    ("pylatencymap convert cut.lmap.gz", 0, "cut.lmap.gz:851: ", "cut.lmap.gz:841: "),
    ("pylatencymap --once --columns 5 FILE", 0),
    ("pylatencymap --once --intensity-max 5 FILE", 0),
    ("pylatencymap --once --speed 2x --delay 1 FILE", 0),
)
COLLECTORS = (
    "biosnoop blkparse bpf bpftrace columns dtrace exported fio_hist fio_log ftrace hdr ioping mysql oracle_trace otlp "
    "perf_ftrace perf_script perf_trace ping prometheus prometheus_api records spark strace systemtap"
)
KEYS = "series label source unit start end seconds counts time estimated reset gap resampled clock"


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as made:
        yield made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("wrong")
    lay_out(place)
    (place / "folder").mkdir()
    (place / "empty.txt").write_text("")
    (place / "hello.txt").write_text("hello world\n")
    (place / "random.bin").write_bytes(bytes(range(128, 256)) * 20)
    (place / "cut.lmap.gz").write_bytes((place / FILE).read_bytes()[:2000])
    return place


@pytest.mark.parametrize("use", USAGE, ids=lambda use: use[0])
def test_usage_is_2_and_is_told_on_one_line(runner: Runner, folder: Path, use: tuple[str, ...]) -> None:
    line, *words = use
    ran = runner.run(line.replace("FILE", FILE), folder)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"{line.split()[0]}: ")
    assert ran.err.count("\n") == 1
    assert [word for word in words if word not in ran.err] == []


@pytest.mark.parametrize("use", OTHERS, ids=lambda use: use[0])
def test_other_ends_and_the_places_that_are_named(runner: Runner, folder: Path, use: tuple[Any, ...]) -> None:
    line, status, *words = use
    ran = runner.run(line.replace("FILE", FILE), folder)
    assert ran.status == status
    assert bool(ran.out) is (status == 0 or "cut" in line)
    assert all(message.startswith("pylatencymap: ") for message in ran.err.splitlines())
    assert bool(ran.err) is bool(words)
    assert [word for word in words if word not in ran.err] == []


@pytest.mark.parametrize("program", ["pylatencymap", "oralatencymap"])
def test_the_version_is_a_word_of_its_own(runner: Runner, folder: Path, program: str) -> None:
    ran = runner.run(f"{program} --version", folder)
    assert (ran.status, ran.err) == (0, "")
    assert re.fullmatch(rf"{program} \d+\.\d+\.\d+\S*\n", ran.out)


def test_collectors_are_listed_by_name_one_a_line(runner: Runner, folder: Path) -> None:
    ran = runner.run("pylatencymap collectors", folder)
    listed, _, probes = ran.out.split("\n\n")
    assert [line.split()[0] for line in listed.splitlines()] == COLLECTORS.split()
    assert [line.split()[0] for line in probes.splitlines()[1:3]] == ["bpf", "bpftrace"]
    assert (ran.status, ran.err) == (0, "")


@pytest.mark.parametrize("name", COLLECTORS.split())
def test_each_collector_is_taken_by_its_name(runner: Runner, folder: Path, name: str) -> None:
    """Text of another kind is refused as text, not as a wrong use."""
    assert runner.run(f"pylatencymap --once --format {name} empty.txt", folder).status in (1, 3)


def test_json_lines_have_their_keys_in_order(runner: Runner, folder: Path) -> None:
    ran = runner.run(f"pylatencymap convert --to jsonl {FILE}", folder)
    for line in ran.out.splitlines():
        assert re.findall(r'"(\w+)":', line)[: len(KEYS.split())] == KEYS.split()


GRANTS = {
    "": "GV_$EVENT_HISTOGRAM_MICRO GV_$SYSTEM_EVENT GV_$INSTANCE V_$EVENT_NAME GV_$SESSION GV_$SQLSTATS DBA_OBJECTS",
    "--local": "V_$EVENT_HISTOGRAM_MICRO V_$SYSTEM_EVENT V_$INSTANCE V_$EVENT_NAME V_$SESSION V_$SQLSTATS DBA_OBJECTS",
    "--awr --licensed diagnostics": (
        "DBA_HIST_SNAPSHOT DBA_HIST_EVENT_HISTOGRAM DBA_HIST_SYSTEM_EVENT V_$EVENT_NAME V_$PARAMETER"
    ),
}


@pytest.mark.parametrize(("options", "views"), GRANTS.items())
def test_grants_are_statements_of_sql(runner: Runner, folder: Path, options: str, views: str) -> None:
    ran = runner.run(f"oralatencymap --grants --user mon {options}", folder)
    assert (ran.status, ran.err) == (0, "")
    assert [line for line in ran.out.splitlines() if line and not line.startswith("--")] == [
        "GRANT CREATE SESSION TO mon;",
        *(f"GRANT READ ON SYS.{view} TO mon;" for view in views.split()),
    ]


def test_the_script_is_printed_as_it_lies_in_the_repository(runner: Runner, folder: Path, root: Path) -> None:
    ran = runner.run("oralatencymap --print-sql", folder)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == (root / "oralatencymap.sql").read_text()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_what_cannot_be_recorded_is_told(runner: Runner, folder: Path) -> None:
    """A full disk no longer ends a session; a recording that cannot be begun does."""
    ran = runner.run(f"pylatencymap --once --record /dev/full {FILE}", folder)
    assert ran.status == 0
    assert "/dev/full: nothing was recorded: No space left on device" in ran.err
    ran = runner.run(f"pylatencymap --once --record {folder}/no/r.lmap {FILE}", folder)
    assert ran.status == 3
    assert "cannot be written: No such file" in ran.err

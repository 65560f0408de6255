"""Calls of a trace, and the account of its time: against sums that are written down here, line by line."""

import gzip
import json
import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from random import Random

import numpy as np
import pytest

import pylatencymap as lm
from pylatencymap import registry
from pylatencymap.collector import Known
from pylatencymap.collectors.oracle_trace import scan_calls
from pylatencymap.collectors.oracle_trace.scan import OracleTraceScan
from pylatencymap.collectors.oracle_trace.scan_calls import CallTimes, TraceAccount, account_of_chunks, account_of_lines
from pylatencymap.collectors.oracle_trace.scan_quoted import QuotedLines
from pylatencymap.report import Report
from pylatencymap.scan import Chunk, NotScannable, PlainChunks, StreamedChunks, reader
from pylatencymap.scan.chunk import PADDING
from pylatencymap.text import decompress
from pylatencymap.text.compressed import gzip_members
from pylatencymap.text.lines import lines_of
from tests.amounts import seeds

TIM = 1_773_046_800_000_000
TRACE = f"""*** 2026-03-09 09:00:00.000
PARSING IN CURSOR #7 len=8 dep=0 uid=1 tim={TIM} hv=1 sqlid='aaaa'
select 1
END OF STMT
PARSE #7:c=1000,e=1500,p=0,cr=0,cu=0,mis=1,r=0,dep=0,og=1,plh=0,tim={TIM + 2_000}
PARSING IN CURSOR #8 len=81 dep=1 uid=0 tim={TIM} hv=2 sqlid='bbbb'
select 2
FETCH #7:c=9,e=9,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=0,tim=1
END OF STMT
WAIT #8: nam='db file sequential read' ela= 300 file#=1 block#=2 blocks=1 obj#=5 tim={TIM + 3_000}
EXEC #8:c=100,e=400,p=1,cr=1,cu=0,mis=0,r=0,dep=1,og=1,plh=0,tim={TIM + 3_100}
EXEC #7:c=200,e=900,p=1,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=0,tim={TIM + 3_500}
WAIT #7: nam='SQL*Net message to client' ela= 2 driver id=1 #bytes=1 p3=0 obj#=5 tim={TIM + 3_600}
WAIT #7: nam='direct path read' ela= 5000 file number=1 first dba=2 block cnt=1 obj#=5 tim={TIM + 9_000}
FETCH #7:c=1000,e=7000,p=4,cr=9,cu=0,mis=0,r=1,dep=0,og=1,plh=0,tim={TIM + 11_000}
WAIT #7: nam='SQL*Net message from client' ela= 80000 driver id=1 #bytes=1 p3=0 obj#=5 tim={TIM + 92_000}
CLOSE #7:c=0,e=4,dep=0,type=0,tim={TIM + 92_100}
LOBREAD: type=PERSISTENT LOB,bytes=4020,c=0,e=24,p=1,cr=2,cu=0,tim={TIM + 92_200}
WAIT #7: nam='db file sequential read' ela= 600 file#=1 block#=2 blocks=1 obj#=5 tim={TIM + 93_000}
"""
USER = {
    "PARSE": (1, 0.001, 0.0015),
    "EXEC": (1, 0.0002, 0.0009),
    "FETCH": (1, 0.001, 0.007),
    "CLOSE": (1, 0.0, 0.000004),
    "LOBREAD": (1, 0.0, 0.000024),
}


def scanned(text: str, folder: Path, *, packed: bool = False) -> TraceAccount:
    if packed:
        data = gzip.compress(text.encode())
        return account_of_chunks(StreamedChunks(partial(decompress, [data]), lambda: 0), Known(), OracleTraceScan())
    path = folder / "a.trc"
    path.write_text(text, encoding="utf-8")
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return account_of_chunks(PlainChunks(descriptor, path.stat().st_size, 1), Known(), OracleTraceScan())
    finally:
        os.close(descriptor)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("piece", [300, 700, 1 << 20])
def test_calls_are_summed_by_depth_line_by_line_and_by_scan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: int, packed: bool
) -> None:
    monkeypatch.setattr(reader, "PIECE", piece)
    monkeypatch.setattr(gzip_members, "CHUNK", piece)
    by_line = account_of_lines(lines_of(TRACE), Known())
    for account in (scanned(TRACE, tmp_path, packed=packed), by_line):
        calls = {name: times for (name, depth), times in account.calls.items() if not depth}
        assert calls.keys() == USER.keys()
        for name, times in USER.items():
            assert calls[name] == pytest.approx(times)
        assert account.calls["EXEC", 1] == pytest.approx(CallTimes(1, 0.0001, 0.0004))
        assert account.unfinished == pytest.approx(0.0006)  # behind the last call: of one whose end is missing


CALLS = [
    "PARSE #{0}:c={1},e={2},p=0,cr=0,cu=0,mis=1,r=0,dep={3},og=1,plh=0,tim=5",
    "EXEC #{0}:c={1},e={2},p=1,cr=1,cu=0,mis=0,r=0,dep={3},og=1,plh=0,tim=5",
    "FETCH #-{0}:c={1},e={2},p=4,cr=9,cu=0,mis=0,r=1,dep={3},og=1,plh=0,tim=5",
    "FETCH #{0}:c={1},e={2},p=4,cr=9,cu=0,mis=0,r=1,dep={3}",
    "FETCH #{0}:c={1},e={2},cr=9,dep={3},og=1,plh=0,tim=5",
    "CLOSE #{0}:c={1},e={2},dep={3},type=0,tim=5",
    "CLOSE #{0}:c={1},e={2},type=0,tim=5",
    "UNMAP #{0}:c={1},e={2},p=0,cr=0,cu=0,mis=0,r=0,dep={3},og=1,tim=5",
    "SORT UNMAP #{0}:c={1},e={2},p=0,cr=0,cu=0,mis=0,r=0,dep={3},og=1,tim=5",
    "LOBREAD: type=PERSISTENT LOB,bytes=4020,c={1},e={2},p=1,cr=2,cu=0,tim=5",
    "EXEC #{0}:c={1},e=12345678901234567,p=1,cr=1,cu=0,mis=0,r=0,dep={3},og=1,tim=5",
    "EXEC #{0}:c={1},e={2},p=1,cr=1,cu=0,mis=0,r=0,dep=12345,og=1,tim=5",
    "EXEC #{0}:c={1},e={2},p=1,cr=1,cu=0,mis=0,r=0,dep={3}x,og=1,tim=5",
    "EXEC #{0}: c={1},e={2},p=1,cr=1,cu=0,mis=0,r=0,dep={3},og=1,tim=5",
    "EXECUTED #{0}:c={1},e={2},p=1,cr=1,cu=0,mis=0,r=0,dep={3},og=1,tim=5",
    "EXEC #{0}:c={1},e=999999999999999999,p=1,cr=1,cu=0,mis=0,r=0,dep={3},og=1,tim=5",
    "EXEC #{0}:c={1},e={2},p=1,cr=1,cu=0,mis=0,r=0,dep=0000{3},og=1,tim=5",
    "EXEC #{0}:c={1},e=,p=1,cr=1,cu=0,mis=0,r=0,dep={3},og=1,tim=5",
    "WAIT #{0}: nam='db file sequential read' ela= {2} file#=1 block#=2 blocks=1 obj#=5 tim=1773046800{0:06}",
    "WAIT #{0}: nam='SQL*Net message from client' ela= {2} driver id=1 #bytes=1 p3=0 obj#=5 tim=1773046800{0:06}",
    "Wait #{0}: nam='log file sync' ela= {1} p1=1 p2=2 p3=3 obj#=5",
    "SELECT 1 FROM dual",
    "PARSING IN CURSOR #{0} len=93 dep=0 uid=1 tim=5 hv=1 sqlid='aaaa'\nselect 1\nEXEC #7:c=1,e=1,dep=0,\n"
    "WAIT #1: nam='log file sync' ela= 7 p1=1 tim=1773046800{0:06}\nEND OF STMT",
]
"""Calls and waits as they are usually written, and as they are not; CLOSE and LOB calls can do without a depth."""


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("few_waits", [0, 1000])
@pytest.mark.parametrize("seed", seeds(4, 40))
def test_the_account_is_the_same_line_by_line_and_by_scan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, few_waits: int, packed: bool
) -> None:
    random = Random(seed)
    piece = random.choice([900, 5000, 1 << 20])
    monkeypatch.setattr(reader, "PIECE", piece)
    monkeypatch.setattr(gzip_members, "CHUNK", piece)
    monkeypatch.setattr(scan_calls, "_FEW_WAITS", few_waits)
    some = random.sample(CALLS, random.randrange(3, len(CALLS)))
    ends = [one for one in CALLS if one[:4].upper() in ("WAIT", "PARS")]
    written = [random.choice(some if n < 370 else ends) for n in range(400)]  # many waits behind the last call
    lines = [one.format(n, n % 7, random.randrange(10**7), n % 4) for n, one in enumerate(written)]
    text = "*** 2026-03-09 09:00:00.000\n" + "".join(line + "\n" for line in lines)
    try:
        found = scanned(text, tmp_path, packed=packed)
    except NotScannable:
        assert piece < len(text), "only what a statement in another chunk decides is left to the lines"
        return
    assert found == account_of_lines(lines_of(text), Known())


BODY = "select 1 from dual where x\n" + CALLS[1].format(7, 1, 1000, 0) + "\nEND OF STMT\n"
SAID = "PARSING IN CURSOR #{} len={} dep=0 uid=1 oct=3 lid=1 tim=5 hv=1 ad='1' sqlid='aaaa'\n" + BODY


@pytest.mark.parametrize(
    "text",
    [
        SAID.format("1" * 21, 5) + SAID.format(1, 5),
        SAID.format(1, 5) + SAID.format("1" * 21, 5),
        SAID.format("1 foo", 5) + SAID.format(1, 5),
        SAID.format(1, 500) + SAID.format("x", 500),
        SAID.format(1, 500) + SAID.format(1, 5),
        (SAID.format(1, 500) * 3).replace("\n", "\r\n"),
    ],
)
def test_the_same_text_is_quoted_or_not_by_what_stands_before_it(text: str, tmp_path: Path) -> None:
    assert scanned(text, tmp_path) == account_of_lines(lines_of(text), Known())


def test_a_last_line_within_a_statement_is_left_to_the_lines(tmp_path: Path) -> None:
    with pytest.raises(NotScannable):
        scanned(SAID.format(1, 500).removesuffix("\nEND OF STMT\n"), tmp_path)


def chunk(text: str) -> Chunk:
    data = text.encode()
    buffer = np.zeros(len(data) + 2 * PADDING, np.uint8)
    buffer[PADDING:-PADDING] = np.frombuffer(data, np.uint8)
    return Chunk(buffer, PADDING, PADDING + len(data))


def test_lines_that_begin_statements_without_any_cost_no_memory() -> None:
    """As grep leaves them: behind each stand thousands of lines up to the end of a statement."""
    call = CALLS[1].format(7, 1, 1000, 0)
    missing = "".join(f"{SAID.format(number, 90_000).splitlines()[0]}\n{call}\n" for number in range(3000))
    quoted = QuotedLines(chunk(missing + SAID.format(1, 500)))
    assert len(quoted.statements) == 3001
    assert sum(len(text) for _, text in quoted._same) < 1000


def test_only_keys_of_statements_need_these() -> None:
    """A line that only the decoder can read says nothing of who waits for which object."""
    text = chunk("\x1b[0mhello\n" + SAID.format(1, 500))
    assert OracleTraceScan().notes_of(text, ("obj#",)) == {}
    with pytest.raises(NotScannable):
        OracleTraceScan().notes_of(text, ("sqlid",))


def profile_of(path: Path, *options: str) -> dict[str, object]:
    command = [sys.executable, "-m", "pylatencymap", "report", "--json", str(path), *options]
    found: dict[str, object] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    profile = found["profile"]
    assert profile is None or isinstance(profile, dict)
    return profile or {}


def test_the_time_is_accounted_for(tmp_path: Path) -> None:
    path = tmp_path / "a.trc"
    path.write_text(TRACE, encoding="utf-8")
    profile = profile_of(path)
    elapsed = 0.0015 + 0.0009 + 0.007 + 0.000004 + 0.000024 + 0.000002 + 0.080 + 0.0006
    waited = 0.0003 + 0.000002 + 0.005 + 0.080 + 0.0006
    assert profile["elapsed"] == pytest.approx(elapsed)
    assert profile["cpu"] == pytest.approx(0.0022)
    assert profile["waited"] == pytest.approx(waited)
    assert profile["unaccounted"] == pytest.approx(elapsed - 0.0022 - waited)
    events = profile["events"]
    assert isinstance(events, list)
    assert [(one["name"], one["waits"]) for one in events] == [
        ("direct path read", 1),
        ("db file sequential read", 2),
        ("SQL*Net message to client", 1),
        ("SQL*Net message from client", 1),
    ]
    sql = profile["sql"]
    assert isinstance(sql, list)
    assert {one["name"]: round(one["waited"] * 1e6) for one in sql} == {
        "sql_id=aaaa select 1": 5_602,
        "sql_id=bbbb select 2 FETCH #7:c=9,e=9,p=0,cr=0,cu=0,mis=0,r…": 300,
    }


def test_there_is_a_profile_of_whole_traces_only(tmp_path: Path, root: Path) -> None:
    path = tmp_path / "a.trc"
    path.write_text(TRACE, encoding="utf-8")
    assert not profile_of(path, "--series", "db*")
    assert not profile_of(path, "--by", "obj#")
    assert not profile_of(root / "examples" / "steady.lmap.gz")


def test_a_trace_of_waits_alone_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.trc"
    path.write_text("".join(line for line in TRACE.splitlines(True) if line.startswith("WAIT")), encoding="utf-8")
    profile = profile_of(path)
    assert [profile[name] for name in ("elapsed", "cpu", "unaccounted")] == [None] * 3
    command = [sys.executable, "-m", "pylatencymap", "report", "--full", str(path)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "there are no calls in this trace" in " ".join(said.split())


def test_the_page_and_the_markdown_have_it(tmp_path: Path) -> None:
    path = tmp_path / "a.trc"
    path.write_text(TRACE, encoding="utf-8")
    for form in ("--full", "--markdown"):
        command = [sys.executable, "-m", "pylatencymap", "report", form, str(path)]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        for words in ("Where the time went", "not accounted for", "CPU", "SQL with the longest waits", "aaaa"):
            assert words in said


def test_a_page_that_leaves_rows_out_keeps_the_think_time(tmp_path: Path) -> None:
    """Without it the shares would be far from 100 %."""
    path = tmp_path / "a.trc"
    wait = "WAIT #7: nam='event {}' ela= {} p1=1 p2=1 p3=1 obj#=5 tim={}\n"
    events = (wait.format(n % 9, 900 - n % 9 * 100, TIM + 93_000 + n * 20_000) for n in range(900))
    path.write_text(TRACE + "".join(events), encoding="utf-8")
    command = [sys.executable, "-m", "pylatencymap", "report", str(path)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    whole = subprocess.run([*command, "--full"], capture_output=True, text=True, check=True).stdout
    rows = [sum(bool(re.match(r" +[\d.]+ (ms|us|s) ", line)) for line in text.splitlines()) for text in (said, whole)]
    assert 0 < rows[0] < rows[1]
    assert f"--full shows all; {rows[1] - rows[0]} rows of where the time went" in " ".join(said.split())
    assert "left out here" in " ".join(said.split())
    assert "1  SQL*Net message from client" in said
    assert "SQL with the longest waits\n  sql_id=aaaa select 1: " in said


def test_calls_are_series_of_their_own_instead_of_waits() -> None:
    run = lm.read(TRACE, format="oracle_trace", calls="elapsed")
    assert {name: (run.summary(name).events, round(run.summary(name).waited * 1e6)) for name in run.series} == {
        "call PARSE": (1, 1_500),
        "call EXEC": (1, 900),
        "call FETCH": (1, 7_000),
        "call CLOSE": (1, 4),
        "call LOBREAD": (1, 24),
        "recursive call EXEC": (1, 400),
    }
    cpu = lm.read(TRACE, format="oracle_trace", calls="cpu")
    assert round(sum(cpu.summary(name).waited for name in cpu.series) * 1e6) == 1_000 + 200 + 1_000 + 100
    by_sql = lm.read(TRACE, format="oracle_trace", calls="elapsed", by="sql_id", series="call FETCH")
    assert by_sql.series == ("sql_id=aaaa select 1",)


def test_a_call_says_what_it_read() -> None:
    known = Known(keys=True, calls="elapsed")
    decoded = registry.load_collector("oracle_trace").decode(lines_of(TRACE), Report("t"), known)
    fetch = next(one for one in decoded if getattr(one, "series", "") == "call FETCH")
    keys = {key.name: key.value for key in fetch.keys}  # type: ignore[union-attr]
    assert {name: keys[name] for name in ("c", "p", "cr", "sqlid")} == {
        "c": "1000",
        "p": "4",
        "cr": "9",
        "sqlid": "aaaa",
    }

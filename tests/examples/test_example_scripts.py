"""Every script of examples/ run by a shell, against what the programs before the pipe printed."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.oracle.event_names import EventNames

BIOLATENCY = (Path(__file__).parent / "biolatency-D-1.txt").read_text()
"""Four seconds of a real disk with two modes, as ``biolatency -D 1`` printed them."""
RUNQLAT = """Tracing run queue latency... Hit Ctrl-C to end.

08:11:15
     usecs               : count    distribution
         0 -> 1          : 2347     |************************************    |
         2 -> 3          : 2577     |****************************************|

08:11:16
     usecs               : count    distribution
         0 -> 1          : 5        |****************************************|
"""
ORACLE = "\n31 rows selected.\n\n".join(
    f"<begin record>\ntimestamp,microsec,{1_700_000_000_000_000 + step * 3_000_000},x\n"
    "label,log file sync@1\nlatencyunit,microsec\ndatasource,oracle\n"
    f"512,{step * 300}\n16384,{step * 30}\n<end record>\n"
    for step in range(4)
)
TO_FILE = "--once --depth ascii --record kept.lmap"
TESTED_WITH = (
    "biolatency",
    "ctrl-c",
    "export",
    "jsonl",
    "oracle-calibrate",
    "oracle-commits",
    "oracle-exadata",
    "oracle-reads",
    "oracle",
    "record",
    "remote",
    "replay",
    "runqlat",
)

Shell = Callable[..., Any]

UNDATED = "no time stamps: each print is taken to be 1 s long"
"""Said here, where a second of text does not take a second to be printed."""
LONE = "one print, and no word on how long it took: it is taken to be 1 s"


def told(line: int, what: str) -> str:
    return f"pylatencymap: <stdin>:{line}: {what}; --interval S says otherwise\n"


def printed(text: str) -> dict[str, dict[int, int]]:
    """Events by lower bound of each series in a BPF tool's text, all intervals together."""
    found: dict[str, dict[int, int]] = {}
    series = "all"
    for line in text.splitlines():
        words = line.split()
        if words[:2] == ["disk", "="]:
            series = words[2]
        elif words[1:2] == ["->"] and words[4] != "0":
            counts = found.setdefault(series, {})
            counts[int(words[0])] = counts.get(int(words[0]), 0) + int(words[4])
    return found


def recorded(shell: Shell, file: str) -> dict[str, dict[int, int]]:
    found: dict[str, dict[int, int]] = {}
    for line in shell(f"pylatencymap convert --to jsonl {file}").out.splitlines():
        one = json.loads(line)
        counts = found.setdefault(one["series"], {})
        for lower, _, count in one["counts"]:
            counts[lower] = counts.get(lower, 0) + count
    return found


def test_each_script_is_tested_and_says_what_it_shows(examples: Path) -> None:
    scripts = sorted(examples.glob("*.sh"))
    assert tuple(script.stem for script in scripts) == TESTED_WITH
    for script in scripts:
        shebang, about, *rest = script.read_text().splitlines()
        assert shebang == "#!/bin/sh"
        assert re.match(r"# [A-Z].*\.$", about), script.name
        assert len(rest) == 1, f"{script.name} is no one-liner"
        assert script.stat().st_mode & 0o111 == 0o111
        assert f"`{script.name}`" in (examples / "README.md").read_text()


@pytest.mark.parametrize(
    ("script", "calls"),
    [
        ("biolatency.sh", ["sudo stdbuf -oL biolatency -D 1"]),
        ("remote.sh db1", ["ssh db1 sudo stdbuf -oL biolatency -D 1", "sudo stdbuf -oL biolatency -D 1"]),
    ],
)
def test_disks_of_this_and_another_machine(examples: Path, shell: Shell, script: str, calls: list[str]) -> None:
    ran = shell(f"{examples}/{script} {TO_FILE}", {"biolatency": BIOLATENCY})
    assert (ran.status, ran.err) == (0, told(4, UNDATED))
    assert ran.calls == ["biolatency -D 1", f"pylatencymap {TO_FILE}", *calls]
    assert " biolatency  loop0 " in ran.out
    assert re.search(r"^ vda  ", ran.out, re.MULTILINE)
    assert recorded(shell, "kept.lmap") == printed(BIOLATENCY)


@pytest.mark.parametrize("script", ["export.sh", "oracle.sh", "record.sh", "remote.sh"])
def test_without_what_it_needs_a_script_says_how_to_call_it(examples: Path, shell: Shell, script: str) -> None:
    ran = shell(f"{examples}/{script}")
    assert ran.status != 0
    assert f"usage: {script} " in ran.err
    assert (ran.out, ran.calls) == ("", [])


def test_record_keeps_all_disks(examples: Path, shell: Shell) -> None:
    ran = shell(f"{examples}/record.sh kept.lmap.gz --once --series loop0", {"biolatency": BIOLATENCY})
    assert (ran.status, ran.err) == (0, told(4, UNDATED))
    assert recorded(shell, "kept.lmap.gz") == printed(BIOLATENCY)


def test_ctrl_c_is_one_column_of_what_is_printed_at_the_end(examples: Path, shell: Shell) -> None:
    dump = BIOLATENCY.split("\n\n\n")
    text = dump[0] + "\n\n" + re.sub(r"^disk.*\n", "", dump[1].split("\n\n")[1], flags=re.MULTILINE) + "\n"
    ran = shell(f"{examples}/ctrl-c.sh {TO_FILE}", {"biolatency": text})
    assert ran.status == 0
    assert ran.err in ("", told(3, LONE)), "the arrival tells how long it took if it came later than the viewer"
    assert "sudo biolatency" in ran.calls
    assert "biolatency " in ran.calls
    assert list(printed(text)) == ["all"]
    assert recorded(shell, "kept.lmap") == printed(text)


def test_runqlat(examples: Path, shell: Shell) -> None:
    ran = shell(f"{examples}/runqlat.sh {TO_FILE}", {"runqlat": RUNQLAT})
    assert (ran.status, ran.err) == (0, "")
    assert "sudo stdbuf -oL runqlat -T 1" in ran.calls
    assert " runqlat  all " in ran.out
    assert recorded(shell, "kept.lmap") == {"all": {0: 2352, 2: 2577}}
    assert re.search(r"^ +2 us \|[9+]", ran.out, re.MULTILINE), "[0, 2) is one row"


def test_oracle(examples: Path, shell: Shell) -> None:
    ran = shell(f'{examples}/oracle.sh scott@db "log file sync"', {"sqlplus": ORACLE})
    assert (ran.status, ran.err) == (0, "")
    assert ran.calls == ["pylatencymap ", "sqlplus -S scott@db @oralatencymap stream 3 log file sync"]
    assert re.search(r"^ oracle  log file sync@1 .* every 3 s ", ran.out, re.MULTILINE)
    assert re.search(r"^ *512 us .* 100 +91 %", ran.out, re.MULTILINE)
    assert re.search(r"^16.4 ms .* 10 +9 %", ran.out, re.MULTILINE)


def test_oracle_without_an_event_reads_one_block_at_a_time(examples: Path, shell: Shell) -> None:
    ran = shell(f"{examples}/oracle.sh scott@db", {"sqlplus": ORACLE})
    assert "sqlplus -S scott@db @oralatencymap stream 3 db file sequential read" in ran.calls


@pytest.mark.parametrize(
    ("script", "event"),
    [
        ("oracle-calibrate", "Disk file I/O Calibration"),
        ("oracle-commits", "log file sync"),
        ("oracle-exadata", "cell single block physical read"),
        ("oracle-reads", "db file sequential read"),
    ],
)
def test_events_of_an_oracle_database(examples: Path, shell: Shell, script: str, event: str) -> None:
    """The command itself is run in tests/oracle."""
    ran = shell(f"{examples}/{script}.sh --interval 1 --instance 2", {"oralatencymap": "a picture\n"})
    assert (ran.status, ran.out, ran.err) == (0, "a picture\n", "")
    (call,) = ran.calls
    assert call == f"oralatencymap {event.replace(' ', '_')} --interval 1 --instance 2"
    assert EventNames([event]).chosen(call.split()[1:2]) == [event]


def test_replay(examples: Path, shell: Shell) -> None:
    """Where there is no terminal nothing waits: the whole recording, at once."""
    ran = shell(f"{examples}/replay.sh --depth ascii")
    assert (ran.status, ran.err) == (0, "")
    assert " biolatency  loop0 " in ran.out
    assert "all 74 s" in ran.out


def test_replay_from_the_folder_itself(examples: Path, shell: Shell) -> None:
    assert shell(f"cd {examples} && sh replay.sh --depth ascii").out == shell(f"{examples}/replay.sh --depth ascii").out


def test_export(examples: Path, shell: Shell, tmp_path: Path) -> None:
    ran = shell(f"{examples}/export.sh picture.svg --size 100x30")
    assert (ran.status, ran.out, ran.err) == (0, "", "")
    svg = (tmp_path / "picture.svg").read_text()
    assert svg.startswith(("<svg ", "<?xml "))
    assert "loop0" in svg
    assert "vda" not in svg


def test_jsonl(examples: Path, shell: Shell) -> None:
    ran = shell(f"{examples}/jsonl.sh")
    assert (ran.status, ran.err) == (0, "")
    told = [json.loads(line) for line in ran.out.splitlines()]
    assert len(told) == 60
    assert {one["series"] for one in told} == {"loop0"}
    assert all(one["seconds"] == pytest.approx(1, abs=0.01) for one in told)

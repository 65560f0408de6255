"""Every way of ending has its status, and a message that says what, where and what to do."""

import gzip
import json
import os
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import PATIENCE

Command = Callable[..., Any]

DRAWING = ("replay", "convert", "export")


def as_command(name: str, path: object, folder: Path) -> list[object]:
    return [name, path, *(["-o", folder / "out.svg"] if name == "export" else [])]


@pytest.mark.parametrize("name", DRAWING)
def test_fine_is_0(command: Command, three: Path, tmp_path: Path, name: str) -> None:
    ran = command(*as_command(name, three, tmp_path))
    assert ran.status == 0
    assert ran.err == ""
    assert bool(ran.out) is (name != "export")


@pytest.mark.parametrize("name", ["replay", "export", "convert --to jsonl"])
def test_a_source_without_an_interval_is_1(
    quick: Command, make_stream: Callable[..., str], tmp_path: Path, name: str
) -> None:
    baseline = tmp_path / "baseline.lmap"
    baseline.write_text(make_stream("sda", {128: 5}))
    first, *more = name.split()
    ran = quick(*as_command(first, baseline, tmp_path), *more)
    assert ran.status == 1
    assert ran.err.startswith(
        "pylatencymap: there was one reading of totals, and what happened is the difference of two"
    )
    assert not ran.out
    assert not (tmp_path / "out.svg").exists()


@pytest.mark.parametrize("name", DRAWING)
def test_a_series_that_is_not_there_is_1_and_those_that_are_there_are_named(
    quick: Command, three: Path, tmp_path: Path, name: str
) -> None:
    ran = quick(*as_command(name, three, tmp_path), "--series", "loop*")
    assert ran.status == 1
    assert ran.err == "pylatencymap: no series is called loop*; there are: all\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--bogus"], "unrecognized arguments: --bogus"),
        (["--ser", "loop0", "file"], "did you mean --series?"),
        (["--onc", "file"], "did you mean --once?"),
        (["replay", "--spee", "max", "file"], "did you mean --speed?"),
        (["--count", "0", "file"], "argument --count: 0: must be at least 1"),
        (["--count", "x", "file"], "'x' is no whole number"),
        (["--interval", "-1", "file"], "must be more than 0"),
        (["--duration", "nan", "file"], "must be more than 0"),
        (["--resolution", "3", "file"], "resolution 3 is none of 1, 2, 4, 8, 16, 32, 64"),
        (["--min-latency", "128", "file"], "write a number and a unit"),
        (["--speed", "fast", "file"], "write a number as in 10x, or max"),
        (["--delay", "-1", "file"], "must be 0 or more"),
        (["--semantics", "sums", "file"], "is none of auto, cumulative, interval, rate"),
        (["--date", "21.11.2026", "file"], "write it as in 2026-01-31"),
        (["--depth", "24bit", "file"], "is none of auto, truecolor"),
        (["--scale", "cubic", "file"], "invalid choice"),
        (["--min_bucket", "65", "file"], "must be from -1 to 64"),
        (["--frequency_maxval", "0", "file"], "must be more than 0"),
        (["--tz", "Mars/Olympus", "file"], "write a name as in Europe/Zurich or UTC"),
        (["export", "file"], "required: -o/--output"),
        (["export", "file", "-o", "x.bmp"], "known are .svg .png"),
        (["export", "-o", "x.svg", "--size", "10x10", "file"], "must be from 60x20"),
        (["convert", "--to", "csv", "file"], "'csv' is no output format: lmap or jsonl"),
        (["convert", "--resolution", "x", "file"], "is no whole number"),
        (["one", "demo"], "write the command first: pylatencymap demo"),
        (["one", "-"], "standard input cannot be merged with files"),
        (["file", "file", "--record", "r.lmap"], "cannot be told apart; record them one by one"),
        (["demo", "--seed", "1", "more"], "unrecognized arguments: more"),
        (["collectors", "--all"], "unrecognized arguments: --all"),
    ],
)
def test_usage_is_2(quick: Command, three: Path, arguments: list[str], said: str) -> None:
    ran = quick(*(str(three) if word == "file" else word for word in arguments))
    assert ran.status == 2
    assert ran.err.startswith("pylatencymap: ")
    assert said in ran.err
    assert ran.err.count("\n") == 1
    assert not ran.out


@pytest.mark.parametrize("name", DRAWING)
def test_a_missing_file_is_3_with_the_name_that_was_meant(quick: Command, three: Path, name: str) -> None:
    ran = quick(*as_command(name, three.with_name("tree.txt"), three.parent))
    assert ran.status == 3
    assert ran.err == f"pylatencymap: {three.with_name('tree.txt')}: no such file; did you mean {three}?\n"


def test_a_missing_file_in_no_folder_is_3(quick: Command, tmp_path: Path) -> None:
    ran = quick(tmp_path / "nowhere" / "x")
    assert (ran.status, ran.err) == (3, f"pylatencymap: {tmp_path / 'nowhere' / 'x'}: no such file\n")


def test_a_folder_is_3(quick: Command, tmp_path: Path) -> None:
    ran = quick(tmp_path)
    assert (ran.status, ran.err) == (3, f"pylatencymap: {tmp_path} is a folder; name the files in it\n")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_may_not_be_read_is_3(command: Command, three: Path) -> None:
    three.chmod(0)
    ran = command(three)
    assert ran.status == 3
    assert "cannot be opened: Permission denied" in ran.err


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file whose reading fails")
def test_a_file_whose_reading_fails_is_3(command: Command) -> None:
    ran = command("convert", "/proc/self/mem")
    assert ran.status == 3
    assert ran.err.startswith("pylatencymap: /proc/self/mem: cannot be read further: ")


def test_garbage_from_a_pipe_is_3(command: Command) -> None:
    ran = command(given=bytes(range(256)) * 40)
    assert ran.status == 3
    assert "<stdin>:1: " in ran.err
    assert "no text that any collector knows" in ran.err
    assert "--format NAME" in ran.err


@pytest.mark.parametrize("given", ["", "\n", "  \n\n"])
def test_an_empty_input_is_3(command: Command, given: str) -> None:
    ran = command(given=given)
    assert (ran.status, ran.err) == (3, "pylatencymap: <stdin> is empty: there is nothing to draw\n")


def test_an_unknown_format_is_named(quick: Command, three: Path) -> None:
    ran = quick(three, "--format", "vmstat")
    assert ran.status in (2, 3)
    assert "vmstat" in ran.err
    assert "bpf" in ran.err


def test_refused_text_is_3_with_the_reason(quick: Command) -> None:
    text = "\n     Kbytes              : count     distribution\n         4 -> 7          : 9        |****|\n"
    ran = quick(given=text)
    assert ran.status == 3
    assert "bytes" in ran.err


def test_a_cut_off_gzip_file_is_read_as_far_as_it_goes(
    quick: Command,
    make_stream: Callable[..., str],
    json_lines: Any,
    tmp_path: Path,
) -> None:
    path = tmp_path / "cut.lmap.gz"
    whole = gzip.compress(make_stream("sda", *[{128: n * n, 4096: 7 * n} for n in range(1, 400)]).encode())
    path.write_bytes(whole[: len(whole) * 2 // 3])
    ran = quick("convert", path, "--to", "jsonl")
    found = json_lines(ran.out)
    assert ran.status == 0
    assert 100 < len(found) < 398
    assert [line["counts"][-1][2] for line in found] == [7] * len(found)
    text = zlib.decompressobj(wbits=31).decompress(path.read_bytes())
    line = len(text.split(b"\n"))
    told = f"pylatencymap: {path}:{line}: the compressed data (gzip, Zstandard, lz4 or snappy) break off here"
    assert ran.err.startswith(told)
    strict = quick("convert", path, "--to", "jsonl", "--strict")
    assert (strict.status, strict.err.startswith(told)) == (4, True)
    drawn = quick(path, "--once")
    assert (drawn.status, "bad" in drawn.out) == (0, True)


def test_a_damaged_gzip_file_is_read_up_to_the_damage(
    quick: Command, make_stream: Callable[..., str], json_lines: Any, tmp_path: Path
) -> None:
    """As one that was cut off. If nothing can be decoded, it is 3."""
    path = tmp_path / "damaged.lmap.gz"
    text = make_stream("sda", *[{128: n * n, 4096: 7 * n} for n in range(1, 400)]).encode()
    path.write_bytes(gzip.compress(text) + b"garbage")
    ran = quick("convert", path, "--to", "jsonl")
    assert (ran.status, len(json_lines(ran.out))) == (0, 398)
    line = len(text.splitlines()) + 1
    told = f"pylatencymap: {path}:{line}: the compressed data"
    assert ran.err.startswith(told)
    strict = quick("convert", path, "--to", "jsonl", "--strict")
    assert (strict.status, strict.err.startswith(told)) == (4, True)
    path.write_bytes(gzip.compress(text)[:12] + b"\xff" * 100)
    refused = quick("convert", path, "--to", "jsonl")
    said = f"pylatencymap: {path}: cannot be read further: the compressed data are damaged from their first byte on\n"
    assert (refused.status, refused.err) == (3, said)


BAD = "<begin record>\ntimestamp,microsec,1700000003000000,x\nlabel,sda\nlatencyunit,fortnights\n128,1\n<end record>\n"


def test_bad_input_is_4_under_strict_and_one_record_otherwise(
    quick: Command,
    make_stream: Callable[..., str],
    make_counters: Callable[..., Any],
    json_lines: Any,
    tmp_path: Path,
) -> None:
    path = tmp_path / "bad.lmap"
    path.write_text(make_stream("sda", *make_counters(3)) + BAD)
    strict = quick("convert", path, "--to", "jsonl", "--strict")
    assert strict.status == 4
    assert strict.err.startswith(f"pylatencymap: {path}:")
    assert "fortnights" in strict.err
    lenient = quick("convert", path, "--to", "jsonl")
    assert lenient.status == 0
    assert lenient.err == strict.err
    assert len(json_lines(lenient.out)) == 2
    assert quick(path, "--strict").status == 4


def test_a_closed_pipe_ends_silently(
    command_words: Any, clean_environment: Any, make_stream: Any, make_counters: Any, tmp_path: Path
) -> None:
    big = tmp_path / "big.lmap"
    big.write_text(make_stream("sda", *make_counters(1000)))
    for arguments in (["convert", big], ["convert", big, "--to", "jsonl"], ["demo"], ["--help"], ["collectors"]):
        words = command_words(*arguments)
        source = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean_environment())
        assert source.stdout is not None
        assert source.stderr is not None
        source.stdout.close()
        assert (source.stderr.read(), source.wait(timeout=PATIENCE)) == (b"", 0), arguments


def closed(descriptor: int, words: list[str], env: dict[str, str]) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {descriptor}{"<" if descriptor == 0 else ">"}&-', "sh", *words],
        capture_output=True,
        timeout=PATIENCE,
        env=env,
    )


def test_closed_standard_streams_do_no_harm(
    command_words: Any, clean_environment: Any, three: Path, tmp_path: Path
) -> None:
    recording = tmp_path / "r.lmap"
    no_input = closed(0, command_words("--once", "--record", recording, three), clean_environment())
    assert (no_input.returncode, no_input.stderr) == (0, b"")
    assert b"FREQUENCY" in no_input.stdout
    assert recording.read_text().startswith("#lmap")
    assert closed(0, command_words("convert"), clean_environment()).returncode == 3
    assert closed(1, command_words(three), clean_environment()).returncode == 0
    assert closed(2, command_words(tmp_path / "none"), clean_environment()).returncode == 3


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [["convert"], ["--once"], ["collectors"], ["--help"]])
def test_a_full_disk_is_told(command_words: Any, clean_environment: Any, three: Path, arguments: list[str]) -> None:
    words = command_words(*arguments, *([] if arguments in (["collectors"], ["--help"]) else [three]))
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, timeout=PATIENCE, env=clean_environment())
    assert done.stderr == b"pylatencymap: standard output cannot be written: No space left on device\n"
    assert done.returncode == 3


ORACLE_MAIN = "from pylatencymap.cli.oracle.command import run"
INJECTED = """
import sys
from pylatencymap.window.window import Window
def broken(*_):
    raise RuntimeError("injected \\x1b[31m")
Window.add = broken
from pylatencymap.cli.main import run
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.parametrize("words", [[], ["--traceback"], ["-d", "1"], ["-d1"], ["--debug_level=2"], ["-d", "0"]])
def test_a_traceback_is_shown_only_on_demand(clean_environment: Any, three: Path, words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INJECTED, *words, str(three)],
        capture_output=True,
        env=clean_environment(),
        timeout=PATIENCE,
    )
    assert done.returncode == 3
    assert b"internal error: RuntimeError(" in done.stderr
    assert b"\x1b" not in done.stderr
    assert (b"Traceback" in done.stderr) is (bool(words) and words != ["-d", "0"])


def test_a_traceback_does_not_change_the_status(command: Command) -> None:
    ran = command("--traceback", "--tz", "nowhere", "x")
    assert ran.status == 2
    assert "Traceback" in ran.err


@pytest.mark.parametrize("words", [["-d", "x"], ["-dx"], ["--debug_level=x"], ["-d"], ["--debug_level"], ["-d", ""]])
@pytest.mark.parametrize("program", ["pylatencymap", "oralatencymap"])
def test_a_debug_level_that_is_no_number_is_a_wrong_use(
    clean_environment: Any, three: Path, program: str, words: list[str]
) -> None:
    main = "from pylatencymap.cli.main import run" if program == "pylatencymap" else ORACLE_MAIN
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{main}\nsys.exit(run(sys.argv[1:]))", str(three), *words],
        capture_output=True,
        env=clean_environment(),
        timeout=PATIENCE,
    )
    assert done.returncode == 2
    assert b"--debug_level" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_traceback_that_is_asked_for_after_a_debug_level_is_shown(command: Command) -> None:
    for words in (("-d", "0", "--traceback"), ("-d", "x", "-d", "2"), ("-d", "x", "--traceback")):
        ran = command(*words, "--tz", "nowhere", "x")
        assert ran.status == 2
        assert "Traceback" in ran.err


@pytest.mark.parametrize("word", ["--help", "--version", "-h"])
def test_help_and_version_are_fine(command: Command, word: str) -> None:
    ran = command(word)
    assert (ran.status, ran.err) == (0, "")
    assert "pylatencymap" in ran.out


def test_help_of_every_command(quick: Command) -> None:
    for name in ("replay", "convert", "export", "collectors", "demo"):
        assert quick(name, "--help").status == 0


def test_collectors_are_listed(command: Command) -> None:
    ran = command("collectors")
    assert ran.status == 0
    listed, *_ = ran.out.split("\n\n")
    names = [line.split()[0] for line in listed.splitlines() if not line.startswith(" ")]
    assert {"bpf", "records"} <= set(names)


def test_a_word_that_is_neither_a_command_nor_a_file_is_3_with_what_there_is(
    quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = quick("history")
    assert ran.status == 3
    assert ran.err == "pylatencymap: history: no such file or command; 'pylatencymap help' lists the commands\n"
    (tmp_path / "histories").write_text("")
    assert quick("history").err == "pylatencymap: history: no such file or command; did you mean histories?\n"
    (tmp_path / "tests").mkdir()
    for word, command in (("evnts", "events"), ("reprot", "report"), ("Comapre", "compare"), ("hlep", "help")):
        assert (
            quick(word).err == f"pylatencymap: {word}: no such file or command; did you mean the command {command}?\n"
        )


def test_a_recording_without_a_name_is_2(quick: Command, three: Path) -> None:
    ran = quick("replay", three, "--record", "")
    assert ran.status == 2
    assert "argument --record: the name of the file is empty" in ran.err


OPEN_FILES = """
import gc, json, os, sys, time
from pylatencymap.cli import main

def settled():  # the fewest files of some moments: a thread that reads ends a moment after its command
    found = []
    for _ in range(25):
        found.append(opened())
        time.sleep(0.02)
    return min(found, key=len)

def opened():
    gc.collect()
    files = (f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd"))
    return sorted(os.readlink(file) for file in files if os.path.islink(file))  # that of the list itself is gone

main.run(sys.argv[1:])
before = settled()
for _ in range(3):
    main.run(sys.argv[1:])
print("open:" + json.dumps([before, settled()]))
"""


@pytest.mark.parametrize("name", DRAWING)
def test_no_descriptor_is_left_open(three: Path, tmp_path: Path, name: str) -> None:
    """In a process of its own, because other tests' threads open files in this one."""
    words = [sys.executable, "-c", OPEN_FILES, *map(str, as_command(name, three, tmp_path))]
    ran = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL, check=True)
    before, after = json.loads(ran.stdout.rpartition("open:")[2])
    assert before
    assert after == before

"""``--fail-if`` and ``--junit``: verdicts, exit statuses and files, through the command line."""

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.waiting import PATIENCE, catches, wait_until

Command = Callable[..., Any]


@pytest.fixture
def steady(make_stream: Callable[..., str], make_counters: Callable[..., Any], tmp_path: Path) -> Path:
    """19 seconds of 100 events a second between 8.192 and 16.384 ms, of one disk."""
    path = tmp_path / "steady.lmap"
    path.write_text(make_stream("sda", *make_counters(20, 100, 8192)))
    return path


@pytest.fixture
def two(make_stream: Callable[..., str], make_counters: Callable[..., Any], tmp_path: Path) -> Path:
    """A slow disk with many events, and a fast one with few."""
    path = tmp_path / "two.lmap"
    slow, fast = make_stream("sda", *make_counters(20, 100, 8192)), make_stream("sdb", *make_counters(20, 1, 128))
    end = "<end record>\n"
    pairs = zip(slow.split(end)[:-1], fast.split(end)[:-1], strict=True)
    path.write_text("".join(one + end for pair in pairs for one in pair))
    return path


def cases(path: Path) -> list[tuple[str, list[str]]]:
    """The test cases of a file, each with what it says."""
    return [(case.get("name") or "", [part.tag for part in case]) for case in ElementTree.parse(path).iter("testcase")]


@pytest.mark.parametrize(
    ("condition", "status"),
    [
        ("p99 > 10ms", 6),
        ("p99 > 20ms", 0),
        ("sure(p99 > 8ms)", 6),
        ("sure(p99 > 10ms)", 0),
        ("time_above(8.192ms) > 99%", 6),
        ("events_above(16.384ms) > 1%", 0),
        ("rate < 100/s", 0),
        ("rate <= 100/s and modes == 1", 6),
        ("modes > 1", 0),
        ("not rate > 200/s", 6),
        ("waited > 500ms/s", 6),
        ('any("sd*", p99 > 10ms)', 6),
        ("all(p99 > 10ms)", 6),
        ('any("nvme*", p99 > 10ms)', 1),
        ("p99.99 > 1us", 1),
        ("p99 > 10%", 2),
        ("p99 >> 10ms", 2),
        ("p99 > before.p99", 2),
    ],
)
def test_the_status_is_that_of_the_condition(quick: Command, steady: Path, condition: str, status: int) -> None:
    ran = quick(steady, "--once", "--fail-if", condition)
    assert ran.status == status
    assert bool(ran.out) is (status != 2)
    assert ran.err.startswith(f"pylatencymap: {condition} " if status != 2 else "pylatencymap: --fail-if: column ")


def test_the_verdict_is_one_sentence_below_the_picture(command: Command, steady: Path) -> None:
    ran = command(steady, "--once", "--fail-if", "p99 > 10ms", "--fail-if", "modes > 1")
    assert ran.status == 6
    assert "FREQUENCY" in ran.out
    assert ran.err == (
        "pylatencymap: p99 > 10ms holds, but not surely: sda p99 16.3 ms (8.19-16.4 ms)\n"
        "pylatencymap: modes > 1 does not hold: sda modes 1\n"
    )
    assert command(steady, "--once").out == ran.out


def test_too_few_events_are_1_with_the_reason(quick: Command, two: Path) -> None:
    ran = quick(two, "--once", "--fail-if", "all(p99 > 1us)")
    assert (ran.status, ran.err) == (
        1,
        "pylatencymap: all(p99 > 1us) cannot be told: sdb has 19 events; p99 needs 100\n",
    )
    assert quick(two, "--once", "--fail-if", "any(events > 100 and p99 > 1s)").status == 0


def test_what_holds_decides_over_what_cannot_be_told(quick: Command, two: Path) -> None:
    both = "--fail-if", "all(p99 > 1us)", "--fail-if", "p99 > 1us"
    assert quick(two, "--once", *both).status == 6


def test_the_place_of_an_error_is_pointed_at(quick: Command, steady: Path) -> None:
    ran = quick(steady, "--once", "--fail-if", "modes > 1 or p99 > 10%")
    assert ran.status == 2
    assert ran.err == (
        "pylatencymap: --fail-if: column 20: 10% is a share, and p99 is a latency; write it as in 10ms\n"
        "    modes > 1 or p99 > 10%\n"
        "                       ^\n"
    )


def test_an_error_in_a_condition_comes_before_anything_is_read(quick: Command, tmp_path: Path) -> None:
    assert quick(tmp_path / "none", "--once", "--fail-if", "p99").status == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--fail-if", "p99 > 1ms"], "--fail-if needs --once"),
        (["--once", "--junit", "x.xml"], "--junit needs --fail-if"),
        (["--once", "--fail-if", "p99 > 1ms", "--junit", ""], "the name of the file is empty"),
    ],
)
def test_options_that_need_others(quick: Command, steady: Path, words: list[str], said: str) -> None:
    ran = quick(steady, *words)
    assert ran.status == 2
    assert said in ran.err


def test_the_file_is_none_that_is_read(quick: Command, steady: Path, tmp_path: Path) -> None:
    before = steady.read_bytes()
    link = tmp_path / "link.xml"
    link.symlink_to(steady)
    for path in (steady, link):
        ran = quick(steady, "--once", "--fail-if", "p99 > 1ms", "--junit", path)
        assert (ran.status, "is read or recorded" in ran.err) == (2, True)
    assert steady.read_bytes() == before


def test_junit_has_each_verdict(quick: Command, steady: Path, tmp_path: Path) -> None:
    path = tmp_path / "verdicts.xml"
    path.write_text("an older one")
    conditions = ["p99 > 10ms", "modes > 1", 'any("x<\x1b", modes > 1)']
    words = [word for condition in conditions for word in ("--fail-if", condition)]
    ran = quick(steady, "--once", *words, "--junit", path)
    assert ran.status == 6
    expected = ["p99 > 10ms", "modes > 1", 'any("x<\\x1b", modes > 1)']
    assert cases(path) == list(zip(expected, [["failure"], ["system-out"], ["error"]], strict=True))
    assert not [character for character in path.read_text() if character < " " and character != "\n"]


def test_without_an_interval_it_is_1_and_the_file_says_so(
    quick: Command, make_stream: Callable[..., str], tmp_path: Path
) -> None:
    baseline, path = tmp_path / "baseline.lmap", tmp_path / "verdicts.xml"
    baseline.write_text(make_stream("sda", {128: 5}))
    ran = quick(baseline, "--once", "--fail-if", "rate < 5/s", "--junit", path)
    assert ran.status == 1
    assert cases(path) == [("rate < 5/s", ["error"])]


def test_errors_keep_their_status_and_the_file_says_which(quick: Command, steady: Path, tmp_path: Path) -> None:
    path = tmp_path / "verdicts.xml"
    ran = quick(tmp_path / "none", "--once", "--fail-if", "p99 > 1ms", "--junit", path)
    assert ran.status == 3
    assert cases(path) == [("p99 > 1ms", ["error"])]
    with steady.open("a") as file:
        file.write(
            "<begin record>\ntimestamp,microsec,1700000100000000,x\nlabel,sda\n"
            "latencyunit,fortnights\n1,1\n<end record>\n"
        )
    strict = quick(steady, "--once", "--strict", "--fail-if", "p99 > 1ms", "--junit", path)
    assert strict.status == 4
    assert "fortnights" in path.read_text()


def test_a_file_that_cannot_be_written_is_3_after_the_verdict(quick: Command, steady: Path, tmp_path: Path) -> None:
    ran = quick(steady, "--once", "--fail-if", "p99 > 1ms", "--junit", tmp_path / "none" / "x.xml")
    assert ran.status == 3
    assert "p99 > 1ms holds" in ran.err
    assert "cannot be written" in ran.err


def test_a_part_of_the_series_and_of_the_time_is_what_is_judged(quick: Command, two: Path) -> None:
    assert quick(two, "--once", "--series", "sdb", "--fail-if", "rate > 50/s").status == 0
    assert quick(two, "--once", "--series", "sdb", "--fail-if", 'any("sda", rate > 50/s)').status == 1
    assert quick(two, "--once", "--duration", "5", "--fail-if", "events > 600").status == 0


@pytest.mark.parametrize(("condition", "status"), [("p99 > 10ms", 6), ("p99 > 20ms", 0)])
def test_a_closed_pipe_changes_no_verdict(
    command_words: Any, clean_environment: Any, steady: Path, condition: str, status: int
) -> None:
    words = command_words(steady, "--once", "--fail-if", condition)
    ran = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean_environment())
    assert ran.stdout is not None
    assert ran.stderr is not None
    ran.stdout.close()
    said = ran.stderr.read()
    assert ran.wait(timeout=PATIENCE) == status
    assert said.startswith(f"pylatencymap: {condition} ".encode())
    assert said.count(b"\n") == 1


def test_standard_input_is_judged(command: Command, steady: Path) -> None:
    ran = command("--once", "--fail-if", "p99 > 10ms", given=steady.read_bytes())
    assert ran.status == 6


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 6)])
def test_signals_keep_their_status(
    command_words: Any, clean_environment: Any, steady: Path, tmp_path: Path, number: signal.Signals, status: int
) -> None:
    """SIGTERM shows what was read and is a regular end: the condition decides then."""
    path, recording = tmp_path / "verdicts.xml", tmp_path / "r.lmap"
    words = command_words("--once", "--fail-if", "p99 > 10ms", "--junit", path, "--record", recording)
    ran = subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean_environment()
    )
    assert ran.stdin is not None
    ran.stdin.write(steady.read_bytes())
    ran.stdin.flush()
    wait_until(lambda: recording.exists() and b"1700000019000000" in recording.read_bytes())
    os.kill(ran.pid, number)
    out, err = ran.communicate(timeout=PATIENCE)
    assert b"FREQUENCY" in out
    assert b"p99 > 10ms holds" in err
    assert ran.returncode == status
    assert cases(path) == [("p99 > 10ms", ["failure"])]


def test_a_signal_before_any_interval_is_no_verdict(command_words: Any, clean_environment: Any, tmp_path: Path) -> None:
    path = tmp_path / "verdicts.xml"
    words = command_words("--once", "--fail-if", "p99 > 10ms", "--junit", path)
    ran = subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean_environment()
    )
    wait_until(lambda: catches(ran.pid, signal.SIGTERM))
    os.kill(ran.pid, signal.SIGTERM)
    _, err = ran.communicate(timeout=PATIENCE)
    assert ran.returncode == 1
    assert b"no condition can be told" in err
    assert cases(path) == [("p99 > 10ms", ["error"])]

"""Recognition: early, by content, and with messages that help."""

import bz2
import json
import lzma
import subprocess
import sys
import tracemalloc
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from pylatencymap.errors import NothingMeasured, SourceError
from pylatencymap.hints import hint_of
from pylatencymap.recognise import MAX_LINES, MOST_IDLE, recognise
from pylatencymap.text.lines import Line, lines_of

HEADING = "     usecs               : count     distribution"
BANNER = "Tracing block device I/O... Hit Ctrl-C to end."


class Source:
    """Lines that remember how many of them were read."""

    def __init__(self, texts: Iterable[str | None]) -> None:
        self.texts = list(texts)
        self.read = 0

    def __iter__(self) -> Iterator[Line | None]:
        for number, text in enumerate(self.texts, 1):
            self.read += 1
            yield None if text is None else Line(number, text)


def collector_of(texts: Iterable[str | None]) -> str:
    collector, _ = recognise(Source(texts), "text")
    return collector.__name__.rpartition(".")[2]  # type: ignore[attr-defined]


def test_a_live_source_is_recognised_at_its_first_heading_and_given_back_whole() -> None:
    source = Source([BANNER, None, "", "08:00:00", HEADING, "  0 -> 1  : 3  |***|", "more"])
    collector, lines = recognise(source, "stdin")
    assert source.read == 5
    assert collector.detect(HEADING).value >= 0.9
    assert [line and line.text for line in lines] == source.texts


def test_a_long_silence_keeps_one_pause() -> None:
    _, lines = recognise(Source([None, BANNER, None, None, None, HEADING]), "stdin")
    assert [line and line.text for line in lines] == [BANNER, None, HEADING]


def idle_prints(count: int) -> Iterator[str | None]:
    """What the project's own fsync.bt prints while nothing happens."""
    yield from ("Attaching 9 probes...", "Tracing fsync... Hit Ctrl-C to end.", None)
    for second in range(count):
        yield from (f"13:{second // 60:02}:{second % 60:02}.652893", "", "", None)


@pytest.mark.parametrize("seconds", [100, 1000])
def test_an_idle_source_is_waited_for(seconds: int) -> None:
    source = Source([*idle_prints(seconds), "@fsync_us[fio]: ", "[64, 128)  10 |@@@@@|"])
    collector, lines = recognise(source, "stdin")
    assert collector.__name__.endswith(".bpftrace")
    kept = list(lines)
    assert len(kept) < MOST_IDLE + 10
    assert [line.text for line in kept[:2] if line] == ["Attaching 9 probes...", "Tracing fsync... Hit Ctrl-C to end."]
    last_time = next(line for line in reversed(kept) if line and line.text.startswith("13:"))
    assert last_time.number == len(source.texts) - 5


def test_what_can_be_read_again_is_given_back_whole() -> None:
    source = Source([*idle_prints(1000), "@fsync_us[fio]: ", "[64, 128)  10 |@@@@@|"])
    _, lines = recognise(source, "file", again=lambda: lines_of("all of it"))
    assert [line and line.text for line in lines] == ["all of it"]
    source = Source([BANNER, "08:00:00", HEADING])
    _, lines = recognise(source, "file", again=lambda: pytest.fail("nothing was left out"))
    assert [line and line.text for line in lines] == source.texts


def test_a_source_that_printed_only_times_is_said_to_have_measured_nothing() -> None:
    with pytest.raises(NothingMeasured, match=r"^stdin printed no histogram: nothing was measured$"):
        recognise(Source(idle_prints(500)), "stdin")
    with pytest.raises(SourceError, match="this is no text that any collector knows"):
        recognise(Source([*idle_prints(500), "bash: fio: command not found"]), "stdin")


def test_blank_lines_without_end_take_no_memory() -> None:
    tracemalloc.start()
    with pytest.raises(SourceError, match="is empty"):
        recognise((Line(number, " " * 5000) for number in range(20_000)), "blank")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000


def test_the_best_guess_counts_at_the_end_or_at_the_limit() -> None:
    assert collector_of([BANNER]) == "bpf"
    source = Source([BANNER] + ["noise"] * 1000)
    recognise(source, "text")
    assert source.read == MAX_LINES


def test_a_heading_late_within_the_limit_is_found() -> None:
    assert collector_of(["noise"] * (MAX_LINES - 20) + [HEADING] + ["noise"] * 15) == "bpf"


@pytest.mark.parametrize("texts", [[], [None], ["", "  ", None, ""]])
def test_nothing_is_said_to_be_empty(texts: list[str | None]) -> None:
    with pytest.raises(SourceError, match=r"^nothing\.txt is empty"):
        recognise(Source(texts), "nothing.txt")


def test_unknown_text_says_what_where_and_what_to_do() -> None:
    with pytest.raises(SourceError) as caught:
        recognise(lines_of("\n\nhello \x1b[31m world\n"), "greeting.txt")
    message = str(caught.value)
    assert message.startswith("greeting.txt:3: ")
    assert r"hello \\x1b[31m world" in message or r"hello \x1b[31m world" in message
    assert "\x1b" not in message
    for needed in ("bpf", "--format", "pylatencymap collectors"):
        assert needed in message


@pytest.mark.parametrize(
    ("text", "what", "instead"),
    [
        (
            "sysbench 1.0.20 (using LuaJIT)\n\n[ 1s ] thds: 2 tps: 608.59\n",
            "one histogram of the whole run",
            "QUERY_RESP",
        ),
        ("proxy histograms\nPercentile       Read Latency\n50%   1502.50\n", "percentiles only", "Prometheus text"),
        ("  Thread Stats   Avg      Stdev     Max   +/- Stdev\n", "percentiles of a whole run", r"\.hlog"),
        ("0.000297 0.000320845\n", "columns of numbers", "--time 1:s --latency 2:us"),
        ("\n--- . (ext4 /dev/vda 252.0 GiB) ioping statistics ---\n4 requests\n", "summary of ioping", "without -q"),
        ("TKPROF: Release 12.1.0.1.0\n", "report of tkprof: totals", r"trace file itself \(\.trc\)"),
        ('{"time": "x", "req": {"latency_ms": 1.5}}\n', "JSON lines in which", "a path .* as in req.latency_ms"),
        ('"user name","age"\n"x","1"\n', "no column is clearly a time", "--time NAME and --latency NAME"),
        ("user,age,colour\nx,1,red\n", "no column is clearly a time", "--time NAME and --latency NAME"),
    ],
)
def test_summaries_are_called_by_their_names_with_what_would_work(text: str, what: str, instead: str) -> None:
    with pytest.raises(SourceError, match=rf"text:\d: this looks like .*{what}.*; what would work is .*{instead}"):
        recognise(lines_of(text), "text")


@pytest.mark.parametrize(
    ("prefix", "instead"),
    [
        ("host1: ", "pdsh -N"),
        ("Nov 22 08:00:01 host1 biolatency[812]: ", "journalctl -o cat"),
        ("2026-11-22T08:00:01+00:00 host1 biolatency[812]: ", "journalctl -o cat"),
        ("Nov 22 08:00:01 ", "without ts"),
        ("probe-1  | ", "docker compose logs --no-log-prefix"),
        ("[pod/probe-1/bcc] ", "kubectl logs without --prefix"),
    ],
)
def test_what_stands_in_front_of_each_line_is_told(prefix: str, instead: str) -> None:
    text = [BANNER, "", "08:00:00", HEADING, "        0 -> 1          : 3        |****|", "", "08:00:01"]
    lines = "\n".join(f"{prefix}{line}".rstrip() for line in text) + "\n"
    with pytest.raises(SourceError) as told:
        recognise(lines_of(lines), "text")
    assert f"text:1: this looks like bpf text with {prefix!r} in front of each line" in str(told.value)
    assert instead in str(told.value)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        (
            "ERROR:\nORA-01017: invalid username/password; logon denied\n\n\nSP2-0751: Unable to connect to Oracle.\n",
            "'ORA-01017: invalid username/password; logon denied'",
        ),
        (
            'SP2-0310: unable to open file "oralatencymap.sql"\r\n',
            "'SP2-0310: unable to open file \"oralatencymap.sql\"'",
        ),
        ("ERROR:\nORA-12154: \x1b[2J" + "x" * 500, "'ORA-12154: "),
    ],
)
def test_what_sqlplus_says_of_a_failed_login_is_quoted(text: str, quoted: str) -> None:
    with pytest.raises(SourceError) as told:
        recognise(lines_of(text), "text")
    assert f"text:1: this looks like an Oracle error, {quoted}" in str(told.value)
    assert "\x1b" not in str(told.value)
    assert "x" * 200 not in str(told.value)


def test_json_of_ioping_is_called_so() -> None:
    target = {"path": ".", "fstype": "ext4", "device": "/dev/vda", "device_size": 270553174016}
    request = {"timestamp": 1.5, "target": target, "io": {"request": 1, "operation": "read", "time": 145575}}
    with pytest.raises(SourceError, match="JSON of ioping; what would work is ioping without -J"):
        recognise(lines_of(json.dumps([request], indent=2)), "text")


@pytest.mark.parametrize(
    ("packed", "program"),
    [
        (bz2.compress(b"a trace\n" * 100), "bzcat"),
        (lzma.compress(b"a trace\n" * 100), "xzcat"),
    ],
)
def test_what_only_other_programs_unpack_is_told(packed: bytes, program: str, tmp_path: Path) -> None:
    file = tmp_path / "packed"
    file.write_bytes(packed)
    done = subprocess.run(
        [sys.executable, "-m", "pylatencymap", "convert", str(file)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 3
    assert "begins with" not in done.stderr
    assert f"data, which is not unpacked here; what would work is {program} FILE | pylatencymap" in done.stderr


def test_hints_for_other_formats() -> None:
    assert "zpool" in hint_of("latency      read  write   read  write   read  write")
    assert hint_of("Dear all") == ""

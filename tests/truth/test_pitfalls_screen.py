"""What the earlier tool got wrong on the screen, each shown right here; the module beside has reading and counting."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect
import pytest

from tests.waiting import PATIENCE

SECOND = 1_000_000
START = 1_700_000_000 * SECOND
BYTES_BEFORE = 1_880_000
"""What the earlier tool wrote for the frames of its Oracle sample."""

Run = Callable[..., Any]
Stream = Callable[..., str]
RowsOf = Callable[..., dict[str, Any]]


def picture(run: Run, text: str, *options: str) -> str:
    answer = run("--once", "--depth", "ascii", *options, given=text)
    assert (answer.status, answer.err) == (0, "")
    return str(answer.out)


def cells_of(rows: dict[str, Any]) -> dict[str, str]:
    """The cells of the rows that have any event."""
    return {upper: row.cells for upper, row in rows.items() if row.cells.strip(" .")}


def growing(stream: Stream, per_second: list[int], seconds: list[int] | None = None, **options: Any) -> str:
    """A cumulative source with so many events before each stamp; the first is the baseline."""
    totals = [sum(per_second[: n + 1]) for n in range(len(per_second))]
    at = seconds or list(range(len(per_second)))
    return stream(*((START + at[n] * SECOND, {64: total}) for n, total in enumerate(totals)), **options)


def test_5_rows_are_where_the_latencies_are(run: Run, stream: Stream, rows_of: RowsOf) -> None:
    """Lower bounds were drawn as upper ones: the axis was off by a factor of 2 for all but Oracle."""
    prints = ((START, {8192: 0}), (START + SECOND, {8192: 100}))
    for source, row, time in (("bpf", "16.4 ms", 1.2288), ("oracle", "8.19 ms", 0.6144)):
        text = stream(*prints, source=source)
        assert list(cells_of(rows_of(picture(run, text)))) == [row]
        assert run("convert", "--to", "jsonl", given=text).objects[0]["time"] == pytest.approx(time)


def test_8_rows_fit_the_data(run: Run, stream: Stream, rows_of: RowsOf) -> None:
    """Twelve rows from 128 us on, whatever the data: flash at 8 to 64 us fell into one, all over 131 ms into another.
    A bucket out of range was an IndexError.
    """
    for buckets, rows in (
        ((8, 16, 32), ["64 us", "32 us", "16 us"]),
        ((131072, 524288, 2097152), ["4.19 s", "1.05 s", "262 ms"]),
    ):
        text = stream((START, dict.fromkeys(buckets, 0)), (START + SECOND, dict.fromkeys(buckets, 100)))
        assert list(cells_of(rows_of(picture(run, text)))) == rows
    for wrong in ("65", "-7"):
        answer = run("--once", "--min_bucket", wrong, given=text)
        assert (answer.status, answer.out) == (2, "")
        assert "--min_bucket" in answer.err
        assert "Traceback" not in answer.err


def test_10_the_axis_is_time(run: Run, stream: Stream, rows_of: RowsOf) -> None:
    """The axis counted samples, so that pauses could not be seen; no data looked like zero."""
    text = growing(stream, [100] * 6 + [1500] + [100] * 3, [0, 1, 2, 3, 4, 5, 20, 21, 22, 23])
    rows = rows_of(picture(run, text))
    wide, rest = divmod(len(rows["128 us"].cells), 5 + 14 + 4)
    assert rest == 0
    assert rows["128 us"].cells == "9" * 5 * wide + "/" * 14 * wide + "9" * 4 * wide
    assert rows["256 us"].cells == rows["128 us"].cells.replace("9", " ")
    gap = [one for one in run("convert", "--to", "jsonl", given=text).objects if one["gap"]]
    assert [(one["counts"], one["time"]) for one in gap] == [([], None)]


def test_10_the_first_interval_counts(run: Run, shared: Path) -> None:
    """The counts of the first record were always dropped, also where they were those of an interval."""
    capture = shared / "data" / "captures" / "libbpf-biolatency-T-loop.txt"
    told = run("convert", capture, "--to", "jsonl").objects
    assert len(told) == capture.read_text().count("distribution")
    assert [64, 128, 392] in told[0]["counts"]


def test_11_a_spike_bleaches_nothing(run: Run, stream: Stream, rows_of: RowsOf) -> None:
    """One hot column took the colour from ninety others; a pinned maximum was not the one of the legend."""
    text = growing(stream, [100] * 10 + [99_000, 100])
    drawn = picture(run, text)
    assert re.fullmatch(r"9{9,}\++9+", rows_of(drawn)["128 us"].cells)
    assert re.search(r"FREQUENCY .* 0 \.123456789 100  \+ more  sqrt", drawn)
    pinned = picture(run, text, "--frequency-max", "400", "--scale", "linear")
    assert re.fullmatch(r"2{9,}\++2+", rows_of(pinned)["128 us"].cells)
    assert re.search(r"FREQUENCY .* 0 \.123456789 400 pinned  \+ to 99k  linear", pinned)


def test_11_zero_is_no_colour_and_labels_have_three_digits(run: Run, stream: Stream) -> None:
    """Zero was white, and labels were whole milliseconds (33, 66, 131)."""
    buckets = (64, 16384)
    text = stream((START, dict.fromkeys(buckets, 0)), (START + SECOND, dict.fromkeys(buckets, 100)))
    answer = run("--once", "--depth", "256", given=text)
    labels = re.sub(r"\x1b\[[0-9;]*m", "", answer.out)
    for upper in ("32.8 ms", "16.4 ms", "1.02 ms", "128 us"):
        assert f"{upper} \u2502" in labels
    empty = next(line for line in answer.out.splitlines() if "8.19" in line)
    assert "\x1b[48;5;15m" not in answer.out
    assert "48;5;" not in empty


def test_12_a_picture_in_a_pipe_is_text(run: Run, shared: Path, stream: Stream) -> None:
    """26 kB and a full clear for each frame, wherever the output went; labels in lower case."""
    answer = run(shared / "data" / "earlier-tools" / "example_latency_data.txt")
    assert "\x1b" not in answer.out
    assert len(answer.out.encode()) < 10_000
    assert max(map(len, answer.out.splitlines())) <= 120
    assert "Disk A" in picture(run, growing(stream, [1, 1], label="Disk A"))


def test_12_a_live_view_is_frugal_and_gives_the_terminal_back(surroundings: dict[str, str], shared: Path) -> None:
    """1.88 MB for 72 frames of 90 columns, no alternate screen, and a traceback at Ctrl-C."""
    sample = shared / "data" / "earlier-tools" / "example_latency_data.txt"
    terminal = pexpect.spawn(
        sys.executable,
        ["-m", "pylatencymap", "--delay", "0", str(sample)],
        env={**surroundings, "TERM": "xterm-256color"},  # type: ignore[arg-type]
        dimensions=(40, 120),
        timeout=PATIENCE,
    )
    terminal.expect(rb"all \d")
    assert len(terminal.before) < BYTES_BEFORE / 5
    assert terminal.before.count(b"\x1b[2J") == 1
    terminal.sendintr()
    terminal.expect(pexpect.EOF)
    terminal.close()
    received = terminal.before
    assert terminal.exitstatus == 130
    assert b"\x1b[?1049l" in received
    assert b"avg 10.3 ms" in re.sub(rb"\x1b\[[0-9;]*m", b"", received.rpartition(b"\x1b[?1049l")[2])
    assert b"Traceback" not in received


def test_12_a_closed_pipe_ends_silently(surroundings: dict[str, str], shared: Path) -> None:
    """A reader that left was a traceback."""
    capture = shared / "data" / "captures" / "libbpf-biolatency-F-T.txt"
    command = [sys.executable, "-m", "pylatencymap", "convert", str(capture), "--to", "jsonl"]
    with subprocess.Popen(command, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


def test_14_estimates_say_so(run: Run, stream: Stream) -> None:
    """Three quarters of every bucket, also of Oracle's first one, where a half is right; nothing said "estimated"."""
    text = stream((START, {1: 0, 4: 0}), (START + SECOND, {1: 1000, 4: 10}), unit="millisec", source="oracle")
    (one,) = run("convert", "--to", "jsonl", given=text).objects
    assert (one["time"], one["estimated"]) == (pytest.approx(1000 * 0.0005 + 10 * 0.003), True)
    assert "(estimated)" in picture(run, text)
    exact = (
        "Tracing block device I/O... Hit Ctrl-C to end.\n\n08:00:01\n"
        "     usecs               : count     distribution\n"
        "       512 -> 1023       : 25       |****************************************|\n\n"
        "avg = 663 usecs, total: 16575 usecs, count: 25\n\n"
    )
    (one,) = run("convert", "--to", "jsonl", given=exact).objects
    assert (one["time"], one["estimated"]) == (pytest.approx(0.016575), False)
    assert "estimated" not in picture(run, exact, "--interval", "1")


def test_14_an_open_row_is_a_lower_limit(run: Run, stream: Stream) -> None:
    """The overflow row was averaged as if it had an end."""
    text = stream((START, {1: 0, 4294967295: 0}), (START + SECOND, {1: 10, 4294967295: 2}), source="oracle")
    (one,) = run("convert", "--to", "jsonl", given=text).objects
    assert one["time"] == pytest.approx(2 * 2**31 * 1e-6 + 10 * 0.5e-6)
    drawn = picture(run, text)
    assert "avg >= " in drawn
    assert ">2147 s" in drawn


def test_17_the_documentation_names_what_is_there(root: Path) -> None:
    """It named collectors and files that did not exist, and its live feeds ended after 256 samples."""
    for page in (root / "README.md", root / "examples" / "README.md"):
        text = page.read_text()
        for name in re.findall(r"\b(?:examples|docs|collectors|tests|benchmarks)/[\w./-]*[\w]", text):
            assert (root / name).exists(), f"{page.name} names {name}"
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
            assert os.path.exists(page.parent / target), f"{page.name} links to {target}"
    script = (root / "oralatencymap.sql").read_text()
    assert not re.search(r"(^/\s*\n){3}|(^@@.*\n){3}", script, re.MULTILINE)

"""Every capture through the real command: the counts of its text, or a refusal that says why."""

import json
import os
import re
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.cli.main import run as run_command
from tests.collectors.captures import BPF_STAMPED

DAY = "2026-11-21"
UNSTAMPED = ("bcc-softirqs-d", "libbpf-biolatency-noT", "libbpf-biolatency-single-ctrlc")
RECORDS = "pylatencymap-records-loop0"
HELPS = ("this looks like", "what would work", "can be read", "Known formats: ")

Counts = list[list[int]]
Intervals = list[tuple[float, dict[str, Counts]]]
ReadApart = Callable[[str, str | None], Intervals]
Convert = Callable[..., Any]


def day_of(name: str) -> str | None:
    return DAY if name in BPF_STAMPED else None


def with_idle(intervals: Intervals) -> dict[str, list[tuple[float, Counts]]]:
    """Per series its intervals from its first one on: where the text leaves it out, it had no events."""
    found: dict[str, list[tuple[float, Counts]]] = {}
    for end, shown in intervals:
        for series in {**found, **shown}:
            found.setdefault(series, []).append((end, shown.get(series, [])))
    return found


def by_series(objects: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found = defaultdict(list)
    for one in objects:
        found[one["series"]].append(one)
    return dict(found)


def capture(shared: Path, name: str) -> Path:
    return shared / "data" / "captures" / f"{name}.txt"


def truth_of(shared: Path, file: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shared / "data" / "truth.json").read_text())["files"][file]
    return found


def answer_for(convert: Convert, shared: Path, name: str) -> list[dict[str, Any]]:
    day = day_of(name)
    answer = convert(capture(shared, name), *(["--date", day] if day else []))
    assert answer.status == 0
    guessed = r"(pylatencymap: .*: (it|each print) is taken to be 1 s( long)?; --interval S says otherwise\n)"
    assert re.fullmatch(guessed if name in UNSTAMPED else "", answer.err)
    return list(answer.objects)


@pytest.mark.parametrize("name", [*BPF_STAMPED, *UNSTAMPED])
def test_counts_of_each_interval_and_series(shared: Path, convert: Convert, read_apart: ReadApart, name: str) -> None:
    text = capture(shared, name).read_text()
    expected = with_idle(read_apart(text, day_of(name)))
    told = by_series(answer_for(convert, shared, name))
    assert {series: [(one["end"], one["counts"]) for one in all_of] for series, all_of in told.items()} == expected
    assert text.count("distribution") == sum(1 for all_of in told.values() for one in all_of if one["counts"])


@pytest.mark.parametrize("name", [*BPF_STAMPED, *UNSTAMPED])
def test_times_of_each_interval(shared: Path, convert: Convert, name: str) -> None:
    for all_of in by_series(answer_for(convert, shared, name)).values():
        assert {one["seconds"] for one in all_of} == {1.0}
        assert all(one["start"] == one["end"] - 1 for one in all_of)
        assert {one["clock"] for one in all_of} == {name in BPF_STAMPED}
        assert not any(one["reset"] or one["gap"] or one["resampled"] for one in all_of)


@pytest.mark.parametrize("name", [*BPF_STAMPED, *UNSTAMPED])
def test_time_waited_is_that_of_the_midpoints_and_says_so(shared: Path, convert: Convert, name: str) -> None:
    unit = "ms" if "-m-" in name else "us"
    seconds = {"us": 1e-6, "ms": 1e-3}[unit]
    for one in answer_for(convert, shared, name):
        assert (one["unit"], one["estimated"]) == (unit, True)
        waited = sum((low + high) / 2 * count for low, high, count in one["counts"]) * seconds
        assert one["time"] == pytest.approx(waited, rel=1e-9)


@pytest.mark.parametrize("name", [*BPF_STAMPED, *UNSTAMPED])
def test_classes_and_intervals_of_truth(shared: Path, convert: Convert, read_apart: ReadApart, name: str) -> None:
    truth = truth_of(shared, f"{name}.txt")
    assert truth["expect"] == "decode"
    if "counted" not in truth:
        pytest.skip("nobody counted this capture independently; the test of its text stands")
    told = answer_for(convert, shared, name)
    if truth["intervals"]:
        intervals = read_apart(capture(shared, name).read_text(), day_of(name))
        known_from = next(place for place, (_, shown) in enumerate(intervals) if shown)
        assert len(intervals) == truth["intervals"]
        assert {one["end"] for one in told} == {end for end, _ in intervals[known_from:]}
    classes: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for one in told:
        series = "all" if "all" in truth["counted"] else one["series"]
        limits = (2, 8, 16) if one["unit"] == "ms" else (1024, 8192, 16384)
        for lower, _, count in one["counts"]:
            classes[series][sum(lower >= limit for limit in limits)] += count
    assert classes == truth["counted"]
    if "fio_same_seconds" in truth:
        disk = classes["loop0" if "loop0" in classes else "all"]
        assert disk[2] == pytest.approx(truth["fio_same_seconds"][2], rel=0.05)


def test_cumulative_records_of_a_disk(shared: Path, convert: Convert) -> None:
    expected, last, labels = [], {}, {}
    for line in capture(shared, RECORDS).read_text().splitlines():
        key, _, value = line.partition(",")
        if key == "<begin record>":
            labels = {}
        elif key == "timestamp":
            end = int(value.split(",")[1]) / 1e6
        elif key.isdigit():
            labels[int(key)] = int(value)
        elif key == "<end record>":
            grown = [[low, 2 * low, n - last.get(low, 0)] for low, n in sorted(labels.items()) if n > last.get(low, 0)]
            expected.append((end, grown))
            last = {**last, **labels}
    told = answer_for(convert, shared, RECORDS)
    assert [(one["end"], one["counts"]) for one in told] == expected[1:]


def test_cumulative_records_agree_with_the_load(shared: Path, convert: Convert) -> None:
    """Whole seconds within the recording, the first and last left out: there the two clocks cut differently."""
    told = answer_for(convert, shared, RECORDS)
    rows = [line.split(",") for line in (shared / "data/captures/c.truth.csv").read_text().splitlines()[1:]]
    truth = {int(row[0]): sum(map(int, row[1:5])) for row in rows}
    inside = [one for one in told if int(one["start"]) in truth and int(one["end"]) in truth][1:-1]
    seconds = range(round(inside[0]["start"]), round(inside[-1]["end"]))
    reads = sum(count for one in inside for _, _, count in one["counts"])
    assert reads / sum(one["seconds"] for one in inside) == pytest.approx(
        sum(truth[second] for second in seconds) / len(seconds), rel=0.02
    )


def refused(shared: Path) -> list[Path]:
    files = json.loads((shared / "data" / "truth.json").read_text())["files"]
    return [shared / "data" / "captures" / name for name, truth in sorted(files.items()) if truth["expect"] == "refuse"]


def test_captures_without_a_distribution_are_refused_in_words_that_help(
    shared: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this process, which spares a minute of starting others."""
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    paths = refused(shared)
    assert len(paths) > 5
    for path in paths:
        status = run_command(["convert", str(path), "--to", "jsonl"])
        out, err = capfd.readouterr()
        assert (status, out) == (3, ""), path.name
        assert err.count("\n") == 1, path.name
        assert re.match(rf"pylatencymap: {re.escape(str(path))}:\d+: ", err), path.name
        assert any(words in err for words in HELPS), err
        assert "internal error" not in err, err


@pytest.mark.parametrize("name", ["bcc-argdist-H", "bcc-syscount-L", "libbpf-syscount-L"])
def test_bpf_text_without_latencies_is_refused_for_the_reason_of_truth(
    shared: Path, run: Callable[..., Any], name: str
) -> None:
    truth = truth_of(shared, f"{name}.txt")
    assert truth["expect"] == "refuse"
    for arguments in (["convert"], ["replay", "--once"]):
        answer = run(*arguments, capture(shared, name))
        assert (answer.status, answer.out) == (3, "")
        assert truth["reason"] in answer.err


def test_a_stream_of_another_tool_is_refused_as_well(shared: Path, run: Callable[..., Any]) -> None:
    answer = run("--once", given=capture(shared, "mariadb-ps-event-waits").read_text())
    assert (answer.status, answer.out) == (3, "")
    assert re.search(r"<stdin>:\d+: ", answer.err)


def test_the_day_is_that_of_the_file(shared: Path, convert: Convert, tmp_path: Path) -> None:
    """Without --date the last stamp of a file is of the day on which the file was written."""
    copy = tmp_path / "capture.txt"
    copy.write_bytes(capture(shared, "libbpf-runqlat").read_bytes())
    last = datetime(2026, 3, 14, 8, 11, 29, tzinfo=timezone.utc).timestamp()
    os.utime(copy, (last + 5, last + 5))
    assert convert(copy).objects[-1]["end"] == last

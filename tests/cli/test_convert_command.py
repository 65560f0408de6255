"""``pylatencymap convert``: any input as record stream or JSON lines."""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]

KEYS = {
    "series": str,
    "label": str,
    "source": str,
    "unit": str,
    "start": float,
    "end": float,
    "seconds": float,
    "counts": list,
    "time": float,
    "estimated": bool,
    "reset": bool,
    "gap": bool,
    "resampled": bool,
    "clock": bool,
}
RESET_AND_GAP = [(0, 100), (1, 250), (2, 400), (3, 60), (4, 160), (30, 260), (31, 360), (32, 500)]
"""Seconds and a counter that restarts at 3 and says nothing from 4 to 30."""


@pytest.fixture
def troubled(make_stream: Callable[..., str], tmp_path: Path) -> Path:
    path = tmp_path / "troubled.lmap"
    path.write_text(
        "".join(make_stream("sda", {128: count}, first=1_700_000_000 + second) for second, count in RESET_AND_GAP)
    )
    return path


def test_json_lines_are_as_promised(quick: Command, three: Path, json_lines: Any) -> None:
    found = json_lines(quick("convert", three, "--to", "jsonl", "--date", "2026-01-31").out)
    for line in found:
        assert {key: type(line[key]) for key in KEYS} == KEYS
    assert [line["counts"] for line in found] == [
        [[64, 128, 10], [8192, 16384, 2]],
        [[64, 128, 20], [8192, 16384, 1]],
        [[128, 256, 5], [16384, 32768, 3]],
    ]
    assert [(line["start"], line["end"], line["seconds"]) for line in found] == [
        (1769853600.0 + second, 1769853601.0 + second, 1.0) for second in range(3)
    ]
    assert found[0]["time"] == pytest.approx((10 * 96 + 2 * 12288) * 1e-6)
    assert found[0]["series"] == "all"
    assert (found[0]["estimated"], found[0]["gap"], found[0]["reset"], found[0]["clock"]) == (True, False, False, True)


def test_a_baseline_gives_no_object_and_a_gap_one_of_its_own(quick: Command, troubled: Path, json_lines: Any) -> None:
    found = json_lines(quick("convert", troubled, "--to", "jsonl").out)
    (gap,) = [line for line in found if line["gap"]]
    assert (gap["counts"], gap["time"]) == ([], None)
    assert gap["end"] - gap["start"] > 20
    assert {key: type(gap[key]) for key in KEYS if key != "time"} == {key: KEYS[key] for key in KEYS if key != "time"}
    data = [line for line in found if not line["gap"]]
    assert [line["reset"] for line in data].count(True) == 1
    assert [line["counts"][0][2] for line in data[:4]] == [150, 150, 60, 100]
    assert data[2]["reset"]
    assert all(count > 0 for line in data for _, _, count in line["counts"])


def test_idle_intervals_are_objects_too(quick: Command, make_biolatency: Any, json_lines: Any) -> None:
    text = make_biolatency({"10:00:01": {64: 10}, "10:00:02": {64: 1}}) + "\n10:00:03\n\n10:00:04\n"
    found = json_lines(quick("convert", "--to", "jsonl", given=text).out)
    assert [line["counts"] for line in found] == [[[64, 128, 10]], [[64, 128, 1]], [], []]
    assert [line["time"] for line in found[2:]] == [0.0, 0.0]


def test_resolution_puts_ranges_on_the_grid(quick: Command, make_stream: Any, json_lines: Any) -> None:
    text = (
        "#lmap " + '{"v": 1, "counts": "interval", "buckets": [[100, 300, 20], [300, null, 3]], "start": 1699999999}\n'
    )
    text += make_stream("sda", {128: 23})
    (native,) = json_lines(quick("convert", "--to", "jsonl", given=text).out)
    assert native["counts"] == [[100, 300, 20], [300, None, 3]]
    (line,) = json_lines(quick("convert", "--to", "jsonl", "--resolution", "1", given=text).out)
    assert line["resampled"] is True
    assert sum(count for _, _, count in line["counts"]) == pytest.approx(23)
    assert [(low, high) for low, high, _ in line["counts"]][:2] == [(64, 128), (128, 256)]
    assert line["counts"][0][2] == pytest.approx(20 * 28 / 200)
    assert line["counts"][-1][1] is None
    finer = json_lines(quick("convert", "--to", "jsonl", "--resolution", "2", given=text).out)[0]
    assert finer["counts"][0] == [96, 128, pytest.approx(20 * 28 / 200)]


@pytest.mark.parametrize("way", ["file", "gz", "-", "nothing"])
def test_every_way_in_gives_the_same(command: Command, three: Path, way: str) -> None:
    expected = command("convert", three, "--date", "2026-01-31").out
    if way == "file":
        assert expected.startswith("#lmap")
        return
    if way == "gz":
        packed = three.with_name("three.gz")
        packed.write_bytes(gzip.compress(three.read_bytes()))
        ran = command("convert", packed, "--date", "2026-01-31")
    else:
        words = ["-"] if way == "-" else []
        ran = command("convert", *words, "--date", "2026-01-31", given=gzip.compress(three.read_bytes()))
    assert (ran.status, ran.out) == (0, expected)


def round_trip(command: Command, path: Path) -> None:
    options = ("--tz", "UTC", "--date", "2026-01-31")
    direct = command("convert", path, "--to", "jsonl", *options)
    written = command("convert", path, *options)
    assert written.status == direct.status
    if direct.status == 0:
        again = command("convert", "-", "--to", "jsonl", given=written.out)
        assert again.out == direct.out
        assert again.err == ""
        assert command("convert", given=written.out).out == written.out


def test_what_is_written_reads_back_to_the_same_intervals(command: Command, three: Path, troubled: Path) -> None:
    round_trip(command, three)
    round_trip(command, troubled)


def test_so_do_captures(command: Command, shared: Path) -> None:
    folder = shared / "data" / "captures"
    texts = [path for path in sorted(folder.glob("*biolatency*.txt")) if "-j" not in path.name][:2]
    sample = shared / "data" / "earlier-tools" / "example_latency_data.txt"
    assert texts
    for path in [*texts, *([sample] if sample.exists() else [])]:
        round_trip(command, path)


def test_only_wanted_series_are_written_whatever_their_case(quick: Command, make_stream: Any, json_lines: Any) -> None:
    text = (
        make_stream("SDA", {128: 1}, {128: 2})
        + make_stream("sdb", {128: 1}, {128: 2})
        + make_stream("md0", {1: 1}, {1: 2})
    )
    found = json_lines(quick("convert", "--to", "jsonl", "--series", "sd*", given=text).out)
    assert {line["series"] for line in found} == {"SDA", "sdb"}
    stream = quick("convert", "--series", "sda", "--series", "MD?", given=text).out
    assert {line for line in stream.splitlines() if line.startswith("label,")} == {"label,SDA", "label,md0"}


def test_count_and_duration(quick: Command, make_stream: Any, make_counters: Any, three: Path, json_lines: Any) -> None:
    text = make_stream("sda", *make_counters(10))
    for words, expected in ((["--count", "3"], 3), (["--duration", "4"], 4), (["--count", "99"], 9)):
        assert len(json_lines(quick("convert", "--to", "jsonl", *words, given=text).out)) == expected
    assert len(json_lines(quick("convert", three, "--to", "jsonl", "--count", "2").out)) == 2
    assert quick("convert", "--count", "3", given=text).out.count("<begin record>") == 4


def test_intervals_are_merged_whole(quick: Command, make_stream: Any, make_counters: Any, json_lines: Any) -> None:
    text = make_stream("sda", *make_counters(11), first=1_700_000_000)
    found = json_lines(quick("convert", "--to", "jsonl", "--interval", "5", given=text).out)
    assert [(line["seconds"], line["counts"]) for line in found] == [(5.0, [[128, 256, 500]])] * 2
    finer = json_lines(quick("convert", "--to", "jsonl", "--interval", "0.1", given=text).out)
    assert len(finer) == 10


def test_semantics_can_be_said(quick: Command, make_stream: Any, json_lines: Any) -> None:
    text = make_stream("sda", {128: 4}, {128: 6}, {128: 9})
    counts = [line["counts"][0][2] for line in json_lines(quick("convert", "--to", "jsonl", given=text).out)]
    assert counts == [2, 3]
    said = quick("convert", "--to", "jsonl", "--semantics", "interval", given=text)
    assert [line["counts"][0][2] for line in json_lines(said.out)] == [4, 6, 9]


def test_a_zone_shifts_times_of_day(quick: Command, three: Path, json_lines: Any) -> None:
    def first_end(zone: str) -> float:
        words = ("--to", "jsonl", "--date", "2026-07-01", "--tz", zone)
        return float(json_lines(quick("convert", three, *words).out)[0]["end"])

    assert first_end("UTC") - first_end("Europe/Zurich") == 2 * 3600


def test_several_files_become_json_lines_by_time_but_no_stream(
    quick: Command, make_stream: Any, make_counters: Any, json_lines: Any, tmp_path: Path
) -> None:
    paths = [tmp_path / "a.lmap", tmp_path / "b.lmap"]
    for shift, path in enumerate(paths):
        path.write_text(make_stream(f"sd{'ab'[shift]}", *make_counters(4), first=1_700_000_000 + 2 * shift))
    ends = [line["end"] for line in json_lines(quick("convert", *paths, "--to", "jsonl").out)]
    assert ends == sorted(ends)
    assert len(ends) == 6
    refused = quick("convert", *paths)
    assert refused.status == 2
    assert "convert them one by one" in refused.err


def test_output_is_utf_8_whatever_the_locale(command: Command, make_stream: Any) -> None:
    text = make_stream("lecture différée µ", {128: 1}, {128: 2})
    ran = command("convert", given=text, env={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"})
    assert ran.status == 0
    assert "label,lecture différée µ" in ran.out


@pytest.mark.parametrize(("value", "hint"), [("01:00", "; --until 01:00 is the option for a time"), ("lmpa", " (")])
def test_a_format_that_is_a_time_is_told_apart(quick: Command, three: Path, value: str, hint: str) -> None:
    answer = quick("convert", three, "--to", value)
    assert answer.status == 2
    assert f"argument --to: {value!r} is no output format: lmap or jsonl{hint}" in answer.err

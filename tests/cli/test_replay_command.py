"""``pylatencymap FILE...`` and pipes where standard output is no terminal: one picture, at once."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]

LABEL = re.compile(r"^ *(?:>= )?([\d.]+ (?:ns|us|ms|s)|total) [│|]", re.MULTILINE)


def labels(picture: str) -> list[str]:
    return LABEL.findall(picture)


def test_replay_and_the_bare_file_are_the_same(command: Command, three: Path) -> None:
    bare = command(three)
    assert bare.out == command("replay", three).out == command(three, "--once").out
    assert bare.out.count("FREQUENCY") == bare.out.count("INTENSITY") == 1
    assert "\x1b" not in bare.out


def without_name(picture: str, file: str = "") -> tuple[list[str], str]:
    """The words of the title, without the name of the file, or of the source, that it begins with; and the rest."""
    title, _, rest = picture.partition("\n")
    words = title.split()
    assert words[0] == (file or words[0])
    return words[-words[::-1].index(next(word for word in words if "ALL" in word)) - 2 :], rest


def test_a_pipe_gives_the_picture_of_its_file(command: Command, three: Path) -> None:
    options = ("--date", "2026-01-31")
    drawn = without_name(command(three, *options).out, three.name)
    assert without_name(command(*options, given=three.read_text()).out) == drawn
    assert without_name(command("-", *options, given=three.read_text()).out) == drawn


def test_nothing_waits_without_a_terminal(
    command: Command, make_stream: Any, make_counters: Any, tmp_path: Path
) -> None:
    path = tmp_path / "hour.lmap"
    path.write_text(make_stream("sda", *make_counters(60), step=60))
    for words in ([], ["--speed", "0.1x"], ["--delay", "10"], ["--screen_delay", "10"]):
        assert command(path, *words).status == 0, "it would have taken minutes, and been ended"


def test_the_series_with_most_time_waited_is_drawn_and_the_others_are_listed(quick: Command, make_stream: Any) -> None:
    text = make_stream("fast", {64: 0}, {64: 9000}) + make_stream("slow", {8192: 0}, {8192: 500})
    picture = quick(given=text).out
    assert "slow" in picture.splitlines()[0]
    assert re.search(r"^ *fast +9000/s", picture, re.MULTILINE)
    chosen = quick("--series", "FAST", given=text).out
    assert "fast" in chosen.splitlines()[0]
    assert "slow" not in chosen


def test_a_recording_keeps_all_series(command: Command, make_stream: Any, json_lines: Any, tmp_path: Path) -> None:
    text = make_stream("sda", {64: 0}, {64: 9}) + make_stream("sdb", {64: 0}, {64: 5})
    target = tmp_path / "all.lmap"
    ran = command("--once", "--series", "sda", "--record", target, given=text)
    assert ran.status == 0
    assert "sdb" not in ran.out
    found = json_lines(command("convert", target, "--to", "jsonl").out)
    assert {line["series"]: line["counts"][0][2] for line in found} == {"sda": 9, "sdb": 5}


@pytest.mark.parametrize("name", ["r.lmap", "r.lmap.gz"])
def test_a_recording_of_a_pipe_replays_to_the_same(
    command: Command, three: Path, make_stream: Any, json_lines: Any, tmp_path: Path, name: str
) -> None:
    options = ("--date", "2026-01-31")
    for text in (three.read_text(), make_stream("sda", {64: 3}, {64: 9}, {64: 2}, {64: 4})):
        target = tmp_path / name
        target.unlink(missing_ok=True)
        drawn = command("--once", "--record", target, *options, given=text)
        assert without_name(command(target).out, name) == without_name(drawn.out)
        again = command("convert", target, "--to", "jsonl").out
        assert json_lines(again) == json_lines(command("convert", "--to", "jsonl", *options, given=text).out)


def test_an_older_recording_is_kept(command: Command, three: Path, tmp_path: Path) -> None:
    target = tmp_path / "r.lmap"
    target.write_text("older\n")
    ran = command(three, "--record", target)
    assert ran.status == 0
    assert ran.err == f"pylatencymap: {target} was there before; it is now {target}~\n"
    assert (tmp_path / "r.lmap~").read_text() == "older\n"
    assert target.read_text().startswith("#lmap")


def test_a_mistyped_source_costs_no_recording(command: Command, three: Path, tmp_path: Path) -> None:
    target = tmp_path / "r.lmap"
    target.write_text("older\n")
    assert command(three.with_name("none"), "--record", target).status == 3
    assert target.read_text() == "older\n"
    assert not (tmp_path / "r.lmap~").exists()


def test_a_recording_can_be_recorded_over_itself(command: Command, three: Path, tmp_path: Path) -> None:
    target = tmp_path / "r.lmap"
    command(three, "--record", target)
    before = command("convert", target, "--to", "jsonl").out
    assert command(target, "--record", target).status == 0
    assert command("convert", target, "--to", "jsonl").out == before


def test_a_recording_that_cannot_be_written_is_named(command: Command, three: Path, tmp_path: Path) -> None:
    ran = command(three, "--record", tmp_path / "no" / "r.lmap")
    assert (ran.status, ran.out) == (3, "")
    assert ran.err == f"pylatencymap: --record {tmp_path}/no/r.lmap: cannot be written: No such file or directory\n"
    if Path("/dev/full").exists():
        full = command(three, "--record", "/dev/full")
        assert full.status == 0
        assert "FREQUENCY" in full.out
        assert full.err == (
            "pylatencymap: --record /dev/full: No space left on device: nothing is recorded\n"
            "pylatencymap: --record /dev/full: nothing was recorded: No space left on device\n"
        )


def test_several_files_are_put_on_one_clock(
    quick: Command, make_stream: Any, make_counters: Any, tmp_path: Path
) -> None:
    paths = []
    for number, first in enumerate((1_700_000_010, 1_700_000_000)):
        paths.append(tmp_path / f"{number}.lmap")
        paths[-1].write_text(make_stream("sda", *make_counters(11), first=first))
    ran = quick(*paths)
    assert ran.status == 0
    assert "all 20 s" in ran.out
    assert "series 1/1" in ran.out


def test_a_series_that_two_files_hold_at_the_same_time_is_told_apart(
    quick: Command, make_stream: Any, make_counters: Any, json_lines: Any, tmp_path: Path
) -> None:
    paths = [tmp_path / "one" / "r.lmap", tmp_path / "two" / "r.lmap", tmp_path / "s.lmap"]
    for number, path in enumerate(paths, 1):
        path.parent.mkdir(exist_ok=True)
        path.write_text(make_stream("sda", *make_counters(4, per_record=number)))
    for chosen, names in (
        (paths[1:], {"sda (r.lmap)", "sda (s.lmap)"}),
        (paths[:2], {f"sda ({paths[0]})", f"sda ({paths[1]})"}),
    ):
        found = json_lines(quick("convert", *chosen, "--to", "jsonl").out)
        assert {line["series"] for line in found} == names
        assert all(len({line["counts"][0][2] for line in found if line["series"] == name}) == 1 for name in names)


def test_options_may_stand_between_files(quick: Command, three: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.txt"
    copy.write_text(three.read_text())
    assert "series 1/2" in quick(three, "--once", copy).out


def test_resolution_columns_and_latencies(quick: Command, make_stream: Any, make_counters: Any) -> None:
    text = make_stream("sda", *[{2**k: 9 * n for k in range(4, 15)} for n in range(1, 40)])
    whole = labels(quick(given=text).out)
    assert {"32 us", "1.02 ms", "32.8 ms", "total"} <= set(whole)
    octaves, finer = (quick("demo", "--resolution", n, "--rows", "60").out.count("│") for n in (1, 2))
    assert 1.5 < finer / octaves < 2.1
    cut = quick("--min-latency", "128us", "--max-latency", "4096us", given=text).out
    assert "256 us" in labels(cut)
    assert "32.8 ms" not in labels(cut)
    assert "64 us" not in labels(cut)
    few = quick("--columns", "10", given=text).out
    assert "window 10 s" in few
    assert few == quick("-n", "10", given=text).out == quick("--num_records", "10", given=text).out
    many = quick("--columns", "150", given=make_stream("sda", *make_counters(200))).out
    assert "window 2 min 30 s" in many


def test_bucket_options_of_the_earlier_tool(quick: Command, make_stream: Any) -> None:
    text = make_stream("sda", *[{2**k: 9 * n for k in range(4, 15)} for n in range(1, 10)])
    auto = quick(given=text).out
    assert quick("--min_bucket", "-1", "--max_bucket", "64", given=text).out == auto
    pinned = labels(quick("--min_bucket", "8", "--max_bucket", "12", given=text).out)
    lowest = [label for label in pinned if label != "total"][-1]
    assert lowest == "256 us"
    assert "16.4 ms" not in pinned
    assert pinned == labels(quick("--min-latency", "128us", "--max-latency", "2048us", given=text).out)


def test_scales_can_be_pinned(quick: Command, make_stream: Any, make_counters: Any) -> None:
    text = make_stream("sda", *make_counters(9))
    auto = quick(given=text).out
    for name in ("--frequency_maxval", "--intensity_maxval", "--frequency-max", "--intensity-max"):
        assert quick(name, "-1", given=text).out == auto
    assert " 5k " in quick("--frequency_maxval", "5000", given=text).out.splitlines()[2]
    assert "7 ms" in quick("--intensity_maxval", "7000", given=text).out
    assert quick("--intensity-max", "7ms", given=text).out == quick("--intensity_maxval", "7000", given=text).out


def test_one_map_or_both(quick: Command, three: Path) -> None:
    assert "INTENSITY" not in quick(three, "--map", "frequency").out
    assert "FREQUENCY" not in quick(three, "--map", "intensity").out
    assert "linear" in quick(three, "--scale", "linear").out


def test_picture_of_one_record_stream_is_not_another(quick: Command, make_stream: Any) -> None:
    text = make_stream("sda", {128: 0}, {128: 100})
    oracle = quick(given=text.replace("datasource,bpf", "datasource,oracle")).out
    assert "avg 185 us" in quick(given=text).out
    assert "avg 92.3 us" in oracle


def test_a_log_without_a_clock_is_drawn_beside_a_dated_one(
    command: Command, make_stream: Any, make_counters: Any, json_lines: Any, tmp_path: Path
) -> None:
    dated, log, times = tmp_path / "db.lmap", tmp_path / "fio_lat.1.log", tmp_path / "times.txt"
    dated.write_text(make_stream("sda", *make_counters(11)))
    log.write_text("".join(f"{10 * number + 1}, 280000, 0, 8192, 0, 0\n" for number in range(1000)))
    times.write_text('22:13:24.500000 read(3, "x", 1) = 1 <0.000020>\n')
    for files in ((dated, log, times), (times, log, dated)):
        ran = command("convert", *files, "--to", "jsonl", "--tz", "UTC")
        found = json_lines(ran.out)
        spans = {
            name: (min(line["start"] for line in lines), max(line["end"] for line in lines))
            for name in ("sda", "read (us)", "read")
            if (lines := [line for line in found if line["series"] == name])
        }
        begin = 1_700_000_000
        assert spans == {"sda": (begin, begin + 10), "read": (begin, begin + 10), "read (us)": (begin + 4, begin + 5)}
        assert all(line["clock"] for line in found)
        assert f"{log} has no real clock: it is taken to begin where {dated} begins, at 2023-11-14 22:13:20" in ran.err
        assert f"{times} has times of day without a date: they are taken to be of 2023-11-14" in ran.err
    drawn = command("replay", log, dated, "--once", "--tz", "UTC")
    assert "all 10 s" in drawn.out
    assert "series 1/2" in drawn.out
    assert "22:13:30" in drawn.out
    assert f"{log} has no real clock" in drawn.err


@pytest.mark.parametrize("time", ["2023-11-14 22:13:20", "2023-11-14T23:13:20 +01:00", "1700000000"])
def test_a_file_begins_when_the_user_says(command: Command, json_lines: Any, tmp_path: Path, time: str) -> None:
    log = tmp_path / "fio_lat.1.log"
    log.write_text("".join(f"{10 * number + 1}, 280000, 0, 8192, 0, 0\n" for number in range(300)))
    ran = command("convert", log, "--to", "jsonl", "--tz", "UTC", "--start", f"{log.name}={time}")
    found = json_lines(ran.out)
    assert [(line["start"], line["clock"]) for line in found] == [(1_700_000_000 + number, True) for number in range(3)]


@pytest.mark.parametrize("start", ["x=1", "1700000000", "fio_lat.1.log=noon", "fio_lat.1.log=inf"])
def test_a_start_that_is_none_is_told(command: Command, tmp_path: Path, start: str) -> None:
    log = tmp_path / "fio_lat.1.log"
    log.write_text("1, 280000, 0, 8192, 0, 0\n" * 9)
    ran = command("convert", log, "--to", "jsonl", "--start", start)
    assert ran.status == 2
    assert f"--start {start}: " in ran.err
    assert command("convert", log, "--start", f"{log}=1").status == 2

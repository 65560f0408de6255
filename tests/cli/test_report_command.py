"""``pylatencymap report``."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


@pytest.fixture
def steady(root: Path) -> Path:
    return root / "examples/steady.lmap.gz"


def test_one_screen(command: Command, steady: Path) -> None:
    ran = command("report", steady)
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert len(lines) < 24
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("steady.lmap.gz: loop0 and vda, 60 s; 2026-11-21 11:13:04 to 11:14:04 UTC")
    assert "8.19-16.4 ms  typically 11.6 ms (8.19-16.4)  9.9 % of I/Os but 91 % of wait" in ran.out


def test_all_of_it_and_other_screens(command: Command, steady: Path) -> None:
    short = command("report", steady, env={"COLUMNS": "60", "LINES": "12"}).out.splitlines()
    assert len(short) < 12
    assert max(map(len, short)) <= 60
    full = command("report", steady, "--full", env={"LINES": "12"}).out
    assert len(full.splitlines()) > 24
    assert "--full" not in full


def test_json_is_json(command: Command, steady: Path) -> None:
    ran = command("report", steady, "--json")
    said = json.loads(ran.out)
    assert (said["schema"], said["version"], said["files"]) == ("pylatencymap-report", 1, [str(steady)])
    assert [one["name"] for one in said["series"]] == ["loop0", "vda"]
    assert said["begin"] == "2026-11-21T11:13:03.997494+00:00"


def test_markdown(command: Command, steady: Path) -> None:
    ran = command("report", steady, "--markdown", "--series", "loop0")
    assert ran.out.startswith("## steady.lmap.gz: loop0, 60 s\n")
    assert "| 8.19-16.4 ms | 11.6 ms (8.19-16.4) | 9.9 % | 91 % |" in ran.out


@pytest.mark.parametrize("name", ["steady", "spindle", "cold-start", "flags"])
def test_the_picture_beside_the_markdown(quick: Command, root: Path, tmp_path: Path, name: str) -> None:
    file, picture = root / f"examples/{name}.lmap.gz", tmp_path / "two words.svg"
    ran = quick("report", file, "--markdown", "--picture", picture)
    (link,) = [line for line in ran.out.splitlines() if line.startswith("![")]
    assert link.startswith(f"![Heat maps of {name}.lmap.gz: ")
    assert link.endswith(f"({tmp_path}/two%20words.svg)")
    exported = tmp_path / "exported.svg"
    assert quick("export", file, "-o", exported).status == 0
    assert picture.read_bytes() == exported.read_bytes()


def test_a_picture_that_cannot_be_written(quick: Command, steady: Path, tmp_path: Path) -> None:
    for path, status in ((tmp_path / "x.gif", 2), (steady, 2), (tmp_path / "missing/x.svg", 3)):
        ran = quick("report", steady, "--picture", path)
        assert (ran.status, ran.out) == (status, "")
        assert str(path.name) in ran.err or ".gif" in ran.err


@pytest.mark.parametrize(
    ("span", "seconds"), [("11:13:30..11:13:50", 20), ("..11:13:14", 10), ("11:13:54..", 10), ("11:13:30..+5s", 5)]
)
def test_a_range_of_a_file(command: Command, steady: Path, span: str, seconds: int) -> None:
    ran = command("report", f"{steady}@{span}", "--json")
    assert ran.status == 0, ran.err
    assert round(json.loads(ran.out)["seconds"]) in (seconds, seconds - 1)


def test_the_zone_of_a_range_is_that_of_the_option(command: Command, steady: Path) -> None:
    here = command("report", f"{steady}@11:13:30..", "--json")
    there = command("report", f"{steady}@20:13:30..", "--json", "--tz", "Asia/Tokyo")
    assert json.loads(here.out)["series"] == json.loads(there.out)["series"]


def test_a_file_of_this_very_name_is_read_whole(command: Command, steady: Path, tmp_path: Path) -> None:
    os.symlink(steady, tmp_path / "a@11:13:30..")
    assert round(json.loads(command("report", tmp_path / "a@11:13:30..", "--json").out)["seconds"]) == 60


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("{}@soon..",), "'soon' is no time"),
        (("{}@11:14..", "--from", "11:14"), "not both"),
        (("{}@11:14..", "{}"), "have one range"),
        (("{}@2026-11-21 11:14..2026-11-21 11:13",), "is not before"),
        (("{}@2026-11-21 12:00..",), "nothing was recorded"),
        (("{}@11:14",), "no such file"),
        (("{}", "--json", "--markdown"), "not allowed with"),
        ((), "required"),
    ],
)
def test_wrong_ranges_say_what_is_right(command: Command, steady: Path, words: tuple[str, ...], said: str) -> None:
    ran = command("report", *(word.format(steady) for word in words))
    assert ran.status in (1, 2, 3)
    assert ran.out == ""
    assert said in ran.err


def test_standard_input(command: Command, make_stream: Any) -> None:
    ran = command("report", "-", given=make_stream("sda", {64: 1}, {64: 9}))
    assert ran.status == 0
    assert ran.out.startswith("standard input: sda, ")
    assert "8 events: too few to tell modes, which takes 100" in ran.out
    assert "too few to tell what changed" in ran.out


def test_nothing_in_it(command: Command, tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("")
    ran = command("report", tmp_path / "empty")
    assert ran.status != 0
    assert ran.out == ""
    assert "empty: " in ran.err


def test_names_are_escaped(command: Command, make_stream: Any) -> None:
    text = make_stream("s\x1bd\u202ea", {64: 1}, {64: 900})
    for option in ("--full", "--json", "--markdown"):
        out = command("report", "-", option, given=text).out
        assert out
        assert out.replace("\n", "").isprintable()


def test_conditions_stand_in_the_report(command: Command, steady: Path, tmp_path: Path) -> None:
    conditions = ("--fail-if", "p99 > 10ms", "--fail-if", "sure(p99 > 10ms)")
    ran = command("report", steady, "--json", *conditions, "--junit", tmp_path / "verdicts.xml")
    assert ran.status == 6
    verdicts = json.loads(ran.out)["conditions"]
    assert [(one["condition"], one["holds"], one["sure"]) for one in verdicts] == [
        ("p99 > 10ms", True, False), ("sure(p99 > 10ms)", False, True)
    ]  # fmt: skip
    assert 'failures="1"' in (tmp_path / "verdicts.xml").read_text()
    assert [f"pylatencymap: {one['sentence']}" for one in verdicts] == ran.err.splitlines()
    page = command("report", steady, "--markdown", *conditions).out
    assert page.rstrip().endswith(
        "### Conditions\n\n" + "\n".join(f"- {_escaped(one['sentence'])}" for one in verdicts)
    )
    text = command("report", steady, *conditions)
    assert text.out == command("report", steady).out
    assert text.err == ran.err


def _escaped(text: str) -> str:
    return text.replace(">", "\\>")


def test_a_condition_that_cannot_be_told_is_1(
    command: Command, steady: Path, tmp_path: Path, make_stream: Callable[..., str], make_counters: Callable[..., Any]
) -> None:
    assert command("report", steady, "--fail-if", 'any("sdx", p99 > 10ms)').status == 1
    assert command("report", steady, "--fail-if", "before.p99 > 10ms").status == 2
    (tmp_path / "one.lmap").write_text(make_stream("sda", *make_counters(1, 100, 64)))
    assert command("report", tmp_path / "one.lmap", "--fail-if", "p99 > 10ms").status == 1


@pytest.mark.parametrize("seconds", [2, 60])
def test_a_series_without_events_is_told_as_one(
    command: Command, tmp_path: Path, seconds: int, make_stream: Callable[..., str], make_counters: Callable[..., Any]
) -> None:
    idle = make_stream("sdb", *([{}] * seconds))
    (tmp_path / "idle.lmap").write_text(idle)
    busy = make_stream("sda", *make_counters(seconds, 100, 8192))
    end = "<end record>\n"
    pairs = zip(busy.split(end)[:-1], idle.split(end)[:-1], strict=True)
    (tmp_path / "both.lmap").write_text("".join(one + end for pair in pairs for one in pair))
    for name in ("idle.lmap", "both.lmap"):
        ran = command("report", tmp_path / name)
        assert (ran.status, ran.err) == (0, "")
        assert "sdb  0 events" in ran.out
        assert command(tmp_path / name, "--once").status == 0
    assert command("report", tmp_path / "idle.lmap", "--fail-if", "p99 > 10ms").status == 1

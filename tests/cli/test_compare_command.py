"""``pylatencymap compare``."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

Command = Callable[..., Any]
BEGIN = 1_772_409_600
"""2026-03-02 00:00 UTC."""
HATCH = "\N{BOX DRAWINGS LIGHT DIAGONAL UPPER RIGHT TO LOWER LEFT}"
SMALL = {"COLUMNS": "80", "LINES": "24"}


@pytest.fixture
def steady(root: Path) -> Path:
    return root / "examples/steady.lmap.gz"


@pytest.fixture
def spindle(root: Path) -> Path:
    return root / "examples/spindle.lmap.gz"


def test_one_screen(command: Command, steady: Path, spindle: Path) -> None:
    ran = command("compare", steady, spindle)
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert len(lines) < 40
    assert max(map(len, lines)) <= 120
    assert lines[0] == " compare  steady.lmap.gz -> spindle.lmap.gz  loop0"
    assert lines[1].startswith(
        " AFTER is slower, sure: 24.1 % of I/Os take more than 1.02 ms, 10.0 % before (+13.0 to "
    )
    assert " And it does less, sure: 855 -> 731 I/Os/s, x 0.86 (0.83 to 0.88)." in lines
    (p90,) = [" ".join(line.split()) for line in lines if line.startswith(" p90 ")]
    assert p90.startswith("p90 535 us 11.0 ms over a gap between two modes, no ratio")
    assert "\x1b" not in ran.out
    assert "AFTER less BEFORE" in ran.out


def test_a_small_screen_has_the_verdict_and_the_table(command: Command, steady: Path, spindle: Path) -> None:
    lines = command("compare", steady, spindle, env=SMALL).out.splitlines()
    assert len(lines) < 24
    assert max(map(len, lines)) <= 80
    assert "AFTER is slower, sure:" in lines[1]
    assert not any("FREQUENCY" in line for line in lines)


@pytest.mark.parametrize("columns", [24, 40, 46, 47, 60])
def test_no_line_is_longer_than_a_narrow_terminal(command: Command, steady: Path, spindle: Path, columns: int) -> None:
    lines = command("compare", steady, spindle, env={"COLUMNS": str(columns), "LINES": "40"}).out.splitlines()
    assert max(map(len, lines)) <= columns
    assert any("FREQUENCY" in line for line in lines) is (columns >= 47)


def record(second: int, per_second: int = 50) -> str:
    """Totals of a histogram so many seconds after BEGIN."""
    total = per_second * (second + 1)
    return (
        f"<begin record>\ntimestamp,microsec,{BEGIN + second + 1}000000,x\nlabel,sda\nlatencyunit,microsec\n"
        f"datasource,bpf\n64,{8 * total}\n8192,{total}\n<end record>\n"
    )


def test_a_part_without_data_is_hatched_and_has_no_numbers(command: Command, tmp_path: Path) -> None:
    gap = tmp_path / "gap.txt"
    gap.write_text("".join(record(second) for second in (*range(60), *range(240, 300))))
    parts = f"{gap}@..00:01", f"{gap}@00:02..00:03"
    before, after = command("compare", *parts, "--tz", "UTC"), command("compare", *parts[::-1], "--tz", "UTC")
    for ran, side in ((before, "AFTER"), (after, "BEFORE")):
        assert f" {side} has no data: nothing can be compared." in ran.out
        assert "no data" in next(line for line in ran.out.splitlines() if line.startswith(" rate "))
        rows = [line for line in ran.out.splitlines() if "│" in line]
        assert rows
        # Behind the hatched map of differences there is the average of the other side, and no more.
        assert all(len(line.rsplit(HATCH, 1)[1].split()) == 1 for line in rows)


def test_colours_only_where_they_are_asked_for(command: Command, steady: Path, spindle: Path) -> None:
    assert "48;2;" in command("compare", steady, spindle, "--depth", "truecolor").out
    assert "\x1b" in command("compare", steady, spindle, env={"CLICOLOR_FORCE": "1"}).out
    assert command("compare", steady, spindle, "--depth", "ascii").out.isascii()


def test_halves_of_one_file(command: Command, steady: Path) -> None:
    words = ("compare", f"{steady}@..11:13:34", f"{steady}@11:13:34..", "--series", "loop0")
    said = " ".join(command(*words).out.split())
    assert "No difference that these data could show: a change of all latencies by 5.4 % would have been seen." in said
    assert "30 columns a side: never sure, which takes 60." in said


def test_a_cold_start_is_a_drift(command: Command, root: Path) -> None:
    cold = root / "examples/cold-start.lmap.gz"
    said = command("compare", f"{cold}@..11:14:44", f"{cold}@11:14:44..", "--series", "loop0", "--json").out
    (one,) = json.loads(said)["series"]
    assert one["verdict"] == "drift"
    assert one["sentences"][0].startswith("AFTER differs, but so do the halves of both sides: ")


def test_the_zone_of_a_range_is_that_of_the_option(command: Command, steady: Path) -> None:
    here = command("compare", f"{steady}@..11:13:34", f"{steady}@11:13:34..", "--json")
    there = command("compare", f"{steady}@..20:13:34", f"{steady}@20:13:34..", "--json", "--tz", "Asia/Tokyo")
    first, second = (json.loads(ran.out)["series"][0] for ran in (here, there))
    assert first["shares"] == second["shares"]
    assert second["before"]["begin"].endswith("+09:00")


def test_several_runs_of_a_side(command: Command, steady: Path, spindle: Path) -> None:
    parts = [f"{steady}@..11:13:34", f"{steady}@11:13:34.."]
    ran = command("compare", "--before", *parts, "--after", spindle, "--json")
    said = json.loads(ran.out)
    assert said["files"] == {"before": parts, "after": [str(spindle)]}
    assert (said["series"][0]["before"]["runs"], said["series"][0]["after"]["runs"]) == (2, 1)


def test_other_forms_and_pictures(command: Command, steady: Path, spindle: Path, tmp_path: Path) -> None:
    svg = tmp_path / "a.svg"
    ran = command("compare", steady, spindle, "--markdown", "--series", "loop0", "--svg", svg, "--size", "100x50")
    assert ran.out.startswith("## loop0\n\n**AFTER is slower, sure:** 24.1 %")
    assert ElementTree.parse(svg).getroot().get("width") == str(100 * 9 + 18)


@pytest.mark.parametrize(
    ("condition", "status"),
    [
        ("p99 > 1.2 * before.p99", 6),
        ("p99 > 2 * before.p99", 0),
        ('all("sdx", p99 > before.p99)', 1),
        ("p99.999 > before.p99.999", 1),
        ("p99 > before.", 2),
        ("p99 > 20ms and rate < 0.9 * before.rate", 6),
    ],
)
def test_conditions(command: Command, steady: Path, spindle: Path, condition: str, status: int) -> None:
    assert command("compare", steady, spindle, "--fail-if", condition).status == status


def test_json_and_markdown_have_the_verdicts(command: Command, steady: Path, spindle: Path) -> None:
    words = ("compare", steady, spindle, "--fail-if", "p99 > before.p99")
    (verdict,) = json.loads(command(*words, "--json").out)["conditions"]
    assert (verdict["condition"], verdict["holds"]) == ("p99 > before.p99", True)
    assert "\n### Conditions\n\n- p99 \\> before.p99 holds" in command(*words, "--markdown").out


def test_verdicts_in_a_file(command: Command, steady: Path, spindle: Path, tmp_path: Path) -> None:
    file = tmp_path / "j.xml"
    words = ("compare", f"{steady}@11:13:10..", spindle, "--junit", file, "--fail-if")
    assert command(*words, "p99 > before.p99").status == 6
    (case,) = ElementTree.parse(file).iter("testcase")
    assert case.get("classname") == f"{steady}@11:13:10.. -> {spindle}"
    assert [part.tag for part in case] == ["failure"]
    missing = command("compare", f"{steady}@12:00..", spindle, "--junit", file, "--fail-if", "p99 > before.p99")
    assert missing.status == 1
    (case,) = ElementTree.parse(file).iter("testcase")
    assert [part.tag for part in case] == ["error"]


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("{}",), 2, "two files, BEFORE and AFTER: 1 given"),
        (("{}", "{}", "{}"), 2, "3 given; several runs of a side: --before FILE"),
        (("--before", "{}"), 2, "either BEFORE AFTER, or --before"),
        (("{}", "--before", "{}", "--after", "{}"), 2, "either BEFORE AFTER, or --before"),
        (("-", "-"), 2, "standard input can be read only once"),
        (("{}", "{}", "--svg", "a.png"), 2, "must end in .svg"),
        (("{}", "{}", "--size", "100x50"), 2, "--size is that of --svg and --png"),
        (("{}@soon..", "{}"), 2, "'soon' is no time"),
        (("{}", "nothing.lmap"), 3, "nothing.lmap"),
        (("{}@2030-01-01..", "{}"), 1, "nothing was recorded after"),
        (("{}", "{}", "--series", "nobody"), 1, "nobody"),
    ],
)
def test_wrong_uses(command: Command, steady: Path, words: tuple[str, ...], status: int, said: str) -> None:
    ran = command("compare", *(word.format(steady) for word in words))
    assert ran.status == status
    assert said in ran.err


def test_a_picture_does_not_replace_what_is_read(command: Command, tmp_path: Path, steady: Path) -> None:
    (tmp_path / "a.svg").symlink_to(steady)
    ran = command("compare", tmp_path / "a.svg", steady, "--svg", tmp_path / "a.svg")
    assert (ran.status, "this file is read" in ran.err) == (2, True)


def test_no_series_in_common(command: Command, steady: Path, root: Path) -> None:
    ran = command("compare", steady, root / "examples/flags.lmap.gz")
    assert ran.status == 1
    assert "no series in common: BEFORE has loop0 and vda; AFTER has " in ran.err


def test_where_triangles_may_be_wide_there_are_letters(command: Command, steady: Path, spindle: Path) -> None:
    out = command("compare", steady, spindle, env={"LC_ALL": "ja_JP.UTF-8", "PYTHONUTF8": "1"}).out
    assert "fedcba" in out
    assert "△" not in out


def test_the_markdown_shows_the_picture(command: Command, steady: Path, spindle: Path, tmp_path: Path) -> None:
    ran = command("compare", steady, spindle, "--markdown", "--svg", tmp_path / "a.svg")
    assert f"![Heat maps of steady.lmap.gz -\\> spindle.lmap.gz]({tmp_path}/a.svg)" in ran.out.splitlines()
    assert "![" not in command("compare", steady, spindle, "--markdown").out

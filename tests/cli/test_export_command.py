"""``pylatencymap export``."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

Command = Callable[..., Any]


def test_svg(command: Command, three: Path, tmp_path: Path) -> None:
    target = tmp_path / "map.SVG"
    ran = command("export", three, "-o", target)
    assert (ran.status, ran.out, ran.err) == (0, "", "")
    root = ElementTree.parse(target).getroot()
    assert root.tag.endswith("svg")
    assert "FREQUENCY" in "".join(root.itertext())


def test_the_title_of_a_picture_names_file_series_and_day(command: Command, three: Path, tmp_path: Path) -> None:
    target = tmp_path / "map.svg"
    ran = command("export", three, "-o", target, "--tz", "UTC", "--date", "2026-03-02")
    assert ran.status == 0
    title, about = (str(one.text) for one in list(ElementTree.parse(target).getroot())[:2])
    assert title.startswith("three.txt, biolatency, ")
    assert "2026-03-02 10:00:00 to 10:00:03 UTC" in title
    assert "128 us, 10, 73 %" in about  # 30 of 41 events in 3 s
    assert "16.4 ms, 1, 7 %" in about


def test_png(command: Command, three: Path, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    small, large = tmp_path / "small.png", tmp_path / "large.png"
    assert command("export", three, "-o", small, "--size", "80x24").status == 0
    assert command("export", three, "-o", large, "--size", "160x48").status == 0
    with image.open(small) as a, image.open(large) as b:
        assert (b.width, b.height) == pytest.approx((2 * a.width, 2 * a.height), rel=0.05)
        assert len(a.convert("RGB").getcolors(1 << 20)) > 4


def test_what_is_drawn_can_be_chosen(command: Command, make_stream: Any, tmp_path: Path) -> None:
    target = tmp_path / "x.svg"
    text = make_stream("sda", {64: 1}, {64: 9}) + make_stream("sdb", {4096: 1}, {4096: 9})
    assert command("export", "-", "-o", target, "--series", "SDA", "--map", "frequency", given=text).status == 0
    drawn = "".join(ElementTree.parse(target).getroot().itertext())
    assert "sda" in drawn
    assert "sdb" not in drawn
    assert "INTENSITY" not in drawn


def test_a_path_that_cannot_be_written_is_named(command: Command, three: Path, tmp_path: Path) -> None:
    ran = command("export", three, "-o", tmp_path / "none" / "x.svg")
    assert ran.status == 3
    assert ran.err == f"pylatencymap: {tmp_path}/none/x.svg: cannot be written: No such file or directory\n"


def test_an_unknown_extension_is_refused_before_anything_is_read(command: Command, tmp_path: Path) -> None:
    for name in ("x.bmp", "x", "x.svg.gz", ".csv"):
        ran = command("export", tmp_path / "missing", "-o", tmp_path / name)
        assert ran.status == 2
        assert "known are .svg .png" in ran.err


def test_without_pillow_the_message_says_what_to_install(command: Command, three: Path, tmp_path: Path) -> None:
    (tmp_path / "PIL.py").write_text("raise ImportError('simulated: not there')\n")
    path = ":".join([str(tmp_path), str(Path(__file__).parent.parent.parent)])
    ran = command("export", three, "-o", tmp_path / "x.png", env={"PYTHONPATH": path})
    assert ran.status in (2, 3)
    assert ran.err.endswith(" -m pip install Pillow\n")
    assert not (tmp_path / "x.png").exists()
    assert command("export", three, "-o", tmp_path / "x.svg", env={"PYTHONPATH": path}).status == 0


@pytest.mark.parametrize("name", ["csv", "jsonl", "lmap", "hlog", "txt", "ans", "svg", "cast"])
def test_standard_output_is_named_by_a_format(command: Command, three: Path, tmp_path: Path, name: str) -> None:
    target = tmp_path / f"x.{name}"
    assert command("export", three, "-o", target).status == 0
    ran = command("export", three, "-o", "-", "--to", name)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == target.read_bytes().decode()


def test_standard_output_needs_a_format(command: Command, three: Path) -> None:
    ran = command("export", three, "-o", "-")
    assert ran.status == 2
    assert "--to names the format: svg png" in ran.err
    ran = command("export", three, "-o", "-", "--to", "gif")
    assert ran.status == 2
    assert "no format (svg png" in ran.err


def test_to_is_a_time_as_well(command: Command, three: Path, tmp_path: Path) -> None:
    whole, part = tmp_path / "whole.csv", tmp_path / "part.csv"
    assert command("export", three, "-o", whole, "--tz", "UTC").status == 0
    rows = whole.read_text().splitlines()
    assert command("export", three, "-o", part, "--tz", "UTC", "--to", rows[1].split(",")[6]).status == 0
    assert part.read_text().splitlines()[0] == rows[0]
    assert 1 < len(part.read_text().splitlines()) < len(rows)


def test_nothing_to_write_leaves_an_older_file(command: Command, tmp_path: Path) -> None:
    target = tmp_path / "x.csv"
    target.write_text("older")
    ran = command("export", "-", "-o", target, given="")
    assert ran.status == 3
    assert target.read_text() == "older"


def test_data_of_a_part_and_a_series(command: Command, make_stream: Any, tmp_path: Path) -> None:
    target = tmp_path / "x.jsonl"
    text = make_stream("sda", {64: 1}, {64: 9}) + make_stream("sdb", {4096: 1}, {4096: 9})
    assert command("export", "-", "-o", target, "--series", "sda", given=text).status == 0
    assert '"sda"' in target.read_text()
    assert "sdb" not in target.read_text()


def test_marks_go_into_a_recording(command: Command, three: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole.csv"
    assert command("export", three, "-o", whole, "--tz", "UTC").status == 0
    marks, target = tmp_path / "marks", tmp_path / "x.lmap"
    marks.write_text(f"{whole.read_text().splitlines()[1].split(',')[6]},deploy 7\n")
    assert command("export", three, "-o", target, "--marks", marks, "--tz", "UTC").status == 0
    assert "deploy 7" in target.read_text()
    drawn = command("export", target, "-o", "-", "--to", "txt")
    assert drawn.status == 0


@pytest.mark.parametrize("name", ["x.csv", "x.svg", "x.html", "x.cast"])
def test_an_input_is_never_replaced(command: Command, three: Path, tmp_path: Path, name: str) -> None:
    before = three.read_bytes()
    source, target = tmp_path / "read.lmap", tmp_path / name
    source.write_bytes(before)
    target.symlink_to(source)
    for output in (target, source):
        ran = command("export", source, "-o", output, "--to", target.suffix[1:])
        assert (ran.status, ran.err) == (2, f"pylatencymap: -o {output}: this file is read; write to another one\n")
    assert source.read_bytes() == before


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (["--series", "sum"], "--series sum"),
        (["--size", "80x24", "--palette", "viridis"], "--size, --palette"),
        (["--min-latency", "1ms"], "--min-latency"),
    ],
)
def test_options_of_pictures_are_refused_for_data(
    command: Command, three: Path, tmp_path: Path, given: list[str], named: str
) -> None:
    ran = command("export", three, "-o", tmp_path / "x.csv", *given)
    assert ran.status == 2
    assert f"{named}: only for pictures; csv has the data as they are" in ran.err
    assert not (tmp_path / "x.csv").exists()


def test_the_speed_is_for_films_alone(command: Command, three: Path, tmp_path: Path) -> None:
    for name in ("x.svg", "x.csv", "x.html"):
        ran = command("export", three, "-o", tmp_path / name, "--speed", "2x")
        assert (ran.status, "--speed is for films" in ran.err) == (2, True)

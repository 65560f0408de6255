"""A page is one file that loads nothing, says what the terminal says, and shows text from outside as text."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections import Counter
from datetime import timezone
from html import unescape
from importlib.resources import files
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

import pylatencymap as lm
from pylatencymap.cli.main import run as main
from pylatencymap.errors import UsageError
from pylatencymap.export import PAGES
from pylatencymap.export.page import PageContent, render_page
from pylatencymap.interval import Interval
from pylatencymap.number_text import average_text, count_words, quantile_text
from pylatencymap.record import Mark, Stamp
from pylatencymap.session import MarkList, Viewpoint, page_content
from pylatencymap.units import Unit
from pylatencymap.view.style import ViewOptions, theme_of
from pylatencymap.window import Window
from tests.export.page.decoding import PageParts

SECOND = 1_000_000
BEGIN = 1_772_409_600 * SECOND
EVIL = "</script><img src=x onerror=alert(1)>\x1b[31m\u202e&amp;<!--"
ALLOWED = {"default-src", "style-src", "script-src", "img-src", "base-uri", "form-action"}


def window_of(name: str = "a", label: str = "") -> Window:
    window = Window()
    for number in range(60):
        start = BEGIN + number * SECOND
        ranges = ((64, 128, 900 + number), (8192, 16384, 20 if number != 40 else 4000))
        window.add(Interval(name, Unit.US, start, start + SECOND, 1.0, ranges, 0.4, label=label))
    return window


def hostile() -> PageContent:
    marks = MarkList()
    marks.add(Mark(Stamp(BEGIN + 30 * SECOND), EVIL))
    return page_content(
        window_of(EVIL, EVIL), marks, Viewpoint(), timezone.utc, files=(f"/tmp/{EVIL.replace('/', '')}.lmap",), bad=3
    )


@pytest.fixture(scope="module")
def cold(tmp_path_factory: pytest.TempPathFactory, root: Path) -> str:
    path = tmp_path_factory.mktemp("page") / "cold.html"
    lm.read(root / "examples/cold-start.lmap.gz", tz="UTC").save(path)
    return path.read_text(encoding="utf-8")


def test_names_from_outside_are_text() -> None:
    parts = PageParts(render_page(hostile()))
    assert not {tag for tag, _ in parts.tags} & {"img", "object", "embed", "iframe", "base", "form action"}
    assert not [name for _, attributes in parts.tags for name in attributes if name.startswith("on")]
    assert all(attributes.get("src") is None for _, attributes in parts.tags)
    shown = "</script><img src=x onerror=alert(1)>\\x1b[31m\\u202e&amp;<!--"
    assert parts.about["series"][0]["name"] == shown
    assert any(shown in moment["what"] for moment in parts.about["series"][0]["moments"])
    assert "".join(parts.text).count(shown) >= 2
    assert "3 bad records left out" in "".join(parts.text)


@pytest.mark.parametrize("word", ["\x1b", "\u202e", "\u2028", "<img", "<!--"])
def test_nothing_from_outside_is_in_a_page_as_it_came(word: str) -> None:
    assert word not in render_page(hostile())


def test_the_policy_allows_this_style_and_script_and_nothing_else(cold: str) -> None:
    policy = next(one["content"] for tag, one in PageParts(cold).tags if one.get("http-equiv"))
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules.keys() == ALLOWED
    assert (rules["default-src"], rules["img-src"]) == ("'none'", "data:")
    style, loader = (re.findall(rf"<{tag}>(.*?)</{tag}>", cold, re.DOTALL) for tag in ("style", "script"))
    assert rules["style-src"].split() == [digest(text) for text in style]
    assert rules["script-src"].split() == [digest(text) for text in (*loader, PageParts(cold).program)]
    assert len(style) == len(loader) == 1


def digest(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_the_script_is_small_and_whole(cold: str) -> None:
    """What is left out of it are blanks and comments."""
    parts, folder = PageParts(cold), files("pylatencymap.export.page").joinpath("web")
    assert len(parts.scripts["program"]) + len(parts.scripts["script"]) < 32_000
    said = [path.read_text(encoding="utf-8").splitlines() for path in folder.iterdir() if path.name.endswith(".js")]
    wanted = Counter(line.strip() for lines in said for line in lines if not re.match(r" *(//|$)", line))
    found = Counter([*parts.program.splitlines(), *parts.scripts["script"].splitlines()])
    assert wanted - found == Counter()
    assert (found - wanted).total() == 3, "the function around it"


def test_a_page_names_no_other_place(cold: str) -> None:
    for text in (cold, PageParts(cold).program):
        assert not re.findall(r"https?:|\bwss?:|@import|url\(|\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon", text)
    linked = [one for _, attributes in PageParts(cold).tags for one in attributes if one in ("src", "href", "srcset")]
    assert linked == ["href"]
    assert '<link rel="icon" href="data:,">' in cold


def test_the_text_in_place_of_the_picture_has_the_figures_of_a_summary(cold: str, root: Path) -> None:
    run = lm.read(root / "examples/cold-start.lmap.gz", tz="UTC")
    text = unescape("".join(PageParts(cold).text))
    for name in run.series:
        about = run.summary(name)
        assert about.average
        assert about.p99
        assert f"{name}: {count_words(about.events)} I/Os" in text
        assert f"average {average_text(about.average)}" in text
        assert f"p99 {quantile_text(about.p99)}" in text
        for change in run.changes(name):
            assert change.text in text


def test_page_picture_report_and_run_have_the_same_times(cold: str, root: Path, tmp_path: Path) -> None:
    run = lm.read(root / "examples/cold-start.lmap.gz", tz="UTC")
    assert next(run.intervals()).start % SECOND > 0.9 * SECOND, "which all have to round"
    run.save(tmp_path / "cold.svg")
    times = "2026-11-21 11:14:08 to 11:15:22 UTC"
    assert f", {times}, " in (tmp_path / "cold.svg").read_text(encoding="utf-8").partition("</title>")[0]
    assert f"{times}, every 1 s" in unescape("".join(PageParts(cold).text))
    assert times in str(run.report())
    assert "2026-11-21 11:14:08 to 2026-11-21 11:15:22" in repr(run)


def test_modes_are_those_of_the_run(cold: str, root: Path) -> None:
    run = lm.read(root / "examples/cold-start.lmap.gz", tz="UTC")
    for name, one in zip(run.series, PageParts(cold).about["series"][:-1], strict=True):
        found = run.modes(name)
        assert [mode["events"] for mode in one["modes"]][: len(found.modes) - 1] == [
            mode.share.value for mode in found.modes
        ][: len(found.modes) - 1]


@pytest.mark.parametrize("palette", ["cool-warm", "viridis", "classic"])
def test_colours_are_those_of_the_terminal(palette: str) -> None:
    content = page_content(window_of(), MarkList(), Viewpoint(ViewOptions(palette=palette)), timezone.utc)
    colours = PageParts(render_page(content)).about["colours"]
    for background in ("dark", "light"):
        theme = theme_of(ViewOptions(palette=palette, background=background))
        steps = sum(1 for ink in theme if 16 < ink < 32)
        assert len(colours[background]["frequencyRamp"]) == len(colours[background]["intensityRamp"]) == steps


def test_times_are_in_the_zone_of_the_run_with_its_changes() -> None:
    window = Window()
    begin = 1_774_746_000 * SECOND  # 2026-03-29 01:00 UTC, when summer time begins
    for number in range(-5, 5):
        start = begin + number * 3600 * SECOND
        window.add(Interval("a", Unit.US, start, start + 3600 * SECOND, 3600.0, ((64, 128, 9),), 0.1))
    content = page_content(window, MarkList(), Viewpoint(), ZoneInfo("Europe/Vienna"))
    zone = PageParts(render_page(content)).about["zone"]
    assert zone == {"name": "Europe/Vienna", "clock": True, "offsets": [[begin - 18_000 * SECOND, 3600], [begin, 7200]]}


def test_save_and_export_write_the_same_page(cold: str, tmp_path: Path, root: Path) -> None:
    path = tmp_path / "cold.HTML"
    assert main(["export", str(root / "examples/cold-start.lmap.gz"), "-o", str(path), "--tz", "UTC"]) == 0
    assert path.read_text(encoding="utf-8") == cold


def test_a_notebook_shows_the_page_in_a_frame_of_its_own(root: Path) -> None:
    shown = lm.read(root / "examples/cold-start.lmap.gz", tz="UTC")._repr_html_()
    ((tag, attributes),) = PageParts(shown).tags
    assert tag == "iframe"
    assert attributes["sandbox"] == "allow-scripts allow-modals"
    assert attributes["srcdoc"]
    assert PageParts(attributes["srcdoc"]).about["title"] == "cold-start.lmap.gz"
    assert len(shown) < 400_000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--size", "80x30"], "--size: only for pictures"),
        (["--map", "frequency", "--rows", "8"], "--rows, --map: only for pictures"),
        (["--series", "sum"], "--series sum: only for pictures"),
        (["--finest", "7s"], "near it is 5s"),
    ],
)
def test_what_a_page_cannot_do_is_said_before_anything_is_read(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "no-such-file.lmap", "-o", str(tmp_path / "x.html"), *words]) == 2
    assert said in capsys.readouterr().err


def test_finest_is_for_pages(tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "no-such-file.lmap", "-o", str(tmp_path / "x.svg"), "--finest", "1s"]) == 2
    assert "--finest is for pages, and svg is none" in capsys.readouterr().err
    run = lm.read(root / "examples/cold-start.lmap.gz")
    with pytest.raises(UsageError, match=r"finest is for pages, and \.svg is none"):
        run.save(tmp_path / "x.svg", finest=1.0)
    with pytest.raises(UsageError, match="size: only for pictures"):
        run.save(tmp_path / "x.html", size=(80, 30))
    assert not list(tmp_path.iterdir())


def test_an_unknown_extension_names_pages_too(tmp_path: Path) -> None:
    assert list(PAGES) == [".html"]
    with pytest.raises(UsageError, match=r"known are .*\.html"):
        lm.read(("1\n2\n" * 30).encode(), format="columns", latency="1", time="none", unit="ms").save(
            tmp_path / "x.bmp"
        )

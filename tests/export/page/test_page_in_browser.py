"""The page in Chromium: what it says is what the library says, and each key and gesture does what it should."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from math import inf
from pathlib import Path

import pytest

import pylatencymap as lm
from pylatencymap.api.run import Run
from pylatencymap.errors import LatencyMapError
from pylatencymap.interval import Interval
from pylatencymap.number_text import (
    average_text,
    exact_text,
    percent_text,
    quantile_text,
    quantile_words,
    range_text,
    waited_text,
)
from pylatencymap.session import MarkList
from pylatencymap.units import Unit
from pylatencymap.view.layout.colour_scale import levels_of, wanted_maximum
from pylatencymap.view.style import ColourDepth
from pylatencymap.view.style.ramps import ramp
from pylatencymap.window import Quantity, Summary, Window
from tests.export.page.browsing import DESKTOP, PHONE, Browser, browser, number
from tests.export.page.decoding import PageParts
from tests.export.page.recordings import BEGIN, GAP, HOURS, SECOND, cold_start, many_levels

pytestmark = pytest.mark.heavy

RANKS = ("p50", "p90", "p99")
LEFT, RIGHT = 84, 1200 - 252


@pytest.fixture(scope="module")
def desktop() -> Iterator[Browser]:
    with browser(DESKTOP) as found:
        yield found


@pytest.fixture(scope="module")
def many() -> Run:
    return many_levels()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def many_page(many: Run, folder: Path) -> Path:
    many.save(folder / "many.html")
    return folder / "many.html"


@pytest.fixture(scope="module")
def cold(root: Path) -> Run:
    return cold_start(root)


@pytest.fixture(scope="module")
def cold_page(cold: Run, folder: Path) -> Path:
    cold.save(folder / "cold.html")
    return folder / "cold.html"


@pytest.fixture
def on_many(desktop: Browser, many_page: Path) -> Iterator[Browser]:
    """The page with many levels, fresh; its console has nothing to say afterwards."""
    desktop.open(many_page)
    yield desktop
    assert desktop.errors() == []


@pytest.fixture
def on_cold(desktop: Browser, cold_page: Path) -> Iterator[Browser]:
    desktop.open(cold_page)
    yield desktop
    assert desktop.errors() == []


def times_of(text: str, year: int = 2026, day: str = "") -> tuple[int, int]:
    """Begin and end in epoch microseconds of ``Tue 03-03 03:20-03:25`` and its like, in UTC."""
    days = re.findall(r"\d\d-\d\d(?= \d\d:)", text) or [day]
    clocks = re.findall(r"\d\d:\d\d(?::\d\d)?", text)
    found = []
    for place, clock in enumerate(clocks):
        words = f"{year}-{days[min(place, len(days) - 1)]} {clock if len(clock) > 5 else clock + ':00'}"
        found.append(round(datetime.fromisoformat(words).replace(tzinfo=timezone.utc).timestamp()) * SECOND)
    if found[-1] < found[0]:
        found[-1] += 86_400 * SECOND
    return found[0], found[-1]


# -- the same numbers


@pytest.mark.parametrize("name", ["sda", "log file sync"])
@pytest.mark.parametrize("zooms", [0, 3, 8])
def test_the_read_out_has_the_counts_and_figures_of_the_run(on_many: Browser, many: Run, name: str, zooms: int) -> None:
    if name != "sda":
        on_many.key("TAB")
    for _ in range(zooms):
        on_many.wheel(LEFT + 580, 150, -400)
    checked = 0
    for x in range(LEFT + 7, RIGHT, 61):
        for y in range(105, 270, 15):
            on_many.move(x, y)
            checked += is_as_in_the_run(on_many.readout(), many, name)
    assert checked > 20


def is_as_in_the_run(told: dict[str, str] | None, run: Run, name: str) -> bool:
    """Whether a cell has data; if so, all of its read-out has been compared with the run."""
    if told is None or "counted" not in told:
        return False
    begin, end = times_of(told["time"])
    jitter = 0 if name == "sda" else 2 * SECOND
    matrix = run.matrix(name, start=begin + jitter, end=end + jitter)
    if not matrix.columns:
        return False
    rows = [range_text(low, high) for low, high in zip(matrix.bounds[:-1], matrix.bounds[1:], strict=True)]
    known = told["range"] in rows
    counts = matrix.counts[rows.index(told["range"])].sum() if known else 0
    assert told["counted"].startswith(f"{counts:,.0f} of {matrix.counts.sum():,.0f} ")
    seconds = matrix.seconds.sum()
    assert told["this cell"].split(" ")[0] == exact_text(counts / seconds)
    if counts:
        assert told["this cell"].endswith(f", {percent_text(counts / matrix.counts.sum())}")
    about = run.summary(name, start=begin + jitter, end=end + jitter)
    assert about.p50
    assert about.p90
    assert about.p99
    assert told["p50  p90  p99"] == "   ".join(map(quantile_text, (about.p50, about.p90, about.p99)))
    return bool(counts)


@pytest.mark.parametrize("name", ["loop0", "vda"])
def test_figures_of_all_are_those_of_the_summary(on_cold: Browser, cold: Run, name: str) -> None:
    if name == "vda":
        on_cold.key("TAB")
    assert on_cold.text("[role=tab][aria-selected=true]") == name
    compare_figures(on_cold, cold, name)


def compare_figures(page: Browser, run: Run, name: str, begin: int | None = None, end: int | None = None) -> None:
    compare_with(page, run.summary(name, start=begin, end=end), quantile_words if begin is None else quantile_text)


def compare_with(page: Browser, about: Summary, words: Callable[[Quantity], str]) -> None:
    assert about.average
    said = page.text("#figures p")
    assert said.startswith(f"{about.events:,.0f} ")
    assert said.endswith(f"{exact_text(about.events / about.span)}/s, {waited_text(about.waited / about.span)} waited")
    found = dict(zip(page.texts("#figures .ranks th"), page.texts("#figures .ranks td"), strict=True))
    wanted = {"avg": average_text(about.average)}
    wanted |= {rank: words(getattr(about, rank)) for rank in RANKS}
    assert found == wanted


def test_figures_of_the_sum_are_those_of_all_series_added_up(on_cold: Browser, cold: Run) -> None:
    on_cold.key("3")
    assert on_cold.texts("[role=tab]") == ["loop0", "vda", "sum"]
    window = cold._window
    assert window.start is not None
    assert window.end is not None
    selection = window.added_up("sum").between(window.start, window.end, None)
    compare_with(on_cold, selection.summary(), quantile_words)
    matrix = selection.matrix()
    on_cold.move(LEFT + 100, 150)
    told = on_cold.readout()
    assert told
    begin, _ = times_of(told["time"], day="11-21")
    column = next(place for place, end in enumerate(matrix.ends.tolist()) if end > begin + SECOND / 2)
    rows = [range_text(low, high) for low, high in zip(matrix.bounds[:-1], matrix.bounds[1:], strict=True)]
    counts = matrix.counts[:, column]
    assert told["counted"].startswith(f"{counts[rows.index(told['range'])]:,.0f} of {counts.sum():,.0f} ")


def test_series_that_end_at_other_times_are_added_on_a_grid(on_many: Browser, many: Run) -> None:
    """What all waited is the sum of what each waited; a gap of one series is none of the sum."""
    on_many.key("3")
    parts = [many.summary(name) for name in many.series]
    said = on_many.text("#figures p")
    assert said.startswith(f"{sum(one.events for one in parts):,.0f} events, ")
    waited = float(said.split(", ")[-1].split(" ")[0]) / 1e3
    assert waited * HOURS * 3600 == pytest.approx(sum(one.waited for one in parts), rel=2e-3)
    on_many.drag(LEFT + (RIGHT - LEFT) * 10.2 // HOURS, 150, LEFT + (RIGHT - LEFT) * 10.8 // HOURS)
    on_many.move(LEFT + 300, 150)
    told = on_many.readout()
    assert told
    begin, end = times_of(told["time"])
    assert GAP[0] <= (begin - BEGIN) / SECOND < (end - BEGIN) / SECOND <= GAP[1]
    events = sum(run_events(many, name, begin, end) for name in many.series)
    assert number(told["counted"].partition(" of ")[2]) == events


def run_events(run: Run, name: str, begin: int, end: int) -> float:
    """Events of the intervals whose middle is in a time."""
    return sum(one.events for one in run.intervals(name) if begin < (one.start + one.end) / 2 <= end)


def test_the_shares_above_the_slo_are_those_of_the_footer(desktop: Browser, cold: Run, folder: Path) -> None:
    cold.save(folder / "slo.html", slo="10ms")
    desktop.open(folder / "slo.html")
    cells = desktop.texts("#figures .modes tr:last-child > *")
    assert cells[0] == "SLO 10 ms"
    cold.save(folder / "slo.txt", slo="10ms", size=(160, 45))
    (footer,) = [line for line in (folder / "slo.txt").read_text().splitlines() if "▸ SLO 10 ms" in line]
    events, waited = cells[1].removesuffix(" slower"), cells[2]
    assert f"{events} of I/Os are slower, with {waited}" in footer
    assert f"{events} of I/Os are slower than the SLO, with {waited}" in desktop.text("#text")


def test_each_source_makes_a_page_with_its_figures(desktop: Browser, root: Path, folder: Path) -> None:
    """The samples of all collectors: units, open ranges, exact and estimated times, with and without a clock."""
    opened = 0
    for sample in sorted(one for one in (root / "tests/collectors/samples").rglob("*") if one.is_file()):
        try:
            run = lm.read(sample, tz="UTC")
        except LatencyMapError:
            continue  # refused, or without an interval
        run.save(folder / "sample.html")
        desktop.open(folder / "sample.html")
        about = run.summary()
        if about.average is not None:
            said = dict(zip(desktop.texts("#figures .ranks th"), desktop.texts("#figures .ranks td"), strict=True))
            wanted = [average_text(about.average), *(quantile_text(getattr(about, rank)) for rank in RANKS)]
            for text, other in zip((re.split(r" \(| or more", one)[0] for one in said.values()), wanted, strict=True):
                assert text == other or is_next_to(text, other), (sample, said, wanted)
        assert desktop.errors() == [], sample
        opened += 1
    assert opened > 90


def is_next_to(text: str, other: str) -> bool:
    """Whether two texts differ by one in their last digit only: a sum was just between both."""
    (one, unit), (two, same) = text.split()[-2:], other.split()[-2:]
    decimals = len(one.partition(".")[2])
    return unit == same and abs(float(one) - float(two)) < 1.5 * 10**-decimals


@pytest.mark.parametrize(("name", "ends"), [("sda", (300, 700)), ("sda", (90, 120)), ("log file sync", (200, 500))])
def test_figures_of_a_part_are_those_of_its_summary(
    on_many: Browser, many: Run, name: str, ends: tuple[int, int]
) -> None:
    if name != "sda":
        on_many.key("TAB")
    on_many.drag(ends[0], 150, ends[1])
    heading = on_many.text("#figures h2")
    begin, end = times_of(heading.partition(": ")[2].partition(", columns")[0])
    jitter = 0 if name == "sda" else 2 * SECOND
    compare_figures(on_many, many, name, begin + jitter, end + jitter)


@pytest.mark.parametrize("scale", ["sqrt", "linear", "log", "share"])
@pytest.mark.parametrize("background", ["dark", "light"])
def test_each_cell_has_the_colour_that_the_terminal_gives_it(
    on_cold: Browser, cold: Run, scale: str, background: str
) -> None:
    on_cold.run(
        "for (const b of document.querySelectorAll('#choices button'))"
        " if (b.textContent === arguments[0] || b.textContent === arguments[1]) b.click()",
        scale,
        background,
    )
    on_cold.drawn()
    matrix = cold.matrix("loop0")
    for kind, values, top in (("frequency", matrix.frequency(), 0), ("intensity", matrix.intensity(), 1)):
        colours = ramp(kind, "cool-warm", background, ColourDepth.TRUECOLOR)
        levels = levels_of(values, wanted_maximum(values), len(colours), scale)
        seen = pixels(on_cold, matrix.rows, matrix.columns, top)
        for row in range(matrix.rows):
            for column in range(matrix.columns):
                level = int(levels[row, column])
                wanted = None if not level else colours[level - 1] if level <= len(colours) else CLIP[background]
                assert seen[row][column] == (None if wanted is None else list(wanted)), (kind, row, column)


CLIP = {"dark": (255, 255, 255), "light": (0, 0, 0)}


def pixels(page: Browser, rows: int, columns: int, number: int) -> list[list[list[int] | None]]:
    """The colour in the middle of each cell, lowest row first; None: nothing is drawn there."""
    return list(
        page.run(
            """const [rows, columns, number, left, right] = arguments;
            const canvas = document.getElementById("picture"), pen = canvas.getContext("2d");
            const room = Math.max((window.innerHeight - 440) / 2, 150);
            const row = Math.max(Math.min(Math.floor(room / rows), 22), 3);
            const top = number ? 30 + row * rows + 56 : 30;
            return Array.from({length: rows}, (_, r) => Array.from({length: columns}, (_, c) => {
              const x = left + (c + 0.5) * (right - left) / columns, y = top + (rows - r - 0.5) * row;
              const [red, green, blue, alpha] = pen.getImageData(x, y, 1, 1).data;
              return alpha ? [red, green, blue] : null;
            }));""",
            rows,
            columns,
            number,
            LEFT,
            RIGHT,
        )
    )


# -- keys


def test_keys_change_the_scale_the_series_and_the_part(on_many: Browser) -> None:
    def pressed(group: str) -> str:
        return on_many.text(f"[aria-label={group}] [aria-pressed=true]")

    for scale in ("linear", "log", "share", "sqrt"):
        on_many.key("c")
        assert pressed("colour") == scale
    on_many.key("TAB")
    assert on_many.text("[role=tab][aria-selected=true]") == "log file sync"
    on_many.key("TAB", "2", "1")
    assert on_many.text("[role=tab][aria-selected=true]") == "sda"
    assert on_many.text("#figures h2").startswith("All 30 h,")
    on_many.key("[", "[")
    assert on_many.text("#figures h2").startswith("7.5 h of") or "7 h 30 min of 30 h" in on_many.text("#figures h2")
    on_many.key("BACK_SPACE")
    on_many.key("a")
    assert on_many.text("#figures h2").startswith("All 30 h,")


def test_moments_come_in_the_order_of_their_cost_and_then_of_time(on_many: Browser, many: Run) -> None:
    told = on_many.texts("#moments li")
    change = many.changes("sda")[0]
    assert told[0].split("\n")[0] == "1"
    assert change.text in told[0]
    assert [line.split("\n")[0] for line in told] == ["1", "G", "M", "R"]
    assert "gap: no data for 1 h (no data is not zero); cost: not known" in told[1]
    on_many.key("n")
    assert on_many.text("#said").startswith("1 03-02 20:00-20:20: ")
    assert on_many.text("#moments [aria-current=true]").split("\n")[0] == "1"
    begin, end = times_of(on_many.text("#figures h2").partition(": ")[2].partition(", columns")[0])
    assert begin < BEGIN + 20 * 3600 * SECOND < end
    on_many.key("n")
    assert on_many.text("#said").startswith("R 03-03 01:00:07: reset")
    on_many.key("N", "N")
    assert on_many.text("#said").startswith("G 03-02 10:00-11:00: gap")
    on_many.key("BACK_SPACE", "BACK_SPACE", "BACK_SPACE", "BACK_SPACE")
    assert on_many.text("#figures h2").startswith("All 30 h,")


def test_a_gap_is_said_and_has_no_figures(on_many: Browser) -> None:
    on_many.move(LEFT + (RIGHT - LEFT) * 10.5 / 30, 150)
    told = on_many.readout()
    assert told is not None
    assert "gap: no data for 1 h (no data is not zero)" in told
    assert told["time"] == "Mon 03-02 10:00-11:00"


def test_a_part_that_is_all_gap_has_no_figures_either(on_many: Browser) -> None:
    """Nor a rate of 0 beside the maps."""
    scale = (RIGHT - LEFT) / HOURS
    on_many.drag(LEFT + scale * (GAP[0] / 3600 + 0.25), 150, LEFT + scale * (GAP[1] / 3600 - 0.25))
    assert re.search(r": 03-02 10:\d\d-1[01]:\d\d, columns", on_many.text("#figures h2"))
    assert on_many.text("#figures p") == "no data, which is not zero"
    assert on_many.texts("#figures caption") == ["modes of all 30 h"]
    assert lines_beside_the_maps(on_many) == 3, "their headings, and how to zoom"
    on_many.key("BACK_SPACE")
    assert lines_beside_the_maps(on_many) > 5


def lines_beside_the_maps(page: Browser) -> int:
    """Lines of shares and units at the right of both maps."""
    return int(
        page.run(
            """const canvas = document.getElementById("picture"), height = canvas.height;
            const drawn = canvas.getContext("2d").getImageData(arguments[0] + 80, 0, 40, height).data;
            const isLit = (y) => drawn.slice(y * 160, (y + 1) * 160).some((value, at) => at % 4 === 3 && value);
            return Array.from({ length: height }, (_, y) => y && isLit(y) && !isLit(y - 1)).filter(Boolean).length;""",
            RIGHT,
        )
    )


def test_a_single_event_and_long_names_are_written_well(desktop: Browser, folder: Path) -> None:
    """Names that differ at their end can be told apart, and what is longer than its place is condensed to it."""
    names = [f"db file sequential read block#={block}" for block in (28_493_101, 28_312_080)]
    window = Window(inf)
    for place, name in enumerate(names):
        for second in range(178):
            at = BEGIN + second * SECOND
            ranges = ((65_536, 131_072, 1),) if second == 9 * (place + 1) else ()
            window.add(Interval(name, Unit.US, at, at + SECOND, 1.0, ranges, 0.1 * len(ranges), label="waits"))
    Run(window, MarkList(), 1, (), timezone.utc, ("x.trc",)).save(folder / "single.html")
    desktop.open(folder / "single.html")
    assert desktop.text("#figures p").startswith("1 event, ")
    tabs = desktop.run(
        """return [...document.querySelectorAll("[role=tab]")].map((tab) => {
          const end = tab.querySelector(".end"), within = tab.getBoundingClientRect();
          if (!end) return [tab.textContent, "", true];
          const place = end.getBoundingClientRect();
          return [tab.textContent, end.textContent, place.right <= within.right && end.scrollWidth <= place.width + 1];
        })"""
    )
    assert [name for name, _, _ in tabs] == [*names, "sum"]
    assert [(end, is_seen) for _, end, is_seen in tabs[:2]] == [(name[-16:], True) for name in names]
    cut_off = desktop.run(
        """const canvas = document.getElementById("picture"), pen = canvas.getContext("2d");
        return pen.getImageData(0, 0, 2, canvas.height).data.some((value, at) => at % 4 === 3 && value);"""
    )
    assert not cut_off, "nothing reaches the left edge"
    assert desktop.errors() == []


def test_the_cursor_moves_by_keys_and_is_told(on_cold: Browser) -> None:
    on_cold.key("ARROW_RIGHT")
    first = on_cold.readout()
    on_cold.key("ARROW_RIGHT", "ARROW_UP")
    second = on_cold.readout()
    assert first
    assert second
    assert first["time"] != second["time"]
    assert first["range"] != second["range"]
    assert second["time"] in on_cold.text("#said")
    on_cold.key("ESCAPE")
    assert on_cold.readout() is None


def test_tab_goes_from_button_to_button_once_the_maps_are_left(on_cold: Browser) -> None:
    on_cold.run("document.getElementById('picture').focus()")
    on_cold.key("ESCAPE")
    seen = []
    for _ in range(4):
        seen.append(on_cold.run("return document.activeElement.textContent"))
        style = on_cold.run(
            "const s = getComputedStyle(document.activeElement); return [s.outlineStyle, s.outlineWidth]"
        )
        assert style == ["solid", "2px"]
        on_cold.key("TAB")
    assert seen == ["sqrt", "linear", "log", "share"]
    assert on_cold.text("[role=tab][aria-selected=true]") == "loop0"


def test_help_opens_and_closes_and_keys_wait_meanwhile(on_cold: Browser) -> None:
    on_cold.key("?")
    assert on_cold.run("return document.getElementById('help').open")
    assert "Strong in frequency only is many, but fast" in on_cold.text("#help").replace("\n", " ")
    on_cold.key("c")
    assert on_cold.text("[aria-label=colour] [aria-pressed=true]") == "sqrt"
    on_cold.key("ESCAPE")
    assert not on_cold.run("return document.getElementById('help').open")


# -- pointer


def test_dragging_zooms_into_whole_columns_and_back(on_many: Browser) -> None:
    on_many.drag(500, 150, 600)
    assert re.match(r"3 h \d+ min of 30 h: 03-02 ", on_many.text("#figures h2"))
    on_many.key("BACK_SPACE")
    assert on_many.text("#figures h2").startswith("All 30 h,")


def test_the_wheel_zooms_about_the_pointer(on_many: Browser) -> None:
    on_many.move(600, 150)
    before = on_many.readout()
    for _ in range(4):
        on_many.wheel(600, 150, -300)
    on_many.move(600, 150)
    after = on_many.readout()
    assert before
    assert after
    wide, narrow = times_of(before["time"]), times_of(after["time"])
    assert wide[0] <= narrow[0] < narrow[1] <= wide[1]
    on_many.key("BACK_SPACE")
    assert on_many.text("#figures h2").startswith("All 30 h,")


def test_the_mini_map_moves_and_its_handles_change_what_is_shown(on_many: Browser) -> None:
    mini = on_many.box()[3] - 74 + 40 + 13
    on_many.drag(RIGHT, mini, (LEFT + RIGHT) / 2)
    assert re.match(r"15 h( \d min)? of 30 h|14 h 5\d min of 30 h", on_many.text("#figures h2"))
    on_many.drag((3 * LEFT + RIGHT) / 4, mini, (LEFT + RIGHT) / 2)
    begin, _ = times_of(on_many.text("#figures h2").partition(": ")[2].partition(", columns")[0])
    assert abs(begin - BEGIN - 7.5 * 3600 * SECOND) < 600 * SECOND
    on_many.key("BACK_SPACE", "BACK_SPACE")
    assert on_many.text("#figures h2").startswith("All 30 h,")


# -- print, phone, notebook, old browsers


def test_a_page_prints_on_white_and_goes_on_as_before(on_many: Browser) -> None:
    on_many.run("window.print = () => { window.asked = true; }")
    on_many.key("p")
    assert on_many.run("return window.asked")
    on_many.run(
        "addEventListener('beforeprint', () => { window.theme = document.documentElement.dataset.theme; });"
        "addEventListener('afterprint', () => { window.after = document.documentElement.dataset.theme; });"
    )
    pdf = b64decode(
        on_many.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True, "landscape": True})["data"]
    )
    assert pdf.startswith(b"%PDF-")
    assert len(pdf) > 20_000
    assert on_many.until("return window.after") == "dark"
    assert on_many.run("return window.theme") == "light"


@pytest.fixture(scope="module")
def phone() -> Iterator[Browser]:
    with browser(PHONE, phone=True) as found:
        yield found


def test_a_phone_shows_all_without_scrolling_sideways(phone: Browser, many_page: Path) -> None:
    phone.open(many_page)
    assert phone.run("return [innerWidth, document.documentElement.scrollWidth]") == [390, 390]
    low = phone.run("return Math.min(...[...document.querySelectorAll('#keys button')].map(b => b.offsetHeight))")
    assert low >= 32
    assert phone.errors() == []


def test_fingers_read_zoom_and_go_back(phone: Browser, many_page: Path) -> None:
    phone.open(many_page)
    phone.touch(("touchStart", [(200, 80)]), ("touchEnd", []))
    told = phone.readout()
    assert told is not None
    box = phone.run("const b = document.getElementById('readout').getBoundingClientRect(); return [b.left, b.right]")
    assert box[0] >= 0
    assert box[1] <= 390
    phone.touch(("touchStart", [(150, 80)]), ("touchMove", [(180, 80)]), ("touchMove", [(250, 80)]), ("touchEnd", []))
    part = phone.text("#figures h2")
    assert " of 30 h: " in part
    phone.touch(
        ("touchStart", [(200, 90), (230, 90)]),
        ("touchMove", [(160, 90), (270, 90)]),
        ("touchMove", [(120, 90), (310, 90)]),
        ("touchEnd", []),
    )
    assert phone.text("#figures h2") != part
    for _ in range(2):
        phone.run("[...document.querySelectorAll('#keys button')].find(b => /back/.test(b.textContent)).click()")
        phone.drawn()
    assert phone.text("#figures h2").startswith("All 30 h,")
    assert phone.errors() == []


def test_a_page_loads_nothing(on_cold: Browser) -> None:
    assert on_cold.run("return performance.getEntriesByType('resource').map(e => e.name)") == []
    on_cold.run("fetch('https://example.com/').catch(() => { window.refused = true; })")
    assert on_cold.until("return window.refused")
    assert any("Content Security Policy" in one for one in on_cold.errors())


def test_hostile_names_are_shown_and_do_nothing(desktop: Browser, folder: Path) -> None:
    from pylatencymap.export.page import render_page
    from tests.export.page.test_document import hostile

    (folder / "hostile.html").write_text(render_page(hostile()), encoding="utf-8")
    desktop.open(folder / "hostile.html")
    name = desktop.run("return document.querySelector('[role=tab]').textContent")
    assert name.startswith("</script><img src=x onerror=alert(1)>\\x1b[31m")
    assert desktop.run("return document.images.length") == 0
    desktop.key("n")
    assert desktop.errors() == []


def test_a_notebook_s_frame_draws_the_page(desktop: Browser, cold: Run, folder: Path) -> None:
    (folder / "notebook.html").write_text(f"<!DOCTYPE html><body>{cold._repr_html_()}</body>", encoding="utf-8")
    desktop.driver.get((folder / "notebook.html").as_uri())
    desktop.until_in_frame("return document.documentElement.dataset.drawn === 'finest'")
    assert desktop.text("h1") == "cold-start.lmap.gz"
    desktop.driver.switch_to.default_content()
    assert desktop.errors() == []


def test_a_damaged_page_says_so(desktop: Browser, cold_page: Path, folder: Path) -> None:
    page = cold_page.read_text(encoding="utf-8")
    level = PageParts(page).scripts["level-0-0"]
    middle = len(level) // 2
    damaged = level[:middle] + ("B" if level[middle] != "B" else "C") + level[middle + 1 :]
    (folder / "damaged.html").write_text(page.replace(level, damaged), encoding="utf-8")
    desktop.driver.get((folder / "damaged.html").as_uri())
    desktop.until("return document.getElementById('said').textContent")
    assert "the file is damaged" in desktop.text("#said")
    assert desktop.run("return document.getElementById('text').offsetHeight") > 100
    assert desktop.errors() == []


def test_times_are_those_of_the_zone_that_is_chosen(on_cold: Browser) -> None:
    on_cold.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "America/New_York"})
    try:
        on_cold.driver.refresh()
        on_cold.until("return document.documentElement.dataset.drawn === 'finest'")
        on_cold.key("ARROW_RIGHT")
        (utc, _) = times_of((on_cold.readout() or {})["time"], day="11-21")
        on_cold.run(
            "[...document.querySelectorAll('[aria-label=zone] button')].find(b => b.textContent === 'local').click()"
        )
        on_cold.drawn()
        (local, _) = times_of((on_cold.readout() or {})["time"], day="11-21")
        assert utc - local == 5 * 3600 * SECOND
        assert on_cold.text("#moments b:nth-child(2)").startswith("06:14:08-")
    finally:
        on_cold.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})


def test_an_old_browser_is_told_and_has_the_text(cold_page: Path) -> None:
    with browser(DESKTOP) as old:
        old.driver.execute_cdp_cmd(
            "Page.addScriptToEvaluateOnNewDocument", {"source": "delete window.DecompressionStream"}
        )
        old.driver.get(cold_page.as_uri())
        assert "Chrome 80, Firefox 113, Safari 16.4" in old.text("#said")
        assert "loop0: 48.1k I/Os" in old.text("#text")
        assert old.run("return document.getElementById('text').offsetHeight") > 100
        assert old.errors() == []

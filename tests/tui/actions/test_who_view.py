"""Who is in a cell: the sums are those of the cell, the rows are true, and one value can be drawn alone."""

import gzip
import json
import os
import re
import shlex
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timezone
from pathlib import Path
from random import Random

import numpy as np
import pytest

from pylatencymap.cli.commands import compare
from pylatencymap.events import EventInputs
from pylatencymap.events.found import Amount, EventsFound
from pylatencymap.intervals import TimeOptions
from pylatencymap.session.input import ReadPlan, Sources, open_path
from pylatencymap.session.picture import Picture, PictureOptions
from pylatencymap.session.viewpoint import Viewpoint
from pylatencymap.tui.actions.copy_view import comparing_command, reopening_command
from pylatencymap.tui.actions.who import chosen_part, question_of
from pylatencymap.tui.main_view import MainView
from pylatencymap.tui.viewer import EventReading
from pylatencymap.tui.viewer.filters import collect_filter
from pylatencymap.tui.viewer.viewer import Presentation, Viewer
from pylatencymap.tui.who_view import _sample_words
from pylatencymap.view.boxes import WhoPage
from pylatencymap.view.layout import READING, Pointer, Selected
from pylatencymap.view.style import ColourDepth, ViewOptions
from tests.amounts import few_or_many
from tests.events.asking import reading_by
from tests.tui.actions.conftest import KeyDriver, second
from tests.tui.test_storm_of_keys import events as random_event

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))
import lines as made

KINDS = ("oracle", "strace", "fio", "biosnoop")
PLAN = ReadPlan(jobs=1, time=TimeOptions(tz=timezone.utc))
LIMIT = 60.0
MICROSECOND = 1e-6


class WhoDriver(KeyDriver):
    """A view of files that have been read to their end, and their events."""

    def __init__(self, viewer: Viewer, reading: EventReading, woken: threading.Event) -> None:
        self.reading, self.woken = reading, woken
        super().__init__(viewer)

    def wait(self) -> None:
        """Take what the threads find, to their end."""
        while self.reading.is_asking or self.reading.is_drawing:
            assert self.woken.wait(LIMIT)
            self.woken.clear()
            self.reading.collect_answer()
            collect_filter(self.viewer)
        self.draw()

    def ask(self, *keys: str) -> None:
        self.press(*keys)
        self.wait()

    @property
    def words(self) -> str:
        """What is on the screen, as if it were not wrapped."""
        return " ".join(self.text.split())

    def select(self, begin: int, end: int, low: float | None = None, high: float | None = None) -> None:
        self.viewer.viewpoint = self.viewer.viewpoint._replace(selected=Selected(begin, end, low, high), pointer=None)
        self.draw()


@contextmanager
def opened(
    *paths: Path, size: tuple[int, int] = (120, 40), plan: ReadPlan = PLAN, view: ViewOptions | None = None
) -> Iterator[WhoDriver]:
    sources = Sources(plan, lambda _: None)
    for path in paths:
        sources.add(open_path(str(path), sources.stop))
    inputs = EventInputs(sources, [str(path) for path in paths], dict)
    chosen = view or ViewOptions(depth=ColourDepth.TRUECOLOR)
    picture = Picture(PictureOptions(Viewpoint(view=chosen), tz=timezone.utc))
    picture.extend(sources.read(picture.mark))
    picture.settle()
    woken = threading.Event()
    reading = EventReading(inputs, 64.0, woken.set)
    files = tuple(map(str, paths))
    viewer = Viewer(picture, Presentation(READING, files=files, events=reading), MainView())
    viewer.size = size
    viewer.source_ended = True
    try:
        yield WhoDriver(viewer, reading, woken)
    finally:
        reading.give_up()
        sources.close_all()


@pytest.fixture
def strace(tmp_path: Path) -> Path:
    """A minute of four processes, one of which waits long."""
    chance, path, rows = Random(2), tmp_path / "s.txt", []
    for number in range(3000):
        pid = chance.choice((22551, 22552, 22553, 22554))
        taken = chance.randrange(4000, 15_000) if pid == 22553 or number % 7 == 0 else chance.randrange(60, 240)
        call = chance.choice((f"pread64({chance.choice((7, 8))}, 4096)", "pread64(7, 512)", "write(4, 512)"))
        rows.append(f"{pid} {1_769_850_000 + number / 50:.6f} {call} = 512 <{taken / 1e6:.6f}>")
    path.write_text("\n".join(rows) + "\n")
    return path


# The sums are those of the cells.


@pytest.mark.parametrize("way", ["line", "scan"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("damage", [False, True])
@pytest.mark.parametrize("size", few_or_many(50_000, 150_000))
def test_the_sums_are_those_of_the_cells(tmp_path: Path, kind: str, way: str, damage: bool, size: int) -> None:
    """To the event in each cell, and to the microsecond in each column; also where the scan left lines in doubt."""
    path = tmp_path / "t.txt"
    path.write_bytes(b"".join(made.text(kind, size, damage=damage, seed=6)))
    chance = Random(kind)
    with opened(path) as view, reading_by(way):
        for summed in (False, True):
            view.viewer.viewpoint = view.viewer.viewpoint._replace(summed=summed, series=None)
            view.draw()
            shown = view.viewer.picture.selection(view.viewer.viewpoint, view.viewer.picture.columns_at((120, 40)))
            matrix = shown.matrix()
            for _ in range(4):
                column, row = chance.randrange(matrix.columns), chance.choice(np.flatnonzero(matrix.counts.sum(axis=1)))
                moment, bounds = int(matrix.ends[column]), matrix.bounds
                latency = float(bounds[row] + bounds[row + 1]) / 2
                view.viewer.viewpoint = view.viewer.viewpoint._replace(pointer=Pointer(moment, latency))
                view.draw()
                view.ask("w")
                found = view.reading.answer
                assert found is not None
                assert found.is_complete
                assert found.total.events == matrix.counts[row, column]
                view.press("KEY_ESCAPE")
            column = chance.randrange(matrix.columns)
            view.select(shown.begin_of(column), int(matrix.ends[column]))
            view.ask("w")
            assert view.reading.answer is not None
            assert view.reading.answer.total.waited == pytest.approx(
                float(shown.columns["waited"][column]), abs=MICROSECOND / 2
            )
            view.press("KEY_ESCAPE")


def test_several_files_count_together(tmp_path: Path) -> None:
    """Their keys are added up exactly, their lines have the names of the files, and a recording among them is no
    obstacle.
    """
    texts = [b"".join(made.text("strace", 100_000, seed=seed)) for seed in (3, 4)]
    for number, text in enumerate(texts):
        (tmp_path / f"{number}.txt").write_bytes(text)
    (tmp_path / "all.txt").write_bytes(
        b"".join(sorted(b"".join(texts).splitlines(keepends=True), key=lambda line: line[6:]))
    )
    sums = {}
    for names in (["0.txt", "1.txt"], ["all.txt"]):
        with opened(*(tmp_path / name for name in names)) as view:
            view.press("0")
            view.select(*view.viewer.picture.window.extent)
            view.ask("w")
            found = view.reading.answer
            assert found is not None
            sums[len(names)] = {
                (key.name, value.value): value.amount for key in found.keys for value in key.values if not key.is_flat
            }
            assert {line.file for line in found.lines} == (
                {str(tmp_path / name) for name in names} if len(names) > 1 else {""}
            )
    assert sums[1].keys() == sums[2].keys()
    for key, amount in sums[1].items():
        assert sums[2][key].events == amount.events
        assert sums[2][key].waited == pytest.approx(amount.waited, abs=MICROSECOND)


# What it says.


def truth(path: Path, begin: int, end: int, low: float, high: float, series: str) -> dict[str, list[float]]:
    """Events and seconds by process, of the lines of strace, read without the program."""
    found: dict[str, list[float]] = defaultdict(lambda: [0, 0.0])
    for line in path.read_text().splitlines():
        match = re.fullmatch(r"(\d+) +(\d+)\.(\d+) (\w+)\(.* <(\d+\.\d+)>", line)
        assert match
        pid, seconds, micros, call, taken = match.groups()
        ended = int(seconds) * 10**6 + int(micros) + round(float(taken) * 1e6)
        if begin <= ended < end and low <= float(taken) < high and call == series:
            found[pid][0] += 1
            found[pid][1] += float(taken)
    return found


def test_the_rows_are_true(strace: Path) -> None:
    with opened(strace) as view:
        view.press("KEY_LEFT", "KEY_LEFT", "KEY_LEFT", "w")
        part = chosen_part(view.viewer)
        assert part is not None
        view.wait()
        named = view.viewer.picture.series(view.viewer.viewpoint)
        wanted = truth(strace, part.begin, part.end, part.low, part.high, named)
        assert wanted
        for pid, (events, waited) in wanted.items():
            row = view.line(rf" {pid} +\d.* %")
            assert f" {events:,.0f} " in row
            number = float(re.search(r"([\d.]+) (ms|s) ", row)[1])
            assert number == pytest.approx(waited * (1e3 if " ms " in row else 1), rel=0.01)
        assert "Longest lines" in view.text


def test_enter_draws_one_value_alone_and_backspace_all_again(strace: Path) -> None:
    with opened(strace) as view:
        everything = view.viewer.picture.window
        events = everything["pread64"].events
        view.ask("KEY_LEFT", "w")
        assert "draw pid=" in view.lines[-1]
        chosen = re.search(r"draw pid=(\d+) alone", view.lines[-1])[1]
        view.ask("KEY_ENTER")
        extent = everything.extent
        wanted = truth(strace, extent[0], extent[1], 0.0, 10.0, "pread64")[chosen][0]
        assert f" pid={chosen} " in view.lines[0]
        assert view.viewer.picture.window["pread64"].events == wanted < events
        assert view.viewer.picture.window.extent == extent
        view.ask("KEY_LEFT", "w")
        view.press("KEY_DOWN")
        second = re.search(r"draw (\w+)=(\S+) alone", view.lines[-1])
        view.ask("KEY_ENTER")
        assert view.viewer.viewpoint.only == (("pid", chosen), (second[1], second[2]))
        assert f" pid={chosen} " in view.lines[0]
        assert f" {second[1]}={second[2]} " in view.lines[0]
        view.press("y")
        assert f"--only pid={chosen} --only {second[1]}={second[2]}" in view.viewer.clipboard + view.text
        view.press("KEY_BACKSPACE")
        assert view.viewer.viewpoint.only == (("pid", chosen),)
        assert view.viewer.picture.window["pread64"].events == wanted
        view.press("KEY_BACKSPACE")
        assert view.viewer.picture.window is everything
        assert "pid=" not in view.lines[0]


def test_the_copied_command_of_a_stack_has_its_filters(strace: Path) -> None:
    with opened(strace) as view:
        view.ask("KEY_LEFT", "w")
        chosen = re.search(r"draw pid=(\d+) alone", view.lines[-1])[1]
        view.ask("KEY_ENTER")
        view.press("v")
        assert "stack" in view.lines[0] or "above" in view.lines[0]
        words = shlex.split(reopening_command(view.viewer, [str(strace)]))
        assert [words[at + 1] for at, one in enumerate(words) if one == "--stack"] == ["pread64", "write"]
        assert words[words.index("--only") + 1] == f"pid={chosen}"


def test_the_command_compares_what_the_filter_leaves(strace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with opened(strace) as view:
        begin, end = view.viewer.picture.window.extent
        view.select((begin + end) // 2, end)
        view.press("A", "B", "KEY_ESCAPE")
        view.draw()
        assert "compare" in comparing_command(view.viewer, [str(strace)])
        view.ask("KEY_LEFT", "w")
        view.ask("KEY_ENTER")
        assert view.viewer.viewpoint.only
        assert view.viewer.sides_page() is not None, "A and B are still there"
        name, value = view.viewer.viewpoint.only[0]
        words = shlex.split(comparing_command(view.viewer, [str(strace)]))
        assert words[words.index("--only") + 1] == f"{name}={value}"
        assert compare.run([*words[2:], "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["only"]["after"] == [f"{name}={value}"]


def test_a_selection_all_lines_and_more_values(strace: Path) -> None:
    with opened(strace) as view:
        extent = view.viewer.picture.window.extent
        view.select(extent[0], extent[1], 0.004096, 0.008192)
        view.ask("w")
        assert "Who is in the selection" in view.text
        view.press("l")
        assert "Esc: the values" in view.text
        first = view.line("Longest lines")
        view.press("KEY_PGDOWN")
        assert view.line("Longest lines")[:20] == first[:20]
        view.press("KEY_ESCAPE", "+", "-", "x")
        assert "does nothing here" in view.lines[-1]
        view.press("KEY_ESCAPE")
        assert "Who is" not in view.text


def test_esc_ends_the_reading(strace: Path) -> None:
    with opened(strace) as view:
        view.press("KEY_LEFT", "w")
        job = view.reading._answering
        assert job is not None
        view.press("KEY_ESCAPE")
        assert job.stop.is_set
        assert not view.reading.is_asking


def test_without_a_cell_it_says_how(strace: Path) -> None:
    with opened(strace) as view:
        view.press("w")
        assert "put the cursor on a cell" in view.text


def test_control_characters_are_escaped(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    evil = "a\x1b[31mb\x07c"
    rows = [f"{1_769_850_000 + n},{n % 90 + 10},{evil}" for n in range(300)]
    path.write_text("time_s,lat_us,who\n" + "\n".join(rows) + "\n")
    with opened(path) as view:
        view.select(*view.viewer.picture.window.extent)
        view.ask("w")
        assert r"ab\x07c" in view.text
        view.ask("KEY_ENTER")
        assert r" who=ab\x07c " in view.lines[0]
        assert not any(ord(char) < 32 for line in view.lines for char in line)


# What it refuses.


def replaced(path: Path) -> None:
    other = path.with_suffix(".new")
    other.write_bytes(path.read_bytes())
    other.replace(path)


CHANGES: dict[str, Callable[[Path], object]] = {
    "it grew": lambda path: path.write_bytes(path.read_bytes() + b"x\n"),
    "it shrank": lambda path: os.truncate(path, 1000),
    "replaced by another file": replaced,
    "it was written to": lambda path: os.utime(path, ns=(0, 1)),
}


@pytest.mark.parametrize("word", CHANGES)
def test_a_file_that_has_changed_is_refused(strace: Path, word: str) -> None:
    with opened(strace) as view:
        CHANGES[word](strace)
        view.ask("KEY_LEFT", "w")
        assert word in view.words
        assert "open it again" in view.words
        assert "pread64" in view.words


def test_a_sample_of_a_cell_with_one_event_says_so() -> None:
    known = WhoPage("22:13:20", "", "waits", 1.0, 0.1)
    found = EventsFound(Amount(1, 0.1), seen=1)
    assert _sample_words(found, known) == "sampled: 1 of about 1 wait here seen"


def test_a_recording_shows_the_shares_of_its_series(tmp_path: Path, make_stream: Callable[..., str]) -> None:
    path = tmp_path / "r.lmap"
    counts = {128: 0, 8192: 0}
    text = ""
    for number in range(60):
        for name, factor in (("sda", 3), ("sdb", 1)):
            total = {bound: (value + 9 * number) * factor for bound, value in counts.items()}
            text += make_stream(name, [total], 1_700_000_000 + number)
    path.write_text(text)
    with opened(path) as view:
        view.ask("KEY_LEFT", "w")
        assert "holds counts per interval and no single events" in view.words
        assert "75 %" in view.line(r" sda +\d")
        assert "25 %" in view.line(r" sdb +\d")
        view.press("KEY_DOWN", "KEY_ENTER")
        assert view.viewer.viewpoint.series == "sdb"


def test_a_compressed_file(strace: Path, tmp_path: Path) -> None:
    packed = tmp_path / "s.txt.gz"
    packed.write_bytes(gzip.compress(strace.read_bytes()))
    totals = []
    for path in (strace, packed):
        with opened(path) as view:
            view.ask("KEY_LEFT", "w")
            assert view.reading.answer is not None
            totals.append((view.reading.answer.total, view.reading.answer.keys))
    assert totals[0] == totals[1]


def test_the_events_before_a_filter_are_read_only_at_the_end(strace: Path) -> None:
    with opened(strace) as view:
        view.viewer.source_ended = False
        view.ask("KEY_LEFT", "w")
        view.press("KEY_ENTER")
        assert "read to its end" in view.text


# How it looks.


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (200, 60)])
@pytest.mark.parametrize("depth", list(ColourDepth))
def test_it_fits_each_size_and_depth(strace: Path, size: tuple[int, int], depth: ColourDepth) -> None:
    with opened(strace, size=size, view=ViewOptions(depth=depth)) as view:
        view.ask("KEY_LEFT", "w")
        assert len(view.lines) == size[1]
        assert "waited" in view.text
        assert "pid" in view.text
        assert "Enter draw pid=" in view.lines[-1]
        if depth is ColourDepth.ASCII:
            assert view.text.isascii()
            assert re.search(r"> 2255\d", view.text)
        if size[1] >= 40:
            assert "latency" in view.text


def test_the_cell_stays_bright(strace: Path) -> None:
    from pylatencymap.view.style.styles import FADED_BIT

    with opened(strace) as view:
        view.ask("KEY_LEFT", "w")
        geometry = view.drawn.geometry
        assert geometry.cursor is not None
        column, row = geometry.cursor
        line = geometry.regions[0].top + geometry.line_of(row)
        styles = view.drawn.cells.styles[line]
        assert not styles[geometry.first + column * geometry.cell_width] & FADED_BIT
        assert styles[geometry.first + (column - 2) * geometry.cell_width] & FADED_BIT


def test_the_question_is_about_the_series_that_is_shown(strace: Path) -> None:
    with opened(strace) as view:
        view.press("KEY_LEFT")
        part = chosen_part(view.viewer)
        assert part is not None
        assert question_of(view.viewer, part).series == {"pread64"}
        view.press("0")
        assert question_of(view.viewer, part).series == set(view.viewer.picture.window.names())


@pytest.mark.parametrize("seed", range(3))
def test_any_keys_in_any_order(strace: Path, seed: int) -> None:
    """At the end, what is drawn is what the filters leave."""
    chance = Random(seed)
    lines = strace.read_text().splitlines()
    with opened(strace) as view:
        viewer = view.viewer
        extent = viewer.picture.window.extent
        filtered = 0
        for number in range(150):
            viewer.size = (chance.randrange(40, 220), chance.randrange(10, 70)) if number % 20 == 0 else viewer.size
            if chance.random() < 0.1:
                view.press("KEY_ESCAPE", "KEY_ESCAPE", "KEY_LEFT")
                view.ask("w")
            view.press(chance.choice(("w", "KEY_UP", "KEY_ENTER")) if number % 2 else random_event(chance))
            if chance.random() < 0.3:
                view.wait()
            else:
                view.reading.collect_answer()
                collect_filter(viewer)
            view.draw()
            filtered += bool(viewer.viewpoint.only)
            assert (view.drawn.cells.columns, view.drawn.cells.lines) == viewer.size
        assert filtered
        view.reading.give_up()
        only = viewer.viewpoint.only
        left = [
            line
            for line in lines
            if all(
                (name == "pid" and line.startswith(value)) or (name == "fd" and f"({value}," in line)
                for name, value in only
            )
        ]
        assert sum(viewer.picture.window[name].events for name in viewer.picture.window.names()) == len(left)
        assert viewer.picture.window.extent == extent


def test_many_series_are_added_up_a_few_at_a_time() -> None:
    """So that the key answers at once; the last of the pictures that follow has all of them."""
    picture = Picture(PictureOptions())
    for number in range(1, 31):
        picture.extend([second(number, f"disk{name:02}", factor=1 + name % 7) for name in range(90)])
    viewer = Viewer(picture, Presentation(READING), MainView())
    viewer.size, viewer.source_ended = (120, 40), True
    view = KeyDriver(viewer)
    view.press("KEY_LEFT", "w")
    assert "of the 32 series with the most time waited" in view.text
    pictures = 1
    while viewer.has_more:
        viewer.has_more = False
        view.draw()
        pictures += 1
    assert pictures == 5
    assert "with the most time waited" not in view.text
    assert "70 others" in view.text
    rows = re.findall(r" (?:disk\d\d|70 others|more: [+] shows them) +([\d,]+) +[\d.]+ m?s ", view.text)
    factors = sum(1 + name % 7 for name in range(90))
    assert sum(int(row.replace(",", "")) for row in rows) == 10 * factors
    assert "only counts are known" in view.text


def test_ranges_that_fit_no_row_are_counted_whole_and_named(tmp_path: Path) -> None:
    """The map divides 7 events at 200-400 us and 20 at 400-800 us among its rows; the counts are of the ranges."""
    told = []
    for at in range(61):
        stamp = 1_764_000_000_000 + 1000 * at
        for bound, count in (("0.0002", 0), ("0.0004", 7), ("0.0008", 27), ("+Inf", 27)):
            told.append(f'api_seconds_bucket{{le="{bound}"}} {at * count} {stamp}')
        told.append(f"api_seconds_count {27 * at} {stamp}")
    path = tmp_path / "api.prom"
    path.write_text("# TYPE api_seconds histogram\n" + "\n".join(told) + "\n")
    with opened(path) as view:
        begin = 1_764_000_010_000_000
        view.select(begin, begin + 1_000_000, 256e-6, 512e-6)
        assert "200-800 us" in view.words
        view.ask("w")
        assert "200-800 us, whole ranges 27 events" in view.words

"""Which series a session draws, and what it says of the others."""

import re

import pytest

from pylatencymap.interval import Interval
from pylatencymap.record import Mark, Stamp
from pylatencymap.session.detail import Detail
from pylatencymap.session.picture import Picture, PictureOptions
from pylatencymap.session.series_overview import MOST, SWITCH_FACTOR, waited_rate_text
from pylatencymap.session.viewpoint import Viewpoint
from pylatencymap.units import Unit
from pylatencymap.view.layout.status import Status
from pylatencymap.view.style.colour_depth import ColourDepth
from pylatencymap.view.style.options import ViewOptions

SECOND = 1_000_000
START = 1_700_000_000 * SECOND
SIZE = (100, 40)


def interval(series: str, number: int, waited: float, count: int = 10, label: str = "biolatency") -> Interval:
    end = START + number * SECOND
    return Interval(series, Unit.US, end - SECOND, end, 1.0, ((128, 256, count),), waited, label=label, source="bpf")


def picture(**options: object) -> Picture:
    view = ViewOptions(depth=ColourDepth.MONO)
    return Picture(PictureOptions(Viewpoint(view), **options))  # type: ignore[arg-type]


def text(shown: Picture, state: str = "LIVE") -> str:
    said = Status(label="pylatencymap", state=state)
    drawn = shown.final(SIZE, state) if state == "END" else shown.drawn(shown.options.viewpoint, SIZE, said)
    return "\n".join(drawn.cells.text())


def title(shown: Picture, state: str = "LIVE") -> str:
    return text(shown, state).splitlines()[0]


def test_nothing_yet() -> None:
    empty = picture()
    assert "WAITING" in title(empty)
    assert "WAITING" in title(empty, "REPLAY 10x")
    assert "PAUSED" in title(empty, "PAUSED")
    assert empty.usual_seconds(Viewpoint()) == 1.0
    assert empty.extent(Viewpoint()) is None
    assert len(empty) == 0


def test_first_is_the_series_with_most_time_waited() -> None:
    shown = picture()
    shown.extend([interval("fast", 1, 0.1), interval("slow", 1, 0.9)])
    assert "slow" in title(shown)
    assert "series" in title(shown)


def test_another_is_drawn_only_when_it_is_clearly_ahead() -> None:
    shown = picture()
    shown.extend([interval("a", 1, 1.0), interval("b", 1, 0.5)])
    assert " a " in title(shown)
    shown.extend([interval("b", 2, 0.5 + 0.1)])
    assert " a " in title(shown)
    shown.extend([interval("b", 3, 1.0 * SWITCH_FACTOR)])
    assert " b " in title(shown)


def test_no_other_is_drawn_while_the_picture_is_held_still() -> None:
    shown = picture()
    shown.extend([interval("a", 1, 1.0)])
    assert shown.series(Viewpoint()) == "a"
    shown.extend([interval("b", 2, 100.0)])
    assert shown.series(Viewpoint(end=START + SECOND)) == "a"
    assert shown.series(Viewpoint()) == "b"
    assert shown.series(Viewpoint(series="a")) == "a"


def test_the_final_picture_lists_the_others_with_their_rates() -> None:
    shown = picture()
    shown.extend([interval("slow", 1, 0.9), interval("fast", 1, 0.00192, count=10)])
    lines = [line.strip() for line in text(shown, "END").splitlines()]
    assert "fast  10.0/s, 1.85 ms/s waited, avg 185 us" in lines


def test_too_many_others_are_counted() -> None:
    shown = picture()
    shown.extend(interval(f"s{number:03}", 1, 1.0 + number) for number in range(MOST + 4))
    assert "and 3 more series; --series GLOB chooses what is drawn" in text(shown, "END")


@pytest.mark.parametrize(("rate", "said"), [(0.0, "nothing waited"), (0.0312, "31.2 ms/s waited")])
def test_rates_of_time_waited(rate: float, said: str) -> None:
    assert waited_rate_text(rate) == said


def test_columns_are_limited() -> None:
    shown = picture(columns=4, fits=False)
    shown.extend(interval("a", number, 0.1) for number in range(1, 30))
    assert "window 4 s" in text(shown, "END")
    assert "4 s of 29 s" in title(shown, "END")


def test_limited_columns_of_a_fitted_picture_hold_everything() -> None:
    shown = picture(columns=4)
    shown.extend(interval("a", number, 0.1) for number in range(1, 30))
    assert "ALL 29 s   10 s a column" in title(shown, "END")
    assert " all 29 s   avg 185 us" in text(shown, "END")
    assert "latest" not in text(shown, "END")


def test_bad_records_and_marks_are_told() -> None:
    shown = Picture(PictureOptions(Viewpoint(ViewOptions(depth=ColourDepth.MONO))), lambda: 7)
    shown.extend(interval("a", number, 0.1) for number in range(1, 9))
    shown.mark(Mark(Stamp(START + 4 * SECOND), "deployed"))
    assert "7" in text(shown, "END")
    assert "deployed" in text(shown, "END")


def test_a_label_that_repeats_the_series_is_not_said_twice() -> None:
    shown = picture()
    shown.extend([interval("sda", 1, 0.1, label="disk sda")])
    assert title(shown).split()[:2] == ["bpf", "sda"]


def test_the_title_names_the_file_where_there_is_room() -> None:
    def title_of(file: str, columns: int, **details: str) -> str:
        shown = picture(file=file)
        shown.extend([interval("sda", number, 0.1, **details) for number in range(3)])
        return shown.final((columns, 40), "END").cells.text()[0]

    assert title_of("night.lmap", 120).split()[:3] == ["night.lmap", "biolatency", "sda"]
    long = "night-of-the-third-of-march.lmap"
    assert title_of(long, 120).split()[:2] == ["night-of-the-third-of-march.l…", "sda"], "the source gives way to it"
    assert title_of(long, 60).split()[:2] == ["sda", "ALL"], "the rest of the title comes first"
    assert title_of("night.lmap", 70, label="disk sda").split()[:2] == ["night.lmap", "sda"], "a bare source gives way"
    assert title_of("a\x1b]0;x\x07\u202eb", 120).startswith(" a\\x1b]0;x\\x07\\u202eb  biolatency")
    assert title_of("x" * 300, 200).startswith(f" {'x' * 49}…  biolatency")


@pytest.mark.parametrize("total", [5.000000000000001e-07, 20.000000000000004, 2000000.0000000005])
def test_a_total_a_rounding_error_above_its_scale_is_drawn(total: float) -> None:
    shown = picture()
    shown.extend([Interval("a", Unit.US, START, START + SECOND, 1.0, ((128, 256, total),), total * 2e-4)])
    assert "FREQUENCY" in text(shown)


def line_of_all(shown: Picture, tick: int | None) -> str:
    """The line above the axis: all that is kept."""
    said = Status(label="pylatencymap")
    drawn = shown.drawn(shown.options.viewpoint, SIZE, said, tick)
    place = drawn.geometry.overview
    return "" if place is None else drawn.cells.text()[place.line]


def test_the_line_of_all_that_is_kept_follows_the_clock_of_the_texts() -> None:
    shown = picture()
    shown.extend([interval("a", number, 0.1) for number in range(300)])
    first = line_of_all(shown, 1)
    assert "5 min" in first
    shown.extend([interval("a", number, 0.9) for number in range(300, 400)])
    assert line_of_all(shown, 1) == first
    assert line_of_all(shown, 2) != first
    assert line_of_all(shown, 2) == line_of_all(shown, None)


def test_the_line_of_all_that_is_kept_is_there_unless_the_title_says_that_all_is_shown() -> None:
    for seconds in (30, 60, 61, 62, 100, 119, 120, 121, 180):
        shown = picture(columns=60)
        shown.extend([interval("a", number, 0.1) for number in range(seconds)])
        for width in (None, 2.0):
            viewpoint = shown.options.viewpoint._replace(width=width)
            scene = shown.scene(viewpoint, SIZE, Status(label="pylatencymap"))
            assert (scene.overview is None) == scene.status.shows_all(scene.matrix.ends), (seconds, width)


def test_the_sum_has_the_usual_interval_and_extent_of_what_is_kept() -> None:
    shown = picture()
    everything = Viewpoint(summed=True)
    for number in range(1, 40):
        shown.extend([interval(series, number if number < 10 else number * 5, 0.1) for series in "ab"])
        fresh = picture()
        fresh.window = shown.window.frozen()
        assert shown.usual_seconds(everything) == fresh.usual_seconds(everything)
        ends = [(shown.window[name].start, shown.window[name].end) for name in "ab"]
        assert shown.extent(everything) == (min(ends)[0], max(end for _, end in ends))


def test_the_sum_is_drawn_beside_a_part_that_was_read_again() -> None:
    shown = picture()
    shown.extend([interval(series, number, 0.1) for number in range(40) for series in "ab"])
    shown.detail = Detail(START, START + 10 * SECOND, shown.window.frozen())
    assert shown.usual_seconds(Viewpoint(summed=True)) == 1.0
    assert shown.scene(Viewpoint(summed=True), SIZE, Status(label="pylatencymap")).matrix.columns == 40


def test_the_ranking_follows_each_interval() -> None:
    window = picture().window
    for number, (series, waited) in enumerate([("a", 1.0), ("b", 2.0), ("a", 1.5), ("c", 0.0), ("c", 4.0)]):
        window.add(interval(series, number, waited))
        names = window.by_time_waited()
        assert names == sorted(window.names(), key=lambda name: -window[name].waited)


@pytest.mark.parametrize("columns", [20, 34, 40, 71])
def test_narrow_maps_have_both_scales(columns: int) -> None:
    """A finished picture of few columns has narrow maps; the rest of their line is free."""
    shown = picture()
    shown.extend(interval("sda", number, 0.001) for number in range(1, columns + 1))
    shown.settle()
    lines = shown.final((80, 24), "END").cells.text()
    for heading, end in (("FREQUENCY", r" 0 \S+ 10\b"), ("INTENSITY", r" 0 \S+ [\d.]+ ms")):
        (line,) = (one for one in lines if one.startswith(f" {heading}"))
        assert re.search(end, line), line
        assert "mean share" in line

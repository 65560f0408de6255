"""Which series are stacked, and what is said of them together."""

import math
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timezone

import pytest

from pylatencymap.analysis import EpisodeKind
from pylatencymap.findings import Change
from pylatencymap.interval import Interval
from pylatencymap.moment_text import TimeWords
from pylatencymap.session import Picture, PictureOptions, Viewpoint
from pylatencymap.session.room import SeriesTable
from pylatencymap.session.stack.choice import LEAST_LINES, chosen_stack, named_series, usual_stack
from pylatencymap.session.stack.commentary import change_told
from pylatencymap.session.stack.levels import Levels, levels_of
from pylatencymap.units import Unit
from pylatencymap.view.layout import Status
from pylatencymap.view.style import ColourDepth, ViewOptions
from pylatencymap.window import Window

SECOND = 1_000_000
START = 1_772_409_600 * SECOND
MONO = ViewOptions(depth=ColourDepth.MONO)


def interval(name: str, number: int, rate: float = 100.0, slow: int = 0, label: str = "") -> Interval:
    end = START + number * SECOND
    ranges = ((128, 256, round(rate)), (8192, 16_384, round(rate / 10)), *(((131_072, 262_144, slow),) if slow else ()))
    waited = sum(count * (low + high) / 2e6 for low, high, count in ranges)
    return Interval(
        name, Unit.US, end - SECOND, end, 1.0, ranges, waited, estimated=True, label=label or name, source="x"
    )


def window_of(*names: str, **about: str) -> Window:
    """Series with less and less time waited, in this order."""
    window = Window()
    for place, name in enumerate(names):
        for number in range(1, 4):
            window.add(interval(name, number, 1000.0 / (place + 1), label=about.get(name.replace(" ", "_"), "")))
    return window


def test_names_with_commas_and_patterns_are_understood() -> None:
    window = window_of("sda", "sdb", "sda,read", "sda,write", "log file sync")
    assert named_series(("sda,sdb",), window) == (("sda", "sdb"), "")
    assert named_series(("sda,read,sda,write",), window) == (("sda,read", "sda,write"), "")
    assert named_series(("sda,read",), window) == (("sda,read",), ""), "a name goes before two"
    assert named_series(("sda", "sda,write"), window) == (("sda", "sda,write"), "")
    assert named_series(("SDB", "log*"), window) == (("sdb", "log file sync"), "")
    assert named_series(("sda,nvme0",), window)[1] == "nvme0"
    assert named_series((",".join("abcdefghijkl"),), window)[1] == "a"


def test_how_many_there_is_room_for() -> None:
    window = window_of("a", "b", "c", "d")
    assert LEAST_LINES == {2: 30, 3: 44}
    assert chosen_stack(("a,b",), window, 30).names == ("a", "b")
    small = chosen_stack(("a,b",), window, 29)
    assert small.names == ()
    assert "two series takes 30 lines; this terminal has 29" in small.why_not
    fewer = chosen_stack(("a,b,c",), window, 40)
    assert fewer.names == ("a", "b")
    assert "three series takes 44 lines" in fewer.why_not
    assert chosen_stack(("a,b,c,d",), window, 44).names == ("a", "b", "c")
    assert "no series x" in chosen_stack(("a,x",), window, 44).why_not
    assert chosen_stack((), window, 44) == ((), "")


@pytest.mark.parametrize(
    ("names", "shown", "expected"),
    [
        (("sdb", "sda", "sda,queue"), "sda", ("sda", "sda,queue")),
        (("sdb", "sda", "sda,queue"), "sda,queue", ("sda", "sda,queue")),
        (("sda,read", "sda,read,queue", "sdb,read", "sdb,read,queue"), "sdb,read", ("sdb,read", "sdb,read,queue")),
        (("other", "log file parallel write", "log file sync"), "other", ("log file sync", "log file parallel write")),
        (
            ("log file sync@1", "log file sync@2", "log file parallel write@2"),
            None,
            ("log file sync@2", "log file parallel write@2"),
        ),
        (
            ("log file sync@1/CDB$ROOT", "log file sync@1/SALES", "log file parallel write@1/CDB$ROOT"),
            None,
            ("log file sync@1/CDB$ROOT", "log file parallel write@1/CDB$ROOT"),
        ),
        (("nvme0n1", "db file sequential read", "CPU"), "CPU", ("db file sequential read", "nvme0n1")),
        (("x", "y", "z"), "z", ("x", "y")),
        (("only",), "only", ()),
    ],
)
def test_what_belongs_together(names: tuple[str, ...], shown: str | None, expected: tuple[str, ...]) -> None:
    assert usual_stack(window_of(*names, nvme0n1="biolatency"), shown) == expected


def picture(second: str = "sdb") -> Picture:
    """Two disks whose rates follow one wave; for a minute the first one has slow events as well."""
    made = Picture(PictureOptions(Viewpoint(MONO), tz=timezone.utc))
    for number in range(1, 601):
        rate = 300 + 200 * math.sin(number / 40)
        slow = 40 if 300 <= number < 360 else 0
        made.extend([interval("sda", number, rate, slow), interval(second, number, rate / 2)])
    return made


def test_who_changed_alone_and_what_moves_as_one() -> None:
    shown = picture()
    shown.settle()
    at = Viewpoint(MONO, stacked=("sda", "sdb"))
    text = "\n".join(shown.final((160, 44), "END", at).cells.text())
    assert "sda above sdb" in text
    assert "stack of 2" in text
    line = next(line for line in text.splitlines() if line.startswith(" sda alone"))
    assert "00:04:59-00:05:59" in line
    assert "sdb went on as before" in line
    together = next(line for line in text.splitlines() if line.startswith(" together"))
    assert "all but 00:04:59-00:05:59: rates and waits rise and fall as one, r 1.00 and 1.00" in together


def test_it_is_found_in_short_steps_as_well() -> None:
    shown, at = picture(), Viewpoint(MONO, stacked=("sda", "sdb"), width=5.0)
    before = "\n".join(shown.drawn(at, (160, 44), Status("x")).cells.text())
    assert "sda alone" not in before
    steps = 0
    while shown.has_thoughts(at):
        shown.think(at)
        steps += 1
    assert steps > 4
    assert "sda alone" in "\n".join(shown.drawn(at, (160, 44), Status("x")).cells.text())


def test_the_first_column_is_shown_where_the_last_one_is_a_part() -> None:
    """Columns of 5 s on the clock: of the first one there are 3 s, of the last one 2 s."""
    made = Picture(PictureOptions(Viewpoint(MONO), tz=timezone.utc))
    for number in range(8, 193):
        made.extend([interval("sda", number), interval("sdb", number)])
    made.settle()
    at = Viewpoint(MONO, stacked=("sda", "sdb"), width=5.0)
    title = made.final((120, 44), "END", at).cells.text()[0]
    assert "ALL 3.1 min   5 s a column   2026-03-02 00:00:07 to 00:03:12" in title


def lines_of(shown: Picture, size: tuple[int, int], begin: str) -> list[str]:
    at = Viewpoint(MONO, stacked=("sda", "sdb"))
    lines = shown.final(size, "END", at).cells.text()
    return [line.strip() for line in lines if line.strip().startswith(begin)]


def two(sda: Callable[[int], Interval], sdb: Callable[[int], Interval]) -> Picture:
    """Ten minutes of two series."""
    made = Picture(PictureOptions(Viewpoint(MONO), tz=timezone.utc))
    for number in range(1, 601):
        made.extend([sda(number), sdb(number)])
    made.settle()
    return made


def is_incident(number: int) -> bool:
    return 300 <= number < 360


@pytest.mark.parametrize("size", [(100, 30), (120, 40), (200, 60), (300, 80)])
def test_figures_of_a_change_are_those_of_its_own_time_at_any_width(size: tuple[int, int]) -> None:
    """Of 60 s before it and of its 60 s, whatever time a column of the screen has."""
    shown = picture()
    shown.settle()
    (line,) = lines_of(shown, size, "sda alone")
    found = re.search(r"([\d.]+) -> ([\d.]+) ms/s waited; sdb went on as before: ([\d.]+) -> ([\d.]+) ms/s", line)
    assert found
    begin = START + 299 * SECOND
    for place, (name, first) in enumerate(
        [("sda", begin - 60 * SECOND), ("sda", begin), ("sdb", begin - 60 * SECOND), ("sdb", begin)], 1
    ):
        inside = shown.window.between(name, first, first + 60 * SECOND).summary()
        assert float(found[place]) == pytest.approx(inside.waited / 60 * 1000, rel=0.01)


def test_whether_they_move_as_one_does_not_depend_on_the_width() -> None:
    shown = two(
        lambda number: interval("sda", number, 300 + 200 * math.sin(number / 40)),
        lambda number: interval("sdb", number, 300 + 100 * math.sin(number / 40) + 40 * math.sin(number * 7.0)),
    )
    told = [lines_of(shown, size, "together") for size in ((100, 30), (120, 40), (200, 60), (300, 80))]
    assert told[0]
    assert "rise and fall as one" in told[0][0]
    assert told == [told[0]] * 4


def test_a_series_with_next_to_no_events_is_said_and_nothing_follows_from_it() -> None:
    shown = two(
        lambda number: interval("sda", number, 300 + 200 * math.sin(number / 40), 40 if is_incident(number) else 0),
        lambda number: interval("sdb", number, 1.0 if number % 60 == 0 else 0.0),
    )
    assert lines_of(shown, (140, 40), "sdb nearly silent") == [
        "sdb nearly silent  10 events in 10 min: too few to tell whether it moves with sda"
    ]
    assert not lines_of(shown, (140, 40), "together")
    (line,) = lines_of(shown, (140, 40), "sda ")[-1:]
    assert "00:04:59-00:05:59" in line
    assert "alone" not in line, "nobody knows that of the other one"
    assert "sdb nearly silent: 1 before, 1 then" in line
    empty = two(lambda number: interval("sda", number), lambda number: interval("sdb", number, 0.0))
    assert lines_of(empty, (140, 40), "sdb silent") == ["sdb silent  no events in 10 min"]


def test_what_changes_while_another_series_does_is_not_alone() -> None:
    shown = two(
        lambda number: interval("sda", number, 300, 40 if is_incident(number) else 0),
        lambda number: interval("sdb", number, 100 if 320 <= number < 370 else 300),
    )
    found = [line for line in lines_of(shown, (160, 44), "sd") if re.search(r"00:0\d:\d\d-00:0\d:\d\d", line)]
    assert [line.split()[:2] for line in found] == [["sda", "00:04:59-00:05:59"], ["sdb", "00:05:20-00:06:09"]]


def test_a_change_has_the_same_figures_as_in_a_picture_of_its_series_alone() -> None:
    """Two days of minutes: changes are looked for in columns of some minutes, which its 23 minutes do not fill."""
    made = Picture(PictureOptions(Viewpoint(MONO), tz=timezone.utc))
    for number in range(1, 2881):
        for name, slow in (("sda", 3000 if 1442 <= number < 1465 else 0), ("sdb", 0)):
            one = interval(name, number, 18_000, slow)
            end = START + number * 60 * SECOND
            made.extend([replace(one, start=end - 60 * SECOND, end=end, seconds=60.0)])
    made.settle()
    share = re.compile(r"a band appears at [^:]+: ([^;]+)")
    alone = "\n".join(made.final((200, 60), "END", Viewpoint(MONO)).cells.text())
    stacked = "\n".join(made.final((300, 60), "END", Viewpoint(MONO, stacked=("sda", "sdb"))).cells.text())
    told = share.search(stacked)
    assert told is not None, stacked
    assert told[1].startswith(f"{3000 / (18_000 + 1_800 + 3000):.0%}".replace("%", " % of events"))
    assert told[1].split(",")[0] in alone


def test_a_series_is_not_alone_where_another_goes_the_same_way() -> None:
    """A drift of one series that is found in it alone, while the other one goes half of the way and more."""
    window = window_of("sda", "sdb")
    change = Change(
        EpisodeKind.DRIFT, START, START + 600 * SECOND, ("sdb",), True, None, None, None, None, None, None, "it rose"
    )
    times = TimeWords(START, START + 600 * SECOND, timezone.utc, 1.0, True)
    rose = Levels((86.8, 292.0), (0.1, 0.2), (1e4, 3e4))
    for its, alone in (((227.0, 764.0), ""), ((227.0, 230.0), " alone"), ((764.0, 227.0), "")):
        levels = {"sdb": rose, "sda": Levels(its, (0.1, 0.1), (1e4, 3e4))}
        told = change_told(change, levels, [window["sda"], window["sdb"]], times)
        assert told.head == f"sdb{alone}"
        assert told.texts[0].startswith("it rose; 86.8 -> 292 events/s; sda")


def test_figures_of_two_series_that_changed_have_their_names_and_order() -> None:
    """The one that cost more is named first, wherever it stands in the stack."""
    window = window_of("sda", "sdb", "sdc")
    begin = START + 100 * SECOND
    change = Change(
        EpisodeKind.STEP, begin, begin, ("sdb", "sda"), False, 8.2e-3, 16.4e-3, None, None, None, None, "they rose"
    )
    times = TimeWords(START, START + 600 * SECOND, timezone.utc, 1.0, True)
    levels = {
        "sda": Levels((50.0, 50.0), (0.068, 0.192), (1e4, 1e4)),
        "sdb": Levels((50.0, 50.0), (0.065, 0.190), (1e4, 1e4)),
        "sdc": Levels((50.0, 50.0), (0.066, 0.067), (1e4, 1e4)),
    }
    told = change_told(change, levels, [window[name] for name in ("sda", "sdb", "sdc")], times)
    assert told.head == "sdb and sda"
    own = "sdb: 65.0 -> 190 ms/s waited; sda: 68.0 -> 192 ms/s waited"
    assert told.texts[0] == f"in sdb: they rose; {own}; sdc went on as before: 66.0 -> 67.0 ms/s"


def test_a_change_of_the_rate_has_rates_beside_it() -> None:
    shown = two(
        lambda number: interval("sda", number, 1000 if is_incident(number) else 300),
        lambda number: interval("sdb", number, 300),
    )
    (line,) = lines_of(shown, (140, 40), "sda alone")
    assert "330 -> 1100 events/s; sdb went on as before: 330 -> 330/s" in line


@pytest.mark.parametrize(
    ("kind", "begin", "end", "before", "inside"),
    [
        (EpisodeKind.INCIDENT, 200, 260, range(141, 201), range(201, 261)),
        (EpisodeKind.STEP, 300, 300, range(237, 301), range(301, 365)),
        (EpisodeKind.DRIFT, 80, 480, range(81, 131), range(431, 481)),
    ],
)
def test_which_times_are_compared(kind: EpisodeKind, begin: int, end: int, before: range, inside: range) -> None:
    """As long before an incident, near a step, and both ends of a drift."""
    shown = two(lambda number: interval("sda", number, number), lambda number: interval("sdb", number))
    change = Change(
        kind, START + begin * SECOND, START + end * SECOND, ("sda",), False, None, None, None, None, None, None, "it"
    )
    found = levels_of(shown.window["sda"], change)
    assert found is not None
    sums = [sum(number + round(number / 10) for number in part) for part in (before, inside)]
    assert found.events == pytest.approx(sums)
    assert found.rates == pytest.approx((sums[0] / len(before), sums[1] / len(inside)))
    early = Change(kind, START - SECOND, START - SECOND, ("sda",), False, None, None, None, None, None, None, "it")
    assert levels_of(shown.window["sda"], early) is None, "nothing is kept of the time before"


def test_series_with_intervals_of_other_lengths_have_columns_of_the_longest() -> None:
    shown = Picture(PictureOptions(Viewpoint(MONO), tz=timezone.utc))
    for number in range(1, 301):
        shown.extend([interval("sda", number)])
        if number % 10 == 0:
            end = START + number * SECOND
            shown.extend([Interval("slow", Unit.US, end - 10 * SECOND, end, 10.0, ((128, 256, 50),), 0.01, True)])
    drawn = shown.drawn(Viewpoint(MONO, stacked=("sda", "slow")), (120, 40), Status("x"))
    assert set((drawn.geometry.ends[1:] - drawn.geometry.ends[:-1]).tolist()) == {10 * SECOND}
    assert drawn.geometry.maxima.keys() == {"frequency", "intensity"}, "both maps, for there is room"


def test_a_series_that_is_not_there_is_said_at_the_end_only() -> None:
    shown, at = picture(), Viewpoint(MONO, stacked=("sda,nvme9",))
    live = "\n".join(shown.drawn(at, (120, 40), Status("x")).cells.text())
    assert "nvme9" not in live
    final = "\n".join(shown.final((120, 40), "END", at).cells.text())
    assert "there is no series nvme9" in final
    assert "FREQUENCY" in final


def test_curves_of_the_table_are_brought_up_to_date_in_steps() -> None:
    shown = picture()
    table, clock = shown.table, [0.0]
    other = SeriesTable(shown.window, lambda: clock[0], lambda: 0.0)
    assert not other.is_due(), "no picture has room for it"
    other.is_wanted = True
    steps = 0
    while other.is_due():
        other.step()
        steps += 1
    assert steps == 2, "one for each series"
    first, second = other.figures()
    assert (first.name, second.name) == ("sda", "sdb")
    total = shown.window["sda"].total()
    assert first.rate == pytest.approx(total.events / total.span)
    assert first.p99 == total.p99
    assert first.curve.index(max(first.curve)) in (9, 10), "the minute in the middle"
    table.is_wanted = True
    table.finish()
    assert table.figures() == other.figures()
    shown.extend([interval("sda", 601), interval("sdb", 601)])
    assert other.is_due()


def test_a_curve_that_grew_is_that_of_all_at_once() -> None:
    from pylatencymap.window import WaitCurve

    window = Window()
    window.add(interval("sda", 1))
    grown = WaitCurve(window["sda"])
    for number in range(2, 5001):
        window.add(interval("sda", number, 50 + number % 700, 300 if number % 1234 < 5 else 0))
        if number % 97 == 0:
            grown.step()
    grown.step()
    whole = WaitCurve(window["sda"])
    whole.step()
    assert grown.is_whole
    assert grown.rates(18) == pytest.approx(whole.rates(18))
    assert grown.rates(18).max() > 3 * grown.rates(18).min()

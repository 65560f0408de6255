"""``Run``: intervals, matrices, statistics and pictures agree with each other, the truth, and the commands."""

from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from itertools import chain
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import pylatencymap as lm
from pylatencymap.analysis import time_waited
from pylatencymap.errors import SourceError, UsageError
from tests.examples.test_example_recordings import LIMITS, NAMES, inside, measured, recording

Command = Callable[..., bytes]


@pytest.fixture(scope="module")
def runs(examples: Path) -> dict[str, lm.Run]:
    return {name: lm.read(examples / f"{name}.lmap.gz", tz="UTC") for name in NAMES}


@pytest.fixture(scope="module")
def odd() -> lm.Run:
    """Two series with idle times, a gap of a minute, and a restart."""
    return lm.read(odd_text(), tz="UTC")


def odd_text() -> str:
    def record(second: int, name: str, counts: dict[int, int]) -> Iterator[str]:
        yield f'#lmap {{"v":1,"series":"{name}","unit":"us","kind":"cumulative"}}\n<begin record>\n'
        yield f"timestamp,microsec,{(1_700_000_000 + second) * 1_000_000},no date\nlabel,{name}\n"
        yield "latencyunit,microsec\ndatasource,x\n"
        yield from (f"{low},{count}\n" for low, count in counts.items())
        yield "<end record>\n"

    seconds = [*range(20), *range(80, 100)]
    return "".join(
        chain.from_iterable(
            record(second, name, {64: (second % 90) * 7 + step, 8192: second % 90 + step, 1 << 20: second // 30})
            for second in seconds
            for step, name in enumerate(("a", "b"))
        )
    )


def test_series_are_ordered_by_time_waited(runs: dict[str, lm.Run], odd: lm.Run) -> None:
    for run in (*runs.values(), odd):
        waited = [run.summary(name).waited for name in run.series]
        assert waited == sorted(waited, reverse=True)
        assert run.summary() == run.summary(run.series[0])


@pytest.mark.parametrize("name", NAMES)
def test_a_matrix_holds_what_its_text_holds(runs: dict[str, lm.Run], name: str) -> None:
    m = runs[name].matrix("loop0")
    seconds = recording(name)
    assert m.ends.tolist() == [round(end * 1e6) for end, _ in seconds]
    for column, (_, counts) in enumerate(seconds):
        rows = {round(m.bounds[row] * 1e6): m.counts[row, column] for row in np.nonzero(m.counts[:, column])[0]}
        assert rows == counts
    assert (m.counts.dtype, m.waited.dtype, m.ends.dtype, m.unit.value) == (np.float64, np.float64, np.int64, "us")
    assert m.counts.shape == m.waited.shape == (len(m.bounds) - 1, len(m.ends))
    assert not m.gap.any()


@pytest.mark.parametrize("name", NAMES)
def test_a_matrix_holds_what_fio_measured(runs: dict[str, lm.Run], name: str) -> None:
    """Between two moments, in classes of latency; of the second in which fio begins to count it is not known."""
    seconds = inside(name)
    m = runs[name].matrix("loop0", start=round(seconds[0][0] * 1e6) - 1, end=round(seconds[-1][0] * 1e6))
    assert m.ends.size == len(seconds)
    fast = m.counts[m.bounds[1:] <= LIMITS[0] * 1e-6].sum()
    rows = measured(name, seconds)
    assert min(abs(fast - row[0]) / row[0] for row in rows) < 0.05
    assert min(abs(m.counts.sum() - fast - sum(row[1:])) / sum(row[1:]) for row in rows) < 0.05


@settings(max_examples=80)
@given(
    st.sampled_from(("steady", "cold-start", "spindle", "odd")),
    st.one_of(st.none(), st.integers(1, 200)),
    st.sampled_from((1, 2, 16)),
    st.booleans(),
)
def test_the_sum_of_a_matrix_is_that_of_the_intervals(
    runs: dict[str, lm.Run], odd: lm.Run, which: str, columns: int | None, resolution: int, ends: bool
) -> None:
    run = odd if which == "odd" else runs[which]
    for name in run.series:
        every = [*run.intervals(name)]
        start, end = (every[4].end, every[-3].end) if ends else (None, None)
        meant = [one for one in every if (start or 0) < one.end <= (end or one.end)]
        m = run.matrix(name, columns=columns, resolution=resolution, start=start, end=end)
        assert m.counts.sum() == pytest.approx(sum(one.events for one in meant), rel=1e-12)
        told = run.report(name, start=start, end=end).series[0]
        assert m.waited.sum() == pytest.approx(told.waited.value, rel=1e-9)
        assert m.seconds.sum() == pytest.approx(sum(one.seconds for one in meant if not one.gap), rel=1e-9)
        assert m.ends.size <= (columns or len(meant))
        assert (np.diff(m.ends) > 0).all()
        assert abs(m.ends[-1] - meant[-1].end) <= 0.5e6  # an interval is where its middle is
        about = run.summary(name, start=start, end=end)
        assert (about.events, about.span) == (pytest.approx(m.counts.sum()), pytest.approx(m.seconds.sum()))
        assert about.waited == pytest.approx(m.waited.sum())


def test_one_column_is_one_interval_a_gap_included(odd: lm.Run) -> None:
    every, m = [*odd.intervals("b")], odd.matrix("b")
    assert m.ends.tolist() == [one.end for one in every]
    assert m.counts.sum(axis=0).tolist() == [one.events for one in every]
    assert m.gap.tolist() == [one.gap for one in every]
    assert m.reset.tolist() == [one.reset for one in every]
    assert m.waited.sum(axis=0).tolist() == pytest.approx([one.waited or 0 for one in every], rel=0.15)
    assert (m.gap.any() or m.reset.any(), m.overflow) == (True, False)


def test_columns_are_of_one_length_on_the_clock(runs: dict[str, lm.Run]) -> None:
    m = runs["steady"].matrix("loop0", columns=12)
    assert 6 < m.ends.size <= 12
    (step,) = {*np.diff(m.ends[:-1]).tolist()}
    assert (m.ends[:-1] % step == 0).all()
    assert runs["steady"].matrix(columns=10_000).ends.size == runs["steady"].matrix().ends.size
    assert runs["steady"].matrix(columns=1).ends.size == 1


def test_a_moment_is_a_date_in_the_zone_of_the_run(runs: dict[str, lm.Run], examples: Path) -> None:
    path = examples / "steady.lmap.gz"
    ends = runs["steady"].matrix().ends
    middle = datetime.fromtimestamp(int(ends[20]) // 1_000_000, timezone.utc)
    expected = runs["steady"].matrix(start=int(ends[20])).ends.tolist()
    assert expected == ends[21:].tolist()
    assert runs["steady"].matrix(start=middle).ends.tolist() == expected
    assert runs["steady"].matrix(start=f"{middle:%Y-%m-%d %H:%M:%S}").ends.tolist() == expected
    there = lm.read(path, tz="Asia/Tokyo")
    assert there.matrix(start=middle).ends.tolist() == expected
    local = middle.astimezone(there._tz).replace(tzinfo=None)
    assert there.matrix(start=local).ends.tolist() == expected


def test_nothing_lies_after_the_end(runs: dict[str, lm.Run]) -> None:
    run = runs["steady"]
    m = run.matrix(start="2100-01-01")
    assert m.counts.shape == (len(m.bounds) - 1, 0)
    about = run.summary(start="2100-01-01")
    assert (about.events, about.p99) == (0, None)


def test_a_summary_is_of_the_counts(runs: dict[str, lm.Run]) -> None:
    seconds = recording("cold-start")
    about = runs["cold-start"].summary("loop0", slo="8.192ms")
    counts: dict[int, int] = {}
    for low, count in chain.from_iterable(found.items() for _, found in seconds):
        counts[low] = counts.get(low, 0) + count
    events = sum(counts.values())
    lows = sorted(counts)
    waited = time_waited([counts[low] for low in lows], [low / 1e6 for low in (*lows, 2 * lows[-1])], bunch=1.0).value
    assert about.events == events
    assert about.estimated
    assert about.waited == pytest.approx(waited)
    assert about.average is not None
    assert about.p99 is not None
    assert about.slow is not None
    assert about.average.seconds == pytest.approx(waited / events)
    assert about.slow.events == pytest.approx(sum(count for low, count in counts.items() if low >= 8192) / events)
    below = sum(count for low, count in counts.items() if 2 * low / 1e6 <= about.p99.seconds)
    at_most = sum(count for low, count in counts.items() if low / 1e6 <= about.p99.seconds)
    assert below <= 0.99 * events <= at_most


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, ()),
        ({"size": (80, 24), "palette": "viridis"}, ("--size", "80x24", "--palette", "viridis")),
        ({"background": "light", "map": "intensity"}, ("--background", "light", "--map", "intensity")),
        ({"scale": "log", "depth": "16", "rows": 6}, ("--scale", "log", "--depth", "16", "--rows", "6")),
        ({"resolution": 2, "columns": 30}, ("--resolution", "2", "--columns", "30")),
        (
            {"min_latency": 128e-6, "max_latency": "16ms", "slo": "10ms"},
            ("--min-latency", "128us", "--max-latency", "16ms", "--slo", "10ms"),
        ),
        (
            {"frequency_max": 500, "intensity_max": "2s", "series": "loop0"},
            ("--frequency-max", "500", "--intensity-max", "2s"),
        ),
    ],
)
def test_saved_is_what_the_command_exports(
    runs: dict[str, lm.Run],
    examples: Path,
    command: Command,
    tmp_path: Path,
    options: dict[str, object],
    words: list[str],
) -> None:
    command("export", examples / "cold-start.lmap.gz", "-o", tmp_path / "by-command.svg", *words)
    runs["cold-start"].save(tmp_path / "by-library.svg", **options)  # type: ignore[arg-type]
    assert (tmp_path / "by-library.svg").read_bytes() == (tmp_path / "by-command.svg").read_bytes()


def test_saved_as_png(runs: dict[str, lm.Run], examples: Path, command: Command, tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    command("export", examples / "steady.lmap.gz", "-o", tmp_path / "by-command.png")
    runs["steady"].save(str(tmp_path / "by-library.PNG"))
    assert (tmp_path / "by-library.PNG").read_bytes() == (tmp_path / "by-command.png").read_bytes()


def test_another_series_is_drawn(runs: dict[str, lm.Run], tmp_path: Path) -> None:
    runs["steady"].save(tmp_path / "x.svg", series="vda")
    runs["steady"].save(tmp_path / "y.svg")
    assert [number_of(tmp_path / name) for name in ("x.svg", "y.svg")] == ["vda", "loop0"]


def number_of(picture: Path) -> str:
    """The series that a picture is of: its title names it before anything else."""
    text = " ".join("".join(ElementTree.parse(picture).getroot().itertext()).split())
    return min(("vda", "loop0"), key=text.index)


def test_a_notebook_shows_the_picture(runs: dict[str, lm.Run], tmp_path: Path) -> None:
    shown = runs["cold-start"]._repr_svg_()
    runs["cold-start"].save(tmp_path / "x.svg")
    assert shown.encode() == (tmp_path / "x.svg").read_bytes()
    assert ElementTree.fromstring(shown).tag.endswith("svg")


def test_a_run_is_told_in_a_few_lines(runs: dict[str, lm.Run]) -> None:
    head, *lines = str(runs["steady"]).splitlines()
    begin, end = next(runs["steady"].intervals()).start, round(recording("steady")[-1][0] * 1e6)
    first, last = (f"{datetime.fromtimestamp(int(one / 1e6 + 0.5), timezone.utc):%F %T}" for one in (begin, end))
    assert head == f"<Run of 2 series, {first} to {last}, 0 bad records>"
    assert [line.split()[0] for line in lines] == list(runs["steady"].series)


@pytest.mark.parametrize("name", ["steady", "cold-start"])
def test_each_object_shows_itself_in_one_line(runs: dict[str, lm.Run], name: str) -> None:
    run = runs[name]
    for one in (run, run.matrix(), run.summary(slo="10ms"), lm.compare(run, run)):
        shown = repr(one)
        assert shown.startswith(f"<{type(one).__name__} of ")
        assert len(shown) < 200
        assert "\n" not in shown
    events = sum(one.events for one in run.intervals())
    assert f"{events:,.0f} events" in repr(run.matrix())
    assert f"{events:,.0f} events" in repr(run.summary())


def test_a_wrong_name_is_said(runs: dict[str, lm.Run], tmp_path: Path) -> None:
    run = runs["steady"]
    for use in (run.intervals, run.matrix, run.summary, lambda name: run.save(tmp_path / "x.svg", series=name)):
        with pytest.raises(UsageError, match=r"no series is called loop1; did you mean loop0\?"):
            use("loop1")
        with pytest.raises(UsageError, match="no series is called x; there are: loop0; vda"):
            use("x")
    assert not list(tmp_path.iterdir())


def test_wrong_values_are_said(runs: dict[str, lm.Run], tmp_path: Path) -> None:
    run = runs["steady"]
    with pytest.raises(UsageError, match="columns=0: must be a whole number, at least 1"):
        run.matrix(columns=0)
    with pytest.raises(UsageError, match="start must be before end"):
        run.matrix(start=5, end=5)
    with pytest.raises(UsageError, match="min_latency must be less than max_latency"):
        run.save(tmp_path / "x.svg", min_latency=1, max_latency=0.5)
    with pytest.raises(UsageError, match=r"no format has the extension '\.gif'; known are \.svg \.png"):
        run.save("x.gif")
    with pytest.raises(SourceError, match=r"x\.svg: cannot be written: No such file or directory"):
        run.save(tmp_path / "none" / "x.svg")


def test_modes_are_of_the_chosen_time_and_of_the_rows_of_the_source(runs: dict[str, lm.Run], odd: lm.Run) -> None:
    run = runs["cold-start"]
    ends = [one.end for one in run.intervals("loop0")]
    early, late = (run.modes("loop0", **part) for part in ({"end": ends[14]}, {"start": ends[-15]}))
    assert early.events + run.modes("loop0", start=ends[14]).events == run.modes("loop0").events
    assert early.modes[-1].share.value > 0.5 > 0.1 > late.modes[-1].share.value
    assert run.modes().modes == run.modes(run.series[0]).modes
    with pytest.raises(UsageError, match="did you mean loop0"):
        run.modes("loop")
    found = odd.modes("a")
    assert [round(mode.lower * 1e6) for mode in found.modes] == [64, 8192]
    assert found.modes[1].end == pytest.approx(2.097152)

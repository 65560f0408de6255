"""The contract of all exports of data: they say the same numbers, and what is read again is the same."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from heapq import merge
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import pylatencymap as lm
from pylatencymap.errors import LatencyMapError
from pylatencymap.export import DATA_FORMATS, DataOptions, data_writer_for
from pylatencymap.interval import Interval
from pylatencymap.record import Mark, Stamp
from tests.collectors.test_contract import SAMPLES

EXACT = sorted(set(DATA_FORMATS) - {".hlog", ".prom", ".om"})
"""What is read again is the same, interval by interval."""
WITH_TIMES = sorted(set(EXACT) - {".lmap", ".lmap.gz"})
"""An estimate is another one than that of an interval by itself."""
EXAMPLES = Path(__file__).parents[2] / "examples"
ALL_SAMPLES = sorted(path for path in SAMPLES.glob("*/*.txt") if path.parent.name != "foreign")


def read(path: Path) -> Any:
    return lm.read(path, tz="UTC", date="2026-01-31")


def intervals_of(run: Any) -> list[Interval]:
    return [*merge(*map(run.intervals, run.series), key=lambda one: one.end)]


def by_series(intervals: Iterable[Interval]) -> dict[str, list[Interval]]:
    found: dict[str, list[Interval]] = {}
    for one in intervals:
        found.setdefault(one.series, []).append(one)
    return found


def written(extension: str, intervals: Iterable[Interval], resolution: int | None = None) -> bytes:
    return b"".join(data_writer_for(extension)(intervals, DataOptions(resolution)))


@pytest.fixture(scope="module")
def cold_start() -> Any:
    return read(EXAMPLES / "cold-start.lmap.gz")


@pytest.mark.parametrize("extension", EXACT)
@pytest.mark.parametrize("path", ALL_SAMPLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_is_written_is_read_again_as_it_was(path: Path, extension: str, tmp_path: Path) -> None:
    try:
        before = intervals_of(read(path))
    except LatencyMapError:
        pytest.skip("the sample holds no interval")
    target = tmp_path / f"x{extension}"
    target.write_bytes(written(extension, before))
    again = read(target)
    found = intervals_of(again)
    if extension in WITH_TIMES:
        assert_same_times(found, read(path))
        found, before = without_estimates(found), without_estimates(before)
    assert by_series(found) == by_series(before)
    assert again.bad == 0


def without_estimates(intervals: Iterable[Interval]) -> list[Interval]:
    return [replace(one, waited=None) if one.estimated else one for one in intervals]


def assert_same_times(found: Iterable[Interval], run: Any) -> None:
    """What is written adds up to the time waited of a summary, which pictures and pages show."""
    for name, some in by_series(found).items():
        bounds = sorted({(lower, upper or lower) for one in some for lower, upper, _ in one.ranges})
        if any(upper > lower for (_, upper), (lower, _) in pairwise(bounds)):
            continue  # where ranges overlap, a summary divides them first
        assert sum(one.waited or 0.0 for one in some) == pytest.approx(run.summary(name).waited, rel=1e-9)


def test_all_formats_have_the_same_totals(cold_start: Any, tmp_path: Path) -> None:
    truth = {name: sum(one.events for one in cold_start.intervals(name)) for name in cold_start.series}
    assert truth == {"loop0": 48_123, "vda": 7_790}
    for extension in (*EXACT, ".hlog"):
        target = tmp_path / f"x{extension}"
        cold_start.save(target)
        again = read(target)
        assert {name: sum(one.events for one in again.intervals(name)) for name in again.series} == truth, extension
        assert again.messages == ()
    rows = csv.DictReader(io.StringIO((tmp_path / "x.csv").read_text()))
    counted = Counter[str]()
    for row in rows:
        counted[row["series"]] += int(row["count"])
    assert counted == truth
    lines = map(json.loads, (tmp_path / "x.jsonl").read_text().splitlines())
    assert sum(count for line in lines for _, _, count in line["counts"]) == sum(truth.values())


def test_the_same_rows_in_csv_parquet_and_data_frames(cold_start: Any, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("polars")
    parquet = pytest.importorskip("pyarrow.parquet")
    cold_start.save(tmp_path / "x.parquet")
    cold_start.save(tmp_path / "x.csv")
    ours = cold_start.to_pandas()
    table = parquet.read_table(tmp_path / "x.parquet").to_pandas()
    text = pandas.read_csv(
        tmp_path / "x.csv", parse_dates=["start", "end"], keep_default_na=False, na_values={"": [""]}
    )
    assert [*text.columns] == [*table.columns]
    assert [*ours.columns] == [name for name in table.columns if name != "day"]
    assert [*text["count"]] == [*ours["count"]]
    for name in ours.columns:
        mine = [*ours[name].astype(object).where(ours[name].notna(), None)]
        theirs = [*table[name].astype(object).where(table[name].notna(), None)]
        assert mine == theirs, name
        other = cold_start.to_polars()[name].to_list()
        assert [str(one) for one in other] == [str(one) for one in _plain(mine)], name


def _plain(values: list[Any]) -> list[Any]:
    """Moments of pandas as those of the standard library."""
    return [one.to_pydatetime() if hasattr(one, "to_pydatetime") else one for one in values]


def test_a_dataset_of_xarray_is_the_matrix(cold_start: Any) -> None:
    pytest.importorskip("xarray")
    found, matrix = cold_start.to_xarray("loop0", columns=20), cold_start.matrix("loop0", columns=20)
    assert (found["counts"].values == matrix.counts).all()
    assert (found["waited"].values == matrix.waited).all()
    assert [*found["time"].values.astype("datetime64[us]").astype(int)] == [*matrix.ends]
    assert found.attrs == {"series": "loop0", "unit": "us"}


def test_buckets_of_a_resolution_hold_the_same_events(tmp_path: Path) -> None:
    run = read(SAMPLES / "oracle_trace" / "waits.txt")
    before = intervals_of(run)
    events = sum(one.events for one in before)
    assert len({upper for one in before for _, upper, _ in one.ranges}) == 5
    for extension in EXACT:
        target = tmp_path / f"x{extension}"
        target.write_bytes(written(extension, before, 1))
        again = [range_ for one in intervals_of(read(target)) for range_ in one.ranges]
        assert sum(count for _, _, count in again) == pytest.approx(events)
        assert all(upper in (2 * lower, lower + 1) for lower, upper, _ in again), extension


def test_an_option_of_pictures_is_refused_for_data(cold_start: Any, tmp_path: Path) -> None:
    with pytest.raises(lm.errors.UsageError, match=r"palette is for pictures, and \.csv has data"):
        cold_start.save(tmp_path / "x.csv", palette="viridis")


def test_nothing_at_all_is_a_heading() -> None:
    assert written(".csv", []).decode().startswith("day,series,")
    assert written(".jsonl", []) == b""


def test_marks_that_come_with_the_intervals_are_in_their_places_once(tmp_path: Path, cold_start: Any) -> None:
    """As of a recording with the marks of ``--marks``, which are read in the end, and are in the recording too."""
    before = intervals_of(cold_start)
    ends = [one.end for one in before]
    marks = list[Mark]()

    def reading() -> Iterator[Interval]:
        for number, one in enumerate(before):
            if number % 3 == 0:
                marks.append(Mark(Stamp(one.end), f"at {number}"))
            yield one
        marks.extend(marks[:2])

    target = tmp_path / "x.lmap"
    target.write_bytes(b"".join(data_writer_for(".lmap")(reading(), DataOptions(None, marks))))
    assert [(one.stamp.micros, one.note) for one in read(target).marks] == [
        (ends[number], f"at {number}") for number in range(0, len(ends), 3)
    ]
    texts = target.read_text().split("#lmap ")
    assert [text for text in texts if '"at ' in text][-1] != texts[-1]

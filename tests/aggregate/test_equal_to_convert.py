"""What an aggregation says of a file is what ``convert`` says of it; of several, the sum of what it says of each."""

import gzip
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from pylatencymap.session.input import ReadPlan, large_files
from pylatencymap.text import CUT_OFF, DAMAGED, WRONG_SUM
from tests.aggregate.asking import (
    EVERY_SECOND,
    aggregated,
    converted,
    damaged,
    five_kinds,
    strace,
    sums,
    told_alike,
    waits,
    written,
)
from tests.conftest import ROOT

pytest.importorskip("pyarrow")
SAMPLES = sorted(path for path in (ROOT / "tests/collectors/samples").rglob("*") if path.is_file())
AS_RECORDED = ReadPlan(jobs=1)


@pytest.fixture(autouse=True)
def scans_short_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short files take the way of large ones."""
    monkeypatch.setattr(large_files, "LEAST_BYTES", 1000)


@pytest.mark.parametrize("suffix", [".parquet", ".lmap", ".lmap.gz"])
@pytest.mark.parametrize("kind", sorted({path.parent.name for path in SAMPLES}))
def test_a_file_of_any_kind(tmp_path: Path, kind: str, suffix: str) -> None:
    files = [path for path in SAMPLES if path.parent.name == kind]
    for number, path in enumerate(files):
        for plan, resolution in ((EVERY_SECOND, 8), (EVERY_SECOND, 64), (AS_RECORDED, None)):
            lines, bad = converted(path, plan, resolution)
            output = tmp_path / f"{number}{resolution}{suffix}"
            summary = aggregated([path], output, plan, resolution=resolution)
            assert summary.bad.get(str(path), 0) == bad
            found = written(output, None if suffix == ".parquet" else resolution)
            for one, other in zip(told_alike(lines), told_alike(found), strict=True):
                # A recording leaves out an estimated time, which is then estimated again.
                assert other.pop("time") == pytest.approx(one.pop("time"), rel=1e-12)
                assert one == other


@pytest.mark.parametrize("seed", range(6))
def test_damaged_files_of_five_kinds_each_by_itself(tmp_path: Path, seed: int) -> None:
    paths = five_kinds(tmp_path / "archive", Random(seed))
    summary = aggregated([tmp_path / "archive"], tmp_path / "all.parquet", by=("file",))
    expected = []
    for path in paths:
        lines, bad = converted(path)
        assert summary.bad.get(str(path), 0) == bad
        expected += [{**line, "series": f"{line['series']} ({path.name})"} for line in lines]
    expected.sort(key=lambda line: (line["end"], line["series"], line["start"]))
    assert summary.bad
    assert told_alike(written(tmp_path / "all.parquet")) == told_alike(expected)


@pytest.mark.parametrize("seed", range(4))
def test_events_of_several_files_are_added(tmp_path: Path, seed: int) -> None:
    numbers, archive, expected = Random(seed), tmp_path / "archive", Counter()
    archive.mkdir()
    waited = 0.0
    for number in range(6):
        text = waits(numbers, 300, 1_774_000_000 + numbers.randrange(30)).encode()
        path = archive / f"{number}.trc"
        path.write_bytes(damaged(text, numbers, 20) if number % 2 else text)
        lines, _ = converted(path)
        expected += sums(lines)
        waited += sum(line["time"] for line in lines)
    aggregated([archive], tmp_path / "all.parquet")
    found = written(tmp_path / "all.parquet")
    assert sums(found) == expected
    assert sum(line["time"] or 0.0 for line in found) == pytest.approx(waited, abs=1e-9)
    spans = [(line["series"], line["start"], line["end"]) for line in found]
    assert len(set(spans)) == len(spans)


def test_several_files_are_as_one_with_all_their_events(tmp_path: Path) -> None:
    numbers = Random(5)
    head, *lines = waits(numbers, 900, 1_774_000_000).splitlines(keepends=True)
    whole, archive = tmp_path / "whole.trc", tmp_path / "archive"
    archive.mkdir()
    whole.write_text(head + "".join(lines))
    for number in range(5):
        (archive / f"{number}.trc").write_text(head + "".join(lines[number::5]))
    aggregated([archive], tmp_path / "parts.parquet")
    aggregated([whole], tmp_path / "whole.parquet")
    assert (tmp_path / "parts.parquet").read_bytes() == (tmp_path / "whole.parquet").read_bytes()


def test_where_no_file_was_there_is_a_gap(tmp_path: Path) -> None:
    for number, begin in enumerate((1_774_000_000, 1_774_000_500)):
        (tmp_path / f"{number}.trc").write_text(waits(Random(number), 200, begin))
    aggregated([tmp_path / "0.trc", tmp_path / "1.trc"], tmp_path / "all.parquet")
    gaps = [line for line in written(tmp_path / "all.parquet") if line["gap"]]
    for series in ("db file sequential read", "log file sync"):
        first, second = (
            [line for line in converted(tmp_path / f"{number}.trc")[0] if line["series"] == series] for number in (0, 1)
        )
        mine = [(line["start"], line["end"]) for line in gaps if line["series"] == series]
        assert mine == [(first[-1]["end"], second[0]["start"])]


def test_a_compressed_trace_is_as_the_plain_one(tmp_path: Path) -> None:
    text = damaged(waits(Random(2), 2000, 1_774_000_000).encode(), Random(3), 40)
    names = ["x.trc", "x.trc.gz"]
    (tmp_path / "x.trc").write_bytes(text)
    (tmp_path / "x.trc.gz").write_bytes(gzip.compress(text))
    zstandard = pytest.importorskip("zstandard")
    (tmp_path / "x.trc.zst").write_bytes(zstandard.ZstdCompressor().compress(text))
    for name in [*names, "x.trc.zst"]:
        summary = aggregated([tmp_path / name], tmp_path / f"{name}.parquet")
        assert list(summary.bad.values()) == [converted(tmp_path / "x.trc")[1]]
    outputs = {(tmp_path / f"{name}.parquet").read_bytes() for name in [*names, "x.trc.zst"]}
    assert len(outputs) == 1


@pytest.mark.parametrize("why", [CUT_OFF, DAMAGED, WRONG_SUM])
def test_a_compressed_trace_that_breaks_off_tells_so(tmp_path: Path, why: str) -> None:
    data = gzip.compress(waits(Random(2), 20_000, 1_774_000_000).encode())
    broken = {CUT_OFF: data[: len(data) // 2], DAMAGED: data + b"garbage", WRONG_SUM: data[:-1] + b"x"}
    (tmp_path / "x.trc.gz").write_bytes(broken[why])
    said: list[str] = []
    summary = aggregated([tmp_path / "x.trc.gz"], tmp_path / "x.parquet", said=said)
    assert why in said[0]
    lines, bad = converted(tmp_path / "x.trc.gz")
    assert summary.bad == {str(tmp_path / "x.trc.gz"): bad}
    assert told_alike(written(tmp_path / "x.parquet")) == told_alike(lines)


def test_series_of_two_hosts(tmp_path: Path) -> None:
    (tmp_path / "web1").mkdir()
    (tmp_path / "x.trc").write_text(waits(Random(1), 50, 1_774_000_000))
    (tmp_path / "web1/y.strace").write_text(strace(Random(1), 50, 1_774_000_000))
    aggregated([tmp_path / "x.trc", tmp_path / "web1"], tmp_path / "all.parquet", by=("host",))
    names = {line["series"] for line in written(tmp_path / "all.parquet")}
    assert names == {
        "db file sequential read (dbhost7)",
        "log file sync (dbhost7)",
        "pread64 (web1)",
        "fsync (web1)",
    }


def test_only_the_series_that_are_wanted(tmp_path: Path) -> None:
    paths = five_kinds(tmp_path / "archive", Random(1))
    plan = ReadPlan(jobs=1, time=EVERY_SECOND.time, series=("*read*",))
    summary = aggregated(paths, tmp_path / "some.parquet", plan)
    names = {line["series"] for line in written(tmp_path / "some.parquet")}
    assert names
    assert all("read" in name for name in names)
    assert summary.series == len(names)

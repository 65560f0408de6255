"""Series by a key of the events: ranked over all inputs, as `convert --by KEY` does, however they are read."""

import gzip
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pylatencymap.aggregate.file_reading import ReadTask
from pylatencymap.errors import SourceError, UsageError
from pylatencymap.export import json_line
from pylatencymap.intervals.keyed import value_sums
from pylatencymap.scan import KeyedScanner
from pylatencymap.session.input import ReadPlan, Sources, large_files, open_path
from tests.aggregate.asking import (
    EVERY_SECOND,
    Lines,
    aggregated,
    biolatency,
    converted,
    damaged,
    strace,
    sums,
    told_alike,
    waits,
    written,
)
from tests.aggregate.test_divided_inputs import split_at as split_at
from tests.aggregate.test_resumed import Killed, die_after as die_after
from tests.keyed.test_scan_by_key import a_trace

pytest.importorskip("pyarrow")
SPARK_LOGS = Path(__file__).parents[1] / "collectors" / "samples" / "spark"


def by(key: str, top: int | None = 3, series: tuple[str, ...] = ()) -> ReadPlan:
    return replace(EVERY_SECOND.afresh(), by=key, top=top, series=series)


def with_objects(numbers: Random, text: str) -> str:
    """The trace with other objects, a few of which wait most; some waits say none."""
    return "\n".join(
        line.replace(" obj#=5", f" obj#={int(numbers.paretovariate(0.7)) % 90}" if numbers.random() < 0.9 else "")
        for line in text.split("\n")
    )


def three_kinds(folder: Path, numbers: Random, size: int = 600) -> list[Path]:
    """Two traces, one of them damaged, calls without any object, and a table with some."""
    rows = "".join(
        f"{1_774_000_000 + number / 20:.3f},{numbers.randrange(1, 30_000)},{numbers.randrange(6)}\n"
        for number in range(size)
    )
    texts = {
        "a.trc": with_objects(numbers, waits(numbers, size, 1_774_000_000)).encode(),
        "b.trc": damaged(with_objects(numbers, waits(numbers, size, 1_774_000_002)).encode(), numbers, 20),
        "c.strace": strace(numbers, size, 1_774_000_001.5).encode(),
        "d.csv": b"time,latency_us,obj#\n" + rows.encode(),
    }
    folder.mkdir(exist_ok=True)
    for name, data in texts.items():
        (folder / name).write_bytes(data)
    return [folder / name for name in texts]


def plain_name(name: str) -> str:
    """The name of a series without the file or the source behind it."""
    return name.rpartition(" (")[0] if name.endswith(")") else name


def counted(lines: Lines) -> Counter[tuple[str, float, float, float]]:
    found: Counter[tuple[str, float, float, float]] = Counter()
    for (name, start, lower, upper), count in sums(lines).items():
        found[plain_name(name), start, lower, upper] += count
    return found


def converted_together(paths: list[Path], plan: ReadPlan) -> Counter[tuple[str, float, float, float]]:
    """What ``convert`` counts in these files together."""
    sources = Sources(plan.afresh(), lambda _: None)
    try:
        for path in paths:
            sources.add(open_path(str(path), sources.stop))
        return counted([json.loads(json_line(one, 8)) for one in sources.read(lambda _: None)])
    finally:
        sources.close_all()


@pytest.mark.parametrize("least", [1000, 1 << 60], ids=["scanned", "by line"])
@pytest.mark.parametrize("seed", range(4))
def test_three_kinds_of_files_as_convert_counts_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, least: int
) -> None:
    monkeypatch.setattr(large_files, "LEAST_BYTES", least)
    paths = three_kinds(tmp_path / "archive", Random(seed))
    plan = by("obj#", 4 + seed)
    summary = aggregated(paths, tmp_path / "x.parquet", plan)
    found = counted(written(tmp_path / "x.parquet"))
    assert found == converted_together(paths, plan)
    names = {name for name, *_ in found}
    assert len(names) == 4 + seed + 1
    assert {"others", "pread64 without obj#"} < names
    assert summary.without_key == {str(paths[2]): f"no event of {paths[2]} has the key obj#; there are: pid, fd"}


@pytest.mark.parametrize("key", ["sql_id", "module", "cursor", "obj#"])
@pytest.mark.parametrize("seed", range(3))
def test_keys_that_earlier_lines_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str, seed: int) -> None:
    monkeypatch.setattr(large_files, "LEAST_BYTES", 0)
    paths = [tmp_path / f"{number}.trc" for number in range(3)]
    for number, path in enumerate(paths):
        path.write_text("\n".join(a_trace(10 * seed + number, traps=False)) + "\n")
    plan = by(key, 4)
    aggregated(paths, tmp_path / "x.parquet", plan, jobs=2)
    assert counted(written(tmp_path / "x.parquet")) == converted_together(paths, plan)


def test_large_files_are_scanned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_files, "LEAST_BYTES", 1000)
    paths = three_kinds(tmp_path / "archive", Random(1))[:1]
    scanned, real = list[KeyedScanner](), KeyedScanner.counted

    def counted_by(self: KeyedScanner, *words: Any) -> Any:
        scanned.append(self)
        return real(self, *words)

    monkeypatch.setattr(KeyedScanner, "counted", counted_by)
    aggregated(paths, tmp_path / "x.parquet", by("obj#"))
    assert scanned


@pytest.mark.parametrize("seed", range(3))
def test_the_same_bytes_however_they_are_read(tmp_path: Path, seed: int, split_at: Callable[[int, int], None]) -> None:
    paths = three_kinds(tmp_path / "archive", Random(seed))
    split_at(1 << 20, 1 << 30)
    aggregated(paths, tmp_path / "whole.parquet", by("obj#"))
    for jobs, piece, size in ((1, 2000, 4000), (2, 3000, 8000), (9, 5000, 1 << 30)):
        split_at(piece, size)
        output = tmp_path / f"{jobs}.parquet"
        aggregated(paths[::-1], output, by("obj#"), jobs=jobs)
        assert output.read_bytes() == (tmp_path / "whole.parquet").read_bytes()


def test_one_large_file_by_several_processes(tmp_path: Path, split_at: Callable[[int, int], None]) -> None:
    paths = three_kinds(tmp_path / "archive", Random(4))[:1]
    split_at(2000, 1 << 30)
    for jobs in (1, 4):
        aggregated(paths, tmp_path / f"{jobs}.parquet", by("obj#"), jobs=jobs)
    assert (tmp_path / "1.parquet").read_bytes() == (tmp_path / "4.parquet").read_bytes()


def test_a_compressed_trace_is_as_the_plain_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_files, "LEAST_BYTES", 1000)
    plain = three_kinds(tmp_path / "archive", Random(5))[1]
    packed = tmp_path / "archive/b.trc.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    for path in (plain, packed):
        aggregated([path], tmp_path / f"{path.name}.parquet", by("obj#"))
    assert (tmp_path / "b.trc.parquet").read_bytes() == (tmp_path / "b.trc.gz.parquet").read_bytes()


@pytest.mark.parametrize("seed", range(3))
def test_a_run_that_ended_many_times(
    tmp_path: Path, seed: int, die_after: Callable[[int], list[ReadTask]], split_at: Callable[[int, int], None]
) -> None:
    paths = three_kinds(tmp_path / "archive", Random(seed))
    split_at(4000, 8000)
    begun = die_after(10_000)
    aggregated(paths, tmp_path / "whole.parquet", by("obj#"))
    every, done, output = sorted(begun), list[ReadTask](), tmp_path / "ended.parquet"
    assert len(every) == 2 * len(paths), "each file is looked through, and read"
    for _ in range(20):
        begun = die_after(1)
        try:
            aggregated(paths, output, by("obj#"))
            done += begun
            break
        except Killed:
            done += begun[:-1]
    assert sorted(done) == every, "each task was done once"
    assert output.read_bytes() == (tmp_path / "whole.parquet").read_bytes()


def test_another_ranking_makes_what_was_counted_useless(
    tmp_path: Path, die_after: Callable[[int], list[ReadTask]]
) -> None:
    archive = tmp_path / "archive"
    paths = three_kinds(archive, Random(6))
    die_after(len(paths) + 2)
    with pytest.raises(Killed):
        aggregated([archive], tmp_path / "x.parquet", by("obj#"))
    late = (
        with_objects(Random(7), waits(Random(7), 50, 1_774_000_000))
        .replace("ela= ", "ela= 9")
        .replace("obj#=", "obj#=7")
    )
    (archive / "late.trc").write_text(late)
    begun = die_after(100)
    aggregated([archive], tmp_path / "x.parquet", by("obj#"))
    assert len(begun) == 1 + len(paths) + 1, "only the new file is looked through, and all are counted"
    aggregated([archive], tmp_path / "whole.parquet", by("obj#"))
    assert (tmp_path / "x.parquet").read_bytes() == (tmp_path / "whole.parquet").read_bytes()
    assert any("obj#=7" in line["series"] for line in written(tmp_path / "x.parquet"))


@pytest.mark.parametrize("other", [by("file#"), by("obj#", 4), EVERY_SECOND])
def test_another_key_is_another_question(
    tmp_path: Path, die_after: Callable[[int], list[ReadTask]], other: ReadPlan
) -> None:
    paths = three_kinds(tmp_path / "archive", Random(6))
    die_after(5)
    with pytest.raises(Killed):
        aggregated(paths, tmp_path / "x.parquet", by("obj#"))
    die_after(100)
    with pytest.raises(UsageError, match=r"other options \(by\)"):
        aggregated(paths, tmp_path / "x.parquet", other)
    assert aggregated(paths, tmp_path / "x.parquet", other, afresh=True).events


def test_too_many_values_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = three_kinds(tmp_path / "archive", Random(1))[:2]
    for most, is_said in ((20, True), (10_000, False)):
        monkeypatch.setattr(value_sums, "MOST_VALUES", most)
        said: list[str] = []
        summary = aggregated(paths, tmp_path / "x.parquet", by("obj#"), said=said, afresh=True)
        assert any("obj# has too many values to keep them all" in one for one in said) is is_said
        found = counted(written(tmp_path / "x.parquet"))
        assert sum(found.values()) == summary.events > 1100


def test_a_key_that_no_file_has(tmp_path: Path) -> None:
    paths = three_kinds(tmp_path / "archive", Random(1))[:3]
    with pytest.raises(SourceError, match=r"a\.trc, .*c\.strace has the key objx; there are: obj#, file#.* pid, fd"):
        aggregated(paths, tmp_path / "x.parquet", by("objx"))
    assert aggregated(paths, tmp_path / "x.parquet", by("obj#")).events, "the right key needs no --afresh"


def test_counts_have_no_keys_and_are_left_out(tmp_path: Path) -> None:
    paths = three_kinds(tmp_path / "archive", Random(1))
    aggregated(paths, tmp_path / "whole.parquet", by("obj#"))
    (tmp_path / "archive/disk.txt").write_text(biolatency(Random(1), 20))
    aggregated(paths[:1], tmp_path / "archive/earlier.lmap")
    summary = aggregated([tmp_path / "archive"], tmp_path / "x.parquet", by("obj#"))
    assert {Path(path).name for path in summary.failed} == {"disk.txt", "earlier.lmap"}
    assert all("counts and no single events, so --by obj# finds nothing" in why for why in summary.failed.values())
    assert (tmp_path / "x.parquet").read_bytes() == (tmp_path / "whole.parquet").read_bytes()


def test_a_column_of_a_table_has_all_its_values_unless_the_top_is_asked_for(tmp_path: Path) -> None:
    path = three_kinds(tmp_path / "archive", Random(1))[3]
    for top, names in ((None, set("012345")), (2, None)):
        aggregated([path], tmp_path / f"{top}.parquet", by("obj#", top))
        found = {line["series"] for line in written(tmp_path / f"{top}.parquet")}
        assert found == names if names else len(found) == 3


def test_a_column_of_a_table_that_no_event_of_the_others_has(tmp_path: Path) -> None:
    paths = three_kinds(tmp_path / "archive", Random(1))
    paths[3].write_text(paths[3].read_text().replace("obj#", "node"))
    summary = aggregated([paths[0], paths[3]], tmp_path / "x.parquet", by("node", None))
    assert list(summary.without_key) == [str(paths[0])]
    assert not summary.failed
    names = {plain_name(line["series"]) for line in written(tmp_path / "x.parquet")}
    assert names == set("012345") | {"db file sequential read without node", "log file sync without node"}


def test_with_the_file_as_well(tmp_path: Path) -> None:
    paths = three_kinds(tmp_path / "archive", Random(1))[:2]
    plan = by("obj#", 2, ("log file sync",))
    aggregated(paths, tmp_path / "x.parquet", plan, by=("file",))
    found = written(tmp_path / "x.parquet")
    assert {line["series"].split()[-1] for line in found} == {"(a.trc)", "(b.trc)"}
    assert counted(found) == converted_together(paths, plan)
    assert {plain_name(line["series"]).split("=")[0] for line in found} == {"obj#", "others"}


def test_a_series_is_wanted_by_its_own_name_when_files_are_kept_apart(tmp_path: Path) -> None:
    paths = three_kinds(tmp_path / "archive", Random(1))[:2]
    plan = replace(EVERY_SECOND.afresh(), series=("log file sync",))
    aggregated(paths, tmp_path / "x.parquet", plan, by=("file",))
    names = {line["series"] for line in written(tmp_path / "x.parquet")}
    assert names == {"log file sync (a.trc)", "log file sync (b.trc)"}


def test_a_rolled_log_of_spark_in_an_archive_is_one_text(tmp_path: Path) -> None:
    """The second file says neither of which job its tasks are, nor when they began."""
    log = tmp_path / "logs" / "eventlog_v2_local-1"
    log.mkdir(parents=True)
    lines = (SPARK_LOGS / "sql.txt").read_text().splitlines(keepends=True)
    for number, part in ((1, lines[:6]), (2, lines[6:9]), (10, lines[9:])):
        (log / f"events_{number}_local-1").write_text("".join(part))
    (log / "appstatus_local-1").touch()
    plan = by("job")
    told: list[str] = []
    summary = aggregated([tmp_path / "logs"], tmp_path / "x.lmap", plan, said=told)
    assert (summary.inputs, summary.failed) == (1, {})
    assert not [one for one in told if "is empty" in one]
    assert told_alike(written(tmp_path / "x.lmap", 8)) == told_alike(converted(log, plan)[0])

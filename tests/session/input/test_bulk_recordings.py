"""What is read many records at a time is what the line decoder reads: intervals, marks, messages; damage included."""

from __future__ import annotations

import gzip
from contextlib import ExitStack
from datetime import datetime, timezone
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest

from pylatencymap.interval import Interval
from pylatencymap.intervals import Batch, TimeOptions
from pylatencymap.record import Mark
from pylatencymap.scan.records import chunks
from pylatencymap.session.input import large_files
from pylatencymap.session.input.excerpt import Excerpt, parse_moment
from pylatencymap.session.input.pipeline import ReadPlan
from pylatencymap.session.input.recorded_folder import open_path
from pylatencymap.session.input.sources import Sources
from pylatencymap.stream import reader
from pylatencymap.stream.record_text import read_record_text
from pylatencymap.window import history
from pylatencymap.window.window import Window
from tests.session.input import bulk_alike
from tests.session.input.bulk_alike import (
    FIRST,
    MAKERS,
    NEVER,
    Maker,
    assert_alike,
    assert_same_windows,
    counted,
    exact,
    prepare,
    read,
    record_text,
    totals,
    unclocked,
)
from tests.trust.fuzzing.damage import LOCAL, WILD

EXAMPLES = Path(__file__).parents[3] / "examples"
every_maker = pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)


def calm(maker: Maker, number: int = 300) -> bytes:
    """A recording without anything odd."""
    with patch.object(
        Random, "choice", lambda self, options: options[self.randrange(len(options)) if len(options) > 4 else 0]
    ):
        return maker(Random(7), number)


@every_maker
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("pieces", [1000, 1 << 20])
def test_recordings_are_read_alike(maker: Maker, seed: int, pieces: int) -> None:
    assert_alike(maker(Random(seed), 120), pieces=pieces)


@every_maker
@pytest.mark.parametrize("seed", range(5))
def test_damaged_lines_are_read_alike(maker: Maker, seed: int) -> None:
    random = Random(100 + seed)
    lines = maker(random, 60).split(b"\n")
    for _ in range(random.choice((1, 2, 6))):
        place = random.randrange(len(lines) - 1)
        lines[place : place + 2] = random.choice(LOCAL)(random, lines[place], lines[place + 1])
    assert_alike(b"\n".join(lines), strict=seed == 4, pieces=random.choice((1000, 20_000)))


@every_maker
@pytest.mark.parametrize("seed", range(4))
def test_texts_with_any_damage_are_read_alike(maker: Maker, seed: int) -> None:
    random = Random(200 + seed)
    data, other = maker(random, 60), random.choice(MAKERS)(random, 20)
    assert_alike(random.choice(WILD)(random, data, other), pieces=random.choice((1000, 20_000)))


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.lmap.gz")), ids=lambda path: path.name)
def test_examples_are_read_alike(path: Path) -> None:
    assert_alike(path.read_bytes(), pieces=20_000)


@pytest.mark.parametrize("maker", [totals, counted, exact, unclocked], ids=lambda maker: maker.__name__)
def test_nearly_all_of_a_calm_recording_comes_in_batches(maker: Maker) -> None:
    taken = assert_alike(calm(maker), pieces=1 << 20)
    assert taken.batched > 0.9 * sum(len(taken.window[name]) for name in taken.window.names())


def fleet(hosts: int, seconds: int) -> bytes:
    """The totals of many hosts, each second one after another."""
    random, found = Random(5), list[str]()
    sums = [dict.fromkeys((64, 1024, 16384), 0) for _ in range(hosts)]
    for second in range(seconds):
        for host, rows in enumerate(sums):
            for bucket in rows:
                rows[bucket] += random.randrange(1, 300)
            found.append(record_text(FIRST + second * 1_000_000, f"host{host}", rows))
    return "".join(found).encode()


def test_most_of_a_recording_of_many_hosts_comes_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chunk of the usual size has only a few of their snapshots, which would all be taken one by one."""

    def as_usual(stack: ExitStack, least: int, pieces: int) -> None:
        stack.enter_context(patch.object(large_files, "LEAST_RECORDED", least))
        stack.enter_context(patch.object(chunks, "CHUNK_BYTES", pieces))

    monkeypatch.setattr(bulk_alike, "prepare", as_usual)
    hosts, seconds = 60, 150
    taken = assert_alike(fleet(hosts, seconds), pieces=40_000)
    assert taken.batched > 0.7 * hosts * seconds


@pytest.mark.parametrize("maker", [totals, counted], ids=lambda maker: maker.__name__)
def test_lines_of_waits_between_records_cost_no_batch(maker: Maker) -> None:
    line = b'#waits {"v":1,"view":"V$SESSION","until":1,"of":0,"series":[],"keys":[],"waits":[]}\n'
    records = calm(maker).split(b"<end record>\n")
    data = b"".join(
        one + b"<end record>\n" * (number < len(records) - 1) + line * (number % 20 == 19)
        for number, one in enumerate(records)
    )
    taken = assert_alike(data, pieces=1 << 20)
    assert taken.batched > 0.9 * sum(len(taken.window[name]) for name in taken.window.names())
    assert_same_windows(taken.window, assert_alike(calm(maker)).window)
    assert_alike(data, pieces=1000)


@pytest.mark.parametrize(
    "plan",
    [
        ReadPlan("records", time=TimeOptions(interval=10.0)),
        ReadPlan("records", series=("sd*", "v*")),
        ReadPlan("records", count=40),
        ReadPlan("records", duration=77.5),
    ],
    ids=["interval", "series", "count", "duration"],
)
@pytest.mark.parametrize("maker", [totals, counted], ids=lambda maker: maker.__name__)
def test_options_choose_the_same(maker: Maker, plan: ReadPlan) -> None:
    data = maker(Random(5), 150)
    for in_bulk in (False, True):
        found = read(data, in_bulk=in_bulk, plan=plan)
        window = read(data, in_bulk=in_bulk, plan=plan, to_window=True).window
        if not in_bulk:
            expected, other = found, window
    assert found.found == expected.found
    assert found[2:6] == expected[2:6]
    assert_same_windows(window, other)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_changes_nothing(encoding: str) -> None:
    data = totals(Random(1), 80)
    marked = assert_alike(data.decode().encode(encoding))
    assert marked.window.total_of_all() == assert_alike(data).window.total_of_all()


def test_carriage_returns_change_nothing() -> None:
    data = calm(counted)
    found = assert_alike(data.replace(b"\n", b"\r\n"))
    assert found.batched
    assert_same_windows(found.window, assert_alike(data).window)


@pytest.mark.parametrize("damage", ["cut", "garbled"])
def test_compressed_recordings_break_off_alike(damage: str) -> None:
    packed = bytearray(gzip.compress(totals(Random(3), 300)))
    data = bytes(packed[: len(packed) * 2 // 3])
    if damage == "garbled":
        data = bytes([*packed[: len(packed) // 2], *b"?" * 20, *packed[len(packed) // 2 + 20 :]])
    found = assert_alike(data)
    assert found.said or found.ended


def test_a_long_recording_is_read_in_bulk_and_a_short_one_by_lines() -> None:
    data, seen = calm(totals, 3000), list[int]()

    def noted(stream: object, begin: object, *rest: object) -> object:
        seen.append(1)
        return read_record_text(stream, begin, *rest)  # type: ignore[arg-type]

    records = data.count(b"<begin record>")
    with patch.object(reader, "read_record_text", noted):
        read(data, in_bulk=True, pieces=1 << 20)
        few = len(seen)
        seen.clear()
        read(data, in_bulk=False)
    assert few < records / 100
    assert len(seen) == records
    assert large_files.LEAST_RECORDED == 1_000_000


# Folders of hourly recordings.


def segments(folder: Path, random: Random, data: bytes, runs: int = 2) -> None:
    """The records of a text as the segments of some runs of the recorder."""
    records = [one + b"<end record>\n" for one in data.split(b"<end record>\n")[:-1]]
    size, last = len(records) // 6 + 1, dict[bytes, bytes]()
    for part in range(6):
        begin = FIRST + part * 3_600_000_000
        run = part * runs // 6
        head = f'#segment {{"v": 1, "run": "20261122T093012.481Z-{run}", "part": {part}, "begin": {begin}}}\n'.encode()
        again = [b'#lmap {"v": 1, "flags": ["repeated"]}\n' + one for one in last.values()] if part * runs % 6 else []
        own = records[part * size : (part + 1) * size]
        for one in own:
            last[one.split(b"label,")[-1].split(b"\n")[0]] = one[one.index(b"<begin") :]
        packed = gzip.compress(b"".join([head, *again, *own]))
        moment = datetime.fromtimestamp(begin / 1e6, timezone.utc)
        path = folder / f"pylatencymap-{moment:%Y%m%dT%H%M%S}.000Z.lmap.gz"
        path.write_bytes(packed if random.random() < 0.7 else packed[: random.randrange(len(packed))])


def read_folder(
    path: Path, plan: ReadPlan, least: int, *, at_once: bool = False
) -> tuple[list[Interval], list[Mark], list[str], Window, int]:
    """The intervals of a folder, marks, messages, and a window of them; how many came in batches."""
    said, marks, taken = list[str](), list[Mark](), list[Batch | Interval]()
    sources = Sources(plan, said.append)
    with ExitStack() as stack:
        prepare(stack, least, 4000)
        sources.add(open_path(str(path), sources.stop))
        found = list(sources.read(marks.append, taken.append if at_once else None))
        sources.close_all()
    window = Window()
    for one in (*taken, *found):
        window.add(one) if isinstance(one, Interval) else window.extend(one)
    return found, marks, said, window, sum(one.ends.size for one in taken if not isinstance(one, Interval))


BEGIN, END = (parse_moment(str((FIRST // 1_000_000) + seconds)) for seconds in (50, 170))
PART = Excerpt(BEGIN, END, timezone.utc, 1_800_000_000.0)


@pytest.mark.parametrize("excerpt", [None, PART], ids=["all", "part"])
@pytest.mark.parametrize("seed", range(4))
def test_folders_of_segments_are_read_alike(tmp_path: Path, seed: int, excerpt: Excerpt | None) -> None:
    random = Random(seed)
    segments(tmp_path, random, calm(totals) if seed else calm(counted), runs=random.choice((1, 2, 3)))
    plan = ReadPlan(excerpt=excerpt)
    expected = read_folder(tmp_path, plan, NEVER)
    found = read_folder(tmp_path, plan, 1)
    assert found[:3] == expected[:3]
    once = read_folder(tmp_path, plan, 1, at_once=True)
    assert not once[0]
    assert once[4] or excerpt is not None
    assert once[1:3] == expected[1:3]
    assert_same_windows(once[3], expected[3])


def test_ranges_that_have_no_row_of_their_own_are_counted_alike() -> None:
    with patch.object(history, "MAX_ROWS", 20):
        assert assert_alike(calm(exact), pieces=1 << 20).batched

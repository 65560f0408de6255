"""What the bpf probe prints, read back; its buckets, as the program in the kernel counts them."""

import ast
import ctypes
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pylatencymap.collectors.bpf.probe.kernel import Sums
from pylatencymap.collectors.bpf.probe.stream import LAST_OCTAVE, Idle, Losses, Stream, bounds, ranges_of
from pylatencymap.record import Mark, Record, Semantics
from pylatencymap.report import Report
from pylatencymap.stream.reader import read_stream
from pylatencymap.text.lines import lines_of
from pylatencymap.units import Unit

PROBE = Path("collectors") / "bpf" / "probe"
BUCKETS = 272
BEGIN = 1_700_000_000


def counts(**of: int) -> list[int]:
    """Counts by bucket: ``counts(b8=3)``."""
    made = [0] * BUCKETS
    for name, count in of.items():
        made[int(name[1:])] = count
    return made


def printed(*intervals: dict[str, Sums]) -> str:
    text: list[str] = []
    stream = Stream("block I/O service time", text.append)
    for number, found in enumerate(intervals):
        stream.interval(BEGIN + number, BEGIN + number + 1, found)
    return "".join(text)


def records_of(text: str) -> list[Record]:
    report = Report("probe", strict=True)
    return [event for event in read_stream(lines_of(text), report) if isinstance(event, Record)]


def test_buckets_are_adjacent_and_at_most_an_eighth_wide() -> None:
    assert [bounds(bucket) for bucket in range(8)] == [(bucket, bucket + 1) for bucket in range(8)]
    for bucket in range(1, BUCKETS):
        lower, upper = bounds(bucket)
        assert lower == bounds(bucket - 1)[1]
        assert upper - lower == max((1 << (lower.bit_length() - 1)) // 8, 1)
    assert bounds(BUCKETS - 1)[1] == LAST_OCTAVE


def test_the_last_bucket_is_open() -> None:
    assert ranges_of(counts(b0=2, b8=1, b271=5)) == [(0, 1, 2), (8, 9, 1), (15 << 32, None, 5)]


@pytest.fixture(scope="module")
def bucket_in_c(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], int]:
    """``bucket_of`` of the program in the kernel, compiled for this one."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler")
    found = re.search(
        r"static inline (u64 bucket_of\(u64 micros\)\n\{.*?\n\})", (root / PROBE / "probe.c").read_text(), re.S
    )
    assert found
    folder = tmp_path_factory.mktemp("bucket")
    (folder / "bucket.c").write_text(f"typedef unsigned long long u64;\n{found[1]}\n")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", folder / "bucket.so", folder / "bucket.c"], check=True)
    function = ctypes.CDLL(str(folder / "bucket.so")).bucket_of
    function.argtypes, function.restype = [ctypes.c_uint64], ctypes.c_uint64
    return lambda micros: int(function(micros))


def test_the_kernel_counts_into_the_buckets_that_are_printed(bucket_in_c: Callable[[int], int]) -> None:
    for bucket in range(BUCKETS):
        lower, upper = bounds(bucket)
        assert {bucket_in_c(lower), bucket_in_c((lower + upper) // 2), bucket_in_c(upper - 1)} == {bucket}
    assert bucket_in_c((1 << 64) - 1) >= BUCKETS


def test_what_is_printed_is_what_was_counted() -> None:
    first = {"loop0,read": Sums(5_000_000, counts(b8=2, b61=3)), "sda,write": Sums(700, counts(b0=1))}
    second = {"loop0,read": Sums(0, []), "sda,write": Sums(64_123, counts(b50=1, b8=1))}
    found = records_of(printed(first, second))
    assert [(one.series, one.ranges, one.waited) for one in found] == [
        ("loop0,read", tuple(ranges_of(counts(b8=2, b61=3))), 0.005),
        ("sda,write", ((0, 1, 1),), 7e-7),
        ("loop0,read", (), 0.0),
        ("sda,write", tuple(ranges_of(counts(b50=1, b8=1))), 64.123e-6),
    ]
    for one, begin in zip(found, (BEGIN, BEGIN, BEGIN + 1, BEGIN + 1), strict=True):
        assert one.stamp is not None
        assert (one.start, one.stamp.micros) == (begin * 1_000_000, (begin + 1) * 1_000_000)
        assert (one.unit, one.semantics, one.source) == (Unit.US, Semantics.INTERVAL, "bpf")


def test_an_idle_disk_is_told_of_until_it_has_series_and_what_was_told_goes_on() -> None:
    idle, some, none = Idle(["sda", "sdb"]), Sums(5000, counts(b8=2)), Sums(0, [])
    assert idle.filled({"sda,read": some}) == {"sda,read": some, "sdb,read": none, "sdb,write": none}
    both = {"sda,read": none, "sdb,discard": some}
    assert idle.filled(both) == {**both, "sdb,read": none, "sdb,write": none}
    assert [(one.series, one.ranges, one.waited) for one in records_of(printed(Idle(["sda"]).filled({})))] == [
        ("sda,read", (), 0.0),
        ("sda,write", (), 0.0),
    ]


def test_the_plain_text_alone_holds_running_sums() -> None:
    text = printed({"sda,read": Sums(1, counts(b8=2, b0=1))}, {"sda,read": Sums(1, counts(b9=1, b16=4))})
    plain = "".join(line + "\n" for line in text.splitlines() if not line.startswith("#lmap"))
    found = records_of(plain)
    assert [one.ranges for one in found] == [(), ((1, 2, 1), (8, 16, 2)), ((1, 2, 1), (8, 16, 3), (16, 32, 4))]
    assert {one.semantics for one in found} == {Semantics.CUMULATIVE}


def test_a_mark_is_read_as_one() -> None:
    text: list[str] = []
    Stream("x", text.append).mark(BEGIN + 0.25, "3 lost")
    (mark,) = read_stream(lines_of("".join(text)), Report("probe", strict=True))
    assert isinstance(mark, Mark)
    assert (mark.stamp.micros, mark.note) == (BEGIN * 1_000_000 + 250_000, "3 lost")


def test_what_was_under_way_is_no_loss() -> None:
    losses = Losses()
    assert losses.news([5, 0, 0, 0], {}) == ""
    assert losses.news([5, 0, 0, 0], {}) == ""


def test_losses_are_told_when_they_have_doubled() -> None:
    losses, measured = Losses(), {"sda,read": Sums(1, counts(b8=10))}
    fates = [[2, 0, 0, 0], [3, 0, 0, 0], [3, 0, 0, 0], [3, 1, 0, 0], [3, 1, 1, 0], [4, 2, 1, 0]]
    told = [losses.news(one, measured) for one in fates]
    assert told == [
        "",
        "not measured so far: 1 without a start; measured: 20",
        "",
        "not measured so far: 1 without a start, 1 without a completion; measured: 40",
        "",
        "not measured so far: 2 without a start, 2 without a completion, 1 of too many disks; measured: 60",
    ]


def modules(root: Path) -> Iterator[Path]:
    yield from (root / PROBE).glob("*.py")


def test_the_probe_stands_alone_and_is_for_old_pythons(root: Path) -> None:
    """It runs under the Python of the system, which may be much older than ours."""
    for path in modules(root):
        tree = ast.parse(path.read_text(), feature_version=(3, 8))
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        assert all(node.level <= 1 for node in imports), path
        assert not any((node.module or "").startswith("pylatencymap") for node in imports), path
        aliases = [node for node in tree.body if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript)]
        assert not aliases, f"{path}: list[int] is no expression in Python 3.8"

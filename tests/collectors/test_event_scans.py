"""Logs of fio, strace and columns that are scanned hold what the line decoders find, and what is in them."""

import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st

from pylatencymap import registry
from pylatencymap.collector import Known
from pylatencymap.scan.reader import NotScannable
from pylatencymap.units import Unit
from tests.scan.alike import NO_SCAN, SCANNED, UNFIT, alike, counted, decoded_lines, in_bulk

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
import lines as made

COLLECTORS = {"fio": "fio_log", "strace": "strace", "biosnoop": "biosnoop"}
CAPTURES = [
    ("fio_log", "fio-lat-log_lat.1.log"),
    ("strace", "strace-fttt-fio.txt"),
    ("strace", "strace-tt-y-sqlite.txt"),
    ("strace", "strace-ttt-sqlite.txt"),
    ("biosnoop", "bpftrace-biosnoop-tp.txt"),
    ("biosnoop", "libbpf-runqslower.txt"),
]
EPOCH = 1_769_850_000
BIOSNOOP = "TIME(s)     COMM           PID     DISK      T SECTOR     BYTES   LAT(ms)"


def text_of(rows: list[str]) -> bytes:
    return ("\n".join(rows) + "\n").encode()


FORMS = {
    "fio": ("fio_log", "", lambda n: f"{n * 3}, {60_000 + n % 100 * 1000}, {n % 2}, 4096, {n * 4096}, 0"),
    "fio epoch, priorities": (
        "fio_log",
        "",
        lambda n: f"{EPOCH * 1000 + n * 3}, {60_000 + n * 7}, 1, 4096, {n * 4096}, 0x{n % 65536:04x}",
    ),
    "fio 2": ("fio_log", "", lambda n: f"{n * 3}, {60 + n % 100}, 0, 4096"),
    "fio issue time": ("fio_log", "", lambda n: f"{n},{60_000 + n},0,4096,{n},0,{n * 10**6}"),
    "fio sync": ("fio_log", "", lambda n: f"{n}, {10**9 + n}, 3, 0, 0, 0"),
    "strace -f -ttt": (
        "strace",
        "",
        lambda n: f'{22_551 + n % 3} {EPOCH + n // 1000}.{n % 1000:06d} read(3, "x", 8) = {n} <0.{n % 10**6:06d}>',
    ),
    "strace -tt": (
        "strace",
        "",
        lambda n: (
            f"[pid {n % 20_000:>5}] 23:{n // 60 % 60:02d}:{n % 60:02d}.{n % 10**6:06d} close({n})     = 0 <0.000012>"
        ),
    ),
    "strace -t": (
        "strace",
        "",
        lambda n: f"10:{n // 60 % 60:02d}:{n % 60:02d} fsync(3)   = -1 EIO (I/O error) <1.{n:06d}>",
    ),
    "strace ns": ("strace", "", lambda n: f"{EPOCH + n}.{n % 10**6:06d} mmap(NULL, 4096) = 0x7f{n:x} <0.{n:09d}>"),
    "biosnoop": (
        "biosnoop",
        BIOSNOOP,
        lambda n: (
            f"{n // 1000}.{n % 1000:06d}".ljust(12)
            + f"fio{n % 3:<12}".ljust(15)
            + f"{4711:<8}{'vda' if n % 2 else 'nvme0n1':<10}R {n * 8:<11}{4096:<8}{n / 100:7.2f}"
        ),
    ),
    "biosnoop -Q": (
        "biosnoop",
        "TIME(s)     COMM           PID     DISK    T    SECTOR     BYTES   QUE(ms) LAT(ms)",
        lambda n: (
            f"{n / 1000:<11.6f} {'fio':<14} {8:<7} {'loop0':<7} {'R':<4} {n:<10} {4096:<7} "
            f"{n / 1000:7.3f} {n / 500:7.3f}"
        ),
    ),
    "ext4slower": (
        "biosnoop",
        "TIME     COMM           PID    T BYTES   OFF_KB   LAT(ms) FILENAME",
        lambda n: f"10:00:{n % 60:02d} {'bash':<14} {3616:<6} R {128:<7} {n:<8} {n / 100:7.2f} a file {n}",
    ),
    "runqslower": (
        "biosnoop",
        "TIME     COMM             TID           LAT(us)",
        lambda n: f"08:11:{n % 60:02d} {'nbdkit':<16} {1295:<6} {n:14d}",
    ),
    "iosnoop": (
        "biosnoop",
        "STARTs         ENDs           COMM         PID    TYPE DEV      BLOCK        BYTES     LATms",
        lambda n: (
            f"{5982800 + n}.302061 {5982800 + n}.302679 {'supervise':<12} {1809:<6} "
            f"{'W':<4} {'202,1':<8} {17039600:<12} {4096:<6} {n / 100:8.2f}"
        ),
    ),
    "bpftrace": (
        "biosnoop",
        "TIME(ms)     DISK    COMM             PID    LAT(us)",
        lambda n: f"{n:<12} {'vda':<7} {'fio':<16} {13_519:<6} {n % 100:7d}",
    ),
}


def test_every_scan_is_compared_with_its_decoder() -> None:
    """Here and, for SQL traces, in test_oracle_trace_scan."""
    scanned = {name for name in registry.collector_names() if registry.load_scan(registry.load_collector(name))}
    assert (
        scanned == {*COLLECTORS.values(), "oracle_trace"} == {*(name for name, _, _ in FORMS.values()), "oracle_trace"}
    )


@pytest.mark.parametrize("form", FORMS)
def test_nearly_all_is_scanned(tmp_path: Path, form: str) -> None:
    name, header, line = FORMS[form]
    text = text_of([*([header] if header else []), *(line(n) for n in range(3000))])
    assert alike(name, tmp_path / "t", text, 1 << 20) == SCANNED
    assert alike(name, tmp_path / "t", text, 3000, 2) == SCANNED
    assert alike(name, tmp_path / "t", text.replace(b"\n", b"\r\n"), 3000) == SCANNED
    assert decoded_lines(name, tmp_path / "t", text) <= 60


@pytest.mark.parametrize("kind", COLLECTORS)
@pytest.mark.parametrize("seed", range(12))
def test_damaged_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, seed: int) -> None:
    monkeypatch.setattr(made, "DAMAGED_SHARE", 0.3)
    text = b"".join(made.text(kind, 40_000, damage=True, seed=seed))
    piece = Random(seed).choice([400, 1000, 7000, 1 << 20])
    assert alike(COLLECTORS[kind], tmp_path / "t", text, piece, seed % 3 + 1) == SCANNED


@given(
    form=st.sampled_from(sorted(FORMS)),
    cut=st.integers(0, 200),
    damage=st.lists(st.tuples(st.integers(0, 5000), st.binary(max_size=3) | st.text("0 9-<>=),.\r\n\x1b", max_size=3))),
    piece=st.sampled_from([400, 3000, 1 << 20]),
)
def test_any_damage(
    tmp_path_factory: pytest.TempPathFactory,
    form: str,
    cut: int,
    damage: list[tuple[int, bytes | str]],
    piece: int,
) -> None:
    name, header, line = FORMS[form]
    text = bytearray(text_of([*([header] if header else []), *(line(n) for n in range(100))]))
    for place, garbage in damage:
        some = garbage.encode() if isinstance(garbage, str) else garbage
        text[place % len(text) : place % len(text) + len(some)] = some
    alike(name, tmp_path_factory.mktemp("scan") / "t", bytes(text[: len(text) - cut]), piece)


@pytest.mark.parametrize(("name", "capture"), CAPTURES)
def test_captures(tmp_path: Path, shared: Path, name: str, capture: str) -> None:
    text = (shared / "data/captures" / capture).read_bytes()
    for variant in (text, text.replace(b"\n", b"\r\n"), text[:-17], text + text[len(text) // 2 :]):
        assert alike(name, tmp_path / "t", variant, 10_000) in (SCANNED, NO_SCAN)


def test_fio_holds_what_was_written(tmp_path: Path) -> None:
    rng, expected = Random(3), Counter[tuple[str, int]]()
    waited, rows = Counter[tuple[str, int]](), []
    for n in range(5000):
        latency, direction = rng.choice((80_000, 9_000_000)) + rng.randrange(1000), rng.randrange(3)
        rows.append(f"{n * 7}, {latency}, {direction}, 512, {n}, 0")
        key = ("read", "write", "trim")[direction], n * 7 // 1000
        expected[key] += 1
        waited[key] += latency
    path = tmp_path / "t"
    path.write_bytes(text_of(rows))
    found = in_bulk("fio_log", path, Known())
    assert found is not None
    assert counted(found[0]) == {key: (expected[key], round(waited[key] / 1e9, 9)) for key in expected}


def test_strace_ends_are_those_of_the_calls(tmp_path: Path) -> None:
    calls = [(n * 211_000, 5 if n % 7 else 1_900_000) for n in range(3000)]
    rows = [
        f'77    {EPOCH + begun // 10**6}.{begun % 10**6:06d} read(0, "", 1) = 0 <{taken // 10**6}.{taken % 10**6:06d}>'
        for begun, taken in calls
    ]
    path = tmp_path / "t"
    path.write_bytes(text_of(rows))
    found = in_bulk("strace", path, Known())
    assert found is not None
    expected = Counter(("read", EPOCH + (begun + taken) // 10**6) for begun, taken in calls)
    assert {key: events for key, (events, _) in counted(found[0]).items()} == expected


def test_columns_hold_queue_and_service_apart(tmp_path: Path) -> None:
    name, header, line = FORMS["biosnoop -Q"]
    path = tmp_path / "t"
    path.write_bytes(text_of([header, *(line(n) for n in range(2000))]))
    found = in_bulk(name, path, Known())
    assert found is not None
    sums = Counter[str]()
    for (series, _), (_, waited) in counted(found[0]).items():
        sums[series] += round(waited * 1e6)
    assert sums == {
        "loop0,read": 2 * sum(range(2000)),
        "loop0,read,queue": sum(range(2000)),
    }


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("strace", [f"7     0.{n:06d} read(3) = 1 <0.000002>" for n in range(200)]),  # -r: since the line before
        ("strace", ["read(3) = 1 <0.000002>"] * 200),
        ("strace", [f"{EPOCH}.{n:06d} read(3) = 1 <0.002>" for n in range(200)]),  # --syscall-times=ms
        ("strace", [f"{EPOCH}.{n:06d} read(3) = 1 <2>" for n in range(200)]),
        ("strace", [f"{EPOCH}.{n:06d} (+ 0.000001) read(3) = 1 <0.0002>" for n in range(200)]),
        ("biosnoop", ["COMM PID TYPE DEV BLOCK BYTES LATms", *["x 1 W 202,1 8 4096 1.32"] * 200]),
        ("biosnoop", ["ENDTIME_us,TASK,PID,TYPE,BYTES,OFFSET_b,LATENCY_us,FILE", *["2,bash,3,R,1,0,7,x"] * 200]),
        ("fio_log", ["0, 12, 0, 0"] * 200),
    ],
)
def test_what_only_the_decoder_can_read(tmp_path: Path, name: str, rows: list[str]) -> None:
    assert alike(name, tmp_path / "t", text_of(rows)) == NO_SCAN


@pytest.mark.parametrize("stamp", [f"{EPOCH}.000001", "10:00:00.000001", "10:00:00"])
def test_processes_that_are_named_later(tmp_path: Path, stamp: str) -> None:
    rows = [f"{stamp} read(3) = 1 <0.000002>", *(f"{22_551 + n} {stamp} read(3) = 1 <0.000002>" for n in range(500))]
    assert alike("strace", tmp_path / "t", text_of(rows), 3000) == SCANNED
    assert decoded_lines("strace", tmp_path / "t", text_of(rows)) <= 3


def test_midnight_is_left_to_the_decoder(tmp_path: Path) -> None:
    rows = [f"{hour % 24:02d}:00:00.000001 read(3) = 1 <0.000002>" for hour in range(20, 30)]
    assert alike("strace", tmp_path / "t", text_of(rows)) == UNFIT
    assert alike("strace", tmp_path / "t", text_of(rows[:4])) == SCANNED


def test_another_header_is_left_to_the_decoder(tmp_path: Path) -> None:
    name, header, line = FORMS["biosnoop"]
    rows = [header, *(line(n) for n in range(50))]
    assert alike(name, tmp_path / "t", text_of([*rows, *rows])) == SCANNED
    assert alike(name, tmp_path / "t", text_of([*rows, FORMS["bpftrace"][1], FORMS["bpftrace"][2](1)])) == UNFIT


@pytest.mark.parametrize("form", ["biosnoop", "biosnoop -Q", "iosnoop", "runqslower"])
def test_rows_above_the_header(tmp_path: Path, form: str) -> None:
    name, header, line = FORMS[form]
    rows = [line(n) for n in range(300)]
    for above in (1, 100):
        text = text_of(["Tracing", "3 damaged", *rows[:above], "4 damaged", header, *rows[above:]])
        for piece in (100, 700, 9000, 1 << 20):
            assert alike(name, tmp_path / "t", text, piece) == SCANNED
        found = in_bulk(name, tmp_path / "t", Known())
        assert found is not None
        assert sum(events for (series, _), (events, _) in counted(found[0]).items() if "queue" not in series) == 300
        assert found[3] == 1, "what stands before the first row is none"


def test_columns_whose_names_begin_alike(tmp_path: Path) -> None:
    header = "TIME     COMM           PID    T BYTES   LATEST   LAT(ms) FILENAME"
    rows = [header, *(FORMS["ext4slower"][2](n) for n in range(100))]
    assert alike("biosnoop", tmp_path / "t", text_of(rows)) == SCANNED


def test_times_of_another_clock_are_left_to_the_decoder(tmp_path: Path) -> None:
    rows = [f"{n}, 5000, 0, 4096" for n in range(200)]
    assert alike("fio_log", tmp_path / "t", text_of([*rows, f"{EPOCH * 1000}, 5000, 0, 4096"])) == UNFIT


@pytest.mark.parametrize("end", [0, 1, 2, 3, 4, 9, 30])
def test_a_last_line_that_was_cut_off(tmp_path: Path, end: int) -> None:
    for form in ("biosnoop", "biosnoop -Q", "iosnoop"):
        name, header, line = FORMS[form]
        whole = text_of([header, *(line(n) for n in range(1000, 1100))])
        for piece in (100, 400, 1 << 20):
            assert alike(name, tmp_path / "t", whole[: len(whole) - 1 - end], piece) == SCANNED
            assert alike(name, tmp_path / "t", whole[: len(whole) - 1 - end] + b"\n", piece) == SCANNED


def test_nothing_is_told_of_a_file_that_is_read_again(tmp_path: Path) -> None:
    rows = [f"{n}, 5000, 0, 4096" for n in range(200)]
    path = tmp_path / "t"
    path.write_bytes(text_of([*rows, "what is this?", f"{EPOCH * 1000}, 5000, 0, 4096"]))
    said: list[str] = []
    with pytest.raises(NotScannable):
        in_bulk("fio_log", path, Known(), said=said)
    assert said == []


def test_calls_cut_in_two_by_a_message(tmp_path: Path) -> None:
    call = f"{EPOCH}.000001 read(3) = 1 <0.000002>"
    rows = [call] * 20
    rows[7] = f"{EPOCH}.000001 clone(child_stack=NULL, flags=SIGCHLDstrace: Process 4323 attached"
    assert alike("strace", tmp_path / "t", text_of(rows), 300) == SCANNED
    rows[8] = ", child_tidptr=0x7f12) = 4323 <0.000187>"
    assert alike("strace", tmp_path / "t", text_of(rows), 300) == SCANNED


def test_the_unit_that_the_user_names(tmp_path: Path) -> None:
    text = text_of([f"{n}, {n % 50 + 1}, 0, 4096" for n in range(500)])
    for unit in (Unit.NS, Unit.US, Unit.MS):
        assert alike("fio_log", tmp_path / "t", text, known=Known(unit=unit)) == SCANNED

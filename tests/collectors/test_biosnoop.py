"""Tools that print a line per event: every event at its end, whatever the names of commands and files hold."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pylatencymap import registry
from pylatencymap.errors import Refused
from pylatencymap.record import Clock, Sample
from pylatencymap.report import Report
from pylatencymap.text.lines import lines_of
from pylatencymap.units import Unit

SNOOP = registry.load_collector("biosnoop")
SAMPLES = Path(__file__).parent / "samples/biosnoop"
Counting = Callable[[list[Sample]], dict[str, list[int]]]
Told = Callable[[str], dict[str, list[int]]]
Expected = list[tuple[str, int, int]]
DAY = 86_400_000_000


def samples(text: str, report: Report | None = None) -> list[Sample]:
    return [event for event in SNOOP.decode(lines_of(text), report or Report("t")) if isinstance(event, Sample)]


def text_of(name: str) -> str:
    return (SAMPLES / f"{name}.txt").read_text()


KINDS: list[tuple[str, Unit, Clock, Expected]] = [
    (
        "bcc",
        Unit.US,
        Clock.FREE,
        [
            ("vda,read", 120, 0),
            ("nvme0n1,write", 10_250, 213),
            ("vda,write", 50, 1_500_000),
            ("vda,read", 120_400, 3_250_000),
        ],
    ),
    (
        "libbpf-queue",
        Unit.US,
        Clock.FREE,
        [
            ("loop0,read", 10_213, 0),
            ("loop0,read,queue", 4, 0),
            ("vda,write", 101, 500_000),
            ("vda,write,queue", 2_500, 499_899),
            ("vda", 750, 1_250_000),
            ("vda,flush", 1_000, 1_500_000),
            ("vda,flush,queue", 1, 1_499_000),
        ],
    ),
    (
        "bpftrace",
        Unit.MS,
        Clock.FREE,
        [("vda", 0, 12_000), ("loop0", 10, 20_000), ("loop0", 16, 1_030_000), ("vda", 123, 2_500_000)],
    ),
    (
        "ext4slower",
        Unit.US,
        Clock.DAY,
        [
            ("read", 7_750, DAY - 1_000_000),
            ("write", 1_340, DAY - 1_000_000),
            ("fsync", 10_500, 0),
            ("open", 2_000, 1_000_000),
        ],
    ),
    ("ext4slower-csv", Unit.US, Clock.FREE, [("read", 7_750, 2_127_476_055), ("write", 12, 2_127_999_055)]),
    ("runqslower", Unit.US, Clock.DAY, [("all", 799, 29_474_000_000), ("all", 10_799, 29_475_000_000)]),
    (
        "iosnoop",
        Unit.US,
        Clock.FREE,
        [("202,1,write", 620, 5_982_800_302_679), ("202,1,read", 10_420, 5_982_800_312_842)],
    ),
    ("iosnoop-no-times", Unit.US, Clock.COUNTED, [("202,1,write", 1_320, 1_320), ("202,2,read", 900_300, 901_620)]),
    ("tcpconnlat", Unit.US, Clock.FREE, [("all", 640, 0), ("all", 12_500, 212_000), ("all", 1_060, 1_025_000)]),
    ("dbslower", Unit.US, Clock.FREE, [("all", 2_002_722, 2_002_722), ("all", 106, 2_500_106)]),
]


@pytest.mark.parametrize(("name", "unit", "clock", "expected"), KINDS, ids=[kind[0] for kind in KINDS])
def test_tools(name: str, unit: Unit, clock: Clock, expected: Expected) -> None:
    report = Report(name)
    found = samples(text_of(name), report)
    assert [(one.series, one.latency, one.micros) for one in found] == expected
    assert {(one.unit, one.clock) for one in found} == {(unit, clock)}
    assert report.bad_count == 0


@pytest.mark.parametrize(
    ("name", "floor"), [("ext4slower", "1 ms"), ("runqslower", "500 us"), ("dbslower", ""), ("bcc", "")]
)
def test_what_the_tool_left_out_is_told(name: str, floor: str) -> None:
    said: list[str] = []
    samples(text_of(name), Report(name, say=said.append))
    assert [line for line in said if "are not in this text" in line] == said
    assert len(said) == bool(floor)
    assert all(f"events up to {floor}" in line for line in said)


def test_without_times_the_axis_is_told() -> None:
    said: list[str] = []
    samples(text_of("iosnoop-no-times"), Report("t", say=said.append))
    assert len(said) == 1
    assert "iosnoop -t" in said[0]


@pytest.mark.parametrize("name", ["bcc", "libbpf-queue", "bpftrace", "iosnoop"])
def test_a_latency_that_was_cut_off_does_not_count(name: str) -> None:
    text = text_of(name).rstrip("\n")
    whole = samples(text)
    for cut in range(1, 4):
        report = Report(name)
        assert samples(text[:-cut], report) == whole[: len(samples(text[:-cut]))]
        assert len(samples(text[:-cut])) < len(whole)
        assert report.bad_count == 1


def test_a_script_may_print_without_padding() -> None:
    text = "TIME(us) DISK PID LAT(us)\n7 vda 1 1234\n9 vda 1 5\n1700000000000000 vda 1 6\n"
    assert [(one.series, one.latency, one.micros, one.clock) for one in samples(text)] == [
        ("vda", 1234, 7, Clock.FREE),
        ("vda", 5, 9, Clock.FREE),
        ("vda", 6, 1_700_000_000_000_000, Clock.EPOCH),
    ]


def test_a_second_header_begins_a_second_text() -> None:
    report = Report("t")
    assert len(samples(text_of("bcc") + text_of("bpftrace") + text_of("ext4slower"), report)) == 12
    assert report.bad_count == 0


def test_bad_lines_are_counted() -> None:
    report = Report("t")
    text = text_of("bpftrace") + "1300         vda     fio  12  -5\n1300 vda\nLost 5 events\n"
    assert len(samples(text, report)) == 4
    assert report.bad_count == 2


def test_rows_above_the_header_are_read_by_it() -> None:
    header, *rows = text_of("bcc").splitlines(keepends=True)
    whole = samples(text_of("bcc"))
    assert len(whole) > 2
    for above in range(len(rows)):
        report = Report("t")
        text = "Tracing\n10 lines\n" + "".join([*rows[:above], header, *rows[above:]])
        assert [one[:5] for one in samples(text, report)] == [one[:5] for one in whole]
        assert report.bad_count == 0


def test_rows_above_the_header_that_do_not_fit_it_are_bad() -> None:
    report = Report("t")
    header, first, *rows = text_of("bcc").splitlines(keepends=True)
    assert len(samples("".join([first, "7 vda\n", header, *rows]), report)) == len(samples(text_of("bcc")))
    assert report.bad_count == 1


def test_more_rows_than_are_kept_above_the_header_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pylatencymap.collectors.biosnoop.decoder.MOST_EARLY", 1)
    said: list[str] = []
    header, *rows = text_of("bcc").splitlines(keepends=True)
    report = Report("t", say=said.append)
    assert len(samples("".join([*rows[:3], header, *rows[3:]]), report)) == len(samples(text_of("bcc"))) - 2
    assert "2 lines above the header are not read" in said[0]


@pytest.mark.parametrize(
    "header",
    [
        "TIME(s) COMM PID",
        "TIME(s) TIME(ms) COMM LAT(ms)",
        "TIME COMM LAT(ms) LAT(us)",
        "PID COMM LADDR LPORT RADDR RPORT TX_KB RX_KB MS",
        "time latency pid",
    ],
)
def test_headers_of_others(header: str) -> None:
    assert SNOOP.detect(f"{header}\n1 2 3 4\n").value == 0
    with pytest.raises(Refused, match="no header with a column of latencies"):
        samples(f"{header}\n1 2 3 4\n")


def test_the_capture_holds_what_is_true(shared: Path, classes: Counting, events_in: Told) -> None:
    text = (shared / "data/captures/bpftrace-biosnoop-tp.txt").read_text()
    report = Report("t")
    found = samples(text, report)
    assert classes(found) == events_in("bpftrace-biosnoop-tp.txt")
    assert report.bad_count == 0
    rows = [line.split() for line in text.splitlines() if line[:1].isdigit()]
    assert [(int(row[0]) * 1000, row[1], int(row[-1])) for row in rows] == [
        (one.micros, one.series, one.latency) for one in found
    ]


def test_the_capture_of_the_run_queue_is_read_whole(shared: Path) -> None:
    text = (shared / "data/captures/libbpf-runqslower.txt").read_text()
    rows = [line for line in text.splitlines() if line[:2].isdigit()]
    assert [one.latency for one in samples(text)] == [int(row.split()[-1]) for row in rows]


def test_whole_milliseconds_were_cut_down() -> None:
    header = "TIME(ms)     DISK    COMM             PID    LAT(ms)\n"
    said: list[str] = []
    rows = (
        "12           vda     fio              13519        0\n13           vda     fio              13519       11\n"
    )
    found = samples(header + rows, Report("t", say=said.append))
    assert [(one.unit, one.latency, one.step) for one in found] == [(Unit.MS, 0, 1), (Unit.MS, 11, 1)]
    assert sum("whole ms" in message for message in said) == 1


@pytest.mark.parametrize("name", ["bcc", "runqslower"])
def test_decimals_and_microseconds_were_not(name: str) -> None:
    assert {one.step for one in samples(text_of(name))} == {0}


@pytest.mark.parametrize("arguments", ["", " 0x1f 2"])
def test_arguments_at_the_end_can_be_missing(arguments: str) -> None:
    header = "TIME     COMM           PID    LAT(ms) RVAL             FUNC ARGS\n"
    rows = [f"12:00:0{n} fio            123    {10 + n}.25   0                vfs_read{arguments}\n" for n in range(3)]
    assert [one.latency for one in samples(header + "".join(rows))] == [10_250, 11_250, 12_250]


def test_rows_of_which_none_fits_their_header_are_refused_with_the_reason() -> None:
    header = "TIME     COMM           PID    LAT(ms) RVAL             FUNC\n"
    with pytest.raises(Refused, match=r"t:2: no line fits the header above; .* --format columns"):
        samples(header + "12:00:01 fio            123    10.25\n12:00:02 fio            123    10.25\n")

"""Tables: columns by their names or by options, units by header, value or option, and nothing that is only guessed."""

import json
import subprocess
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from pylatencymap import registry
from pylatencymap.collector import Columns, Known
from pylatencymap.errors import Refused
from pylatencymap.record import Clock, Sample
from pylatencymap.report import Report
from pylatencymap.text.lines import lines_of
from pylatencymap.units import Unit

COLUMNS = registry.load_collector("columns")
SAMPLES = Path(__file__).parent / "samples/columns"
UTC = timezone.utc


def samples(text: str, known: Known | None = None, report: Report | None = None) -> list[Sample]:
    events = COLUMNS.decode(lines_of(text), report or Report("t"), known or Known(tz=UTC))
    return [event for event in events if isinstance(event, Sample)]


def read(text: str, known: Known | None = None, report: Report | None = None) -> list[tuple[str, Unit, int, int]]:
    return [(one.series, one.unit, one.latency, one.micros) for one in samples(text, known, report)]


def sample_file(name: str, by: str = "", report: Report | None = None) -> list[tuple[str, Unit, int, int]]:
    known = Known(tz=UTC, columns=Columns(by=(by,)) if by else None)
    return read((SAMPLES / f"{name}.txt").read_text(), known, report)


def epoch(text: str) -> int:
    since = datetime.fromisoformat(text).replace(tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)
    return since // timedelta(microseconds=1)


def test_comma_separated_with_quotes_offsets_and_bad_rows() -> None:
    said: list[str] = []
    report = Report("f", say=said.append)
    ten = epoch("2026-11-21T10:00:00")
    assert sample_file("queries", "query", report) == [
        ("select, 1", Unit.US, 123, ten + 250_000),
        ("update", Unit.US, 12_000, ten + 1_500_000),
        ("update", Unit.US, 10_500, ten + 3_000_000),
    ]
    assert report.bad_count == 2
    assert said[:3] == [
        "f:3: time is column 'time': date and time, the end of each event",
        "f:3: latency is column 'latency_ms', in ms; series: column 'query'",
        "f:3: first row: 2026-11-21T10:00:00.250+00:00, 0.123 ms",
    ]


def test_columns_that_could_be_meant_as_well_are_told() -> None:
    said: list[str] = []
    at = epoch("2025-04-12T10:00:00")
    assert sample_file("syscalls-of-xcapture", report=Report("f", say=said.append)) == [
        ("all", Unit.NS, 300, at + 123_456),
        ("all", Unit.NS, 20_100, at + 223_456),
    ]
    assert any("not drawn: QUEUE_TIME_NS, SERVICE_TIME_NS; --latency" in message for message in said)
    known = Known(tz=UTC, columns=Columns(latency="service_time_ns", by=("SYSCALL",)))
    found = read((SAMPLES / "syscalls-of-xcapture.txt").read_text(), known)
    assert [(series, latency) for series, _, latency, _ in found] == [("pread64", 200), ("pread64", 20_000)]


def test_other_separators_and_json() -> None:
    second = 1_700_000_000_000_000
    assert sample_file("tabs", "thread") == [
        ("main", Unit.NS, 213, second + 250_000),
        ("main thread", Unit.NS, 10_213, second + 1_250_000),
    ]
    assert sample_file("json-lines", "op") == [
        ("read", Unit.US, 1_250, second + 500_000),
        ("write", Unit.US, 12_500, second + 1_500_000),
    ]
    at = epoch("2026-11-21T10:00:00")
    assert sample_file("bars", "what") == [("a", Unit.US, 5_250, at + 1_000_000), ("b", Unit.US, 6_500, at + 2_000_000)]


def test_an_event_ends_its_duration_after_a_time_that_is_its_start() -> None:
    assert sample_file("blanks", "command") == [
        ("my app", Unit.US, 250_000, 1_750_000),
        ("dd", Unit.US, 125, 2_500_125),
        ("dd", Unit.US, 126, 3_000_126),
    ]
    assert {one.clock for one in samples((SAMPLES / "blanks.txt").read_text())} == {Clock.FREE}


@pytest.mark.parametrize(
    ("time", "micros", "clock"),
    [
        ("1700000000", 1_700_000_000_000_000, Clock.EPOCH),
        ("1700000000.25", 1_700_000_000_250_000, Clock.EPOCH),
        ("1700000000250", 1_700_000_000_250_000, Clock.EPOCH),
        ("1700000000250001", 1_700_000_000_250_001, Clock.EPOCH),
        ("1700000000250001999", 1_700_000_000_250_001, Clock.EPOCH),
        ("2023-11-14T22:13:20.25Z", 1_700_000_000_250_000, Clock.EPOCH),
        ("2023/11/14 22:13:20", 1_700_000_000_000_000, Clock.EPOCH),
        ("14/Nov/2023:22:13:20 +0000", 1_700_000_000_000_000, Clock.EPOCH),
        ("[14/Nov/2023:23:13:20 +0100]", 1_700_000_000_000_000, Clock.EPOCH),
        ("14-NOV-23 10.13.20.250000 PM", 1_700_000_000_250_000, Clock.EPOCH),
        ("22:13:20.5", 80_000_500_000, Clock.DAY),
        ("12.5", 12_500_000, Clock.FREE),
    ],
)
def test_times_are_read_by_their_form(time: str, micros: int, clock: Clock) -> None:
    (one,) = samples(f"timestamp,latency_us\n{time},5\n")
    assert (one.micros, one.clock, one.latency) == (micros, clock, 5)


@pytest.mark.parametrize(
    ("header", "value", "unit", "latency"),
    [
        ("LAT(ms)", "1.5", Unit.US, 1_500),
        ("latency_us", "7", Unit.US, 7),
        ("latency_us", "7.25", Unit.NS, 7_250),
        ("duration_ns", "7", Unit.NS, 7),
        ("DELTAus", "7", Unit.US, 7),
        ("Response Time [s]", "0.000213", Unit.US, 213),
        ("elapsedMillis", "3", Unit.MS, 3),
        ("latency", "3ms", Unit.MS, 3),
        ("duration", "1.5 s", Unit.US, 1_500_000),
        ("latency_s", "2.5e-05", Unit.US, 25),
    ],
)
def test_units_are_those_of_the_header_or_of_the_value(header: str, value: str, unit: Unit, latency: int) -> None:
    (one,) = samples(f"time,{header},x\n1700000000,{value},1\n")
    assert (one.unit, one.latency) == (unit, latency)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("time,latency\n1700000000,5\n", "unit of 'latency' is open; --unit us, or --latency 2:us"),
        ("time,latency_us\n17,5\n", "unit of '17' in 'time' is open; --time 1:ms"),
        ("a,b\n1,2\n", "no line has a column that is clearly a time or .* clearly a latency; the nearest is 'a,b'"),
        ("time,latency_us\n", "no row has a time and a latency"),
    ],
)
def test_nothing_is_guessed(text: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        samples(text)


def test_a_column_that_is_not_there_is_named() -> None:
    with pytest.raises(Refused, match="no line has 'lat'; the nearest is 'time,latency_us'; --time"):
        samples("time,latency_us\n17.5,5\n", Known(columns=Columns(latency="lat")))


def test_columns_by_number_without_a_header_as_in_files_of_btt() -> None:
    text = "0.000297795 0.000320845\n1.035272527 0.011100594\n"
    assert read(text, Known(columns=Columns("1", "2:s"))) == [
        ("all", Unit.NS, 320_845, 297),
        ("all", Unit.NS, 11_100_594, 1_035_272),
    ]
    assert read("1000,sda,213\n", Known(unit=Unit.US, columns=Columns("1:ms", "3", ("2",)))) == [
        ("sda", Unit.US, 213, 1_000_000)
    ]


def test_an_expression_takes_lines_apart() -> None:
    report = Report("f")
    expression = r"(?P<series>/\S*) took (?P<latency>\S+) at (?P<time>\S+)"
    text = "GET /a took 12ms at 10:00:01.5\nnoise\nGET /b took 1500us at 10:00:03\nGET /c took long at 10:00:04\n"
    assert read(text, Known(columns=Columns(regex=expression)), report) == [
        ("/a", Unit.US, 12_000, 36_001_500_000),
        ("/b", Unit.US, 1_500, 36_003_000_000),
    ]
    assert report.bad_count == 1


def test_an_expression_for_lines_without_a_time() -> None:
    columns = Columns("none", regex=r"(?P<series>/\S*) took (?P<latency>\S+)")
    assert read("/a took 12ms\nnoise\n/b took 1500us\n", Known(columns=columns)) == [
        ("/a", Unit.US, 12_000, 12_000),
        ("/b", Unit.US, 1_500, 13_500),
    ]


def test_latencies_finer_than_those_of_the_first_row_are_told() -> None:
    said: list[str] = []
    text = "time,latency_us,x\n17.5,5,1\n17.6,5.75,1\n17.7,6.25,1\n"
    assert [latency for _, _, latency, _ in read(text, report=Report("f", say=said.append))] == [5, 5, 6]
    assert sum("finer" in message for message in said) == 1


def test_what_another_collector_knows_is_left_to_it() -> None:
    assert COLUMNS.detect("TIME(s)     COMM           PID    DISK    T SECTOR     BYTES  LAT(ms)\n").value < 0.5
    assert COLUMNS.detect("time and latency of all that\nwas read\n").value < 0.5
    assert COLUMNS.detect("time,latency_us\n").value < 0.5


def test_the_command_takes_the_options(tmp_path: Path, root: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("1700000000;sda;213\n1700000000;sdb;10\n")
    command = [sys.executable, "-m", "pylatencymap", "convert", "--to", "jsonl", str(file)]
    options = ["--time", "1", "--latency", "3:us", "--by", "2"]
    done = subprocess.run([*command, *options], cwd=root, capture_output=True, text=True, check=True)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert {one["series"]: one["counts"] for one in found} == {"sda": [[208, 216, 1]], "sdb": [[10, 11, 1]]}
    assert "latency is column 3, in us" in done.stderr
    header = tmp_path / "b.csv"
    header.write_text("timestamp,latency\n1700000000,0.25\n")
    done = subprocess.run([*command[:-1], str(header), "--unit", "s"], cwd=root, capture_output=True, check=True)
    assert json.loads(done.stdout.splitlines()[0])["time"] == 0.25
    bpf = ["--format", "bpf"]
    for wrong in (["--regex", "(?P<time>x)"], ["--regex", "("], ["--unit", "s", *bpf]):
        assert subprocess.run([*command, *wrong], cwd=root, capture_output=True, check=False).returncode == 2


class TestWholeMilliseconds:
    """What prints whole milliseconds has cut off the rest."""

    def test_each_event_lies_within_its_millisecond(self) -> None:
        found = samples("time,latency_ms\n1700000000,0\n1700000001,12\n")
        assert [(one.unit, one.latency, one.step) for one in found] == [(Unit.MS, 0, 1), (Unit.MS, 12, 1)]

    def test_so_do_whole_seconds(self) -> None:
        (one,) = samples("time,latency_s\n1700000000,3\n")
        assert (one.unit, one.latency, one.step) == (Unit.MS, 3000, 1000)

    def test_it_is_told_once(self) -> None:
        said: list[str] = []
        samples("time,latency_ms\n1700000000,0\n1700000001,12\n", report=Report("t", say=said.append))
        assert sum("latencies in whole ms" in message for message in said) == 1

    @pytest.mark.parametrize("rows", ["0\n0.25", "0.25\n0", "3.0\n0.25"])
    def test_a_fraction_shows_that_the_others_are_exact(self, rows: str) -> None:
        text = "".join(f"170000000{n},{row}\n" for n, row in enumerate(rows.split("\n")))
        said: list[str] = []
        found = samples("time,latency_ms\n" + text, report=Report("t", say=said.append))
        assert {(one.unit, one.step) for one in found} == {(Unit.US, 0)}
        assert 250 in [one.latency for one in found]
        assert not any("whole" in message for message in said)

    @pytest.mark.parametrize("header", ["latency_us", "latency_ns"])
    def test_units_of_a_clock_are_exact(self, header: str) -> None:
        (one,) = samples(f"time,{header}\n1700000000,3\n")
        assert one.step == 0

    def test_of_a_live_source_a_fraction_may_still_come(self) -> None:
        lines = list(lines_of("time,latency_ms\n1700000000,3\n1700000001,4.25\n1700000002,5\n"))
        events = COLUMNS.decode([*lines[:2], None, *lines[2:]], Report("t"), Known(tz=UTC))
        found = [event for event in events if isinstance(event, Sample)]
        assert [(one.unit, one.latency, one.step) for one in found] == [
            (Unit.US, 3_000, 1_000),
            (Unit.US, 4_250, 0),
            (Unit.US, 5_000, 0),
        ]


class TestDatesBesideTimes:
    """A day in one column and the time of day in another are one moment."""

    AT = epoch("2026-11-20T10:00:01.5")

    @pytest.mark.parametrize(
        "text",
        [
            "date,time,latency_us\n2026-11-20,10:00:01.5,7\n",
            "Log Date;x;Time;latency_us\n2026/11/20;1;10:00:01,5;7\n",
            "DATE TIME COMM LAT(us)\n2026-11-20 10:00:01.5 dd 7\n",
            "day\ttimestamp\tlatency_us\n20-NOV-26\t10:00:01.5\t7\n",
            '{"time": "10:00:01.5", "latency_us": 7, "date": "2026-11-20"}\n',
        ],
    )
    def test_they_are_joined_by_their_names(self, text: str) -> None:
        (one,) = samples(text)
        assert (one.micros, one.clock, one.latency) == (self.AT, Clock.EPOCH, 7)

    def test_a_start_has_its_date_too(self) -> None:
        (one,) = samples("date,start_time,latency_us\n2026-11-20,10:00:01,500000\n")
        assert (one.micros, one.clock) == (self.AT, Clock.EPOCH)

    @pytest.mark.parametrize("time", ["d,t", "1,2"])
    def test_they_are_joined_where_both_are_named(self, time: str) -> None:
        known = Known(tz=UTC, columns=Columns(time=time))
        (one,) = samples("d,t,latency_us\n2026-11-20,10:00:01.5,7\n", known)
        assert (one.micros, one.clock) == (self.AT, Clock.EPOCH)

    def test_what_was_taken_is_told(self) -> None:
        said: list[str] = []
        samples("date,time,latency_us\n2026-11-20,10:00:01.5,7\n", report=Report("f", say=said.append))
        assert said[0] == "f:2: time is column 'date' with column 'time': date and time, the end of each event"

    @pytest.mark.parametrize(("time", "day"), [("time", "2026-11-20"), ("", "Friday")])
    def test_a_date_that_is_not_used_is_told(self, time: str, day: str) -> None:
        said: list[str] = []
        known = Known(tz=UTC, columns=Columns(time=time))
        text = f"date,time,latency_us\n{day},10:00:01.5,7\n"
        (one,) = samples(text, known, Report("f", say=said.append))
        assert one.clock is Clock.DAY
        assert any("column 'date' is not used; --time date,time takes it" in message for message in said)

    def test_a_date_beside_a_whole_moment_is_not_needed(self) -> None:
        (one,) = samples("date,timestamp,latency_us\n2020-01-01,1700000000,7\n")
        assert one.micros == 1_700_000_000_000_000


class TestReasons:
    """What is refused or counted says which value it was, and what to do."""

    @pytest.mark.parametrize("date", ["03/04/2026 10:00:00", "11/20/2026, 10:00:00 AM", "3.4.2026 10:00:00"])
    def test_dates_without_an_order_are_refused_with_the_choice(self, date: str) -> None:
        text = f'"What";"Time (UTC)";"Latency (ms)"\n"x";"{date}";"1.5"\n'
        assert COLUMNS.detect(text).value >= 0.9
        with pytest.raises(
            Refused, match=r"whether the day or the month is first in .* --time 2:dmy or 2:mdy tells it"
        ):
            samples(text)

    @pytest.mark.parametrize(
        ("time", "text", "moment"),
        [
            ("timestamp:dmy", "timestamp,latency_ms\n03/04/2026 10:00:00,1.5\n", "2026-04-03T10:00:00"),
            ("1:mdy", "timestamp,latency_ms\n03/04/2026 10:00:00.5 PM,1.5\n", "2026-03-04T22:00:00.5"),
            ("1:dmy,2", "date,time,latency_ms\n3.4.2026,10:00:00,1.5\n", "2026-04-03T10:00:00"),
        ],
    )
    def test_their_order_can_be_told(self, time: str, text: str, moment: str) -> None:
        (one,) = samples(text, Known(tz=UTC, columns=Columns(time=time)))
        assert (one.micros, one.latency) == (epoch(moment), 1_500)

    def test_a_date_without_an_order_in_a_column_of_its_own(self) -> None:
        with pytest.raises(Refused, match="--time 1:dmy,2 or 1:mdy,2 tells it"):
            samples("date,time,latency_ms\n03/04/2026,10:00:00,1.5\n")

    def test_bad_rows_say_which_value_failed(self) -> None:
        said: list[str] = []
        report = Report("f", say=said.append)
        text = "time,latency_ms\n17.5,1.5\nnoon,1.5\n18.5,long\n18.5,-1\n18.5\n"
        assert len(samples(text, report=report)) == 1
        assert report.bad_count == 4
        assert [message.split(":", 2)[1:] for message in said[-4:]] == [
            ["3", " 'noon' in 'time' is no time; what is read is 2026-11-20 10:00:00.5, "
             "20/Nov/2026:10:00:00 +0000, 10:00:00.5, or seconds to nanoseconds since 1970"],
            ["4", " 'long' in 'latency_ms' is no latency: a number from 0, perhaps with its unit as in 1.5ms"],
            ["5", " '-1' in 'latency_ms' is no latency: a number from 0, perhaps with its unit as in 1.5ms"],
            ["6", " not a row with time, latency_ms: 18.5"],
        ]  # fmt: skip

    def test_a_table_without_an_event_gives_the_first_reason(self) -> None:
        with pytest.raises(Refused, match="no row has a time and a latency: 'noon' in 'time' is no time"):
            samples("time,latency_ms\nnoon,1.5\nx,y\n")

    def test_only_what_is_missing_is_called_missing(self) -> None:
        known = Known(columns=Columns(latency="elapsed:ms", by=("status",)))
        text = "# a report\nid,created_at,elapsed,status\n1,2026-11-20 10:00:00.123,15,200\n"
        with pytest.raises(Refused, match="no line has a column that is clearly a time; the nearest is 'id,created_at"):
            samples(text, known)


class TestDecimalCommas:
    """A comma is read where it cannot stand behind thousands."""

    def test_they_are_read_and_told(self) -> None:
        said: list[str] = []
        text = "timestamp;latency_s\n1700000000,5;0,015\n1700000001,5;1,234\n"
        assert COLUMNS.detect(text).value >= 0.9
        found = samples(text, report=Report("f", say=said.append))
        assert [(one.micros, one.latency) for one in found] == [
            (1_700_000_000_500_000, 15_000),
            (1_700_000_001_500_000, 1_234_000),
        ]
        assert sum("commas stand before decimals, as in '0,015'" in message for message in said) == 1

    def test_without_a_header(self) -> None:
        known = Known(columns=Columns("1:s", "2:ms"))
        assert [latency for _, _, latency, _ in read("0,5;1,25\n1,5;2,5\n", known)] == [1_250, 2_500]

    def test_where_they_are_open_that_is_the_reason(self) -> None:
        with pytest.raises(Refused, match="the comma of '1,234' may stand before decimals or behind thousands"):
            samples("timestamp;latency_ms\n1700000000;1,234\n")


@pytest.mark.parametrize("name", ["Time (UTC)", "time_utc", "timestamp [GMT]"])
def test_a_name_may_say_that_times_are_utc(name: str) -> None:
    (one,) = samples(f"{name},latency_us\n2023-11-14 22:13:20,5\n", Known(tz=timezone(timedelta(hours=2))))
    assert one.micros == 1_700_000_000_000_000


def test_members_of_objects_within_objects_have_paths() -> None:
    text = '{"t": {"$date": "2026-11-20T10:00:00Z"}, "req": {"latency_ms": 1.5, "by": {"op": "a"}}, "tags": [1]}\n'
    known = Known(columns=Columns("t.$date", "req.latency_ms", ("req.by.op",)))
    assert read(text + '{"t": 1}\n', known) == [("a", Unit.US, 1_500, epoch("2026-11-20T10:00:00"))]


@pytest.mark.parametrize("latency", ["3:us", "3"])
def test_a_number_names_a_place_also_if_the_first_row_holds_it(latency: str) -> None:
    text = "3 12:00:01 100\n4 12:00:02 200\n5 12:00:03 300\n"
    known = Known(columns=Columns(time="2", latency=latency, unit="us"))
    assert [one.latency for one in samples(text, known)] == [100, 200, 300]


def test_a_number_beyond_the_columns_is_a_name() -> None:
    found = samples("time,99\n1.5,17\n2.5,18\n", Known(columns=Columns(time="time", latency="99:us")))
    assert [one.latency for one in found] == [17, 18]

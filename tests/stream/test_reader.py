"""Reading records: tolerant, and honest about what it skips."""

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, strategies as st

from pylatencymap.errors import BadInput
from pylatencymap.record import Clock, Event, Mark, Record, Semantics, Stamp
from pylatencymap.report import Report
from pylatencymap.stream.reader import read_stream
from pylatencymap.stream.record_text import MAX_LINES
from pylatencymap.text.lines import Line, lines_of
from pylatencymap.units import Unit

Read = Callable[..., list[Event]]

PLAIN = """\
<begin record>
timestamp,microsec,1426358407973575,Sat Mar 14 19:40:07 2015 CET
label,block I/O of sda
latencyunit,microsec
datasource,bpf
64,12
128,90
<end record>
"""


def one(events: list[Event]) -> Record:
    (event,) = events
    assert isinstance(event, Record)
    return event


def test_a_plain_record(read_stream: Read) -> None:
    record = one(read_stream(PLAIN))
    assert record == Record(
        series="block I/O of sda",
        unit=Unit.US,
        ranges=((64, 128, 12), (128, 256, 90)),
        semantics=Semantics.CUMULATIVE,
        stamp=Stamp(1426358407973575),
        label="block I/O of sda",
        source="bpf",
    )
    assert record.line == 1
    assert record.stamp is not None
    assert record.stamp.text == "Sat Mar 14 19:40:07 2015 CET"


def test_tolerance(read_stream: Read) -> None:
    text = (
        "\ufeff<BEGIN Record>\r\n 64 , 6\r\n64,6\r\n\r\n0128, 9e1\r\nDataSource ,\r\nLABEL, a, b\r\n"
        "LatencyUnit, Microseconds\r\n  timestamp, microsec, 1426358407973575, 14 Mar, late\r\n  <End Record>\r\n"
    )
    record = one(read_stream(text))
    assert record.ranges == ((64, 128, 12), (128, 256, 90))
    assert (record.series, record.label, record.source) == ("a, b", "a, b", "")
    assert record.stamp is not None
    assert record.stamp.text == "14 Mar, late"


@pytest.mark.parametrize(
    ("label", "datasource", "series", "source", "bounds"),
    [
        ("log file sync latency data from GV$EVENT_HISTOGRAM_MICRO", None, "log file sync", "oracle", (32, 64)),
        ("log file sync latency data from v$event_histogram", "", "log file sync", "oracle", (32, 64)),
        ("waits in v$event_histogram", None, "waits in v$event_histogram", "oracle", (32, 64)),
        ("rev$ion of disks", None, "rev$ion of disks", "", (64, 128)),
        ("reads", "Oracle", "reads", "oracle", (32, 64)),
        ("reads latency data from gv$event_histogram", "systemtap", "reads", "systemtap", (64, 128)),
        ("", "dtrace", "all", "dtrace", (64, 128)),
        (None, None, "all", "", (64, 128)),
    ],
)
def test_series_source_and_bounds(
    read_stream: Read, label: str | None, datasource: str | None, series: str, source: str, bounds: tuple[int, int]
) -> None:
    lines = ["<begin record>", "latencyunit,microsec", "64,1"]
    lines += [f"label,{label}"] if label is not None else []
    lines += [f"datasource,{datasource}"] if datasource is not None else []
    record = one(read_stream("\n".join([*lines, "<end record>"])))
    assert (record.series, record.source, record.ranges) == (series, source, ((*bounds, 1),))
    assert record.stamp is None


def test_labels_of_oracle_views_that_ended_the_earlier_tool(read_stream: Read) -> None:
    record = one(
        read_stream(
            "<begin record>\nlabel,db file sequential read\nlatencyunit,millisec\ndatasource,oracle\n0,1\n"
            ".000976563,2\n1,4\n1.8014E+16,8\n4294967295,16\n2,0\n<end record>"
        )
    )
    assert record.ranges == ((0, 1, 5), (2**-11, 2**-10, 2), (2**31, None, 16), (2**53, None, 8))


def test_noise_between_records_is_silent_and_within_is_reported(read_stream: Read) -> None:
    told: list[str] = []
    report = Report("f", say=told.append)
    text = f"31 rows selected.\n\n{PLAIN}\nPL/SQL procedure successfully completed.\n" + PLAIN.replace(
        "64,12", "64,-12\nold: 64\ncolour,blue\n100,5\n64,many\n\n64,12\ntimestamp,microsec,-1,then\n1.5,1"
    )
    first, second = read_stream(text, report)
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert second.ranges == first.ranges
    assert second.stamp is None
    assert report.bad_count == 7
    assert told[0] == "f:18: no count of 0 or more: '64,-12'; the line is skipped"


def test_strict_ends_at_the_first_bad_line(read_stream: Read) -> None:
    with pytest.raises(BadInput, match="test:6: "):
        read_stream(PLAIN.replace("64,12", "sixty-four"))


def test_a_record_without_end_costs_itself_only(read_stream: Read) -> None:
    told: list[str] = []
    report = Report("f", say=told.append)
    lines = PLAIN.splitlines()
    events = read_stream("\n".join([*lines[:6], *lines, *lines[:6]]), report)
    assert one(events).events == 102
    assert report.bad_count == 2
    assert "f:1: " in told[0]


@pytest.mark.parametrize("cut", ["", "64", "64,12", "64,12\n12", "64,12\n128,90\n<end rec"])
def test_an_input_that_is_cut_off_costs_one_record(read_stream: Read, cut: str) -> None:
    report = Report("f")
    assert read_stream(PLAIN[: PLAIN.index("64,12")] + cut, report) == []
    assert report.bad_count == 1


@pytest.mark.parametrize("line", ["64,1_0", "6_4,10", "64,1_0.5"])
def test_underscores_are_no_digits(read_stream: Read, line: str) -> None:
    report = Report("f")
    assert one(read_stream(PLAIN.replace("64,12", f"64,12\n{line}"), report)).events == 102
    assert report.bad_count == 1


def test_a_head_that_is_cut_off_is_reported(read_stream: Read) -> None:
    report = Report("f")
    assert one(read_stream("128,90\n<end record>\n" + PLAIN, report)).events == 102
    assert report.bad_count == 1


def test_too_many_lines(read_stream: Read) -> None:
    report = Report("f")
    text = PLAIN.replace("64,12", "\n".join(["64,1"] * (MAX_LINES + 50)))
    lines = text.splitlines()
    lines[3], lines[-2] = lines[-2], "label,read all the same"
    record = one(read_stream("\n".join(lines), report))
    assert record.label == "read all the same"
    assert record.events == 90 + MAX_LINES - 4
    assert report.bad_count == 1


def test_units(read_stream: Read) -> None:
    report = Report("f")
    assert read_stream(PLAIN.replace("latencyunit,microsec", "latencyunit,bytes"), report) == []
    assert report.bad_count == 1
    told: list[str] = []
    report = Report("f", say=told.append)
    events = read_stream(PLAIN.replace("latencyunit,microsec\n", "") * 3, report)
    assert [event.unit for event in events if isinstance(event, Record)] == [Unit.MS] * 3
    assert told == ["f:1: no latencyunit; taken as millisec"]
    assert report.bad_count == 0


def test_counts_that_no_counter_holds_are_bad(read_stream: Read) -> None:
    report = Report("f")
    text = PLAIN.replace("64,12", f"64,{'9' * 5000}\n64,1e308\n64,inf\n64,nan\n1e300,1\ninf,1\n64,{2**64}")
    assert one(read_stream(text, report)).ranges[0] == (64, 128, 2**64)
    assert report.bad_count == 6


def test_a_record_comes_as_soon_as_it_is_complete() -> None:
    taken: list[int] = []

    def live() -> Iterator[Line | None]:
        for line in lines_of(PLAIN * 2):
            taken.append(line.number)
            yield line._replace(arrival=line.number / 8)
            yield None

    record = next(read_stream(live(), Report("live")))
    assert isinstance(record, Record)
    assert taken == list(range(1, 9))
    assert record.arrival == 1.0


# The extension line


def test_an_extension_overrules_the_text(read_stream: Read) -> None:
    record = one(
        read_stream(
            '#lmap {"v": 1, "series": "sda", "label": "x", "source": "y", "unit": "ms", "buckets": [[0, 2, 5]],'
            ' "time": 1.5, "start": 7, "seconds": 2, "flags": ["f", "no-clock"], "note": "n"}\nnoise\n' + PLAIN
        )
    )
    assert record == Record(
        series="sda",
        unit=Unit.MS,
        ranges=((0, 2, 5),),
        semantics=Semantics.CUMULATIVE,
        stamp=Stamp(1426358407973575, Clock.COUNTED),
        start=7,
        seconds=2,
        waited=1.5,
        label="x",
        source="y",
        flags=frozenset({"f"}),
        note="n",
    )


@pytest.mark.parametrize("line", ['#lmap {"v": 1, "series": ', '#lmap {"v": 9, "series": "x"}'])
def test_a_bad_extension_leaves_the_plain_text(read_stream: Read, line: str) -> None:
    report = Report("f")
    assert one(read_stream(line + "\n" + PLAIN, report)).series == "block I/O of sda"
    assert report.bad_count == 1


def test_an_extension_without_its_record(read_stream: Read) -> None:
    report = Report("f")
    line = '#lmap {"v": 1, "series": "x"}\n'
    record = one(read_stream(line + line + PLAIN + line, report))
    assert record.series == "x"
    assert report.bad_count == 2


def test_an_extension_after_a_record_that_was_cut_belongs_to_the_next(read_stream: Read) -> None:
    report = Report("f")
    cut = "\n".join(PLAIN.splitlines()[:6]) + "\n"
    assert one(read_stream(cut + '#lmap {"v": 1, "series": "x"}\n' + PLAIN, report)).series == "x"
    assert report.bad_count == 1


def test_an_extension_concerns_one_record(read_stream: Read) -> None:
    events = read_stream('#lmap {"v": 1, "series": "x"}\n' + PLAIN + PLAIN)
    assert [event.series for event in events if isinstance(event, Record)] == ["x", "block I/O of sda"]


def test_a_mark(read_stream: Read) -> None:
    assert read_stream('#lmap {"v": 1, "mark": "cache dropped", "at": 1426358407973575}') == [
        Mark(Stamp(1426358407973575), "cache dropped")
    ]


# Counts per interval


def interval_text(count: int, micros: int, extra: str = "") -> str:
    return (
        f'#lmap {{"v": 1, "series": "sda", "counts": "interval"{extra}}}\n<begin record>\n'
        f"timestamp,microsec,{micros},\nlabel,x\nlatencyunit,microsec\ndatasource,bpf\n64,{count}\n<end record>\n"
    )


BASELINE = interval_text(0, 10**15, ', "flags": ["baseline"]')


def test_intervals_are_differences_of_running_sums(read_stream: Read) -> None:
    events = read_stream(
        BASELINE + interval_text(5, 10**15 + 10) + interval_text(5, 10**15 + 20) + interval_text(8, 10**15 + 30)
    )
    found = [(event.ranges, event.start) for event in events if isinstance(event, Record)]
    assert found == [(((64, 128, 5),), 10**15), ((), 10**15 + 10), (((64, 128, 3),), 10**15 + 20)]
    assert all(isinstance(event, Record) and event.semantics is Semantics.INTERVAL for event in events)


def test_a_lost_baseline_costs_one_record(read_stream: Read) -> None:
    told: list[str] = []
    report = Report("f", say=told.append)
    record = one(read_stream(interval_text(5, 10**15 + 10) + interval_text(7, 10**15 + 20), report))
    assert record.ranges == ((64, 128, 2),)
    assert "baseline lost" in told[0]
    assert report.bad_count == 1


def test_buckets_need_no_baseline(read_stream: Read) -> None:
    first, second = read_stream(
        interval_text(5, 10**15 + 10, ', "buckets": [[0, 1, 1]], "start": 4') + interval_text(7, 10**15 + 20)
    )
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert (first.ranges, first.start) == (((0, 1, 1),), 4)
    assert (second.ranges, second.start) == (((64, 128, 2),), 10**15 + 10)


def test_running_sums_that_fall_are_a_lost_baseline(read_stream: Read) -> None:
    report = Report("f")
    events = read_stream(BASELINE + interval_text(5, 10**15 + 10) + interval_text(3, 10**15 + 20), report)
    assert one(events).events == 5
    assert report.bad_count == 1


def test_damaged_sums_of_a_record_with_buckets_leave_the_next_one_its_start(read_stream: Read) -> None:
    texts = [interval_text(sum_, 10**15 + 10 * n, ', "buckets": [[64, 70, 2]]') for n, sum_ in enumerate((5, 7, 1, 11))]
    found = [event for event in read_stream("".join(texts)) if isinstance(event, Record)]
    assert [(one.start, one.events) for one in found] == [(None, 2), (10**15, 2), (10**15 + 10, 2), (10**15 + 20, 2)]


# Anything


@given(
    st.lists(st.sampled_from([*PLAIN.splitlines(), *BASELINE.splitlines(), "64,1.5", "#lmap {", "", "5"]), max_size=60)
)
def test_any_order_of_lines_is_survived(lines: list[str]) -> None:
    report = Report("f")
    for event in read_stream(lines_of("\n".join(lines)), report):
        assert isinstance(event, Record)
        assert event.events >= 0


@given(st.text(max_size=200), st.integers(0, len(PLAIN)))
def test_any_text_is_survived(text: str, at: int) -> None:
    list(read_stream(lines_of(PLAIN[:at] + text + PLAIN[at:]), Report("f")))

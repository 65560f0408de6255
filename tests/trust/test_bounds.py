"""Times and latencies that nothing can hold cost one record, in every format, and what is written can be read."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import pytest

from pylatencymap import registry
from pylatencymap.errors import Refused
from pylatencymap.record import DOUBTFUL, Event, Record, Sample, Semantics, Stamp
from pylatencymap.report import Report
from pylatencymap.session.input.pipeline import ReadPlan, events_of
from pylatencymap.session.input.source import StopRequest, source_of
from pylatencymap.stream.reader import read_stream
from pylatencymap.stream.writer import StreamWriter
from pylatencymap.text.lines import lines_of
from tests.collectors.test_contract import NAMES, samples_of

FAR = 253_402_000_000_000_000
ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")


def events_in(text: str, format_name: str) -> tuple[list[Event], int]:
    """The timed events of a text, and the number of bad records."""
    descriptor, stop = os.memfd_create("input"), StopRequest()
    try:
        os.write(descriptor, text.encode())
        os.lseek(descriptor, 0, os.SEEK_SET)
        report = Report("input")
        found = list(events_of(source_of("input", descriptor, stop), ReadPlan(format=format_name), report))
    finally:
        os.close(descriptor)
        stop.close()
    return found, report.bad_count


def written(events: list[Event]) -> str:
    parts: list[str] = []
    writer = StreamWriter(parts.append)
    for event in events:
        writer.event(event)
    return "".join(parts)


def own(seconds: int, count: int) -> str:
    stamp = f"timestamp,microsec,{seconds}000000,x\nlabel,sda\nlatencyunit,microsec\ndatasource,bpf\n"
    return f"<begin record>\n{stamp}64,{count}\n<end record>\n"


def stream(*seconds: int) -> str:
    return "".join(own(second, 10 * number) for number, second in enumerate(seconds, 1))


def hdr_log(*starts: str) -> str:
    sample = samples_of("hdr")[0].read_text().splitlines()
    rows = [line.split(",") for line in sample if line[:1].isdigit()]
    return "\n".join(
        [*(line for line in sample if line.startswith("#")), *(",".join([at, *rows[0][1:]]) for at in starts)]
    )


@pytest.mark.parametrize(
    ("format_name", "text", "bad", "records"),
    [
        ("records", stream(1_700_000_000, 1_700_000_001, 253_402_200_000, 1_700_000_002), 1, 4),
        (
            "fio_log",
            "1700000000000, 1000, 0, 4096, 0\n1700000001000, 1000, 0, 4096, 0\n9999999999999999, 1, 0, 1, 0\n",
            1,
            2,
        ),
        ("hdr", hdr_log("1700000000.0", "1700000001.0", "99999999999999.0", "1700000002.0"), 1, 3),
    ],
)
def test_a_time_beyond_calendars_costs_one_record(format_name: str, text: str, bad: int, records: int) -> None:
    """Or only its time: a record of totals is placed between its neighbours, and is doubtful."""
    events, counted = events_in(text, format_name)
    found = [event for event in events if isinstance(event, Record)]
    assert (counted, len(found)) == (bad, records)
    assert all(event.stamp is not None and event.stamp.micros < FAR for event in found)
    assert sum(DOUBTFUL in event.flags for event in found) == max(records - 3, 0)
    report = Report("recording")
    again = [event for event in read_stream(lines_of(written(events)), report) if isinstance(event, Record)]
    assert (report.bad_count, len(again)) == (0, records)


def test_shifts_that_add_up_do_not_leave_the_calendar() -> None:
    """Stamps that are possible each, but move the axis further ahead each time."""
    far = 253_401_999_999
    events, _ = events_in(
        stream(1_700_000_000, 1_700_000_001, far, 1_700_000_002, 1_700_000_003, far, 1_700_000_004), "records"
    )
    assert all(event.stamp.micros <= FAR + 10**9 for event in events if isinstance(event, Record) and event.stamp)
    report = Report("recording")
    list(read_stream(lines_of(written(events)), report))
    assert report.bad_count == 0


def test_sums_of_a_recording_begin_again_before_they_are_too_large() -> None:
    events, bad = events_in(stream(1_700_000_000), "records")
    (record,) = [event for event in events if isinstance(event, Record)]
    large = (1 << 127) + 1
    text = written(list(_intervals(record, large)))
    report = Report("recording")
    again = [event.ranges for event in read_stream(lines_of(text), report) if isinstance(event, Record)]
    assert (bad, report.bad_count) == (0, 0)
    assert again == [((64, 128, large),)] * 4


def _intervals(record: Record, count: int) -> Iterator[Record]:
    start = 1_700_000_000_000_000
    for number in range(4):
        begun, end = start + number * 10**6, start + (number + 1) * 10**6
        yield replace(
            record, semantics=Semantics.INTERVAL, stamp=Stamp(end), start=begun, ranges=((64, 128, count),), line=0
        )


@pytest.mark.parametrize("name", NAMES)
def test_digits_of_other_scripts_are_no_numbers(name: str) -> None:
    """Python reads them as numbers, and no program that is decoded prints them."""
    for path in samples_of(name):
        found = []
        lines = lines_of(path.read_text().translate(ARABIC))
        with suppress(Refused):
            for event in registry.load_collector(name).decode(lines, Report("sample")):
                found.append(event)
        assert not [one for one in found if isinstance(one, Sample) or (isinstance(one, Record) and one.ranges)]

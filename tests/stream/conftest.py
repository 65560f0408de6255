"""Helpers of the record stream's tests."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from pylatencymap.record import Event
from pylatencymap.report import Report
from pylatencymap.stream import reader
from pylatencymap.stream.writer import StreamWriter
from pylatencymap.text.lines import lines_of

EARLIER_UNITS = ("nanosec", "microsec", "millisec")
EARLIER_SOURCES = ("oracle", "bpf", "systemtap", "dtrace")


class EarlierRecord(NamedTuple):
    micros: int
    label: str
    unit: str
    source: str
    counts: dict[int, int]


def earlier_tool(text: str) -> list[EarlierRecord]:
    """What PyLatencyMap 1.3 accepts: any other line within a record ended it with an error."""
    records = []
    within: dict[str, list[str]] | None = None
    counts: dict[int, int] = {}
    for line in text.lower().split("\n"):
        if line == "<begin record>":
            assert within is None
            within, counts = {}, {}
        elif line == "<end record>":
            assert within is not None
            records.append(_earlier_record(within, counts))
            within = None
        elif within is not None:
            key, *values = line.split(",")
            if key in ("timestamp", "label", "latencyunit", "datasource"):
                within[key] = values
            else:
                assert int(key) > 0
                assert int(key) & (int(key) - 1) == 0
                (count,) = values
                counts[int(key)] = counts.get(int(key), 0) + int(count)
    assert within is None
    return records


def _earlier_record(metadata: dict[str, list[str]], counts: dict[int, int]) -> EarlierRecord:
    unit, micros, date = metadata["timestamp"]
    (label,), (latency_unit,), (source,) = metadata["label"], metadata["latencyunit"], metadata["datasource"]
    assert unit == "microsec"
    assert date
    assert label
    assert latency_unit in EARLIER_UNITS
    assert source in EARLIER_SOURCES
    return EarlierRecord(int(micros), label, latency_unit, source, counts)


@pytest.fixture(scope="session")
def read_as_before() -> Callable[[str], list[EarlierRecord]]:
    """A strict reader with the grammar of the earlier tool."""
    return earlier_tool


def read_text(text: str, report: Report | None = None) -> list[Event]:
    return list(reader.read_stream(lines_of(text), report or Report("test", strict=True)))


@pytest.fixture(scope="session")
def read_stream() -> Callable[..., list[Event]]:
    """Events in a text; strict unless a report is given."""
    return read_text


@pytest.fixture(scope="session")
def write_stream() -> Callable[[list[Event]], list[str]]:
    """The pieces of text that a Writer makes of events."""

    def write(events: list[Event]) -> list[str]:
        pieces: list[str] = []
        writer = StreamWriter(pieces.append)
        for event in events:
            writer.event(event)
        return pieces

    return write

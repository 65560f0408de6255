"""The record stream as a collector, on the earlier tool's samples and on a real capture."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.collectors import records
from pylatencymap.record import Clock, Event, Record, Stamp
from pylatencymap.report import Report
from pylatencymap.text.lines import lines_of


def decode(path: Path, report: Report | None = None) -> list[Record]:
    text = path.read_text()
    assert records.detect(text).value == 1.0
    found = list(records.decode(lines_of(text), report or Report(path.name, strict=True)))
    return [event for event in found if isinstance(event, Record)]


@pytest.mark.parametrize(
    "head",
    [
        "noise\n  <BEGIN record>\r\n64, 12\r\n",
        "\ufeff<begin record>\nlabel, reads\n.5,3",
        "<begin record>\n<end record>",
        '#lmap {"v": 1}\n',
        '#lmap {"v',
    ],
)
def test_recognises_its_own(head: str) -> None:
    assert records.detect(head).value == 1.0


@pytest.mark.parametrize("head", ["<begin record>", "<begin record>\nlabel, reads of 64,12\n"])
def test_the_beginning_of_a_record_may_hold_histogram_text(head: str) -> None:
    assert 0.5 < records.detect(head).value < 0.9


@pytest.mark.parametrize(
    "head", ["", "64,12\n", "see <begin record> in the manual", "a #lmap {} b", "usecs : count distribution"]
)
def test_leaves_the_rest_alone(head: str) -> None:
    assert records.detect(head).value == 0.0


def test_the_oracle_sample(shared: Path) -> None:
    found = decode(shared / "data/earlier-tools/example_latency_data.txt")
    assert len(found) == 72
    first, last = found[0], found[-1]
    assert first.ranges[0] == (0, 1, 4129312 + 2681431)
    assert first.ranges[-1] == (2048, 4096, 8 + 1)
    assert {record.series for record in found} == {"db file sequential read"}
    assert {record.source for record in found} == {"oracle"}
    assert first.stamp == Stamp(52011653754, Clock.DAY)
    events = last.events - first.events
    waited = sum((low + (high or low)) / 2 * count for low, high, count in last.ranges)
    waited -= sum((low + (high or low)) / 2 * count for low, high, count in first.ranges)
    assert waited / events == pytest.approx(11.2, abs=0.05)


def test_the_oracle_sample_reads_back_identically(
    shared: Path,
    read_stream: Callable[..., list[Event]],
    write_stream: Callable[[list[Event]], list[str]],
    read_as_before: Callable[[str], list[Any]],
) -> None:
    found = decode(shared / "data/earlier-tools/example_latency_data.txt")
    resolved: list[Event] = [
        replace(record, stamp=Stamp(10**15 + record.stamp.micros, text=record.stamp.text))
        for record in found
        if record.stamp
    ]
    text = "".join(write_stream(resolved))
    assert "#lmap" not in text
    assert read_stream(text) == resolved
    assert len(read_as_before(text)) == 72


@pytest.mark.parametrize(("name", "lowest"), [("calibration_data", 64), ("calibration_data_oracle", 32)])
def test_calibration(shared: Path, name: str, lowest: int) -> None:
    found = decode(shared / f"data/earlier-tools/{name}.txt")
    assert [record.ranges for record in found] == [
        tuple((lowest << k, 2 * lowest << k, count) for k in range(10)) for count in (1, 2, 3)
    ]


def test_a_real_disk(shared: Path) -> None:
    found = decode(shared / "data/captures/pylatencymap-records-loop0.txt")
    text = (shared / "data/captures/pylatencymap-records-loop0.txt").read_text()
    assert len(found) == text.count("<end record>")
    assert found[0].ranges == ((32, 64, 1), (64, 128, 593), (128, 256, 289), (256, 512, 1), (8192, 16384, 83))
    assert [record.events for record in found] == sorted(record.events for record in found)
    assert {record.stamp.clock for record in found if record.stamp} == {Clock.EPOCH}


@pytest.mark.parametrize("name", ["test_DTrace_data", "test_SystemTap_data"])
def test_histogram_text_within_records_is_not_taken_for_idle_records(shared: Path, name: str) -> None:
    text = (shared / f"data/earlier-tools/{name}.txt").read_text()
    assert records.detect(text).value == 0.0
    report = Report(name)
    assert list(records.decode(lines_of(text), report)) == []
    assert report.bad_count > text.count("<end record>")

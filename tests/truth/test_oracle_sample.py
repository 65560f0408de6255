"""The earlier tool's sample files: two RAC instances in one record, SQL*Plus noise, stamps of the day, calibration."""

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timezone
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

FIRST_STAMP = datetime(2013, 8, 26, 14, 26, 51, 653754, timezone.utc)
"""26-AUG-13 04.26.51.653754 PM +02:00."""

Convert = Callable[..., Any]


@pytest.fixture(scope="session")
def sample(shared: Path) -> Path:
    return shared / "data" / "earlier-tools" / "example_latency_data.txt"


@pytest.fixture(scope="session")
def records(sample: Path) -> list[tuple[int, Counter[int]]]:
    """Microseconds of the day and count per upper bound, the instances' rows added."""
    found: list[tuple[int, Counter[int]]] = []
    for line in sample.read_text().splitlines():
        if line.startswith("timestamp"):
            found.append((int(line.split(",")[2]), Counter()))
        elif line[:1].isdigit() and "," in line:
            bound, count = map(int, line.split(","))
            found[-1][1][bound] += count
    return found


def grown(records: list[tuple[int, Counter[int]]]) -> list[dict[int, int]]:
    """What was added from each record to the next, without zeros."""
    return [
        {bound: after[bound] - before[bound] for bound in sorted(after) if after[bound] > before[bound]}
        for (_, before), (_, after) in pairwise(records)
    ]


def test_each_record_holds_every_bucket_of_two_instances(sample: Path, records: list[tuple[int, Counter[int]]]) -> None:
    assert len(records) == 72
    assert sample.read_text().count("\n1, ") == 2 * 72
    assert records[0][1][1] == 4129312 + 2681431


def test_71_intervals_with_the_instances_added(
    sample: Path, records: list[tuple[int, Counter[int]]], convert: Convert
) -> None:
    answer = convert(sample)
    assert (answer.status, answer.err) == (0, "")
    assert len(answer.objects) == 71
    for one, expected in zip(answer.objects, grown(records), strict=True):
        assert one["counts"] == [[upper // 2, upper, count] for upper, count in expected.items()]


def test_stamps_of_the_day_have_their_date_and_zone(
    sample: Path, records: list[tuple[int, Counter[int]]], convert: Convert
) -> None:
    told = convert(sample).objects
    assert told[0]["start"] == pytest.approx(FIRST_STAMP.timestamp(), abs=1e-5)
    offset = FIRST_STAMP.timestamp() - records[0][0] / 1e6
    for one, (before, _), (after, _) in zip(told, records, records[1:], strict=False):
        assert one["seconds"] == pytest.approx((after - before) / 1e6, abs=1e-9)
        assert one["end"] == pytest.approx(offset + after / 1e6, abs=1e-5)
    assert {one["clock"] for one in told} == {True}
    assert not any(one["reset"] or one["gap"] or one["resampled"] for one in told)


def test_the_average_is_11_ms(sample: Path, records: list[tuple[int, Counter[int]]], convert: Convert) -> None:
    """The earlier tool said 23: it took the bounds for lower ones."""
    added = grown(records)
    waits = sum(sum(counts.values()) for counts in added)
    milliseconds = sum(n * (0.75 * upper if upper > 1 else 0.5) for counts in added for upper, n in counts.items())
    assert milliseconds / waits == pytest.approx(11.2, abs=0.05)
    told = convert(sample).objects
    assert sum(one["time"] for one in told) == pytest.approx(milliseconds / 1e3, rel=1e-9)
    assert {(one["series"], one["source"], one["unit"], one["estimated"]) for one in told} == {
        ("db file sequential read", "oracle", "ms", True)
    }


def test_the_screen_says_so(sample: Path, run: Callable[..., Any]) -> None:
    answer = run(sample, "--once", "--depth", "ascii")
    assert (answer.status, answer.err) == (0, "")
    assert "avg 10.3 ms" in answer.out
    assert "db file sequential read" in answer.out


def test_the_record_stream_of_it_reads_back_identically(
    sample: Path, run: Callable[..., Any], convert: Convert, tmp_path: Path
) -> None:
    stream = run("convert", sample)
    assert (stream.status, stream.err) == (0, "")
    assert stream.out.count("<begin record>") == 72
    assert "rows selected" not in stream.out
    again = tmp_path / "again.lmap"
    again.write_text(stream.out)
    assert convert(again).out == convert(sample).out
    assert run("convert", again).out == stream.out


@pytest.mark.parametrize(
    ("name", "lowest", "source"),
    [("calibration_data.txt", 64, "systemtap"), ("calibration_data_oracle.txt", 32, "oracle")],
)
def test_calibration_is_one_event_a_second_in_ten_octaves(
    shared: Path, convert: Convert, name: str, lowest: int, source: str
) -> None:
    """The same numbers, twice as long where they are lower bounds."""
    answer = convert(shared / "data" / "earlier-tools" / name)
    assert (answer.status, answer.err) == (0, "")
    octaves = [[lowest << step, lowest << (step + 1), 1] for step in range(10)]
    assert [one["counts"] for one in answer.objects] == [octaves, octaves]
    assert [(one["start"], one["seconds"]) for one in answer.objects] == [(1426348439.0, 1.0), (1426348440.0, 1.0)]
    waited = 1.5 * lowest * (2**10 - 1) * 1e-6
    assert [one["time"] for one in answer.objects] == pytest.approx([waited, waited], rel=1e-9)
    assert {(one["series"], one["source"], one["unit"]) for one in answer.objects} == {
        ("Calibration data", source, "us")
    }


def test_calibration_is_drawn_as_ten_even_rows(
    shared: Path, run: Callable[..., Any], rows_of: Callable[..., dict[str, Any]]
) -> None:
    answer = run(shared / "data" / "earlier-tools" / "calibration_data.txt", "--once", "--depth", "ascii")
    rows = {upper: set(row.cells) for upper, row in rows_of(answer.out).items()}
    assert [upper for upper, signs in rows.items() if signs == {"9"}] == [
        *("65.5 ms", "32.8 ms", "16.4 ms", "8.19 ms", "4.10 ms", "2.05 ms", "1.02 ms"),
        *("512 us", "256 us", "128 us"),
    ]
    assert all(signs in ({"9"}, {" "}) for signs in rows.values())

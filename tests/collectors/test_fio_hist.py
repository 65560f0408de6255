"""The fio_hist collector on logs and output made here, and its captures against a second reading."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pylatencymap import registry
from pylatencymap.collectors.fio_hist.bins import LAYOUTS, BinLayout, bin_ranges, edge, range_around
from pylatencymap.errors import Refused
from pylatencymap.interval import Interval
from pylatencymap.intervals.difference import to_intervals
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.stages import resolve_times
from pylatencymap.record import LOST, Clock, Event, Record, Semantics, Stamp, Tick
from pylatencymap.report import Report
from pylatencymap.text.lines import lines_of
from pylatencymap.units import Unit

FIO = registry.load_collector("fio_hist")


def decode(text: str, report: Report | None = None) -> list[Event]:
    return list(FIO.decode(lines_of(text), report or Report("fio")))


def records(text: str, report: Report | None = None) -> list[Record]:
    return [event for event in decode(text, report) if isinstance(event, Record)]


def measured(text: str) -> list[Interval]:
    report = Report("fio")
    return list(to_intervals(resolve_times(decode(text, report), TimeOptions(), report)))


def line(milli: int, direction: int, counts: dict[int, int], bins: int = 29) -> str:
    return f"{milli}, {direction}, 4096, " + ", ".join(str(counts.get(index, 0)) for index in range(bins)) + "\n"


def middle(index: int) -> float:
    """The value by which fio names a bin, as its documentation puts it."""
    if index < 128:
        return index
    group = (index >> 6) - 1
    return 2.0 ** (group + 6) + (index % 64 + 0.5) * 2**group


class TestBins:
    @given(st.integers(0, 1854))
    def test_a_bin_is_around_its_middle_and_next_to_the_next_one(self, index: int) -> None:
        lower, upper = bin_ranges(BinLayout(Unit.NS, 0))[index]
        assert upper == bin_ranges(BinLayout(Unit.NS, 0))[index + 1][0]
        assert upper is not None
        assert middle(index) == (lower if upper - lower == 1 else (lower + upper) / 2)
        assert range_around(int(middle(index)), Unit.NS) == (lower, upper)

    @given(st.integers(0, (1 << 34) - 1))
    def test_a_value_is_in_the_bin_of_its_leading_bits(self, value: int) -> None:
        shift = max(value.bit_length() - 7, 0)
        index = (shift << 6) + (value >> shift)
        lower, upper = bin_ranges(BinLayout(Unit.NS, 0))[index]
        assert lower <= value
        assert upper is None or value < upper

    @pytest.mark.parametrize(("unit", "groups"), [(Unit.NS, 29), (Unit.US, 19)])
    def test_the_last_bin_is_open(self, unit: Unit, groups: int) -> None:
        last = edge(groups * 64 - 1)
        assert last == 127 << (groups - 2)
        assert bin_ranges(BinLayout(unit, 0))[-1] == (last, None)
        assert range_around(last + (1 << (groups - 3)), unit) == (last, None)

    def test_coarse_bins_are_unions_of_fine_ones(self) -> None:
        fine = bin_ranges(BinLayout(Unit.NS, 0))
        for coarseness in range(7):
            coarse = bin_ranges(BinLayout(Unit.NS, coarseness))
            stride = 1 << coarseness
            assert coarse == tuple((fine[at][0], fine[at + stride - 1][1]) for at in range(0, len(fine), stride))
            assert LAYOUTS[len(coarse)] == BinLayout(Unit.NS, coarseness)
        assert len(LAYOUTS) == 14


class TestLogs:
    def test_a_line_is_since_the_last_one_of_its_direction(self) -> None:
        text = line(1001, 0, {0: 3, 14: 5}) + line(1003, 1, {28: 2}) + line(2000, 0, {1: 4}) + line(2002, 2, {2: 1})
        found = records(text)
        assert [(record.series, record.start, record.stamp) for record in found] == [
            ("read", 0, Stamp(1_001_000, Clock.FREE)),
            ("write", 0, Stamp(1_001_000, Clock.FREE)),  # 2 ms later: the same print
            ("read", 1_001_000, Stamp(2_000_000, Clock.FREE)),
            ("trim", 0, Stamp(2_000_000, Clock.FREE)),
        ]
        assert found[0].ranges == ((0, 64, 3), (1 << 19, 1 << 20, 5))
        assert found[1].ranges == ((1 << 33, None, 2),)
        assert (found[0].unit, found[0].semantics) == (Unit.NS, Semantics.INTERVAL)

    def test_microseconds_of_fio_2(self) -> None:
        (record,) = records(line(1000, 0, {0: 1, 18: 7}, bins=19))
        assert (record.unit, record.ranges) == (Unit.US, ((0, 64, 1), (1 << 23, None, 7)))

    def test_epoch_stamps(self) -> None:
        first, second = measured(line(1_700_000_000_112, 0, {3: 5}) + line(1_700_000_001_115, 0, {3: 6}))
        assert (first.end, first.seconds, first.events) == (1_700_000_000_112_000, 1.003, 5)
        assert (second.end, second.seconds, second.events) == (1_700_000_001_115_000, 1.003, 6)

    def test_logs_one_after_the_other_begin_again(self) -> None:
        found = records(line(1000, 0, {1: 1}) + line(2000, 0, {1: 1}) + line(900, 0, {1: 1}))
        assert [record.start for record in found] == [0, 1_000_000, 0]

    def test_bad_lines_cost_only_themselves(self) -> None:
        told: list[str] = []
        bad = line(2000, 0, {5: -3}) + line(3000, 0, {}, bins=19) + line(4000, 0, {}).replace(" 0", " x", 9)
        text = line(1000, 0, {1: 1}) + bad + "5, what\n" + line(5000, 0, {5: 10**30}) + line(6000, 0, {1: 2})
        found = records(text, Report("fio", say=told.append))
        assert [record.events for record in found if LOST not in record.flags] == [1, 2]
        assert [one.start for one in found] == [0, 1_000_000, 2_000_000, 3_000_000, 5_000_000]
        assert [message.split(":")[1] for message in told] == ["2", "3", "4", "5", "6"]

    def test_the_time_of_a_line_that_cannot_be_read_is_a_gap(self) -> None:
        good = [line(1000 * second, 0, {1: 5}) for second in range(1, 9)]
        found = measured("".join([*good[:3], line(4000, 0, {1: -5}), *good[4:]]))
        assert [(one.seconds, one.events, one.gap) for one in found] == [
            (1.0, 0 if second == 3 else 5, second == 3) for second in range(8)
        ]

    def test_a_number_of_bins_that_fio_does_not_have(self) -> None:
        report = Report("fio")
        with pytest.raises(Refused):
            decode(line(1000, 0, {1: 1}, bins=40) * 2, report)
        assert report.bad_count == 2


def latency(bins: dict[str, int], mean: float = 0.0, **more: Any) -> dict[str, Any]:
    return {"N": sum(bins.values()), "mean": mean, "percentile": {"1.0": 5}, "bins": bins, **more}


def output(milli: int, *jobs: dict[str, Any], **more: Any) -> str:
    value = {"fio version": "fio-3.33", "timestamp": milli // 1000, "timestamp_ms": milli, "jobs": jobs, **more}
    return json.dumps(value, indent=2).replace('": ', '" : ') + "\n"


def job(runtime: int, name: str = "j", **directions: Any) -> dict[str, Any]:
    idle = {"runtime": 0, "total_ios": 0, "clat_ns": latency({})}
    done = {
        direction: {"runtime": runtime, "total_ios": 1, "clat_ns": bins if "bins" in bins else latency(bins)}
        for direction, bins in directions.items()
    }
    return {"jobname": name, "read": idle, "write": idle, "trim": idle, **done}


class TestOutput:
    START = 1_700_000_000_000

    def test_one_object_is_one_interval_of_its_runtime(self) -> None:
        text = (
            "note: clock\n"
            + output(self.START + 10_003, job(10_003, read=latency({"177152": 3, "5": 2}, 1.06e5)))
            + "x\n"
        )
        assert FIO.detect(text).value >= 0.9
        (one,) = measured(text)
        assert (one.series, one.seconds, one.end) == ("j,read", 10.003, (self.START + 10_003) * 1000)
        assert one.ranges == ((5, 6, 2), (176128, 178176, 3))
        assert (one.waited, one.estimated) == (pytest.approx(0.00053), False)

    def test_objects_one_after_the_other_are_cumulative_from_the_start_of_the_run(self) -> None:
        text = "".join(
            output(self.START + second * 1000, job(second * 1000 - 4, read={"5": 10 * second, "6": second // 2}))
            for second in (1, 2, 3)
        )
        found = measured(text)
        assert [(one.events, round(one.seconds, 3)) for one in found] == [(10, 0.996), (11, 1.0), (10, 1.0)]

    def test_jobs_and_directions_are_series_and_like_ones_are_one(self) -> None:
        jobs = [job(1000, read={"5": 1}, sync={"9": 4}), job(1000, read={"5": 2}), job(1000, "\x1b", write={"5": 7})]
        events = decode(output(self.START, *jobs))
        assert [type(event) for event in events] == [Tick, Record, Record, Record] * 2
        found = {event.series: event.events for event in events[4:] if isinstance(event, Record)}
        assert found == {"j,read": 3, "j,sync": 4, r"\x1b,write": 7}

    def test_a_series_that_appears_later_began_with_nothing(self) -> None:
        text = output(self.START + 1000, job(1000, read={"5": 1}))
        text += output(self.START + 2000, job(2000, read={"5": 3}, write={"5": 8}))
        assert [(one.series, one.events) for one in measured(text)] == [("j,read", 1), ("j,read", 2), ("j,write", 8)]

    def test_another_run_in_the_same_text(self) -> None:
        text = "".join(output(self.START + end, job(1000, read={"5": 9})) for end in (1000, 3000))
        found = [(one.events, one.seconds, one.gap, one.reset) for one in measured(text)]
        assert found == [
            (9, 1.0, False, False),
            (0, 1.0, True, False),
            (9, 1.0, False, True),
        ]  # between them nobody ran

    def test_total_latency_where_completion_has_no_bins_and_microseconds_of_fio_2(self) -> None:
        done = {"runtime": 1000, "total_ios": 2, "clat_ns": {"N": 0}, "lat_ns": latency({"5": 2})}
        assert records(output(self.START, {"jobname": "j", "read": done}))[-1].ranges == ((5, 6, 2),)
        done = {"runtime": 1000, "total_ios": 2, "clat": {"bins": {"16711680": 2}}}
        (*_, record) = records(output(self.START, {"jobname": "j", "write": done}))
        assert (record.unit, record.ranges) == (Unit.US, ((16646144, None, 2),))

    def test_a_mean_of_other_events_is_no_exact_time_but_a_few_more_are_the_same(self) -> None:
        found = [
            records(output(self.START, job(1000, read=latency({"5": 200}, 5.0) | {"N": events})))[-1].waited
            for events in (250, 201, "x")
        ]
        assert found == [None, pytest.approx(201 * 5e-9), None]

    @pytest.mark.parametrize("bins", [{"x": 1}, {"5": -1}, {"5": "9" * 5000}, {"5": 1.5}])
    def test_damaged_objects_cost_only_themselves(self, bins: dict[str, Any]) -> None:
        report = Report("fio")
        good = output(self.START, job(1000, read={"5": 2}))
        damaged = output(self.START + 1000, job(1000, read={"bins": bins}))
        assert records(good + damaged + good.replace("{", "{", 1)[:-9], report)[-1].events == 2
        assert report.bad_count == 2


AVERAGES = "".join(f"{100 * n}, 1562205, 0, 0, 0\n" for n in range(1, 6))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("fio-3.33\nStarting 1 thread\n  lat (usec)   : 100=34.65%, 250=53.54%\n", "fio summary, not the log"),
        (
            "j: (g=0): rw=randread, bs=4096\nRun status group 0 (all jobs):\n",
            "percentages of a whole run, no time axis",
        ),
        (AVERAGES, r"averages, .*block size 0"),
        (AVERAGES.replace(", 0, 0, 0", ", 1999999, 1, 0, 0, 0x0001"), "averages"),
        (output(5, {"jobname": "j", "read": {"total_ios": 5, "clat_ns": {"mean": 5}}}), "without bins"),
    ],
)
def test_what_holds_no_distribution_is_refused(text: str, reason: str) -> None:
    assert FIO.detect(text).value >= 0.9
    with pytest.raises(Refused, match=rf"fio:\d+: .*{reason}.*what would work"):
        decode(text)


def test_single_samples_are_no_histogram() -> None:
    assert FIO.detect("100, 1562205, 0, 4096, 0\n203, 1562205, 0, 4096, 0\n").value < 0.5


class TestCaptures:
    def folder(self, shared: Path) -> Path:
        return shared / "data" / "captures"

    @pytest.mark.parametrize(("name", "events"), [("fio-hist-log", 25577), ("fio-hist-log-coarse3", None)])
    def test_logs(self, shared: Path, name: str, events: int | None) -> None:
        text = (self.folder(shared) / f"{name}_clat_hist.1.log").read_text()
        rows = [[int(field) for field in row.split(",")] for row in text.splitlines()]
        found = measured(text)
        assert [one.end for one in found] == [row[0] * 1000 for row in rows]
        assert events in {None, sum(one.events for one in found)}
        for one, row in zip(found, rows, strict=True):
            stride = 1856 // len(row[3:])
            expected = Counter({place: count for place, count in enumerate(row[3:]) if count})
            assert len(one.ranges) == len(expected)
            for lower, upper, count in one.ranges:
                inside = [index for index in range(1856) if lower <= middle(index) < (upper or 1e18)]
                assert len(inside) == stride
                assert expected[inside[0] // stride] == count

    def test_json(self, shared: Path) -> None:
        (one,) = measured((self.folder(shared) / "fio-jsonplus.txt").read_text())
        truth = json.loads((shared / "data" / "truth.json").read_text())["files"]["fio-jsonplus.txt"]["events"]["loop0"]
        places = Counter(
            sum((lower + (upper or lower)) / 2 >= limit for limit in (1_000_000, 8_000_000, 16_384_000))
            for lower, upper, count in one.ranges
            for _ in range(int(count))
        )
        assert [places[place] for place in range(4)] == truth
        assert one.waited == pytest.approx(8608 * 1160984.791473e-9)

    def test_json_with_status_interval(self, shared: Path) -> None:
        text = (self.folder(shared) / "fio-json-status.txt").read_text()
        parts = text.split('"fio version"')[1:]
        found = measured(text)
        assert len(found) == len(parts)
        last: Counter[int] = Counter()
        for part, one in zip(parts, found, strict=True):
            bins = part.split('"bins" : {')[1].split("}")[0]
            now = Counter({int(k): int(n) for k, n in (row.split(":") for row in bins.replace('"', "").split(","))})
            grown = dict(now - last)
            assert sorted(grown.values()) == sorted(count for _, _, count in one.ranges)
            for value, count in grown.items():
                assert [row[2] for row in one.ranges if row[0] <= value < (row[1] or 1e18)] == [count]
            last = now
        assert sum(one.events for one in found) == 7835

    @pytest.mark.parametrize(
        "name", ["fio-hist-log.txt", "fio-lat-log.txt", "fio-normal.txt", "fio-lat-log-avg_lat.1.log"]
    )
    def test_refusals(self, shared: Path, name: str) -> None:
        text = (self.folder(shared) / name).read_text()
        truth = json.loads((shared / "data" / "truth.json").read_text())["files"][name]
        assert FIO.detect(text).value >= 0.9
        with pytest.raises(Refused) as caught:
            decode(text)
        words = ("averages", "block size 0") if "avg" in name else (truth["reason"],)
        assert all(word in str(caught.value) for word in words)


def test_output_whose_beginning_was_cut_off_is_recognised() -> None:
    text = (Path(__file__).parent / "samples/fio_hist/json-status.txt").read_text()
    lines = text.split("\n")
    begin = next(number for number, line in enumerate(lines) if '"jobname"' in line)
    cut = "\n".join(lines[begin:])
    first = "\n".join(lines[begin : begin + 20])
    assert registry.load_collector("fio_hist").detect(first).value >= 0.9
    assert (
        sum(
            isinstance(event, Record)
            for event in registry.load_collector("fio_hist").decode(lines_of(cut), Report("t"))
        )
        > 0
    )


@pytest.mark.parametrize("damaged", [1, 1_700_000_000])
def test_a_time_that_lost_its_digits_begins_no_interval(damaged: int) -> None:
    begin = 1_795_249_297_000
    times = [begin + 1000 * second for second in range(12)]
    times[4] = damaged
    found = measured("".join(line(milli, 0, {100: 5}, 1856) for milli in times))
    assert [one.seconds for one in found] == [1.0] * 12
    assert [one.end // 1000 for one in found] == [begin + 1000 * second for second in range(12)]

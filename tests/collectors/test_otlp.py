"""The otlp collector on data points made here, and its captures against a second reading."""

import json
import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pylatencymap import registry
from pylatencymap.collector import Known
from pylatencymap.errors import Refused
from pylatencymap.interval import Interval
from pylatencymap.intervals.difference import to_intervals
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.stages import resolve_times
from pylatencymap.record import Event, Record, Semantics, Stamp
from pylatencymap.report import Report
from pylatencymap.text.lines import lines_of
from pylatencymap.units import Unit

OTLP = registry.load_collector("otlp")
SECOND = 1_000_000_000
START = 1_700_000_000 * SECOND
DELTA, CUMULATIVE = "AGGREGATION_TEMPORALITY_DELTA", "AGGREGATION_TEMPORALITY_CUMULATIVE"


def point(counts: list[int], bounds: list[float], *, end: int = 1, start: int = 0, **more: Any) -> dict[str, Any]:
    return {
        "startTimeUnixNano": str(START + start * SECOND),
        "timeUnixNano": str(START + end * SECOND),
        "count": str(sum(counts)),
        "bucketCounts": [str(count) for count in counts],
        "explicitBounds": bounds,
        **more,
    }


def exponential(scale: int, offset: int, counts: list[int], *, end: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "startTimeUnixNano": str(START),
        "timeUnixNano": str(START + end * SECOND),
        "scale": scale,
        "positive": {"offset": offset, "bucketCounts": counts},
        **more,
    }


def export(
    *points: dict[str, Any],
    unit: str = "ms",
    name: str = "io.duration",
    temporality: object = CUMULATIVE,
    origin: str = "a",
) -> str:
    kind = "exponentialHistogram" if "scale" in points[0] else "histogram"
    metric = {"name": name, "unit": unit, kind: {"dataPoints": points, "aggregationTemporality": temporality}}
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": origin}}]}
    scopes = [{"metrics": [{"name": "ignored", "sum": {"dataPoints": []}}, metric]}]
    return json.dumps({"resourceMetrics": [{"resource": resource, "scopeMetrics": scopes}]}) + "\n"


def labelled(**values: object) -> list[dict[str, Any]]:
    return [{"key": key, "value": {"stringValue": value}} for key, value in values.items()]


def decode(text: str, report: Report | None = None, known: Known | None = None) -> list[Event]:
    return list(OTLP.decode(lines_of(text), report or Report("telemetry"), known or Known()))


def records(text: str, report: Report | None = None, known: Known | None = None) -> list[Record]:
    return [event for event in decode(text, report, known) if isinstance(event, Record)]


def measured(text: str) -> list[Interval]:
    report = Report("telemetry")
    return list(to_intervals(resolve_times(decode(text, report), TimeOptions(), report)))


class TestExplicit:
    def test_a_delta_is_an_interval_with_its_start_and_sum(self) -> None:
        (record,) = records(export(point([3, 4, 0, 1], [0.1, 1, 2.5], sum=12.5, start=0, end=2), temporality=1))
        assert record.ranges == ((0, 100, 3), (100, 1000, 4), (2500, None, 1))
        assert (record.unit, record.semantics, record.series) == (Unit.US, Semantics.INTERVAL, "all")
        assert (record.start, record.stamp) == (START // 1000, Stamp(START // 1000 + 2_000_000))
        assert record.waited == pytest.approx(0.0125)
        assert (record.label, record.source) == ("io.duration", "otlp")

    @pytest.mark.parametrize(
        ("temporality", "semantics"),
        [
            (1, Semantics.INTERVAL),
            (2, Semantics.CUMULATIVE),
            (DELTA, Semantics.INTERVAL),
            (CUMULATIVE, Semantics.CUMULATIVE),
            (None, Semantics.OPEN),
            (["x"], Semantics.OPEN),
        ],
    )
    def test_temporality(self, temporality: object, semantics: Semantics) -> None:
        assert records(export(point([1, 2], [1]), temporality=temporality))[0].semantics is semantics

    @pytest.mark.parametrize(
        ("unit", "told", "upper"),
        [("s", Unit.MS, 1000), ("ms", Unit.MS, 1), ("us", Unit.US, 1), ("ns", Unit.NS, 1), ("min", Unit.MS, 60_000)],
    )
    def test_units(self, unit: str, told: Unit, upper: int) -> None:
        (record,) = records(export(point([1, 0], [1.0]), unit=unit))
        assert record.ranges[0][1] is not None
        assert record.ranges[0][1] * record.unit.seconds == pytest.approx(upper * told.seconds)

    def test_without_a_unit_the_name_or_the_user_tells(self) -> None:
        one = point([1, 0], [1.0])
        assert records(export(one, unit="", name="io.duration_us"))[0].unit is Unit.US
        assert records(export(one, unit=""), known=Known(unit=Unit.NS))[0].unit is Unit.NS
        with pytest.raises(Refused, match=r"telemetry:1: .*io\.duration does not name its unit; with --unit"):
            decode(export(one, unit=""))

    def test_zeros_belong_to_the_first_range_and_what_is_below_is_no_latency(self) -> None:
        report = Report("telemetry")
        zeros = records(export(point([5, 3, 1], [0, 10])))
        assert zeros[0].ranges == ((0, 10, 8), (10, None, 1))
        (record,) = records(export(point([2, 5, 3, 1], [-1, 0, 10], sum=9.0)), report)
        assert (record.ranges, record.waited, report.bad_count) == (((0, 10, 8), (10, None, 1)), None, 1)
        assert records(export(point([7], [])))[0].ranges == ((0, None, 7),)

    def test_bounds_that_change_lose_and_invent_nothing(self) -> None:
        text = export(point([5, 5, 0], [1, 4])) + export(point([5, 3, 4, 1], [1, 2, 4], end=2))
        (one,) = measured(text)
        assert one.ranges == ((1, 2, 2), (4, None, 1))


class TestExponential:
    def test_buckets_are_powers_of_the_base(self) -> None:
        (record,) = records(export(exponential(1, -3, [1, 0, 2, 4], zeroCount=6, sum=3.5)))
        expected = [(0, 1, 6), *((2 ** (index / 2) * 1e6, 2 ** ((index + 1) / 2) * 1e6, count) for index, count in
                                 ((-3, 1), (-1, 2), (0, 4)))]  # fmt: skip
        assert record.unit is Unit.NS
        for found, (lower, upper, count) in zip(record.ranges, expected, strict=True):
            assert found[1] is not None
            assert found[2] == count
            assert (found[0], found[1]) == (pytest.approx(lower), pytest.approx(upper))

    @pytest.mark.parametrize(("scale", "lower", "upper"), [(0, 8, 16), (-1, 64, 256), (-2, 4096, 65536), (3, 1, None)])
    def test_scales(self, scale: int, lower: float, upper: float | None) -> None:
        (record,) = records(export(exponential(scale, 3 if scale < 3 else 0, [1]), unit="us"))
        assert record.ranges[0][0] == lower * 1000
        assert upper is None or record.ranges[0][1] == upper * 1000

    @pytest.mark.parametrize("scale", [0, 20, -11])
    @pytest.mark.parametrize("offset", [10**12, -(10**400), 10**400])
    def test_buckets_beyond_all_latencies_cost_one_point(self, scale: int, offset: int) -> None:
        report = Report("telemetry", say=lambda _: None)
        assert len(records(export(exponential(0, 3, [1])) + export(exponential(scale, offset, [1])), report)) == 1
        assert report.bad_count == 1

    def test_a_zero_threshold_widens_the_range_of_zero(self) -> None:
        assert records(export(exponential(0, 3, [1], zeroCount=2, zeroThreshold=0.5)))[0].ranges[0] == (0, 500_000, 2)

    def test_events_below_zero_are_told_once_and_left_out(self) -> None:
        told: list[str] = []
        text = export(exponential(0, 0, [1], negative={"offset": 0, "bucketCounts": ["2", "3"]}, sum=1))
        (first, _) = records(text + text, Report("telemetry", say=told.append))
        assert (first.events, first.waited) == (1, None)
        assert ["5 events below 0" in message for message in told] == [True]

    @given(st.lists(st.lists(st.integers(0, 255), max_size=20), min_size=2, max_size=6), st.data())
    def test_a_scale_that_falls_loses_and_invents_nothing(self, steps: list[list[int]], data: st.DataObject) -> None:
        total: Counter[int] = Counter()
        text, scale = "", 5
        for end, step in enumerate(steps, 1):
            total.update(step)
            scale = data.draw(st.integers(0, scale))
            coarse = Counter(dict.fromkeys((0, 255 >> 5 - scale), 0))
            for index, count in total.items():
                coarse[index >> (5 - scale)] += count
            counts = [coarse[index] for index in range(max(coarse) + 1)]
            text += export(exponential(scale, 0, counts, end=end))
        found = measured(text)
        assert [one.events for one in found] == [len(step) for step in steps[1:]]
        assert all(count > 0 for one in found for _, _, count in one.ranges)


class TestSeries:
    def test_attributes_name_a_series_and_the_metric_where_there_are_several(self) -> None:
        one = point([1, 2], [1], attributes=labelled(op="read\x1b", device="sda"))
        assert records(export(one))[0].series == r"sda,read\x1b"
        metrics = json.loads(export(one))
        other = json.loads(export(one, name="queue.wait"))["resourceMetrics"]
        metrics["resourceMetrics"] += other
        assert [record.series for record in records(json.dumps(metrics))] == [
            r"io.duration,sda,read\x1b",
            r"queue.wait,sda,read\x1b",
        ]

    def test_programs_in_one_file_are_told_apart_and_time_does_not_go_to_and_fro(self) -> None:
        text = ""
        for end in range(1, 5):
            text += export(point([end, 0], [1], end=end), origin="a")
            late = point([10 * end, 0], [1], end=end)
            late["timeUnixNano"] = str(int(late["timeUnixNano"]) - SECOND // 3)
            text += export(late, origin="b")
        found = measured(text)
        assert {one.series for one in found} == {"all", "service.name=b"}
        assert [one.seconds for one in found] == [1.0] * 6
        assert sorted(one.events for one in found) == [1, 1, 1, 10, 10, 10]

    def test_attributes_in_any_order_and_kind_are_one_series(self) -> None:
        first = point([1, 2], [1], attributes=[*labelled(a="x"), {"key": "b", "value": {"intValue": "7"}}])
        second = point([1, 3], [1], end=2, attributes=[{"key": "b", "value": {"intValue": "7"}}, *labelled(a="x")])
        assert {record.series for record in records(export(first) + export(second))} == {"x,7"}

    def test_a_series_that_starts_after_the_last_export_began_with_nothing(self) -> None:
        new = point([4, 0], [1], start=1, end=2, attributes=labelled(path="/"))
        found = measured(export(point([1, 0], [1])) + export(point([2, 0], [1], end=2), new))
        assert [(one.series, one.events, one.seconds) for one in found] == [("all", 1, 1.0), ("/", 4, 1.0)]

    def test_a_restart_is_known_by_its_start(self) -> None:
        text = "".join(export(point([40 * end, 0], [1], end=end)) for end in (1, 2, 3))
        text += export(point([130, 0], [1], start=3, end=4))
        assert [(one.events, one.reset) for one in measured(text)] == [(40, False), (40, False), (130, True)]


class TestForms:
    def test_pretty_between_other_text(self) -> None:
        text = "exporting\n" + json.dumps(json.loads(export(point([1, 2], [1]))), indent=2) + "\ndone\n"
        assert OTLP.detect(text).value >= 0.9
        assert records(text)[0].ranges == ((0, 1, 1), (1, None, 2))

    def test_the_names_that_the_sdk_prints(self) -> None:
        data = {"start_time_unix_nano": START, "time_unix_nano": START + SECOND, "count": 3, "sum": 4.5}
        data |= {"bucket_counts": [1, 2], "explicit_bounds": [1.0], "attributes": {"op": "read"}}
        metric = {"name": "io", "unit": "ms", "data": {"data_points": [data], "aggregation_temporality": 2}}
        gauge = {"name": "up", "unit": "ms", "data": {"data_points": [{"value": 1}]}}
        text = json.dumps({"resource_metrics": [{"scope_metrics": [{"metrics": [gauge, metric]}]}]}, indent=4)
        assert OTLP.detect(text).value >= 0.9
        (record,) = records(text)
        assert (record.series, record.ranges) == ("read", ((0, 1, 1), (1, None, 2)))
        assert record.waited == pytest.approx(0.0045)

    @pytest.mark.parametrize(
        "change",
        [
            {"bucketCounts": ["1"]},
            {"bucketCounts": ["x", "1"]},
            {"bucketCounts": 7},
            {"bucketCounts": [-1, 1]},
            {"bucketCounts": ["9" * 5000, 1]},
            {"explicitBounds": [[1]]},
            {"explicitBounds": ["NaN"]},
            {"scale": 99},
            {"scale": 0, "positive": {"offset": 10**9, "bucketCounts": [1]}},
            {"scale": 0, "positive": {"offset": "x", "bucketCounts": [1]}},
            {"scale": 0, "positive": 7},
        ],
    )
    def test_what_is_no_histogram_costs_only_itself(self, change: dict[str, Any]) -> None:
        report = Report("telemetry")
        good, wrong = point([1, 2], [1]), {**point([1, 2], [1], end=2), **change}
        assert len(records(export(good) + export(wrong) + export({**good, "timeUnixNano": "1"}), report)) == 2
        assert report.bad_count == 1

    def test_a_point_without_a_value_is_none(self) -> None:
        assert len(records(export(point([1, 2], [1])) + export(point([0, 0], [1], end=2, flags=1)))) == 1

    @pytest.mark.parametrize(
        "text",
        [
            '{"resourceSpans":[{"scopeSpans":[]}]}\n',
            export(point([1, 2], [1]), unit="By"),
            '{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"up","gauge":{"dataPoints":[]}}]}]}]}\n',
        ],
    )
    def test_what_has_no_histogram_of_a_time_is_refused(self, text: str) -> None:
        assert OTLP.detect(text).value >= 0.9
        with pytest.raises(Refused, match=r"telemetry:1: no latency in this telemetry: .*; what would work are hist"):
            decode(text)


def lines_with_json(path: Path) -> Iterable[Any]:
    return [json.loads(line) for line in path.read_text().splitlines() if line.startswith("{")]


@pytest.mark.parametrize("kind", ["explicit", "exphist"])
def test_the_captures_hold_what_their_text_holds(shared: Path, kind: str) -> None:
    path = shared / "data" / "captures" / f"otlp-{kind}.jsonl"
    found = measured(path.read_text())
    points = []
    for line in lines_with_json(path):
        (metric,) = line["resourceMetrics"][0]["scopeMetrics"][0]["metrics"]
        (one,) = (metric.get("histogram") or metric["exponentialHistogram"])["dataPoints"]
        points.append(one)
    assert len(found) == len(points) - 1 > 20
    for before, after, one in zip(points, points[1:], found, strict=False):
        assert one.series == "loop0"
        assert one.end == int(after["timeUnixNano"]) // 1000
        assert one.waited == pytest.approx((after["sum"] - before["sum"]) / 1e3)
        grown = Counter(by_milliseconds(after))
        grown.subtract(by_milliseconds(before))
        scale = one.unit.seconds / 1e-3
        assert {round(lower * scale, 9): count for lower, _, count in one.ranges} == {
            lower: count for lower, count in grown.items() if count
        }


def by_milliseconds(one: dict[str, Any]) -> dict[float, int]:
    """Counts by lower bound."""
    if "explicitBounds" in one:
        lowers = [0.0, *one["explicitBounds"]]
        return {lower: int(count) for lower, count in zip(lowers, one["bucketCounts"], strict=True)}
    base, offset = 2 ** (2 ** -one["scale"]), one["positive"]["offset"]
    counts = enumerate(map(int, one["positive"]["bucketCounts"]), offset)
    return {round(math.pow(base, index), 9): count for index, count in counts}

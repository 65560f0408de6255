"""Answers of real servers against what their exporters counted: facts/prometheus-data of the shared folder."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from pylatencymap import registry
from pylatencymap.collector import Known
from pylatencymap.collectors.prometheus_api.answers import parse_answer
from pylatencymap.collectors.prometheus_api.histograms import NewRecords, SampledHistograms
from pylatencymap.collectors.prometheus_api.samples import join_samples
from pylatencymap.errors import Refused
from pylatencymap.interval import Interval
from pylatencymap.intervals.difference import to_intervals
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.stages import resolve_times
from pylatencymap.record import GAP, RESET, Record, Semantics
from pylatencymap.report import Report
from pylatencymap.text import divide_answers
from pylatencymap.text.lines import split_lines
from pylatencymap.units import Unit

API = registry.load_collector("prometheus_api")
T0 = 1_795_356_597.486
EDGE = 1e-6


@pytest.fixture
def data(shared: Path) -> Path:
    return shared / "facts" / "prometheus-data"


def decoded(text: bytes, report: Report | None = None, chunk: int = 1 << 16) -> list[Any]:
    pieces: Iterator[bytes | None] = (text[at : at + chunk] for at in range(0, len(text), chunk))
    return list(API.decode(split_lines(divide_answers(pieces)), report or Report("answer"), Known()))


def measured(text: bytes) -> list[Interval]:
    report = Report("answer")
    return list(to_intervals(resolve_times(decoded(text, report), TimeOptions(), report), report))


def whole(folder: Path, *names: str) -> NewRecords:
    series = [one for name in names for one in parse_answer((folder / f"{name}.json").read_bytes()).series]
    report = Report(folder.name)
    found = SampledHistograms(report, None).take(join_samples(series, lambda what: report.bad(0, what)))
    assert report.bad_count == 0
    return found


def events(found: NewRecords) -> dict[str, int]:
    counted: Counter[str] = Counter()
    for record in found.records:
        counted[record.series] += int(record.events)
    return dict(counted)


ALL = ("whole_bucket", "whole_sum", "whole_up", "created_raw")


class TestWholeRun:
    """168 s: a restart, a silence, a label set that goes, a restart that no count shows, a server that stops."""

    @pytest.mark.parametrize(
        ("server", "read", "write"),
        [("p242", 79_904, 7_036), ("p35", 79_904, 7_036), ("p35z", 80_529, 7_290), ("p35n", 79_904, 7_036),
         ("vm", 80_424, 7_240)],
    )  # fmt: skip
    def test_every_event_that_a_scrape_could_tell_is_counted(
        self, data: Path, server: str, read: int, write: int
    ) -> None:
        assert events(whole(data / server, *ALL)) == {"read": read, "write": write}

    @pytest.mark.parametrize("server", ["p242", "p35", "vm"])
    def test_each_interval_holds_what_was_observed_in_it(self, data: Path, server: str) -> None:
        """Where neither a restart nor a hole is near, an interval between two scrapes has whole seconds' events."""
        truth = json.loads((data / "truth.json").read_text())
        observed = {round(at * 1000): counts for at, counts in truth["a_observed"]}
        checked = 0
        for record in whole(data / server, *ALL).records:
            start, end = ((one or 0) // 1000 for one in (record.start, record.stamp and record.stamp.micros))
            if {GAP, RESET} & record.flags or end - start > 1500:
                continue
            inside = [one[record.series] for at, one in observed.items() if start < at <= end and record.series in one]
            counts = {0.0001: 0, 0.01: 0}
            for one in inside:
                for latency, number in one.items():
                    counts[float(latency)] = counts.get(float(latency), 0) + number
            near = [at for at in observed if min(abs(at - start), abs(at - end)) < 100]
            if near or len(inside) != 1:
                continue
            assert record.events == sum(counts.values())
            assert record.waited == pytest.approx(sum(latency * number for latency, number in counts.items()))
            checked += 1
        assert checked > 150

    @pytest.mark.parametrize("server", ["p242", "p35", "vm"])
    def test_restarts_and_holes_are_told_apart(self, data: Path, server: str) -> None:
        found = whole(data / server, *ALL)
        read = [one for one in found.records if one.series == "read"]
        resets = [one for one in read if RESET in one.flags]
        assert [round(one.stamp.micros / 1e6 - T0) for one in resets if one.stamp] in ([70, 108], [70, 109], [71, 109])
        assert resets[1].start == pytest.approx(1_795_356_705_649_000, abs=2000), "when the exporter began again"
        notes = [mark.note for mark in found.marks]
        assert [" did not answer for 10 s" in note for note in notes].count(True) == 1
        assert ["Prometheus did not scrape" in note for note in notes].count(True) == 1
        gone = next(one for one in found.records if one.series == "write" and RESET in one.flags)
        assert gone.stamp is not None
        away = (gone.stamp.micros - (gone.start or 0)) / 1e6
        assert away == pytest.approx(11, abs=0.1), "it was away, and that is no gap"

    def test_gaps_and_intervals_cover_all_of_the_time(self, data: Path) -> None:
        read = [one for one in whole(data / "p242", *ALL).records if one.series == "read"]
        end = read[0].start
        for one in read:
            assert one.start is not None
            assert one.stamp is not None
            assert end is not None
            assert one.start <= end
            end = max(end, one.stamp.micros)


class TestNative:
    @pytest.mark.parametrize("server", ["p242", "p35"])
    def test_counts_bounds_and_sums(self, data: Path, server: str) -> None:
        found = measured((data / server / "native_raw.json").read_bytes())
        assert len(found) == 9
        for one in found:
            zero, fast, exact, slow = one.ranges
            assert (one.unit, zero, one.estimated) == (Unit.NS, (0, 1000, 2), False)
            assert fast[0] < 100_000 <= fast[1] <= 102_649
            assert (exact[1], exact[2], slow[2]) == (7_812_500, 1, 7)
            assert one.waited == pytest.approx(0.0001 * fast[2] + 0.0078125 + 0.07, rel=1e-6)

    @pytest.mark.parametrize("server", ["p242", "p35"])
    def test_a_resolution_that_falls_is_no_restart(self, data: Path, server: str) -> None:
        found = measured((data / server / "native_schema_change.json").read_bytes())
        assert [one.reset for one in found] == [False] * 5
        assert [110 <= one.events <= 114 for one in found] == [True] * 5
        for one in found:
            assert one.waited == pytest.approx(0.0001 * (one.events - 10) + 0.0078125 + 0.07, rel=1e-6)

    def test_a_client_that_halves_its_resolution_again_and_again_loses_nothing(self, data: Path) -> None:
        found = measured((data / "p242" / "golang_few.json").read_bytes())
        assert [one.events for one in found] == [1] * len(found)
        assert not any(one.reset or one.gap for one in found)

    @pytest.mark.parametrize("server", ["p242", "p35", "p35z"])
    def test_a_restart(self, data: Path, server: str) -> None:
        found = measured((data / server / "native_restart.json").read_bytes())
        assert [one.reset for one in found if not one.gap].count(True) == 1

    def test_custom_buckets(self, data: Path) -> None:
        found = measured((data / "p35n" / "nhcb_raw.json").read_bytes())
        assert {(lower, upper) for one in found for lower, upper, _ in one.ranges} <= {
            (50_000, 100_000), (5_000_000, 10_000_000), (1_000_000_000, None),
        }  # fmt: skip
        first = measured((data / "p35n" / "nhcb_first_bucket.json").read_bytes())
        assert all(one.ranges[0][0] == 0 for one in first)

    def test_values_below_zero_are_no_latencies(self, data: Path) -> None:
        with pytest.raises(Refused, match="rpc_signed does not name its unit"):
            decoded((data / "p242" / "native_signed.json").read_bytes())


class TestForms:
    def test_spellings_of_le_are_one_bound(self, data: Path) -> None:
        for server in ("p242", "p35", "vm"):
            answer = parse_answer((data / server / "spelled.json").read_bytes())
            joined = join_samples(answer.series, lambda what: pytest.fail(what))
            assert {len(one.layout.bounds) for totals in joined.totals.values() for one in totals.values()} <= {4, 5}

    def test_ranges_of_victoria_metrics_are_not_cumulative(self, data: Path) -> None:
        text = (data / "vm" / "vmrange.json").read_bytes()
        (totals,) = join_samples(parse_answer(text).series, lambda what: pytest.fail(what)).totals.values()
        (one,) = totals.values()
        assert one.counts == (29, 2900, 203)

    @pytest.mark.parametrize("server", ["p242", "p35", "vm"])
    def test_an_error_is_told_in_the_words_of_the_server(self, data: Path, server: str) -> None:
        for path in sorted((data / server).glob("error_*.json")):
            said = json.loads(path.read_bytes()).get("error")
            if said is None:
                continue  # VictoriaMetrics takes it
            with pytest.raises(Refused, match="the server answered with an error") as raised:
                decoded(path.read_bytes())
            assert said[:40].replace("\n", " ")[:20] in str(raised.value).replace("\\n", " ")

    def test_a_warning_is_said(self, data: Path) -> None:
        said: list[str] = []
        text = (data / "p242_remote_read_down" / "warnings_partial.json").read_bytes()
        with pytest.raises(Refused):
            decoded(text, Report("answer", say=said.append))
        assert any("remote_read" in one for one in said)

    def test_of_what_an_expression_made_the_numbers_are_detected(self, data: Path) -> None:
        increases = measured((data / "p242" / "sum_by_le_increase.json").read_bytes())
        assert {one.seconds for one in increases} == {5.0, 10.0}, "there is a hole at the restart"
        assert increases[0].events == pytest.approx(675 + 181.25)

    @pytest.mark.parametrize("server", ["p242", "p35", "p35z", "p35n", "vm"])
    def test_every_answer_is_read_or_refused(self, data: Path, server: str) -> None:
        for path in sorted((data / server).glob("*.json")):
            try:
                found = decoded(path.read_bytes())
            except Refused:
                continue
            assert all(count >= 0 for one in found if isinstance(one, Record) for _, _, count in one.ranges), path.name


class TestLongLines:
    def long(self, samples: int) -> bytes:
        values = [[1_700_000_000 + at, str(at)] for at in range(samples)]
        series = [
            {"metric": {"__name__": "rpc_seconds_bucket", "le": le}, "values": values} for le in ("0.001", "+Inf")
        ]
        answer = {"status": "success", "data": {"resultType": "matrix", "result": series}}
        return json.dumps(answer, separators=(",", ":")).encode()

    def test_an_answer_of_megabytes_in_one_line_is_read_whole(self) -> None:
        text = self.long(40_000)
        assert len(text) > 1 << 20
        assert sum(one.events for one in decoded(text)) == 39_999

    @settings(max_examples=30, deadline=None)
    @given(st.integers(1, 300))
    def test_however_it_comes_in_chunks(self, size: int) -> None:
        text = self.long(40) * 2
        found = decoded(text, chunk=size)
        assert sum(one.events for one in found) == 39

    def test_an_answer_without_a_line_feed_is_told_when_the_source_pauses(self) -> None:
        def fed() -> Iterator[bytes | None]:
            for at in range(3):
                yield self.long(10 + at)
                yield None
                pauses.append(len(told))

        pauses: list[int] = []
        told: list[Any] = []
        for one in API.decode(split_lines(divide_answers(fed())), Report("answer"), Known(live=True)):
            told.append(one)
        assert pauses == [9, 10, 11]

    def test_other_text_is_passed_on_as_it_is(self) -> None:
        for text in (b"", b"x\n", b'{"status": 1}\n', b'{"a": [["b"],[1]]}'):
            assert b"".join(one or b"" for one in divide_answers(iter([text, None, text]))).replace(b"\n", b"") == (
                (text + text).replace(b"\n", b"")
            )


def test_numbers_as_told_have_no_differences() -> None:
    text = json.dumps(
        {"status": "success", "data": {"resultType": "matrix", "result": [
            {"metric": {"le": le}, "values": [[1_700_000_000 + at, str(count)] for at in range(3)]}
            for le, count in (("0.1", 1.5), ("+Inf", 2.5))
        ]}}
    )  # fmt: skip
    records = [one for one in decoded(text.encode()) if isinstance(one, Record)]
    assert {(one.ranges, one.semantics) for one in records} == {(((0, 100, 1.5), (100, None, 1.0)), Semantics.OPEN)}


def with_estimates(metric: str, estimates: list[float | None]) -> bytes:
    """An answer about a histogram: 10 events of 15 ms a second, and how much of its sum is an estimate."""
    moments = [1_700_000_000 + at for at in range(len(estimates))]
    counts = [10 * at for at in range(len(estimates))]
    told = [
        {
            "metric": {"__name__": f"{metric}_bucket", "le": le},
            "values": [[at, str(n)] for at, n in zip(moments, counts, strict=True)],
        }
        for le in ("0.02", "+Inf")
    ]
    told.append(
        {
            "metric": {"__name__": f"{metric}_sum"},
            "values": [[at, str(n * 0.015)] for at, n in zip(moments, counts, strict=True)],
        }
    )
    values = [[at, str(one)] for at, one in zip(moments, estimates, strict=True) if one is not None]
    told.append({"metric": {"__name__": f"{metric}_estimated_total"}, "values": values})
    return json.dumps({"status": "success", "data": {"resultType": "matrix", "result": told}}).encode()


@pytest.mark.parametrize(
    ("metric", "estimates", "said"),
    [
        ("rpc_seconds", [0.0, 0.0, 0.15, 0.15, 0.3], [False, True, False, True]),
        ("rpc_seconds", [None, None, None], [False, False]),
        ("rpc_seconds", [0.0, None, 0.0], [True, False]),
        ("pylatencymap_latency_seconds", [0.0, 0.0], [False]),
        ("pylatencymap_latency_seconds", [None, None], [True]),
    ],
)
def test_a_sum_that_is_no_fact_is_none_here(metric: str, estimates: list[float | None], said: list[bool]) -> None:
    """Ours can be estimates where the counter that says so was not asked for."""
    found = measured(with_estimates(metric, estimates))
    assert [one.estimated for one in found] == said
    assert [one.waited for one in found if not one.estimated] == [pytest.approx(0.15)] * said.count(False)

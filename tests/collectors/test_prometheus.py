"""The prometheus collector, form by form, and its capture against a second reading."""

import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import given, strategies as st

from pylatencymap import registry
from pylatencymap.collector import Known
from pylatencymap.errors import Refused
from pylatencymap.interval import Interval
from pylatencymap.intervals.difference import to_intervals
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.stages import resolve_times
from pylatencymap.record import LOST, Event, Record, Semantics, Stamp, Tick
from pylatencymap.report import Report
from pylatencymap.text.lines import Line, lines_of
from pylatencymap.units import Unit

PROMETHEUS = registry.load_collector("prometheus")


def scrape(
    counts: dict[str, float], *, labels: str = "", metric: str = "io_seconds", total: float = 0.5, tail: str = ""
) -> str:
    """One histogram, its counts cumulative over ``le``."""
    inner = f"{labels}," if labels else ""
    rows = "".join(f'{metric}_bucket{{{inner}le="{le}"}} {count}{tail}\n' for le, count in counts.items())
    events = counts.get("+Inf", 0)
    return f"{rows}{metric}_sum{{{labels}}} {total}{tail}\n{metric}_count{{{labels}}} {events}{tail}\n"


def decode(text: str, report: Report | None = None, known: Known | None = None) -> list[Event]:
    return list(PROMETHEUS.decode(lines_of(text), report or Report("page"), known or Known()))


def records(events: Iterable[Event]) -> list[Record]:
    """Those that could be read."""
    return [event for event in events if isinstance(event, Record) and LOST not in event.flags]


def measured(text: str) -> list[Interval]:
    report = Report("page")
    return list(to_intervals(resolve_times(decode(text, report), TimeOptions(), report)))


class TestScrapes:
    def test_le_is_cumulative_sorted_by_number_and_in_whole_units(self) -> None:
        page = scrape({"10": 9, "+Inf": 11, "0.25": 3, "2.5": 3}, labels='device="sda"')
        record, _ = records(decode(page * 2))
        assert record.ranges == ((0, 250, 3), (2500, 10_000, 6), (10_000, None, 2))
        assert (record.series, record.unit, record.semantics) == ("sda", Unit.MS, Semantics.CUMULATIVE)
        assert (record.label, record.source, record.waited) == ("io_seconds", "prometheus", 0.5)

    @pytest.mark.parametrize(
        "between",
        ["", "# EOF\n", "# TYPE io_seconds histogram\n", "# scraped at 1700000000.5\n", "1700000000\n", "\n"],
    )
    def test_each_scrape_is_a_print(self, between: str) -> None:
        page = between + scrape({"1": 1, "+Inf": 2}, labels='d="a"') + scrape({"1": 0, "+Inf": 2}, labels='d="b"')
        events = decode(page * 3)
        assert ["T" if isinstance(event, Tick) else event.series for event in events if not isinstance(event, str)] == [
            "T", "a", "b", "T", "a", "b", "T", "a", "b",
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("line", "stamp"),
        [
            ("# scraped at 1700000000.250", Stamp(1_700_000_000_250_000)),
            ("# scrape: 2023-11-14T22:13:20.25Z", Stamp(1_700_000_000_250_000)),
            ("# time 1700000000.25", Stamp(1_700_000_000_250_000)),
            ("2023-11-14 22:13:20.25 +00:00", Stamp(1_700_000_000_250_000)),
        ],
    )
    def test_the_moment_before_a_scrape_is_its_stamp(self, line: str, stamp: Stamp) -> None:
        assert records(decode(f"{line}\n{scrape({'1': 1, '+Inf': 2})}"))[0].stamp == stamp

    @pytest.mark.parametrize("tail", [" 1700000000250", " 1700000000.25", ' 1700000000250 # {id="7 # }"} 0.2 1.5'])
    def test_moments_behind_the_samples_are_a_stamp(self, tail: str) -> None:
        (record,) = records(decode(scrape({"1": 1, "+Inf": 2}, tail=tail)))
        assert (record.stamp, record.events) == (Stamp(1_700_000_000_250_000), 2)

    def test_a_live_source_is_told_as_soon_as_a_scrape_is_complete(self) -> None:
        page = [*scrape({"1": 1, "+Inf": 2}).splitlines(), None]
        lines = [text if text is None else Line(number, text) for number, text in enumerate(page * 3, 1)]
        seen = 0
        told = []

        def watched() -> Iterable[Line | None]:
            nonlocal seen
            for line in lines:
                seen += 1
                yield line

        for event in PROMETHEUS.decode(watched(), Report("page")):
            told.append((type(event).__name__, seen))
        assert told == [("Tick", 6), ("Record", 6), ("Tick", 10), ("Record", 10), ("Tick", 15), ("Record", 15)]

    def test_a_scrape_without_end_is_bounded_and_told_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("pylatencymap.collectors.prometheus.decoder.MAX_HISTOGRAMS", 3)
        report = Report("page")
        page = "".join(scrape({"1": 1, "+Inf": 2}, labels=f'd="{number}"') for number in range(9))
        assert [record.series for record in records(decode(page, report))] == ["0", "1", "2"]
        assert report.bad_count == 1

    def test_a_scrape_that_is_cut_off_is_left_out_and_told(self) -> None:
        report = Report("page")
        text = scrape({"1": 1, "+Inf": 20})
        assert len(records(decode(text + text[:-2], report))) == 1
        assert report.bad_count == 1


class TestDamage:
    """One bad line does not begin a scrape: those after it would all lie one scrape late."""

    META = "# HELP io_seconds Time.\n# TYPE io_seconds histogram\n"

    def pages(self, meta: str) -> list[str]:
        return [
            meta + scrape({"0.001": 3 * n, "0.01": 5 * n, "0.1": 6 * n, "+Inf": 7 * n}, labels='d="a"', total=n)
            + scrape({"0.001": n, "0.01": 2 * n, "0.1": 3 * n, "+Inf": 4 * n}, labels='d="b"', total=n)
            for n in range(1, 7)
        ]  # fmt: skip

    @pytest.mark.parametrize("meta", ["", META])
    def test_a_doubled_line_costs_nothing(self, meta: str) -> None:
        pages = self.pages(meta)
        whole = records(decode("".join(pages)))
        lines = pages[2].splitlines(keepends=True)
        for place, line in enumerate(lines):
            text = "".join([*pages[:2], *lines[:place], line, *lines[place:], *pages[3:]])
            found = records(decode(text))
            assert [(one.series, one.ranges, one.waited) for one in found] == [
                (one.series, one.ranges, one.waited) for one in whole
            ]

    @pytest.mark.parametrize("meta", ["", META])
    @pytest.mark.parametrize(("was", "now"), [('le="0.001"', 'le="0.01"'), ('le="0.01"', 'le="0.001"')])
    def test_a_bound_that_lost_or_gained_a_digit_costs_one_record(self, meta: str, was: str, now: str) -> None:
        pages = self.pages(meta)
        whole = [(one.series, one.ranges) for one in records(decode("".join(pages)))]
        pages[2] = pages[2].replace(was, now, 1)
        report = Report("page")
        events = decode("".join(pages), report)
        assert [(one.series, one.ranges) for one in records(events)] == [*whole[:4], *whole[5:]]
        assert sum(isinstance(event, Tick) for event in events) == len(pages)
        assert report.bad_count == 2

    def test_series_that_come_first_in_a_later_scrape_belong_to_it(self) -> None:
        old, new = ({"1": 1, "+Inf": 2}, {"1": 1, "+Inf": 1})
        first = "# TYPE io_seconds histogram\n" + scrape(old, labels='d="b"')
        later = "# TYPE io_seconds histogram\n" + scrape(new, labels='d="a"') + scrape(old, labels='d="b"')
        events = decode(first + later * 2)
        assert ["T" if isinstance(one, Tick) else one.series for one in events if isinstance(one, Tick | Record)] == [
            "T", "b", "T", "a", "b", "T", "a", "b",
        ]  # fmt: skip


class TestSeries:
    def test_labels_name_a_series_and_the_metric_where_there_are_several(self) -> None:
        page = scrape({"1": 1, "+Inf": 2}, labels='a="x",b="",c="a\\\\b\\"c\\nd,le}"')
        page += scrape({"1": 1, "+Inf": 2}, metric="wait_ms") + scrape({"1": 1, "+Inf": 2}, metric="size_bytes")
        assert [record.series for record in records(decode(page))] == ['io_seconds,x,a\\b"c d,le}', "wait_ms"]

    def test_one_metric_without_labels_and_metrics_that_come_later(self) -> None:
        page = scrape({"1": 1, "+Inf": 2})
        later = page + page + scrape({"1": 1, "+Inf": 2}, metric="wait_ms", labels='a="\x1b[1m"')
        assert [record.series for record in records(decode(later))] == ["all", "all", r"wait_ms,\x1b[1m"]

    def test_labels_with_the_same_values_are_told_apart(self) -> None:
        page = scrape({"+Inf": 2}, labels='a="x"') + scrape({"+Inf": 3}, labels='b="x"')
        assert [(record.series, record.events) for record in records(decode(page))] == [("x", 2), ("b=x", 3)]

    def test_names_in_quotes(self) -> None:
        text = '{"io.wait_seconds_bucket",le="1"} 1\n{"io.wait_seconds_bucket",le="+Inf"} 1\n'
        text += '{"io.wait_seconds_sum"} 1\n{"io.wait_seconds_count"} 1\n'
        (record,) = records(decode(text))
        assert (record.label, record.ranges) == ("io.wait_seconds", ((0, 1000, 1),))

    @pytest.mark.parametrize(
        ("metric", "unit", "upper"),
        [
            ("a_seconds", Unit.MS, 2000),
            ("a_seconds_hist", Unit.MS, 2000),
            ("a_duration_ms", Unit.MS, 2),
            ("a_milliseconds", Unit.MS, 2),
            ("a_latency_microseconds", Unit.US, 2),
            ("a_latency_us", Unit.US, 2),
            ("a_nanoseconds", Unit.NS, 2),
            ("a_minutes", Unit.MS, 120_000),
            ("aDurationMs", Unit.MS, 2),
        ],
    )
    def test_the_unit_by_the_name(self, metric: str, unit: Unit, upper: int) -> None:
        (record,) = records(decode(scrape({"2": 3, "+Inf": 3}, metric=metric, total=1.0)))
        scale = record.unit.seconds * upper / 2
        assert (record.ranges, record.waited) == (((0, record.ranges[0][1], 3),), pytest.approx(scale))
        assert record.ranges[0][1] * record.unit.seconds == pytest.approx(upper * unit.seconds)

    def test_the_unit_by_its_comment_and_by_the_user(self) -> None:
        page = scrape({"2": 3, "+Inf": 3}, metric="wait")
        assert records(decode("# UNIT wait seconds\n" + page))[0].ranges == ((0, 2000, 3),)
        assert records(decode(page, known=Known(unit=Unit.US)))[0].unit is Unit.US
        with pytest.raises(Refused, match=r"page:\d: .*wait does not name its unit; with --unit"):
            decode(page)

    def test_a_damaged_unit_is_told_in_printable_characters(self) -> None:
        page = scrape({"2": 3, "+Inf": 3}, metric="wait")
        with pytest.raises(Refused, match=r"wait is in seconds\\x02, not a time"):
            decode("# UNIT wait seconds\x02\n" + page)

    @pytest.mark.parametrize("metric", ["response_size_bytes", "queue_length", "cpu_ratio", "batch_size"])
    def test_what_is_no_time_is_left_out_even_with_unit(self, metric: str) -> None:
        told: list[str] = []
        page = scrape({"2": 3, "+Inf": 3}, metric=metric)
        with pytest.raises(Refused, match=f"{metric} counts .*, not a time"):
            decode(page, known=Known(unit=Unit.US))
        both = page + scrape({"2": 3, "+Inf": 3})
        assert len(records(decode(both * 2, Report("page", say=told.append)))) == 2
        assert [metric in message for message in told] == [True]


class TestCounters:
    def test_a_bound_that_was_missing_had_no_events_below_it(self) -> None:
        first, second = scrape({"1": 5, "4": 9, "+Inf": 9}), scrape({"1": 5, "2": 6, "4": 12, "+Inf": 12})
        (one,) = measured(first + second)
        assert one.ranges == ((1000, 2000, 1), (2000, 4000, 2))

    @given(st.lists(st.tuples(*[st.integers(0, 9)] * 5), min_size=2, max_size=5), st.data())
    def test_rows_that_are_missing_make_no_count_negative_or_lost(
        self, steps: list[tuple[int, ...]], data: st.DataObject
    ) -> None:
        sums, page = [0] * 5, ""
        for number, step in enumerate([*steps, (0,) * 5]):
            sums = [a + b for a, b in zip(sums, step, strict=True)]
            rows = {str(2**place): sum(sums[: place + 1]) for place in range(4)}
            whole = number == len(steps)
            shown = rows if whole else data.draw(st.lists(st.sampled_from(sorted(rows)), unique=True))
            page += scrape({le: count for le, count in rows.items() if le in shown} | {"+Inf": sum(sums)}) + "# EOF\n"
        found = measured(page)
        assert all(count > 0 for one in found for _, _, count in one.ranges)
        assert sum(one.events for one in found) == sum(sum(step) for step in steps[1:])

    ROWS = MappingProxyType({"1": 10, "2": 20, "4": 30, "+Inf": 40})

    def grown(self, number: int, *, lost: str = "", other: str = "") -> str:
        """The scrape of a second, with ten events more in each range, without a line or with another bound."""
        rows = {le: count * (1 + number) for le, count in self.ROWS.items() if le != lost or other}
        rows = {other if le == lost else le: count for le, count in rows.items()}
        return scrape(rows, tail=f" {1_700_000_000_000 + 1000 * number}", total=0.5 * number)

    @staticmethod
    def lower(bound: str) -> str:
        return {"1": "0", "2": "1", "4": "2"}[bound]

    @pytest.mark.parametrize("other", ["", "3", "0.2"])
    @pytest.mark.parametrize("lost", ["1", "2", "4"])
    def test_a_scrape_without_one_of_its_bounds_is_covered_by_the_next(self, lost: str, other: str) -> None:
        page = "".join(self.grown(n, lost=lost if n == 2 else "", other=other) for n in range(5))
        said: list[str] = []
        events = decode(page, Report("page", say=said.append))
        found = list(to_intervals(resolve_times(events, TimeOptions(), Report("page"))))
        assert [[count for _, _, count in one.ranges] for one in found] == [[10] * 4, [20] * 4, [10] * 4]
        assert [one.seconds for one in found] == [1, 2, 1]
        (told,) = said
        in_order = not other or float(self.lower(lost)) < float(other) < float(lost)
        assert re.match(r"page:1[34]: io_seconds: .*; this histogram is left out", told)
        assert not in_order or "1 of 3 buckets are missing, or have other bounds" in told

    @pytest.mark.parametrize("lost", ["1", "2", "4"])
    def test_bounds_that_stay_changed_are_a_new_layout(self, lost: str) -> None:
        found = measured("".join(self.grown(n, lost=lost if n >= 2 else "") for n in range(7)))
        assert [one.events for one in found] == [40, 80, 40, 40, 40]
        assert [one.seconds for one in found] == [1, 2, 1, 1, 1]
        assert not any(one.reset for one in found)

    def test_a_bound_that_was_there_once_costs_nothing_when_it_goes(self) -> None:
        more = self.grown(2).replace(
            'io_seconds_bucket{le="4"}', 'io_seconds_bucket{le="3"} 85 1700000002000\nio_seconds_bucket{le="4"}'
        )
        found = measured("".join(more if n == 2 else self.grown(n) for n in range(5)))
        assert [one.events for one in found] == [40, 40, 40, 40]

    def test_a_restart_is_known_by_when_it_was_created(self) -> None:
        def page(at: int, created: float, count: int) -> str:
            body = scrape({"1": count, "+Inf": count}, total=count / 10)
            return f"# scraped at 170000000{at}.0\n{body}io_seconds_created{{}} {created}\n"

        text = page(0, 1699999000.0, 50) + page(1, 1699999000.0, 90) + page(2, 1700000001.5, 15)
        first, gap, second = measured(text)
        assert (first.events, first.reset) == (40, False)
        assert (gap.gap, gap.start, gap.end) == (True, first.end, second.start)
        assert (second.events, second.reset, second.seconds) == (15, True, pytest.approx(0.5))

    @pytest.mark.parametrize(
        ("created", "since"),
        [
            ("", "an unknown moment"),
            ("io_seconds_created{} 1700000000.5\n", "2023-11-14 22:13:20.5 UTC"),
            (
                'io_seconds_created{} 1700000000\nio_seconds_created{d="b"} 1700003600\n',
                "moments from 2023-11-14 22:13:20 UTC to 2023-11-14 23:13:20 UTC",
            ),
        ],
    )
    def test_a_single_scrape_says_since_when_it_counts(self, created: str, since: str) -> None:
        said: list[str] = []
        other = scrape({"1": 3, "+Inf": 3}, labels='d="b"') if 'd="b"' in created else ""
        text = scrape({"1": 5, "+Inf": 9}) + other + created
        list(registry.load_collector("prometheus").decode(lines_of(text), Report("page", say=said.append), Known()))
        assert f"all that the counters have counted since {since}; what" in "".join(said)

    def test_a_series_that_began_after_the_last_scrape_began_with_nothing(self) -> None:
        old, new = scrape({"1": 3, "+Inf": 3}, labels='d="a"'), scrape({"1": 8, "+Inf": 8}, labels='d="b"')
        created = 'io_seconds_created{d="b"} 1700000000.5\n'
        text = f"# scraped at 1700000000.0\n{old}# scraped at 1700000001.0\n{old}{new}{created}"
        assert [(one.series, one.events, one.seconds) for one in measured(text)] == [("a", 0, 1.0), ("b", 8, 1.0)]

    def test_events_of_no_time_are_latencies_and_those_below_are_not(self) -> None:
        told: list[str] = []
        page = scrape({"-1": 2, "0": 5, "1": 7, "+Inf": 7}, total=1.0)
        found = records(decode(page * 2, Report("page", say=told.append)))
        assert found[0].ranges == ((0, 1000, 5),)
        assert found[0].waited is None
        assert ["2 events below 0" in message for message in told] == [True]

    def test_what_contradicts_itself_costs_only_itself(self) -> None:
        report = Report("page")
        wrong = scrape({"1": 5, "2": 3, "+Inf": 6}, labels='d="a"') + 'io_seconds_bucket{d="c",le="x"} 3\n'
        found = records(decode(wrong + scrape({"1": 5, "+Inf": 6}, labels='d="b"'), report))
        assert [record.series for record in found] == ["b"]
        assert report.bad_count == 2

    def test_the_next_scrape_covers_the_time_of_one_that_was_left_out(self) -> None:
        pages = [scrape({"1": 5 * n, "2": 7 * n, "+Inf": 8 * n}) for n in range(1, 5)]
        pages[2] = pages[2].replace("21", "2")
        found = measured("".join(f"{1_700_000_000 + n}\n{page}" for n, page in enumerate(pages)))
        assert [(one.seconds, one.events) for one in found] == [(1.0, 8), (2.0, 16)]

    @pytest.mark.parametrize("total", ["NaN", "-3"])
    def test_a_sum_that_is_no_time_is_no_time_waited(self, total: str) -> None:
        page = scrape({"1": 5, "+Inf": 6}).replace("_sum{} 0.5", f"_sum{{}} {total}")
        said: list[str] = []
        report = Report("page", say=said.append)
        assert [record.waited for record in records(decode(page * 3, report))] == [None] * 3
        (message,) = said
        assert re.fullmatch(r"page:[0-9]+: all: its _sum is (-3|no finite number): times waited are estimated", message)
        assert report.bad_count == 0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("# TYPE up gauge\nup_now 1\n", "no histogram"),
        ('# TYPE a_seconds summary\na_seconds{quantile="0.5"} 1\na_seconds_sum 1\na_seconds_count 1\n', "quantiles"),
        ("# TYPE a_seconds histogram\na_seconds {count:12,sum:10.0,schema:3}\n", "native histograms"),
        ('# TYPE a_seconds gaugehistogram\na_seconds_bucket{le="1"} 1\na_seconds_bucket{le="+Inf"} 1\n', "gauge hist"),
    ],
)
def test_what_is_no_histogram_is_refused(text: str, reason: str) -> None:
    assert PROMETHEUS.detect(text).value >= 0.9
    with pytest.raises(Refused, match=rf"page:\d+: .*{reason}.*what would work"):
        decode(text)
    with pytest.raises(Refused, match=reason):  # a live source does not end
        list(PROMETHEUS.decode((Line(1, line) for _ in range(9) for line in [*text.splitlines()]), Report("page")))


def test_the_capture_holds_what_its_text_holds(shared: Path) -> None:
    text = (shared / "data" / "captures" / "prometheus-scrapes.txt").read_text()
    pages = text.split("# scraped at ")[1:]
    found = measured(text)
    assert len(found) == len(pages) - 1 > 20
    last = None
    for page, interval in zip(pages, [None, *found], strict=True):
        counts = [float(count) for count in re.findall(r'_bucket\{.*le=".*"\} (.*)', page)]
        steps = [b - a for a, b in zip([0.0, *counts], counts, strict=False)]
        waited = float(re.findall(r"_sum\{.*\} (.*)", page)[0])
        if interval is not None and last is not None:
            bounds = [0, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, None]
            grown = [b - a for a, b in zip(last[0], steps, strict=True)]
            rows = zip(bounds, bounds[1:], grown, strict=False)
            assert interval.ranges == tuple(row for row in rows if row[2])
            assert interval.waited == pytest.approx(waited - last[1], abs=1e-9)
            assert interval.end == round(float(page.split("\n")[0]) * 1e6)
        last = steps, waited


class TestBucketsAlone:
    """A scrape of which a filter has left the buckets."""

    @staticmethod
    def buckets(scrapes: int) -> list[str]:
        one = [scrape({"0.1": 1 + n, "1": 2 + 2 * n, "+Inf": 3 + 3 * n}).split("\n")[:3] for n in range(scrapes)]
        return [line for rows in one for line in rows]

    def test_the_last_scrape_counts_as_its_buckets_are_those_of_the_one_before(self) -> None:
        report = Report("page")
        found = measured("\n".join(self.buckets(3)))
        assert [one.events for one in found] == [3, 3]
        assert records(decode("\n".join(self.buckets(2)), report))[-1].events == 6
        assert report.bad_count == 0

    def test_one_that_was_cut_off_does_not(self) -> None:
        report = Report("page")
        assert len(records(decode("\n".join(self.buckets(3)[:-1]), report))) == 2
        assert report.bad_count == 1

    def test_a_pause_shows_it_at_once(self) -> None:
        told: list[Event] = []
        at_pauses: list[int] = []

        def fed() -> Iterable[Line | None]:
            for number, line in enumerate(lines_of("\n".join(self.buckets(3))), 1):
                yield line
                if number % 3 == 0:
                    yield None
                    at_pauses.append(len(records(told)))

        for event in PROMETHEUS.decode(fed(), Report("page"), Known()):
            told.append(event)
        assert at_pauses == [0, 2, 3]  # of the first scrape nothing is told, for all of it decides on names


@pytest.mark.parametrize("damaged", ['le="0.0x1"} 2', 'le="0.0001"} x', 'le=""} 2'])
def test_a_damaged_bucket_costs_its_histogram_and_changes_no_unit(damaged: str) -> None:
    pages = [
        f"# scraped at 170000000{n}\n"
        + "".join(
            scrape({"0.0001": 2 * n, "1": 3 * n, "+Inf": 4 * n}, labels=f'device="{disk}"') for disk in ("sda", "sdb")
        )
        for n in (1, 2)
    ]
    whole, report = "".join(pages), Report("page")
    found = records(decode(whole.replace('le="0.0001"} 2', damaged, 1), report))
    assert [(one.series, one.unit, one.ranges) for one in found] == [
        (one.series, one.unit, one.ranges) for one in records(decode(whole))[1:]
    ]
    assert report.bad_count == 2


def test_a_bucket_without_the_end_of_its_labels_is_counted() -> None:
    report = Report("page")
    decode(scrape({"0.1": 2, "+Inf": 4}) + 'io_seconds_bucket{le="0.1 3\n', report)
    assert report.bad_count == 1


def test_a_bucket_that_the_first_scrape_has_lost_leaves_a_doubt_in_the_next_interval() -> None:
    whole = "".join(
        "".join(
            f'rpc_seconds_bucket{{le="{bound}"}} {(100 + number) * place}\n'
            for place, bound in enumerate(("0.001", "0.002", "0.004", "0.008", "+Inf"), 1)
        )
        + f"rpc_seconds_sum {0.002 * number + 7}\nrpc_seconds_count {(100 + number) * 5}\n"
        for number in range(4)
    )
    lines = whole.splitlines(keepends=True)
    for lost in range(4):
        found = measured("".join([*lines[:lost], *lines[lost + 1 :]]))
        assert [one.doubtful for one in found] == [True, False, False]
        assert [one.events for one in found] == [5, 5, 5]
    assert not any(one.doubtful for one in measured(whole))


# What real scrapes do, with the truth that was measured beside them: the folder says how each was made.


class TestCases:
    @pytest.fixture
    def cases(self, shared: Path) -> Path:
        return shared / "facts" / "prometheus-data" / "scrapes" / "cases"

    def found(self, cases: Path, name: str, series: str = "all") -> list[Interval]:
        return [one for one in measured((cases / f"{name}.txt").read_text()) if one.series == series]

    def spans(self, intervals: list[Interval]) -> list[tuple[int, float, int | float, bool]]:
        return [(one.start // 10**6 - 1_795_356_600, one.seconds, one.events, one.reset) for one in intervals]

    def test_of_a_label_set_that_is_away_nothing_is_known(self, cases: Path) -> None:
        assert self.spans(self.found(cases, "away_back_same", "b")) == [
            (0, 1, 2, False),
            (1, 3, 10, False),
            (4, 1, 2, False),
        ]
        assert [events for _, _, events, _ in self.spans(self.found(cases, "away_back_same", "a"))] == [2] * 5

    def test_one_that_comes_back_with_less_restarted_at_any_time_since(self, cases: Path) -> None:
        assert self.spans(self.found(cases, "away_back", "b")) == [(0, 1, 2, False), (1, 3, 1, True), (4, 1, 2, False)]

    def test_the_start_of_the_process_shows_a_restart_that_no_count_shows(self, cases: Path) -> None:
        gap, restarted, last = self.found(cases, "outrun_process")
        assert (gap.gap, self.spans([gap, restarted, last])) == (
            True,
            [(0, 5, 0, False), (5, 5, 1020, True), (10, 10, 1, False)],
        )
        assert restarted.waited == pytest.approx(1.2)

    def test_sums_that_are_no_numbers_cost_no_scrape(self, cases: Path) -> None:
        assert [one.events for one in self.found(cases, "nan_sum")] == [3, 2, 2]

    @pytest.mark.parametrize("form", ["text", "openmetrics"])
    def test_a_restart_between_scrapes_leaves_no_time_untold(self, shared: Path, form: str) -> None:
        text = (shared / "facts" / "prometheus-data" / "scrapes" / f"exporter_a_{form}.txt").read_text()
        for series in ("read", "write"):
            own = [one for one in measured(text) if one.series == series]
            assert all(one.end == other.start for one, other in pairwise(own))
            assert [(one.gap, one.reset) for one in own if one.gap or one.reset] == [(True, False), (False, True)]


class TestProcessStart:
    def page(self, at: int, count: int, started: int | None, labels: str = "", where: str = "") -> str:
        body = scrape({"1": count, "+Inf": count}, labels=labels, total=count / 10)
        start = "" if started is None else f"process_start_time_seconds{where} {started}\n"
        return f"# scraped at {1_700_000_000 + at}.5\n{body}{start}"

    def test_it_is_not_that_of_a_page_about_other_processes(self) -> None:
        """As a push gateway: what was pushed outlives it."""
        labels = 'job="batch",instance="a"'
        text = "".join(self.page(n, 10 + n, 1_600_000_000 + n, labels) for n in range(4))
        assert [(one.events, one.reset) for one in measured(text)] == [(1, False)] * 3

    def test_of_several_it_is_the_one_of_the_same_instance(self) -> None:
        labels = 'job="batch",instance="a"'
        text = "".join(self.page(n, 10 + 9 * n, 1_600_000_000 + (n > 1), labels, f"{{{labels}}}") for n in range(4))
        found = [(one.events, one.reset) for one in measured(text)]
        assert found == [(9, False), (28, True), (9, False)]

    def test_a_histogram_waits_for_it_though_the_source_pauses(self) -> None:
        pages = [self.page(0, 10, 1_600_000_000), self.page(1, 11, 1_600_000_000), self.page(2, 30, 1_700_000_002)]
        lines: list[Line | None] = []
        for page in pages:
            for text in page.splitlines():
                paused = [None] if text.startswith("process_start") else []
                lines += [*paused, Line(len(lines) + 1, text)]
            lines.append(None)
        events = list(PROMETHEUS.decode(lines, Report("page"), Known(live=True)))
        assert [one.start for one in records(events)] == [1_600_000_000_000_000] * 2 + [1_700_000_002_000_000]


def test_a_sum_that_stays_down_shows_a_restart_whatever_the_counts() -> None:
    """Two scrapes before and two after it cannot all be damaged."""
    sums = [50.0, 52.5, 1.2, 1.6, 2.0]
    counts = [(0, 200), (0, 800), (900, 1000), (1200, 1300), (1500, 1600)]
    text = "".join(
        f"# scraped at {1_700_000_000 + n}\n" + scrape({"0.01": low, "+Inf": high}, total=total)
        for n, ((low, high), total) in enumerate(zip(counts, sums, strict=True))
    )
    assert [(one.events, one.reset) for one in measured(text)] == [
        (600, False), (1000, True), (300, False), (300, False),
    ]  # fmt: skip


@pytest.mark.parametrize(("end", "last"), [("", 24), ("cut", 16)])
def test_the_last_scrape_of_a_source_without_sums_is_whole_with_its_count(end: str, last: int) -> None:
    """A count that does not fit its buckets is cut off."""
    without = [re.sub("(?m)^.*_sum.*\n", "", scrape({"0.1": number, "+Inf": 8 * number})) for number in (1, 2, 3)]
    text = "".join(without) if not end else "".join(without).removesuffix("24\n") + "2"
    records = [event for event in decode(text) if isinstance(event, Record)]
    assert records[-1].events == last
    assert len(records) == last // 8


@pytest.mark.parametrize(
    ("metric", "estimates", "said"),
    [
        ("io_seconds", ["0", "0", "0.5", "0.5", "0.75"], [False, True, False, True]),
        ("io_seconds", ["0", "", "0"], [True, False]),
        ("io_seconds", ["", ""], [False]),
        ("pylatencymap_latency_seconds", ["0", "0"], [False]),
        ("pylatencymap_latency_seconds", ["", ""], [True]),
    ],
)
def test_the_counter_beside_a_histogram_says_whether_its_sum_is_a_fact(
    metric: str, estimates: list[str], said: list[bool]
) -> None:
    text = "".join(
        f"# scraped at {1_700_000_000 + at}\n"
        + scrape({"0.1": 9 * at, "+Inf": 10 * at}, metric=metric, total=1.5 * at)
        + (f"{metric}_estimated_total{{}} {one}\n" if one else "")
        for at, one in enumerate(estimates)
    )
    assert [one.estimated for one in measured(text)] == said


def test_a_live_scrape_waits_for_the_counter_that_says_so() -> None:
    """A pause lies between a histogram and the counter of the same scrape."""
    lines: list[Line | None] = []
    for at in range(1, 4):
        page = scrape({"0.1": 9 * at, "+Inf": 10 * at}, total=1.5 * at) + f"io_seconds_estimated_total{{}} {at}\n"
        for text in page.splitlines():
            lines += [None] if "estimated" in text else []
            lines.append(Line(len(lines) + 1, text))
        lines.append(None)
    found = records(PROMETHEUS.decode(lines, Report("page"), Known(live=True)))
    assert [(one.events, "estimated" in one.flags) for one in found] == [(10, True), (20, True), (30, True)]

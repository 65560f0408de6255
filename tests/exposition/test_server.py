"""The page as scrapers get it: its forms, its refusals, its limits."""

from __future__ import annotations

import gzip
import http.client
import struct
from collections.abc import Iterator
from threading import Thread
from urllib.parse import urlsplit

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics_families
from prometheus_client.parser import text_string_to_metric_families as text_families

from pylatencymap import registry
from pylatencymap.collector import Known
from pylatencymap.errors import SourceError, UsageError
from pylatencymap.exposition import ClassicGrid, MetricsServer, ServedTotals, address_of, text_of
from pylatencymap.exposition.protobuf_form import is_accepted
from pylatencymap.interval import Interval
from pylatencymap.intervals.difference import to_intervals
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.stages import resolve_times
from pylatencymap.report import Report
from pylatencymap.text.lines import lines_of
from pylatencymap.units import Unit

METRIC = "rpc_latency_seconds"
NATIVE = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited"


def interval(series: str, *ranges: tuple[int, int | None, int], at: int = 1, **more: object) -> Interval:
    return Interval(series, Unit.US, at * 10**6, (at + 1) * 10**6, 1.0, ranges, **more)  # type: ignore[arg-type]


@pytest.fixture
def totals() -> ServedTotals:
    return ServedTotals(ClassicGrid(), 3)


@pytest.fixture
def server(totals: ServedTotals) -> Iterator[MetricsServer]:
    opened = MetricsServer(totals, METRIC, ("127.0.0.1", 0))
    try:
        yield opened
    finally:
        opened.close()


def asked(server: MetricsServer, path: str = "/metrics", method: str = "GET", **headers: str) -> tuple[int, bytes, str]:
    connection = http.client.HTTPConnection(urlsplit(server.address).netloc, timeout=30)
    try:
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.headers.get("Content-Type", "")
    finally:
        connection.close()


def test_before_the_first_interval_there_is_no_page(server: MetricsServer, totals: ServedTotals) -> None:
    assert asked(server)[0] == 503
    totals.add(interval("a"))
    assert asked(server)[0] == 200
    assert [asked(server, "/")[0], asked(server, method="POST")[0]] == [404, 405]


def test_text_and_openmetrics_say_the_same(server: MetricsServer, totals: ServedTotals) -> None:
    totals.add(interval('a"\\\n', (128, 256, 5), (1024, 2048, 2), waited=0.004, estimated=False))
    totals.add(interval('a"\\\n', (128, 256, 1), (8192, None, 1), at=2, waited=0.02, estimated=False))
    for accept, families in (
        ("text/plain;version=0.0.4", text_families),
        ("application/openmetrics-text;version=1.0.0", openmetrics_families),
    ):
        status, body, kind = asked(server, Accept=accept)
        assert (status, kind.split(";")[0]) == (200, accept.split(";")[0])
        samples = [one for family in families(body.decode()) for one in family.samples]
        mine = [one for one in samples if one.name.startswith(METRIC)]
        assert {one.labels["series"] for one in mine} == {'a"\\\n'}
        counts = {float(one.labels["le"]): one.value for one in mine if one.name.endswith("_bucket")}
        assert [counts[at] for at in (0.000128, 0.000256, 0.001024, 0.002048, float("inf"))] == [0, 6, 6, 8, 9]
        values = {one.name: one.value for one in mine if not one.name.endswith("_bucket")}
        assert values == {
            f"{METRIC}_count": 9, f"{METRIC}_sum": pytest.approx(0.024), f"{METRIC}_created": 1.0,
            f"{METRIC}_estimated_total": 0.0,
        }  # fmt: skip
        assert {one.name: one.value for one in samples}["pylatencymap_intervals_total"] == 2


def test_a_gap_counts_nothing_and_a_restart_of_the_source_takes_nothing_back(totals: ServedTotals) -> None:
    totals.add(interval("a", (128, 256, 5), waited=0.001, estimated=False))
    totals.add(interval("a", at=2, gap=True))
    totals.add(interval("a", (128, 256, 2), at=5, reset=True, waited=0.0003, estimated=False))
    found = totals.snapshot()
    assert (found.series[0].events, found.gaps, found.resets, found.intervals) == (7, 1, 1, 2)
    assert found.last == 6.0


def test_series_that_are_too_many_count_as_one(totals: ServedTotals) -> None:
    for number in range(20):
        totals.add(interval(f"s{number % 10}", (1, 2, 1), waited=1.5e-6))
    found = totals.snapshot()
    assert {one.name: one.events for one in found.series} == {"s0": 2, "s1": 2, "s2": 2, "other": 14}
    assert found.left_out == 7


def test_a_compressed_page_is_the_same(server: MetricsServer, totals: ServedTotals) -> None:
    totals.add(interval("a", (128, 256, 5)))
    assert gzip.decompress(asked(server, Accept_Encoding="gzip")[1]) == asked(server)[1]


def test_scrapers_do_not_disturb_each_other(server: MetricsServer, totals: ServedTotals) -> None:
    totals.add(interval("a", (128, 256, 5)))
    pages: list[tuple[int, bytes, str]] = []
    threads = [Thread(target=lambda: pages.append(asked(server, Accept=NATIVE))) for _ in range(12)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert {(status, body) for status, body, _ in pages} == {(200, asked(server, Accept=NATIVE)[1])}


@pytest.mark.parametrize(
    ("accept", "wanted"),
    [
        (f"{NATIVE},application/openmetrics-text;version=1.0.0;q=0.8,text/plain;version=0.0.4;q=0.5,*/*;q=0.1", True),
        (f"application/openmetrics-text;version=1.0.0,{NATIVE};q=0.5,text/plain;q=0.2", False),
        (NATIVE.replace("delimited", "text"), False),
        ("*/*", False),
        ("", False),
    ],
)
def test_the_form_that_a_scraper_wants_most(accept: str, wanted: bool) -> None:
    assert is_accepted(accept) is wanted


def fields(message: bytes) -> list[tuple[int, int | bytes | float]]:
    """The fields of a protobuf message: a second reading of the encoding."""
    found: list[tuple[int, int | bytes | float]] = []
    place = 0

    def number() -> int:
        nonlocal place
        value = shift = 0
        while True:
            byte = message[place]
            place += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while place < len(message):
        key = number()
        if key & 7 == 0:
            found.append((key >> 3, number()))
        elif key & 7 == 1:
            found.append((key >> 3, struct.unpack("<d", message[place : place + 8])[0]))
            place += 8
        else:
            size = number()
            found.append((key >> 3, message[place : place + size]))
            place += size
    return found


def test_the_native_form_holds_all_events(server: MetricsServer, totals: ServedTotals) -> None:
    totals.add(interval("a", (0, 1, 3), (128, 144, 7), (1024, 1152, 2), waited=0.0036, estimated=False))
    status, body, kind = asked(server, Accept=NATIVE)
    assert (status, kind.split(";")[0]) == (200, "application/vnd.google.protobuf")
    size = body[0] & 127 | (body[1] << 7)
    family = dict(fields(body[2 : 2 + size]))
    assert (family[1], family[3]) == (METRIC.encode(), 4)
    assert isinstance(family[4], bytes)
    metric = dict(fields(family[4]))
    assert isinstance(metric[7], bytes)
    histogram = fields(metric[7])
    single = dict(histogram)
    assert (single[1], single[2], single[7], single[5]) == (12, pytest.approx(0.0036), 3, 4), "schema 2 is 4 in zigzag"
    deltas = [value >> 1 ^ -(value & 1) for key, value in histogram if key == 13 and isinstance(value, int)]
    counts = [sum(deltas[: place + 1]) for place in range(len(deltas))]
    assert sum(counts) == 9
    assert len([key for key, _ in histogram if key == 3]) == len(ClassicGrid().bounds)


@pytest.mark.parametrize(
    ("ranges", "schema"),
    [
        (((5000, 5001, 3), (9000, 9032, 4)), 3),
        (((1024, 1088, 4),), 3),
        (((1024, 1152, 4),), 2),
        (((1024, 1280, 4),), 1),
        (((4096, 4097, 9), (1024, 2048, 4)), None),
        (((0, 5000, 4),), None),
    ],
)
def test_native_buckets_are_wider_than_the_ranges_of_the_source(
    totals: ServedTotals, ranges: tuple[tuple[int, int, int], ...], schema: int | None
) -> None:
    """Where none are, classic buckets, which meet the bounds of probes, stand alone."""
    totals.add(interval("a", *ranges))
    (one,) = totals.snapshot().series
    assert (None if one.native is None else one.native.schema) == schema
    if one.native is not None:
        widest = max(upper / lower for lower, upper, _ in ranges)
        assert 2 ** (2 ** -float(one.native.schema)) > widest
        assert sum(one.native.counts.values()) == one.events
        for index, count in one.native.counts.items():
            lower, upper = (2 ** (at / 2**one.native.schema) * 1e6 for at in (index - 1, index))
            most = sum(number for low, high, number in ranges if low < upper and lower < high)
            assert count <= most


def read_again(pages: list[str]) -> list[tuple[str, bool]]:
    """The series of each interval between scrapes, and whether its time waited is an estimate."""
    text = "".join(f"# scraped at {1_700_000_000 + at}\n{page}" for at, page in enumerate(pages))
    report = Report("pages")
    decoded = list(registry.load_collector("prometheus").decode(lines_of(text), report, Known()))
    found = list(to_intervals(resolve_times(decoded, TimeOptions(), report), report))
    return [(one.series, one.estimated) for one in found]


@pytest.mark.parametrize("accept", ["text/plain", "application/openmetrics-text"])
def test_a_sum_that_is_no_fact_comes_back_as_none(totals: ServedTotals, accept: str) -> None:
    """In each scrape the sum of ``exact`` is a fact; of ``mixed`` in every second one, of ``counts`` in none."""
    pages: list[str] = []
    for at in range(1, 7):
        for name, is_estimated in (("exact", False), ("mixed", at % 2 == 0), ("counts", True)):
            totals.add(interval(name, (1024, 2048, 4), at=at, waited=0.006, estimated=is_estimated))
        pages.append(text_of(totals.snapshot(), METRIC, totals.grid, accept)[0].decode())
    found = read_again(pages)
    assert [said for name, said in found if name == "exact"] == [False] * 5
    assert [said for name, said in found if name == "counts"] == [True] * 5
    assert [said for name, said in found if name == "mixed"] == [True, False, True, False, True]


@pytest.mark.parametrize("text", ["9464", "host:", "host:x", "host:70000", ""])
def test_an_address_is_a_host_and_a_port(text: str) -> None:
    with pytest.raises(UsageError, match="write HOST:PORT"):
        address_of(text)
    assert address_of("[::1]:9464") == ("::1", 9464)


def test_an_address_that_is_taken_is_an_error_that_says_so(server: MetricsServer, totals: ServedTotals) -> None:
    host, port = urlsplit(server.address).hostname, urlsplit(server.address).port
    with pytest.raises(SourceError, match="in use; --listen names another"):
        MetricsServer(totals, METRIC, (host or "", port or 0))


def test_the_last_bound_is_where_the_ranges_of_the_source_end() -> None:
    """With bounds above, whoever reads the page takes what is open for longer than all of them."""
    ranges = (0, 100, 50), (100, 200, 20), (1000, None, 5)
    wide, narrow = ServedTotals(ClassicGrid(), 3), ServedTotals(ClassicGrid(2, 1e-3), 3)
    assert wide.first_open() is None
    for one in (wide, narrow):
        one.add(interval("sda", *ranges[:2]))
        assert one.first_open() is None
        one.add(interval("sda", *ranges))
    assert wide.first_open() == ("sda", 1e-3)
    assert narrow.first_open() is None
    body, _ = text_of(narrow.snapshot(), METRIC, narrow.grid, "text/plain")
    (family,) = [one for one in text_families(body.decode()) if one.name == METRIC]
    counts = {one.labels["le"]: one.value for one in family.samples if "le" in one.labels}
    assert list(counts.items())[-3:] == [("0.000768", 140), ("0.001", 140), ("+Inf", 145)]


@pytest.mark.parametrize(("longest", "last"), [(134e6, 134.217728), (0.5, 0.5), (0.000256, 0.000256), (2e-6, 2e-6)])
def test_bounds_end_with_the_longest(longest: float, last: float) -> None:
    bounds = ClassicGrid(1, longest).bounds
    assert bounds[-1] == last
    assert bounds == sorted(set(bounds))
    assert set(bounds[:-1]) <= set(ClassicGrid().bounds)

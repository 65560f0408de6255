"""Exemplars: which of them are in a cell, and what a real server says of those that an exporter gave it."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.errors import SourceError
from pylatencymap.events import CellQuestion, EventsFound
from pylatencymap.prometheus import ApiClient, Exemplars, NamedSeries, RawReader, ServerAccess, parse_selector
from pylatencymap.report import Report
from pylatencymap.session.input import StopRequest

from .conftest import Script
from .test_round_trip import Server, wait_for

METRIC = "rpc_seconds"
T0 = 1_700_000_000


def told(*exemplars: tuple[str, float, float], **labels: str) -> dict[str, Any]:
    """The exemplars of a series as the server tells them: trace, seconds, moment."""
    return {
        "seriesLabels": {"__name__": f"{METRIC}_bucket", "le": "1", **labels},
        "exemplars": [
            {"labels": {"trace_id": trace}, "value": str(seconds), "timestamp": at} for trace, seconds, at in exemplars
        ],
    }


def answer(*series: dict[str, Any]) -> bytes:
    return json.dumps({"status": "success", "data": list(series)}).encode()


def asked(
    url: str, *, low: float = 0.0, high: float | None = None, series: tuple[str, ...] = ("a", "b")
) -> EventsFound:
    """What is found between T0 and a minute later. Operation ``other`` is not drawn."""
    selector = parse_selector(f'{METRIC}{{job="x"}}')
    assert selector is not None

    def series_of(key: Any) -> NamedSeries | None:
        name = dict(key.labels).get("op", "")
        assert key.metric == METRIC
        return None if name == "other" else NamedSeries(name, 1.0)

    found = Exemplars(ApiClient(ServerAccess(url)), selector, series_of, None)
    question = CellQuestion(T0 * 10**6, (T0 + 60) * 10**6, low, high, frozenset(series), frozenset(series))
    *_, last = found.read(question, StopRequest(), lambda *_: None)
    return last


def traces(found: EventsFound) -> set[str]:
    return {value.value for key in found.keys if key.name == "trace_id" for value in key.values}


def test_those_of_the_cell_are_found_with_their_traces(script: Script, url: str) -> None:
    script.answers = [
        (200, answer(
            told(("early", 0.5, T0), ("in", 0.5, T0 + 1.25), ("last", 0.6, T0 + 60), op="a"),
            told(("late", 0.5, T0 + 60.001), op="a"),
            told(("fast", 0.1, T0 + 2), ("slow", 0.75, T0 + 2), ("other series", 0.5, T0 + 2), op="b"),
            told(("hidden", 0.5, T0 + 2), op="other"),
        )),
    ]  # fmt: skip
    found = asked(url, low=0.25, high=0.75, series=("a",))
    assert (traces(found), found.seen, found.total.events) == ({"in", "last"}, 2, 2)
    assert found.total.waited == pytest.approx(1.1)
    assert [line.text.partition("  ")[2] for line in found.lines] == ["trace_id=last", "trace_id=in"]
    assert traces(asked(url)) == {"in", "last", "fast", "slow", "other series"}
    path, fields = script.asked[0][1:3]
    assert path == "/api/v1/query_exemplars"
    assert fields == {
        "query": f'{{__name__=~"{METRIC}(_bucket)?",job="x"}}', "start": f"{T0}.000", "end": f"{T0 + 60}.000"
    }  # fmt: skip


def test_a_server_that_keeps_none_is_said_to(script: Script, url: str) -> None:
    script.answers = [(200, answer())]
    found = asked(url)
    assert (found.seen, found.is_complete) == (0, True)
    assert "--enable-feature=exemplar-storage" in found.note


def test_what_is_no_latency_or_no_exemplar_is_passed_over(script: Script, url: str) -> None:
    odd = told(("in", 0.5, T0 + 1), ("nan", float("nan"), T0 + 1), ("below", -1.0, T0 + 1), op="a")
    odd["exemplars"] += [
        7,
        {},
        {"value": "1", "timestamp": "never"},
        {"labels": 3, "value": "0.5", "timestamp": T0 + 2},
    ]
    script.answers = [(200, answer(odd, {"seriesLabels": None}))]
    found = asked(url)
    assert (traces(found), found.seen) == ({"in"}, 2)


def test_a_refusal_is_an_error_that_says_what_to_do(script: Script, url: str) -> None:
    script.answers = [(404, b"not found")]
    with pytest.raises(SourceError, match="status 404"):
        asked(url)


@pytest.fixture
def exporter() -> Iterator[Any]:
    """A histogram of prometheus-client at a port of its own."""
    from prometheus_client import CollectorRegistry, Histogram, start_http_server

    registry = CollectorRegistry()
    made = Histogram(METRIC, "Times.", ["op"], registry=registry, buckets=(0.001, 0.01, 0.1, 1.0))
    server, thread = start_http_server(0, "127.0.0.1", registry)
    try:
        yield made, server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.heavy
@pytest.mark.skipif(shutil.which("prometheus") is None, reason="there is no prometheus here (Debian: prometheus)")
def test_a_real_server_tells_the_traces_that_the_exporter_observed(tmp_path: Path, exporter: Any) -> None:
    histogram, port = exporter
    server = Server(tmp_path, port, "--enable-feature=exemplar-storage")
    selector = parse_selector(METRIC)
    assert selector is not None
    truth: dict[str, float] = {}
    begin = time.time()
    try:
        client = ApiClient(ServerAccess(server.url))
        reader = RawReader(client, selector, Report("server"))
        exemplars = Exemplars(client, selector, reader.series_of, None)

        def observed() -> bool:
            """Goes on observing until each bucket of both series has an exemplar that is known."""
            for op in ("read", "write"):
                for seconds in (0.0005, 0.005, 0.05, 0.5):
                    trace = f"{op}-{seconds}-{len(truth)}"
                    truth[trace] = seconds * (1 + len(truth) % 7 / 100)
                    histogram.labels(op).observe(truth[trace], {"trace_id": trace})
            for _ in reader.span(begin - 60, time.time()):
                pass
            return len(found(0.0, None, ("read", "write"))) >= 8

        def found(low: float, high: float | None, series: tuple[str, ...]) -> set[str]:
            ends = round(begin * 1e6), round((time.time() + 60) * 1e6)
            question = CellQuestion(*ends, low, high, frozenset(series), frozenset(series))
            *_, last = exemplars.read(question, StopRequest(), lambda *_: None)
            for line in last.lines:
                assert line.waited == pytest.approx(truth[dict(line.keys)["trace_id"]], abs=1e-9)
            return {dict(line.keys)["trace_id"] for line in last.lines}

        wait_for("the server", lambda: server.asked("vector(1)"))
        wait_for("exemplars of all buckets", observed)
        slow = found(0.1, None, ("read",))
        assert slow
        assert all(trace.startswith("read-") and truth[trace] >= 0.1 for trace in slow)
    finally:
        server.stop()

"""``serve``, a real Prometheus that scrapes it, and ``collect prometheus`` that reads from there: counts are equal."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import PATIENCE, TICK, free_port

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(shutil.which("prometheus") is None, reason="there is no prometheus here (Debian: prometheus)"),
]
METRIC = "rpc_latency_seconds"
Ranges = tuple[tuple[int, int, int], ...]
PROGRAM = [sys.executable, "-m", "pylatencymap"]
RANGES = ((64, 128, 90), (128, 256, 7), (8192, 16384, 5), (1048576, 2097152, 1))
FINE = ((64, 72, 90), (128, 144, 7), (8192, 9216, 5), (1048576, 1179648, 1))
"""Those of a source that is fine enough for native histograms."""


def wait_for(what: str, look: Callable[[], Any]) -> Any:
    """What ``look`` returns, as soon as it is true: a state that lasts."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with suppress(OSError, IndexError, KeyError):  # not yet
            if found := look():
                return found
        time.sleep(TICK)
    raise AssertionError(f"{what} within {PATIENCE} s")


class Server:
    """A Prometheus that scrapes one address each second."""

    def __init__(self, folder: Path, target: int, *features: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        (folder / "prom.yml").write_text(
            "global: {scrape_interval: 1s}\nscrape_configs:\n- job_name: serve\n"
            f"  static_configs: [{{targets: ['127.0.0.1:{target}']}}]\n"
        )
        self._words = [
            "prometheus", f"--config.file={folder}/prom.yml", f"--storage.tsdb.path={folder}/data",
            f"--web.listen-address=127.0.0.1:{self.port}", *features,
        ]  # fmt: skip
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(self._words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE)

    def asked(self, expression: str) -> list[Any]:
        query = urllib.parse.urlencode({"query": expression})
        with urllib.request.urlopen(f"{self.url}/api/v1/query?{query}", timeout=PATIENCE) as answer:
            found = json.load(answer)["data"]["result"]
        assert isinstance(found, list)
        return found


class Source:
    """``serve --pipe`` with records that we write: each second's counts grow by these ranges. ``waited``: the time that
    they waited, if the records say it.
    """

    def __init__(self, ranges: Ranges, *, has_sums: bool) -> None:
        self.ranges = ranges
        self.waited = sum(count * lower * 1.1e-6 for lower, _, count in ranges) if has_sums else None
        self.port = free_port()
        self._process = subprocess.Popen(
            [*PROGRAM, "serve", "--pipe", "--listen", f"127.0.0.1:{self.port}", "--metric", METRIC, "--linger", "0"],
            stdin=subprocess.PIPE,
            text=True,
        )
        self.written = 0
        self._at = int(time.time()) - 1000

    def write(self, number: int) -> None:
        assert self._process.stdin is not None
        for _ in range(number):
            told = {"v": 1, "series": "db", "counts": "interval", "source": "bpf", "start": (self._at - 1) * 10**6,
                    "buckets": self.ranges}  # fmt: skip
            exact = json.dumps(told if self.waited is None else {**told, "time": self.waited})
            head = f"timestamp,microsec,{self._at}000000,x\nlabel,db\nlatencyunit,microsec\ndatasource,bpf\n"
            self._process.stdin.write(f"#lmap {exact}\n<begin record>\n{head}<end record>\n")
            self._at += 1
            self.written += 1
        self._process.stdin.flush()

    def stop(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(PATIENCE)


EVENTS = sum(count for *_, count in RANGES)


@pytest.fixture(params=["classic", "native", "no sums", "native, no sums"])
def source(request: pytest.FixtureRequest) -> Iterator[Source]:
    made = Source(FINE if "native" in request.param else RANGES, has_sums="no sums" not in request.param)
    try:
        yield made
    finally:
        made.stop()


@pytest.fixture
def server(tmp_path: Path, source: Source) -> Iterator[Server]:
    """It takes native histograms; what is too coarse for them comes as classic ones."""
    made = Server(tmp_path, source.port, "--enable-feature=native-histograms")
    made.count = f"histogram_count({METRIC})" if source.ranges is FINE else f"{METRIC}_count"  # type: ignore[attr-defined]
    try:
        yield made
    finally:
        made.stop()


def collected(server: Server) -> list[dict[str, Any]]:
    words = [*PROGRAM, "collect", "prometheus", "--url", server.url, METRIC, "--from", "-10m", "--until", "-0s"]
    ran = subprocess.run([*words, "--to", "jsonl"], capture_output=True, text=True, timeout=PATIENCE)
    assert ran.returncode == 0, ran.stderr
    assert "impossible" not in ran.stderr
    return [json.loads(line) for line in ran.stdout.splitlines()]


def test_every_event_that_a_scrape_could_tell_comes_back(server: Server, source: Source) -> None:
    def stored() -> float:
        return float(server.asked(server.count)[0]["value"][1])  # type: ignore[attr-defined]

    source.write(3)
    first = wait_for("the first scrape", stored)
    assert first == source.written * EVENTS
    for part in (1, 4, 2):
        source.write(part)
        wait_for("the next scrape", lambda: stored() == source.written * EVENTS)
    server.stop()
    source.write(5)
    server.start()
    wait_for("the server again", lambda: stored() == source.written * EVENTS)
    found = collected(server)
    assert sum(count for one in found for *_, count in one["counts"]) == (source.written - 3) * EVENTS
    if source.waited is None:
        assert all(one["estimated"] for one in found if one["counts"])
    else:
        waited = (source.written - 3) * source.waited
        assert sum(one["time"] or 0.0 for one in found) == pytest.approx(waited, rel=1e-9)
        assert not any(one["estimated"] for one in found if one["counts"])
    if server.count.endswith("_count"):  # type: ignore[attr-defined]
        rows: dict[int, int] = {}
        for one in found:
            for _, upper, count in one["counts"]:
                rows[upper] = rows.get(upper, 0) + count
        assert rows == {upper: (source.written - 3) * count for _, upper, count in RANGES}


DASHBOARD = Path(__file__).parents[2] / "examples" / "grafana-heatmap.json"


def panels() -> dict[str, str]:
    """The query of each panel of the dashboard by the first words of its title, with its variables filled in."""
    found = {}
    for panel in json.loads(DASHBOARD.read_text())["panels"]:
        query = panel["targets"][0]["expr"].replace("pylatencymap_latency_seconds", METRIC)
        for name, value in (("$instance", ".*"), ("$series", ".*"), ("$__rate_interval", "1m")):
            query = query.replace(name, value)
        assert "$" not in query
        found[panel["title"]] = query
    return found


@pytest.mark.parametrize("source", ["classic", "native"], indirect=True)
def test_the_dashboard_shows_classic_and_native_histograms(server: Server, source: Source) -> None:
    source.write(3)
    wait_for("the first scrape", lambda: server.asked(server.count))  # type: ignore[attr-defined]
    source.write(5)
    count = source.written * EVENTS
    wait_for("the last scrape", lambda: float(server.asked(server.count)[0]["value"][1]) == count)  # type: ignore[attr-defined]
    asked = {title: server.asked(query) for title, query in panels().items()}
    drawn = [title for title, found in asked.items() if found]
    kind = "native" if source.ranges is FINE else "classic"
    heat_map = f"Frequency: events per second by latency ({kind} histogram)"
    assert drawn == [heat_map, "Time waited per second", "Events per second"]
    (waited,), (events,) = asked["Time waited per second"], asked["Events per second"]
    assert waited["metric"] == events["metric"] == {"series": "db"}
    assert source.waited is not None
    average = float(waited["value"][1]) / float(events["value"][1])  # of two questions, asked one after the other
    assert average == pytest.approx(source.waited / EVENTS, rel=0.05)


@pytest.mark.parametrize("source", ["no sums"], indirect=True)
def test_promtool_accepts_the_text(source: Source) -> None:
    if shutil.which("promtool") is None:
        pytest.skip("there is no promtool here")
    source.write(3)

    def page() -> bytes:
        with urllib.request.urlopen(f"http://127.0.0.1:{source.port}/metrics", timeout=PATIENCE) as answer:
            return bytes(answer.read())

    text = wait_for("the page", page)
    assert re.search(rb'rpc_latency_seconds_count\{series="db"\} [0-9.]+', text)
    checked = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, timeout=PATIENCE)
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, b"", b"")

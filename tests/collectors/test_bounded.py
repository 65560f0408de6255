"""Decoders do not grow with a text that never ends, whatever it names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from pylatencymap.collector import NOTHING_KNOWN, Known
from pylatencymap.collectors import _bounded, _series
from pylatencymap.collectors._bounded import BoundedDict
from pylatencymap.collectors.biosnoop.decoder import HeaderTableDecoder
from pylatencymap.collectors.bpf import histogram as bpf_histogram
from pylatencymap.collectors.bpf.decoder import BpfDecoder
from pylatencymap.collectors.ioping.decoder import IopingDecoder
from pylatencymap.collectors.mysql import histograms as mysql_histograms
from pylatencymap.collectors.mysql.decoder import MysqlDecoder
from pylatencymap.collectors.oracle_trace import undated_waits
from pylatencymap.collectors.oracle_trace.decoder import OracleTraceDecoder
from pylatencymap.collectors.ping.decoder import PingDecoder
from pylatencymap.collectors.prometheus import histograms as prometheus_histograms
from pylatencymap.collectors.prometheus.decoder import PrometheusDecoder
from pylatencymap.errors import Refused
from pylatencymap.report import Report
from pylatencymap.text.lines import Line

MOST = 100
NAMES = 1_500
"""More than ten times as many."""


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_bounded, "MOST_SERIES", MOST)
    for module, name in (
        (_series, "MAX_SERIES"),
        (undated_waits, "MOST_WAITING"),
        (mysql_histograms, "MOST_ROWS"),
        (prometheus_histograms, "MOST_BUCKETS"),
        (bpf_histogram, "MOST_ROWS"),
    ):
        monkeypatch.setattr(module, name, MOST)


def test_it_forgets_all_before_it_holds_too_much() -> None:
    one: BoundedDict[int, int] = BoundedDict()
    for number in range(MOST):
        assert one.setdefault(number, 2 * number) == 2 * number
    one[0] = 7
    assert (len(one), one[0]) == (MOST, 7)
    one.update([(MOST, 1), (MOST + 1, 2)])
    assert one == {MOST: 1, MOST + 1: 2}


def sizes(thing: Any, seen: set[int]) -> Iterator[int]:
    """The sizes of all containers in the attributes of an object."""
    if id(thing) in seen:
        return
    seen.add(id(thing))
    inner: list[Any] = []
    if isinstance(thing, dict):
        yield len(thing)
        inner = [*thing.values()][:3]
    elif isinstance(thing, list | set):
        yield len(thing)
        inner = [*thing][:3]
    elif type(thing).__module__.startswith("pylatencymap"):
        inner = list(getattr(thing, "__dict__", {}).values())
    for one in inner:
        yield from sizes(one, seen)


def comments(number: int) -> list[str]:
    kind = ("gauge", "histogram", "counter")[number % 3]
    return [f"# TYPE m{number} {kind}", f"# UNIT m{number} seconds", f"# HELP m{number} x"]


TEXTS: dict[str, tuple[Callable[[Report, Known], Any], Callable[[int], list[str]]]] = {
    "comments of Prometheus": (PrometheusDecoder, comments),
    "buckets of Prometheus": (PrometheusDecoder, lambda n: [f'a_seconds_bucket{{le="{n}"}} {n}']),
    "rows of MySQL": (MysqlDecoder, lambda n: ["TIME\tCOUNT\tTOTAL"] * (n == 0) + [f"{n + 1}.0\t5\t1.0"]),
    "rows of bcc": (
        BpfDecoder,
        lambda n: (
            ["     usecs               : count     distribution"] * (n == 0)
            + [f"{2 * n:>10} -> {2 * n + 1:<10} : 7        |*****|"]
        ),
    ),
    "hosts of ping": (
        lambda report, _: PingDecoder(report),
        lambda n: [f"64 bytes from h{n}: icmp_seq=1 ttl=64 time=0.5 ms"],
    ),
    "targets of ioping": (
        lambda report, _: IopingDecoder(report),
        lambda n: [f"4 KiB <<< d{n} (ext4 /dev/x 1 GiB): request=2 time=50.1 us"],
    ),
    "waits of Oracle": (OracleTraceDecoder, lambda n: [f"WAIT #1: nam='w {n}' ela= 5 p1=1 obj#=1 tim={n}000"]),
    "disks of biosnoop": (
        HeaderTableDecoder,
        lambda n: (
            ["TIME(s)     COMM           PID    DISK    T SECTOR     BYTES  LAT(ms)"] * (n == 0)
            + [f"{n}.000000    dd   17     d{n}     R 1   4096    0.31"]
        ),
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_decoders_stay_small(name: str) -> None:
    made, text = TEXTS[name]
    decoder = made(Report("text"), NOTHING_KNOWN)
    largest: list[int] = []

    def lines() -> Iterator[Line | None]:
        count = 0
        for number in range(NAMES):
            for one in text(number):
                count += 1
                yield Line(count, one)
        largest.append(max(sizes(decoder, set())))

    with suppress(Refused):  # some of these texts hold no latency
        for _ in decoder.events(lines()):
            pass
    assert largest
    assert largest[0] <= 2 * MOST

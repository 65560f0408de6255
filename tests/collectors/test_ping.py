"""ping, fping and ioping: every reply and request, of hosts and targets; what has no latency is told."""

from pathlib import Path

import pytest

from pylatencymap import registry
from pylatencymap.collector import Collector
from pylatencymap.errors import Refused
from pylatencymap.record import Clock, Sample
from pylatencymap.report import Report
from pylatencymap.text.lines import Line, lines_of
from pylatencymap.units import Unit

PING, IOPING = registry.load_collector("ping"), registry.load_collector("ioping")
SAMPLES = Path(__file__).parent / "samples"
SECOND = 1_000_000
DAY = 86_400 * SECOND


def samples(collector: Collector, text: str, report: Report | None = None) -> list[Sample]:
    found = collector.decode(lines_of(text), report or Report("t"))
    return [event for event in found if isinstance(event, Sample)]


def sample_of(name: str) -> tuple[list[Sample], list[str], Report]:
    """Samples of a file, and what was said."""
    said: list[str] = []
    report = Report("t", say=said.append)
    collector = PING if name.startswith("ping/") else IOPING
    return samples(collector, (SAMPLES / f"{name}.txt").read_text(), report), said, report


def test_replies_with_times_end_at_them() -> None:
    found, said, report = sample_of("ping/stamped")
    begin = 1_795_248_752 * SECOND
    assert [(one.series, one.latency, one.micros - begin) for one in found] == [
        ("db1.example", 22, 488_076),
        ("db1.example", 12_300, 1_488_657),
        ("db1.example", 12_400, 1_488_699),
        ("db1.example", 1_001_000, 3_490_000),
    ]
    assert {(one.unit, one.clock) for one in found} == {(Unit.US, Clock.EPOCH)}
    assert len(said) == 1
    assert "1 requests were not answered" in said[0]
    assert report.bad_count == 0


def test_replies_without_times_are_counted_by_their_numbers() -> None:
    found, said, _ = sample_of("ping/unstamped-two-runs")
    assert [(one.series, one.latency, one.micros // SECOND) for one in found] == [
        ("::1", 47, 1),
        ("::1", 63, 3),
        ("127.0.0.1", 43, 0),
        ("127.0.0.1", 91, 2),
        ("::1", 50, 4),
        ("::1", 51, 5),
    ]
    assert {one.clock for one in found} == {Clock.COUNTED}
    assert len(said) == 2
    assert "ping -D" in said[0]
    assert "2 requests were not answered" in said[1]


def test_numbers_go_on_after_the_largest_and_late_replies_stay_in_place() -> None:
    text = "".join(f"64 bytes from a: icmp_seq={number} ttl=64 time=1.00 ms\n" for number in (65535, 65534, 0, 1))
    assert [one.micros // SECOND for one in samples(PING, text)] == [65535, 65534, 65536, 65537]


@pytest.mark.parametrize("damaged", [1, 0, 40_000, 9_999_999_999])
def test_a_damaged_number_moves_its_own_reply_only(damaged: int) -> None:
    numbers = [*range(1, 37), damaged, *range(38, 41)]
    text = "".join(f"64 bytes from a: icmp_seq={number} ttl=64 time=1.00 ms\n" for number in numbers)
    found = [one.micros // SECOND for one in samples(PING, text)]
    assert found[:36] + found[37:] == [*range(1, 37), *range(38, 41)]


def test_fping_and_windows() -> None:
    found, said, _ = sample_of("ping/fping")
    assert [(one.series, one.latency) for one in found] == [("127.0.0.1", 66), ("::1", 120_000), ("127.0.0.1", 55)]
    assert [one.micros % SECOND for one in found] == [670_260, 680_420, 870_460]
    assert "1 requests were not answered" in said[0]
    found, said, _ = sample_of("ping/windows")
    assert [(one.series, one.unit, one.latency, one.micros // SECOND) for one in found] == [
        ("192.0.2.7", Unit.MS, 12, 1),
        ("192.0.2.7", Unit.MS, 0, 2),
        ("192.0.2.7", Unit.MS, 130, 3),
    ]


def test_replies_without_a_latency_are_refused_and_damaged_ones_counted() -> None:
    with pytest.raises(Refused, match="no reply with a time; what would work is ping -D HOST, with 16 bytes"):
        sample_of("ping/too-small-refused")
    report = Report("t")
    text = "64 bytes from a: icmp_seq=1 ttl=64 time=1.00 ms\n64 bytes from a: icmp_seq=2 ttl=64 time=1.0"
    assert len(samples(PING, text, report)) == 1
    assert report.bad_count == 1


def test_a_damaged_decimal_makes_no_series_in_another_unit() -> None:
    text = "".join(
        f"64 bytes from a: icmp_seq={n} ttl=64 time={ms} ms\n" for n, ms in enumerate(["0.2250", "0.03", "7"])
    )
    assert [(one.unit, one.latency) for one in samples(PING, text)] == [(Unit.US, 225), (Unit.US, 30), (Unit.US, 7000)]


def test_ioping_has_a_unit_in_each_line_and_leaves_the_warmup_out() -> None:
    found, said, report = sample_of("ioping/units")
    assert [(one.series, one.latency, one.micros // SECOND) for one in found] == [
        ("/data/vda.dat,read", 155_900, 2),
        ("/data/vda.dat,write", 1_070_000_000, 3),
        ("/data/vda.dat,read", 983, 4),
        ("/data/vda.dat,read", 72_000_000_000, 6),
    ]
    assert {(one.unit, one.clock) for one in found} == {(Unit.NS, Clock.COUNTED)}
    assert len(said) == 2
    assert "ioping -I" in said[0]
    assert "1 warm-up requests are left out" in said[1]
    assert report.bad_count == 0


def test_ioping_with_times_and_of_old_releases() -> None:
    found, said, _ = sample_of("ioping/times")
    assert [(one.series, one.latency, one.micros, one.clock) for one in found] == [
        ("/dev/sd b,read", 9_310_000, DAY - SECOND, Clock.DAY),
        ("/dev/sd b,read", 11_500_000, DAY - SECOND, Clock.DAY),
        ("/dev/sd b,read", 21_500_000, 0, Clock.DAY),
    ]
    assert not said
    found, _, _ = sample_of("ioping/old")
    assert [(one.series, one.latency) for one in found] == [(".,read", 200_000), (".,read", 12_700_000)]


def test_a_live_first_request_counts_at_once() -> None:
    line = Line(1, "4 KiB <<< . (ext4 /dev/vda 1 GiB): request=1 time=2.00 us", 7.0)
    found = [event for event in IOPING.decode([line, None], Report("t")) if isinstance(event, Sample)]
    assert [one.latency for one in found] == [2000]


@pytest.mark.parametrize("text", ["4 KiB <<< . (ext4 /dev/vda 1 GiB): request=1 time=2.00 us (warmup)\n", "nothing\n"])
def test_ioping_without_requests_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="what would work is ioping -I TARGET"):
        samples(IOPING, text)


@pytest.mark.parametrize("name", ["ping-localhost", "ping-localhost-D", "ioping-vda-file"])
def test_captures_are_read_whole(name: str, shared: Path) -> None:
    """Against the summaries that the tools themselves print: count, and least, mean and largest latency."""
    text = (shared / f"data/captures/{name}.txt").read_text()
    report = Report(name)
    found = samples(PING if name.startswith("ping") else IOPING, text, report)
    micros = [one.latency * one.unit.seconds * 1e6 for one in found]
    least, mean, largest = {
        "ping-localhost": (28, 37, 250),
        "ping-localhost-D": (22, 35, 46),
        "ioping-vda-file": (53.6, 375.5, 10_800),
    }[name]
    assert len(found) == (59 if name.startswith("ioping") else 100)
    assert min(micros) == pytest.approx(least)
    assert max(micros) == pytest.approx(largest)
    assert sum(micros) / len(micros) == pytest.approx(mean, rel=0.03)
    assert report.bad_count == 0

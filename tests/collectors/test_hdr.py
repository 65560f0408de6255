"""The hdr collector, on histograms that are packed here by the letter of the encoding."""

import zlib
from base64 import b64decode, b64encode
from collections import Counter
from decimal import Decimal
from pathlib import Path
from struct import pack

import pytest
from hypothesis import given, strategies as st

from pylatencymap import registry
from pylatencymap.collector import Known
from pylatencymap.collectors.hdr.encoding import MAX_BYTES, decoded
from pylatencymap.errors import Refused
from pylatencymap.record import Clock, Event, Range, Record, Semantics, Stamp
from pylatencymap.report import Report
from pylatencymap.text.lines import Line, lines_of
from pylatencymap.units import Unit

HDR = registry.load_collector("hdr")
LEGEND = '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"'


def zigzag(number: int) -> bytes:
    value = (number << 1) ^ (number >> 63)
    out = bytearray()
    while value >= 0x80 and len(out) < 8:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def packed(
    counts: list[int], *, version: int = 2, word: int = 8, digits: int = 2, lowest: int = 1, ratio: float = 1.0
) -> str:
    """A histogram whose counts begin with those; V2 writes runs of zeros as their number below 0."""
    if version == 2:
        payload, zeros = b"", 0
        for count in [*counts, -1]:
            if count == 0:
                zeros += 1
                continue
            payload += zigzag(-zeros) if zeros > 1 else zigzag(0) * zeros
            payload += zigzag(count) if count > 0 else b""
            zeros = 0
        word = 1
    else:
        payload = pack(f">{len(counts)}{ {2: 'h', 4: 'i', 8: 'q'}[word] }", *counts)
    plain, compressed = {0: (0x1C849308, 0x1C849309), 1: (0x1C849301, 0x1C849302), 2: (0x1C849303, 0x1C849304)}[version]
    if version == 0:
        header = pack(">Iiqqq", plain | word << 4, digits, lowest, 1 << 40, sum(counts))
    else:
        header = pack(">Iiiiqqd", plain | word << 4, len(payload), 0, digits, lowest, 1 << 40, ratio)
    body = zlib.compress(header + payload)
    return b64encode(pack(">Ii", compressed | word << 4, len(body)) + body).decode()


def slots_of(counts: list[int], digits: int = 2, lowest: int = 1) -> tuple[Range, ...]:
    """The ranges by walking through the values: half a bucket array, then twice as wide."""
    size = 1
    while size < 2 * 10**digits:
        size *= 2
    width = 1
    while width * 2 <= lowest:
        width *= 2
    found: list[Range] = []
    value, left = 0, size
    for count in counts:
        if left == 0:
            width, left = width * 2, size // 2
        if count:
            found.append((value, value + width, count))
        value, left = value + width, left - 1
    return tuple(found)


def decode(text: str, report: Report | None = None, known: Known | None = None) -> list[Event]:
    return list(HDR.decode(lines_of(text), report or Report("log"), known or Known()))


def records(text: str, known: Known | None = None) -> list[Record]:
    return [event for event in decode(text, known=known) if isinstance(event, Record)]


def interval(start: float, length: float, longest: float = 0.1, tag: str = "", counts: list[int] | None = None) -> str:
    return f"{f'Tag={tag},' if tag else ''}{start:.3f},{length:.3f},{longest:.3f},{packed(counts or [0] * 99 + [3])}\n"


class TestEncoding:
    @pytest.mark.parametrize(("version", "word"), [(0, 2), (0, 4), (0, 8), (1, 2), (1, 4), (1, 8), (2, 1)])
    @pytest.mark.parametrize("digits", [0, 1, 2, 3])
    @pytest.mark.parametrize("lowest", [1, 3, 1000])
    def test_values_by_version_word_precision_and_unit(self, version: int, word: int, digits: int, lowest: int) -> None:
        counts = [5, 0, 0, 1, 0, 7] + [0] * 300 + [2, 0, 32767] + [0] * 40 + [1]
        counts = counts[: 50 if digits == 0 else None]  # with 2 sub-buckets each count is a bucket of its own
        text = packed(counts, version=version, word=word, digits=digits, lowest=lowest)
        assert decoded(text) == slots_of(counts, digits, lowest)

    @given(st.lists(st.one_of(st.just(0), st.integers(0, 1 << 62)), max_size=60), st.integers(1, 5))
    def test_what_is_packed_is_what_is_read(self, counts: list[int], digits: int) -> None:
        assert decoded(packed(counts, digits=digits)) == slots_of(counts, digits)

    def test_cookies_are_those_of_the_format(self) -> None:
        heads = [(2, 8, "HISTFA"), (1, 2, "HISTIg"), (1, 8, "HISTgg"), (0, 8, "HISTiQ")]
        assert all(packed([1], version=version, word=word).startswith(head) for version, word, head in heads)

    def test_a_double_histogram_counts_in_its_ratio(self) -> None:
        double = pack(">Iiq", 0x0C72124F, 2, 1000) + b64decode(packed([0, 0, 4], ratio=0.25))
        assert decoded(b64encode(double).decode()) == ((0.5, 0.75, 4),)

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("HISTFAAA", "cut off"),
            ("????", "ase64"),
            (packed([1] * 50)[:-8], "bytes and not"),
            (b64encode(b"\x1c\x84\x93\x14\0\0\0\x04abcd").decode(), "damaged"),
            (b64encode(pack(">Ii", 0x1C849314, 100) + b"x" * 100).decode(), "damaged"),
            (packed([1], lowest=0), "significant digits from 0"),
            (packed([1], digits=9), "9 significant digits"),
            (packed([1], ratio=float("nan")), "ratio"),
            (packed([0] * 9000 + [1]), "2^64"),
            (packed([-1], version=1, word=4), "below 0"),
        ],
    )
    def test_what_is_damaged_is_no_histogram(self, text: str, why: str) -> None:
        with pytest.raises(ValueError, match=why.replace("^", r"\^")):
            decoded(text)

    def test_a_small_text_cannot_become_large(self) -> None:
        body = zlib.compress(bytes(MAX_BYTES + 1))
        with pytest.raises(ValueError, match="longer than"):
            decoded(b64encode(pack(">Ii", 0x1C849314, len(body)) + body).decode())


class TestTimes:
    def times(self, header: str, *starts: float) -> list[tuple[int | None, Stamp | None]]:
        text = header + "".join(interval(start, 1.0) for start in starts)
        return [(record.start, record.stamp) for record in records(text)]

    def test_relative_to_the_start_time(self) -> None:
        found = self.times("#[StartTime: 1441812279.474 (seconds since epoch), Wed Sep 09]\n", 0.127, 1.127)
        assert found == [
            (1441812279_601_000, Stamp(1441812280_601_000)),
            (1441812280_601_000, Stamp(1441812281_601_000)),
        ]

    def test_absolute_where_within_a_year_of_it(self) -> None:
        found = self.times("#[StartTime: 1441812279.474 (seconds since epoch)]\n", 1441812280.5)
        assert found == [(1441812280_500_000, Stamp(1441812281_500_000))]

    def test_the_base_time_overrules(self) -> None:
        header = "#[BaseTime: 1441812000.000 (seconds since epoch)]\n#[StartTime: 1441812279.474 (seconds)]\n"
        assert self.times(header, 2.0)[0][1] == Stamp(1441812003_000_000)

    def test_without_headers_absolute_times_are_real_and_small_ones_are_free(self) -> None:
        assert self.times("", 1441812280.5)[0][1] == Stamp(1441812281_500_000, Clock.EPOCH)
        assert self.times("", 0.5)[0][1] == Stamp(1_500_000, Clock.FREE)

    def test_the_second_column_is_a_length_whatever_its_title(self) -> None:
        text = '"StartTimestamp","EndTimestamp","Interval_Max","X"\n' + interval(1441812280.5, 2.0)
        assert records(text)[0].stamp == Stamp(1441812282_500_000)


class TestSeriesAndUnits:
    def test_each_tag_is_a_series_and_one_print_has_one_moment(self) -> None:
        text = interval(1e9, 1.001) + interval(1e9, 1.0, tag="A") + interval(1e9 + 1, 1.0, tag="A\x1b[1m")
        found = records(text)
        assert [record.series for record in found] == ["all", "A", r"A\x1b[1m"]
        assert found[0].stamp == found[1].stamp != found[2].stamp
        assert all(record.semantics is Semantics.INTERVAL for record in found)

    @pytest.mark.parametrize(
        ("header", "longest", "unit"),
        [
            ("", 0.1, Unit.US),  # 100 as 0.1 ms
            ("", 0.0001, Unit.NS),
            ("", 100, Unit.MS),
            ("", 0, Unit.NS),
            ("#[MaxValueDivisor: 1000.0]\n", 0.0001, Unit.US),
            ("#[MaxValueDivisor: 1000000.0]\n", 0.1, Unit.NS),
            ("#read latency, microseconds\n", 0.0001, Unit.US),
            ("# read latency (ms), every 1000 us\n", 0.0001, Unit.MS),
            ("# every 100 ms\n", 0.1, Unit.US),
        ],
    )
    def test_the_unit_by_comments_and_by_the_largest_value(self, header: str, longest: float, unit: Unit) -> None:
        text = header + f"1.0,1.0,{Decimal(longest):.6f},{packed([0] * 99 + [3])}\n"
        (record,) = records(text)
        assert record.unit is unit
        assert record.ranges == ((99, 100, 3),)

    @pytest.mark.parametrize(("longest", "counts"), [("1e-320", [0] * 99 + [3]), ("0.1", [3])])
    def test_a_largest_value_that_cannot_be_shows_no_unit(self, longest: str, counts: list[int]) -> None:
        (record,) = records(f"1.0,1.0,{longest},{packed(counts)}\n")
        assert record.unit is Unit.NS

    def test_the_users_unit_counts_most(self) -> None:
        text = "#microseconds\n" + interval(1.0, 1.0)
        assert records(text, Known(unit=Unit.MS))[0].unit is Unit.MS

    def test_a_guess_is_told_once_with_the_option(self) -> None:
        told: list[str] = []
        decode(interval(1.0, 1.0) * 3, Report("log", say=told.append))
        assert len(told) == 1
        assert "--unit" in told[0]

    def test_intervals_without_values_wait_for_the_unit(self) -> None:
        empty, full = f"1.0,1.0,0.000,{packed([0])}", interval(2.0, 1.0).rstrip()
        found = list(HDR.decode([Line(1, empty), Line(2, full), None], Report("log")))
        assert [(event.line, event.unit) for event in found if isinstance(event, Record)] == [
            (1, Unit.US),
            (2, Unit.US),
        ]

    def test_too_many_tags_are_summed_as_other(self) -> None:
        row = interval(1.0, 1.0).rstrip()
        text = "".join(f"Tag=t{number},{row}\n" for number in range(5003))
        found = records(text)
        assert [record.series for record in found].count("other") == 3
        assert len({record.series for record in found}) == 5001


class TestBadInput:
    def test_a_damaged_interval_costs_only_itself(self) -> None:
        told: list[str] = []
        text = LEGEND + "\n" + interval(1.0, 1.0) + "2.0,1.0,0.1,HISTFAAA\n" + "Tag=A,x\n" + interval(3.0, 1.0)
        report = Report("log", say=told.append)
        assert len(decode(text, report)) == 2
        assert report.bad_count == 2
        assert [message.split(":")[1] for message in told if "--unit" not in message] == ["3", "4"]

    @pytest.mark.parametrize(
        "text",
        [
            "       Value   Percentile   TotalCount 1/(1-Percentile)\n\n       0.921     0.000000            1  1.00\n",
            "  50.000%  1.2ms\n#[Mean    =        0.5, StdDeviation   =    0.1]\n",
        ],
    )
    def test_percentile_distributions_are_refused(self, text: str) -> None:
        assert HDR.detect(text).value >= 0.9
        with pytest.raises(Refused, match=r"log:\d: a percentile distribution .* what would work is the interval log"):
            decode(text)


def test_the_capture_holds_what_its_histograms_hold(shared: Path) -> None:
    """Against a second reading of the histograms: the truth's reads and seconds are those of the wave."""
    text = (shared / "data" / "captures" / "hdr-disk-read.hlog").read_text()
    found = records(text)
    assert len(found) == text.count(",HISTFA")
    assert {record.unit for record in found} == {Unit.US}
    base = Decimal("1795249485.230000")
    for record, line in zip(found, [line for line in text.splitlines() if ",HISTFA" in line], strict=True):
        start, length, _, body = line.split(",")
        begins = int((base + Decimal(start)) * 10**6)
        assert (record.start, record.stamp) == (begins, Stamp(begins + int(Decimal(length) * 10**6)))
        assert record.ranges == read_again(body)
    rows = (shared / "data" / "captures" / "w8.truth.csv").read_text().splitlines()[1:]
    truth = [sum(int(row.split(",")[place]) for row in rows) for place in range(1, 5)]
    classes = Counter(
        sum(lower >= limit for limit in (1000, 8000, 16384))
        for record in found
        for lower, _, count in record.ranges
        for _ in range(int(count))
    )
    assert [classes[place] for place in range(4)] == truth


def read_again(text: str) -> tuple[Range, ...]:
    """A V2 histogram read by other means: its counts are collected first, then laid out."""
    plain = zlib.decompress(b64decode(text)[8:])
    counts: list[int] = []
    bits, shift = 0, 0
    for byte in plain[40:]:
        bits |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            number = bits // 2 if bits % 2 == 0 else -(bits + 1) // 2
            counts += [number] if number > 0 else [0] * max(1, -number)
            bits = shift = 0
    return slots_of(counts, digits=int.from_bytes(plain[12:16], "big"), lowest=int.from_bytes(plain[16:24], "big"))

"""The systemtap collector, form by form; the histograms are printed here as stat-common.c of SystemTap prints them."""

import re
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from pylatencymap import registry
from pylatencymap.collector import NOTHING_KNOWN, Known
from pylatencymap.errors import Refused
from pylatencymap.record import Clock, Event, Record, Semantics, Tick
from pylatencymap.report import Report
from pylatencymap.text.lines import lines_of
from pylatencymap.units import Unit

STAP = registry.load_collector("systemtap")
US = Known(Unit.US)


def histogram(*rows: tuple[object, int] | str) -> str:
    """A heading, rows, and the blank line that ends them; a string stands for rows left out."""
    text = "  value |" + "-" * 50 + " count\n"
    for row in rows:
        text += "        ~\n" if isinstance(row, str) else f"{row[0]!s:>7} |{'@@':<50} {row[1]:>5}\n"
    return text + "\n"


ONE = histogram((32, 0), (64, 0), (128, 7), (256, 0), (512, 0))


def decode(text: str, report: Report | None = None, known: Known = US) -> list[Event]:
    return list(STAP.decode(lines_of(text), report or Report("text"), known))


def records(text: str, report: Report | None = None, known: Known = US) -> list[Record]:
    return [event for event in decode(text, report, known) if isinstance(event, Record)]


class TestRows:
    def test_hist_log_has_lower_bounds(self) -> None:
        (record,) = records(histogram((0, 3), (1, 2), (2, 0), (4, 0), "~", (64, 0), (128, 0), (256, 5), (512, 0)))
        assert record.ranges == ((0, 1, 3), (1, 2, 2), (256, 512, 5))
        assert record.semantics is Semantics.OPEN
        assert (record.source, record.label, record.series) == ("systemtap", "SystemTap", "all")

    def test_hist_linear_with_rows_left_out(self) -> None:
        (record,) = records(histogram((10, 4), (20, 0), (30, 0), "~", (90, 0), (100, 5)))
        assert record.ranges == ((10, 20, 4), (100, 110, 5))

    def test_the_overflow_row_begins_where_the_last_row_ends(self) -> None:
        (record,) = records(histogram(("<10", 1), (10, 4), (20, 0), "~", (90, 0), (100, 5), (">100", 6)))
        assert record.ranges == ((0, 10, 1), (10, 20, 4), (100, 110, 5), (110, None, 6))

    def test_linear_from_powers_of_two(self) -> None:
        assert records(histogram((0, 1), (1, 2), (2, 3), (3, 4), (4, 0)))[0].ranges[-1] == (3, 4, 4)
        assert records(histogram((0, 1), (2, 2), (4, 0)))[0].ranges == ((0, 2, 1), (2, 4, 2))
        assert records(histogram((256, 1), (512, 2), (768, 0)))[0].ranges == ((256, 512, 1), (512, 768, 2))
        assert records(histogram((256, 1), (512, 2), (1024, 0)))[0].ranges == ((256, 512, 1), (512, 1024, 2))

    def test_without_any_empty_rows(self) -> None:
        """-DHIST_ELISION=0 leaves out all of them."""
        assert records(histogram("~", (64, 3), "~", (4096, 1)))[0].ranges == ((64, 128, 3), (4096, 8192, 1))
        assert records(histogram("~", (60, 3), (80, 4), "~", (400, 1)))[0].ranges[-1] == (400, 420, 1)

    def test_labels_that_tell_no_width(self) -> None:
        told: list[str] = []
        text = histogram("~", (60, 3), "~", (400, 1)) + histogram((60, 1), (80, 1), (90, 1)) + ONE
        assert [record.events for record in records(text, Report("text", say=told.append))] == [7]
        assert [message.split(":")[1] for message in told] == ["1", "7"]
        assert "neither powers of two nor one width" in told[0]

    def test_events_below_0_are_told_and_not_drawn(self) -> None:
        told: list[str] = []
        report = Report("text", say=told.append)
        assert records(histogram((-2, 3), (-1, 2), (0, 5), (1, 0)), report)[0].ranges == ((0, 1, 5),)
        assert records(histogram(("<-10", 3), (-10, 2), (0, 5), (10, 0)), report)[0].ranges == ((0, 10, 5),)
        assert [re.search(r"\d+ events", message)[0] for message in told] == ["5 events", "5 events"]  # type: ignore[index]

    @given(st.dictionaries(st.integers(0, 62), st.integers(1, 10**15), min_size=1), st.integers(0, 4))
    def test_what_the_runtime_prints_is_what_is_read(self, counts: dict[int, int], kept: int) -> None:
        low, high = max(min(counts) - 2, 0), min(max(counts) + 2, 62)
        rows: list[tuple[object, int] | str] = []
        for power in range(low, high + 1):
            near = range(max(low, power - kept), min(high, power + kept) + 1)
            if any(place in counts for place in near):
                rows.append((1 << power, counts.get(power, 0)))
            elif not rows or rows[-1] != "~":
                rows.append("~")
        expected = tuple((1 << power, 2 << power, counts[power]) for power in sorted(counts))
        assert records(histogram(*rows))[0].ranges == expected

    def test_a_text_that_ends_within_rows(self) -> None:
        report = Report("text")
        assert records(ONE.rpartition("    256")[0].rstrip("\n"), report) == []
        assert records(ONE.rpartition("    256")[0], report)[0].events == 7
        assert records(ONE.rstrip(), report)[0].events == 7
        assert report.bad_count == 1


class TestSeries:
    @pytest.mark.parametrize(
        ("above", "series"),
        [
            ("", "all"),
            ("sda\n", "sda"),
            ("sda:\n", "sda"),
            ("--- pid 4711 (bash) ---\n\n", "pid 4711 (bash)"),
            ("read latency us\n", "read latency us"),
            ("Tracing block I/O... Hit Ctrl-C to end.\n", "all"),
            ("sda\navg=17 count=4\n", "sda"),
            ("10:00:00\n", "all"),
            ("  \x1b[31mred\n", r"\x1b[31mred"),
        ],
    )
    def test_the_line_above_names_it(self, above: str, series: str) -> None:
        assert records(above + ONE)[0].series == series

    def test_a_name_is_for_the_next_histogram_only(self) -> None:
        assert [record.series for record in records("sda\n" + ONE + ONE)] == ["sda", "all"]

    def test_titles_of_several_maps(self) -> None:
        part = "sda:\n" + ONE + "sdb:\n" + ONE
        text = "".join(f"10:00:0{n}\n== reads ==\n{part}== writes ==\n{part}" for n in range(2))
        assert [record.series for record in records(text)] == ["sda", "sdb", "writes,sda", "writes,sdb"] * 2


def test_moments_are_prints() -> None:
    events = decode(f"1700000000\nsda\n{ONE}1700000001\n1700000002\nsda\n{ONE}")
    assert ["|" if isinstance(event, Tick) else event.series for event in events if hasattr(event, "line")] == (
        ["|", "sda", "|", "|", "sda"]
    )
    assert [event.stamp.micros // 10**6 % 10 for event in events if not isinstance(event, Record) and event.stamp] == (
        [0, 1, 2]
    )
    assert isinstance(events[-1], Record)
    assert events[-1].stamp is not None
    assert events[-1].stamp.clock is Clock.EPOCH


class TestUnit:
    @pytest.mark.parametrize("above", ["latency (ns)\n", "read_ns\n", "Tracing, in nanoseconds. Hit Ctrl-C\nsda\n"])
    def test_names_tell_it(self, above: str) -> None:
        assert records(above + ONE, known=NOTHING_KNOWN)[0].unit is Unit.NS

    def test_else_the_user(self) -> None:
        assert records("sda\n" + ONE)[0].unit is Unit.US
        with pytest.raises(Refused, match=r"text:2: SystemTap prints no unit.*what would work is --unit ns"):
            decode("sda\n" + ONE, known=NOTHING_KNOWN)


def test_the_earlier_tools_sample(shared: Path) -> None:
    text = (shared / "data/earlier-tools/test_SystemTap_data.txt").read_text()
    report = Report("sample")
    found = [event for event in STAP.decode(lines_of(text), report) if isinstance(event, Record)]
    blocks = text.split("<begin record>")[1:]
    assert len(found) == len(blocks) == 48
    for record, block in zip(found, blocks, strict=True):
        rows = [(int(low), int(count)) for low, count in re.findall(r"^ *(\d+) \|@* +(\d+)$", block, re.MULTILINE)]
        assert record.ranges == tuple((low, 2 * low, count) for low, count in rows if count)
        assert record.stamp is not None
        assert str(record.stamp.micros) in block
        assert record.unit is Unit.US
        assert record.series == "Latency of block I/O 8KB read requests measured with SystemTap"
    assert report.bad_count == 0


def test_noise_between_rows_costs_none_of_them() -> None:
    rows = ONE.split("\n")
    for place in range(2, 6):
        (record,) = records("\n".join([*rows[:place], "ls: cannot access 'x'", *rows[place:]]))
        assert record.ranges == ((128, 256, 7),)

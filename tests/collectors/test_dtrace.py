"""The dtrace collector, form by form; the rows are printed here as dt_consume.c of libdtrace prints them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pylatencymap import registry
from pylatencymap.collector import NOTHING_KNOWN, Known
from pylatencymap.errors import Refused
from pylatencymap.record import Clock, Event, Record, Semantics, Stamp, Tick
from pylatencymap.report import Report
from pylatencymap.text.lines import Line, lines_of
from pylatencymap.units import Unit

DTRACE = registry.load_collector("dtrace")
HEADING = f"{'value':>16} {'------------- Distribution -------------':>41} {'count':<9}\n"
FIRED = "  3  72639                        :tick-10s "
US = Known(Unit.US)


def histogram(*rows: tuple[object, int]) -> str:
    """A heading, rows, and the blank line that ends them."""
    return HEADING + "".join(f"{label!s:>16} |{'@' * 3:<40} {count:<9d}\n" for label, count in rows) + "\n"


ONE = histogram((64, 0), (128, 7), (256, 0))


def key(*names: str) -> str:
    return "".join(f"  {name:<50}" for name in names) + "\n"


def decode(text: str, report: Report | None = None, known: Known = US) -> list[Event]:
    return list(DTRACE.decode(lines_of(text), report or Report("text"), known))


def records(text: str, report: Report | None = None, known: Known = US) -> list[Record]:
    return [event for event in decode(text, report, known) if isinstance(event, Record)]


def shape(events: list[Event]) -> str:
    """Ticks as bars, records as their series."""
    return "".join("|" if isinstance(event, Tick) else f" {event.series}" for event in events if hasattr(event, "line"))


class TestRows:
    def test_quantize_has_lower_bounds(self) -> None:
        (record,) = records(histogram((-1, 0), (0, 2), (1, 3), (2, 0), (4, 5), (8, 0)))
        assert record.ranges == ((0, 1, 2), (1, 2, 3), (4, 8, 5))
        assert record.semantics is Semantics.OPEN
        assert (record.source, record.label, record.series, record.unit) == ("dtrace", "DTrace", "all", Unit.US)

    def test_lquantize_with_its_open_ends(self) -> None:
        (record,) = records(histogram(("< 10", 4), (10, 1), (15, 2), (20, 3), (">= 25", 6)))
        assert record.ranges == ((0, 10, 4), (10, 15, 1), (15, 20, 2), (20, 25, 3), (25, None, 6))

    def test_llquantize_is_as_wide_as_its_labels_say(self) -> None:
        (record,) = records(histogram(("< 1", 1), (1, 2), (2, 0), (9, 3), (10, 4), (15, 0), (90, 5), (95, 6), (100, 0)))
        assert record.ranges == ((0, 1, 1), (1, 2, 2), (9, 10, 3), (10, 15, 4), (90, 95, 5), (95, 100, 6))

    def test_llquantize_of_oracle_linux_around_zero(self) -> None:
        (record,) = records(histogram(("abs() < 100", 7), (100, 2), (200, 0)))
        assert record.ranges == ((0, 100, 7), (100, 200, 2))

    def test_the_last_bucket_of_quantize_has_no_row_behind_it(self) -> None:
        (record,) = records(histogram((1 << 61, 0), (1 << 62, 1)))
        assert record.ranges == ((1 << 62, 1 << 63, 1),)

    def test_events_below_0_are_told_and_not_drawn(self) -> None:
        told: list[str] = []
        report = Report("text", say=told.append)
        (record,) = records(histogram((-8, 0), (-4, 2), (-2, 3), (-1, 1), (0, 5), (1, 0)), report)
        assert record.ranges == ((0, 1, 5),)
        assert report.bad_count == 1
        assert "6 events of less than 0" in told[0]
        (record,) = records(histogram(("< 0", 2), (0, 3), (10, 0)), report)
        assert record.ranges == ((0, 10, 3),)
        (record,) = records(histogram(("<= -1000", 2), (-900, 1), ("abs() < 100", 3), (100, 0)), report)
        assert record.ranges == ((0, 100, 3),)
        assert report.bad_count == 3

    def test_an_aggregation_that_was_cleared_has_no_events(self) -> None:
        assert records(histogram((-1, 0), (0, 0), (1, 0)))[0].ranges == ()

    @pytest.mark.parametrize(
        "bar", ["@@@@|                  ", "      @@|              ", "|\u2588\u2588\u258f          ", "|"]
    )
    def test_bars_of_all_kinds(self, bar: str) -> None:
        text = f"{HEADING}              64 {bar} 5        \n             128 |                    0\n\n"
        assert records(text)[0].ranges == ((64, 128, 5),)

    @pytest.mark.parametrize(
        ("rows", "reason"),
        [
            ([(64, 1), (128, -3), (256, 0)], "a count of -3 in line 3"),
            ([(64, 1), (100, 3)], "the rows are cut off after line 3"),
            ([(64, 1), (32, 3), (128, 0)], "bounds that do not ascend in line 3"),
            ([], "a heading without rows"),
        ],
    )
    def test_what_cannot_be_used_costs_one_histogram(self, rows: list[tuple[object, int]], reason: str) -> None:
        told: list[str] = []
        found = records(histogram(*rows) + key("b") + ONE, Report("text", say=told.append))
        assert [record.series for record in found] == ["b"]
        assert told == [f"text:1: {reason}; the histogram is dropped"]

    def test_rows_without_a_heading_are_reported_once(self) -> None:
        report = Report("text")
        assert len(records(ONE.partition("\n")[2] + ONE, report)) == 1
        assert report.bad_count == 1

    def test_drops_are_told_within_a_histogram(self) -> None:
        told: list[str] = []
        text = ONE.replace("             256", "dtrace: 12 drops on CPU 0\n             256")
        assert records(text, Report("text", say=told.append))[0].events == 7
        assert told == ["text:4: dtrace: 12 drops on CPU 0"]


class TestSeries:
    @pytest.mark.parametrize(
        ("above", "series", "label"),
        [
            ("", "all", "DTrace"),
            (key("bash"), "bash", "DTrace"),
            (key("bash", "read"), "bash,read", "DTrace"),
            (key("two words", "a" * 60), "two words," + "a" * 60, "DTrace"),
            ("  sd0                                                     4711\n", "sd0,4711", "DTrace"),
            ("             4711                1\n", "4711,1", "DTrace"),
            ("Read latency\n", "Read latency", "DTrace"),
            ("read latency:\n\n", "read latency", "read latency"),
            ("read latency\n" + key("sd0"), "sd0", "read latency"),
            ("read latency\n\n" + key("sd0"), "sd0", "read latency"),
            ("Tracing... Hit Ctrl-C to end.\n" + key("sd0"), "sd0", "DTrace"),
            ("Tracing... Hit Ctrl-C to end.\n\n", "all", "DTrace"),
            ("count 17\n\n", "all", "DTrace"),
            (
                "\n              libc.so.1`__read+0xa\n              a.out`main+0x1f\n\n",
                "libc.so.1`__read,a.out`main",
                "DTrace",
            ),
            (key("bash") + "              libc.so.1`__read+0xa\n\n", "bash,libc.so.1`__read", "DTrace"),
            (FIRED + "\n" + key("bash"), "bash", "DTrace"),
            (FIRED + key("bash"), "bash", "DTrace"),
            ("  0      1              read:entry noise\n" + key("bash"), "bash", "DTrace"),
            ("^C\n" + key("bash"), "bash", "DTrace"),
            ("  \x1b[31mred\n", r"\x1b[31mred", "DTrace"),
        ],
    )
    def test_what_stands_above_the_heading(self, above: str, series: str, label: str) -> None:
        (record,) = records(above + ONE)
        assert (record.series, record.label) == (series, label)

    def test_a_further_title_is_part_of_the_names_below_it(self) -> None:
        part = key("sd0") + ONE + key("sd1") + ONE
        text = "".join(f"{second}\nreads\n\n{part}writes\n\n{part}" for second in ("10:00:00", "10:00:01"))
        assert [record.series for record in records(text)] == ["sd0", "sd1", "writes,sd0", "writes,sd1"] * 2
        assert [record.label for record in records(text)] == ["reads", "reads", "writes", "writes"] * 2

    def test_a_key_that_comes_again_in_a_print_is_of_another_aggregation(self) -> None:
        text = f"{FIRED}\n\n{key('a')}{ONE}\n{key('a')}{ONE}" * 2
        assert shape(decode(text)) == "| a a#2| a a#2"


class TestTime:
    def test_a_tick_probe_is_a_print(self) -> None:
        text = f"{FIRED}\n{key('a')}{ONE}{FIRED}\n{FIRED}\n{key('a')}{ONE}{FIRED}\n"
        assert shape(decode(text)) == "| a|| a|"

    def test_the_end_is_a_print_if_it_prints(self) -> None:
        end = "  1      2                             :END \n"
        text = f"{FIRED}\n{key('a')}{ONE}{end}"
        assert shape(decode(text)) == "| a"
        assert shape(decode(text + key("b") + ONE)) == "| a| b"

    @pytest.mark.parametrize("glued", [FIRED, FIRED + "\n", ""])
    def test_moments_are_prints(self, glued: str) -> None:
        text = "".join(f"{glued}2013 Aug 27 10:54:5{second}\n{key('a')}{ONE}" for second in range(3))
        events = decode(text)
        assert shape(events) == "| a| a| a"
        stamp = events[-1].stamp if isinstance(events[-1], Record) else None
        assert stamp == Stamp(39_292_000_000, Clock.DAY, text="2013 Aug 27 10:54:52")

    def test_a_moment_at_the_start_only_stamps_nothing(self) -> None:
        text = "2013 Aug 27 10:54:50\n" + f"{FIRED}\n{key('a')}{ONE}" * 4
        events = decode(text)
        assert [record.stamp for record in events[3:] if isinstance(record, Record)] == [None] * 3
        assert shape(events).endswith("| a| a| a")

    def test_without_either_the_series_tell(self) -> None:
        assert shape(decode(f"{key('a')}{ONE}{key('b')}{ONE}" * 2)) == " a b a b"

    def test_live_a_histogram_is_told_with_its_blank_line(self) -> None:
        def lines() -> Iterator[Line | None]:
            for number, text in enumerate(f"{FIRED}\n{key('a')}{ONE}".split("\n")[:-1]):
                yield Line(number, text, 100.0 + number)
            yield None
            raise AssertionError("asked for more than it needs")

        found = DTRACE.decode(lines(), Report("text"), US)
        assert [next(found).arrival, next(found).line] == [100.0, 2]  # type: ignore[union-attr]


class TestUnit:
    @pytest.mark.parametrize(
        "text",
        [
            "  0      1          :BEGIN Tracing, latency in ns... Hit Ctrl-C to end.\n" + key("a") + ONE,
            "read latency (ns)\n\n" + ONE,
            "read latency (ns)\n\n" + key("a") + ONE,
            key("read_ns") + ONE,
            key("sd0", "nanoseconds") + ONE,
        ],
    )
    def test_names_tell_it(self, text: str) -> None:
        assert records(text, known=NOTHING_KNOWN)[0].unit is Unit.NS
        assert records(text)[0].unit is Unit.NS

    def test_else_the_user(self) -> None:
        assert records(ONE)[0].unit is Unit.US
        with pytest.raises(Refused, match=r"text:1: DTrace prints no unit.*what would work is --unit ns"):
            decode(ONE, known=NOTHING_KNOWN)

    def test_sizes_are_left_out_and_refused_where_there_is_nothing_else(self) -> None:
        sizes, report = "request size (bytes)\n\n" + ONE, Report("text")
        text = sizes + "latency (us)\n\n" + ONE
        assert [record.label for record in records(text * 2, report, NOTHING_KNOWN)] == ["latency (us)"] * 2
        assert report.bad_count == 1
        for alone in (sizes, sizes * 2):
            with pytest.raises(Refused, match=r"text:3: a histogram of 'request size .bytes.': sizes, not a time"):
                decode(alone, known=NOTHING_KNOWN)
        assert records(sizes)[0].events == 7

    @pytest.mark.parametrize(
        "heading",
        ["             key    min .------. max     | count", "key  ------------- Distribution ------------- count"],
    )
    def test_packed_aggregations_are_refused(self, heading: str) -> None:
        assert DTRACE.detect(f"\n{heading}\n").value >= 0.9
        with pytest.raises(Refused, match=r"text:2: -x agg\w+ .*what would work"):
            decode(f"\n{heading}\n")


class TestWithinRecords:
    RECORD = "<begin record>\nlatencyunit, nanosec\n{}label, preads\n<end record>\n"

    def test_metadata_in_any_order(self) -> None:
        text = FIRED + "\n" + self.RECORD.format(key("myhistogram") + ONE + "timestamp,microsec,1006592395604,x\n")
        (record,) = decode(text, known=NOTHING_KNOWN)
        assert isinstance(record, Record)
        assert (record.series, record.label, record.unit) == ("preads", "preads", Unit.NS)
        assert record.stamp == Stamp(1006592395604, Clock.FREE, text="x")

    def test_several_keys(self) -> None:
        found = records(self.RECORD.format(key("a") + ONE + key("b") + ONE), known=NOTHING_KNOWN)
        assert [record.series for record in found] == ["a", "b"]

    @pytest.mark.parametrize(
        "bad", ["timestamp,fortnights,1\n", "latencyunit,bytes\n", "<begin record>\n", "<end record>\n"]
    )
    def test_bad_lines_are_reported(self, bad: str) -> None:
        report = Report("text")
        found = records(self.RECORD.format(bad) + self.RECORD.format(ONE), report)
        assert [record.events for record in found] == [7]
        assert report.bad_count

    def test_a_record_that_is_cut_off_is_dropped(self) -> None:
        report = Report("text")
        assert records(self.RECORD.format(ONE).partition("<end")[0], report) == []
        assert report.bad_count == 1


def test_the_earlier_tools_sample(shared: Path) -> None:
    text = (shared / "data/earlier-tools/test_DTrace_data.txt").read_text()
    report = Report("sample")
    found = [event for event in DTRACE.decode(lines_of(text), report) if isinstance(event, Record)]
    blocks = text.split("<begin record>")[1:]
    assert len(found) == len(blocks) == 31
    for record, block in zip(found, blocks, strict=True):
        rows = [(int(low), int(count)) for low, count in re.findall(r"^ +(\d+) \|[@ ]+ (\d+) *$", block, re.MULTILINE)]
        assert record.ranges == tuple((low, 2 * low, count) for low, count in rows if count)
        assert record.stamp is not None
        assert str(record.stamp.micros) in block
        assert record.unit is Unit.NS
    assert report.bad_count == 0


@pytest.mark.parametrize("noise", ["cat: /x: No such file or directory", "three\nlines\nof it"])
def test_noise_between_rows_costs_none_of_them(noise: str) -> None:
    rows = ONE.split("\n")
    said: list[str] = []
    (record,) = records("\n".join([*rows[:2], noise, *rows[2:]]), Report("text", say=said.append))
    assert record.ranges == ((128, 256, 7),)
    assert len(said) == len(noise.split("\n"))


def test_keys_right_below_a_histogram_are_those_of_the_next_one() -> None:
    first = key("read") + ONE.rstrip("\n") + "\n"
    assert [one.series for one in records(first + key("write") + ONE)] == ["read", "write"]

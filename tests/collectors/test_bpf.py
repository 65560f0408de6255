"""The bpf collector, form by form, on texts small enough to count by hand."""

from collections.abc import Iterator

import pytest
from hypothesis import given, strategies as st

from pylatencymap import registry
from pylatencymap.collector import NOTHING_KNOWN, Known
from pylatencymap.collectors.bpf.headings import section_of
from pylatencymap.collectors.bpf.spacing import MAX_RECORDS
from pylatencymap.collectors.bpf.tools import tool_label
from pylatencymap.errors import Refused
from pylatencymap.record import Clock, Event, Record, Semantics, Stamp, Tick
from pylatencymap.report import Report
from pylatencymap.text.lines import Line, lines_of
from pylatencymap.units import Unit

BPF = registry.load_collector("bpf")
BCC = "     {:<19} : count     distribution"
LIBBPF = "     {:<19} : count    distribution"
ROW = "        64 -> 127        : {:<8d} |****                                    |"
BANNER = "Tracing block device I/O... Hit Ctrl-C to end."


def decode(text: str, report: Report | None = None, known: Known = NOTHING_KNOWN) -> list[Event]:
    return list(BPF.decode(lines_of(text), report or Report("text"), known))


def live(*bursts: str) -> list[Event]:
    """The events of a live source that pauses after each burst of lines."""

    def lines() -> Iterator[Line | None]:
        number = 0
        for second, burst in enumerate(bursts):
            for text in burst.split("\n")[:-1]:
                number += 1
                yield Line(number, text, 100.0 + second)
            yield None

    return list(BPF.decode(lines(), Report("text")))


def records(events: list[Event]) -> list[Record]:
    return [event for event in events if isinstance(event, Record)]


def only(text: str) -> Record:
    (record,) = records(decode(text))
    return record


def shape(events: list[Event]) -> str:
    """Ticks as bars, records as their series: ``|sda,sdb|sda``, idle intervals as empty fields."""
    ticks: list[list[str]] = []
    for event in events:
        if isinstance(event, Tick):
            ticks.append([])
        elif isinstance(event, Record):
            ticks[-1].append(event.series)
    return "|".join(["", *("+".join(names) for names in ticks)])


def histogram(heading: str = BCC.format("usecs"), count: int = 1) -> str:
    return f"{heading}\n{ROW.format(count)}\n"


class TestHeadings:
    @pytest.mark.parametrize(
        ("word", "unit"),
        [
            ("usecs", Unit.US),
            ("msecs", Unit.MS),
            ("nsecs", Unit.NS),
            ("us", Unit.US),
            ("ms", Unit.MS),
            ("ns", Unit.NS),
            ("query latency (ms)", Unit.MS),
            ("latency (us)", Unit.US),
            ("$latency/1000", Unit.US),
        ],
    )
    @pytest.mark.parametrize("form", [BCC, LIBBPF])
    def test_units(self, word: str, unit: Unit, form: str) -> None:
        assert only(histogram(form.format(word))).unit is unit

    @pytest.mark.parametrize(
        ("word", "reason"),
        [
            ("Kbytes", "sizes in kilobytes, not a time"),
            ("args->nr_sector", "sizes in sectors, not a time"),
            ("len", "lengths, not a time"),
            ("runqlen", "lengths, not a time"),
            ("size", "sizes, not a time"),
            ("retval", "no unit of time is named"),
        ],
    )
    def test_what_is_no_time_is_refused_by_name(self, word: str, reason: str) -> None:
        with pytest.raises(Refused, match=rf"text:1: .*{word}.*{reason}.*what would work"):
            decode(histogram(BCC.format(word)))

    def test_what_is_no_time_costs_only_itself_once_there_was_a_time(self) -> None:
        told: list[str] = []
        report = Report("text", say=told.append)
        text = histogram(count=3) + "\n" + histogram(BCC.format("Kbytes"), 9) + "\n" + histogram(count=4)
        assert [record.events for record in records(decode(text, report))] == [3, 4]
        assert report.bad_count == 1
        assert "kilobytes" in told[0]

    def test_the_user_may_know_what_the_word_does_not_tell(self) -> None:
        for word in ("retval", "len"):
            (record,) = records(decode(histogram(BCC.format(word)), known=Known(Unit.US)))
            assert (record.unit, record.ranges) == (Unit.US, ((64, 128, 1),))
        (record,) = records(decode(histogram(BCC.format("nsecs")), known=Known(Unit.US)))
        assert record.unit is Unit.NS


class TestLinear:
    HEADING = "     {:<13} : count     distribution\n"
    ROWS = (
        "        0          : 6        |**|\n        1          : 0        |  |\n"
        "        20         : 94       |****+|\n"
    )

    @pytest.mark.parametrize(
        ("word", "unit", "width"),
        [
            ("500 us", Unit.US, 500),
            ("1 ms", Unit.MS, 1),
            ("100ns", Unit.NS, 100),
            ("usecs", Unit.US, 1),
            ("latency (ms)", Unit.MS, 1),
            ("0.5 ms", Unit.US, 500),
            ("1 s", Unit.MS, 1000),
        ],
    )
    def test_a_slot_is_as_wide_as_the_heading_says(self, word: str, unit: Unit, width: int) -> None:
        record = only(self.HEADING.format(word) + self.ROWS)
        assert (record.unit, record.ranges) == (unit, ((0, width, 6), (20 * width, 21 * width, 94)))

    def test_a_word_without_a_unit(self) -> None:
        text = self.HEADING.format("slot") + self.ROWS
        with pytest.raises(Refused, match=r"text:1: .*'slot': no unit of time is named.*--unit us"):
            decode(text)
        (record,) = records(decode(text, known=Known(Unit.MS)))
        assert (record.unit, record.ranges) == (Unit.MS, ((0, 1, 6), (20, 21, 94)))

    def test_rows_that_are_none(self) -> None:
        report = Report("text")
        text = (
            self.HEADING.format("500 us") + self.ROWS + "        3          : -1       |**|\n        4          : 5\n"
        )
        assert records(decode(text, report))[0].events == 100
        assert report.bad_count == 2
        assert records(decode(self.ROWS, report)) == []
        assert report.bad_count == 3

    def test_intervals_are_told_as_of_other_histograms(self) -> None:
        body = self.HEADING.format("500 us") + self.ROWS
        assert shape(decode(f"{BANNER}\n\n{body}\n{body}\n\n{body}")) == "|all|all||all"


class TestDictionaries:
    LINE = "{{'ts': '2020-12-30 14:33:{:02d}', 'val_type': '{}', 'data': [{}]{}}}\n"
    ROWS = (
        "{'interval-start': 0, 'interval-end': 1, 'count': 0}, {'interval-start': 64, 'interval-end': 127, 'count': 75}"
    )

    def line(self, second: int = 3, word: str = "usecs", more: str = "", rows: str = ROWS) -> str:
        return self.LINE.format(second, word, rows, more)

    def test_both_bounds_are_inclusive(self) -> None:
        tick, record = decode(f"{BANNER}\n\n{self.line()}")
        assert isinstance(record, Record)
        assert isinstance(tick, Tick)
        assert (record.series, record.unit, record.ranges) == ("all", Unit.US, ((64, 128, 75),))
        assert (record.label, record.semantics) == ("biolatency", Semantics.INTERVAL)
        assert record.stamp == tick.stamp == Stamp(52_383_000_000, Clock.DAY, text="2020-12-30 14:33:03")

    @pytest.mark.parametrize(
        ("more", "series"),
        [
            (", 'disk': 'sda'", "sda"),
            (", 'disk': b'dm-0'", "dm-0"),
            (", 'flags': 'Sync-Write'", "Sync-Write"),
            (", 'pid': 17", "17"),
            (", 'disk': b'\\xff\\x1b'", "\ufffd\\x1b"),
            (", 'disk': ''", "unknown"),
        ],
    )
    def test_series(self, more: str, series: str) -> None:
        assert only(self.line(more=more)).series == series

    def test_a_blank_line_begins_an_interval(self) -> None:
        sda, sdb = self.line(3, more=", 'disk': 'sda'"), self.line(3, more=", 'disk': 'sdb'")
        late = self.line(4, more=", 'disk': 'sdb'")
        assert shape(decode(f"{BANNER}\n\n{sda}{sdb}\n{sda}{late}\n{sdb}{sdb}")) == "|sda+sdb|sda+sdb|sdb|sdb"

    def test_intervals_without_a_histogram_lie_between(self) -> None:
        events = decode(f"{BANNER}\n\n{self.line(3)}\n\n\n{self.line(6)}")
        assert shape(events) == "|all|||all"
        stamps = [event.stamp.text[-2:] for event in events if isinstance(event, Tick) and event.stamp]
        assert stamps == ["03", "04", "05", "06"]

    def test_exact_sums(self) -> None:
        exact = "\navg = 90 usecs, total: 6750 usecs, count: 75\n\n"
        events = decode(f"{BANNER}\n\n{self.line(3)}{exact}\n{self.line(4)}{exact}\n{self.line(5)}\n")
        assert shape(events) == "|all|all|all"
        assert [record.waited for record in records(events)] == [pytest.approx(0.00675), pytest.approx(0.00675), None]

    def test_units(self) -> None:
        assert only(self.line(word="msecs")).unit is Unit.MS
        with pytest.raises(Refused, match=r"text:1: a histogram of 'Kbytes': sizes in kilobytes, not a time"):
            decode(self.line(word="Kbytes"))

    def test_live_a_dictionary_is_told_at_the_pause(self) -> None:
        events = live(f"{BANNER}\n", f"\n{self.line(3)}", f"\n{self.line(4)}")
        assert [event.arrival for event in records(events)] == [101.0, 102.0]

    @pytest.mark.parametrize(
        "bad",
        [
            "{'ts': '2020-12-30 14:33:03', 'val_type': 'usecs', 'data': [{'interval-start': 64, 'interval-e",
            "{'ts': '2020-12-30 14:33:03', 'val_type': 'usecs', 'data': [{'interval-start': 64, 'count': 75}]}",
            "{'ts': '2020-12-30 14:33:03', 'val_type': 'usecs', 'data': []",
            "{'ts': 'noon', 'val_type': 'usecs', 'data': []}",
            "{'val_type': 'usecs', 'data': []}",
            "{'ts': '2020-12-30 14:33:03', 'val_type': " + "(" * 1500 + ", 'data': []}",
            "{'ts': '2020-12-30 14:33:03', 'data': [], 'disk': '" + "x" * 5000 + "'}",
            "{'ts': __import__('os').abort(), 'data': []}",
        ],
    )
    def test_what_cannot_be_read_costs_one_line(self, bad: str) -> None:
        report = Report("text")
        found = records(decode(f"{self.line(3)}\n{bad}\n\n{self.line(4)}", report))
        assert [record.events for record in found] == [75, 75]
        assert report.bad_count == 1

    def test_time_inversion_is_garbage(self) -> None:
        report = Report("text")
        rows = f"{{'interval-start': {1 << 54}, 'interval-end': {(1 << 55) - 1}, 'count': 3}}"
        assert records(decode(self.line(rows=rows), report))[0].events == 0
        assert report.bad_count == 1


class TestRows:
    def test_bounds_are_inclusive_integers(self) -> None:
        text = BCC.format("usecs") + "\n    0 -> 1 : 5 |**|\n    2 -> 3 : 0 |  |\n  512 -> 1023 : 43 |***+|\n"
        record = only(text)
        assert record.ranges == ((0, 2, 5), (512, 1024, 43))
        assert record.semantics is Semantics.INTERVAL
        assert (record.series, record.source, record.label) == ("all", "bpf", "bpf")

    def test_counts_beyond_31_bits_are_printed_negative(self) -> None:
        assert only(LIBBPF.format("usecs") + "\n 0 -> 1 : -2147483648 |**|\n").events == 1 << 31

    @pytest.mark.parametrize(("word", "lower"), [("nsecs", 1 << 54), ("usecs", 1 << 54), ("msecs", 1 << 44)])
    def test_time_inversion_is_garbage(self, word: str, lower: int) -> None:
        told: list[str] = []
        report = Report("text", say=told.append)
        text = f"{BCC.format(word)}\n{ROW.format(7)}\n {lower} -> {2 * lower - 1} : 3 |*|\n"
        (record,) = records(decode(text, report))
        assert record.events == 7
        assert told[0].startswith("text:3: time inversion in the probe: 3 events")

    def test_impossible_rows_and_noise_within_are_reported_with_their_lines(self) -> None:
        said: list[str] = []
        text = f"{BCC.format('usecs')}\n 9 -> 3 : 1 |*|\nLost 12 events\n{ROW.format(2)}\nwhat?\n{ROW.format(1)[:30]}\n"
        (record,) = records(decode(text, Report("text", say=said.append)))
        assert record.ranges == ((64, 128, 2),)
        assert [message.split(":")[1] for message in said] == ["2", "5", "6"]

    def test_rows_without_bars(self) -> None:
        assert only(f"{BCC.format('usecs')}\n 64 -> 127 : 5\n 128 -> 255 : 1\n").events == 6

    def test_rows_without_a_heading_are_reported_once(self) -> None:
        report = Report("text")
        assert records(decode(f"{ROW.format(1)}\n{ROW.format(1)}\n\n" + histogram(count=2), report))[0].events == 2
        assert report.bad_count == 1

    def test_a_heading_without_rows_is_a_record_without_events(self) -> None:
        assert only(BCC.format("usecs") + "\n").ranges == ()

    def test_an_exact_sum_is_the_time_waited(self) -> None:
        text = histogram(count=25) + "\navg = 663 usecs, total: 16575 usecs, count: 25\n"
        assert only(text).waited == pytest.approx(0.016575)

    @pytest.mark.parametrize("count", ["26", "x"])
    def test_an_exact_sum_of_other_events_is_ignored(self, count: str) -> None:
        assert only(histogram(count=25) + f"\navg = 663 usecs, total: 16575 usecs, count: {count}\n").waited is None

    @given(st.lists(st.integers(0, (1 << 32) - 1), min_size=1, max_size=27))
    def test_what_libbpf_tools_print_is_what_is_read(self, slots: list[int]) -> None:
        signed = [count - (1 << 32) if count >= 1 << 31 else count for count in slots]
        rows = "".join(
            f"{(1 << slot) if slot else 0:10d} -> {(2 << slot) - 1:<10d} : {count:<8d} |{'':<40}|\n"
            for slot, count in enumerate(signed)
        )
        expected = tuple((1 << k if k else 0, 2 << k, count) for k, count in enumerate(slots) if count)
        assert only(f"{LIBBPF.format('usecs')}\n{rows}").ranges == expected


class TestSeries:
    @pytest.mark.parametrize(
        ("section", "series"),
        [
            ("disk = 'sda'", "sda"),
            ("disk = b'dm-0'", "dm-0"),
            ("disk = loop0\t", "loop0"),
            ("disk = loop0\tflags = Sync-Read", "loop0,Sync-Read"),
            ("disk = \tflags = Read", "unknown,Read"),
            ("flags = Sync-Write", "Sync-Write"),
            ("operation = 'read'", "read"),
            ("operation = read", "read"),
            ("pid = 12929", "12929"),
            ("pid = 123 some command", "123 some command"),
            ("Process Name = 'dd'", "dd"),
            ("Bucket disk = 'xvdb'", "xvdb"),
            ("Function = b'vfs_read'", "vfs_read"),
            ("softirq = block", "block"),
            ("cgroup = /user.slice", "/user.slice"),
            ("Remote Address = 10.0.0.1 [AVG 170]", "10.0.0.1"),
            ("Remote Addres: = b'10.0.0.1'", "10.0.0.1"),
            ("All Addresses = ******* [AVG 324]", "all"),
            ("disk =", "unknown"),
            ("disk = b''", "unknown"),
            ("pid = 7\ntid = 9", "7,9"),
            ("disk = sda\ndisk = sdb", "sdb"),
            ("^Cdisk = sda", "sda"),
            ("disk = \x1b[31mred", r"\x1b[31mred"),
        ],
    )
    def test_section_lines(self, section: str, series: str) -> None:
        assert only(f"\n{section}\n{histogram()}").series == series

    def test_a_section_is_for_the_next_histogram_only(self) -> None:
        events = decode(f"disk = sda\n\n{histogram()}\ndisk = sdb\n{histogram()}")
        assert [record.series for record in records(events)] == ["all", "sdb"]

    def test_too_many_series_are_summed_as_other(self) -> None:
        said: list[str] = []
        text = "08:00:00\n" + "".join(f"\npid = {pid}\n{histogram()}" for pid in range(5003))
        found = records(decode(text, Report("text", say=said.append)))
        assert len({record.series for record in found}) == 5001
        assert [record.series for record in found].count("other") == 3
        assert len(said) == 1

    @pytest.mark.parametrize(
        ("banner", "label"),
        [
            (BANNER, "biolatency"),
            ("Tracing run queue latency... Hit Ctrl-C to end.", "runqlat"),
            ("Tracing off-CPU time... Hit Ctrl-C to end.", "cpudist"),
            ("Tracing ext4 operation latency... Hit Ctrl-C to end.", "ext4dist"),
            ('Tracing 1 functions for "do_sync_read"... Hit Ctrl-C to end.', "funclatency"),
            ("Tracing vfs_read.  Hit Ctrl-C to exit", "funclatency"),
            ("Tracing pigeon post... Hit Ctrl-C to end.", "Tracing pigeon post"),
            ("anything else", "bpf"),
        ],
    )
    def test_the_label_is_the_tool(self, banner: str, label: str) -> None:
        assert only(f"{banner}\n\n{histogram()}").label == label


class TestTime:
    @pytest.mark.parametrize(
        ("heading", "micros", "text"),
        [
            ("08:11:20", 29480_000_000, ""),
            ("08:11:20  ", 29480_000_000, ""),
            ("[08:11:20]", 29480_000_000, ""),
            ("08:11:20:", 29480_000_000, ""),
            ("^C08:11:20", 29480_000_000, ""),
            ("2020-12-30 14:33:03", 52383_000_000, "2020-12-30 14:33:03"),
        ],
    )
    def test_stamps(self, heading: str, micros: int, text: str) -> None:
        tick, record = decode(f"{BANNER}\n\n{heading}\n{histogram()}")
        assert isinstance(tick, Tick)
        assert tick.stamp is not None
        assert (tick.stamp.micros, tick.stamp.clock, tick.stamp.whole) == (micros, Clock.DAY, True)
        assert tick.stamp.text == text
        assert isinstance(record, Record)
        assert record.stamp == tick.stamp
        assert (tick.line, record.line) == (3, 4)

    def test_a_fraction_makes_it_exact(self) -> None:
        (tick,) = decode("08:11:20.25")
        assert isinstance(tick, Tick)
        assert tick.stamp is not None
        assert (tick.stamp.micros, tick.stamp.whole) == (29480_250_000, False)

    def test_stamped_text_ignores_blank_lines(self) -> None:
        text = f"08:00:00\n\n\n\n{histogram()}\n\n\n08:00:01\n\n08:00:02\n{histogram()}\n\n\n"
        assert shape(decode(text)) == "|all||all"

    def test_no_clock_in_refusable_noise(self) -> None:
        report = Report("test")
        assert decode("12:61:00 x\n1:2\n", report) == []
        assert report.bad_count == 0

    def test_a_time_that_is_none_begins_a_print_without_a_time(self) -> None:
        report = Report("test")
        times = ["13:00:00", "13:00:01", "31:00:02", "13:00:03"]
        found = decode("".join(f"{time}\n\n{histogram()}\n" for time in times), report)
        records = [event for event in found if isinstance(event, Record)]
        assert [record.stamp is None for record in records] == [False, False, True, False]
        assert shape(found) == "|all" * 4
        assert report.bad_count == 1

    def disks(self, *ticks: str) -> str:
        return f"{BANNER}\n" + "".join(
            "\n" + "".join(f"\ndisk = {disk}\t\n{histogram(LIBBPF.format('usecs'))}" for disk in tick.split())
            for tick in ticks
        )

    def test_sections_with_a_blank_line_before(self) -> None:
        assert shape(decode(self.disks("a b", "a", "b", "", "", "a b"))) == "|a+b|a|b|||a+b"

    def test_idle_intervals_at_the_beginning(self) -> None:
        assert shape(decode(self.disks("", "", "a"))) == "|||a"

    def test_disks_without_a_name_share_one(self) -> None:
        assert shape(decode(self.disks("Unknown Unknown a"))) == "|Unknown+Unknown+a"

    def test_a_repeated_series_begins_an_interval_where_blank_lines_were_lost(self) -> None:
        text = self.disks("a b", "a b").replace("\n\n", "\n")
        assert shape(decode(text)) == "|a+b|a+b"

    def test_one_lost_blank_line_costs_no_interval(self) -> None:
        prints = [f"\n\n{histogram(LIBBPF.format('usecs'), count)}" for count in range(1, 7)]
        prints[3] = prints[3][1:]
        assert shape(decode("".join(prints))) == "|all" * 6

    def test_flags_of_libbpf_tools_without_blank_lines_between(self) -> None:
        flags = "flags = {}\n" + histogram(LIBBPF.format("usecs"))
        text = f"{BANNER}\n\n{flags.format('R')}{flags.format('W')}\n{flags.format('W')}\n\n{flags.format('S')}"
        assert shape(decode(text)) == "|R+W|W||S"

    def test_sections_with_a_blank_line_after(self) -> None:
        one = "softirq = {}\n" + histogram(LIBBPF.format("nsecs")) + "\n"
        banner = "Tracing soft irq event time... Hit Ctrl-C to end."
        text = f"{banner}\n\n{one.format('t')}{one.format('r')}\n{one.format('r')}"
        assert shape(decode(text)) == "|t+r|r"

    @pytest.mark.parametrize(
        ("banner", "form", "own"),
        [(BANNER, LIBBPF, 1), (BANNER, BCC, 0), ("Tracing run queue latency... Hit", LIBBPF, 0), ("", BCC, 0)],
    )
    def test_without_sections(self, banner: str, form: str, own: int) -> None:
        body = "\n" * own + histogram(form.format("usecs"))
        text = f"{banner}\n\n{body}\n{body}\n\n\n{body}"
        assert shape(decode(text)) == "|all|all|||all"

    def test_without_sections_and_banner_the_first_spacing_counts(self) -> None:
        body = histogram(LIBBPF.format("usecs"))
        assert shape(decode(f"{body}\n\n{body}\n\n\n\n{body}")) == "|all|all|||all"
        assert shape(decode(f"{body}\n{body}\n\n\n{body}")) == "|all|all|||all"

    def test_an_exact_sum_stands_between_blank_lines_of_its_own(self) -> None:
        body = histogram(count=2) + "\navg = 90 usecs, total: 180 usecs, count: 2\n\n"
        assert shape(decode(f"{BANNER}\n\n{body}\n{body}\n\n{body}")) == "|all|all||all"

    def test_a_day_of_idle_intervals_at_most(self) -> None:
        events = decode(f"{BANNER}\n\n{histogram()}" + "\n" * 200_000 + histogram())
        assert sum(isinstance(event, Tick) for event in events) == 86_401

    def test_idle_intervals_of_many_series_are_fewer_and_that_is_reported_once_a_run(self) -> None:
        first = BANNER + "\n" + "".join(f"\ndisk = d{number}\n{histogram()}" for number in range(400))
        again = "\n" * 4_000 + f"\ndisk = d0\n{histogram()}"
        told: list[str] = []
        report = Report("text", say=told.append)
        events = decode(first + again + again, report)
        assert sum(isinstance(event, Tick) for event in events) == 1 + 2 * MAX_RECORDS // 400
        assert report.bad_count == 2
        assert "blank lines for more than 500 intervals; the others are left out" in told[0]


class TestHostileLines:
    """Time is linear in the length: each of these took seconds or minutes."""

    @pytest.mark.parametrize("text", ["^C" * 500_000 + "x", "Tracing" + " " * 990 + "x", "^C" * 500_000])
    def test_they_mean_nothing_and_cost_nothing(self, text: str) -> None:
        assert shape(decode(f"{BANNER}\n\n{histogram()}{text}\n\n{histogram()}")) == "|all|all"

    def test_the_words_of_a_banner_nobody_knows_end_before_blanks(self) -> None:
        assert tool_label("Tracing  my thing  ... Hit Ctrl-C to end.") == "Tracing  my thing"
        assert tool_label("Tracing my thing   Hit Ctrl-C") == "Tracing my thing"


class TestLive:
    def test_a_record_is_complete_at_a_pause(self) -> None:
        tick, record = live(f"{BANNER}\n", f"\n\n{histogram(LIBBPF.format('usecs'), 4)}")
        assert isinstance(record, Record)
        assert record.events == 4
        assert (tick.arrival, record.arrival) == (101.0, 101.0)  # type: ignore[union-attr]

    def test_idle_intervals_are_told_as_they_pass_and_not_again(self) -> None:
        body = f"\n\ndisk = a\t\n{histogram(LIBBPF.format('usecs'))}"
        events = live(f"{BANNER}\n", body, "\n", "\n", body, "\n")
        assert shape(events) == "|a|||a|"
        assert [event.arrival for event in events if isinstance(event, Tick)] == [101.0, 102.0, 103.0, 104.0, 105.0]

    def test_a_blank_line_that_ends_a_section_is_no_idle_interval(self) -> None:
        body = f"\nsoftirq = net\n{histogram(LIBBPF.format('usecs'))}\n"
        events = live("Tracing soft irq event time... Hit Ctrl-C to end.\n", body, "\n", body)
        assert shape(events) == "|net||net"

    def test_rows_go_on_after_a_full_buffer(self) -> None:
        events = live(f"08:00:00\n{histogram(count=3)}", " 128 -> 255 : 9 |*|\n\n08:00:01\n", histogram(count=1))
        assert shape(events) == "|all+all|all"
        first, second, third = records(events)
        assert (first.ranges, second.ranges) == (((64, 128, 3),), ((128, 256, 9),))
        assert first.stamp == second.stamp != third.stamp

    def test_a_pause_between_section_and_heading(self) -> None:
        assert shape(live(f"{BANNER}\n", "\n\ndisk = a\t\n", histogram(LIBBPF.format("usecs")))) == "|a"


class TestDetect:
    def test_banner_alone_is_a_guess(self) -> None:
        assert BPF.detect(BANNER).value == 0.5
        assert BPF.detect("Tracing... Hit Ctrl-C to end.").value < 0.5

    def test_rows_alone_are_a_better_one(self) -> None:
        assert 0.5 < BPF.detect(ROW.format(3)).value < 0.9

    @pytest.mark.parametrize(
        "line",
        [
            "SYSCALL                   COUNT        TIME (us)",
            "SYSCALL                   COUNT",
            "SOFTIRQ          TOTAL_usecs",
            "HARDIRQ                    TOTAL_usecs",
            "nvme0n1    p1    p5   p10   p16   p25   p50   p75   p84   p90   p95   p99  p100",
            '{"read": {"1": 2.5e-05, "5": 3.5e-05}}',
        ],
    )
    def test_tables_without_a_distribution_are_claimed_and_refused(self, line: str) -> None:
        assert BPF.detect(f"{line}\n").value >= 0.9
        with pytest.raises(Refused, match=r"text:1: .*(would work|print histograms)"):
            decode(line)


PREFIXED = "\n".join(
    f"host1: {line}" for line in [BANNER, "", "10:00:00", BCC.format("usecs"), ROW.format(5), "", "10:00:01"]
)


class TestRejectedRows:
    def test_a_heading_behind_a_prefix_is_none(self) -> None:
        assert records(decode(PREFIXED)) == []
        assert BPF.detect(PREFIXED).value < 0.9

    def test_a_histogram_whose_rows_were_all_rejected_is_no_zero(self) -> None:
        report = Report("text")
        text = f"10:00:00\n{BCC.format('usecs')}\n> 64 -> 127 : 5\n> 128 -> 255 : 2\n\n10:00:01\n"
        assert records(decode(text, report)) == []
        assert report.bad_count == 2

    def test_noise_between_rows_costs_none_of_them(self) -> None:
        noise = "ls: cannot access 'x': No such file or directory"
        text = f"10:00:00\n{BCC.format('usecs')}\n{ROW.format(5)}\n{noise}\n{ROW.format(2)}\n\n"
        assert only(text).events == 7

    def test_one_without_rows_is_a_zero(self) -> None:
        assert only(f"10:00:00\n{BCC.format('usecs')}\n\n").ranges == ()


def test_numbers_of_calls_are_refused() -> None:
    with pytest.raises(Refused, match="funccount prints how often"):
        decode(
            "Tracing 3 functions for \"b'vfs_*'\"... Hit Ctrl-C to end.\n\nFUNC            COUNT\nb'vfs_read'   100\n"
        )


@pytest.mark.parametrize(
    "line",
    [
        *("pid = 1234", "disk = sda", "flags = Sync-Write", "pid = unknown", "addr = 10.0.0.1:80"),
        *("disk = loop0\t", "disk = loop0\t\t", "disk = sda\tflags = Sync-Write", "disk = sda\tflags = Read\t"),
        *("disk = sda\t\tflags = Read", "\tdisk = sda", "disk = ", "disk = sda\tflags", "disk = sda\r", "\t", ""),
    ],
)
def test_plain_sections_are_what_the_grammar_reads(line: str) -> None:
    assert section_of(line) == section_of(f" {line}")


class TestDamage:
    """Prints with times above them, one of which is damaged."""

    @staticmethod
    def prints(*clocks: str, titles: tuple[str, ...] = ("",)) -> str:
        rows = f"{BCC.format('usecs')}\n{ROW.format(7)}\n"
        return "".join(
            f"\n{clock}\n" + "".join(f"{title and chr(10) + title + chr(10)}{rows}" for title in titles)
            for clock in clocks
        )

    @pytest.mark.parametrize(
        "clock",
        [
            "1?:00:03",
            "12:0x:03",
            "12?00:03",
            "1200:03",
            "12:00?03",
            "12::03",
            ":00:03",
            "12:00:0",
            "42:00:03",
            "12;00;03",
        ],
    )
    @pytest.mark.parametrize("titles", [("",), ("disk = sda", "disk = sdb")])
    def test_a_print_whose_time_is_damaged_is_one_of_its_own(self, clock: str, titles: tuple[str, ...]) -> None:
        said: list[str] = []
        text = self.prints("12:00:01", "12:00:02", clock, "12:00:04", titles=titles)
        events = decode(text, Report("text", say=said.append))
        assert [len(records(part)) for part in split_at_ticks(events)] == [len(titles)] * 4
        (told,) = said
        assert "its print is placed between those before and after it" in told

    @pytest.mark.parametrize("titles", [("",), ("disk = sda", "disk = sdb")])
    def test_a_print_whose_time_is_lost_is_one_of_its_own(self, titles: tuple[str, ...]) -> None:
        text = self.prints("12:00:01", "12:00:02", "12:00:03", "12:00:04", titles=titles).replace("12:00:03\n", "")
        said: list[str] = []
        events = decode(text, Report("text", say=said.append))
        assert [len(records(part)) for part in split_at_ticks(events)] == [len(titles)] * 4
        assert len(said) == 1

    def test_two_sections_with_one_title_both_stay(self) -> None:
        titles = ("disk = sda", "disk = sda", "disk = sdb")
        report = Report("text")
        events = decode(self.prints("12:00:01", "12:00:02", "12:00:03", titles=titles), report)
        assert [one.series for one in records(events)] == ["sda", "sda#2", "sdb"] * 3
        assert [one.events for one in records(events)] == [7] * 9
        assert not report.bad_count

    def test_a_section_that_comes_many_times_in_a_print_makes_few_series(self) -> None:
        events = decode(self.prints("12:00:01", "12:00:02", titles=("disk = sda",) * 40))
        assert len({one.series for one in records(events)}) == 8
        assert sum(one.events for one in records(events)) == 7 * 80

    def test_a_negative_count_is_none(self) -> None:
        said: list[str] = []
        text = f"12:00:01\n{BCC.format('usecs')}\n{ROW.format(7)}\n 4 -> 7 : -20 |**|\n"
        (record,) = records(decode(text, Report("text", say=said.append)))
        assert record.events == 7
        assert said == ["text:4: not a row of a histogram: 4 -> 7 : -20"]

    def test_a_negative_count_of_libbpf_tools_with_a_short_bar_is_none(self) -> None:
        said: list[str] = []
        rows = (
            " 1 -> 1 : 30 |***************     |\n 2 -> 3 : -20 |**********          |\n 4 -> 7 : 60 |"
            + "*" * 30
            + "|\n"
        )
        (record,) = records(decode(f"{LIBBPF.format('usecs')}\n{rows}", Report("text", say=said.append)))
        assert record.ranges == ((1, 2, 30), (4, 8, 60))
        assert said == ["text:3: not a row of a histogram: 2 -> 3 : -20"]


def split_at_ticks(events: list[Event]) -> list[list[Event]]:
    """The events of each print."""
    parts: list[list[Event]] = []
    for event in events:
        if isinstance(event, Tick):
            parts.append([])
        elif parts:
            parts[-1].append(event)
    return parts

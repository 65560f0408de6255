"""The bpftrace collector, form by form, on texts small enough to count by hand."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pylatencymap import registry
from pylatencymap.collector import Known
from pylatencymap.errors import Refused
from pylatencymap.record import Clock, Event, Record, Semantics, Tick
from pylatencymap.report import Report
from pylatencymap.text.block_devices import with_device_names
from pylatencymap.text.lines import Line, lines_of
from pylatencymap.units import Unit

BPFTRACE = registry.load_collector("bpftrace")
SAMPLES = Path(__file__).parent / "samples" / "bpftrace"
BAR = "|@@@                                                 |"


def decode(text: str, report: Report | None = None, unit: Unit | None = None, live: bool = False) -> list[Event]:
    return list(BPFTRACE.decode(lines_of(text), report or Report("text"), Known(unit, live)))


def records(events: list[Event]) -> list[Record]:
    return [event for event in events if isinstance(event, Record)]


def sample(name: str, **options: Any) -> list[Event]:
    return decode((SAMPLES / f"{name}.txt").read_text(), **options)


def hist(name: str = "us", *rows: tuple[str, int], key: str | None = None) -> str:
    """A histogram as bpftrace prints it; one row of 1 event without any."""
    heading = f"@{name}: " if key is None else f"@{name}[{key}]: "
    return (
        "\n".join([heading, *(f"{bounds:<16}{count:8d} {BAR}" for bounds, count in rows or [("[2, 4)", 1)])]) + "\n\n"
    )


def message(name: str, value: Any, kind: str = "hist") -> str:
    return json.dumps({"type": kind, "data": {f"@{name}": value}}) + "\n"


def only(text: str, **options: Any) -> Record:
    (record,) = records(decode(text, **options))
    return record


def shape(events: list[Event]) -> str:
    """Ticks as bars, records as their series with their events: ``|sda 3,sdb 1|sda 2``."""
    ticks: list[list[str]] = []
    for event in events:
        if isinstance(event, Tick):
            ticks.append([])
        elif isinstance(event, Record):
            ticks[-1].append(f"{event.series} {event.events}")
    return "|".join(["", *("+".join(names) for names in ticks)])


def clocks(events: list[Event]) -> list[str]:
    """The time of day of each tick, empty for one without a stamp."""
    found = []
    for event in events:
        if isinstance(event, Tick):
            seconds = event.stamp.micros / 1e6 if event.stamp else 0
            found.append(
                f"{seconds // 3600:02.0f}:{seconds // 60 % 60:02.0f}:{seconds % 60:02.0f}" if event.stamp else ""
            )
    return found


class TestRows:
    @pytest.mark.parametrize(
        ("row", "expected"),
        [
            ("[0]", (0, 1)),
            ("[7]", (7, 8)),
            ("[2, 4)", (2, 4)),
            ("[512, 1K)", (512, 1024)),
            ("[1K, 1152)", (1024, 1152)),
            ("[7K, 8K)", (7168, 8192)),
            ("[512K, 1M)", (1 << 19, 1 << 20)),
            ("[1G, 2G)", (1 << 30, 2 << 30)),
            ("[1T, 2T)", (1 << 40, 2 << 40)),
            ("[1k, 2k)", (1024, 2048)),
            ("[1E, 2E)", (1 << 60, 2 << 60)),
            ("[10400, ...)", (10400, None)),
            ("[2000,...)", (2000, None)),
            ("(..., 100)", (0, 100)),
            ("[0, 1]", (0, 2)),
            ("[2000, 2500)", (2000, 2500)),
        ],
    )
    def test_bounds(self, row: str, expected: tuple[int, int | None]) -> None:
        assert only(hist("us", (row, 5))).ranges == ((*expected, 5),)

    @pytest.mark.parametrize("row", ["(..., 0)", "(...,0]", "[-10, -5)"])
    def test_what_is_below_0_is_told_and_not_drawn(self, row: str) -> None:
        said: list[str] = []
        found = only(hist("us", (row, 3), ("[2, 4)", 2)), report=Report("text", say=said.append))
        assert found.ranges == ((2, 4, 2),)
        assert said == ["text:2: 3 latencies below 0 in @us are left out"]

    def test_events_that_were_lost_are_told_between_two_rows(self) -> None:
        report = Report("text")
        first, *rest = hist("us", ("[2, 4)", 2), ("[4, 8)", 1)).splitlines(keepends=True)
        lost = "".join([first, rest[0], "Lost 7 events\n", *rest[1:]])
        assert only(lost, report=report).ranges == ((2, 4, 2), (4, 8, 1))
        assert report.bad_count == 1

    @pytest.mark.parametrize(
        "noise", ["# comment", "[512, 1x)      3 |@@@|", "[8, 16)      41 |@@ |[16, 32)      68 |@ |"]
    )
    def test_a_line_between_two_rows_costs_that_line(self, noise: str) -> None:
        report = Report("text")
        first, *rest = hist("us", ("[2, 4)", 2), ("[32, 64)", 1)).splitlines(keepends=True)
        text = "".join([first, rest[0], f"{noise}\n", *rest[1:]])
        assert only(text + "10:00:01\n" * 2, report=report).ranges == ((2, 4, 2), (32, 64, 1))
        assert report.bad_count == 1

    def test_rows_that_do_not_ascend_are_not_of_the_map_above_the_noise(self) -> None:
        report = Report("text")
        first, *rows = hist("us", ("[2, 4)", 2), ("[4, 8)", 1)).splitlines(keepends=True)
        assert only("".join([first, *rows[:2], "noise\n", *rows]), report=report).ranges == ((2, 4, 2), (4, 8, 1))
        assert report.bad_count == 2

    @pytest.mark.parametrize("uptimes", [(1878, 1879, 1889, 1881, 1882), (1878, 4879, 1880, 1881), (1878, 1881, 1880)])
    def test_an_uptime_after_a_damaged_one_is_a_moment(self, uptimes: tuple[int, ...]) -> None:
        text = "".join(f"{uptime}\n{hist('us', ('[2, 4)', 2))}" for uptime in uptimes)
        found = [event.stamp.micros for event in decode(text) if isinstance(event, Tick) and event.stamp]
        assert found == [uptime * 1_000_000 for uptime in uptimes]

    def test_a_damaged_moment_between_two_prints_joins_no_keys(self) -> None:
        def prints(moment: str, events: int) -> str:
            return moment + "\n" + "".join(hist("us", ("[2, 4)", events), key=key) for key in ("8, R", "8, W"))

        text = prints("10:00:00", 2) + prints("100:00:01", 3) + prints("10:00:02", 4)
        assert shape(decode(text)) == "|8,R 2+8,W 2|8,R 3+8,W 3|8,R 4+8,W 4"

    def test_empty_rows_below_0_are_not_told(self) -> None:
        report = Report("text")
        assert only(hist("us", ("(...,0]", 0), ("[0, 200)", 2)), report=report).ranges == ((0, 200, 2),)
        assert report.bad_count == 0

    @pytest.mark.parametrize("row", ["[4, 2)", "[2, 2)", "[99999999999999999999, ...)", "[1E, 99999999E)"])
    def test_impossible_rows_are_reported(self, row: str) -> None:
        report = Report("text")
        assert only(hist("us", (row, 3), ("[2, 4)", 2)), report=report).ranges == ((2, 4, 2),)
        assert report.bad_count == 1

    def test_a_row_that_was_cut_off_and_a_row_of_nothing_are_reported(self) -> None:
        said: list[str] = []
        text = f"[2, 4)  7 {BAR}\n" + hist()[:-1] + "[4, 8)               12"
        assert only(text, report=Report("text", say=said.append)).ranges == ((2, 4, 1),)
        assert [line.split(":")[1] for line in said] == ["1", "4"]

    @given(st.lists(st.integers(0, 10**9), min_size=1, max_size=40))
    def test_what_bpftrace_prints_is_what_is_read(self, counts: list[int]) -> None:
        def label(power: int) -> str:
            return f"{1 << power % 10}{['', 'K', 'M', 'G', 'T'][power // 10]}"

        rows = [(f"[{label(n)}, {label(n + 1)})", count) for n, count in enumerate(counts)]
        expected = tuple((1 << n, 2 << n, count) for n, count in enumerate(counts) if count)
        assert only(hist("ns", *rows)).ranges == expected
        buckets = [{"min": 1 << n, "max": (2 << n) - 1, "count": count} for n, count in enumerate(counts)]
        assert only(message("ns", buckets)).ranges == expected


class TestMaps:
    @pytest.mark.parametrize(
        ("name", "unit"),
        [
            ("us", Unit.US),
            ("usecs", Unit.US),
            ("ns", Unit.NS),
            ("nsecs", Unit.NS),
            ("lat_ms", Unit.MS),
            ("read_latency_us", Unit.US),
            ("us_read", Unit.US),
            ("readLatencyUs", Unit.US),
            ("pread_usecs", Unit.US),
            ("microseconds", Unit.US),
        ],
    )
    def test_units_come_from_names(self, name: str, unit: Unit) -> None:
        found = only(hist(name), unit=Unit.MS if unit is not Unit.MS else Unit.NS)
        assert (found.unit, found.ranges) == (unit, ((2, 4, 1),))

    @pytest.mark.parametrize("name", ["secs", "lat_s", "sec"])
    def test_seconds_are_milliseconds(self, name: str) -> None:
        text = hist(name, ("[2, 4)", 1), ("[8, ...)", 2))
        assert (only(text).unit, only(text).ranges) == (Unit.MS, ((2000, 4000, 1), (8000, None, 2)))

    @pytest.mark.parametrize("name", ["", "hist", "lat", "business", "s", "bytes", "cpu"])
    @pytest.mark.parametrize(
        "form", [lambda name: hist(name), lambda name: message(name, [{"min": 2, "max": 3, "count": 1}])]
    )
    def test_other_names_need_a_unit(self, name: str, form: Any) -> None:
        assert only(form(name), unit=Unit.NS).unit is Unit.NS
        with pytest.raises(Refused, match=rf"^text:1: .*@{name}.*what would work"):
            decode(form(name))

    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            ("bytes", "sizes, not a time"),
            ("req_size", "sizes, not a time"),
            ("runqlen", "lengths, not a time"),
            ("cpu", "numbers of something, not a time"),
            ("backlog", "numbers of something, not a time"),
            ("hist", "tells no unit of time; what would work is --unit us"),
        ],
    )
    def test_the_reason(self, name: str, reason: str) -> None:
        with pytest.raises(Refused, match=reason):
            decode(hist(name))

    def test_sizes_in_all_prints_are_refused_at_the_end(self) -> None:
        taken: list[Line | None] = []

        def lines() -> Iterator[Line | None]:
            for line in lines_of(hist("bytes") * 50):
                taken.append(line)
                yield line

        with pytest.raises(Refused, match="sizes"):
            list(BPFTRACE.decode(lines(), Report("text")))
        assert len(taken) == 50 * hist("bytes").count("\n")

    def test_what_is_no_time_costs_only_itself(self) -> None:
        said: list[str] = []
        events = sample("two-maps", report=Report("text", say=said.append))
        assert shape(events) == "|loop_us 190+vda_us 268|loop_us 189+vda_us 267|loop_us 188+vda_us 266"
        assert len(said) == 1
        assert "text:14: the map @bytes holds sizes, not a time" in said[0]

    @pytest.mark.parametrize(
        ("key", "series"),
        [
            (None, "all"),
            ("7340032", "7340032"),
            ("7340032, R", "7340032,R"),
            ("nvme0n1, R, kworker/1:0H", "nvme0n1,R,kworker/1:0H"),
            ("", "unknown"),
            (", R", "unknown,R"),
            ("a]: b", "a]: b"),
            ("\x1b[31mred", r"\x1b[31mred"),
        ],
    )
    def test_series(self, key: str | None, series: str) -> None:
        assert only(hist("us", key=key)).series == series
        value = [{"min": 2, "max": 3, "count": 1}]
        assert only(message("us", value if key is None else {key.replace(", ", ","): value})).series == series

    def test_equal_keys_of_two_maps_are_two_series(self) -> None:
        text = hist("read_us", key="fio") + hist("write_us", key="fio") + hist("write_us", key="dd")
        for _ in range(2):
            text += text
        names = {record.series: record.label for record in records(decode(text))}
        assert names == {"fio": "bpftrace @read_us", "write_us,fio": "bpftrace @write_us", "dd": "bpftrace @write_us"}

    def test_too_many_series_are_summed(self) -> None:
        found = records(decode("10:00:00\n" + "".join(hist(key=f"a{n}") for n in range(5003))))
        assert len({record.series for record in found}) == 5001
        assert [record.events for record in found if record.series == "other"] == [3]

    def test_keys_of_several_lines(self) -> None:
        found = records(sample("stacks"))
        assert [record.series for record in found] == [
            "blk_account_io_start+0;blk_mq_make_request+1062",
            "blk_account_io_start+0;submit_bio+69;fio",
        ]
        assert [record.events for record in found] == [3, 5]

    @pytest.mark.parametrize("broken", ["@us[fio", "@[016(@.z>|.xz,4@:5 ]<9 ]"])
    def test_a_key_that_does_not_end_costs_its_print(self, broken: str) -> None:
        report = Report("test")
        _, *rows = hist("us", key="fio").splitlines()
        damaged = "\n".join([broken, *rows])
        text = hist("us", key="fio") + damaged + "\n\n" + hist("us", key="fio")
        lines = [record.line for record in records(decode(text, report)) if record.ranges]
        assert lines == [1, 1 + len((hist("us", key="fio") + damaged + "\n\n").splitlines())]
        assert report.bad_count > 0

    def test_device_numbers_have_names_only_live(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "7:0").symlink_to("../../devices/virtual/block/loop0")
        here = partial(with_device_names, folder=str(tmp_path))
        monkeypatch.setattr("pylatencymap.collectors.bpftrace.maps.with_device_names", here)
        text = hist(key="7340032, R") + hist(key="1792") + hist("disk_us", key="1792")
        assert [one.series for one in records(decode(text))] == ["7340032,R", "1792", "disk_us,1792"]
        assert [one.series for one in records(decode(text, live=True))] == ["loop0,R", "1792", "loop0"]


class TestPrints:
    def test_stamped(self) -> None:
        events = sample("keys-stamped")
        assert shape(events) == "|7340032,R 16+7340032,W 40|7340032,R 10||7340032,W 4+7340032,R 17"
        assert clocks(events) == ["10:00:00", "10:00:01", "10:00:02", "10:00:03"]
        stamps = [event.stamp for event in events if isinstance(event, Tick)]
        assert all(stamp and stamp.clock is Clock.DAY and stamp.whole for stamp in stamps)
        assert {record.semantics for record in records(events)} == {Semantics.OPEN}
        assert {(record.label, record.source) for record in records(events)} == {("bpftrace @us", "bpftrace")}

    def test_uptime_in_seconds_is_a_clock_of_its_own(self) -> None:
        events = sample("cumulative-uptime")
        stamps = [event.stamp for event in events if isinstance(event, Tick)]
        assert [stamp and (stamp.micros // 1_000_000, stamp.clock) for stamp in stamps] == [
            (1878 + n, Clock.FREE) for n in (0, 1, 2, 3, 3)
        ]
        assert shape(events) == "|all 13|all 18|all 25|all 34|all 34"

    def test_without_stamps_a_print_begins_where_a_map_comes_again(self) -> None:
        one, two = hist("us", key="a") + hist("us", key="b"), hist("write_us")
        events = decode((one + two) * 3)
        assert shape(events) == "|a 1+b 1+write_us 1" * 3
        assert clocks(events) == ["", "", ""]
        assert shape(decode(one * 3)) == "|a 1+b 1" * 3
        assert shape(decode(two * 3)) == "|write_us 1" * 3

    def test_one_moment_above_two_maps_is_one_print(self) -> None:
        text = "".join(f"10:00:0{n}\n{hist('us', key='a')}10:00:0{n}\n{hist('ms', key='b')}" for n in range(3))
        assert shape(decode(text)) == "|a 1+b 1" * 3

    def test_moments_may_stand_below_their_prints(self) -> None:
        text = "Attaching 2 probes...\n" + "".join(f"{hist(key='a')}10:00:0{n}\n" for n in range(3))
        for ending, more in (("", ""), ("10:00:03\n", "|"), (hist(key="a"), "|a 1")):
            events = decode(text + ending)
            assert shape(events) == "|a 1" * 3 + more
            last = {"": [], "|": ["10:00:03"], "|a 1": ["10:00:02"]}[more]
            assert clocks(events) == ["10:00:00", "10:00:01", "10:00:02", *last]
            assert all(record.stamp is not None for record in records(events))

    def test_moments_below_their_prints_in_messages(self) -> None:
        print_of = message("us", {"a": [{"min": 2, "max": 3, "count": 1}]})
        text = "".join(print_of + json.dumps({"type": "time", "data": f"10:00:0{n}\n"}) + "\n" for n in range(3))
        events = decode(text)
        assert shape(events) == "|a 1" * 3
        assert clocks(events) == ["10:00:00", "10:00:01", "10:00:02"]

    def test_sums_are_of_their_print_where_its_moment_stands_below(self) -> None:
        text = "".join(f"{hist()}@sum: {2 + n}\n10:00:0{n}\n" for n in range(2))
        assert [record.waited for record in records(decode(text))] == [2e-6, 3e-6]

    def test_a_text_that_has_lost_its_beginning_has_moments_above_its_prints(self) -> None:
        text = f"[2, 4)  7 {BAR}\n{hist('ms')}" + "".join(f"10:00:0{n}\n{hist('ms')}" for n in range(2))
        assert clocks(decode(text)) == ["", "10:00:00", "10:00:01"]

    @pytest.mark.parametrize("pauses", [False, True])
    def test_a_live_moment_is_of_the_print_that_it_arrives_with(self, pauses: bool) -> None:
        def live(below: bool) -> Iterator[Line | None]:
            for n in range(3):
                moment, rows = [f"10:00:0{n}"], hist().splitlines()
                for text in rows + moment if below else rows * (n == 0) + moment + rows * (n > 0):
                    late = 0.9 if not below and n == 0 and text in moment else 0.0
                    yield Line(1, text, 100.0 + n + late)
                    if pauses and not text:
                        yield None
                yield None

        assert clocks(list(BPFTRACE.decode(live(True), Report("text"))))[1:] == ["10:00:01", "10:00:02"]
        assert clocks(list(BPFTRACE.decode(live(False), Report("text")))) == ["", "10:00:00", "10:00:01", "10:00:02"]

    def test_a_heading_that_comes_again_above_the_same_map_begins_a_print(self) -> None:
        """A map of totals with keys, printed twice a second: no count may be added to the one before."""
        growing = [hist("us", ("[2, 4)", 5 + n), key="b") + hist("us", ("[2, 4)", 20 + n), key="a") for n in range(4)]
        text = "".join(f"10:00:0{n // 2}\n{rows}" for n, rows in enumerate(growing))
        assert shape(decode(text)) == "".join(f"|b {5 + n}+a {20 + n}" for n in range(4))
        more = hist(key="new") + growing[1]
        assert shape(decode(f"10:00:00\n{growing[0]}10:00:00\n{more}")) == "|b 5+a 20|new 1+b 6+a 21"

    def test_where_prints_come_more_often_than_moments_no_key_is_double(self) -> None:
        growing = [hist("us", ("[2, 4)", 5 + n), key="sda") for n in range(6)]
        text = "".join(rows + (f"10:00:0{n // 2}\n" if n % 2 else "") for n, rows in enumerate(growing))
        assert shape(decode(text)) == "".join(f"|sda {5 + n}" for n in range(6)) + "|"

    def test_two_prints_in_one_second_are_two(self) -> None:
        events = decode("".join(f"10:00:0{n // 2}\n{hist()}" for n in range(4)))
        assert shape(events) == "|all 1" * 4
        assert clocks(events) == ["10:00:00", "10:00:00", "10:00:01", "10:00:01"]

    def test_a_moment_at_the_beginning_only_is_none_of_later_prints(self) -> None:
        events = decode("Attaching 2 probes...\n10:00:00\n" + hist() * 4)
        assert clocks(events) == ["10:00:00", "10:00:00", "", ""]

    def test_a_key_that_comes_more_than_once_in_a_print_is_one_record(self) -> None:
        events = sample("doubled-keys")
        assert shape(events) == "|vda,RS,fio 4+vda,WS,fio 1|vda,WS,fio 1+vda,RS,fio 3"
        assert records(events)[0].ranges == ((1 << 16, 1 << 17, 2), (1 << 17, 1 << 18, 2))
        assert records(events)[3].ranges == ((1 << 30, 2 << 30, 3),)

    @pytest.mark.parametrize(
        ("line", "moments"),
        [
            ("08:09:16", 3),
            ("[08:09:16]", 3),
            ("--- tick 08:09:16", 3),
            ("2026-11-21 08:09:16", 3),
            ("2026-11-21T08:09:16.000000000", 3),
            ("Sat Nov 21 08:09:16 2026", 3),
            ("1795248556", 3),
            ("pid 17 opened a file at 08:09:16", 0),
            ("read 08:09:16 of 5 bytes", 0),
            ("17 bytes", 0),
        ],
    )
    def test_which_lines_are_moments(self, line: str, moments: int) -> None:
        lines = [line.replace("16", f"{16 + n}").replace("556", f"{556 + n}") for n in range(3)]
        events = decode("".join(f"{one}\n{hist()}" for one in lines))
        stamps = [event.stamp for event in events if isinstance(event, Tick)]
        assert shape(events) == "|all 1" * 3
        assert sum(stamp is not None for stamp in stamps) == moments

    def test_words_with_a_clock_are_moments_only_above_histograms(self) -> None:
        text = "fsync 10:00:00\nfsync 10:00:01\ntick 10:00:02\n" + hist() + "fsync 10:00:03\ntick 10:00:04\n"
        assert clocks(decode(text)) == ["10:00:02", "10:00:04"]

    def test_numbers_that_do_not_grow_are_no_moments(self) -> None:
        text = "".join(f"{n}\n{hist()}" for n in (17, 18, 4, 19, 25))
        assert [event.stamp is None for event in decode(text) if isinstance(event, Tick)].count(False) >= 3
        assert shape(decode(text)) == "|all 1" * 5

    def test_what_was_printed_without_ending_its_line(self) -> None:
        assert clocks(decode(f"10:00:00 {hist()}10:00:01 {hist(key='a')}")) == ["10:00:00", "10:00:01"]
        assert shape(decode(f"^C{hist()}")) == "|all 1"
        assert clocks(decode(f"10:00:00{hist()}10:00:01{hist(key='a')}")) == ["10:00:00", "10:00:01"]

    def test_a_clock_among_words_is_no_moment_of_a_histogram_with_a_moment_of_its_own(self) -> None:
        text = f"10:00:00\n{hist()}Lost our probe at 10:00:01\n10:00:03\n{hist()}"
        assert clocks(decode(text)) == ["10:00:00", "10:00:03"]

    def test_the_end_of_a_program_prints_its_maps(self) -> None:
        assert shape(sample("on-exit")) == "|all 22"
        assert clocks(sample("on-exit")) == [""]

    def test_a_pause_tells_what_is_complete(self) -> None:
        lines = list(lines_of("10:00:00\n" + hist(key="a") + hist(key="b")))
        found: list[str] = []

        def live() -> Iterator[Line | None]:
            yield from lines[:6]  # in the middle of the second histogram
            yield None
            found.append("paused")
            yield from lines[6:]
            yield None
            found.append("paused")

        for event in BPFTRACE.decode(live(), Report("text")):
            found.append(event.series if isinstance(event, Record) else "tick")
        assert found == ["tick", "paused", "a", "b", "paused"]

    def test_a_burst_and_a_key_that_comes_later_are_two_prints(self) -> None:
        def live() -> Iterator[Line | None]:
            number = 0
            for second in range(3):
                for text in (("10:00:00\n" if not second else "") + hist(key="vda, R")).split("\n")[:-1]:
                    number += 1
                    yield Line(number, text, 100.0 + second)
                yield None

        assert shape(list(BPFTRACE.decode(live(), Report("text")))) == "|vda,R 1" * 3

    def test_lost_events_are_counted_and_told(self) -> None:
        for name, count in (("linear-uneven", 12), ("json-lines", 7), ("json-new", 5)):
            said: list[str] = []
            report = Report("text", say=said.append)
            sample(name, report=report)
            assert report.bad_count == 1
            assert f"bpftrace lost {count} events" in said[0]


class TestSums:
    @pytest.mark.parametrize(
        ("numbers", "waited"),
        [
            ("@sum[a]: 17\n", 17e-6),
            ("@us_sum[a]: 17\n@ms_sum[a]: 16\n", 17e-6),
            ("@st[a]: count 5, average 3, total 17\n", 17e-6),
            ("@st[a]: count 6, average 3, total 17\n", None),
            ("@sum[b]: 17\n", None),
            ("@sum: 17\n", None),
            ("@start[a]: 17\n", None),
            ("@sum[a]: 9\n", None),
            ("@sum[a]: 21\n", None),
            ("", None),
        ],
    )
    def test_a_sum_beside_a_histogram_is_its_exact_time(self, numbers: str, waited: float | None) -> None:
        found = only(hist("us", ("[2, 4)", 5), key="a") + numbers)
        assert found.waited == (pytest.approx(waited) if waited else None)

    def test_sums_of_open_rows_have_no_upper_limit(self) -> None:
        assert only(hist("ms", ("[2, ...)", 5)) + "@total: 1234567\n").waited == pytest.approx(1234.567)

    def test_sums_are_of_their_print_only(self) -> None:
        text = "".join(f"10:00:0{n}\n{hist(key='a')}" + ("@sum[a]: 3\n" if n == 1 else "") for n in range(3))
        assert [one.waited for one in records(decode(text))] == [None, pytest.approx(3e-6), None]

    @pytest.mark.parametrize("moment", [True, False])
    @pytest.mark.parametrize("first", [True, False])
    def test_sums_come_before_their_histograms_or_after_them(self, moment: bool, first: bool) -> None:
        text = ""
        for n in range(1, 4):
            parts = [f"@sum: {3 * n}\n", hist("us", ("[2, 4)", n))]
            text += (f"10:00:0{n}\n" if moment else "") + "".join(parts if first else reversed(parts))
        assert [one.waited for one in records(decode(text))] == [pytest.approx(3e-6 * n) for n in (1, 2, 3)]

    def test_of_messages(self) -> None:
        value = [{"min": 2, "max": 3, "count": 5}]
        stats = {"count": 5, "average": 3, "total": 17}
        for more in (
            message("sum", {"a,b": 17}, "map"),
            message("st", {"a,b": stats}, "stats"),
            message("sum", {"a,b": "17"}, "map"),
        ):
            assert only(message("us", {"a,b": value}) + more).waited == pytest.approx(17e-6)
        assert only(message("us", value) + message("st", stats, "stats")).waited == pytest.approx(17e-6)


class TestMessages:
    def test_one_a_line(self) -> None:
        events = sample("json-lines")
        assert shape(events) == "|7340032 35+266338304 3|7340032 39+266338304 4|7340032 13+266338304 5"
        assert clocks(events) == ["08:09:14", "08:09:15", "08:09:16"]
        assert records(events)[1].ranges == ((16, 32, 2), (8192, 16384, 1))
        assert records(events)[0].waited == pytest.approx(35 * 120e-6)

    def test_pretty_ones_with_bounds_that_are_missing(self) -> None:
        report = Report("text")
        events = sample("json-pretty", report=report)
        assert shape(events) == "".join(f"|lat_ms {6 + 2 * n}" for n in range(4))
        assert records(events)[0].ranges == ((0, 1, 3), (256, 512, 1), (512, None, 2))
        assert report.bad_count == 4

    def test_members_of_one_name(self) -> None:
        events = sample("json-doubled")
        assert shape(events) == "|vda,RS,fio 7+vda,WS,fio 1"
        assert records(events)[0].ranges == ((1 << 17, 1 << 18, 5), (1 << 18, 1 << 19, 2))

    def test_numbers_as_strings_and_maps_that_were_zeroed(self) -> None:
        events = sample("json-new")
        assert shape(events) == "|fio 9|fio 0|fio 2"
        assert records(events)[0].ranges == ((0, 1, 3), (1, 2, 4), (64, 9007199254740994, 2))

    @pytest.mark.parametrize(
        "row",
        [
            "{}",
            '{"min": 2, "max": 3}',
            '{"count": 3}',
            '{"min": 2, "max": 3, "count": -1}',
            '{"min": 4, "max": 2, "count": 1}',
            '{"min": 2, "max": 3, "count": 1.5}',
            '{"min": 2, "max": 3, "count": true}',
            '{"min": 2, "max": 3, "count": NaN}',
            '{"min": 2, "max": Infinity, "count": 1}',
            '{"min": 2, "max": "9999999999999999999999", "count": 1}',
            '{"min": 2, "max": 3, "count": %s}' % (10**30),
            "7",
            "null",
            '"x"',
            "[]",
        ],
    )
    def test_bad_buckets_cost_themselves(self, row: str) -> None:
        report = Report("text")
        text = f'{{"type": "hist", "data": {{"@us": [{{"min": 2, "max": 3, "count": 7}}, {row}]}}}}\n'
        found = only(text, report=report)
        assert found.events == 7
        assert report.bad_count == 1

    @pytest.mark.parametrize(
        "bad",
        [
            '{"type": "hist", "data": {"@us": 5}}',
            '{"type": "hist", "data": {"@us": {"a": {"b": []}}}}',
            '{"type": "hist", "data": {"@us": [{"min": 2, "max": 3, "count": %s}]}}' % ("9" * 5000),
            '{"type": "hist", "data": %s}' % ("[" * 100_000),
            '{"type": "hist", "data": {"@us": ',
        ],
        ids=["number", "nested", "digits", "deep", "cut"],
    )
    def test_bad_messages_cost_themselves(self, bad: str) -> None:
        report = Report("text")
        good = message("us", [{"min": 2, "max": 3, "count": 7}])
        assert records(decode(f"{good}{bad}\n{good}", report=report))[-1].events == 7
        assert report.bad_count == 1

    @pytest.mark.parametrize(
        "odd",
        [
            "{}",
            '{"type": "hist"}',
            '{"type": "hist", "data": []}',
            '{"type": ["hist"], "data": {}}',
            '{"type": "time", "data": {}}',
            '{"type": "stats", "data": {"@st": {"a": {"count": "x"}}}}',
            '{"type": "map", "data": {"@st": {"a": [1, 2]}}}',
            '{"type": "value", "data": 5}',
            '{"type": "print_error", "msg": "no", "filename": "x", "line": 1, "col": 2}',
        ],
    )
    def test_other_messages_are_passed_over(self, odd: str) -> None:
        report = Report("text")
        assert only(f"{odd}\n" + message("us", [{"min": 2, "max": 3, "count": 7}]), report=report).events == 7
        assert report.bad_count == 0


class TestRefusals:
    @pytest.mark.parametrize(
        "text",
        [
            (SAMPLES / "tseries-refused.txt").read_text(),
            message("reads", [{"interval_start": "12:00:00.500", "value": 5}], "tseries"),
        ],
    )
    def test_time_series(self, text: str) -> None:
        assert BPFTRACE.detect(text).value >= 0.9
        with pytest.raises(Refused, match=r"tseries.*single values over time, no distribution; what would work"):
            decode(text)

    def test_text_without_histograms(self) -> None:
        with pytest.raises(Refused, match="no histogram in it; what would work"):
            decode("Attaching 1 probe...\n^C\n\n@reads: 5\n")

    def test_a_source_that_was_idle_is_not_refused(self) -> None:
        assert shape(decode("Attaching 1 probe...\n10:00:00\n10:00:01\n")) == "||"


class TestDetect:
    @pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.txt")), ids=lambda path: path.stem)
    def test_as_soon_as_the_first_histogram_is_there(self, path: Path) -> None:
        lines = path.read_text().splitlines()
        first = next(n for n, line in enumerate(lines, 1) if "|" in line or '"data"' in line or '"count"' in line)
        assert BPFTRACE.detect("\n".join(lines[:first])).value >= 0.9

    @pytest.mark.parametrize(
        "text",
        [
            "Attaching 4 probes...\nTIME(ms)     DISK    COMM             PID    LAT(ms)\n12  vda fio 13519        0\n",
            "[1.02us, 2.05us)       1054 |@@@|\n",
            "           value  ------------- Distribution ------------- count\n    16384 |@@@@@@@@@ 4\n",
            "@everyone: read this\nmail me @home\n",
            '{"type": "event", "data": 5}\n',
        ],
    )
    def test_not_the_text_of_others(self, text: str) -> None:
        assert BPFTRACE.detect(text).value < 0.5

    def test_an_idle_script_is_waited_for(self) -> None:
        assert 0.5 <= BPFTRACE.detect("Attaching 2 probes...\n" + "10:00:00\n" * 290).value < 0.9

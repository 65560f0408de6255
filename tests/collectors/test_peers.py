"""Texts of other tools in forms that once went wrong, one rule per class; each rule holds for all sources it names."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pylatencymap import registry
from pylatencymap.collector import NOTHING_KNOWN, Columns, Known
from pylatencymap.errors import Refused
from pylatencymap.hints import hint_of
from pylatencymap.record import Clock, Decoded, Record, Sample, Semantics
from pylatencymap.report import Report
from pylatencymap.text.lines import Line, lines_of
from pylatencymap.units import Unit

STAP = """value |-------------------------------------------------- count
    1 |                                                   0
    2 |@@@@@                                              5
    4 |                                                   0

"""
DTRACE = """
           value  ------------- Distribution ------------- count
               1 |                                         0
               2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 5
               4 |                                         0

"""
BPFTRACE = "@:\n[2, 4)                 5 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n\n"
BPF = """     value               : count     distribution
         2 -> 3          : 5        |****************************************|
"""
SCRAPE = """# TYPE a_seconds histogram
a_seconds_bucket{le="1"} 2
a_seconds_bucket{le="+Inf"} 2
a_seconds_count 2
a_seconds_sum 1
"""
FORMS = {"systemtap": STAP, "dtrace": DTRACE, "bpftrace": BPFTRACE, "bpf": BPF}


class Said:
    """Decodes a text, and keeps what was said about it."""

    def __init__(self, collector: str, text: str, known: Known = NOTHING_KNOWN, *, live: bool = False) -> None:
        self.messages: list[str] = []
        self.report = Report("text", say=self.messages.append)
        lines = _arriving(text) if live else lines_of(text)
        decode = registry.load_collector(collector).decode
        self.events: list[Decoded] = list(decode(lines, self.report, known._replace(live=live)))

    @property
    def records(self) -> list[Record]:
        return [event for event in self.events if isinstance(event, Record)]

    @property
    def samples(self) -> list[Sample]:
        return [event for event in self.events if isinstance(event, Sample)]

    @property
    def text(self) -> str:
        return "\n".join(self.messages)


def _arriving(text: str) -> Iterator[Line | None]:
    for line in lines_of(text):
        yield line._replace(arrival=100.0 + line.number)
        if not line.text:
            yield None


def chosen(text: str) -> str:
    """The collector that is surest of a text."""
    names = registry.collector_names()
    return max(names, key=lambda name: registry.load_collector(name).detect(text).value)


class TestUnitsComeFromHeadings:
    @pytest.mark.parametrize("form", FORMS)
    @pytest.mark.parametrize(
        "value",
        [
            "Tracing I/O slower than 10 ms",
            "Max response time: 14 ms",
            "took 20 ms",
            "took 20ms",
            "every millisecond",
            "max (ms): 14",
            "the slowest was 1,400 milliseconds",
        ],
    )
    def test_a_value_is_none(self, form: str, value: str) -> None:
        text = f"{value}\n{FORMS[form]}"
        with pytest.raises(Refused, match="--unit"):
            Said(form, text)
        for unit in (Unit.US, Unit.NS):
            said = Said(form, text, Known(unit))
            assert [(record.unit, record.series) for record in said.records] == [(unit, "all")]
            assert said.messages == []

    @pytest.mark.parametrize("form", FORMS)
    @pytest.mark.parametrize(
        "heading", ["Latency distribution in microsecond:", "Latency (us), slower than 10 ms:", "I/O time in usecs"]
    )
    def test_a_heading_wins_and_contradicts_aloud(self, form: str, heading: str) -> None:
        text = f"{heading}\n{FORMS[form]}"
        assert [record.unit for record in Said(form, text).records] == [Unit.US]
        assert Said(form, text, Known(Unit.US)).messages == []
        said = Said(form, text, Known(Unit.NS))
        assert [record.unit for record in said.records] == [Unit.US]
        assert "--unit ns is not used" in said.text

    @pytest.mark.parametrize(
        ("form", "text"),
        [
            ("bpf", BPF.replace("value", "usecs")),
            ("bpftrace", BPFTRACE.replace("@:", "@usecs:")),
            ("biosnoop", "TIME(s) COMM PID LAT(us)\n1.5 cat 12 17\n2.5 cat 12 17\n"),
            ("columns", "time,latency_us\n1700000000.5,17\n"),
            ("prometheus", SCRAPE),
        ],
    )
    def test_all_sources_contradict_aloud(self, form: str, text: str) -> None:
        assert "--unit" in Said(form, text, Known(Unit.NS)).text
        assert "--unit us" not in Said(form, text, Known(Unit.US)).text or form == "prometheus"


BYTES = {
    "systemtap": "size (bytes)\n" + STAP,
    "dtrace": "size (bytes)\n" + DTRACE,
    "bpftrace": BPFTRACE.replace("@:", "@bytes:"),
    "bpf": BPF.replace("value ", "Kbytes"),
}
LATENCIES = {
    "systemtap": "read (us)\n" + STAP,
    "dtrace": "read (us)\n" + DTRACE,
    "bpftrace": BPFTRACE.replace("@:", "@us:"),
    "bpf": BPF.replace("value ", "usecs "),
}
TOTALS = "\nHARDIRQ                    TOTAL_usecs\neth0                             11441\n\n"


class TestTheFirstPrintRefusesNothing:
    @pytest.mark.parametrize("form", FORMS)
    def test_sizes_first(self, form: str) -> None:
        said = Said(form, BYTES[form] * 3 + LATENCIES[form], live=True)
        assert [record.events for record in said.records] == [5]
        assert "sizes" in said.text

    @pytest.mark.parametrize("form", FORMS)
    def test_only_sizes_are_refused_at_the_end(self, form: str) -> None:
        with pytest.raises(Refused, match="sizes"):
            Said(form, BYTES[form] * 3)

    def test_a_live_source_is_told_what_is_missing(self) -> None:
        said = Said("bpf", TOTALS * 2 + LATENCIES["bpf"], live=True)
        assert [record.events for record in said.records] == [5]
        assert said.text.count("still waiting for latencies: softirqs and hardirqs without -d") == 1

    def test_totals_alone_are_refused_at_the_end(self) -> None:
        with pytest.raises(Refused, match=r"text:2: softirqs and hardirqs without -d"):
            Said("bpf", TOTALS * 2)

    def test_messages_of_bpftrace(self) -> None:
        row = '{{"type": "hist", "data": {{"@{}": [{{"min": 2, "max": 3, "count": 5}}]}}}}\n'
        said = Said("bpftrace", row.format("bytes") * 2 + row.format("us"), live=True)
        assert [record.events for record in said.records] == [5]
        assert "still waiting" in said.text


class TestDeltas:
    FLOW = "  C TIME(us)         FILE               DELTA(us) -- FUNC\n"
    ROWS = ((0, 2, 1000), (0, 2, 1067), (1, 9, 1100), (0, 2, 1900), (1, 9, 2400), (0, 2, 2500), (1, 9, 2900))

    def flow(self, deltas: list[int]) -> str:
        rows = zip(self.ROWS, deltas, strict=True)
        return self.FLOW + "".join(f"  {cpu} {time}    f.sh {delta:12d} -> f\n" for (cpu, _, time), delta in rows)

    @pytest.mark.parametrize(
        "deltas",
        [
            pytest.param([2, 67, 2, 833, 1300, 600, 500], id="of each CPU"),
            pytest.param([2, 66, 33, 799, 500, 100, 400], id="of all"),
        ],
    )
    @pytest.mark.parametrize("live", [False, True])
    def test_the_time_since_the_row_before_is_no_latency(self, deltas: list[int], live: bool) -> None:
        with pytest.raises(Refused, match=r"'DELTA.us.' is the time since the row before.*--latency"):
            Said("columns", self.flow(deltas), live=live)

    @pytest.mark.parametrize("name", ["DELTA(us)", "delta(us)", "DELTA", "delta", "delta:us", "4", "4:us"])
    def test_the_user_may_draw_it(self, name: str) -> None:
        said = Said("columns", self.flow([2, 67, 2, 833, 1300, 600, 500]), Known(columns=Columns(latency=name)))
        assert [sample.latency for sample in said.samples] == [2, 67, 2, 833, 1300, 600, 500]

    def test_other_deltas_are_latencies(self) -> None:
        said = Said("columns", self.flow([200, 17, 900, 33, 12, 400, 77]))
        assert [sample.latency for sample in said.samples] == [200, 17, 900, 33, 12, 400, 77]

    def test_times_in_whole_seconds_show_nothing(self) -> None:
        rows = "".join(f"10:00:0{second} {second},{second}00\n".replace(",", ".") for second in range(1, 8))
        assert len(Said("columns", "TIME DELTA(ms)\n" + rows).samples) == 7

    def test_one_row_is_a_latency(self) -> None:
        assert len(Said("columns", self.FLOW + "  0 1000    f.sh  12 -> f\n").samples) == 1


UNTIMED = {
    "drsnoop": "COMM           PID     LAT(ms) PAGES\n"
    "cat            17       0.19   143\n"
    "cat            17       0.55   313\n",
    "compactsnoop": "COMM           PID    NODE ZONE         ORDER MODE      LAT(ms)           STATUS\n"
    "zsh            17     0    ZONE_DMA     -1    SYNC        0.19          complete\n"
    "zsh            17     0    ZONE_DMA     -1    SYNC        0.55          complete\n",
    "funcslower": "Tracing function calls slower than 10 us... Ctrl+C to quit.\n"
    "COMM           PID    LAT(us)             RVAL FUNC ARGS\n"
    "a b            17      190.00                3 c:open 0x1 0x2\n"
    "cat            17      550.00 ffffffffffffffff c:open 0x1 0x2\n",
    "tcppktlat": "PID     TID     COMM             LADDR           LPORT RADDR           RPORT MS\n"
    "17      18      curl             10.0.0.1        443   10.0.0.2        5000  0.19\n"
    "17      18      curl             10.0.0.1        443   10.0.0.2        5000  0.55\n",
}


class TestLatenciesWithoutTimes:
    @pytest.mark.parametrize("tool", UNTIMED)
    def test_they_are_recognised_and_follow_one_another(self, tool: str) -> None:
        assert chosen(UNTIMED[tool]) == "biosnoop"
        said = Said("biosnoop", UNTIMED[tool])
        assert [sample.latency * sample.unit.seconds for sample in said.samples] == pytest.approx([19e-5, 55e-5])
        assert [sample.micros for sample in said.samples] == [190, 740]
        assert {sample.clock for sample in said.samples} == {Clock.COUNTED}
        assert "there are no times" in said.text
        assert said.report.bad_count == 0

    @pytest.mark.parametrize("tool", UNTIMED)
    def test_in_a_pipe_they_have_the_times_of_their_arrival(self, tool: str) -> None:
        said = Said("biosnoop", UNTIMED[tool], live=True)
        assert all(sample.clock is Clock.COUNTED and sample.arrival is not None for sample in said.samples)
        assert "axis is the sum" not in said.text

    def test_how_long_connections_were_open_is_no_latency(self) -> None:
        header = "PID   COMM       LADDR           LPORT RADDR           RPORT TX_KB RX_KB MS\n"
        text = header + "17    curl       10.0.0.1        443   10.0.0.2        5000  1     2     91.79\n"
        assert all(registry.load_collector(name).detect(text).value < 0.5 for name in registry.collector_names())

    @pytest.mark.parametrize(
        ("text", "latency"),
        [
            ("name,answer_ms\na,17\nb,33\n", "answer_ms"),
            ('{"name": "a", "answer_ms": 17}\n{"name": "b", "answer_ms": 33}\n', "answer_ms"),
            ("time,latency_ms\nx,17\ny,33\n", "latency_ms"),
        ],
    )
    def test_the_user_says_that_there_are_none(self, text: str, latency: str) -> None:
        said = Said("columns", text, Known(columns=Columns(time="none", latency=latency)))
        assert [(sample.latency, sample.micros) for sample in said.samples] == [(17, 17_000), (33, 50_000)]
        assert {sample.clock for sample in said.samples} == {Clock.COUNTED}
        assert "the sum of the latencies" in said.text

    MONO = "COMM PID MONO(s) LAT(ms)\n"

    def test_a_column_that_only_rises_is_a_time(self) -> None:
        text = self.MONO + "a 17 1.5 2.5\na 17 2.5 1.5\na 17 2.5 3.5\na 17 9.5 3.5\n"
        assert chosen(text) == "columns"
        said = Said("columns", text)
        assert [sample.micros for sample in said.samples] == [1_500_000, 2_500_000, 2_500_000, 9_500_000]
        assert "'MONO(s)' only rises" in said.text

    def test_one_that_falls_is_none(self) -> None:
        text = "COMM PID AGE(s) LAT(ms)\na 17 3.5 2.5\na 17 2.5 1.5\na 17 9.5 3.5\na 17 9.5 3.5\n"
        assert chosen(text) != "columns" or registry.load_collector("columns").detect(text).value < 0.5
        with pytest.raises(Refused, match="--time"):
            Said("columns", text)


class TestSumsThatCannotBe:
    @pytest.mark.parametrize(("total", "fits"), [(12, True), (700, False), (3, False)])
    def test_a_map_of_bpftrace(self, total: int, fits: bool) -> None:
        said = Said("bpftrace", BPFTRACE.replace("@:", "@us:") + f"@us_sum: {total}\n")
        assert [record.waited for record in said.records] == [total * Unit.US.seconds if fits else None]
        assert ("@us_sum cannot be the sum of @us" in said.text) is not fits

    @pytest.mark.parametrize(("count", "fits"), [(5, True), (6, False)])
    def test_an_average_of_bcc(self, count: int, fits: bool) -> None:
        exact = f"\navg = 2 usecs, total: 12 usecs, count: {count}\n"
        said = Said("bpf", BPF.replace("value ", "usecs ") + exact)
        assert [record.waited is not None for record in said.records] == [fits]
        assert ("does not fit its histogram" in said.text) is not fits


class TestTables:
    HEADER = "TIME     STAGE                SOFTIRQ  LAT(us)        CPU    COMM\n"

    def test_values_with_blanks_in_a_column(self) -> None:
        rows = "10:00:00 irq(hard) to softirq net_rx   17             0      cat\n"
        rows += "10:00:01 soft to irq          timer    33             0      a b\n"
        said = Said("biosnoop", self.HEADER + rows)
        assert [sample.latency for sample in said.samples] == [17, 33]
        assert said.report.bad_count == 0

    def test_the_same_in_other_tables(self) -> None:
        text = "time     stage        kind  latency_us\n10:00:00 now or never one           17\n"
        text += "10:00:01 now          two           33\n"
        said = Said("columns", text, Known(columns=Columns(by=("stage",))))
        assert [(sample.latency, sample.series) for sample in said.samples] == [(17, "now or never"), (33, "now")]

    def test_numbers_on_the_left_below_a_heading_on_the_right(self) -> None:
        header = "TIME     COMM             PID            LAT(us)\n"
        for ending in ("\n", "\n^C\n"):
            said = Said("biosnoop", header + "10:00:00 cat              17     9" + ending)
            assert [sample.latency for sample in said.samples] == [9]
            assert said.report.bad_count == 0

    def test_a_last_row_without_a_line_feed_can_be_cut_off(self) -> None:
        row = "10:00:00 cat              17                  {}\n"
        text = "TIME     COMM             PID            LAT(us)\n" + row.format(91) + row.format(92)
        assert len(Said("biosnoop", text).samples) == 2
        assert len(Said("biosnoop", text[:-2]).samples) == 1

    @pytest.mark.parametrize("form", ["systemtap", "dtrace"])
    def test_a_last_row_with_a_line_feed_is_whole(self, form: str) -> None:
        bar = "|@@@@@ " if form == "dtrace" else "|@@@@@"
        rows = "".join(f"  {label} {bar} {label}\n" for label in (1, 2, 4))
        text = "read (us)\n" + FORMS[form].partition("count\n")[0] + "count\n" + rows
        assert [record.ranges[-1] for record in Said(form, text).records] == [(4, 8, 4)]
        assert Said(form, text.rstrip("\n")).records == []

    def test_rows_below_a_header_without_a_time_are_counted(self) -> None:
        timed = "TIME(s) COMM PID LAT(ms)\n1.5 cat 17 2.5\n2.5 cat 17 2.5\n"
        said = Said("biosnoop", timed + "COMM PID LAT(ms)\ncat 17 3.5\ncat 17 3.5\n" + timed)
        assert len(said.samples) == 4
        assert said.report.bad_count == 2
        assert "an event without a time, below a header without one" in said.text

    def test_rows_that_begin_with_a_word_are_not_passed_over(self) -> None:
        said = Said("biosnoop", UNTIMED["drsnoop"] + "cat            17       0.x5   143\n")
        assert len(said.samples) == 2
        assert said.report.bad_count == 1


NOISE = ["^C", "[...]", "...", "Tracing block I/O... Hit Ctrl-C to end.", "^CTracing"]


class TestNoise:
    @pytest.mark.parametrize("noise", NOISE)
    @pytest.mark.parametrize("form", FORMS)
    def test_it_is_no_title_and_no_bad_line(self, form: str, noise: str) -> None:
        plain = LATENCIES[form]
        first = Said(form, plain * 2)
        for text in (f"{noise}\n{plain}{plain}", f"{plain}{noise}\n{plain}", f"{plain}{plain}{noise}\n"):
            said = Said(form, text)
            assert [(record.series, record.events) for record in said.records] == (
                [(record.series, record.events) for record in first.records]
            )
            assert said.report.bad_count == 0

    @pytest.mark.parametrize("noise", NOISE)
    def test_nor_in_tables(self, noise: str) -> None:
        for form, text in (("columns", "time,latency_us\n1.5,17\n"), ("biosnoop", UNTIMED["drsnoop"])):
            said = Said(form, f"{text}{noise}\n")
            assert said.report.bad_count == 0
            assert said.samples


class TestOthers:
    def test_logs_of_ycsb_name_their_operation_and_are_in_microseconds(self) -> None:
        samples = (Path(__file__).parent / "samples" / "hdr" / "tags.txt").read_text().splitlines()
        line = next(line for line in samples if "HIST" in line and "Tag=" not in line)
        text = "".join(
            f"#[Logging for: {name}]\n#[Histogram log format version 1.2]\n{line}\n" for name in ("READ", "SCAN")
        )
        assert chosen(text) == "hdr"
        assert [(record.series, record.unit) for record in Said("hdr", text).records] == (
            [("READ", Unit.US), ("SCAN", Unit.US)]
        )
        assert "--unit ms is not used" in Said("hdr", text, Known(Unit.MS)).text

    def test_operations_of_ycsb_are_in_microseconds(self) -> None:
        rows = ("READ,1700000000000,120", "READ, 1700000000500, 220", "UPDATE,1700000001500,7", "READ,1700000002000,3x")
        text = "#[Logging for: READ]\n" + "\n".join(rows) + "\n"
        assert chosen(text) == "hdr"
        said = Said("hdr", text)
        assert [(one.series, one.unit, one.latency, one.micros) for one in said.samples] == [
            ("READ", Unit.US, 120, 1_700_000_000_000_000),
            ("READ", Unit.US, 220, 1_700_000_000_500_000),
            ("UPDATE", Unit.US, 7, 1_700_000_001_500_000),
        ]
        assert said.messages == ["text:5: not an interval of the log: READ,1700000002000,3x"]

    def test_perf_stat_hist_is_refused_with_the_reason(self) -> None:
        text = """Tracing net:net_dev_xmit, power-of-4, max 1048576, for 10 seconds...

            Range          : Count    Distribution
            1 -> 3         : 7        |##########                            |
            4 -> 15        : 31       |######################################|
"""
        assert chosen(text) == "bpf"
        with pytest.raises(Refused, match="perf-stat-hist counts the values of any variable"):
            Said("bpf", text)

    @pytest.mark.parametrize("prose", ["Well, so it goes.\nOn, and on.\n", "Time, and latency too\n", "a, b\nc\n"])
    def test_prose_with_a_comma_is_no_table(self, prose: str) -> None:
        assert "table" not in hint_of(prose)
        assert registry.load_collector("columns").detect(prose).value == 0

    def test_a_table_still_is_one(self) -> None:
        assert "a table in which" in hint_of("name,count of it,answer\na,5,7\n")


class TestTitles:
    @pytest.mark.parametrize("form", ["systemtap", "dtrace"])
    @pytest.mark.parametrize(
        ("titles", "names"),
        [
            (("== read (us) ==", "-- read (us) --"), ("read (us)", "read (us)#2")),
            (("CPU 0, latency (us)", "CPU 1, latency (us)"), ("CPU 0, latency (us)", "CPU 1, latency (us)")),
            (("reads (us),", "writes (us),"), ("reads (us)", "writes (us)")),
        ],
    )
    def test_two_that_collide_both_stay(self, form: str, titles: tuple[str, str], names: tuple[str, str]) -> None:
        text = "".join(f"{title}\n{FORMS[form]}" for title in titles) * 2
        assert tuple(record.series for record in Said(form, text).records) == names * 2


class TestPrometheus:
    def test_a_single_scrape_is_one_column(self) -> None:
        said = Said("prometheus", SCRAPE)
        assert [(record.events, record.semantics, record.waited) for record in said.records] == (
            [(2, Semantics.INTERVAL, 1.0)]
        )
        assert "a single scrape: one column" in said.text

    def test_two_scrapes_are_none(self) -> None:
        said = Said("prometheus", SCRAPE * 2)
        assert [record.semantics for record in said.records] == [Semantics.CUMULATIVE] * 2
        assert said.messages == []

    def test_a_sum_that_is_no_number_counts_as_told(self) -> None:
        said = Said("prometheus", SCRAPE + SCRAPE.replace("_sum 1", "_sum NaN"))
        assert [(record.events, record.waited) for record in said.records] == [(2, 1.0), (2, None)]

    @pytest.mark.parametrize(
        ("text", "hint"),
        [
            ('a_bucket{vmrange="1.0e-03...1.1e-03"} 3\n', "vmrange"),
        ],
    )
    def test_what_is_not_read_is_named(self, text: str, hint: str) -> None:
        assert hint in hint_of(text)

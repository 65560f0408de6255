"""The mysql collector, in each layout of the clients, and its captures against a second reading."""

import re
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import pytest

from pylatencymap import registry
from pylatencymap.errors import Refused
from pylatencymap.interval import Interval
from pylatencymap.intervals.difference import to_intervals
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.stages import resolve_times
from pylatencymap.record import LOST, Clock, Event, Record, Semantics, Stamp, Tick
from pylatencymap.report import Report
from pylatencymap.text.lines import Line, lines_of
from pylatencymap.units import Unit

MYSQL = registry.load_collector("mysql")
ROWS = [("0.000001", 2, "0.000001"), ("0.001000", 5, "0.002500"), ("1.000000", 1, "0.250000")]
EXPECTED = ((0, 1, 2), (1, 1000, 5), (1000, 1_000_000, 1), (1_000_000, None, 3))


def decode(text: str, report: Report | None = None) -> list[Event]:
    return list(MYSQL.decode(lines_of(text), report or Report("server")))


def records(text: str, report: Report | None = None) -> list[Record]:
    return [event for event in decode(text, report) if isinstance(event, Record)]


def grown(number: int, factors: Sequence[float] = (1, 1, 1), slow: float = 0.25) -> list[tuple[str, int, str]]:
    """Rows of a busy server's print of this number. ``factors`` falsify the totals; ``slow``: the seconds that a query
    of the last row takes.
    """
    counts = 1000 + 90 * number, 5000 + 50 * number, 400 + 10 * number
    each = 0.7e-6, 0.5e-3, slow
    totals = [count * time * factor for count, time, factor in zip(counts, each, factors, strict=True)]
    names = [time for time, *_ in ROWS]
    return [(name, count, f"{total:.6f}") for name, count, total in zip(names, counts, totals, strict=True)]


def measured(text: str, report: Report | None = None) -> list[Interval]:
    report = report or Report("server")
    return list(to_intervals(resolve_times(decode(text, report), TimeOptions(), report)))


def batch(long: int = 3, rows: list[tuple[str, int, str]] = ROWS, *, header: str = "TIME\tCOUNT\tTOTAL\n") -> str:
    body = "".join(f"{time:>14}\t{count}\t{total:>14}\n" for time, count, total in rows)
    return f"{header}{body}TOO LONG\t{long}\tTOO LONG\n"


def table(long: int = 3, first: int = 2) -> str:
    border = "+----------------+-------+----------------+\n"
    rows = [("0.000001", first, "0.000001"), *ROWS[1:], ("TOO LONG", long, "TOO LONG")]
    body = "".join(f"| {time:>14} | {count:>5} | {total:>14} |\n" for time, count, total in rows)
    return f"{border}| TIME           | COUNT | TOTAL          |\n{border}{body}{border}"


def vertical(long: int = 3) -> str:
    rows = [*ROWS, ("TOO LONG", long, "TOO LONG")]
    return "".join(
        f"*************************** {place}. row ***************************\n"
        f" TIME:       {time}\nCOUNT: {count}\nTOTAL:       {total}\n"
        for place, (time, count, total) in enumerate(rows, 1)
    )


class TestLayouts:
    @pytest.mark.parametrize(
        "text",
        [
            batch(),
            batch(header="time\tcount\ttotal\n"),
            batch(header=""),
            table(),
            vertical(),
            "4 rows in set (0.001 sec)\n\n" + table(),
        ],
    )
    def test_time_is_an_exclusive_upper_bound_in_seconds(self, text: str) -> None:
        assert MYSQL.detect(text).value >= 0.9
        (record,) = records(text)
        assert record.ranges == EXPECTED
        assert (record.series, record.unit, record.semantics) == ("all", Unit.US, Semantics.CUMULATIVE)
        assert (record.label, record.source) == ("queries", "mysql")

    def test_the_totals_are_the_time_waited_where_no_query_was_too_long(self) -> None:
        assert records(batch(0))[0].waited == pytest.approx(0.252501)
        assert records(batch(1))[0].waited is None

    @pytest.mark.parametrize("total", ["-0.002500", "NaN", "much", "7.002500"])
    def test_totals_that_are_no_times_are_told_once(self, total: str) -> None:
        said: list[str] = []
        rows = [ROWS[0], (ROWS[1][0], 5, total), ROWS[2]]
        report = Report("server", say=said.append)
        assert [one.waited for one in records(batch(0) + batch(0, rows) * 2, report)] == [
            pytest.approx(0.252501),
            None,
            None,
        ]
        assert said == [f"server:8: all: a sum of '{total}' is impossible: such times are replaced by estimates"]
        assert report.bad_count == 0

    @pytest.mark.parametrize("row", [0, 1, 2])
    @pytest.mark.parametrize("factor", [0.1, 10])
    @pytest.mark.parametrize("at", [0, 1, 3, 5])
    def test_a_total_that_does_not_fit_its_row_costs_the_time_of_its_print(
        self, at: int, factor: float, row: int
    ) -> None:
        def rows(number: int) -> list[tuple[str, int, str]]:
            return grown(number, [factor if place == row and number == at else 1 for place in range(3)])

        said: list[str] = []
        report = Report("server", say=said.append)
        text = "".join(f"{1_700_000_000 + number}\n{batch(0, rows(number))}" for number in range(7))
        found = measured(text, report)
        costs = [place for place, one in enumerate(found, 1) if one.estimated]
        assert costs
        assert set(costs) <= {at, at + 1}
        assert any("such times are replaced by estimates" in one for one in said)
        assert report.bad_count == 0

    @pytest.mark.parametrize("row", [0, 1, 2])
    @pytest.mark.parametrize("lost", [0.3, 0.5, 0.9])
    def test_a_count_that_fell_costs_no_total_of_the_next_print(self, lost: float, row: int) -> None:
        prints = [grown(number, slow=0.005) for number in range(7)]
        time, count, total = prints[3][row]
        prints[3][row] = (time, int(count * lost), total)
        said: list[str] = []
        found = records("".join(batch(0, rows) for rows in prints), Report("server", say=said.append))
        assert all(one.waited is not None for number, one in enumerate(found) if number != 3)
        assert all("is impossible" in one for one in said)

    def test_totals_are_compared_again_after_a_restart(self) -> None:
        prints = [grown(number) for number in [5, 6, 0, 1, 2]]
        said: list[str] = []
        damaged = [*prints, grown(3, [1, 10, 1]), grown(4)]
        found = records("".join(batch(0, rows) for rows in damaged), Report("server", say=said.append))
        assert [one.waited is None for one in found] == [False] * 5 + [True, False]

    @pytest.mark.parametrize("one", [batch(), batch(header=""), table(), vertical()])
    def test_each_print_is_a_tick_and_told_at_its_last_row(self, one: str) -> None:
        events = decode(one * 3)
        assert [type(event) for event in events] == [Tick, Record] * 3
        lines: list[Line | None] = [Line(number, text) for number, text in enumerate(one.splitlines(), 1)]
        assert len(list(MYSQL.decode([*lines, None], Report("server")))) == 2

    @pytest.mark.parametrize(
        ("moment", "stamp"),
        [
            ("1700000000.250000000\n", Stamp(1_700_000_000_250_000)),
            ("Tue Nov 14 22:13:20 UTC 2023\n", Stamp(1_700_000_000_000_000, whole=True)),
            ("now(6)\n2023-11-14 22:13:20.250000\n", Stamp(80_000_250_000, Clock.DAY)),
            ("+---+\n| now(6) |\n+---+\n| 2023-11-14 22:13:20.250000 |\n+---+\n", Stamp(80_000_250_000, Clock.DAY)),
        ],
    )
    def test_a_moment_before_a_print_is_its_stamp(self, moment: str, stamp: Stamp) -> None:
        (tick, record) = decode(moment + table())
        assert (tick.stamp, getattr(record, "stamp", None)) == (stamp, stamp)  # type: ignore[union-attr]

    @pytest.mark.parametrize(
        ("column", "stamp"),
        [
            ("2023-11-14 22:13:20.250000", Stamp(80_000_250_000, Clock.DAY)),
            ("1700000000.250000", Stamp(1_700_000_000_250_000)),
            ("1700000000", Stamp(1_700_000_000_000_000)),
        ],
    )
    @pytest.mark.parametrize("place", [0, 3])
    def test_a_column_with_the_moment_is_the_stamp(self, column: str, stamp: Stamp, place: int) -> None:
        rows = [line.split("\t") for line in batch().splitlines()]
        for number, row in enumerate(rows):
            row.insert(place, column if number else "unix_timestamp(now(6))")
        text = "".join("\t".join(row) + "\n" for row in rows)
        assert MYSQL.detect(text).value >= 0.9
        (record,) = records(text)
        assert (record.stamp, record.ranges, record.series) == (stamp, EXPECTED, "all")

    def test_reads_and_writes_are_series(self) -> None:
        text = "TIME\tREAD_COUNT\tREAD_TOTAL\tWRITE_COUNT\tWRITE_TOTAL\n"
        text += "  0.000010\t4\t  0.000020\t7\t  0.000030\nTOO LONG\t0\tTOO LONG\t1\tTOO LONG\n"
        assert MYSQL.detect(text).value >= 0.9
        events = decode(text * 2)
        assert [getattr(event, "series", "T") for event in events] == ["T", "read", "write", "T", "read", "write"]
        read, write = records(text)
        assert (read.ranges, read.waited) == (((0, 10, 4),), 0.00002)
        assert (write.ranges, write.waited) == (((0, 10, 7), (10, None, 1)), None)

    def test_other_columns_name_a_series(self) -> None:
        rows = [line.split("\t") for line in batch().splitlines()]
        text = "".join(
            "\t".join([*row, "db\x1b1" if number else "@@hostname"]) + "\n" for number, row in enumerate(rows)
        )
        assert records(text)[0].series == r"db\x1b1"


class TestStatements:
    HEADER = (
        "BUCKET_NUMBER\tBUCKET_TIMER_LOW\tBUCKET_TIMER_HIGH\tCOUNT_BUCKET\tCOUNT_BUCKET_AND_LOWER\tBUCKET_QUANTILE\n"
    )
    BODY = "0\t0\t10000000\t3\t3\t0.5\n1\t10000000\t10471285\t2\t5\t0.8\n449\t9\t18446744073709551615\t1\t6\t1.0\n"

    def test_picoseconds_exactly(self) -> None:
        assert MYSQL.detect(self.HEADER + self.BODY).value >= 0.9
        (record,) = records(self.HEADER + self.BODY)
        assert record.unit is Unit.NS
        assert record.ranges == ((0, 10_000, 3), (0.009, None, 1), (10_000, 10_471.285, 2))
        assert (record.waited, record.label) == (None, "statements")

    def test_digests_are_series(self) -> None:
        header = self.HEADER.replace("BUCKET_NUMBER", "SCHEMA_NAME\tDIGEST\tBUCKET_NUMBER")
        body = "".join(f"shop\t{'abcdef0123456789' * 4}\t{row}\n" for row in self.BODY.splitlines())
        assert MYSQL.detect(header + body).value >= 0.9
        assert records(header + body)[0].series == "shop,abcdef0123456789"

    def test_filtered_prints_go_on_under_the_rows_that_appear(self) -> None:
        rows = self.BODY.splitlines(keepends=True)
        text = self.HEADER + rows[0] + self.HEADER + rows[0] + rows[1] + self.HEADER + rows[1]
        assert [record.events for record in records(text)] == [3, 5, 2]


class TestBadInput:
    def test_a_flush_is_a_restart(self) -> None:
        text = "".join(
            f"170000000{second}\n" + batch(0, [("0.001000", count, "0.1"), ("1.000000", 9, "2.0")])
            for second, count in enumerate([5, 9, 13, 2])
        )
        assert [(one.reset, one.events) for one in measured(text)] == [(False, 4), (False, 4), (True, 11)]

    def test_bad_rows_and_cut_off_prints_are_told(self) -> None:
        told: list[str] = []
        report = Report("server", say=told.append)
        text = batch() + batch(rows=[("0.000001", 2, "0.0"), ("0.x", 5, "0.1"), ("1.000000", 3, "0.1")])
        found = records(text + batch()[:-30], report)
        assert [(record.ranges, LOST in record.flags) for record in found] == [(EXPECTED, False), ((), True)]
        assert [message.split(":")[1] for message in told] == ["8", "12"]

    @pytest.mark.parametrize("rows", [["0.000001", "1.000000"], ["0.000001", "0.000050", "1.000000"]])
    def test_a_histogram_with_other_bounds_is_dropped_once(self, rows: list[str]) -> None:
        usual = ["0.000001", "0.000010", "1.000000"]
        prints = [usual, rows, usual, usual]
        text = "".join(
            f"170000000{second}\n" + batch(0, [(bound, 5 * second, "0.0") for bound in bounds])
            for second, bounds in enumerate(prints)
        )
        assert [(one.seconds, one.events, one.reset) for one in measured(text)] == [(2.0, 30, False), (1.0, 15, False)]

    @pytest.mark.parametrize("place", range(4))
    def test_another_moment_in_one_row_does_not_divide_its_snapshot(self, place: int) -> None:
        header = "now(6)\tBUCKET_TIMER_LOW\tBUCKET_TIMER_HIGH\tCOUNT_BUCKET\n"
        rows = [
            f"2026-01-05 10:00:0{second}.250000\t{low}\t{low + 20_000_000}\t{low // 10_000_000 + second}\n"
            for second in range(1, 8)
            for low in range(0, 80_000_000, 20_000_000)
        ]
        damaged = rows.copy()
        damaged[12 + place] = damaged[12 + place].replace(":04.", ":02.")
        assert measured(header + "".join(damaged)) == measured(header + "".join(rows))
        said: list[str] = []
        decode(header + "".join(damaged), Report("server", say=said.append))
        assert [text.partition(": ")[2] for text in said] == [
            "the time in this row is not that of its snapshot: most rows decide"
        ]

    @pytest.mark.parametrize(
        "text",
        [
            "event_name\tcount_star\tsum_timer_wait\tmin_timer_wait\nwait/io/file/sql/FRM\t125\t1808426984\t0\n",
            "| EVENT_NAME | COUNT_STAR | SUM_TIMER_WAIT |\n+--+--+--+\n| idle | 3 | 4 |\n",
            "*** 1. row ***\n    EVENT_NAME: idle\n    COUNT_STAR: 3\nSUM_TIMER_WAIT: 4\n",
        ],
    )
    def test_sums_are_refused(self, text: str) -> None:
        assert MYSQL.detect(text).value >= 0.9
        with pytest.raises(Refused, match=r"server:\d: sums per event, no distribution; what would work"):
            decode(text)


@pytest.mark.parametrize("name", ["mariadb-query-response-time", "mariadb-query-response-time-base2"])
def test_the_captures_hold_what_their_text_holds(shared: Path, name: str) -> None:
    text = (shared / "data" / "captures" / f"{name}.txt").read_text()
    prints = re.findall(r"((?:.*\d\.\d{6}[\t |]+\d+[\t |]+\d.*\n)+).*TOO LONG[\t |]+(\d+)", text)
    found = records(text)
    assert len(found) == len(prints) == text.count("TOO LONG") // 2 >= 5
    for (rows, too_long), record in zip(prints, found, strict=True):
        numbers = [re.findall(r"\d+\.\d{6}|(?<=[\t ])\d+(?=[\t ])", row)[-3:] for row in rows.splitlines()]
        edges = [0, *(int(Decimal(time) * 10**6) for time, _, _ in numbers), None]
        counts = [*(int(count) for _, count, _ in numbers), int(too_long)]
        assert record.ranges == tuple(row for row in zip(edges, edges[1:], counts, strict=False) if row[2])
        assert record.waited == pytest.approx(float(sum(Decimal(total) for _, _, total in numbers)))
    stamps = [record.stamp for record in found]
    if name.endswith("base2"):
        assert [stamp and stamp.micros for stamp in stamps] == [
            int(seconds.replace(".", "")[:16]) for seconds in re.findall(r"^\d{10}\.\d{9}$", text, re.MULTILINE)
        ]
    else:
        assert [stamp and stamp.text for stamp in stamps] == sorted(set(re.findall(r"^2026.*?(?=\t)", text, re.M)))


def test_what_the_capture_of_sums_holds_is_refused(shared: Path) -> None:
    with pytest.raises(Refused, match="sums per event, no distribution"):
        decode((shared / "data" / "captures" / "mariadb-ps-event-waits.txt").read_text())

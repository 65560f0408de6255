"""Traces whose ``tim`` counts from another zero, and text that looks like lines of a trace: by line and by scan."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from pylatencymap import registry
from pylatencymap.collector import Known
from pylatencymap.record import Clock, Decoded, Sample
from pylatencymap.report import Report
from pylatencymap.text.lines import Line, lines_of
from tests.scan import alike as harness
from tests.scan.alike import SCANNED, UNFIT, alike, decoded_lines

TRACE = registry.load_collector("oracle_trace")
UTC = Known(tz=timezone.utc)
UP = 7_770_000_000_000
"""Microseconds since the start of the host when the traces begin."""
BEGIN = datetime(2026, 3, 9, 9, 0, 0, 250_000, timezone.utc)
ZERO = round(BEGIN.timestamp() * 1e6) - UP
LOOKS_LIKE_A_WAIT = "WAIT #1: nam='x' ela= 999999 p1=1 p2=1 p3=1 obj#=1 tim=1"
HOSTILE = f"SELECT 1 -- {{0}}\n{LOOKS_LIKE_A_WAIT}\n*** 1999-12-31 23:59:59.999\nFETCH #1:c=9,e=9,p=9,cr=9,tim=1"


def wait(tim: int, ela: int = 500, name: str = "db file sequential read") -> str:
    return f"WAIT #140527448017464: nam='{name}' ela= {ela} file#=7 block#=2 blocks=1 obj#=82015 tim={tim}"


def date(tim: int) -> str:
    return f"*** {(BEGIN + timedelta(microseconds=tim - UP)).isoformat()} (PDB1(3))"


def statement(tim: int, text: str, told: int | None = None) -> str:
    length = len(text) if told is None else told
    head = f"PARSING IN CURSOR #14052 len={length} dep=0 uid=84 oct=3 lid=84 tim={tim} hv=1 ad='f' sqlid='abc'"
    return f"=====================\n{head}\n{text}\nEND OF STMT"


def samples(text: str, known: Known = UTC, report: Report | None = None) -> list[Sample]:
    decoded = TRACE.decode(lines_of(text), report or Report("t.trc"), known)
    return [event for event in decoded if isinstance(event, Sample)]


def lines(*parts: str) -> str:
    return "".join(f"{part}\n" for part in parts)


def seconds(found: list[Sample]) -> Counter[int]:
    return Counter(one.micros // 10**6 for one in found)


def test_without_dates_each_wait_has_its_own_time() -> None:
    """Ten a second for 100 s, as ``grep WAIT`` leaves them; not 1,000 in the second that they lasted."""
    said: list[str] = []
    text = lines(*(wait(UP + 100_000 * n, 1000) for n in range(1000)))
    found = samples(text, report=Report("t.trc", say=said.append))
    assert {one.clock for one in found} == {Clock.FREE}
    assert set(seconds(found).values()) == {10}
    assert len(said) == 1
    assert "t.trc:1: no date in this trace says when it was" in said[0]


def test_waits_before_the_first_date_have_their_own_time() -> None:
    tims = [UP + 100_000 * n for n in range(1000)]
    text = lines(*map(wait, tims[:500]), date(tims[500]), *map(wait, tims[500:]))
    assert [one.micros for one in samples(text)] == [tim + ZERO for tim in tims]


def test_too_many_waits_before_the_first_date_are_placed_by_tim(monkeypatch: pytest.MonkeyPatch) -> None:
    """All on one clock: the date that comes later changes nothing."""
    monkeypatch.setattr("pylatencymap.collectors.oracle_trace.undated_waits.MOST_WAITING", 3)
    said: list[str] = []
    text = lines(*(wait(UP + n) for n in range(5)), date(UP + 5), wait(UP + 5))
    found = samples(text, report=Report("t.trc", say=said.append))
    assert [(one.micros, one.clock) for one in found] == [(UP + n, Clock.FREE) for n in range(6)]
    assert "the first date comes too late" in said[0]


def test_later_dates_correct_the_zero() -> None:
    """A head 50 s before the first wait says nothing about it; a date just before a wait does."""
    early = UP + 50_000_000
    text = lines(date(UP), wait(early), date(early + 10), wait(early + 10))
    assert [one.micros - ZERO for one in samples(text)] == [UP, early + 10]


@pytest.mark.parametrize(("off", "moves"), [(900_000, False), (1_100_000, True)])
def test_dates_that_agree_to_a_second_move_nothing(off: int, moves: bool) -> None:
    text = lines(date(UP), wait(UP), date(UP + 2_000_000 + off), wait(UP + 2_000_000))
    assert samples(text)[1].micros - ZERO - UP == 2_000_000 + off * moves


def test_a_long_wait_behind_a_date_moves_nothing() -> None:
    """The date says when the wait began, and the times before agree with it."""
    text = lines(date(UP), wait(UP), date(UP + 10), wait(UP + 60_000_000, 59_000_000), wait(UP + 60_000_005))
    assert [one.micros - ZERO - UP for one in samples(text)] == [0, 60_000_000, 60_000_005]


def test_the_same_date_again_counts_again(tmp_path: Path) -> None:
    """As lines about a session print it: with the time behind it, it tells the zero anew."""
    text = lines(date(UP), date(UP), wait(UP), date(UP), wait(UP - 10_000_000))
    assert [one.micros - ZERO - UP for one in samples(text)] == [0, 0]
    assert alike("oracle_trace", tmp_path / "t.trc", text.encode(), known=UTC) in (SCANNED, UNFIT)


def test_the_trace_of_another_host_has_its_own_zero() -> None:
    far = 10**12
    text = lines(date(UP), wait(UP), date(UP + 10), wait(UP + 10 + far), wait(UP + 20 + far))
    assert [one.micros - ZERO - UP for one in samples(text)] == [0, 10, 20]


def test_live_the_last_wait_ended_when_it_arrived() -> None:
    """Nothing waits for a date; one that comes corrects the zero."""
    said: list[str] = []
    shown = [
        Line(1, wait(UP), 5.0),
        Line(2, wait(UP + 2_000_000), 7.0),
        None,
        Line(3, wait(UP + 3_000_000), 8.0),
        Line(4, date(UP + 4_000_000), 9.0),
        Line(5, wait(UP + 4_000_000), 9.0),
    ]
    found: list[tuple[int, int]] = []

    def fed() -> Iterator[Line | None]:
        for line in shown:
            yield line
            if line is None:
                assert len(found) == 2

    known = UTC._replace(live=True, wall_offset=1_000.0)
    decoded: Iterator[Decoded] = iter(TRACE.decode(fed(), Report("t", say=said.append), known))
    for event in decoded:
        if isinstance(event, Sample):
            assert event.clock is Clock.EPOCH
            found.append((event.line, event.micros))
    assert found == [(1, 1_005_000_000), (2, 1_007_000_000), (3, 1_008_000_000), (5, UP + 4_000_000 + ZERO)]
    assert "taken to have ended when it arrived" in said[0]


@pytest.mark.parametrize(("pace", "clock"), [(1.0, Clock.EPOCH), (100.0, Clock.FREE)])
def test_waits_that_never_pause_are_live_if_they_come_as_they_happen(pace: float, clock: Clock) -> None:
    """What comes a hundred times as fast was found in a file."""
    shown = [Line(n + 1, wait(UP + round(n * 20_000 * pace)), 5.0 + n * 0.02) for n in range(100)]
    decoded = TRACE.decode(iter(shown), Report("t"), UTC._replace(live=True, wall_offset=1_000.0))
    found = [event for event in decoded if isinstance(event, Sample)]
    assert len(found) == 100
    assert {one.clock for one in found} == {clock}
    if clock is Clock.EPOCH:
        assert [one.micros for one in found] == [1_005_000_000 + n * 20_000 for n in range(100)]


@pytest.mark.parametrize("name", ["Wait for 'x' to end", "it's"])
def test_names_can_have_quotation_marks(name: str) -> None:
    assert [(one.series, one.latency) for one in samples(lines(date(UP), wait(UP, 7, name)))] == [(name, 7)]


@pytest.mark.parametrize("ela", ["18446744073709551615", "x", "-5"])
def test_a_wait_that_cannot_be_read_is_bad_and_no_call(ela: str) -> None:
    report = Report("t.trc")
    text = lines(date(UP), wait(UP), wait(UP + 1).replace("ela= 500", f"ela= {ela}"), wait(UP + 2))
    assert len(samples(text, report=report)) == 2
    assert report.bad_count == 1


def test_a_blank_before_the_number_of_the_cursor() -> None:
    assert len(samples(lines(date(UP), wait(UP).replace("#14", "# 14")))) == 1


@pytest.mark.parametrize(
    ("head", "latency", "unit"),
    [
        ("Oracle8i Enterprise Edition Release 8.1.7.4.0 - Production", 5_000_000, "ms"),
        ("Oracle9i Enterprise Edition Release 9.2.0.6.0 - 64bit Production", 500, "us"),
        ("Oracle Database 19c Enterprise Edition Release 19.0.0.0.0 - Production", 500, "us"),
    ],
)
def test_the_release_in_the_head_decides_the_unit(head: str, latency: int, unit: str) -> None:
    (one,) = samples(lines(head, date(UP), wait(UP)))
    assert (one.unit.value, one.latency * (1000 if unit == "ms" else 1)) == (unit, latency)


def test_a_unit_that_contradicts_the_release_is_told() -> None:
    said: list[str] = []
    text = lines("Oracle8i Enterprise Edition Release 8.1.7.4.0 - Production", date(UP), wait(UP))
    (one,) = samples(text, UTC._replace(tim_unit="us", tim_unit_given=True), Report("t.trc", say=said.append))
    assert one.latency == 500
    assert "its times are in cs, and --tim-unit says us" in said[0]


@pytest.mark.parametrize(("pace", "is_told"), [(1.024, True), (1.0, False), (1.05, False)])
def test_a_tim_that_runs_slower_than_the_dates_is_told(pace: float, is_told: bool) -> None:
    said: list[str] = []
    text = lines(*(f"{date(UP + n * 10**6)}\n{wait(UP + round(n * 10**6 / pace))}" for n in range(0, 90, 5)))
    samples(text, report=Report("t.trc", say=said.append))
    assert any("--tim-unit ns/1024" in one for one in said) is is_told


def without_head(pace: float, seconds: int = 90) -> str:
    """A trace as those of 8i: waits have no ``tim``, calls have, and a date comes now and then."""
    found = list[str]()
    for n in range(0, seconds, 5):
        found += [date(UP + n * 10**6), wait(0, 1).rpartition(" tim=")[0]]
        found.append(f"FETCH #1:c=0,e=1,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=4,tim={UP // 10**4 + round(n * 100 * pace)}")
    return lines(*found)


@pytest.mark.parametrize(("pace", "is_told"), [(1.0, True), (0.95, True), (0.8, False), (1.2, False), (10_000, False)])
def test_centiseconds_without_a_head_are_told(pace: float, is_told: bool, tmp_path: Path) -> None:
    """Nothing is decided by it: half of the file may have been read by then."""
    said: list[str] = []
    text = without_head(pace)
    found = samples(text, report=Report("t.trc", say=said.append))
    assert [one.unit.value for one in found] == ["us"] * 18
    told = [one for one in said if "--tim-unit cs" in one]
    assert len(told) == is_told
    assert all(one.startswith("t.trc:21: the dates and tim differ") for one in told)
    assert alike("oracle_trace", tmp_path / "t.trc", text.encode(), known=UTC) == SCANNED


def test_centiseconds_are_not_told_of_if_they_are_asked_for_or_too_short() -> None:
    for text, known in ((without_head(1.0), UTC._replace(tim_unit="cs")), (without_head(1.0, 30), UTC)):
        said: list[str] = []
        samples(text, known, Report("t.trc", say=said.append))
        assert not [one for one in said if "--tim-unit" in one]


# Text that the trace quotes.


def test_lines_of_a_statement_are_no_waits() -> None:
    text = lines(date(UP), wait(UP), statement(UP + 1, HOSTILE.format("é")), wait(UP + 2))
    assert [one.micros - ZERO - UP for one in samples(text)] == [0, 2]


@pytest.mark.parametrize("told", [0, 40, 5_000])
def test_a_statement_that_ends_elsewhere_than_is_said(told: int) -> None:
    """Its end is missing, and its length is wrong: then the lines behind it are the trace's."""
    text = statement(UP + 1, "SELECT 1 FROM dual", told).replace("\nEND OF STMT", "")
    found = samples(lines(date(UP), wait(UP), text, *(wait(UP + n) for n in range(2, 80))))
    assert len(found) == 79


def test_what_grep_leaves_of_statements_hides_no_wait() -> None:
    head = statement(UP + 1, "x", 3000).split("\n")[1]
    assert len(samples(lines(date(UP), head, wait(UP + 2), wait(UP + 3), head, wait(UP + 4)))) == 3


def test_a_statement_that_is_cut_off_at_the_end_is_none_of_waits() -> None:
    text = lines(date(UP), wait(UP), statement(UP + 1, HOSTILE)).partition("\nFETCH")[0]
    assert len(samples(text)) == 1


@pytest.mark.parametrize(("end", "waits"), [('"', 2), ("", 3)])
def test_a_value_of_several_lines(end: str, waits: int) -> None:
    """Without a closing mark it is no text, for a value is no longer than 4,000 characters."""
    value = f'BINDS #14:\n Bind#0\n  oacdty=01 mxl=2000\n  value="first\n{LOOKS_LIKE_A_WAIT}{end}'
    behind = "\n".join("=" * 100 for _ in range(50))
    assert len(samples(lines(date(UP), wait(UP), value, behind, wait(UP + 2)))) == waits


# The scan.


def made(numbers: random.Random, every: float, length: int = 300) -> list[str]:
    """Lines of a trace with dates after so many seconds, and texts of all kinds."""
    tim, told, found = UP + numbers.randrange(10**9), 0, list[str]()
    odd, lengths = (ODD, [None, None, 3]) if numbers.random() < 0.3 else (ODD[:8], [None])
    for _ in range(length):
        tim += numbers.choice([10, 1000, 300_000, 900_000])
        if tim - told > every * 1e6:
            found += [date(tim), "*** SESSION ID:(400.28000)", "*** MODULE NAME:(x) "]
            told = tim
        kind = numbers.random()
        if kind < 0.7:
            ela = numbers.choice([0, 7, numbers.randrange(20_000), 10**8])
            found.append(wait(tim, ela, numbers.choice(["log file sync", "it's", "x"])))
        elif kind < 0.8:
            found.append(f"FETCH #14052:c=0,e=5,p=0,cr=1,cu=0,mis=0,r=1,dep=0,og=1,plh=1,tim={tim}")
        elif kind < 0.85:
            found += statement(tim, HOSTILE.format("x" * numbers.randrange(40)), numbers.choice(lengths)).split("\n")
        elif kind < 0.9:
            found += statement(tim, "SELECT a\n  FROM b\n WHERE c = 'tim=5'").split("\n")
        else:
            found.append(numbers.choice(odd).format(tim))
    return found


ODD = [
    "  value=\"WAIT #1: nam='x' ela= 5\"",
    f'  value="two\n{LOOKS_LIKE_A_WAIT}"',
    "WAIT #1: nam='x' ela= 18446744073709551615 p1=1 tim={0}",
    "WAIT # 14: nam='x' ela= 5 p1=1 tim={0}",
    "WAIT #14: nam='old' ela= 5 p1=1 ",
    "XCTEND rlbk=0, rd_only=1, tim={0}",
    "waste",
    "",
    '  value="never closed',
    "WAIT #14: nam='x' ela= 5 p1=1 tim=1769850000000000",
    "PARSING IN CURSOR #14052 len=3000 dep=0 tim={0} hv=1",
    "END OF STMT",
]
"""The last ones can change the times of others."""


@pytest.mark.parametrize("seed", range(60))
def test_a_scan_finds_the_same(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole, grepped, cut at any line, and one behind another; with a head that holds a date, or does not."""
    numbers = random.Random(seed)
    monkeypatch.setattr(harness, "HEAD_BYTES", numbers.choice([500, 3000, 1 << 16]))
    text = made(numbers, numbers.choice([0.5, 1, 60, 10**9]))
    text = text[numbers.choice([0, 0, numbers.randrange(100)]) :]
    how: Callable[[list[str]], list[str]] = numbers.choice(
        [
            lambda lines: lines,
            lambda lines: [line for line in lines if "WAIT" in line],
            lambda lines: [line for line in lines if "WAIT" in line or "PARSING" in line],
            lambda lines: [*lines, *made(numbers, 1, 50)],
        ]
    )
    alike("oracle_trace", tmp_path / "t.trc", lines(*how(text)).encode(), numbers.choice([6000, 20_000, 1 << 20]))


def test_a_single_time_of_another_clock_moves_no_other() -> None:
    text = lines(*(wait(UP + n) for n in range(5)), wait(1_769_850_000_000_000), wait(UP + 5), "")
    found = samples(text)
    assert [(one.micros, one.clock) for one in found if one.clock is Clock.FREE] == [
        (UP + n, Clock.FREE) for n in range(6)
    ]


def ordinary(every: float, count: int) -> str:
    """A trace without anything odd: 100 waits a second, a statement each second."""
    found, told = list[str](), 0
    for n in range(count):
        tim = UP + 10_000 * n
        if tim - told >= every * 1e6:
            found, told = [*found, date(tim)], tim
        if n % 100 == 50:
            found.append(statement(tim, "SELECT *\n  FROM dual"))
        found.append(wait(tim, 100 + n % 50))
    return lines(*found)


@pytest.mark.parametrize("every", [1, 10**9])
def test_nearly_all_lines_are_scanned(every: float, tmp_path: Path) -> None:
    """Dated each second, or once at the beginning."""
    text = ordinary(every, 20_000).encode()
    assert alike("oracle_trace", tmp_path / "t.trc", text, 100_000, known=UTC) == SCANNED
    assert decoded_lines("oracle_trace", tmp_path / "t.trc", text) < 200 * 8 + 40


def test_nearly_all_undated_waits_are_scanned(tmp_path: Path) -> None:
    text = lines(*(wait(UP + 10_000 * n) for n in range(20_000))).encode()
    assert alike("oracle_trace", tmp_path / "t.trc", text, 100_000) == SCANNED
    assert decoded_lines("oracle_trace", tmp_path / "t.trc", text) < 40


@pytest.mark.parametrize(
    "late",
    [
        lines(date(UP + 10**9), wait(UP + 10**9)),
        "Oracle8i Enterprise Edition Release 8.1.7.4.0 - Production\n",
    ],
)
def test_what_changes_all_times_is_left_to_the_decoder(late: str, tmp_path: Path) -> None:
    text = lines(*(wait(UP + 10_000 * n) for n in range(2_000))) + late
    assert alike("oracle_trace", tmp_path / "t.trc", text.encode(), 100_000) == UNFIT

"""Waits of an SQL trace: every one, at its time, whatever the release wrote."""

from collections import Counter
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from pylatencymap import registry
from pylatencymap.collector import Known
from pylatencymap.errors import Refused
from pylatencymap.record import Clock, Decoded, Sample
from pylatencymap.report import Report
from pylatencymap.text.lines import lines_of
from pylatencymap.units import Unit

TRACE = registry.load_collector("oracle_trace")
TIM = 1_769_850_000_000_000
READ = "db file sequential read"


def decoded(text: str, known: Known | None = None, report: Report | None = None) -> list[Decoded]:
    return list(TRACE.decode(lines_of(text), report or Report("t.trc"), known or Known(tz=timezone.utc)))


def samples(text: str, known: Known | None = None, report: Report | None = None) -> list[Sample]:
    return [event for event in decoded(text, known, report) if isinstance(event, Sample)]


def wait(ela: object, tim: object, name: str = READ, cursor: object = 7) -> str:
    return f"WAIT #{cursor}: nam='{name}' ela= {ela} file#=1 block#=2 blocks=1 obj#=-1 tim={tim}\n"


def test_a_wait_ends_at_its_tim_and_lasts_its_ela() -> None:
    (one,) = samples(wait(977, TIM))
    assert (one.series, one.unit, one.latency, one.micros, one.clock) == (READ, Unit.US, 977, TIM, Clock.EPOCH)


@pytest.mark.parametrize(
    "line",
    [
        f"WAIT #7: nam='{READ}' ela=977 p1=1 p2=2 p3=3 tim={TIM}\n",
        f"wait #7: NAM='{READ}' ELA= 977 p1=1 p2=2 p3=3 TIM={TIM}\r\n",
        f"WAIT #7: name='{READ}' ela= 977 p1=1 p2=2 p3=3 obj#=1 tim={TIM}  \n",
        f"WAIT #-18446744073709: nam='{READ}' ela= 977 p1=1 p2=2 p3=3 obj#=1 tim={TIM}\n",
        f"WAIT #46929157733848: nam='{READ}' ela= 977 file#=7 tim=12 blocks=1 obj#=82015 tim={TIM}\n",
    ],
)
def test_all_spellings_are_one(line: str) -> None:
    assert [(one.series, one.latency, one.micros) for one in samples(line)] == [(READ, 977, TIM)]


@pytest.mark.parametrize(
    "name", ["enq: TX - row lock contention", "gc cr block 2-way, remote", "x(y) <z>", "cursor: pin S"]
)
def test_names_may_hold_any_sign(name: str) -> None:
    assert [one.series for one in samples(wait(1, TIM, name))] == [name]


def test_names_are_safe_to_print() -> None:
    assert [one.series for one in samples(wait(1, TIM, "a\x1b[31mb\ufffd"))] == ["a\\x1b[31mb\ufffd"]


def test_without_tim_the_time_goes_on_by_the_waits() -> None:
    text = (
        f"PARSING IN CURSOR #1 len=1 dep=0 uid=5 tim={TIM} hv=1\n" + 3 * "WAIT #1: nam='x' ela= 500000 p1=1 p2=2 p3=3\n"
    )
    assert [one.micros - TIM for one in samples(text)] == [500_000, 1_000_000, 1_500_000]


def test_waits_before_the_first_time_are_placed_there() -> None:
    text = "WAIT #1: nam='x' ela= 5 p1=1 \n" + f"FETCH #1:c=0,e=6,p=0,cr=1,cu=0,mis=0,r=1,dep=0,og=1,tim={TIM}\n"
    assert [(one.micros, one.clock) for one in samples(text)] == [(TIM, Clock.EPOCH)]


def test_without_any_time_nothing_is_lost() -> None:
    assert [(one.latency, one.clock) for one in samples("WAIT #1: nam='x' ela= 5 p1=1 \n")] == [(5, Clock.COUNTED)]


UNTIMED = "WAIT #1: nam='x' ela= 2000 p1=1 p2=2 p3=3\n"


def test_without_tim_and_dates_the_time_waited_is_counted_and_told() -> None:
    said: list[str] = []
    found = samples(3 * UNTIMED, report=Report("t.trc", say=said.append))
    assert [(one.micros, one.clock) for one in found] == [(n * 2000, Clock.COUNTED) for n in (1, 2, 3)]
    assert len(said) == 1
    assert "t.trc:1: nothing in this trace tells the time of day" in said[0]


@pytest.mark.parametrize("most", [1, 100])
def test_without_tim_the_dates_place_waits(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pylatencymap.collectors.oracle_trace.undated_waits.MOST_WAITING", most)
    said: list[str] = []
    text = f"*** 2001-08-26 14:40:23.035\n{2 * UNTIMED}*** 2001-08-26 14:50:23.035\n{2 * UNTIMED}*** \n{UNTIMED}"
    found = samples(text, report=Report("t.trc", say=said.append))
    begin = round(datetime(2001, 8, 26, 14, 40, 23, 35_000, timezone.utc).timestamp() * 1e6)
    assert [one.micros - begin for one in found] == [0, 2000, 600_000_000, 600_002_000, 600_004_000]
    assert {one.clock for one in found} == {Clock.EPOCH}
    assert len(said) == 1
    assert "placed by the dates" in said[0]


def test_a_tim_that_comes_late_places_the_waits_before_it() -> None:
    text = f"*** 2001-08-26 14:40:23.035\n{UNTIMED}{wait(5, TIM)}"
    assert [one.micros for one in samples(text)] == [TIM, TIM]


@pytest.mark.parametrize("zone", [timezone.utc, timezone(timedelta(hours=9))])
def test_a_tim_from_another_zero_is_placed_by_the_dates(zone: timezone) -> None:
    text = (
        "*** 2013-08-26 14:40:23.035\n"
        + wait(5, 1_000_000)
        + wait(5, 3_500_000)
        + "*** ACTION NAME:() \n"
        + wait(5, 4_000_000)
    )
    begin = round(datetime(2013, 8, 26, 14, 40, 23, 35_000, zone).timestamp() * 1e6)
    assert [one.micros - begin for one in samples(text, Known(tz=zone))] == [0, 2_500_000, 3_000_000]


def test_a_second_trace_has_its_own_zero() -> None:
    first = "*** 2013-08-26 14:40:23.035\n" + wait(5, 1_000_000)
    second = "*** SESSION ID:(1.2) 2013-08-27T14:40:23.035+00:00\n" + wait(5, 77_000_000)
    times = [one.micros for one in samples(first + second)]
    assert times[1] - times[0] == 86_400_000_000


def test_units_of_old_releases() -> None:
    one = samples(wait(1000, TIM * 1000 // 1024), Known(tim_unit="ns/1024"))[0]
    assert (one.unit, one.latency) == (Unit.NS, 1_024_000)
    assert abs(one.micros - TIM) <= 2
    one = samples("*** 2001-08-26 14:40:23.035\n" + wait(3, 5_000), Known(tim_unit="cs", tz=timezone.utc))[0]
    assert (one.unit, one.latency) == (Unit.MS, 30)


def test_a_tim_that_is_months_from_the_dates_is_told_of() -> None:
    said: list[str] = []
    report = Report("t.trc", say=said.append)
    moment = datetime.fromtimestamp(TIM / 1e6, timezone.utc)
    samples(f"*** {moment:%Y-%m-%d %H:%M:%S}.000\n" + 2 * wait(5, TIM * 1000 // 1024), report=report)
    assert len(said) == 1
    assert "--tim-unit ns/1024" in said[0]


def test_a_cut_off_end_costs_at_most_its_time() -> None:
    whole = wait(10, TIM) + wait(20, TIM + 1)
    for cut in range(1, len(wait(20, TIM + 1))):
        text = whole[:-cut]
        found = samples(text)
        assert found[0][2:4] == (10, TIM)
        assert len(found) == 1 or (found[1].latency == 20 and TIM <= found[1].micros <= TIM + 20)
        assert (len(found) == 2) == (f"ela= {20} " in text[len(wait(10, TIM)) :])


def test_a_shorter_tim_in_the_middle_is_another_trace() -> None:
    text = wait(10, TIM) + "*** 2013-08-26 14:40:23.035\n" + wait(5, 1_000_000) + wait(5, 2_000_000)
    times = [one.micros for one in samples(text)]
    assert times[2] - times[1] == 1_000_000
    assert times[1] == round(datetime(2013, 8, 26, 14, 40, 23, 35_000, timezone.utc).timestamp() * 1e6)


YEARS = 600_000_000_000_000
"""Microseconds: what one digit of a tim may be worth."""


@pytest.mark.parametrize("off", [YEARS, -YEARS, 100_000_000_000])
def test_a_tim_years_away_from_both_beside_it_costs_itself(off: int) -> None:
    said: list[str] = []
    report = Report("t.trc", say=said.append)
    text = "".join(wait(n, TIM + n * 1000 + (off if n == 5 else 0)) for n in range(10))
    found = samples(text, report=report)
    assert [(one.latency, one.micros - TIM) for one in found] == [(n, (4 if n == 5 else n) * 1000) for n in range(10)]
    assert report.bad_count == 1
    assert "t.trc:6: a tim more than a day from those before and behind it" in said[0]


@pytest.mark.parametrize("off", [YEARS, -YEARS])
def test_a_trace_that_goes_on_elsewhere_is_followed(off: int) -> None:
    report = Report("t.trc")
    times = [TIM, TIM + 1, TIM + off, TIM + off + 1, TIM + 2, TIM + 3]
    found = samples("".join(wait(n, tim) for n, tim in enumerate(times)), report=report)
    assert [one.micros for one in found] == times
    assert [one.latency for one in found] == list(range(6))
    assert report.bad_count == 0


def test_waits_without_tim_go_on_from_a_time_that_was_believed() -> None:
    text = wait(1, TIM) + wait(2, TIM + YEARS) + "WAIT #1: nam='x' ela= 3 p1=1 p2=2 p3=3\n" + wait(4, TIM + YEARS + 9)
    assert [(one.latency, one.micros - TIM - YEARS) for one in samples(text)][1:] == [(2, 0), (3, 3), (4, 9)]


def test_a_call_whose_time_is_wrong_moves_nothing() -> None:
    call = f"FETCH #1:c=0,e=6,p=0,cr=1,cu=0,mis=0,r=1,dep=0,og=1,tim={TIM + YEARS}\n"
    report = Report("t.trc")
    assert [one.micros - TIM for one in samples(wait(1, TIM) + call + wait(2, TIM + 5), report=report)] == [0, 5]
    assert report.bad_count == 0


def test_the_last_time_of_all_is_believed_and_told() -> None:
    said: list[str] = []
    found = samples(wait(1, TIM) + wait(2, TIM + YEARS), report=Report("t.trc", say=said.append))
    assert [one.micros - TIM for one in found] == [0, YEARS]
    assert len(said) == 1
    assert "t.trc:2: the last tim is 6944 days from the one before it" in said[0]


def test_bad_waits_are_counted() -> None:
    report = Report("t.trc")
    assert len(samples(wait(-1, TIM) + "WAIT #7: nam='x\n" + wait(1, TIM), report=report)) == 1
    assert report.bad_count == 2


def test_a_trace_without_waits_is_refused() -> None:
    with pytest.raises(Refused, match="waits => true"):
        decoded(f"FETCH #1:c=0,e=6,p=0,cr=1,cu=0,mis=0,r=1,dep=0,og=1,tim={TIM}\n")


def test_the_trace_of_the_earlier_tool(shared: Path) -> None:
    text = (shared / "data/earlier-tools/test_10046_tracefile.trc").read_text()
    found = samples(text)
    assert Counter(one.series for one in found) == {READ: 29_249, "gc cr grant 2-way": 88, "utl_file I/O": 3}
    assert sum(one.latency for one in found if one.series == READ) == 174_948_112
    assert min(one.micros for one in found) == 1_377_520_823_035_597

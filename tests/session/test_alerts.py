"""Alerts: when they begin, when they can begin again, and what they leave behind."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import pytest

from pylatencymap.conditions import parse_lasting
from pylatencymap.interval import Interval
from pylatencymap.record import Mark
from pylatencymap.session import AlertCommand, AlertWatch, Picture, PictureOptions
from pylatencymap.units import Unit

BEGIN = 1_700_000_000
FAST, SLOW = (128, 256, 200), (32768, 65536, 200)
"""200 events of 128-256 us, or of 33-66 ms."""
Ranges = tuple[tuple[int, int, int], ...]


def interval(second: float, *ranges: tuple[int, int, int], series: str = "sda", length: float = 1.0) -> Interval:
    """One that ends ``second`` seconds after BEGIN."""
    end = round((BEGIN + second) * 1e6)
    return Interval(series, Unit.US, end - round(length * 1e6), end, length, ranges, 1.0, label=f"disk {series}")


def gap(first: int, last: int) -> Interval:
    return Interval("sda", Unit.US, (BEGIN + first) * 10**6, (BEGIN + last) * 10**6, last - first, gap=True)


def seconds(first: int, last: int, *ranges: tuple[int, int, int], series: str = "sda") -> Iterator[Interval]:
    """Intervals of a second that end from ``first`` + 1 to ``last``."""
    return (interval(end, *ranges, series=series) for end in range(first + 1, last + 1))


class Rig:
    """A picture that is watched; ``begun``: seconds after BEGIN at which alerts began."""

    def __init__(self, *conditions: str, is_ready: Callable[[], bool] = lambda: True) -> None:
        self.kept: list[Mark] = []
        self.environments: list[Mapping[str, str]] = []
        self.picture = Picture(PictureOptions())
        self.watch = AlertWatch(
            self.picture,
            [parse_lasting(one) for one in conditions],
            keep=self.kept.append,
            command=AlertCommand(["mail"], self._start, lambda: 0.0),
            is_ready=is_ready,
        )
        self.said: list[str] = []

    def _start(self, _: Sequence[str], environment: Mapping[str, str]) -> "Process":
        self.environments.append(environment)
        return Process()

    def take(self, *parts: Iterable[Interval]) -> "Rig":
        for part in parts:
            for one in part:
                self.watch.extend([one])
                self.said += [news.text for news in self.watch.news()]
        return self

    @property
    def begun(self) -> list[float]:
        return self._marked("alert:")

    @property
    def ended(self) -> list[float]:
        return self._marked("alert over:")

    def _marked(self, how: str) -> list[float]:
        return [mark.stamp.micros / 1e6 - BEGIN for mark in self.kept if mark.note.startswith(how)]


class Process:
    """One that is done at once."""

    def ended(self) -> int:
        return 0

    def read(self) -> bytes:
        return b""

    def signal(self, number: int) -> None:
        raise AssertionError(number)

    def close(self) -> None:
        pass


def test_it_begins_when_the_condition_holds_over_all_of_the_time() -> None:
    """More than half of the events of the last 10 s are slow after 6 s of them."""
    rig = Rig("p50 > 20ms for 10s").take(seconds(0, 30, FAST), seconds(30, 60, SLOW))
    assert rig.begun == [36]
    assert [*rig.picture.marks] == rig.kept
    assert rig.kept[0].note == "alert: p50 > 20ms for 10s: sda p50 36.8 ms (128 us-65.5 ms)"
    assert rig.said == ["ALERT 22:13:56 p50 > 20ms for 10s: sda p50 36.8 ms (128 us-65.5 ms)"]
    assert [*rig.watch.told] == rig.said


def test_a_command_that_fails_at_once_says_so_after_the_alert(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line shows one of them: behind the alert, why it failed would be cut off."""
    monkeypatch.setattr(Process, "ended", lambda _: 3)
    rig = Rig("p50 > 20ms for 10s")
    rig.watch.extend([*seconds(0, 30, FAST), *seconds(30, 37, SLOW)])
    assert [[news.text[:11] for news in rig.watch.news()] for _ in range(3)] == [["ALERT 22:13"], ["--alert-run"], []]


def test_what_holds_from_the_beginning_needs_the_whole_time() -> None:
    assert Rig("p50 > 20ms for 10s").take(seconds(0, 9, SLOW)).begun == []
    assert Rig("p50 > 20ms for 10s").take(seconds(0, 30, SLOW)).begun == [10]


def test_it_begins_again_only_after_as_long_below() -> None:
    """Slow from 30 to 60: the last 10 s are fast by half from 65 on, so that below for 10 s is from 75 on."""
    once = Rig("p50 > 20ms for 10s").take(
        seconds(0, 30, FAST), seconds(30, 60, SLOW), seconds(60, 68, FAST), seconds(68, 90, SLOW)
    )
    assert (once.begun, once.ended) == ([36], [])
    again = Rig("p50 > 20ms for 10s").take(
        seconds(0, 30, FAST), seconds(30, 60, SLOW), seconds(60, 80, FAST), seconds(80, 100, SLOW)
    )
    assert (again.begun, again.ended) == ([36, 86], [75])
    assert len(again.environments) == 2


def test_its_end_is_said_without_a_bell() -> None:
    rig = Rig("p50 > 20ms for 10s").take(seconds(0, 30, FAST), seconds(30, 60, SLOW), seconds(60, 74, FAST))
    assert rig.ended == []
    rig.watch.extend([interval(75, FAST)])
    (news,) = rig.watch.news()
    assert not news.rings
    assert news.text == "ALERT OVER 22:14:35 p50 > 20ms for 10s, since 22:13:56: sda p50 181 us (128-256 us)"
    assert rig.watch.told[-1] == news.text
    rig.take(seconds(75, 120, FAST))
    assert rig.ended == [75]
    assert len(rig.environments) == 1


def test_a_load_that_hovers_about_the_limit_is_one_alert() -> None:
    turns = (interval(end, SLOW if end // 3 % 2 else FAST) for end in range(1, 200))
    assert len(Rig("p50 > 20ms for 4s").take(turns).begun) == 1


@pytest.mark.parametrize("condition", ["p50 > 20ms for 10s", "rate > 100/s for 10s", "not rate < 100/s for 10s"])
def test_a_gap_proves_nothing(condition: str) -> None:
    """Neither does what was before it count, nor is it below."""
    rig = Rig(condition).take(seconds(0, 9, SLOW), [gap(9, 20)], seconds(20, 29, SLOW))
    assert rig.begun == []
    rig.take(seconds(29, 40, SLOW))
    assert rig.begun == [30]
    rig.take([gap(40, 100)], seconds(100, 130, SLOW))
    assert rig.begun == [30]


def test_silence_is_no_zero_and_idle_is() -> None:
    rig = Rig("rate < 1/s for 10s").take(seconds(0, 20, FAST), [gap(20, 60)], seconds(60, 80, FAST))
    assert rig.begun == []
    rig.take(seconds(80, 95))
    assert rig.begun == [90]


def test_a_moment_is_judged_with_all_of_its_series() -> None:
    """All arrive together, and an hour at once has the same alerts as second by second."""
    parts = [*seconds(0, 30, FAST), *seconds(30, 60, SLOW), *seconds(60, 90, FAST), *seconds(90, 120, SLOW)]
    other = [interval(one.end / 1e6 - BEGIN, FAST, series="sdb") for one in parts]
    both = [one for pair in zip(parts, other, strict=True) for one in pair]
    single, whole = Rig("any(p50 > 20ms) for 10s").take(both), Rig("any(p50 > 20ms) for 10s")
    whole.watch.extend(both)
    assert single.begun == whole.begun == [36, 96]


@pytest.mark.parametrize(
    ("condition", "begun"),
    [
        ("any(p50 > 20ms) for 10s", [36]),
        ('any("sdb", p50 > 20ms) for 10s', [36]),
        ('any("sda", p50 > 20ms) for 10s', []),
        ("all(p50 > 20ms) for 10s", []),
        ("all(p50 > 1us) for 10s", [10]),
        ("p50 > 20ms for 10s", []),
    ],
)
def test_series_are_as_for_other_conditions(condition: str, begun: list[float]) -> None:
    """Without ``any`` or ``all`` it is about the series with the most time waited: sda."""
    rig = Rig(condition)
    for end in range(1, 60):
        slow = interval(end, SLOW if end > 30 else FAST, series="sdb")
        busy = Interval("sda", Unit.US, slow.start, slow.end, 1.0, (FAST,), 100.0)
        rig.take([busy, slow])
    assert rig.begun == begun


def test_a_series_that_stays_away_is_not_judged_by_what_it_was() -> None:
    rig = Rig('any("sdb", p50 > 20ms) for 10s').take(seconds(0, 9, SLOW, series="sdb"))
    rig.take(seconds(9, 60, FAST))
    assert rig.begun == []


def test_intervals_that_are_not_whole_seconds() -> None:
    rig = Rig("p50 > 20ms for 1m").take(interval(7 * number, SLOW, length=7) for number in range(1, 20))
    assert rig.begun == [63]
    rig = Rig("p50 > 20ms for 10s").take(interval(0.997 * number, SLOW, length=0.997) for number in range(1, 30))
    assert rig.begun == [pytest.approx(10.967)]
    rig = Rig("p50 > 20ms for 10s").take(interval(60 * number, SLOW, length=60) for number in range(1, 3))
    assert rig.begun == [60]


def test_fast_records_are_judged_once_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    from pylatencymap.session.alerts import watch

    judged: list[int] = []
    real = watch.recorded_lately
    monkeypatch.setattr(watch, "recorded_lately", lambda *given: judged.append(given[1]) or real(*given))
    Rig("p50 > 20ms for 10s").take(interval(number / 100, FAST, length=0.01) for number in range(1, 1000))
    assert len(judged) in (10, 11)


def test_each_condition_has_its_own_state() -> None:
    rig = Rig("p50 > 20ms for 10s", "rate > 100/s for 20s").take(seconds(0, 30, FAST), seconds(30, 60, SLOW))
    assert rig.begun == [20, 36]


def test_the_facts_are_in_the_environment() -> None:
    rig = Rig("any(p50 > 20ms and rate > 1/s) for 10s")
    rig.take(seconds(0, 11, SLOW, series="a\nb \x1b[31m"))
    (facts,) = rig.environments
    assert facts == {
        "PYLATENCYMAP_CONDITION": "any(p50 > 20ms and rate > 1/s) for 10s",
        "PYLATENCYMAP_MEASURED": "a b \\x1b[31m p50 46.3 ms (32.8-65.5 ms), rate 200/s (191-209/s)",
        "PYLATENCYMAP_VALUE": facts["PYLATENCYMAP_VALUE"],
        "PYLATENCYMAP_SERIES": "a b \\x1b[31m",
        "PYLATENCYMAP_SINCE": "2023-11-14T22:13:20+00:00",
        "PYLATENCYMAP_AT": "2023-11-14T22:13:30+00:00",
        "PYLATENCYMAP_TITLE": "disk a b \\x1b[31m",
    }
    assert 0.0327 < float(facts["PYLATENCYMAP_VALUE"]) < 0.0656


def test_without_a_clock_there_are_no_times() -> None:
    rig = Rig("p50 > 20ms for 10s")
    rig.take(Interval("sda", Unit.US, n * 10**6, (n + 1) * 10**6, 1.0, (SLOW,), 9.0, clock=False) for n in range(12))
    (facts,) = rig.environments
    assert facts["PYLATENCYMAP_SINCE"] == facts["PYLATENCYMAP_AT"] == ""
    assert rig.said[0].startswith("ALERT at 10 s p50 > 20ms for 10s: sda p50 ")


def test_of_the_history_of_a_followed_recording_only_the_end_is_judged() -> None:
    ready: list[bool] = []
    past = seconds(0, 60, SLOW), seconds(60, 80, FAST)
    rig = Rig("p50 > 20ms for 10s", is_ready=lambda: bool(ready)).take(*past)
    assert rig.begun == []
    ready.append(True)
    assert rig.watch.news() == []
    assert rig.take(seconds(80, 100, SLOW)).begun == [86]
    ready.clear()
    now = Rig("p50 > 20ms for 10s", is_ready=lambda: bool(ready)).take(seconds(0, 60, SLOW))
    ready.append(True)
    assert [news.rings for news in now.watch.news()] == [True]
    assert now.take(seconds(60, 70, SLOW)).begun == [60]


def test_what_can_never_be_told_is_said_once() -> None:
    rig = Rig('any("sdx", p50 > 20ms) for 10s').take(seconds(0, 60, FAST))
    said = "could not be told at any time so far: no series is called sdx; did you mean sda?"
    assert rig.said == [f'--alert any("sdx", p50 > 20ms) for 10s {said}']
    assert [*rig.watch.untold()] == rig.said
    assert [*Rig("p50 > 20ms for 10s").take(seconds(0, 20, FAST)).watch.untold()] == []
    (short,) = Rig("p50 > 20ms for 10s").take(seconds(0, 5, FAST)).watch.untold()
    assert short.endswith("sda was measured for 5 s of the last 10 s")

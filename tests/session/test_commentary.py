"""What the lines below the maps say: modes that do not flicker, and changes of all that is kept, in short steps."""

import re
from dataclasses import replace
from datetime import timezone
from itertools import count

import numpy as np
import pytest

from pylatencymap.findings import find_all, series_data
from pylatencymap.interval import Interval
from pylatencymap.moment_text import TimeWords
from pylatencymap.record import Mark, Stamp
from pylatencymap.session.commentary import MOST_COLUMNS, REST, Commentary
from pylatencymap.session.moments import STAYS, GivenSigns, NotableMoment, as_before, moments_of
from pylatencymap.units import Unit
from pylatencymap.window import Window, select_between
from tests.amounts import few_or_many

BEGIN = 1_772_409_600_000_000
FAST, SLOW = (64, 128), (65_536, 131_072)


def interval(second: int, fast: int, slow: int = 0) -> Interval:
    end = BEGIN + (second + 1) * 1_000_000
    ranges = tuple((*key, n) for key, n in ((FAST, fast), (SLOW, slow)) if n)
    return Interval("sda", Unit.US, end - 1_000_000, end, 1.0, ranges, waited=0.0)


def window_of(seconds: int, first: int = 0, last: int = 0) -> Window:
    """A cache with even noise, and a slow band from ``first`` to ``last``."""
    rng, window = np.random.default_rng(1), Window()
    for second in range(seconds):
        window.add(interval(second, int(rng.poisson(300)), 20 if first <= second < last else 0))
    return window


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def steps_of(commentary: Commentary, window: Window) -> int:
    """Do all that is due; returns the number of steps."""
    for number in count():
        if not commentary.is_due(window["sda"]):
            return number
        commentary.step(window["sda"])
    raise AssertionError


def words_of(commentary: Commentary, window: Window) -> list[str]:
    found = commentary.reading(("sda",), window.select("sda", 60), window["sda"])
    return [f"{change.when} {change.what}" for change in found.changes]


def test_an_incident_that_has_left_the_window_is_told() -> None:
    window, commentary = window_of(600, 200, 260), Commentary(timezone.utc, Clock())
    assert words_of(commentary, window) == []
    assert not commentary.knows_all(window["sda"])
    assert steps_of(commentary, window) > 3, "short steps, so that a key never waits"
    assert commentary.knows_all(window["sda"])
    (text,) = words_of(commentary, window)
    assert text.startswith("00:03:20-00:04:20 a band appears at 65.5-131 ms: ")
    assert text.endswith("none before or after")


def test_a_final_picture_says_it_at_once() -> None:
    window, commentary = window_of(600, 200, 260), Commentary(timezone.utc)
    commentary.finish(window["sda"])
    assert len(words_of(commentary, window)) == 1


def test_a_load_without_changes_has_no_words() -> None:
    window, commentary = window_of(300), Commentary(timezone.utc)
    commentary.finish(window["sda"])
    assert words_of(commentary, window) == []


def test_very_many_columns_are_merged() -> None:
    window, commentary = window_of(2 * MOST_COLUMNS, 1000, 1400), Commentary(timezone.utc)
    commentary.finish(window["sda"])
    (text,) = words_of(commentary, window)
    assert text.startswith("00:16:40-00:23:20 a band appears at 65.5-131 ms: ")
    assert commentary.merged == 2


def test_a_stall_of_a_second_in_an_hour_is_told_and_the_longest_first() -> None:
    window, rng = Window(), np.random.default_rng(1)
    stalls = [*range(600, 601), *range(1200, 1203), *range(3000, 3002)]
    for second in range(3600):
        window.add(interval(second, 0 if second in stalls else 100 + int(rng.poisson(200))))
    commentary = Commentary(timezone.utc, Clock())
    steps_of(commentary, window)
    told = commentary.moments(window["sda"], [])
    assert [((one.begin - BEGIN) // 1_000_000, one.what[:23]) for one in told] == [
        (1200, "stall: no events for 3 "),
        (3000, "stall: no events for 2 "),
        (600, "stall: no events for 1 "),
    ]
    assert commentary.merged is None


def test_a_longer_stall_comes_before_one_that_was_told_first() -> None:
    window, commentary, rng = Window(), Commentary(timezone.utc, Clock()), np.random.default_rng(1)
    for first, stop, stall, expected in (
        (0, 1000, range(600, 602), [600]),
        (1000, 2000, range(1200, 1205), [1200, 600]),
    ):
        for second in range(first, stop):
            window.add(interval(second, 0 if second in stall else 100 + int(rng.poisson(200))))
        told = commentary.moments(window["sda"], [])
        assert [(one.begin - BEGIN) // 1_000_000 for one in told] == expected


def test_it_rests_after_its_work_and_works_again_for_new_columns() -> None:
    clock, used = Clock(), count(0.0, 0.001)
    commentary = Commentary(timezone.utc, clock, lambda: next(used))
    window = window_of(100)
    cost = 0.001 * steps_of(commentary, window)
    window.add(interval(100, 300))
    assert not commentary.is_due(window["sda"])
    clock.now += REST * cost + 1
    assert commentary.is_due(window["sda"])
    steps_of(commentary, window)
    assert not commentary.is_due(window["sda"]), "nothing new has come"


def test_what_is_told_live_does_not_flicker() -> None:
    window, clock = window_of(400, 200, 260), Clock()
    commentary = Commentary(timezone.utc, clock, lambda: 0.0)
    steps_of(commentary, window)
    first = [text.partition(":  ")[0][:17] for text in words_of(commentary, window)]
    rng = np.random.default_rng(2)
    for second in range(400, 460):
        window.add(interval(second, int(rng.poisson(300))))
        steps_of(commentary, window)
        assert [text.partition(":  ")[0][:17] for text in words_of(commentary, window)] == first


def signs_of(commentary: Commentary, window: Window) -> dict[str, int]:
    """The second at which each digit stands."""
    found = commentary.reading(("sda",), window.select("sda", 60), window["sda"])
    return {digit: (micros - BEGIN) // 1_000_000 for micros, digit in found.signs}


def test_digits_are_in_the_order_of_cost_and_the_same_in_sentence_axis_and_list() -> None:
    window, rng = Window(), np.random.default_rng(1)
    for second in range(900):
        slow = 5 if 200 <= second < 260 else 20 if 500 <= second < 560 else 0
        window.add(interval(second, int(rng.poisson(300)), slow))
    commentary = Commentary(timezone.utc, Clock())
    assert signs_of(commentary, window) == {}, "nobody has looked yet"
    steps_of(commentary, window)
    signs = signs_of(commentary, window)
    assert signs == {"1": 500, "2": 200}
    listed = commentary.moments(window["sda"], [Mark(Stamp(BEGIN + 500_000_000), "a deploy")])
    assert [(one.sign, (one.begin - BEGIN) // 1_000_000) for one in listed] == [("1", 500), ("2", 200), ("M", 500)]
    told = commentary.reading(("sda",), window.select("sda", 60), window["sda"]).changes
    assert {one.sign: one.when[:8] for one in told} == {"1": "00:08:20", "2": "00:03:20"}


def test_what_stands_out_is_known_in_the_middle_of_the_search_for_it() -> None:
    """After each of its steps, whoever asks gets all of it, and never nothing."""
    window = window_of(400, 200, 260)
    whole = Commentary(timezone.utc, Clock())
    steps = steps_of(whole, window)
    expected = [one.begin for one in whole.moments(window["sda"], [])]
    assert expected
    for done in range(steps):
        begun = Commentary(timezone.utc, Clock())
        for _ in range(done):
            begun.step(window["sda"])
        assert [one.begin for one in begun.moments(window["sda"], [])] == expected
        assert not begun.is_due(window["sda"])


def moment(begin: int, cost: float = 1.0, length: int = 10) -> NotableMoment:
    return NotableMoment(begin, begin + length, "", "", "", cost)


def signed(given: GivenSigns, *ordered: NotableMoment, end: int = 1000) -> str:
    """The signs that moments get, in columns of 10 microseconds; ``-`` for none."""
    return "".join(one.sign or "-" for one in given.signed(ordered, end, 10))


def test_sentences_keep_their_order_where_costs_are_the_same() -> None:
    first = [moment(0, 100.0), moment(50, 95.0)]
    assert [one.begin for one in as_before([moment(51, 104.0), moment(1, 100.0)], first)] == [1, 51]
    assert [one.begin for one in as_before([moment(51, 120.0), moment(1, 100.0)], first)] == [51, 1]
    less = [moment(50, -95.0), moment(0, -100.0)]
    assert [one.begin for one in as_before([moment(1, -100.0), moment(51, -104.0)], less)] == [51, 1]
    assert [one.begin for one in as_before([moment(1, -100.0), moment(51, -120.0)], less)] == [1, 51]
    assert [one.begin for one in as_before([moment(1, 100.0), moment(51, -100.0)], less)] == [1, 51]


def test_what_saved_is_told_after_what_cost() -> None:
    window = window_of(600)
    times = TimeWords(BEGIN, BEGIN + 600_000_000, timezone.utc, 1.0)
    changes = [moment(BEGIN + 10, -5.0), moment(BEGIN + 30, 0.0), moment(BEGIN + 50, 1.5), moment(BEGIN + 70, 3.0)]
    ordered = moments_of(changes, (), window.select("sda", 60), times, None)
    assert [(one.cost, one.sign) for one in ordered] == [(3.0, "1"), (1.5, "2"), (0.0, "3"), (-5.0, "4")]


def test_signs_are_given_in_the_order_of_cost_as_far_as_there_are_any() -> None:
    assert signed(GivenSigns(), *(moment(100 * n) for n in range(11))) == "123456789ab"
    assert signed(GivenSigns(), *(moment(100 * n) for n in range(37)))[-3:] == "z--"


def test_what_is_told_again_keeps_its_sign_whatever_else_costs_more() -> None:
    given = GivenSigns()
    assert signed(given, moment(0, 2.0), moment(500, 1.0, 200)) == "12"
    assert signed(given, moment(900, 9.0), moment(501, 3.0, 230), moment(0, 2.0)) == "321"
    assert signed(given, moment(20, 1.0), moment(900, 9.0, 11)) == "13", "an end found elsewhere, and the other order"
    assert signed(given, moment(300), moment(20)) == "41", "2 is not there now, but may be again"
    assert signed(given, moment(500, 1.0, 250)) == "2"


def test_a_sign_is_free_again_when_it_was_not_seen_for_long_or_when_there_are_no_others() -> None:
    given = GivenSigns()
    assert signed(given, moment(0), moment(500)) == "12"
    assert signed(given, moment(500), moment(800), end=1000 + 10 * STAYS) == "23"
    assert signed(given, moment(500), moment(100), end=1010 + 10 * STAYS) == "21"
    many = [moment(2000 + 100 * n) for n in range(35)]
    assert signed(given, *many).count("-") == 0
    assert sorted(one.sign for one in given.told) == sorted("123456789abcdefghijklmnopqrstuvwxyz")


def test_two_moments_never_have_the_same_sign() -> None:
    given, rng = GivenSigns(), np.random.default_rng(5)
    for look in range(300):
        found = [
            moment(int(begin), 1.0, int(rng.integers(0, 90))) for begin in rng.integers(0, 900, rng.integers(0, 40))
        ]
        signs = [one.sign for one in given.signed(found, look * 20, 10) if one.sign]
        assert len(set(signs)) == len(signs) == min(len(found), 35)


@pytest.mark.parametrize("step", few_or_many(3, 1))
def test_a_costlier_change_leaves_the_sign_of_the_one_before(step: int) -> None:
    window, commentary = window_of(400, 200, 260), Commentary(timezone.utc, Clock(), lambda: 0.0)
    steps_of(commentary, window)
    assert signs_of(commentary, window) == {"1": 200}
    rng = np.random.default_rng(2)
    for second in range(400, 700):
        window.add(interval(second, int(rng.poisson(300)), 80 if 480 <= second < 560 else 0))
        if second % step and second != 699:
            continue  # several records a picture
        steps_of(commentary, window)
        signs = signs_of(commentary, window)
        assert signs["1"] == 200, second
    (new,) = signs.keys() - {"1"}
    assert signs[new] == 480
    told = commentary.reading(("sda",), window.select("sda", 60), window["sda"]).changes
    assert [one.sign for one in told] == [new, "1"], "the costliest is told first"
    commentary.start_anew()
    steps_of(commentary, window)
    assert signs_of(commentary, window) == {"1": 480, "2": 200}, "in the order of cost when all is known"


def test_the_worst_column_has_a_sentence_for_its_sign() -> None:
    window, commentary = window_of(0), Commentary(timezone.utc)
    for second in range(600):
        window.add(replace(interval(second, 300, second == 300), waited=0.12 if second == 300 else 0.025))
    commentary.finish(window["sda"])
    found = commentary.reading(("sda",), window.select("sda", 60), window["sda"])
    moments = commentary.moments(window["sda"], ())
    assert [one.sign for one in found.changes] == [one.sign for one in moments if one.is_ranked]
    assert any("most time waited" in one.what for one in found.changes)


@pytest.mark.parametrize("spike", [0, 200])
def test_of_what_a_step_left_behind_only_a_column_that_stands_out_is_the_worst(spike: int) -> None:
    """A lasting change is one thing to look at, with its cost; its worst column would be another one every second."""
    rng, window = np.random.default_rng(3), Window()
    for second in range(600):
        slow = 0 if second < 400 else spike if spike and second == 500 else int(rng.poisson(20))
        window.add(replace(interval(second, int(rng.poisson(300)), slow), waited=0.03 + slow * 0.1))
    commentary = Commentary(timezone.utc)
    step = commentary.moments(window["sda"], ())[0]
    assert step.begin == step.end == BEGIN + 400_000_000
    selection = window.between("sda", None, None)
    times = TimeWords(BEGIN, BEGIN + 600_000_000, timezone.utc, 1.0, clock=True)
    worst = [
        one
        for one in moments_of([step._replace(sign="")], (), selection, times, None)
        if "most time waited" in one.what
    ]
    assert bool(worst) is bool(spike)
    if spike:
        assert re.search(r"each second; [12]\.\d+ s is usual", worst[0].what), worst[0].what
        assert worst[0].cost == pytest.approx(0.1 * (spike - 20), rel=0.1)


def test_a_saving_says_how_much_less_was_waited() -> None:
    assert NotableMoment(0, 10, "1", "", "", -90.0).cost_text == "90.0 s less waiting"
    assert NotableMoment(0, 10, "1", "", "", -90.0).cost_words == "90.0 s less waiting"
    assert NotableMoment(0, 10, "1", "", "", 90.0).cost_words == "cost: 90.0 s of waiting"


def test_the_number_of_modes_stays_as_long_as_it_is_possible() -> None:
    commentary, window = Commentary(timezone.utc), Window()
    shown = []
    for second in range(60):
        window.add(interval(second, 5000, 30 if second < 20 else 0))
        found = commentary.reading(("sda",), window.select("sda", 30), window["sda"])
        shown.append(found.named)
    assert shown[10] == 2
    assert shown[-1] == 1
    assert sum(one != other for one, other in zip(shown[1:], shown, strict=False)) <= 3


def test_the_library_says_the_same() -> None:
    from pylatencymap.findings import series_data

    window, commentary = window_of(600, 200, 260), Commentary(timezone.utc)
    commentary.finish(window["sda"])
    data = series_data("sda", "events", "", window.between("sda", None, None))
    (change,) = find_all([data], timezone.utc).changes
    assert words_of(commentary, window)[0].endswith(change.text)


def test_a_series_without_events_has_no_words() -> None:
    window = Window()
    for second in range(60):
        window.add(interval(second, 0))
    commentary = Commentary(timezone.utc, Clock())
    steps_of(commentary, window)
    assert words_of(commentary, window) == []


def test_gaps_and_resets_keep_their_times_in_merged_columns() -> None:
    """Columns of minutes have no column of a silence of 20 s, but it is a moment."""
    rng, window = np.random.default_rng(1), Window(0.02)
    for second in range(20_000):
        one = interval(second, int(rng.poisson(300)))
        if 7_000 <= second < 7_020:
            one = replace(one, ranges=(), waited=None, gap=True, estimated=True)
        window.add(replace(one, reset=True) if second == 9_000 else one)
    assert len(window["sda"]) < 2_000
    found = Commentary(timezone.utc, Clock()).moments(window["sda"], ())
    assert [(one.sign, one.begin - BEGIN, one.end - BEGIN) for one in found] == [
        ("G", 7_000_000_000, 7_020_000_000),
        ("R", 9_000_000_000, 9_001_000_000),
    ]


@pytest.mark.parametrize(("columns", "said"), [(600, ("", "only 00:03:20-00:04:20")), (100, ())])
def test_a_mode_that_an_incident_made_says_when_it_was_there(columns: int, said: tuple[str, ...]) -> None:
    """In a window that has the incident; in one behind it there is one mode only."""
    window, commentary = window_of(600, 200, 260), Commentary(timezone.utc, Clock())
    commentary.finish(window["sda"])
    found = commentary.reading(("sda",), window.select("sda", columns), window["sda"])
    assert found.passing == said


def test_a_mode_is_usual_where_the_incident_fills_the_window() -> None:
    window, commentary = window_of(600, 200, 260), Commentary(timezone.utc, Clock())
    commentary.finish(window["sda"])
    begin = BEGIN + 200 * 1_000_000
    selection = select_between(window["sda"], begin, begin + 90 * 1_000_000)
    found = commentary.reading(("sda",), selection, window["sda"])
    assert found.modes is not None
    assert (found.modes.sure, found.passing) == (2, ("", ""))


def bursting(seconds: int, every: int = 10, seed: int = 3) -> Window:
    """A cache with even noise, and in one second of ``every`` much of a slow band."""
    rng, window = np.random.default_rng(seed), Window()
    for second in range(seconds):
        window.add(interval(second, int(rng.poisson(300)), 120 if every and second % every == 3 else 0))
    return window


def recurring_of(commentary: Commentary, window: Window) -> tuple[str, ...]:
    return commentary.reading(("sda",), window.select("sda", 60), window["sda"]).recurring


def test_what_recurs_is_told_as_the_report_tells_it() -> None:
    window = bursting(400)
    commentary = Commentary(timezone.utc, Clock(), lambda: 0.0)
    steps_of(commentary, window)
    (said,) = recurring_of(commentary, window)
    assert said.startswith("every 10 s a burst of about 1 s: the share of events above ")
    whole = window.between("sda", None, None)
    report = find_all([series_data("sda", "events", "sda", whole)], timezone.utc)
    assert [one.text for one in report.recurring] == [said]
    even = bursting(400, every=0)
    commentary = Commentary(timezone.utc, Clock(), lambda: 0.0)
    steps_of(commentary, even)
    assert recurring_of(commentary, even) == ()


def test_what_recurs_does_not_flicker() -> None:
    window, clock = bursting(400), Clock()
    commentary = Commentary(timezone.utc, clock, lambda: 0.0)
    steps_of(commentary, window)
    first = recurring_of(commentary, window)
    assert first
    rng = np.random.default_rng(2)
    for second in range(400, 460):
        window.add(interval(second, int(rng.poisson(300)), 120 if second % 10 == 3 else 0))
        steps_of(commentary, window)
        assert recurring_of(commentary, window) == first


def test_what_recurs_is_forgotten_with_its_series_and_at_the_end() -> None:
    window = bursting(400)
    commentary = Commentary(timezone.utc, Clock(), lambda: 0.0)
    steps_of(commentary, window)
    assert recurring_of(commentary, window)
    commentary.start_anew()
    assert recurring_of(commentary, window) == ()
    commentary.finish(window["sda"])
    assert recurring_of(commentary, window)

"""Sums by key in bounded memory: what is shown is exact, and nothing larger is missing."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, strategies as st

from pylatencymap.events import tally
from pylatencymap.events.found import FoundKey
from pylatencymap.events.tally import MOST_SHOWN, EventTally, together
from pylatencymap.record import EventKey, Sample
from pylatencymap.units import Unit


def event(line: int, micros: int, **keys: str) -> Sample:
    found = tuple(EventKey(name, value) for name, value in keys.items())
    return Sample("reads", Unit.US, micros, 0, line=line, keys=found)


def key_of(events: list[Sample], name: str = "k", by: tuple[str, ...] = ()) -> FoundKey:
    sums = EventTally(by)
    for one in events:
        sums.add(one, 0, "")
    return next(key for key in sums.found().keys if key.name == name)


def test_the_most_waiting_twenty_values_are_shown_and_the_rest_is_added_up() -> None:
    key = key_of([event(n, n + 1, k=str(n)) for n in range(100)])
    assert [value.value for value in key.values] == [str(n) for n in range(99, 79, -1)]
    assert key.values[0].amount == (1, 0.0001)
    assert key.others.events == 80
    assert key.others.waited == pytest.approx(sum(range(81)) / 1e6)
    assert (key.more, key.at_most) == (80, None)


def test_events_that_say_nothing_of_a_key_are_told_apart() -> None:
    key = key_of([event(1, 5, k="a"), event(2, 7), event(3, 9, other="b")])
    assert [value.value for value in key.values] == ["a"]
    assert key.without == (2, 1.6e-05)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("flat", [0.0, 0.5, 0.99])
def test_sums_stay_exact_where_not_all_values_are_kept(monkeypatch: pytest.MonkeyPatch, seed: int, flat: float) -> None:
    """Thousands of values, a hundred of which can be kept: those that are shown are exact, and nothing is larger."""
    monkeypatch.setattr(tally, "MOST_VALUES", 100)
    rng, events = Random(seed), list[Sample]()
    for line in range(20_000):
        value = f"v{rng.randrange(1 << 30)}" if rng.random() < flat else f"h{int(rng.expovariate(0.2))}"
        events.append(event(line, rng.randrange(1, 1000), k=value))
    waited, counted = Counter[str](), Counter[str]()
    for one in events:
        waited[one.keys[0].value] += one.latency
        counted[one.keys[0].value] += 1
    key = key_of(events)
    best = sorted(waited.values(), reverse=True)
    for place, value in enumerate(key.values):
        assert value.amount == (counted[value.value], waited[value.value] / 1e6)
        assert waited[value.value] == best[place]
    assert sum(value.amount.events for value in key.values) + key.others.events == 20_000
    if len(key.values) < MOST_SHOWN:
        assert key.at_most is not None
        assert best[len(key.values)] / 1e6 <= key.at_most
    if flat < 0.99:
        assert len(key.values) > 3


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 50)), max_size=300), st.integers(2, 12))
def test_whatever_is_shown_is_true(events: list[tuple[int, int]], most: int) -> None:
    waited = Counter[str]()
    sums = EventTally()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tally, "MOST_VALUES", most)
        for line, (value, micros) in enumerate(events):
            waited[str(value)] += micros
            sums.add(event(line, micros, k=str(value)), 0, "")
        keys = sums.found().keys
    best = sorted(waited.values(), reverse=True)
    for key in keys:
        assert [round(value.amount.waited * 1e6) for value in key.values] == best[: len(key.values)]
        assert all(round(value.amount.waited * 1e6) == waited[value.value] for value in key.values)


def test_the_longest_events_are_kept_and_of_equal_ones_the_first() -> None:
    sums = EventTally()
    for line in range(1, 5001):
        sums.add(event(line, line % 7), 0, f"line {line}")
    lines = sums.found().lines
    assert len(lines) == tally.MOST_LINES
    longest = [line for line in range(1, 5001) if line % 7 == 6]
    assert [line.number for line in lines[: len(longest)]] == longest
    assert lines[0].text == "line 6"


def test_long_texts_are_cut_and_control_characters_escaped() -> None:
    sums = EventTally()
    sums.add(event(1, 5, k="\x1b[2J" + "v" * 1000), 0, "\x1b[2J" + "x" * 5000)
    found = sums.found()
    assert found.lines[0].is_cut
    assert found.lines[0].text.startswith("\\x1b[2Jxx")
    assert len(found.lines[0].text) < 3 * tally.LONGEST_LINE
    assert "\x1b" not in found.keys[0].values[0].value
    assert len(found.keys[0].values[0].value) <= tally.LONGEST_VALUE


def test_a_note_is_that_of_its_value_and_none_if_the_value_had_several_meanings() -> None:
    sums = EventTally()
    for value, note in (("1", ""), ("1", "SEL"), ("1", "SELECT"), ("1", "SEL"), ("2", "a"), ("2", "b"), ("2", "a")):
        sums.add(Sample("reads", Unit.US, 5, 0, keys=(EventKey("k", value, note),)), 0, "")
    notes = {value.value: value.note for value in sums.found().keys[0].values}
    assert notes == {"1": "SELECT", "2": ""}


def test_only_the_keys_that_were_asked_for_are_added_up_and_the_others_named() -> None:
    sums = EventTally(("obj#",))
    sums.add(event(1, 5, **{"Obj#": "7", "pid": "3"}), 0, "")
    found = sums.found()
    assert [key.name for key in found.keys] == ["Obj#"]
    assert found.not_asked == ("pid",)


def test_keys_that_divide_the_events_come_first() -> None:
    sums = EventTally()
    for n in range(100):
        keys = {"place": str(n), "one": "x", "who": str(n % 3)}
        sums.add(event(n, 5, **keys), 0, "")
    assert [key.name for key in sums.found().keys] == ["who", "place", "one"]


def test_no_more_keys_than_can_be_shown_are_added_up() -> None:
    sums = EventTally()
    sums.add(event(1, 5, **{f"k{n}": "x" for n in range(100)}), 0, "")
    found = sums.found()
    assert (len(found.keys), found.keys_left_out) == (tally.MOST_KEYS, 100 - tally.MOST_KEYS)


def test_a_source_that_cuts_latencies_off_counts_in_the_middle_of_its_step() -> None:
    sums = EventTally()
    sums.add(Sample("pings", Unit.MS, 3, 0, step=1), 0, "")
    found = sums.found()
    assert (found.total, found.estimated) == ((1, 0.0035), True)


@given(st.data(), st.integers(2, 40))
def test_the_sums_of_several_files_are_exact_however_few_values_are_kept(data: st.DataObject, most: int) -> None:
    """As for one file: what is shown is exact, no missing value can have waited longer, and all adds up."""
    one, two = (
        [
            event(n, micros, k=str(value))
            for n, (micros, value) in enumerate(
                data.draw(st.lists(st.tuples(st.integers(1, 1000), st.integers(0, 60)), max_size=150)), 1
            )
        ]
        for _ in range(2)
    )
    true = Counter[str]()
    for sample in (*one, *two):
        true[sample.keys[0].value] += sample.latency
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tally, "MOST_VALUES", most)
        tallies = [EventTally(file=name) for name in ("a", "b")]
        for samples, sums in zip((one, two), tallies, strict=True):
            for sample in samples:
                sums.add(sample, 0, "text")
        before = tallies[0].found()
        found = together(*tallies).found()
        assert tallies[0].found() == before
    assert found.total.events == len(one) + len(two)
    assert len(found.lines) == len(one) + len(two)
    assert {line.file for line in found.lines} <= {"a", "b"}
    for key in found.keys:
        shown = {value.value: value.amount.waited for value in key.values}
        for value, waited in shown.items():
            assert waited == pytest.approx(true[value] / 1e6)
        limit = min(shown.values(), default=0.0) if key.at_most is None else key.at_most
        assert all(waited / 1e6 <= limit + 1e-9 for value, waited in true.items() if value not in shown)
        parts = [*(value.amount for value in key.values), key.others, key.without]
        assert sum(part.events for part in parts) == found.total.events

"""Why no interval came of a source."""

import pytest

from pylatencymap.record import Event, Record, Semantics, Tick
from pylatencymap.session.input.diagnosis import NOTHING_IN_IT, ONE_READING, EmptyInputDiagnosis
from pylatencymap.units import Unit


def record(series: str = "a", semantics: Semantics = Semantics.CUMULATIVE) -> Record:
    return Record(series, Unit.US, ((8, 16, 3),), semantics)


@pytest.mark.parametrize(
    ("events", "reason"),
    [
        ([], NOTHING_IN_IT),
        ([Tick()], "1 print was read, without any event"),
        ([Tick(), Tick()], "2 prints were read, without any event"),
        ([Tick(), record(), record("b")], ONE_READING),
        ([Tick(), record(), Tick(), record("b")], ONE_READING),
    ],
)
def test_what_was_there_says_why(events: list[Event], reason: str) -> None:
    seen = EmptyInputDiagnosis()
    assert list(seen.watch(events)) == events
    assert seen.why_empty() == reason


def test_all_events_are_passed_on() -> None:
    seen = EmptyInputDiagnosis()
    events: list[Event] = [Tick(), record(), Tick(), record(), Tick(), record("b", Semantics.INTERVAL)]
    assert list(seen.watch(events)) == events


def test_a_source_that_said_nothing_is_named() -> None:
    seen = EmptyInputDiagnosis()
    seen.silent += ["<stdin>"]
    assert seen.why_empty() == "nothing has come from <stdin>"


def test_a_source_that_only_printed_times_is_named() -> None:
    seen = EmptyInputDiagnosis()
    seen.idle += ["<stdin>"]
    assert seen.why_empty() == "<stdin> printed no histogram: nothing was measured"

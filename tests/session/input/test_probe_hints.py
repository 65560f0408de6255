"""What is known of a source that we started, added to what it prints."""

from dataclasses import replace

from pylatencymap.record import Clock, Event, Mark, Record, Semantics, Stamp, Tick
from pylatencymap.session.input.plan import NO_PROBE_HINTS, ProbeHints
from pylatencymap.units import Unit

WATCHED = ProbeHints("block I/O", (("sda,read", "sda,write"), ("sdb,read", "sdb,write")), source="bpftrace")


def tick(second: int) -> Tick:
    return Tick(Stamp(second * 1_000_000, Clock.DAY), line=second)


def record(series: str, second: int) -> Record:
    stamp = Stamp(second * 1_000_000, Clock.DAY)
    return Record(series, Unit.US, ((8, 16, 3),), Semantics.INTERVAL, stamp, waited=0.1, label="@us", source="bpftrace")


def idle(series: str, second: int) -> Record:
    return replace(record(series, second), ranges=(), waited=0.0, label="block I/O")


def test_idle_things_get_their_series_in_the_first_print() -> None:
    read = record("sda,read", 1)
    given: list[Event] = [tick(1), read, tick(2), tick(3)]
    said = replace(read, label="block I/O")
    assert list(WATCHED.with_hints(given)) == [
        tick(1),
        said,
        idle("sdb,read", 1),
        idle("sdb,write", 1),
        tick(2),
        tick(3),
    ]


def test_a_source_that_ends_after_its_first_print() -> None:
    everything = [idle(f"{disk},{what}", 1) for disk in ("sda", "sdb") for what in ("read", "write")]
    assert list(WATCHED.with_hints([tick(1)])) == [tick(1), *everything]
    assert list(WATCHED.with_hints([])) == []


def test_what_comes_before_the_first_print_stays_before_it() -> None:
    mark = Mark(Stamp(1), "here")
    assert next(iter(WATCHED.with_hints([mark, tick(1), tick(2)]))) == mark


def test_of_other_sources_nothing_is_expected() -> None:
    given: list[Event] = [tick(1), record("a", 1), tick(2)]
    assert list(NO_PROBE_HINTS.with_hints(given)) == given

"""The fuzzer finds what is broken on purpose, and finds nothing in the inputs of one seed."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pylatencymap import registry
from pylatencymap.interval import Interval
from pylatencymap.intervals import difference, series_intervals
from pylatencymap.intervals.series_intervals import SeriesIntervals
from pylatencymap.intervals.totals import Meaning, Verdict as CountsVerdict, running_totals
from pylatencymap.record import Record, Tick
from pylatencymap.session.picture import Picture
from pylatencymap.stream.writer import StreamWriter
from pylatencymap.text import lines
from pylatencymap.units import Unit

from .fuzzing import judging, workers
from .fuzzing.damage import LOCAL, WILD, Damaged
from .fuzzing.generated import FORMS, generated
from .fuzzing.invariants import INVARIANT, RECORDING, UNSAFE
from .fuzzing.judging import CHUNKS, CRASH, HANG, SCAN, Case, Cases, Verdict, judge
from .fuzzing.minimising import minimised, save, saved
from .fuzzing.neighbours import NEIGHBOUR, Undamaged, changed_neighbours, undamaged
from .fuzzing.reading import USUAL, Way, read
from .fuzzing.samples import Sample, samples
from .fuzzing.workers import Plan, Totals, run

SEED, INPUTS = 20, 320


@cache
def own_samples() -> tuple[Sample, ...]:
    return tuple(samples())


@cache
def known_of(form: str) -> Undamaged:
    return undamaged(read(generated(form, 0)))


def case_of(form: str, old: str = "", new: str = "", **changes: Any) -> tuple[Case, Verdict]:
    """A generated text in which one line is changed, and what is found about it."""
    data = generated(form, 0)
    damage = Damaged(data, ())
    if old:
        line = data[: data.index(old.encode())].count(b"\n") + 1
        damage = Damaged(data.replace(old.encode(), new.encode(), 1), ("by hand",), line, line)
    sample = Sample(form, data)
    case = Case(0, sample, damage, USUAL)._replace(**changes)
    return case, judge(case, known_of(form) if old else None)


def kinds(form: str, old: str = "", new: str = "", **changes: Any) -> set[str]:
    return {broken.kind for broken in case_of(form, old, new, **changes)[1].broken}


@pytest.mark.parametrize("form", FORMS)
def test_a_generated_text_is_whole_and_can_be_checked(form: str) -> None:
    found = read(generated(form, 0))
    assert not found.bad
    assert not found.ended
    assert undamaged(found).is_checkable
    assert kinds(form, chunk=997) == set()


def test_the_inputs_of_a_seed_hold() -> None:
    totals = run(Plan(list(own_samples()), SEED, INPUTS))
    assert totals.inputs == INPUTS
    assert totals.did["recognised"] > INPUTS * 0.7
    assert totals.did["drawn, exported, recorded and read again"] > INPUTS * 0.5
    assert totals.did["neighbours compared"] > INPUTS * 0.15
    assert totals.did["scanned"] > INPUTS * 0.05
    assert totals.did["in other chunks"] > INPUTS * 0.05
    assert set(registry.collector_names()) <= set(totals.collectors)
    assert not totals.failed, totals.firsts


def test_the_same_seed_makes_the_same_inputs() -> None:
    one, other = Cases(list(own_samples()), 5), Cases(list(own_samples()), 5)
    assert [one[number] for number in range(60)] == [other[number] for number in range(60)]
    assert one[7] != Cases(list(own_samples()), 6)[7]


def test_every_collector_has_its_share_and_many_inputs_are_live() -> None:
    cases = Cases(list(own_samples()), 5)
    kinds = {sample.name: read(sample.data).collector for sample in own_samples()}
    chosen = [cases[number] for number in range(2000)]
    shares = Counter(kinds[case.sample.name] for case in chosen)
    assert min(shares[name] for name in registry.collector_names()) >= 0.015 * len(chosen)
    assert sum(case.way.live for case in chosen) >= 0.2 * len(chosen)
    clocks = {sample.name for sample in own_samples() if undamaged(read(sample.data)).clock}
    assert sum(case.way.live and case.sample.name in clocks for case in chosen) >= 0.1 * len(chosen)
    assert sum(cases.known(case).is_checkable for case in chosen if "mysql" in case.sample.name) >= 0.01 * len(chosen)


def test_every_kind_of_damage_is_done() -> None:
    cases = Cases(list(own_samples()), 5)
    done = {kind for number in range(1500) for kind in cases[number].damaged.kinds}
    assert done == {kind.__name__ for kind in (*LOCAL, *WILD)}


# What is broken on purpose.


def test_a_crash_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def growth(_self: object, _now: object) -> list[float]:
        raise KeyError("broken on purpose")

    monkeypatch.setattr(running_totals.RunningTotals, "growth", growth)
    assert kinds("record stream") == {CRASH}


def test_a_hang_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "HANG_SECONDS", 0.0)
    assert kinds("record stream") == {HANG}


def test_ranges_in_the_wrong_order_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = running_totals.SplitRanges.ranges
    monkeypatch.setattr(running_totals.SplitRanges, "ranges", lambda self, counts: real(self, counts)[::-1])
    assert INVARIANT in kinds("record stream")


def test_a_negative_time_waited_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series_intervals, "midpoint_time", lambda *_: -1.0)
    assert INVARIANT in kinds("record stream")


def test_events_that_the_window_loses_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def extend(self: Picture, intervals: Any) -> None:
        for interval in intervals:
            self.window.add(replace(interval, ranges=interval.ranges[1:]))

    monkeypatch.setattr(Picture, "extend", extend)
    assert kinds("record stream") == {INVARIANT}


def test_escape_sequences_in_names_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(difference, "new_name", lambda series, _unit, _names: f"{series}\x1b[2J")
    assert UNSAFE in kinds("record stream")


@pytest.mark.parametrize("live", [False, True])
def test_a_recording_that_loses_a_record_is_found(live: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    real = StreamWriter.event

    def event(self: StreamWriter, one: Any) -> None:
        if not (isinstance(one, Record) and one.stamp is not None and one.stamp.micros % 4_000_000 == 0):
            real(self, one)

    monkeypatch.setattr(StreamWriter, "event", event)
    assert kinds("record stream", way=Way(live=live)) == {RECORDING}


@pytest.mark.parametrize("live", [False, True])
def test_a_recording_without_the_silences_is_found(live: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    real = StreamWriter.event

    def event(self: StreamWriter, one: Any) -> None:
        real(self, replace(one, silent_since=None) if isinstance(one, Tick) else one)

    data = re.sub(rb"10:00:0([5-9])", rb"10:01:0\1", generated("bcc stamped", 0))
    case = Case(0, Sample("bcc stamped", data), Damaged(data, ()), Way(live=live))
    assert judge(case).broken == []
    monkeypatch.setattr(StreamWriter, "event", event)
    assert {broken.kind for broken in judge(case).broken} == {RECORDING}


def test_a_dependence_on_chunks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = lines._Splitter.feed

    def feed(self: lines._Splitter, chunk: bytes) -> list[str]:
        return real(self, chunk) + ([self._rest] if self._rest else [])

    monkeypatch.setattr(lines._Splitter, "feed", feed)
    assert CHUNKS in kinds("bcc stamped", chunk=997)


@pytest.mark.parametrize("form", ["strace -ttt", "fio log", "oracle trace", "biosnoop"])
def test_a_scan_that_differs_is_found(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from pylatencymap.intervals.batch import Batches

    real = Batches.intervals
    monkeypatch.setattr(Batches, "intervals", lambda self: (replace(one, note="broken") for one in real(self)))
    assert kinds(form) == {SCAN}


# Neighbours.


def changed(form: str, *, after: int, until: int | None = None, line: int = 60) -> list[str]:
    """The kinds of what changed if the intervals of a part of a text lie a tenth of a second late."""
    found = read(generated(form, 0))
    moved = [
        replace(one, start=one.start + 100_000, end=one.end + 100_000) if after <= place < (until or 999) else one
        for place, one in enumerate(found.intervals)
    ]
    broken = changed_neighbours(known_of(form), found._replace(intervals=moved), line, line)
    assert broken is not None
    return [one.kind for one in broken]


@pytest.mark.parametrize("form", ["record stream", "bcc stamped", "bpftrace cumulative", "strace -ttt", "oracle trace"])
def test_all_that_follows_the_damage_must_stay(form: str) -> None:
    assert NEIGHBOUR in changed(form, after=1)


@pytest.mark.parametrize("form", ["strace -ttt", "oracle trace", "biosnoop"])
def test_a_damaged_event_may_change_its_bin(form: str) -> None:
    assert changed(form, after=3, until=4) == []
    assert changed(form, after=3, until=7) == [NEIGHBOUR]


def test_a_damaged_record_may_change_its_interval_and_the_next() -> None:
    lines = {"bcc stamped": 60, "bpftrace cumulative": 40}  # in the fourth print of each
    for form, line in lines.items():
        assert not changed(form, after=3, until=4, line=line)
        assert NEIGHBOUR in changed(form, after=0, until=3, line=line)
        assert NEIGHBOUR in changed(form, after=6, line=line)


def test_what_is_broken_by_one_fall_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [line for line in generated("bpftrace cumulative", 0).decode().split("\n") if line.startswith("[64, 128)")]
    damaged = rows[5].replace(rows[5].split()[2], "1", 1)
    assert known_of("bpftrace cumulative").is_checkable
    real = SeriesIntervals._judged
    broken: dict[SeriesIntervals, bool] = {}

    def judged(self: SeriesIntervals, verdicts: list[CountsVerdict]) -> Iterator[Interval]:
        broken[self] = broken.get(self, False) or any(one.meaning is Meaning.DAMAGED for one in verdicts)
        for interval in real(self, verdicts):
            yield replace(interval, note="broken on purpose") if broken[self] else interval

    assert NEIGHBOUR not in kinds("bpftrace cumulative", rows[5], damaged)
    monkeypatch.setattr(SeriesIntervals, "_judged", judged)
    assert NEIGHBOUR in kinds("bpftrace cumulative", rows[5], damaged)


def test_another_series_of_the_same_print_must_stay() -> None:
    found, line = read(generated("bpftrace cumulative keys", 0)), 60
    known = known_of("bpftrace cumulative keys")
    own = max(one for one in known.records if one[0] <= line)[1]
    other = next(one.series for one in found.intervals if one.series != own)
    for series, expected in ((own, []), (other, [NEIGHBOUR])):
        near = [
            replace(one, note="changed") if one.series == series and place in (4, 5) else one
            for place, one in enumerate(found.intervals)
        ]
        broken = changed_neighbours(known, found._replace(intervals=near), line, line, in_row=True)
        assert [one.kind for one in broken or () if "other than" in one.what] == expected


def test_only_a_second_unit_may_change_the_names_of_series() -> None:
    found, known = read(generated("bpftrace cumulative keys", 0)), known_of("bpftrace cumulative keys")
    first = next(one for one in found.events if isinstance(one, Record))
    renamed = [replace(one, series=f"{one.series} ({one.unit.value})") for one in found.intervals]
    others = [replace(first, series=series, unit=Unit.MS) for series in {one.series for one in found.intervals}]
    for events, expected in ((found.events, [NEIGHBOUR, NEIGHBOUR]), ([*found.events, *others], [])):
        broken = changed_neighbours(known, found._replace(intervals=renamed, events=events), 60, 60)
        assert [one.kind for one in broken or ()] == expected


# Failing inputs are made smaller and kept.


def test_a_failing_input_is_made_smaller_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def growth(_self: object, _now: object) -> list[float]:
        raise KeyError("broken on purpose")

    monkeypatch.setattr(running_totals.RunningTotals, "growth", growth)
    data = generated("record stream", 0)
    case = Case(3, Sample("s", b""), Damaged(data, ("none",)), USUAL)
    (broken,) = judge(case).broken
    small = minimised(case, broken, "records")
    assert small.damaged.data.count(b"<begin record>") == 2
    path = save(tmp_path, 9, small, broken)
    assert saved(path)._replace(sample=small.sample) == small
    assert judge(saved(path)).broken[0].kind == CRASH
    assert json.loads(path.read_text())["again"].endswith(str(path))


def test_an_input_that_ends_its_process_ends_no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    real = workers._judged

    def judged(plan: Plan, cases: Cases, number: int, seen: Any, at_first: float) -> workers.Judged:
        if number == 4:
            os._exit(7)
        return real(plan, cases, number, seen, at_first)

    monkeypatch.setattr(workers, "_judged", judged)
    totals: Totals = run(Plan(list(own_samples())[:8], 1, 12, jobs=2))
    assert totals.inputs == 12
    assert totals.failures[CRASH] == 1
    assert totals.failed


def test_memory_is_found_and_ends_no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    real = workers.judge

    def hungry(case: Case, known: Undamaged | None) -> Verdict:
        kept.append(bytearray(b"x" * (40 << 20)))
        return real(case, known)

    kept: list[bytearray] = []
    monkeypatch.setattr(workers, "judge", hungry)
    monkeypatch.setattr(workers, "MOST_MB", 30.0)
    totals = run(Plan(list(own_samples())[:4], 1, 3))
    assert totals.inputs == 3
    assert totals.failures[workers.MEMORY] == 3


def test_the_memory_of_those_who_run_it_is_not_its_own() -> None:
    held = bytearray(b"x" * (700 << 20))
    totals = run(Plan(list(own_samples())[:4], 1, 3))
    assert totals.peak_mb < len(held) / 2**20 / 2
    assert not totals.failures

"""The stream of oralatencymap.sql prints what the view counted. SQL*Plus, PL/SQL and the view are emulated."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.oracle_script import script
from pylatencymap.record import Record, Semantics, Stamp
from pylatencymap.report import Report
from pylatencymap.stream.reader import read_stream
from pylatencymap.text.lines import lines_of
from pylatencymap.units import Unit

SAMPLES = 21
READS, SYNC = "db file sequential read", "log file sync"
SUFFIX = " latency data from gv$event_histogram_micro"
START = datetime(2026, 1, 1, 10, tzinfo=timezone.utc)
Run = Callable[..., tuple[str, list[str]]]


@pytest.fixture(scope="session")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A script of more samples than that of the pictures: they cost less."""
    path = tmp_path_factory.mktemp("stream") / "oralatencymap.sql"
    path.write_text(script((SAMPLES - 1) * 3 / 3600))
    return path


@dataclass
class Sample:
    """One record as printed."""

    micros: int
    label: str
    counts: dict[int, int]
    waited: float | None = None


def samples_of(text: str) -> list[Sample]:
    """The records of a text, taken apart by their exact form; anything between records is an error here."""
    samples = []
    for block in text.replace("\n\n", "\n").strip().split("<end record>")[:-1]:
        before, record = block.strip().split("<begin record>\n")
        stamp, label, unit, source, *rows = record.strip().splitlines()
        assert (unit, source) == ("latencyunit,microsec", "datasource,oracle")
        exact = json.loads(before.partition("#lmap ")[2] or "{}")
        assert not exact or exact.keys() == {"v", "time"}
        word, micros_word, micros, date = stamp.split(",")
        assert (word, micros_word) == ("timestamp", "microsec")
        assert date == f"{datetime.fromtimestamp(int(micros) // 10**6, timezone.utc):%Y-%m-%d %H:%M:%S} +00:00"
        counts = {int(bound): int(count) for bound, count in (row.split(",") for row in rows)}
        assert label.startswith("label,")
        samples.append(Sample(int(micros), label.removeprefix("label,"), counts, exact.get("time")))
    return samples


def instance(samples: list[Sample], number: int, event: str = READS) -> list[Sample]:
    return [sample for sample in samples if sample.label == f"{event}@{number}{SUFFIX}"]


@pytest.mark.thorough
def test_every_count_of_an_hour_is_the_true_one(rig: Any, run: Run, root: Path) -> None:
    mock = rig.MockHistogram(clock=rig.SimClock(START, tick=0), uptime=1000)
    text, errors = run("stream", "3", mock=mock, path=root / "oralatencymap.sql")
    assert not errors
    for number, rates in mock.rates[READS].items():
        samples = instance(samples_of(text), number)
        assert len(samples) == 1201
        for index, sample in enumerate(samples):
            assert sample.micros == (int(START.timestamp()) + 3 * index) * 10**6
            assert sample.counts == {bound: rate * (1000 + 3 * index) for bound, rate in rates.items()}


@pytest.mark.parametrize("noise", ["", "\nPL/SQL procedure successfully completed.\n\n31 rows selected.\n"])
def test_the_reader_of_record_streams_reads_it(rig: Any, run: Run, noise: str) -> None:
    mock = rig.MockHistogram(clock=rig.SimClock(START, tick=0), uptime=1000)
    text, _ = run("stream", "3", mock=mock)
    report = Report("script")
    records = list(read_stream(lines_of(text.replace("<begin record>", f"{noise}<begin record>")), report))
    assert (report.bad_count, len(records)) == (0, 2 * SAMPLES)
    for index, record in enumerate(records):
        sample, number = divmod(index, 2)
        assert isinstance(record, Record)
        assert record.series == f"{READS}@{number + 1}"
        assert (record.unit, record.semantics, record.source) == (Unit.US, Semantics.CUMULATIVE, "oracle")
        assert record.stamp == Stamp((int(START.timestamp()) + 3 * sample) * 10**6)
        rates = mock.rates[READS][number + 1].items()
        assert record.ranges == tuple((bound // 2, bound, rate * (1000 + 3 * sample)) for bound, rate in rates)


@pytest.mark.parametrize(("label", "lower"), [(2**32 - 1, 2**31), (2**32, None), (2**33, None)])
def test_the_reader_knows_the_overflow_row(rig: Any, run: Run, label: int, lower: int | None) -> None:
    """Oracle's overflow row is any label that is no power of two from 2^32 - 1 on; a power of two names its octave."""
    mock = rig.MockHistogram(clock=rig.SimClock(START, tick=0), uptime=1000, overflow_micro=label)
    mock.add_overflow(READS)
    record = next(iter(read_stream(lines_of(run("stream", "3", mock=mock)[0]), Report("script"))))
    assert isinstance(record, Record)
    top = (label // 2, label, 1000) if lower is None else (lower, None, 1000)
    assert record.ranges[-1] == top


def test_without_an_event_and_an_interval_it_reads_every_3_seconds(run: Run) -> None:
    samples = samples_of(run("stream")[0])
    assert {sample.label for sample in samples} == {f"{READS}@{number}{SUFFIX}" for number in (1, 2)}
    steps = {after.micros - before.micros for before, after in pairwise(instance(samples, 1))}
    assert all(3_000_000 <= step < 3_010_000 for step in steps)


@pytest.mark.parametrize("event", [SYNC, "LOG FILE SYNC", "log_file_sync", "Log_File sync"])
def test_any_case_and_underscores_name_the_event(run: Run, event: str) -> None:
    text, errors = run("stream", "0.5", event)
    assert not errors
    assert len(instance(samples_of(text), 2, SYNC)) == SAMPLES


def test_the_stamp_goes_on_over_midnight(rig: Any, run: Run) -> None:
    text, _ = run("stream", "3", mock=rig.MockHistogram(clock=rig.SimClock.before_midnight(7)))
    stamps = [sample.micros for sample in instance(samples_of(text), 1)]
    assert all(3_000_000 <= after - before < 3_010_000 for before, after in pairwise(stamps))
    midnight = int(rig.midnight().timestamp()) * 10**6
    assert stamps[2] < midnight <= stamps[3]


def test_a_restart_begins_again_from_zero(rig: Any, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    mock = rig.MockHistogram(clock=rig.SimClock(START, tick=0), uptime=1000)
    sleep = mock.clock.sleep

    def sleep_and_restart(seconds: float) -> None:
        sleep(seconds)
        if mock.clock.now == datetime(2026, 1, 1, 10, 0, 30, tzinfo=timezone.utc):
            mock.restart_instance(1)
            sleep(1)

    monkeypatch.setattr(mock.clock, "sleep", sleep_and_restart)
    samples = samples_of(run("stream", "3", mock=mock)[0])
    first, second = instance(samples, 1), instance(samples, 2)
    assert first[9].counts[512] == 600 * 1027
    assert first[10].counts == mock.rates[READS][1]
    assert second[10].counts[512] == 240 * 1031


@pytest.mark.parametrize("bound", [2**32 - 1, 2**32, 2**33])
def test_the_overflow_row_keeps_its_label(rig: Any, run: Run, bound: int) -> None:
    mock = rig.MockHistogram(clock=rig.SimClock(START, tick=0), uptime=1000, overflow_micro=bound)
    mock.add_overflow(READS)
    samples = samples_of(run("stream", "3", mock=mock)[0])
    assert instance(samples, 1)[4].counts[bound] == 1012
    assert bound not in instance(samples, 2)[4].counts


def test_a_missing_bucket_is_no_row_and_containers_are_summed(rig: Any, run: Run) -> None:
    mock = rig.MockHistogram(clock=rig.SimClock(START, tick=0), uptime=1000, con_ids=(1, 3))
    mock.hide_bucket(READS, 512, instance=1, snapshots={5})
    samples = instance(samples_of(run("stream", "10", mock=mock)[0]), 1)
    hidden = [index for index, sample in enumerate(samples) if 512 not in sample.counts]
    assert hidden == [3]  # the first query only asks whether the event is there
    assert samples[4].counts[512] == 600 * 1040


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("stream", "soon"), "not soon"),
        (("STREAM", "0"), "not 0"),
        (("stream", "1.2.3"), "not 1.2.3"),
        (("stream", "."), "not ."),
        (("stream", "3", "no such event"), 'no waits for the event "no such event"'),
    ],
)
def test_wrong_arguments_end_it_with_a_reason(run: Run, args: tuple[str, ...], words: str) -> None:
    text, errors = run(*args)
    assert len(errors) == 1
    assert words in errors[0]
    assert "<begin record>" not in text


def test_no_privilege_ends_it(rig: Any, run: Run, sqlplus: Callable[..., Any]) -> None:
    mock = rig.MockHistogram(clock=rig.SimClock())
    mock.hide_view("gv$event_histogram_micro")
    mock.hide_view("gv$event_histogram")
    assert ["ORA-00942" in error for error in run("stream", mock=mock)[1]] == [True]
    session = sqlplus("stream", mock=mock)
    assert session.exited == 1


def test_an_error_while_it_runs_ends_it(rig: Any, sqlplus: Callable[..., Any]) -> None:
    mock = rig.MockHistogram(clock=rig.SimClock())
    mock.fail_next(3113, match="GROUP BY inst_id")
    session = sqlplus("stream", mock=mock)
    assert session.exited == 1
    assert ["ORA-03113" in error for error in session.errors] == [True]


RELEASES = {
    "10.2.0.4.0": ("gv$event_histogram", "dbms_lock"),
    "11.2.0.4.0": ("gv$event_histogram", "dbms_lock"),
    "12.1.0.1.0": ("gv$event_histogram", "dbms_lock"),
    "12.1.0.2.0": ("gv$event_histogram_micro", "dbms_lock"),
    "18.3.0.0.0": ("gv$event_histogram_micro", "dbms_session"),
    "23.26.0.0.0": ("gv$event_histogram_micro", "dbms_session"),
}
"""What there is. No version is asked for: the dictionary says it."""


@pytest.mark.parametrize("version", RELEASES)
def test_the_dictionary_chooses_view_and_sleep(
    still: Callable[..., Any], sqlplus: Callable[..., Any], version: str
) -> None:
    mock = still(version=version)
    mock.hide_view("v$instance")
    session = sqlplus("stream", mock=mock)
    view, package = RELEASES[version]
    assert (session.defs["olm_view"], session.defs["olm_sleep"]) == (view, f"{package}.sleep")
    assert (session.exited, session.errors) == (0, [])


def test_a_user_with_the_view_of_milliseconds_only_gets_those(rig: Any, sqlplus: Callable[..., Any]) -> None:
    mock = rig.MockHistogram(clock=rig.SimClock())
    mock.hide_view("gv$event_histogram_micro")
    session = sqlplus("stream", mock=mock)
    assert (session.defs["olm_view"], session.exited, session.errors) == ("gv$event_histogram", 0, [])


def test_before_12_1_0_2_the_buckets_are_of_milliseconds(still: Callable[..., Any], run: Run) -> None:
    text, errors = run("stream", "3", mock=still(version="12.1.0.1.0"))
    assert not errors
    records = [record for record in read_stream(lines_of(text), Report("script")) if isinstance(record, Record)]
    assert len(records) == 2 * SAMPLES
    assert {(record.series, record.unit) for record in records} == {(f"{READS}@{n}", Unit.MS) for n in (1, 2)}
    first = {upper: count for _, upper, count in records[0].ranges}
    assert first == {1: 1102 * 1000, 2: 30000, 4: 12000, 8: 40000, 16: 75000, 32: 25000, 64: 4000}


def test_a_dictionary_that_does_not_answer_is_taken_for_a_recent_one(rig: Any, run: Run) -> None:
    mock = rig.MockHistogram(clock=rig.SimClock())
    mock.fail_next(942, times=None, match="FROM all_")
    text, errors = run("stream", mock=mock)
    assert len(errors) == 3
    assert len(instance(samples_of(text), 1)) == SAMPLES


def test_the_time_is_that_of_the_sums(rig: Any, run: Run) -> None:
    mock = rig.MockHistogram(clock=rig.SimClock(START, tick=0), uptime=1000)
    text, errors = run("stream", "3", mock=mock)
    assert not errors
    for number in (1, 2):
        for index, sample in enumerate(instance(samples_of(text), number)):
            at = START + timedelta(seconds=3 * index)
            assert sample.waited == mock.exact(READS, instance=number, at=at)[1] / 1e6


@pytest.mark.parametrize("offset", [15, 2_000_000])
def test_sums_of_other_waits_are_left_out(rig: Any, run: Run, offset: int) -> None:
    """A few more waits are those between the two views; millions are of another container."""
    mock = rig.MockHistogram(clock=rig.SimClock(START, tick=0), uptime=1000)
    mock.disagree(READS, waits=offset, micros=0)
    samples = samples_of(run("stream", "3", mock=mock)[0])
    assert {sample.waited is None for sample in samples} == {offset > 100}


def test_sums_that_come_to_count_other_waits_are_left_out(rig: Any, run: Run) -> None:
    """After ten days of uptime a tenth of the waits of a minute are nothing; of that minute they are a tenth."""
    mock = rig.MockHistogram(clock=rig.SimClock(START, tick=0))
    shown, first = mock.shown, mock.exact(READS, instance=1, at=START)[0]

    def less(event: str, column: str, value: int) -> int:
        own = int(shown(event, column, value))  # instance 2 counts half as much
        return own - (own - first) // 10 if column == "TOTAL_WAITS" and own >= first else own

    mock.shown = less
    samples = samples_of(run("stream", "3", mock=mock)[0])
    known = [sample.waited is not None for sample in instance(samples, 1)]
    assert known[:9] == [True] * 9
    assert known[14:] == [False] * 7
    assert all(sample.waited is not None for sample in instance(samples, 2))


def test_without_the_privilege_there_are_no_sums(rig: Any, run: Run) -> None:
    mock = rig.MockHistogram(clock=rig.SimClock(START, tick=0), uptime=1000)
    mock.hide_view("gv$system_event")
    text, errors = run("stream", "3", mock=mock)
    assert not errors
    assert "#lmap" not in text
    assert len(instance(samples_of(text), 1)) == SAMPLES

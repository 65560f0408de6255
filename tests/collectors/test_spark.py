"""Times of Spark's tasks: by hand on short logs, and against Spark's own status store on real ones."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import pylatencymap as lm
from pylatencymap.collector import Known
from pylatencymap.collectors.spark import decode
from pylatencymap.errors import Refused
from pylatencymap.record import Mark, Sample
from pylatencymap.report import Report
from pylatencymap.session.input import StopRequest, open_path
from pylatencymap.text.lines import lines_of

SAMPLES = Path(__file__).parent / "samples" / "spark"
BEGIN = 1_795_000_000_000
CODECS = {".zstd": "zstandard", ".lz4": "lz4.block", ".snappy": "cramjam"}
LOGS = (
    "app-20261122142320-0000.gz",
    "local-1795356966884.gz",
    "local-1795357123211.lz4",
    "local-1795357152679.snappy",
    "local-1795357186066.inprogress",
    "local-1795357200452.zstd.inprogress",
    "local-1795357222093.lz4.inprogress",
    "defaults/eventlog_v2_local-1795356996869",
    "rolled/eventlog_v2_local-1795357464088",
)
OF_STORE = {
    "executorRunTime": ("run time",),
    "schedulerDelay": ("scheduler delay", "task without metrics"),
    "gettingResultTime": ("getting result",),
    "executorDeserializeTime": ("deserialization",),
    "resultSerializationTime": ("result serialization",),
    "jvmGcTime": ("GC",),
    "shuffleFetchWaitTime": ("shuffle fetch wait",),
    "shuffleWriteTime": ("shuffle write",),
}
"""Sums of the status store, and our series. The store counts a task without metrics as scheduler delay."""
TASKS = ("run time", "task without metrics")
"""Each task has one event of one of these."""
Sums = Counter[tuple[str, str, str]]
"""By stage, executor (empty: all) and part."""


def of_sample(name: str, *, by: str = "", keys: bool = True) -> tuple[list[Sample], list[Mark], list[str]]:
    said: list[str] = []
    report = Report(name, say=said.append)
    found = list(decode(lines_of((SAMPLES / f"{name}.txt").read_text()), report, Known(keys=keys, by=by)))
    return [one for one in found if isinstance(one, Sample)], [one for one in found if isinstance(one, Mark)], said


def told(samples: list[Sample]) -> list[tuple[str, int, int]]:
    return [(one.series, one.latency, one.micros // 1000 - BEGIN) for one in samples]


def keys_of(sample: Sample) -> dict[str, str]:
    return {key.name: key.value for key in sample.keys}


def test_the_parts_of_a_task_add_up_to_its_time() -> None:
    samples, _, said = of_sample("sql")
    assert told(samples) == [
        ("stage 0.0 run time", 250, 400),
        ("stage 0.0 scheduler delay", 28, 400),
        ("stage 0.0 deserialization", 20, 400),
        ("stage 0.0 result serialization", 2, 400),
        ("stage 0.0 GC", 30, 400),
        ("stage 0.0 shuffle write", 1_500_000, 400),
        ("stage 0.0 run time", 2200, 2350),
        ("stage 0.0 scheduler delay", 30, 2350),
        ("stage 0.0 deserialization", 10, 2350),
        ("stage 0.0 shuffle fetch wait", 900, 2350),
        ("stage 1.0 run time", 60, 2900),
        ("stage 1.0 scheduler delay", 35, 2900),
        ("stage 1.0 deserialization", 5, 2900),
        ("stage 1.0 getting result", 400, 2900),
    ]
    assert len(said) == 1
    assert "counts them twice" in said[0]


def test_an_event_says_who_ran_it_and_for_what() -> None:
    samples, _, _ = of_sample("sql")
    keys = keys_of(samples[6])
    assert keys == {
        "stage": "0.0",
        "executor": "2",
        "host": "10.0.0.2",
        "task": "1",
        "job": "0",
        "description": "daily orders",
        "sql": "4",
        "status": "success",
        "attempt": "0",
        "speculative": "no",
        "locality": "PROCESS_LOCAL",
    }
    notes = {key.name: key.note for key in samples[6].keys if key.note}
    assert notes == {
        "stage": "collect at orders.py:7",
        "executor": "10.0.0.2",
        "sql": "select sum(price) from orders",
    }
    assert not any(one.keys for one in of_sample("sql", keys=False)[0])


def test_divided_by_a_key_series_are_no_stages() -> None:
    samples, _, _ = of_sample("sql", by="executor")
    assert {one.series for one in samples if one.latency > 1000} == {"run time", "shuffle write"}
    run = lm.read(SAMPLES / "sql.txt", by="executor")
    assert run.summary("run time executor=2 10.0.0.2").waited == pytest.approx(2.2)
    assert run.summary("run time executor=1 10.0.0.1").waited == pytest.approx(0.31)


def test_lost_executors_failures_and_copies() -> None:
    samples, marks, said = of_sample("failures")
    assert [(one.note, one.stamp.micros // 1000 - BEGIN) for one in marks] == [
        ("stage 3.0: speculative copy of task 1 on executor 1", 1900),
        ("executor 2 on 10.0.0.2 removed: Command exited with code 137", 2500),
        ("stage 3.0 failed: task 0 failed", 2900),
    ]
    whole = [(one.series[10:], one.latency, keys_of(one)["status"]) for one in samples if one.series[10:] in TASKS]
    assert whole == [
        ("run time", 280, "success"),
        ("task without metrics", 1510, "failed: ExecutorLostFailure"),
        ("run time", 880, "success"),
        ("run time", 70, "failed: ExceptionFailure"),
    ]
    assert [keys_of(one)["speculative"] for one in samples if one.latency == 880] == ["yes"]
    assert len(said) == 1
    assert "1 ends of tasks that had ended before" in said[0]


def test_a_log_that_is_still_written_ends_anywhere() -> None:
    samples, _, said = of_sample("unfinished")
    assert [one.latency for one in samples if one.series == "stage 0.0 run time"] == [250]
    assert [line.partition(": ")[2][:40] for line in said] == [
        "the log ends within this line: it is sti",
        "1 tasks have started and not ended here;",
    ]


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('"Executor Run Time":2200', '"Executor Run Time":-1', "Executor Run Time is -1"),
        ('"Executor Run Time":2200', '"Executor Run Time":"2"', "Executor Run Time is no whole number"),
        ('"Finish Time":1795000002350', '"Finish Time":1795000000050', "the task ends before it begins"),
        ('"Finish Time":1795000002350', '"Finish Time":17950000023500000', "Finish Time is 17950000023500000"),
        ('"Executor Run Time":2200', '"Executor Run Time":22x0', "cannot be read as JSON"),
    ],
)
def test_damage_costs_one_task_and_is_counted(old: str, new: str, what: str) -> None:
    text, said = (SAMPLES / "sql.txt").read_text(), list[str]()
    assert text.count(old) == 1
    report = Report("log", say=said.append)
    found = list(decode(lines_of(text.replace(old, new)), report, Known()))
    assert report.bad_count == 1
    assert any(f"log:9: TaskEnd{': ' if 'JSON' not in what else ' that '}{what}" in line for line in said)
    assert sum(isinstance(one, Sample) and one.series.endswith("run time") for one in found) == 2


def test_a_log_without_an_ended_task_is_refused() -> None:
    text = "".join((SAMPLES / "sql.txt").read_text().splitlines(keepends=True)[:7])
    report = Report("log")
    with pytest.raises(Refused, match="log: no task has ended"):
        list(decode(lines_of(text.partition('{"Event":"SparkListenerTaskEnd"')[0]), report, Known()))


def of_log(path: Path) -> tuple[str, Sums, list[Sample]]:
    """The application, and what its tasks took: our sums."""
    stop = StopRequest()
    source, sums, samples = open_path(str(path), stop), Sums(), list[Sample]()
    application = [
        json.loads(line.text)["App ID"]
        for line in source.lines()
        if line is not None and line.text.startswith('{"Event":"SparkListenerApplicationStart"')
    ]
    for one in decode(source.lines(), Report("log"), Known(keys=True)):
        if isinstance(one, Sample):
            samples.append(one)
            keys = keys_of(one)
            part = one.series.removeprefix(f"stage {keys['stage']} ")
            for executor in ("", keys["executor"]):
                sums[keys["stage"], executor, part] += one.latency
                sums[keys["stage"], executor, "tasks"] += part in TASKS
    source.close()
    stop.close()
    return application[0], sums, samples


def of_store(stages: list[dict[str, Any]]) -> Iterator[tuple[str, str, str, int]]:
    """Stage, executor, name and value of each sum of the status store that we have as well."""
    for stage in stages:
        name = f"{stage['stage']}.{stage['attempt']}"
        sums = [("", stage[name]) for name in ("from_tasks", "from_stage") if name in stage]
        for executor, told in [*sums, *stage.get("executors", {}).items()]:
            for what, value in told.items():
                if what == "tasks" or what in OF_STORE:
                    yield name, executor, what, value


@pytest.fixture
def logs(shared: Path) -> Path:
    if not (shared / "facts/spark-logs/history-server.json").exists():
        pytest.skip("no logs of Spark here")
    return shared / "facts" / "spark-logs"


def needs_codec(path: Path) -> None:
    names = [path.name, *(one.name for one in path.glob("events_*"))]
    for suffix, package in CODECS.items():
        if any(suffix in name for name in names):
            pytest.importorskip(package)


@pytest.mark.parametrize("log", LOGS)
def test_sums_are_those_of_the_status_store_of_spark(logs: Path, log: str) -> None:
    needs_codec(logs / log)
    application, sums, _ = of_log(logs / log)
    store = json.loads((logs / "history-server.json").read_text())[application]
    compared = 0
    for stage, executor, what, value in of_store(store["stages"]):
        ours = sum(sums[stage, executor, part] for part in OF_STORE.get(what, (what,)))
        assert (stage, executor, what, ours) == (stage, executor, what, value)
        compared += 1
    assert compared >= 20


@pytest.mark.parametrize("log", [one for one in LOGS if "app-" not in one and "lz4.in" not in one])
def test_the_planted_straggler_is_among_the_slowest_of_its_stage(logs: Path, log: str) -> None:
    """It slept 2 s; only the first two tasks, which start Python, can have taken as long. One log lacks its end."""
    needs_codec(logs / log)
    _, _, samples = of_log(logs / log)
    slowest = sorted((one for one in samples if one.series == "stage 0.0 run time"), key=lambda one: -one.latency)[:3]
    places = [int(keys_of(one)["task"]) for one in slowest]
    assert 17 in places
    assert {*places} <= {0, 1, 17}


@pytest.mark.parametrize("log", [one for one in LOGS if "inprogress" not in one])
def test_the_planted_skew_is_a_task_that_took_most_of_its_stage(logs: Path, log: str) -> None:
    """Nine of ten rows went to one of eight tasks."""
    needs_codec(logs / log)
    _, _, samples = of_log(logs / log)
    runs = [one.latency for one in samples if one.series == "stage 2.0 run time"]
    assert len(runs) >= 8
    assert max(runs) > 3 * sorted(runs)[len(runs) // 2]


def test_what_a_run_waited_is_what_the_store_has(logs: Path) -> None:
    run = lm.read(logs / "app-20261122142320-0000.gz", by="stage", top=1000)
    store = json.loads((logs / "history-server.json").read_text())["app-20261122142320-0000"]
    for stage in (one for one in store["stages"] if "from_stage" in one):
        name = f"run time stage={stage['stage']}.{stage['attempt']} "
        waited = sum(run.summary(series).waited for series in run.series if series.startswith(name))
        assert round(waited * 1000) == stage["from_stage"]["executorRunTime"]


def test_batches_of_a_streaming_query() -> None:
    """A progress without a batch is none, and events of other programs are passed over."""
    samples, _, notes = of_sample("streaming")
    begin = 1_795_000_000_000
    whole = [one for one in samples if one.series.endswith(" batch")]
    assert [(one.series, one.latency, one.micros // 1000 - begin) for one in whole] == [
        ("query clicks batch", 900, 1_900),
        ("query clicks batch", 2_750, 6_000),
        ("query 78a5779a batch", 300, 6_300),
    ]
    parts = Counter[str]()
    for one in samples:
        parts[one.series] += one.latency
    assert parts["query clicks addBatch"] == 780 + 2650
    assert parts["query clicks walCommit"] == 37 + 49
    assert parts["query clicks latestOffset"] == 1
    assert notes == [
        "streaming:4: the time of a batch holds its parts and the time of its tasks: a sum of all series "
        "counts them again"
    ]
    by_batch, _, _ = of_sample("streaming", by="batch")
    assert [(one.series, one.keys[1].value) for one in by_batch if one.series == "batch"] == [
        ("batch", "0"),
        ("batch", "1"),
        ("batch", "2"),
    ]


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ('"2026-11-18T11:06:41.000Z"', '"yesterday"', "Invalid isoformat"),
        ('"2026-11-18T11:06:41.000Z"', '"2026-11-18T11:06:41"', "no zone"),
        ('"triggerExecution":900', '"triggerExecution":-1', "triggerExecution is -1"),
        ('"addBatch":780', '"addBatch":"x"', "addBatch is no whole number"),
    ],
)
def test_a_damaged_batch_costs_itself(before: str, after: str, why: str) -> None:
    said: list[str] = []
    report = Report("x", say=said.append)
    text = (SAMPLES / "streaming.txt").read_text().replace(before, after, 1)
    found = [one for one in decode(lines_of(text), report) if isinstance(one, Sample) and one.series.endswith(" batch")]
    assert len(found) == 2
    assert report.bad_count == 1
    assert any(why in one for one in said)

"""Slow tasks of Spark: on tasks made by hand, and on real logs in which a straggler was planted."""

import json
from pathlib import Path
from random import Random

import pytest

from pylatencymap.cli.main import run
from pylatencymap.collectors.spark.task_times import stage_times
from pylatencymap.findings import SlowTasks, StageTask, slow_tasks
from pylatencymap.findings.stragglers import slow_sentences
from pylatencymap.text.lines import lines_of


def said(tasks: list[StageTask]) -> list[str]:
    found = slow_tasks("3.0", "count", tasks)
    return [] if found is None else list(slow_sentences(found))


def usual(number: int, executors: int = 2, millis: int = 100) -> list[StageTask]:
    return [StageTask(place, str(place % executors), millis, 1000) for place in range(number)]


def test_a_straggler_has_its_name() -> None:
    tasks = [*usual(15), StageTask(15, "1", 2000, 1000)]
    assert said(tasks) == [
        "stage 3.0 (count): half of 3.50 s is in one of 16 tasks, of 2.00 s: task 15 on executor 1",
    ]
    alone = [one._replace(executor="driver") for one in tasks]
    assert said(alone)[0].endswith("of 2.00 s: task 15")


def test_half_of_the_time_is_exact() -> None:
    """It is in the fewest tasks that have it, and in all that took as long as the shortest of these."""
    numbers = Random(5)
    for _ in range(200):
        tasks = [StageTask(place, "1", numbers.choice((1, 5, 80, 900)), 0) for place in range(numbers.randrange(4, 40))]
        found = slow_tasks("0.0", "", tasks)
        if found is None:
            continue
        total, bound = sum(one.millis for one in tasks), round(found.bound * 1000)
        assert sum(one.millis for one in found.slow) * 2 >= total
        assert sum(one.millis for one in tasks if one.millis > bound) * 2 < total
        assert sorted(found.slow) == sorted(one for one in tasks if one.millis >= bound)


def test_tasks_that_take_as_long_are_not_slow() -> None:
    numbers = Random(1)
    assert said(usual(40)) == []
    assert said([one._replace(millis=numbers.randrange(80, 120)) for one in usual(40)]) == []
    assert said(usual(3, millis=5000)) == []
    assert said(usual(8, millis=0)) == []


def test_an_executor_is_named_if_chance_hardly_does_it() -> None:
    slow = [one._replace(millis=1000 if one.executor == "1" else 50) for one in usual(20)]
    assert said(slow)[1] == "executor 1 ran all 10, and 10 of all 20: it is slow, or what it runs on"
    found = slow_tasks("0.0", "", slow)
    assert found is not None
    assert found.executor is not None
    assert found.executor[0] == "1"
    by_chance = [one._replace(millis=1000 if one.place in (1, 3, 5) else 50) for one in usual(20)]
    assert len(said(by_chance)) == 1, "three of ten on one of two executors come by chance"


def test_chance_names_an_executor_in_less_than_one_of_a_hundred_stages() -> None:
    numbers, named = Random(8), 0
    for _ in range(1000):
        tasks = [StageTask(place, str(numbers.randrange(4)), numbers.choice((50, 50, 900)), 0) for place in range(40)]
        found = slow_tasks("0.0", "", tasks)
        named += found is not None and found.executor is not None
    assert named <= 20


def test_skew() -> None:
    tasks = [*usual(11), StageTask(11, "0", 3000, 50_000)]
    assert said(tasks)[1] == "it read 50 times the bytes of the median task: skew"
    assert len(said([*usual(11), StageTask(11, "0", 3000, 3_900)])) == 1
    few = [*usual(4, millis=1000), StageTask(4, "0", 1500, 9000)]
    assert said(few)[-1] == "one of them read much more than others, task 4 9 times the bytes of the median task: skew"


def test_skew_by_records() -> None:
    """Equal values are compressed: the bytes of a shuffle can hide what its records show, and the other way."""
    tasks = [one._replace(records=100) for one in usual(11)]
    assert said([*tasks, StageTask(11, "0", 3000, 1500, 9_000)])[1] == (
        "it read 90 times the records of the median task: skew"
    )
    assert said([*tasks, StageTask(11, "0", 3000, 50_000, 500)])[1] == (
        "it read 50 times the bytes of the median task: skew"
    )
    assert len(said([*tasks, StageTask(11, "0", 3000, 3900, 390)])) == 1


def test_records_come_from_the_log() -> None:
    read = {
        "Shuffle Read Metrics": {"Total Records Read": 7, "Local Bytes Read": 3},
        "Input Metrics": {"Records Read": 5},
    }
    event = {
        "Event": "SparkListenerTaskEnd",
        "Stage ID": 1,
        "Task Info": {"Task ID": 4, "Index": 2, "Launch Time": 1, "Finish Time": 9, "Executor ID": "1"},
        "Task Metrics": {"Executor Run Time": 6, **read},
    }
    found = stage_times(lines_of(json.dumps(event, separators=(",", ":"))))
    assert [(one.stage, [tuple(task) for task in one.tasks]) for one in found] == [("1.0", [(2, "1", 6, 3, 12)])]


def test_names_are_escaped() -> None:
    tasks = [*usual(15), StageTask(15, "\x1b[31m", 2000, 1000)]
    found = slow_tasks("1.0", "\x1b]0;x\x07", tasks)
    assert isinstance(found, SlowTasks)
    assert all(text.isprintable() for text in slow_sentences(found))


@pytest.mark.parametrize("name", ["defaults/eventlog_v2_local-1795356996869", "local-1795356966884.gz"])
def test_a_planted_straggler_is_named(shared: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Task 17 of stage 0 slept for two seconds; tasks 0 and 1 started Python."""
    if not name.endswith(".gz"):
        pytest.importorskip("zstandard")
    path = str(shared / "facts/spark-logs" / name)
    assert run(["report", path, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["stragglers"]
    first = next(one for one in found if one["stage"] == "0.0")
    assert {one["task"] for one in first["slow"]} == {0, 1, 17}
    assert max(first["slow"], key=lambda one: one["seconds"])["task"] == 17
    assert run(["report", path, "--full"]) == 0
    text = capsys.readouterr().out
    assert "Slow tasks" in text
    assert "task 17 (2.0" in " ".join(text.split())
    assert run(["report", path, "--markdown"]) == 0
    assert "### Slow tasks" in capsys.readouterr().out
    assert run(["report", path, "--series", "*GC", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["stragglers"] == [], "run time was not asked for"


def test_other_texts_have_none(capsys: pytest.CaptureFixture[str]) -> None:
    sample = Path(__file__).parent.parent / "collectors/samples/bpf"
    assert run(["report", str(sorted(sample.iterdir())[0]), "--json"]) in (0, 1)
    out = capsys.readouterr().out
    assert not out or json.loads(out)["stragglers"] == []

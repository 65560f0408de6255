"""A run that ended early goes on where it was, counts nothing twice, and writes the same bytes."""

import fcntl
import json
import os
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pylatencymap.aggregate import file_reading, work_folder
from pylatencymap.aggregate.file_reading import InputReader, ReadTask
from pylatencymap.aggregate.outputs import output_at
from pylatencymap.aggregate.work_folder import WorkFolder
from pylatencymap.cli.main import run
from pylatencymap.errors import Exit, SourceError, UsageError
from pylatencymap.session.input import ReadPlan
from tests.aggregate.asking import EVERY_SECOND, aggregated, five_kinds, waits, written
from tests.aggregate.test_divided_inputs import split_at as split_at

pytest.importorskip("pyarrow")


class Killed(BaseException):
    """Stands for the end of the process."""


def die(_: object) -> None:
    raise Killed


@pytest.fixture
def die_after(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], list[ReadTask]]:
    """Lets the run end before its n-th task is done; returns the tasks that are begun, as they are."""
    real = InputReader.done

    def after(tasks: int) -> list[ReadTask]:
        begun: list[ReadTask] = []

        def done(self: InputReader, task: ReadTask) -> dict[str, Any]:
            begun.append(task)
            if len(begun) > tasks:
                raise Killed
            return real(self, task)

        monkeypatch.setattr(InputReader, "done", done)
        return begun

    return after


@pytest.mark.parametrize("seed", range(3))
def test_ended_many_times(
    tmp_path: Path, seed: int, die_after: Callable[[int], list[ReadTask]], split_at: Callable[[int, int], None]
) -> None:
    five_kinds(tmp_path / "archive", Random(seed))
    split_at(4000, 8000)
    begun = die_after(10_000)
    aggregated([tmp_path / "archive"], tmp_path / "whole.parquet")
    every = sorted(begun)
    output, done = tmp_path / "ended.parquet", list[ReadTask]()
    for _ in range(200):
        begun = die_after(4)
        try:
            summary = aggregated([tmp_path / "archive"], output)
            done += begun
            break
        except Killed:
            assert not output.exists()
            done += begun[:-1]
    assert sorted(done) == every, "each task was done once"
    assert output.read_bytes() == (tmp_path / "whole.parquet").read_bytes()
    assert summary.known_before > 0
    assert not (tmp_path / "ended.parquet.unfinished").exists()


def test_a_run_that_ended_while_it_wrote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    five_kinds(tmp_path / "archive", Random(1))
    aggregated([tmp_path / "archive"], tmp_path / "whole.lmap.gz")
    output = output_at(str(tmp_path / "ended.lmap.gz"), None)
    with monkeypatch.context() as patch:
        patch.setattr(type(output), "finish", die)
        with pytest.raises(Killed):
            aggregated([tmp_path / "archive"], tmp_path / "ended.lmap.gz")
    assert not (tmp_path / "ended.lmap.gz").exists()
    summary = aggregated([tmp_path / "archive"], tmp_path / "ended.lmap.gz")
    assert summary.known_before == summary.inputs
    assert (tmp_path / "ended.lmap.gz").read_bytes() == (tmp_path / "whole.lmap.gz").read_bytes()


def ended(tmp_path: Path, die_after: Callable[[int], list[ReadTask]]) -> Path:
    """The work folder of a run that ended before its third file."""
    for number in range(4):
        (tmp_path / f"{number}.trc").write_text(waits(Random(number), 100, 1_774_000_000))
    die_after(2)
    with pytest.raises(Killed):
        aggregated(tmp_path.glob("*.trc"), tmp_path / "x.parquet")
    return tmp_path / "x.parquet.unfinished"


def test_a_note_that_was_cut_off_does_not_count(tmp_path: Path, die_after: Callable[[int], list[ReadTask]]) -> None:
    folder = ended(tmp_path, die_after)
    log = folder / "done.jsonl"
    assert log.read_text().count("\n") == 2
    log.write_bytes(log.read_bytes()[:-20])
    begun = die_after(100)
    summary = aggregated(tmp_path.glob("*.trc"), tmp_path / "x.parquet")
    assert (summary.known_before, len(begun)) == (1, 3)
    aggregated(tmp_path.glob("*.trc"), tmp_path / "whole.parquet")
    assert (tmp_path / "x.parquet").read_bytes() == (tmp_path / "whole.parquet").read_bytes()


def test_a_file_that_has_changed_meanwhile_is_read_again(
    tmp_path: Path, die_after: Callable[[int], list[ReadTask]]
) -> None:
    folder = ended(tmp_path, die_after)
    done = Path(json.loads((folder / "done.jsonl").read_text().splitlines()[0])[0][1])
    done.write_text(waits(Random(9), 50, 1_774_000_000))
    die_after(100)
    summary = aggregated(tmp_path.glob("*.trc"), tmp_path / "x.parquet")
    assert summary.known_before == 1
    assert summary.events == 350


def test_other_options_are_another_question(tmp_path: Path, die_after: Callable[[int], list[ReadTask]]) -> None:
    ended(tmp_path, die_after)
    die_after(100)
    other = ReadPlan(jobs=1, time=EVERY_SECOND.time._replace(interval=10.0))
    with pytest.raises(UsageError, match=r"is of a run with other options \(time\)"):
        aggregated(tmp_path.glob("*.trc"), tmp_path / "x.parquet", other)
    summary = aggregated(tmp_path.glob("*.trc"), tmp_path / "x.parquet", other, afresh=True)
    assert (summary.known_before, summary.events) == (0, 400)
    assert {line["seconds"] for line in written(tmp_path / "x.parquet")} == {10.0}


def test_how_it_is_written_can_change(tmp_path: Path, die_after: Callable[[int], list[ReadTask]]) -> None:
    ended(tmp_path, die_after)
    begun = die_after(100)
    aggregated(tmp_path.glob("*.trc"), tmp_path / "x.parquet", resolution=1, by=("file",))
    assert len(begun) == 2


def test_a_file_that_changes_while_it_is_read_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.trc"
    path.write_text(waits(Random(1), 100, 1_774_000_000))
    (tmp_path / "y.trc").write_text(waits(Random(2), 100, 1_774_000_000))
    real = file_reading.host_of

    def host_of(source: Any, at: str) -> str:
        if source.name == str(path):
            with path.open("a") as file:
                file.write("more\n")
            os.utime(path, ns=(1, 1))
        return real(source, at)

    monkeypatch.setattr(file_reading, "host_of", host_of)
    summary = aggregated([path, tmp_path / "y.trc"], tmp_path / "x.parquet")
    assert "has changed since this run began" in summary.failed[str(path)]
    assert (summary.events, summary.status) == (100, 3)


def test_two_runs_with_one_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.trc"
    path.write_text(waits(Random(1), 100, 1_774_000_000))
    real, other = InputReader.done, list[str]()
    monkeypatch.setattr(work_folder, "LOCK_SECONDS", 0.0)

    def done(self: InputReader, task: ReadTask) -> dict[str, Any]:
        monkeypatch.setattr(InputReader, "done", real)
        with pytest.raises(SourceError, match="another run writes the same output") as error:
            aggregated([path], tmp_path / "x.parquet")
        other.append(str(error.value))
        return real(self, task)

    monkeypatch.setattr(InputReader, "done", done)
    assert aggregated([path], tmp_path / "x.parquet").events == 100
    assert len(other) == 1


def test_what_a_killed_run_left_behind_is_waited_for(tmp_path: Path) -> None:
    """Its processes notice only after a moment that it is gone, and have the lock until then."""
    said, paused = list[str](), list[float]()
    killed = WorkFolder(tmp_path / "x.parquet", {}, afresh=False, say=said.append)

    def pause(seconds: float) -> None:
        paused.append(seconds)
        if len(paused) == 3:
            killed.close()

    WorkFolder(tmp_path / "x.parquet", {}, afresh=False, say=said.append, pause=pause).remove()
    assert len(paused) == 3
    assert said == [f"{killed.path}: another run has it, or has left processes that end soon; waiting"]


def test_a_run_that_ends_while_another_one_waits_for_it(tmp_path: Path) -> None:
    """Its folder, with the lock that the other one has open, is gone then: the other one has to make its own."""
    first = WorkFolder(tmp_path / "x.parquet", {}, afresh=False, say=str)
    second = WorkFolder(tmp_path / "x.parquet", {}, afresh=False, say=str, pause=lambda _: first.remove())
    third = list[str]()

    def pause(_: float) -> None:
        third.append("waits")
        second.remove()

    WorkFolder(tmp_path / "x.parquet", {}, afresh=False, say=str, pause=pause).remove()
    assert third == ["waits"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("step", range(8))
def test_a_run_that_ends_in_any_step_of_another_one_that_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    running, calls = [WorkFolder(tmp_path / "x.parquet", {}, afresh=False, say=str)], count()

    def end(_: object = None) -> None:
        monkeypatch.undo()
        while running:
            running.pop().remove()

    def between(function: Callable[..., Any]) -> Callable[..., Any]:
        def called(*args: Any, **named: Any) -> Any:
            if next(calls) == step:
                end()
            return function(*args, **named)

        return called

    for module, name in ((os, "mkdir"), (os, "open"), (os, "stat"), (os, "fstat"), (fcntl, "flock")):
        monkeypatch.setattr(module, name, between(getattr(module, name)))
    second = WorkFolder(tmp_path / "x.parquet", {}, afresh=False, say=str, pause=end)
    monkeypatch.undo()
    assert sorted(one.name for one in second.path.iterdir()) == ["done.jsonl", "lock", "plan.json"]
    with pytest.raises(SourceError, match="another run writes the same output"):
        WorkFolder(tmp_path / "x.parquet", {}, afresh=False, say=str, pause=lambda _: None)
    second.remove()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("step", range(8))
def test_a_run_that_begins_in_any_step_of_the_end_of_another_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """What it has in the folder of the other one is not removed with that."""
    first = WorkFolder(tmp_path / "x.parquet", {}, afresh=False, say=str)
    calls, begun = count(), list[WorkFolder]()

    def before(function: Callable[..., Any]) -> Callable[..., Any]:
        def called(*args: Any, **named: Any) -> Any:
            if next(calls) == step:
                with suppress(SourceError):
                    begun.append(WorkFolder(tmp_path / "x.parquet", {}, afresh=False, say=str, pause=lambda _: None))
            return function(*args, **named)

        return called

    for name in ("unlink", "rmdir", "scandir", "close"):
        monkeypatch.setattr(os, name, before(getattr(os, name)))
    first.remove()
    monkeypatch.undo()
    for second in begun:
        assert sorted(one.name for one in second.path.iterdir()) == ["done.jsonl", "lock", "plan.json"]
        second.remove()
    assert list(tmp_path.iterdir()) == []


def test_a_bad_record_with_strict_leaves_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same command would end at the same record, so there is nothing to go on with."""
    archive = tmp_path / "archive"
    archive.mkdir()
    text = waits(Random(1), 300, 1_774_000_000)
    (archive / "good.trc").write_text(text)
    (archive / "bad.trc").write_text(text.replace(" ela= ", " ela= x", 1))
    words = ["aggregate", str(archive), "-o", str(tmp_path / "x.lmap")]
    assert run([*words, "--strict"]) == Exit.BAD_INPUT
    assert [one.name for one in tmp_path.iterdir()] == ["archive"]
    assert "bad.trc:3: " in capsys.readouterr().err
    assert run(words) == 0

"""Sessions sampled over the real driver's socket: what was made slow is first in the hot cell, whatever goes wrong."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.events import CellQuestion, EventsFound
from pylatencymap.events.sampled import RecordedWaits
from pylatencymap.oracle.connection.driver import Connection
from pylatencymap.oracle.sessions import WaitsRecorder
from pylatencymap.oracle.sessions.sampler import PATIENCE as TRIES, SessionSampler
from pylatencymap.oracle.sessions.statements import WaitsWatched
from pylatencymap.recorder import Recording
from pylatencymap.session.input import StopRequest
from tests.oracle.listener import Hang

READS, SYNC, LOCK = "db file sequential read", "log file sync", "enq: TX - row lock contention"
CONTAINERS = {1: "CDB$ROOT", 2: "PDB$SEED", 3: "SALES", 4: "HR"}
SLOW = "3q7tqyz9cy1ck"
HOT, FAST, BETWEEN = (8192, 16384), (256, 512), (1024, 2048)


class Watched:
    """A story whose sessions are sampled too, by the story's own clock."""

    def __init__(self, told: Any, db: Any, events: list[str] | None = None, **more: Any) -> None:
        self.told, self.db, self.said = told, db, list[str]()
        told.events = events or told.events
        watched = WaitsWatched("gv$session", told.events, told.instances)._replace(**more)
        self.sampler = SessionSampler(watched, told.interval, "mon", self.said.append, monotonic=told.second)
        told.look = self.sampler.take

    def run(self, seconds: float) -> list[Any]:
        found: list[Any] = self.told.run(seconds)
        self.db.stop()
        return found

    def ask(self, cell: tuple[int, int | None], series: str = f"{READS}@1", **more: Any) -> EventsFound:
        """Who was in a range of latencies in all of the time."""
        (found,) = self.sampler.waits.read(self.question(cell, series, **more), StopRequest(), lambda *_: None)
        return found

    def question(self, cell: tuple[int, int | None], series: str = f"{READS}@1", **more: Any) -> CellQuestion:
        first, last = self.told.began.timestamp() * 1e6, self.told.mock.clock.now.timestamp() * 1e6 + 1e6
        low, high = cell[0] / 1e6, None if cell[1] is None else cell[1] / 1e6
        return CellQuestion(int(first), int(last), low, high, [series], [series])._replace(**more)

    def values(self, found: EventsFound, name: str) -> list[str]:
        return [value.value for key in found.keys if key.name == name for value in key.values]


@pytest.fixture
def watched(behind_a_socket: Callable[..., tuple[Any, Any]]) -> Callable[..., Watched]:
    def make(events: list[str] | None = None, **given: Any) -> Watched:
        own: dict[str, Any] = {name: given.pop(name) for name in ("view", "by_container", "here") if name in given}
        told, db = behind_a_socket(interval=1.0, **given)
        if own.get("by_container") is not None:
            own["containers"] = "v$containers"
        return Watched(told, db, events, **own)

    return make


def test_the_statement_that_was_made_slow_is_first_in_the_hot_cell(watched: Callable[..., Watched]) -> None:
    own = watched()
    own.run(60)
    assert own.said == []
    assert own.db.mock.licensed == []
    for instance in (1, 2):
        for cell, ending, least in ((HOT, 0.7, 20), (FAST, 0.6, 60), (BETWEEN, 0.2, 5)):
            found = own.ask(cell, f"{READS}@{instance}", ending=ending)
            assert found.seen == found.total.events >= least
            seen, true = shares_of(found), true_shares(own.db.mock, cell, instance)
            best = max(true, key=lambda sql_id: true[sql_id])
            if cell != BETWEEN:
                assert next(iter(seen)) == best
                assert seen[best] == pytest.approx(true[best], abs=0.2)
            elif instance == 1:  # most waits that get so far are of the slow statement, and end later
                assert seen.get(SLOW, 0.0) < 0.4


def true_shares(mock: Any, cell: tuple[int, int], instance: int) -> dict[str, float]:
    """The share of each statement in the time waited in a bucket."""
    found: dict[str, float] = {}
    true = mock.true_sql(READS, cell[0] + 1, cell[1], instance)
    for _, sql_id, _, waited in true:
        found[sql_id] = found.get(sql_id, 0.0) + waited / sum(one[3] for one in true)
    return found


def shares_of(found: EventsFound) -> dict[str, float]:
    (key,) = [key for key in found.keys if key.name == "sql_id"]
    return {value.value: value.amount.waited / found.total.waited for value in key.values}


@pytest.mark.parametrize("job", ["orders", "person"])
def test_another_one_that_is_made_slow_is_found_too(watched: Callable[..., Watched], job: str) -> None:
    own = watched()
    own.db.mock.plant(job)
    own.run(40)
    found = own.ask(HOT, ending=0.7)
    ((first, sql_id, *_), *_) = own.db.mock.true_sql(READS, 8193, 16384, 1)
    assert first == job
    assert own.values(found, "sql_id")[0] == sql_id
    assert [key.name for key in found.keys][:3] == ["sql_id", "obj#", "module"]


def test_the_keys_say_what_the_load_is(watched: Callable[..., Watched]) -> None:
    own = watched()
    own.run(40)
    found = own.ask(HOT, ending=0.7)
    first = {key.name: key.values[0].value for key in found.keys}
    assert first["sql_id"] == SLOW
    assert (first["obj#"], first["module"], first["user"], first["machine"], first["client_id"], first["file#"]) == (
        "74123",
        "NIGHTLY_REPRICE",
        "SALES",
        "batch1",
        "cron",
        "12",
    )
    assert first["session"].endswith(",@1")
    longest = found.lines[0]
    assert longest.waited == max(line.waited for line in found.lines)
    assert "block#=" in longest.text


def test_rows_of_an_earlier_wait_are_not_taken_for_the_object(watched: Callable[..., Watched]) -> None:
    own = watched()
    own.db.mock.plant("person")
    own.db.mock.stale_rows = 0.5
    own.run(40)
    found = own.ask(HOT, ending=0.7)
    objects = {value.value: value.amount.events for key in found.keys if key.name == "obj#" for value in key.values}
    truth = {SLOW: "74123"}
    for line in found.lines:
        said = dict(line.keys)
        if "obj#" in said and said.get("sql_id") in truth:
            assert said["obj#"] == truth[said["sql_id"]]
    (key,) = [key for key in found.keys if key.name == "obj#"]
    assert key.without.events > 0
    assert max(objects, key=lambda value: objects[value]) == "74002"


def test_the_same_number_in_two_containers_is_two_objects(watched: Callable[..., Watched]) -> None:
    own = watched()
    own.db.mock.containers = CONTAINERS
    own.run(20)
    found = own.ask((0, None), f"{READS}@1")
    assert {"74001 in container 3", "74001 in container 4"} <= set(own.values(found, "obj#"))


def test_each_container_has_series_of_its_own(watched: Callable[..., Watched]) -> None:
    own = watched(by_container={1: "CDB$ROOT"})
    own.db.mock.containers = CONTAINERS
    own.run(20)
    series = {wait.series for wait in own.sampler.waits.all()}
    assert {f"{READS}@{n}/{name}" for n in (1, 2) for name in ("SALES", "HR")} <= series
    assert {value.split()[-1] for value in own.values(own.ask((0, None), f"{READS}@1/HR"), "obj#")} == {"4"}


def test_a_commit_has_no_object_and_its_sessions_are_told_apart_by_module(watched: Callable[..., Watched]) -> None:
    own = watched([SYNC])
    own.run(30)
    found = own.ask((4096, None), f"{SYNC}@1")
    assert "obj#" not in {key.name for key in found.keys}
    assert own.values(found, "module")[0] == "Loader"
    assert own.values(own.ask((512, 4096), f"{SYNC}@1"), "module")[0] == "OrderEntry"


def test_a_long_wait_that_many_samples_see_is_one(watched: Callable[..., Watched], mock_view: Any) -> None:
    own = watched([LOCK], rates=mock_view.wide_rates())
    own.run(45)
    found = own.ask((500_000, None), f"{LOCK}@1")
    waits, _ = own.db.mock.exact(LOCK, 1)
    before, _ = own.db.mock.exact(LOCK, 1, own.told.began)
    assert 0 < found.total.events <= waits - before + 3
    sessions = [dict(line.keys)["session"] for line in found.lines]
    assert len(sessions) == found.total.events


def test_a_plain_cell_has_few_and_the_time_around_it_more(watched: Callable[..., Watched]) -> None:
    own = watched()
    own.run(40)
    first = int(own.told.began.timestamp() * 1e6) + 20_000_000
    found = own.ask(HOT, ending=0.7, first=first, last=first + 1)
    assert found.seen == 0
    assert found.total.events >= 10
    assert found.note.startswith(f"shown: {found.total.events} as long, from ")
    assert own.ask(HOT, "another series").total.events == 0


def test_one_statement_a_sample(watched: Callable[..., Watched]) -> None:
    own = watched()
    own.run(10)
    looked = [one for one in own.db.mock.queries if "gv$session" in one]
    samples = [one for one in own.db.mock.queries if "gv$event_histogram" in one and "left outer join" in one]
    assert len(looked) == len(samples) == 11


@pytest.mark.parametrize("instances", [(), (2,)])
def test_of_one_instance_only(watched: Callable[..., Watched], instances: tuple[int, ...]) -> None:
    own = watched(instances=instances)
    own.run(10)
    assert {wait.series for wait in own.sampler.waits.all()} == {f"{READS}@{n}" for n in instances or (1, 2)}


def test_of_the_instance_that_it_is_connected_to(watched: Callable[..., Watched]) -> None:
    own = watched(view="v$session", local=True)
    own.run(10)
    assert {wait.series for wait in own.sampler.waits.all()} == {f"{READS}@1"}


def test_members_that_come_and_go(watched: Callable[..., Watched]) -> None:
    own = watched()
    own.told.happens = {
        10: lambda: own.db.mock.leave(2),
        20: lambda: own.db.mock.join(2),
        25: lambda: own.db.mock.join(3),
    }
    own.run(40)
    assert own.said == []
    began = own.told.began.timestamp()
    seen = {n: [w.end / 1e6 - began for w in own.sampler.waits.all() if w.series == f"{READS}@{n}"] for n in (1, 2, 3)}
    assert not [second for second in seen[2] if 10.1 < second < 19.9]
    assert [second for second in seen[2] if second > 20]
    assert min(seen[3]) > 24.9
    assert [second for second in seen[1] if 10 < second < 20]


@pytest.mark.parametrize("ending", [0.7, 0.2])
def test_a_recording_answers_as_the_live_view_does(
    watched: Callable[..., Watched], tmp_path: Path, ending: float
) -> None:
    own = watched()
    recording = Recording(str(tmp_path / "a.lmap"))
    recorder = WaitsRecorder(own.sampler.waits, "gv$session", recording.aside, own.told.second)
    take = own.sampler.take

    def look(connection: Connection) -> bool:
        is_good = take(connection)
        recorder.after_sample()
        return is_good

    own.told.look, own.told.interval = look, 3.0
    own.run(150)
    lines = (tmp_path / "a.lmap").read_text().count("#waits")
    recorder.end()
    recording.close()
    assert (lines, (tmp_path / "a.lmap").read_text().count("#waits")) == (2, 3)
    recorded = RecordedWaits([str(tmp_path / "a.lmap")])
    for cell in (HOT, BETWEEN, (1, None)):
        asked = own.question(cell, ending=ending)
        (live,) = own.sampler.waits.read(asked, StopRequest(), lambda *_: None)
        (found,) = recorded.read(asked, StopRequest(), lambda *_: None)
        assert live.total.events > 0
        assert (found.seen, found.total, found.note) == (live.seen, live.total, live.note)
        assert [(key.name, key.values, key.others) for key in found.keys] == [
            (key.name, key.values, key.others) for key in live.keys
        ]
        assert sorted(line.text for line in found.lines) == sorted(line.text for line in live.lines)


# What goes wrong costs no sample of the histogram.


@pytest.mark.parametrize("refused", [False, True])
def test_without_the_privilege_it_says_once_what_to_run(watched: Callable[..., Watched], refused: bool) -> None:
    own = watched()
    (own.db.mock.refuse_view if refused else own.db.mock.hide_view)("gv$session")
    found = own.run(10)
    assert len([one for one in found if one.series == f"{READS}@1"]) == 10
    assert own.said == [
        "GV$SESSION cannot be read, so that w does not say who waits: as SYS run: GRANT READ ON SYS.GV_$SESSION TO mon;"
    ]
    assert own.told.marks == []
    assert len(own.told.logins) == 1
    assert len([one for one in own.db.mock.queries if "gv$session" in one]) == 1
    with pytest.raises(Exception, match="as SYS run"):
        own.ask(HOT)


def test_before_12_1_there_are_no_containers(watched: Callable[..., Watched]) -> None:
    own = watched()
    own.db.mock.set_version("11.2.0.4.0")
    own.told.look = own.sampler.take
    own.run(10)
    assert own.said == []
    assert own.values(own.ask((256, None)), "sql_id")


def test_before_11_1_there_are_no_times(watched: Callable[..., Watched]) -> None:
    own = watched()
    own.db.mock.set_version("10.2.0.5.0")
    own.run(5)
    (said,) = own.said
    assert said.endswith("before 11.1 it has no times of waits")
    assert own.told.marks == []


def test_a_hang_costs_one_connection_and_no_sample(watched: Callable[..., Watched]) -> None:
    own = watched(timeout=2)  # longer than any answer takes on a busy machine
    plain = own.sampler.take
    looks = []

    def take(connection: Connection) -> bool:
        looks.append(connection)
        if len(looks) == 5:
            Hang(own.db)
        return plain(connection)

    own.told.look = take
    found = own.run(12)
    assert own.said == []
    assert own.told.marks == []
    assert len(own.told.logins) == 2
    assert not any(one.gap for one in found)
    assert len([one for one in found if one.series == f"{READS}@1"]) == 12
    assert own.ask((256, None)).total.events > 20


@pytest.mark.parametrize("code", [28, 3113, 4031, 1555, 600])
@pytest.mark.parametrize("in_fetch", [False, True])
def test_errors_that_go_on_end_the_sampling_of_sessions_only(
    watched: Callable[..., Watched], code: int, in_fetch: bool
) -> None:
    own = watched()
    if in_fetch:
        own.db.mock.fail_fetch(code, match="gv.session", times=None)
    else:
        own.db.mock.fail_next(code, match="gv.session", times=None)
    found = own.run(10)
    assert len([one for one in found if one.series == f"{READS}@1"]) == 10
    assert not any(one.gap or one.reset for one in found)
    (said,) = own.said
    assert said.startswith("GV$SESSION is not sampled any more, so that w does not say who waits: ")
    assert len(own.told.logins) == 1 + TRIES
    assert own.told.marks == []


def test_an_error_that_passes_is_no_matter(watched: Callable[..., Watched]) -> None:
    own = watched()
    own.told.happens = {second: lambda: own.db.mock.fail_next(4031, match="gv.session") for second in (2, 3, 6, 7, 9)}
    found = own.run(12)
    assert (own.said, own.told.marks) == ([], [])
    assert len([one for one in found if one.series == f"{READS}@1"]) == 12


def test_a_view_that_takes_longer_than_the_interval_is_given_up(watched: Callable[..., Watched]) -> None:
    own = watched()
    own.db.mock.slow_view("gv$session", 2.5, real_time=False)
    own.run(20)
    (said,) = own.said
    assert "takes 2.5 s, longer than the interval" in said
    assert len([one for one in own.db.mock.queries if "gv$session" in one]) == TRIES


def test_a_database_that_restarts_is_sampled_again(watched: Callable[..., Watched]) -> None:
    own = watched()
    own.told.happens = {
        5: own.db.stop,
        9: lambda: [own.db.mock.restart_instance(n) for n in (1, 2)],
        9.5: own.db.start,
    }
    own.run(30)
    assert own.said == []
    began = own.told.began.timestamp()
    assert [w for w in own.sampler.waits.all() if w.end / 1e6 - began > 12]


def notes(own: Watched, name: str) -> dict[str, str]:
    (key,) = [key for key in own.ask(HOT, ending=0.7).keys if key.name == name]
    return {value.value: value.note for value in key.values}


def test_statements_have_their_text_and_objects_their_name(watched: Callable[..., Watched]) -> None:
    own = watched()
    own.run(30)
    asked = [sql for sql in own.db.mock.queries if "sqlstats" in sql or "dba_objects" in sql]
    assert len(asked) <= 2 * 31
    text = own.db.mock.query("select sql_text from v$sqlstats where sql_id = :q", {"q": SLOW})[1][0]
    assert notes(own, "sql_id")[SLOW] == " ".join(text[0].split())
    assert notes(own, "obj#")["74123"] == "SALES.ORDERS_HISTORY P2024"
    assert own.db.mock.licensed == []
    assert own.said == []


def test_each_is_asked_for_once_also_if_it_is_no_more_there(watched: Callable[..., Watched]) -> None:
    own = watched()
    own.db.mock.aged_out.add(SLOW)
    seen: list[str] = []
    query = own.db.mock.query
    own.db.mock.query = lambda sql, binds=None: (
        seen.extend(value for value in (binds or {}).values() if "sqlstats" in sql) or query(sql, binds)  # type: ignore[func-returns-value]
    )
    own.run(30)
    assert seen.count(SLOW) == 1
    assert len(seen) == len(set(seen))
    assert notes(own, "sql_id")[SLOW] == ""


@pytest.mark.parametrize("fault", ["hidden", "slow", "failing"])
def test_without_names_all_else_is_as_before(watched: Callable[..., Watched], fault: str) -> None:
    own = watched()
    mock = own.db.mock
    for view in ("gv$sqlstats", "dba_objects"):
        if fault == "hidden":
            mock.hide_view(view)
        elif fault == "slow":
            mock.slow_view(view, 4, real_time=False)
        else:
            mock.fail_next(1555, times=None, match=view.removeprefix("gv$"))
    found = own.run(30)
    asked = [sql for sql in mock.queries if "sqlstats" in sql or "dba_objects" in sql]
    assert len(asked) == (0 if fault == "failing" else 2)  # the emulation notes no statement that failed at once
    assert own.said == []
    assert len(own.told.logins) == 1
    assert len(found) >= 20
    assert own.values(own.ask(HOT, ending=0.7), "sql_id")[0] == SLOW


def test_an_object_of_another_container_has_no_name(watched: Callable[..., Watched]) -> None:
    """From the root DBA_OBJECTS knows no object of a pluggable database, and the same number can be another one."""
    own = watched(containers=(), here=1)
    own.db.mock.containers = CONTAINERS
    own.run(30)
    told = notes(own, "obj#")
    assert "74123 in container 3" in told
    assert not any(note for value, note in told.items() if value.endswith(("container 3", "container 4")))

"""The active session history, over the real driver's socket: who was in a cell, for how much time each row stands, and
that it is asked only with a licence.
"""

from collections.abc import Callable
from typing import Any

import pytest

from pylatencymap.cli.oracle import plans
from pylatencymap.cli.oracle.choice import Start
from pylatencymap.cli.oracle.options import parse_arguments
from pylatencymap.cli.oracle.plans import Plan, make_plan
from pylatencymap.errors import SourceError
from pylatencymap.events import CellQuestion, EventsFound
from pylatencymap.oracle.sessions import ActiveSessionHistory, SampledWaits
from pylatencymap.oracle.sessions.statements import WaitsWatched
from pylatencymap.session.input import StopRequest
from tests.oracle.listener import database

READS = "db file sequential read"
SERIES = f"{READS}@1"
SLOW = "3q7tqyz9cy1ck"
HOT, ALL = (8192, 16384), (0, None)
SECONDS = 60
"""That the emulation has a history of."""
CONTAINERS = {1: "CDB$ROOT", 2: "PDB$SEED", 3: "SALES", 4: "HR"}


class Asked:
    """A database that nobody has sampled, a minute after it was started."""

    def __init__(self, told: Any, db: Any, sampled: SampledWaits | None = None, **more: Any) -> None:
        self.mock, self.db = told.mock, db
        self.connections: list[Any] = []
        watched = WaitsWatched("gv$session", [READS])._replace(**more)
        self.history = ActiveSessionHistory(watched, self.connect, sampled)
        self.mock.clock.advance(SECONDS)
        self.last = int(self.mock.clock.now.timestamp() * 1e6)

    def connect(self) -> Any:
        self.connections.append(database(self.db).connect("test"))
        return self.connections[-1]

    def question(self, cell: tuple[int, int | None], seconds: float = SECONDS, series: str = SERIES) -> CellQuestion:
        """The waits of a range of latencies that ended between a minute ago and so much later."""
        begin = self.last - SECONDS * 1_000_000
        low, high = cell[0] / 1e6, None if cell[1] is None else cell[1] / 1e6
        return CellQuestion(begin, begin + round(seconds * 1e6), low, high, [series], [series])

    def answers(self, asked: CellQuestion) -> list[EventsFound]:
        return list(self.history.read(asked, StopRequest(), lambda *_: None))

    def ask(self, cell: tuple[int, int | None], **more: Any) -> EventsFound:
        return self.answers(self.question(cell, **more))[-1]

    def statements(self) -> list[str]:
        return [sql for sql in self.mock.queries if "active_session_history" in sql]


@pytest.fixture(autouse=True)
def short(oracle_rig: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """No more of a history than is asked for: the emulation makes all of it anew for each statement."""
    monkeypatch.setattr(oracle_rig("more_views"), "ASH_SECONDS", SECONDS)


@pytest.fixture
def asked(
    behind_a_socket: Callable[..., tuple[Any, Any]],
    mock_view: Any,
) -> Callable[..., Asked]:
    """One instance with reads alone."""

    def make(sampled: SampledWaits | None = None, by_container: Any = None, **given: Any) -> Asked:
        given = {"rates": {READS: {1: mock_view.RATES[READS][1]}}} | given
        own = {} if by_container is None else {"by_container": by_container, "containers": "v$containers"}
        return Asked(*behind_a_socket(**given), sampled, **own)

    return make


def shares(found: EventsFound, name: str = "sql_id") -> dict[str, float]:
    (key,) = [key for key in found.keys if key.name == name]
    return {value.value: value.amount.waited / found.total.waited for value in key.values}


def truth(mock: Any, cell: tuple[int, int | None], instance: int = 1) -> tuple[dict[str, float], float, float]:
    """The shares of the statements in the time waited, waits a second, and seconds waited a second."""
    rows = mock.true_sql(READS, cell[0] + 1, cell[1] or 1 << 40, instance)
    waits, waited = sum(row[2] for row in rows), sum(row[3] for row in rows)
    found: dict[str, float] = {}
    for _, sql_id, _, seconds in rows:
        found[sql_id] = found.get(sql_id, 0.0) + seconds / waited
    return found, waits, waited


@pytest.mark.parametrize("cell", [HOT, ALL])
def test_what_is_seen_stands_for_the_waits_and_the_time_of_all(asked: Callable[..., Asked], cell: Any) -> None:
    own = asked()
    found = own.ask(cell)
    true, waits, waited = truth(own.mock, cell)
    assert found.seen == found.total.events >= 40
    assert next(iter(shares(found))) == max(true, key=lambda sql_id: true[sql_id]) == SLOW
    assert shares(found)[SLOW] == pytest.approx(true[SLOW], abs=0.15)
    assert found.total.waited == pytest.approx(waited * SECONDS, rel=0.25)
    assert found.total.waited == pytest.approx(found.total.events)
    if cell is HOT:
        about = found.note.partition("stand for about ")[2].split()[0]
        assert float(about.replace(",", "")) == pytest.approx(waits * SECONDS, rel=0.25)
    assert len(own.connections) == 1
    with pytest.raises(Exception, match="not connected"):
        own.connections[0].rows("select 1 from dual", {})


def test_the_keys_say_what_the_load_is(asked: Callable[..., Asked]) -> None:
    own = asked()
    found = own.ask(HOT)
    first = {key.name: key.values[0] for key in found.keys}
    told = {name: first[name].value for name in ("sql_id", "obj#", "module", "machine", "client_id", "file#")}
    assert list(told.values()) == [SLOW, "74123", "NIGHTLY_REPRICE", "batch1", "cron", "12"]
    assert first["session"].value.endswith(",@1")
    assert first["sql_id"].note.startswith("SELECT /* reprice */")
    assert first["obj#"].note == "SALES.ORDERS_HISTORY P2024"
    assert all(8192 <= line.waited * 1e6 < 16384 for line in found.lines)
    assert [line.waited for line in found.lines] == sorted((line.waited for line in found.lines), reverse=True)


def test_of_a_cell_with_few_the_time_around_it_is_looked_at(asked: Callable[..., Asked]) -> None:
    own = asked()
    found = own.ask(HOT, seconds=1)
    assert (found.seen or 0) < 10 <= found.total.events
    assert "as long, from " in found.note


def test_columns_that_the_release_has_not_are_left_out(asked: Callable[..., Asked]) -> None:
    """The emulation has no blocking sessions, and before 12.1 no containers."""
    own = asked()
    own.mock.set_version("11.1.0.7.0")
    found = own.ask(HOT)
    assert next(iter(shares(found))) == SLOW
    assert "machine" not in [key.name for key in found.keys]
    number = len(own.statements())
    own.ask(HOT)
    assert len(own.statements()) == number + 1


def test_each_container_has_its_own(asked: Callable[..., Asked]) -> None:
    own = asked(by_container={1: "CDB$ROOT"})
    own.mock.containers = CONTAINERS
    sales, people = (own.ask(ALL, series=f"{SERIES}/{name}") for name in ("SALES", "HR"))
    assert SLOW in shares(sales)
    assert SLOW not in shares(people)
    assert shares(people)


def rows_of(own: Asked) -> SampledWaits:
    """A sample of the sessions, as the live view takes it."""
    from pylatencymap.oracle.sessions import SessionSampler

    sampler = SessionSampler(WaitsWatched("gv$session", [READS]), 3, "mon", lambda _: None)
    connection = database(own.db).connect("test")
    for _ in range(10):
        assert sampler.take(connection)
        own.mock.clock.advance(0.25)
    connection.close()
    return sampler.waits


@pytest.mark.parametrize("fault", ["hidden", "failing", "away", "empty"])
def test_where_it_does_not_answer_the_sampled_sessions_do(asked: Callable[..., Asked], fault: str) -> None:
    own = asked()
    sampled = rows_of(own)
    own.history = ActiveSessionHistory(WaitsWatched("gv$session", [READS]), own.connect, sampled)
    whole = own.question(ALL, seconds=SECONDS + 10)
    if fault == "hidden":
        own.mock.hide_view("gv$active_session_history")
    elif fault == "failing":
        own.mock.fail_next(4031, times=None, match="active_session")
    elif fault == "empty":
        own.mock.restart_instance(1)
    else:
        own.db.stop()
    *first, last = own.answers(whole)
    assert [one.is_complete for one in (*first, last)] == [False, True]
    assert last.total == first[0].total
    assert last.total.events > 10
    assert "GV$ACTIVE_SESSION_HISTORY " in last.note
    own.history = ActiveSessionHistory(WaitsWatched("gv$session", [READS]), own.connect, None)
    if fault != "empty":
        with pytest.raises(SourceError, match=r"GV\$ACTIVE_SESSION_HISTORY does not answer: "):
            own.answers(whole)


def test_a_password_that_is_wrong_by_now_is_tried_once(asked: Callable[..., Asked]) -> None:
    own = asked()
    own.ask(HOT)
    tried = []

    def connect() -> Any:
        tried.append(1)
        return database(own.db, password="old").connect("test")

    own.history = ActiveSessionHistory(WaitsWatched("gv$session", [READS]), connect, None)
    for _ in range(3):
        with pytest.raises(SourceError, match="ORA-01017"):
            own.ask(HOT)
    assert len(tried) == 1


def test_the_history_takes_the_place_of_the_sample(asked: Callable[..., Asked]) -> None:
    own = asked()
    own.history = ActiveSessionHistory(WaitsWatched("gv$session", [READS]), own.connect, rows_of(own))
    first, last = own.answers(own.question(ALL, seconds=SECONDS + 10))
    assert last.total.events > first.total.events
    assert "looks once a second" in last.note
    assert (first.is_complete, last.is_complete) == (False, True)


# Whether it is asked.


@pytest.fixture
def plan(server: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Plan, Any]]:
    monkeypatch.setattr(plans, "has_live_view", lambda _: True)

    def make(*words: str, access: str = "DIAGNOSTIC+TUNING", hidden: str = "") -> tuple[Plan, Any]:
        db = server()
        db.mock.parameters["control_management_pack_access"] = access
        if hidden:
            db.mock.hide_view(hidden)
        options = parse_arguments(["db_file_seq", *words])
        return make_plan(options, Start(database(db))), db.mock

    return make


LICENSED = ("--licensed", "diagnostics")


def test_without_a_licence_no_statement_names_it(plan: Callable[..., tuple[Plan, Any]]) -> None:
    made, mock = plan()
    assert not made.reads_history
    assert mock.licensed == []
    assert not [sql for sql in mock.queries if "active_session" in sql or "v$parameter" in sql]


def test_with_a_licence_it_is_read(plan: Callable[..., tuple[Plan, Any]], capsys: Any) -> None:
    made, _ = plan(*LICENSED)
    assert made.reads_history
    assert "ACTIVE_SESSION" not in capsys.readouterr().err


def test_what_the_site_has_switched_off_is_not_touched(plan: Callable[..., tuple[Plan, Any]], capsys: Any) -> None:
    made, mock = plan(*LICENSED, access="NONE")
    assert not made.reads_history
    assert mock.licensed == []
    said = (
        "CONTROL_MANAGEMENT_PACK_ACCESS is NONE: this site does not use the Diagnostics Pack, so that "
        "GV$ACTIVE_SESSION_HISTORY is not read; where a licence exists, a DBA sets the parameter"
    )
    assert said in capsys.readouterr().err
    assert said in made.remarks


def test_without_the_privilege_it_says_what_to_run(plan: Callable[..., tuple[Plan, Any]], capsys: Any) -> None:
    made, _ = plan(*LICENSED, "--local", hidden="v$active_session_history")
    assert not made.reads_history
    assert "As SYS run: GRANT READ ON SYS.V_$ACTIVE_SESSION_HISTORY TO mon;" in capsys.readouterr().err


def test_where_the_parameter_cannot_be_read_the_word_of_the_user_counts(plan: Callable[..., tuple[Plan, Any]]) -> None:
    assert plan(*LICENSED, hidden="v$parameter")[0].reads_history

"""The real python-oracledb over a socket, against a listener with the mock views behind it."""

import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any

import pytest

from pylatencymap.errors import SourceError
from pylatencymap.interval import Interval
from pylatencymap.oracle import queries
from pylatencymap.oracle.connection.driver import Connection, Trouble
from pylatencymap.oracle.connection.troubles import in_short, is_final
from pylatencymap.oracle.ranking import rank_events
from pylatencymap.oracle.records import RecordMaker
from pylatencymap.oracle.views import find_views
from pylatencymap.record import Record, Stamp
from pylatencymap.report import Report
from pylatencymap.units import Unit
from tests.oracle.listener import PATIENCE, Hang, database, stop

READS, SYNC = "db file sequential read", "log file sync"


def sample(connection: Connection, events: list[str]) -> list[Record]:
    views, _ = find_views(connection, False, "mon")
    statement, binds = queries.sample(views, events, ())
    report = Report("test")
    made = RecordMaker(events, views.histogram, views.unit, report).records(connection.rows(statement, binds), 0.0)
    assert report.bad_count == 0
    return made


def test_a_sample_is_what_the_mock_counted(server: Callable[..., Any], mock_view: Any) -> None:
    db = server(mock_view.MockHistogram(clock=mock_view.SimClock(datetime(2026, 1, 1, 10), tick=0), uptime=1000))
    connection = database(db).connect("test")
    for record in sample(connection, [READS, SYNC]):
        event, _, number = record.series.rpartition("@")
        rates = db.mock.rates[event][int(number)]
        assert record.unit is Unit.US
        assert record.stamp == Stamp(round(db.mock.clock.now.timestamp() * 1e6))
        assert record.start == record.stamp.micros - 1000 * 10**6
        assert {upper: count for _, upper, count in record.ranges} == {
            micro: rate * 1000 for micro, rate in rates.items()
        }
    connection.close()


def simulated(server: Callable[..., Any], mock_view: Any) -> Any:
    """A listener whose clock moves only when it is told to."""
    return server(mock_view.MockHistogram(clock=mock_view.SimClock(tick=0)))


def test_rates_are_true(server: Callable[..., Any], mock_view: Any) -> None:
    db = simulated(server, mock_view)
    connection = database(db).connect("test")
    first = {record.series: record for record in sample(connection, [READS, SYNC])}
    db.mock.clock.advance(3)
    for record in sample(connection, [READS, SYNC]):
        event, _, number = record.series.rpartition("@")
        before = first[record.series]
        assert record.stamp is not None
        assert before.stamp is not None
        assert record.stamp.micros - before.stamp.micros == 3_000_000
        old = {upper: count for _, upper, count in before.ranges}
        grown = {upper: count - old[upper] for _, upper, count in record.ranges}
        assert grown == {micro: 3 * rate for micro, rate in db.mock.rates[event][int(number)].items()}
    connection.close()


def test_one_round_trip_for_a_sample(server: Callable[..., Any]) -> None:
    """With more rows than the driver would fetch at once by itself."""
    db = server()
    wide = {1 << power: 1 for power in range(1, 33)}
    db.mock.rates = {f"event {number}": {1: dict(wide), 2: dict(wide)} for number in range(10)}
    events = sorted(db.mock.rates)
    with counted(db.port) as (port, turns):
        connection = database(db, dsn=f"127.0.0.1:{port}/mock").connect("test")
        views, _ = find_views(connection, False, "mon")
        statement, binds = queries.sample(views, events, ())
        for _ in range(3):
            before = turns()
            assert len(connection.rows(statement, binds)) == 10 * 2 * 32
            assert turns() - before == 1
        connection.close()


def test_the_session_says_who_it_is(server: Callable[..., Any]) -> None:
    """What travels is what the driver was given; the listener behind the socket keeps no V$SESSION."""
    db = server()
    with counted(db.port) as (port, turns):
        connection = database(db, dsn=f"127.0.0.1:{port}/mock").connect(READS)
        connection.rows(queries.clocks(), {})
        sent = turns.sent()  # type: ignore[attr-defined]
        assert b"pylatencymap" in sent
        assert READS.encode() in sent
        assert db.password.encode() not in sent
        connection.close()


@pytest.mark.parametrize(
    ("fault", "shorts", "final"),
    [
        ("killed", ["the session was killed (ORA-00028)"], False),
        ("dropped", ["the connection was lost (DPY-4011)"], False),
        ("cut", ["the connection was lost (ORA-03113)"], False),
        ("hangs", ["no answer in time (DPY-4024)", "no answer in time (DPY-4011)"], False),
        ("view", ["a view is missing, or the privilege to read it (ORA-00942)"], True),
        ("privilege", ["the privilege is missing (ORA-01031)"], True),
    ],
)
def test_what_goes_wrong_while_sampling(server: Callable[..., Any], fault: str, shorts: list[str], final: bool) -> None:
    db = server()
    connection = database(db, timeout=0.3 if fault == "hangs" else PATIENCE).connect("test")
    do = {
        "killed": lambda: db.mock.fail_next(28),
        "dropped": db.mock.drop_next,
        "cut": lambda: db.mock.fail_next(3113),
        "hangs": lambda: Hang(db),
        "view": lambda: db.mock.fail_next(942),
        "privilege": lambda: db.mock.fail_next(1031),
    }
    do[fault]()
    with pytest.raises(Trouble) as told:
        connection.rows(queries.clocks(), {})
    assert in_short(told.value) in shorts
    assert is_final(told.value) is final
    connection.close()
    again = database(db).connect("test")
    assert sample(again, [READS])
    again.close()


def test_a_database_that_hangs_for_good_is_left(server: Callable[..., Any]) -> None:
    """It answers the break as little: the statement is answered only when the connection has been closed."""
    db = server()
    connection = database(db, timeout=0.2).connect("test")
    answer, closed, seen = db.mock.query, threading.Event(), []

    def hanging(*_: Any) -> Any:
        db.mock.query = answer
        seen.append(closed.wait(PATIENCE))
        return answer(queries.clocks(), {})

    db.mock.query = hanging
    with pytest.raises(Trouble) as told:
        connection.rows(queries.clocks(), {})
    assert in_short(told.value) in ("no answer in time (DPY-4024)", "no answer in time (DPY-4011)")
    connection.close()
    closed.set()
    again = database(db).connect("test")
    assert sample(again, [READS])
    assert seen == [True]
    again.close()


@pytest.mark.parametrize(
    ("login", "said"),
    [
        ({"password": "tiger-17"}, ["ORA-01017", "wrong user or password", "ALTER USER mon IDENTIFIED BY"]),
        ({"user": "nobody"}, ["ORA-01017", "ALTER USER nobody IDENTIFIED BY"]),
        ({"dsn": "nonesuch"}, ["DPY-40", "TNS_ADMIN"]),
        (
            {"dsn": "127.0.0.1:1/mock"},
            ["(DPY-6005: cannot connect to database; [Errno 111] Connection refused). ", "lsnrctl status"],
        ),
        ({"dsn": "no.such.host.invalid/mock"}, ["mock (--dsn): no connection (", "Check the host's name"]),
    ],
)
def test_a_login_that_fails_says_what_to_do(server: Callable[..., Any], login: dict[str, str], said: list[str]) -> None:
    one = database(server(), **login)
    with pytest.raises(SourceError) as told, one.translate_errors():
        one.connect("test")
    for part in said:
        assert part in str(told.value)
    assert "tiger-17" not in str(told.value) + repr(one)
    assert told.value.__context__ is None or told.value.__suppress_context__


def test_a_listener_that_does_not_know_the_service(server: Callable[..., Any]) -> None:
    db = server()
    db.refuse(12514)
    with (
        pytest.raises(SourceError, match=r"does not know the service.*ORA-12514.*lsnrctl services"),
        database(db).translate_errors(),
    ):
        database(db).connect("test")


def test_a_view_that_may_not_be_read_names_the_grant(server: Callable[..., Any]) -> None:
    db = server()
    for view in ("gv$event_histogram_micro", "gv$event_histogram"):
        db.mock.hide_view(view)
    connection = database(db).connect("test")
    with pytest.raises(SourceError, match=r"GRANT READ ON SYS\.GV_\$EVENT_HISTOGRAM_MICRO TO mon;"):
        find_views(connection, False, "mon")
    connection.close()


def test_milliseconds_are_told_of(server: Callable[..., Any]) -> None:
    db = server()
    db.mock.hide_view("v$event_histogram_micro")
    connection = database(db).connect("test")
    views, told = find_views(connection, True, "mon")
    assert (views.histogram, views.unit) == ("v$event_histogram", Unit.MS)
    assert "GRANT READ ON SYS.V_$EVENT_HISTOGRAM_MICRO TO mon;" in told[0]
    connection.close()


def test_the_ranking_is_by_time_waited_now(
    server: Callable[..., Any], mock_view: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(mock_view.WAIT_CLASS, "SQL*Net message from client", "Idle")
    db = simulated(server, mock_view)
    db.mock.rates["SQL*Net message from client"] = {1: {2**24: 100}}
    db.mock.rates["once long ago"] = {1: {2**30: 0.00001}}
    connection = database(db).connect("test")
    views, _ = find_views(connection, False, "mon")
    found = rank_events(connection, views, (), 3, db.mock.clock.advance, "mon")
    waited = {
        event: sum(rate * micro * 0.75e-6 for by in rates.values() for micro, rate in by.items())
        for event, rates in db.mock.rates.items()
        if event in (READS, SYNC, "cell single block physical read")
    }
    assert [one.event for one in found] == [*sorted(waited, key=waited.__getitem__, reverse=True), "once long ago"]
    for one in found[:-1]:
        assert one.waited == pytest.approx(waited[one.event])
    assert {one.event: one.wait_class for one in found}[SYNC] == "Commit"
    connection.close()


def test_the_ranking_of_one_instance(server: Callable[..., Any], mock_view: Any) -> None:
    db = simulated(server, mock_view)
    connection = database(db).connect("test")
    views, _ = find_views(connection, False, "mon")
    ranking = {
        chosen: rank_events(connection, views, chosen, 3, db.mock.clock.advance, "mon")[0]
        for chosen in ((), (1,), (2,))
    }
    rates = db.mock.rates[READS]
    assert {chosen: one.waits for chosen, one in ranking.items()} == {
        (): sum(rates[1].values()) + sum(rates[2].values()),
        (1,): sum(rates[1].values()),
        (2,): sum(rates[2].values()),
    }
    connection.close()


def right(found: list[Interval], mock: Any) -> None:
    """Every interval holds exactly what the mock counted."""
    for one in found:
        if not one.gap:
            counts = {upper or mock.overflow_micro: count for _, upper, count in one.ranges}
            rates = mock.rates[READS][int(one.series[-1])]
            assert counts == {micro: rate * one.seconds for micro, rate in rates.items()}, one


def of(number: int, found: list[Interval]) -> list[Interval]:
    return [one for one in found if one.series == f"{READS}@{number}"]


def test_a_quiet_time(behind_a_socket: Callable[..., Any]) -> None:
    told, _ = behind_a_socket()
    found = told.run(36)
    assert [one.seconds for one in of(1, found)] == [one.seconds for one in of(2, found)] == [3.0] * 12
    assert not any(one.reset or one.gap for one in found)
    right(found, told.mock)


def test_restart(behind_a_socket: Callable[..., Any]) -> None:
    told, db = behind_a_socket()

    def start() -> None:
        for number in told.mock.instances:
            told.mock.restart_instance(number)
        db.start()

    told.happens = {31.0: lambda: stop(db), 60.0: start}
    found = told.run(120)
    for number in (1, 2):
        own = of(number, found)
        assert [one.reset for one in own].count(True) == 1
        assert [one.gap for one in own].count(True) == 1
        assert next(one.start for one in own if one.reset) == round((told.began.timestamp() + 60) * 1e6)
    right(found, told.mock)
    assert any("no connection (DPY-6005); " in message for message in told.messages.values()), told.messages


def test_drop(behind_a_socket: Callable[..., Any]) -> None:
    told, db = behind_a_socket()
    told.happens = {10.0: lambda: db.drop_sessions(), 22.0: lambda: told.mock.drop_next()}
    found = told.run(36)
    assert [one.seconds for one in of(1, found)] == [3.0] * 12
    assert len(told.connections) == 3
    right(found, told.mock)


def test_killed_session(behind_a_socket: Callable[..., Any]) -> None:
    told, _ = behind_a_socket()
    told.happens = {10.0: lambda: told.mock.fail_next(28)}
    found = told.run(36)
    assert [one.seconds for one in of(1, found)] == [3.0] * 12
    assert told.logins == [0.0, 12.0]
    assert "the session was killed (ORA-00028)" in told.marks[0].note
    right(found, told.mock)


def test_hang(behind_a_socket: Callable[..., Any]) -> None:
    told, db = behind_a_socket(timeout=2)
    told.happens = {10.0: lambda: Hang(db, seconds=30)}
    found = told.run(90)
    assert [one.gap for one in of(1, found)].count(True) == 1
    assert not any(one.reset for one in found)
    right(found, told.mock)
    assert sum(one.events for one in of(1, found)) == sum(told.mock.rates[READS][1].values()) * 90
    assert re.search(r"no answer in time \(DPY-40(24|11)\)", told.marks[0].note)


def test_vanished_bucket(behind_a_socket: Callable[..., Any]) -> None:
    told, _ = behind_a_socket()
    told.happens = {10.0: lambda: told.mock.hide_bucket(READS, 512), 22.0: told.mock.show_buckets}
    found = of(1, told.run(36))
    assert not any(one.reset or one.gap for one in found)
    in_bucket = [sum(count for _, upper, count in one.ranges if upper == 512) for one in found]
    assert in_bucket == [1800] * 3 + [0] * 4 + [5 * 1800] + [1800] * 4


def test_over_midnight(behind_a_socket: Callable[..., Any], mock_view: Any) -> None:
    told, _ = behind_a_socket(clock=mock_view.SimClock.before_midnight(10, tick=0))
    found = told.run(36)
    assert [one.seconds for one in of(1, found)] == [3.0] * 12
    assert len({one.end // (86_400 * 10**6) for one in found}) == 2
    right(found, told.mock)


@pytest.mark.parametrize("label", [2**32 - 1, 2**33 - 1])
def test_overflow(behind_a_socket: Callable[..., Any], label: int) -> None:
    told, _ = behind_a_socket(overflow_micro=label)
    told.mock.add_overflow(READS, rate=50)
    found = told.run(36)
    lower = 1 << (label.bit_length() - 1)
    assert [one.ranges[-1] for one in of(1, found)] == [(lower, None, 150)] * 12
    right(found, told.mock)


@contextmanager
def counted(target: int) -> Iterator[tuple[int, Any]]:
    """A port that passes everything on; ``turns()`` says how often the client has spoken, ``turns.sent()`` what."""
    listener = socket.create_server(("127.0.0.1", 0))
    turns = _Turns()
    threading.Thread(target=_pass_on, args=(listener, target, turns), daemon=True).start()
    yield listener.getsockname()[1], turns
    listener.close()


class _Turns:
    def __init__(self) -> None:
        self.number, self.client_spoke_last, self.bytes = 0, False, b""

    def heard(self, client: bool, data: bytes) -> None:
        self.number += client and not self.client_spoke_last
        self.bytes += data if client else b""
        self.client_spoke_last = client

    def __call__(self) -> int:
        return self.number

    def sent(self) -> bytes:
        return self.bytes


def _pass_on(listener: socket.socket, target: int, turns: _Turns) -> None:
    client, _ = listener.accept()
    server = socket.create_connection(("127.0.0.1", target))

    def pump(source: socket.socket, sink: socket.socket, is_client: bool) -> None:
        with suppress(OSError):  # whoever closes first
            while data := source.recv(65536):
                turns.heard(is_client, data)
                sink.sendall(data)
            sink.close()

    threading.Thread(target=pump, args=(server, client, False), daemon=True).start()
    pump(client, server, True)

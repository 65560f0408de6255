"""The real python-oracledb over a socket, against a listener with the mock views behind it."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from pylatencymap.errors import SourceError
from pylatencymap.interval import Interval
from pylatencymap.intervals.difference import intervals
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.timed import resolved
from pylatencymap.oracle import queries
from pylatencymap.oracle.database import Database
from pylatencymap.oracle.driver import Connection, Login, Trouble, load_driver
from pylatencymap.oracle.endurance import Endurance
from pylatencymap.oracle.ranking import ranked
from pylatencymap.oracle.records import Maker
from pylatencymap.oracle.troubles import in_short, is_final
from pylatencymap.oracle.views import find_views
from pylatencymap.oracle.watch import Watch
from pylatencymap.record import Mark, Record
from pylatencymap.report import Report
from pylatencymap.session.source import Stop
from pylatencymap.units import Unit

READS, SYNC = "db file sequential read", "log file sync"


def database(db: Any, timeout: float = 5.0, **login: Any) -> Database:
    given = {"dsn": db.dsn, "user": db.user, "password": db.password, **login}
    return Database(load_driver(), Login(**given), "mock (--dsn)", timeout)


def sample(connection: Connection, events: list[str]) -> list[Record]:
    views, _ = find_views(connection, False, "mon")
    statement, binds = queries.sample(views, events, ())
    report = Report("test")
    made = Maker(events, views.histogram, views.unit, report).records(connection.rows(statement, binds), 0.0)
    assert report.bad_count == 0
    return made


def test_a_sample_is_what_the_mock_counted(server: Callable[..., Any]) -> None:
    db = server()
    connection = database(db).connect("test")
    for record in sample(connection, [READS, SYNC]):
        event, _, number = record.series.rpartition("@")
        rates = db.mock.rates[event][int(number)]
        assert record.unit is Unit.US
        assert record.stamp is not None
        assert record.start is not None
        age = (record.stamp.micros - record.start) / 1e6
        counts = {upper: count for _, upper, count in record.ranges}
        # A start-up time is told in whole seconds.
        assert counts == {micro: pytest.approx(rate * age, abs=1.5 * rate + 1) for micro, rate in rates.items()}
        assert abs(record.stamp.micros / 1e6 - time.time()) < 5
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
    ("fault", "short", "final"),
    [
        ("killed", "the session was killed (ORA-00028)", False),
        ("dropped", "the connection was lost (DPY-4011)", False),
        ("cut", "the connection was lost (ORA-03113)", False),
        ("hangs", "no answer in time (DPY-4024)", False),
        ("view", "a view is missing, or the privilege to read it (ORA-00942)", True),
        ("privilege", "the privilege is missing (ORA-01031)", True),
    ],
)
def test_what_goes_wrong_while_sampling(server: Callable[..., Any], fault: str, short: str, final: bool) -> None:
    db = server()
    connection = database(db, timeout=0.3).connect("test")
    do = {
        "killed": lambda: db.mock.fail_next(28),
        "dropped": db.mock.drop_next,
        "cut": lambda: db.mock.fail_next(3113),
        "hangs": lambda: db.mock.hang_next(0.45),
        "view": lambda: db.mock.fail_next(942),
        "privilege": lambda: db.mock.fail_next(1031),
    }
    do[fault]()
    with pytest.raises(Trouble) as told:
        connection.rows(queries.clocks(), {})
    assert in_short(told.value) == short
    assert is_final(told.value) is final
    began = time.monotonic()
    connection.close()
    assert time.monotonic() - began < 1.5
    again = database(db).connect("test")
    assert sample(again, [READS])
    again.close()


def test_a_database_that_hangs_for_long_is_left_within_two_timeouts(server: Callable[..., Any]) -> None:
    db = server()
    connection = database(db, timeout=0.2).connect("test")
    db.mock.hang_next(2)
    began = time.monotonic()
    with pytest.raises(Trouble):
        connection.rows(queries.clocks(), {})
    connection.close()
    assert time.monotonic() - began < 1


@pytest.mark.parametrize(
    ("login", "said"),
    [
        ({"password": "tiger-17"}, ["ORA-01017", "wrong user or password", "ALTER USER mon IDENTIFIED BY"]),
        ({"user": "nobody"}, ["ORA-01017", "ALTER USER nobody IDENTIFIED BY"]),
        ({"dsn": "nonesuch"}, ["DPY-40", "TNS_ADMIN"]),
        ({"dsn": "127.0.0.1:1/mock"}, ["DPY-6005", "Connection refused", "lsnrctl status"]),
        ({"dsn": "no.such.host.invalid/mock"}, ["mock (--dsn): "]),
    ],
)
def test_a_login_that_fails_says_what_to_do(server: Callable[..., Any], login: dict[str, str], said: list[str]) -> None:
    one = database(server(), **login)
    with pytest.raises(SourceError) as told, one.told():
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
        database(db).told(),
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
    found = ranked(connection, views, (), 3, db.mock.clock.advance, "mon")
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
        chosen: ranked(connection, views, chosen, 3, db.mock.clock.advance, "mon")[0] for chosen in ((), (1,), (2,))
    }
    rates = db.mock.rates[READS]
    assert {chosen: one.waits for chosen, one in ranking.items()} == {
        (): sum(rates[1].values()) + sum(rates[2].values()),
        (1,): sum(rates[1].values()),
        (2,): sum(rates[2].values()),
    }
    connection.close()


INTERVAL = 0.2


def lived_through(
    db: Any, samples: dict[int, Callable[[], object]], until: int = 12, timeout: float = 2.0, late: int = 0
) -> list[Interval]:
    """Intervals of so many samples, with something done after some of them. Bucket ``late`` may have to catch up."""
    stop, report = Stop(), Report("test")
    one = database(db, timeout)
    connection = one.connect(READS)
    views, _ = find_views(connection, False, "mon")
    statement, binds = queries.sample(views, [READS], (1,))
    maker = Maker([READS], views.histogram, views.unit, report)
    taken = 0

    def take(connection: Connection) -> list[Record]:
        nonlocal taken
        made = maker.records(connection.rows(statement, binds), time.monotonic())
        taken += 1
        samples.get(taken, lambda: None)()
        return made

    endurance = Endurance(
        connect=lambda: one.connect(READS),
        take=take,
        explain=one.explained,
        interval=INTERVAL,
        stop=stop,
        watch=Watch(None),
        count=until,
    )
    options = TimeOptions(interval=INTERVAL, started=time.monotonic())
    events = [event for event in resolved(endurance.events(connection), options, report) if not isinstance(event, Mark)]
    found = list(intervals(events))
    assert report.bad_count == 0
    for interval in found:
        for _, upper, count in interval.ranges:
            rate = db.mock.rates[READS][1][upper or db.mock.overflow_micro]
            # Stamps and counts are a moment apart, and start-up times are told in whole seconds.
            assert count >= 0, interval
            assert upper == late or count <= rate * (interval.seconds + 0.1 + interval.reset) + 2, interval
    return found


def counted_in(found: list[Interval], micro: int) -> float:
    return sum(float(count) for interval in found for _, upper, count in interval.ranges if upper == micro)


def seconds_of(found: list[Interval]) -> float:
    return sum(interval.seconds for interval in found if not interval.gap)


def test_restart(server: Callable[..., Any]) -> None:
    db = server()
    found = lived_through(db, {4: lambda: db.restart(down=0.1)})
    assert [interval.reset for interval in found].count(True) == 1


def test_drop(server: Callable[..., Any]) -> None:
    db = server()
    found = lived_through(db, {4: db.drop_sessions, 8: db.mock.drop_next})
    assert not any(interval.reset or interval.gap for interval in found)
    assert counted_in(found, 512) == pytest.approx(600 * seconds_of(found), rel=0.05)


def test_killed_session(server: Callable[..., Any]) -> None:
    db = server()
    found = lived_through(db, {4: lambda: db.mock.fail_next(28)})
    assert not any(interval.reset or interval.gap for interval in found)
    assert counted_in(found, 512) == pytest.approx(600 * seconds_of(found), rel=0.05)


def test_hang(server: Callable[..., Any]) -> None:
    db = server()
    found = lived_through(db, {6: lambda: db.mock.hang_next(1.5)}, timeout=0.4)
    assert [interval.gap for interval in found].count(True) == 1
    assert not any(interval.reset for interval in found)
    assert counted_in(found, 512) == pytest.approx(600 * seconds_of(found), rel=0.05)


def test_vanished_bucket(server: Callable[..., Any]) -> None:
    db = server()
    found = lived_through(db, {4: lambda: db.mock.hide_bucket(READS, 512), 8: db.mock.show_buckets}, late=512)
    assert not any(interval.reset or interval.gap for interval in found[:7])
    assert counted_in(found[:7], 512) < counted_in(found, 512)
    assert counted_in(found[:7], 256) == pytest.approx(300 * seconds_of(found[:7]), rel=0.1)


def test_over_midnight(server: Callable[..., Any], mock_view: Any) -> None:
    db = server(mock_view.MockHistogram(clock=mock_view.ShiftedClock.before_midnight(1)))
    found = lived_through(db, {})
    days = {interval.end // (86_400 * 10**6) for interval in found}
    assert len(days) == 2
    assert not any(interval.reset or interval.gap for interval in found)
    assert seconds_of(found) == pytest.approx(12 * INTERVAL, rel=0.2)


@pytest.mark.parametrize("label", [2**32 - 1, 2**33 - 1])
def test_overflow(server: Callable[..., Any], mock_view: Any, label: int) -> None:
    db = server(mock_view.MockHistogram(overflow_micro=label))
    db.mock.add_overflow(READS, rate=50)
    found = lived_through(db, {})
    lower = 1 << (label.bit_length() - 1)
    assert all(interval.ranges[-1][:2] == (lower, None) for interval in found)
    assert sum(interval.ranges[-1][2] for interval in found) == pytest.approx(50 * seconds_of(found), abs=5)


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

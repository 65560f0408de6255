"""What is passed to the drivers. Thick mode, wallets, SYSDBA and external logins have nothing to talk to here: these
tests say what is passed for them, and no more.
"""

import sys
from types import ModuleType
from typing import Any

import pytest

from pylatencymap.errors import MissingPackage
from pylatencymap.oracle.connection.driver import CONNECT_SECONDS, Connection, Driver, Login, Trouble, load_driver
from pylatencymap.oracle.connection.troubles import in_full, in_short

SECRET = "correct-horse-7"


class FakeError(Exception):
    """The base of a driver's errors."""


class FakeCursor:
    def __init__(self, owner: Any) -> None:
        self.owner = owner

    def execute(self, statement: str, binds: dict[str, object]) -> "FakeCursor":
        self.owner.executed.append((statement, binds, self.arraysize, self.prefetchrows))
        return self

    def fetchall(self) -> list[tuple[int]]:
        if self.owner.error:
            raise self.owner.error
        return [(1,)]

    def close(self) -> None:
        pass

    arraysize = prefetchrows = 0


class FakeConnection:
    def __init__(self) -> None:
        self.executed: list[Any] = []
        self.error: Exception | None = None

    def cursor(self) -> FakeCursor:
        return FakeCursor(self)

    def close(self) -> None:
        raise FakeError("DPY-1001: not connected to database")


def fake_module(name: str) -> Any:
    module: Any = ModuleType(name)
    module.Error = FakeError
    module.AUTH_MODE_SYSDBA, module.SYSDBA = "as sysdba", "as sysdba, cx"
    module.connected, module.clients, module.connection = [], [], FakeConnection()

    def connect(**given: Any) -> FakeConnection:
        module.connected.append(given)
        return module.connection  # type: ignore[no-any-return]

    module.connect = connect
    module.init_oracle_client = lambda **given: module.clients.append(given)
    return module


def passed(login: Login, name: str = "oracledb") -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What ``connect`` and ``init_oracle_client`` got."""
    module = fake_module(name)
    driver = Driver(module)
    driver.connect(login)
    driver.connect(login)
    assert module.connected[0] == module.connected[1]
    return module.connected[0], module.clients


def test_a_user_in_thin_mode() -> None:
    given, clients = passed(Login("db1/sales", "mon", SECRET, config_dir="/etc/oracle"))
    assert given == {
        "dsn": "db1/sales",
        "user": "mon",
        "password": SECRET,
        "config_dir": "/etc/oracle",
        "tcp_connect_timeout": CONNECT_SECONDS,
    }
    assert clients == []


def test_sysdba() -> None:
    assert passed(Login("db", "sys", SECRET, sysdba=True))[0]["mode"] == "as sysdba"


def test_a_wallet_in_thin_mode() -> None:
    given, _ = passed(Login("db_high", "mon", SECRET, wallet="/wallet", wallet_password="w", config_dir="/etc"))
    assert (given["wallet_location"], given["wallet_password"], given["config_dir"]) == ("/wallet", "w", "/wallet")


def test_thick_mode_loads_the_client_once() -> None:
    given, clients = passed(Login("db", "mon", SECRET, thick=True, lib_dir="/client", config_dir="/etc"))
    assert clients == [{"lib_dir": "/client", "config_dir": "/etc"}]
    assert given == {"dsn": "db", "user": "mon", "password": SECRET}


def test_thick_mode_finds_the_client_by_itself() -> None:
    assert passed(Login("db", "mon", SECRET, thick=True))[1] == [{}]


def test_an_external_login() -> None:
    given, clients = passed(Login(None, external=True, thick=True, sysdba=True))
    assert given == {"externalauth": True, "mode": "as sysdba"}
    assert clients == [{}]


def test_a_wallet_that_holds_the_password() -> None:
    given, clients = passed(Login("db", external=True, thick=True, wallet="/wallet"))
    assert given == {"dsn": "db", "externalauth": True}
    assert clients == [{"config_dir": "/wallet"}]


@pytest.mark.parametrize(
    ("login", "connected", "clients"),
    [
        (Login("db", "mon", SECRET), {"dsn": "db", "user": "mon", "password": SECRET}, []),
        (Login("db", external=True, thick=True), {"dsn": "db"}, [{}]),
        (Login(None, external=True, thick=True, sysdba=True), {"mode": "as sysdba, cx"}, [{}]),
        (
            Login("db", "mon", SECRET, lib_dir="/client"),
            {"dsn": "db", "user": "mon", "password": SECRET},
            [{"lib_dir": "/client"}],
        ),
    ],
)
def test_the_older_driver(login: Login, connected: dict[str, Any], clients: list[dict[str, Any]]) -> None:
    assert passed(login, "cx_Oracle") == (connected, clients)


def test_a_session_is_tagged_and_limited() -> None:
    module = fake_module("oracledb")
    connection = Driver(module).connect(Login("db", "mon", SECRET))
    connection.tag("log file sync, " * 10, 2.5)
    raw = module.connection
    assert (raw.module, raw.call_timeout) == ("pylatencymap", 2500)
    assert raw.action == ("log file sync, " * 10)[:64]


@pytest.mark.parametrize("code", ["DPI-1050", "DPI-1001"])
def test_client_libraries_that_cannot_limit_calls_are_used(code: str) -> None:
    """They are those of the server, for which thick mode is made; every other error stays one."""
    module = fake_module("oracledb")
    connection = Driver(module).connect(Login("db", "mon", SECRET))

    class Old:
        def __setattr__(self, name: str, value: object) -> None:
            if name == "call_timeout":
                raise module.Error(f"{code}: Oracle Client library is at version 12.2 but version 18.1 is needed")
            object.__setattr__(self, name, value)

    connection._raw = Old()
    if code == "DPI-1001":
        with pytest.raises(Trouble, match=code):
            connection.tag("log file sync", 2.5)
        return
    connection.tag("log file sync", 2.5)
    assert connection.can_hang
    assert connection._raw.action == "log file sync"


def test_rows_come_with_the_answer() -> None:
    module = fake_module("oracledb")
    connection = Driver(module).connect(Login("db", "mon", SECRET))
    assert connection.rows("select 1 from dual where 1 = :n", {"n": 1}) == [(1,)]
    (statement, binds, arraysize, prefetched) = module.connection.executed[0]
    assert (statement, binds) == ("select 1 from dual where 1 = :n", {"n": 1})
    assert prefetched > arraysize >= 1000
    connection.close()


@pytest.mark.parametrize("error", [FakeError("ORA-00028: killed"), ConnectionResetError(104, "reset by peer")])
def test_errors_of_the_driver_and_of_the_network_are_troubles(error: Exception) -> None:
    module = fake_module("oracledb")
    connection = Driver(module).connect(Login("db", "mon", SECRET))
    module.connection.error = error
    with pytest.raises(Trouble) as told:
        connection.rows("select 1 from dual", {})
    assert told.value.network is isinstance(error, OSError)


@pytest.mark.parametrize(
    ("seconds", "text", "short"),
    [
        (9.9, "DPY-4011: the database or network closed the connection", "the connection was lost (DPY-4011)"),
        (20.0, "DPY-4011: the database or network closed the connection", "no answer in time (DPY-4011)"),
        (10.0, "DPY-4024: call timeout of 10000 ms exceeded", "no answer in time (DPY-4024)"),
        (20.0, "ORA-00028: your session has been killed", "the session was killed (ORA-00028)"),
    ],
)
def test_a_connection_that_is_closed_after_the_time_of_a_call_has_not_answered(
    seconds: float, text: str, short: str
) -> None:
    raw = FakeConnection()
    times = iter((100.0, 100.0 + seconds))
    connection = Connection(raw, FakeError, lambda: next(times))
    connection.tag("test", 10.0)
    raw.error = FakeError(text)
    with pytest.raises(Trouble) as told:
        connection.rows("select 1 from dual", {})
    assert in_short(told.value) == short
    assert in_full(told.value, "db", "mon", ()).startswith(f"db: {short.partition(' (')[0]} ({text}")


def test_the_codes_of_a_trouble() -> None:
    trouble = Trouble(
        "DPY-6005: cannot connect to database (CONNECTION_ID=a8K/+Kw7==).\nDPY-6001: Service is not registered. "
        "(Similar to ORA-12514)\nHelp: https://docs.example/dpy-6005"
    )
    assert trouble.codes == ("ORA-12514", "DPY-6005", "DPY-6001")
    assert "CONNECTION_ID" not in str(trouble)
    assert "Help" not in str(trouble)
    assert str(Trouble("ORA-00600: \x1b[2J")) == "ORA-00600: \\x1b[2J"


def test_the_newer_driver_is_taken_first(monkeypatch: pytest.MonkeyPatch) -> None:
    newer, older = fake_module("oracledb"), fake_module("cx_Oracle")
    monkeypatch.setitem(sys.modules, "oracledb", newer)
    monkeypatch.setitem(sys.modules, "cx_Oracle", older)
    load_driver().connect(Login("db", "mon", SECRET))
    assert (len(newer.connected), len(older.connected)) == (1, 0)
    monkeypatch.setitem(sys.modules, "oracledb", None)
    load_driver().connect(Login("db", "mon", SECRET))
    assert (len(newer.connected), len(older.connected)) == (1, 1)


def test_without_a_driver_it_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("cx_Oracle", "oracledb"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(sys, "executable", "/venv/bin/python")
    with pytest.raises(MissingPackage, match=r"is installed: /venv/bin/python -m pip install oracledb$"):
        load_driver()

"""Which database, which user, which password."""

import argparse
import os
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pylatencymap.cli.oracle.login import database_of, login_of
from pylatencymap.cli.oracle.options import parse_arguments
from pylatencymap.errors import UsageError
from pylatencymap.oracle.connection import password
from pylatencymap.oracle.connection.config import CONFIG_FILE, ConnectTarget, find_target, network_folder, read_settings
from pylatencymap.oracle.connection.password import ask_on_terminal, find_password

SECRET = "correct-horse-7"
ALL = {"ORALATENCYMAP_DSN": "by-variable", "TWO_TASK": "by-two-task", "ORACLE_SID": "BYSID"}


def configured(home: Path, text: str) -> Path:
    path = home / CONFIG_FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def nobody() -> str:
    raise AssertionError("nobody is to be asked")


def without(*names: str) -> dict[str, str]:
    return {name: value for name, value in ALL.items() if name not in names}


def test_the_first_of_five_decides(tmp_path: Path) -> None:
    path = configured(tmp_path, '[oracle]\ndsn = "by-file"\nuser = "mon"\n')
    assert find_target("by-option", ALL, tmp_path).dsn == "by-option"
    assert find_target(None, ALL, tmp_path).dsn == "by-variable"
    assert find_target(None, without("ORALATENCYMAP_DSN"), tmp_path) == ConnectTarget(
        "by-file", "by-file", f"~/{CONFIG_FILE}", user="mon"
    )
    path.unlink()
    assert find_target(None, without("ORALATENCYMAP_DSN"), tmp_path).dsn == "by-two-task"
    local = find_target(None, {"ORACLE_SID": "ORCL"}, tmp_path)
    assert (local.dsn, local.name, local.origin) == (None, "ORCL", "$ORACLE_SID")


def test_without_any_all_five_are_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as error:
        find_target(None, {}, tmp_path)
    for name in ("--dsn", "$ORALATENCYMAP_DSN", "config.toml", "$TWO_TASK", "$ORACLE_SID"):
        assert name in str(error.value)


def test_user_and_password_of_the_file_go_to_no_other_database(tmp_path: Path) -> None:
    configured(tmp_path, '[oracle]\ndsn = "by-file"\nuser = "mon"\npassword_file = "~/secret"\n')
    target = find_target("other", {}, tmp_path)
    assert (target.user, target.password_file) == ("", "")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("dsn = [", "is no TOML"),
        ('[oracle]\npassword = "x"\n', "name a password_file"),
        ("[oracle]\ndsn = 1\n", "write dsn as a text"),
        ('[oracle]\nhost = "x"\n', "not 'host'"),
    ],
)
def test_a_file_that_is_wrong_is_told_by_name(tmp_path: Path, text: str, told: str) -> None:
    path = configured(tmp_path, text)
    with pytest.raises(UsageError) as error:
        read_settings(path)
    assert str(path) in str(error.value)
    assert told in str(error.value)


def test_other_sections_are_not_ours(tmp_path: Path) -> None:
    assert read_settings(configured(tmp_path, "[view]\npalette = 3\n")) == {}
    assert read_settings(tmp_path / "missing") == {}


def test_without_a_reader_of_toml_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = configured(tmp_path, '[oracle]\ndsn = "x"\n')
    monkeypatch.setitem(sys.modules, "tomllib", None)
    monkeypatch.setitem(sys.modules, "tomli", None)
    with pytest.raises(UsageError, match=r"needs Python 3\.11, or the package tomli"):
        read_settings(path)


@pytest.mark.parametrize("dsn", [f"mon/{SECRET}@host/service", "mon@host/service"])
def test_a_user_in_the_name_of_the_database_is_refused_and_not_repeated(tmp_path: Path, dsn: str) -> None:
    for arguments in ((dsn, {}), (None, {"ORALATENCYMAP_DSN": dsn}), (None, {"TWO_TASK": dsn})):
        with pytest.raises(UsageError) as error:
            find_target(*arguments, tmp_path)
        assert SECRET not in str(error.value)


def test_a_descriptor_may_hold_anything(tmp_path: Path) -> None:
    descriptor = "(DESCRIPTION=(ADDRESS=(HOST=a)(PORT=1521))(CONNECT_DATA=(SERVICE_NAME=s@x)))"
    assert find_target(descriptor, {}, tmp_path).dsn == descriptor


def test_the_folder_of_tnsnames(tmp_path: Path) -> None:
    folder = tmp_path / "network" / "admin"
    assert network_folder({"ORACLE_HOME": str(tmp_path)}) is None
    folder.mkdir(parents=True)
    assert network_folder({"ORACLE_HOME": str(tmp_path)}) == str(folder)
    assert network_folder({"ORACLE_HOME": str(tmp_path), "TNS_ADMIN": "/etc"}) == "/etc"


# ---- passwords


@pytest.fixture
def secret_file(tmp_path: Path) -> Path:
    path = tmp_path / "secret"
    path.write_text(f"{SECRET}\nsomething else\n")
    path.chmod(0o600)
    return path


def test_the_order_of_passwords(secret_file: Path) -> None:
    environ = {password.VARIABLE: "by-variable"}
    assert find_password(str(secret_file), "", dict(environ), nobody, print).text == SECRET
    assert find_password("", str(secret_file), dict(environ), nobody, print).text == "by-variable"
    assert find_password("", str(secret_file), {}, nobody, print).text == SECRET
    assert find_password("", "", {}, lambda: "typed", print).text == "typed"


def test_no_child_inherits_the_variable(secret_file: Path) -> None:
    environ = {password.VARIABLE: SECRET, "OTHER": "1"}
    find_password(str(secret_file), "", environ, nobody, print)
    assert environ == {"OTHER": "1"}


def test_a_password_does_not_show_itself(secret_file: Path) -> None:
    assert SECRET not in repr(find_password(str(secret_file), "", {}, nobody, print))


def test_a_file_that_others_can_read_is_told_of(secret_file: Path) -> None:
    said: list[str] = []
    secret_file.chmod(0o644)
    find_password(str(secret_file), "", {}, nobody, said.append)
    assert said == [f"others may read the password file {secret_file}; chmod 600 {secret_file}"]


@pytest.mark.parametrize(("content", "told"), [(None, "No such file"), (b"", "is empty"), (b"\xff\n", "no UTF-8")])
def test_a_password_file_that_is_none(tmp_path: Path, content: bytes | None, told: str) -> None:
    path = tmp_path / "file"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=told):
        find_password(str(path), "", {}, nobody, print)


def test_where_nobody_can_be_asked_the_other_ways_are_told() -> None:
    """In a session of its own a process has no terminal."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        sys.stdin = open(0, closefd=False)  # noqa: SIM115 - as long as the child lives
        try:
            ask_on_terminal("mon at db")
        except UsageError as error:
            os.write(writer, pickle.dumps(str(error)))
        os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    with open(reader, "rb") as told:
        assert "--password-file or $ORALATENCYMAP_PASSWORD" in pickle.loads(told.read())


# ---- both together


def options(*words: str) -> argparse.Namespace:
    return parse_arguments(["log_file_sync", *words])


def login(*words: str, target: ConnectTarget | None = None, **environ: str) -> Any:
    return login_of(
        options(*words), target or ConnectTarget("db", "db", "--dsn"), {"ORALATENCYMAP_PASSWORD": SECRET, **environ}
    )


def test_a_user_with_a_password() -> None:
    made = login("--user", "mon")
    assert (made.dsn, made.user, made.password) == ("db", "mon", SECRET)
    assert (made.external, made.thick, made.sysdba, made.wallet) == (False, False, False, None)
    assert SECRET not in repr(made)


def test_the_order_of_users() -> None:
    target = ConnectTarget("db", "db", "~", user="by-file")
    assert login("--user", "by-option", target=target, ORALATENCYMAP_USER="by-variable").user == "by-option"
    assert login(target=target, ORALATENCYMAP_USER="by-variable").user == "by-variable"
    assert login(target=target).user == "by-file"


def test_no_user_is_told() -> None:
    with pytest.raises(UsageError, match=r"no user: --user NAME, \$ORALATENCYMAP_USER"):
        login()


@pytest.mark.parametrize("user", [f"mon/{SECRET}", f"mon/{SECRET}@db"])
def test_a_password_beside_the_user_is_refused_with_its_place_and_not_repeated(user: str) -> None:
    places: dict[str, Callable[[], Any]] = {
        "--user": lambda: login("--user", user),
        "$ORALATENCYMAP_USER": lambda: login(ORALATENCYMAP_USER=user),
        f"user in [oracle] of ~/{CONFIG_FILE}": lambda: login(
            target=ConnectTarget("db", "db", f"~/{CONFIG_FILE}", user=user)
        ),
    }
    for place, log_in in places.items():
        with pytest.raises(UsageError) as error:
            log_in()
        assert str(error.value).startswith(f"{place} takes the name alone")
        assert SECRET not in str(error.value)


@pytest.mark.parametrize(
    ("words", "target"),
    [
        (["--external"], ConnectTarget("db", "db", "--dsn")),
        (["--wallet", "."], ConnectTarget("db", "db", "--dsn")),
        (["--sysdba"], ConnectTarget(None, "ORCL", "$ORACLE_SID")),
        ([], ConnectTarget(None, "ORCL", "$ORACLE_SID")),
    ],
)
def test_credentials_from_outside_need_the_client_libraries(words: list[str], target: ConnectTarget) -> None:
    made = login(*words, target=target)
    assert (made.external, made.thick, made.user, made.password) == (True, True, "", "")


def test_a_wallet_with_a_user_is_for_the_network(tmp_path: Path) -> None:
    folder = str(tmp_path)
    made = login("--user", "mon", "--wallet", folder, ORALATENCYMAP_WALLET_PASSWORD="open sesame")
    assert (made.external, made.thick, made.wallet, made.wallet_password) == (False, False, folder, "open sesame")


def test_external_and_a_user_contradict_each_other() -> None:
    with pytest.raises(UsageError, match="leave out --user"):
        login("--external", "--user", "mon")


def test_thick_takes_a_folder_or_none(tmp_path: Path) -> None:
    assert login("--user", "mon", "--thick", str(tmp_path)).lib_dir == str(tmp_path)
    bare = parse_arguments(["--thick", "log_file_sync", "--user", "mon"])
    assert (bare.events, bare.thick) == (["log_file_sync"], "")
    assert login_of(bare, ConnectTarget("db", "db", "--dsn"), {"ORALATENCYMAP_PASSWORD": SECRET}).thick


@pytest.mark.parametrize(
    ("words", "seconds"),
    [([], 10), (["--interval", "0.5"], 10), (["--interval", "5"], 10), (["--interval", "7.5"], 15)],
)
def test_a_call_may_take_10_seconds_or_two_intervals(
    words: list[str], seconds: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The driver takes milliseconds."""
    connections: list[Any] = []

    def connect(**_: object) -> Any:
        connections.append(SimpleNamespace())
        return connections[-1]

    monkeypatch.setitem(sys.modules, "oracledb", SimpleNamespace(__name__="oracledb", Error=OSError, connect=connect))
    environ = {password.VARIABLE: SECRET}
    database_of(options("--dsn", "db", "--user", "mon", *words), environ, tmp_path).connect("test")
    assert [one.call_timeout for one in connections] == [seconds * 1000]

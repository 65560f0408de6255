"""A password in a connect string is in no message, traceback, repr or recording."""

import importlib
from collections.abc import Callable
from pathlib import Path

import pytest

from pylatencymap.oracle.connection.config import find_target
from pylatencymap.oracle.connection.connect_string import dsn_for_display, secrets_of_dsn, without_secrets
from pylatencymap.oracle.connection.driver import Login
from pylatencymap.text.clean import hide_logins, hide_passwords

SECRET = "tiger-7Q"
DSNS = [
    f"127.0.0.1:1/svc?password={SECRET}",
    f"127.0.0.1:1/svc?connect_timeout=1&PASSWORD={SECRET}&x=y",
    f"127.0.0.1:1/svc?pyo.wallet_password={SECRET}",
    f'tcps://127.0.0.1:1/svc?wallet_pwd="{SECRET}"',
    f"(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=127.0.0.1)(PORT=1))(CONNECT_DATA=(SERVICE_NAME=s)(PASSWORD={SECRET})))",
    f"(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=127.0.0.1)(PORT=1))(SECURITY=(password = {SECRET} )))",
    f"(DESCRIPTION=(PASSWORD={SECRET}",
    f"no_such_alias?password={SECRET}",
    f"mon/{SECRET}@127.0.0.1:1/svc",
    f"mon/{SECRET}@(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=127.0.0.1)(PORT=1)))",
]
MISSPELT = [
    f"?password:{SECRET}",
    f"127.0.0.1:1/svc?password:{SECRET}",
    f"127.0.0.1:1/svc?pass%77ord={SECRET}",
    f"127.0.0.1:1/svc?wallet_password%3D{SECRET}",
    f"127.0.0.1:1/svc?retry_count=1&pass word={SECRET}&sdu=8192",
    f"127.0.0.1:1/svc?PASS-WORD={SECRET}",
    f"127.0.0.1:1/svc?pin={SECRET}",
    f"127.0.0.1:1/svc?wallet_password=a&{SECRET}",
    f'127.0.0.1:1/svc?wallet_password="a&sdu={SECRET}"',
    f"127.0.0.1:1/svc?sdu='{SECRET}'",
    f"127.0.0.1:1/svc&password={SECRET}",
    f"127.0.0.1:1/svc password {SECRET}",
    f"(DESCRIPTION=(ADDRESS=(HOST=127.0.0.1)(PORT=1))(PASSWORD:{SECRET}))",
    f"(DESCRIPTION=(ADDRESS=(HOST=127.0.0.1)(PORT=1))(SECURITY=(MY_WALLET_PASSWORD {SECRET})))",
    f"(DESCRIPTION=(ADDRESS=(HOST=127.0.0.1)(PORT=1))(PIN=({SECRET})))",
    f"(DESCRIPTION=(ADDRESS=(HOST=127.0.0.1)(PORT=1))(P=a){SECRET}))",
    f"mon:{SECRET}@127.0.0.1:1/svc",
    f"mon/a@{SECRET}@127.0.0.1:1/svc",
    f"mon:{SECRET}",
]
DSNS += MISSPELT
MISUSES = [
    ["--dns", DSNS[0]],
    [f"--dsnx={DSNS[0]}"],
    ["--dns", DSNS[8]],
    [f"--sdn={DSNS[8]}"],
    [DSNS[0]],
    [DSNS[8]],
    ["--instance", DSNS[8]],
    ["--interval", DSNS[0]],
    ["--user", f"mon/{SECRET}", "--dsn", "x"],
    ["--thick", "/" + DSNS[0]],
    ["--wallet", DSNS[0]],
    *(["--dsnx", dsn] for dsn in MISSPELT[1:-1] if "?" in dsn or "@" in dsn),
]


@pytest.fixture
def said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., tuple[int, str]]:
    """Runs the command in this process; its status and all that it printed."""
    pytest.importorskip("oracledb")
    command = importlib.import_module("pylatencymap.cli.oracle.command")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("ORALATENCYMAP_DSN", "TWO_TASK", "ORACLE_SID", "TNS_ADMIN"):
        monkeypatch.delenv(name, raising=False)

    def run(*words: str) -> tuple[int, str]:
        monkeypatch.setenv("ORALATENCYMAP_PASSWORD", "other")
        monkeypatch.setenv("ORALATENCYMAP_WALLET_PASSWORD", "wallet-8R")
        status = command.run(list(words))
        told = capsys.readouterr()
        return status, told.out + told.err

    return run


@pytest.mark.parametrize("more", [[], ["--traceback"], ["--list-events"], ["--awr", "--licensed", "diagnostics"]])
@pytest.mark.parametrize("dsn", DSNS)
def test_no_message_repeats_it(dsn: str, more: list[str], said: Callable[..., tuple[int, str]]) -> None:
    words = [] if "--list-events" in more else ["db_file_sequential_read"]
    status, text = said(*words, "--user", "mon", "--dsn", dsn, *more)
    assert status in (2, 3)
    assert text
    assert SECRET not in text
    assert "wallet-8R" not in text


@pytest.mark.parametrize("variable", ["ORALATENCYMAP_DSN", "TWO_TASK"])
def test_not_from_the_environment_either(
    variable: str, said: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for dsn in DSNS:
        monkeypatch.setenv(variable, dsn)
        assert SECRET not in said("x", "--user", "mon")[1]


@pytest.mark.parametrize("words", MISUSES, ids=range(len(MISUSES)))
def test_no_misuse_repeats_it(words: list[str], said: Callable[..., tuple[int, str]]) -> None:
    for more in ([], ["--traceback"]):
        status, text = said(*words, *more)
        assert status in (2, 3)
        assert SECRET not in text


def test_the_database_is_still_named(tmp_path: Path) -> None:
    target = find_target(DSNS[1], {}, tmp_path)
    assert target.dsn == DSNS[1]
    assert target.name == "127.0.0.1:1/svc?connect_timeout=1&PASSWORD=***&x=***"
    assert SECRET not in repr(Login(dsn=DSNS[1], user="mon", password="p"))


def test_what_a_driver_quotes_is_hidden() -> None:
    dsn = DSNS[4]
    assert secrets_of_dsn(dsn) == [SECRET]
    for text in (
        f"cannot parse {dsn}",
        f"bad value {SECRET!r}",
        f"near {SECRET})",
        f"mon/{SECRET}@x",
        f"PASSWORD={SECRET})",
    ):
        assert SECRET not in without_secrets(text, dsn)
    assert without_secrets("ORA-12541: no listener at 127.0.0.1", dsn) == "ORA-12541: no listener at 127.0.0.1"


@pytest.mark.parametrize("dsn", MISSPELT)
def test_nothing_of_what_may_be_a_password_is_shown(dsn: str) -> None:
    shown = dsn_for_display(dsn)
    assert "***" in shown
    assert SECRET not in shown
    assert SECRET not in without_secrets(f"near {SECRET!r} in {dsn}", dsn)


@pytest.mark.parametrize(
    "dsn",
    [
        "orcl.world",
        "tcps://db-1.example.com:2484,db-2:2484/svc$x.world:dedicated/inst1?sdu=8192&retry_count=3",
        "[::1]:1521/svc",
        "(DESCRIPTION = (CONNECT_TIMEOUT=5)(ADDRESS_LIST=(LOAD_BALANCE=on)(ADDRESS=(PROTOCOL=tcp)(HOST=h)(PORT=1521)))"
        "(CONNECT_DATA=(SERVER=DEDICATED)(SERVICE_NAME=svc)))",
    ],
)
def test_what_is_known_to_be_harmless_is_shown(dsn: str) -> None:
    assert dsn_for_display(dsn) == dsn
    assert secrets_of_dsn(dsn) == []


def test_other_texts_stay() -> None:
    for text in ("name a password_file = x", "--password-file=FILE", "SQL*Net message to/from client@1", "a/b c@d"):
        assert hide_logins(text) == text
    assert hide_passwords("password=a b") == "password=*** b"
    assert dsn_for_display("dbhost:1521/service") == "dbhost:1521/service"


def test_the_recording_of_a_listener_holds_none(
    server: Callable[..., object], said: Callable[..., tuple[int, str]], tmp_path: Path
) -> None:
    db = server()
    secret = tmp_path / "secret"
    secret.write_text(db.password + "\n")  # type: ignore[attr-defined]
    secret.chmod(0o600)
    words = ["--dsn", f"{db.dsn}?password={SECRET}", "--user", db.user, "--password-file", str(secret)]  # type: ignore[attr-defined]
    record = tmp_path / "r.lmap"
    status, text = said(
        "db_file_sequential_read", "--once", "--count", "1", "--interval", "1", "--record", str(record), *words
    )
    assert SECRET not in text
    assert status in (0, 3), text
    assert status or SECRET not in record.read_text()

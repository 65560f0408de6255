"""The driver: python-oracledb, or cx_Oracle if only that is installed. No other module imports either.

Source of the arguments that we pass to the driver: the documentation of python-oracledb (``connect()``,
``init_oracle_client()``) and of cx_Oracle 8.
"""

from __future__ import annotations

import importlib
import math
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ...errors import MissingPackage, SourceError
from ...text.clean import printable
from .connect_string import without_secrets

NAMES = ("oracledb", "cx_Oracle")
MODULE = "pylatencymap"
"""V$SESSION.MODULE of our sessions; V$SESSION.ACTION is what a session looks at."""
ACTION_BYTES = 64
"""The longest V$SESSION.ACTION."""
CONNECT_SECONDS = 10.0
"""How long we wait for a host to accept a connection (thin mode)."""
FETCH_ROWS = 2000
"""More rows than a sample has, so that all rows arrive with the answer to the statement, in one round trip."""
LONGEST = 300
"""How much of a driver's message is shown, in characters."""

_OLD_CLIENT = "DPI-1050"
"""What is asked of the client libraries came with a later release."""

DriverRow: TypeAlias = tuple[Any, ...]
Binds: TypeAlias = Mapping[str, object]

_CODE = re.compile(r"\b(ORA|DPY|DPI)-\d{4,5}\b")
_NOISE = re.compile(r"\s*\(CONNECTION_ID=[^)]*\)|^Help: .*$", re.MULTILINE)


class Trouble(SourceError):
    """An error from the driver or the database.

    ``codes`` are its error codes, such as ORA-01017, those of the database first. There are none if ``network`` is set:
    the network failed before the driver or the database could answer. ``late``: the error arrived after the call had
    timed out.
    """

    late = False

    def __init__(self, text: str, *, network: bool = False) -> None:
        lines = [line.strip().removesuffix(".") for line in _NOISE.sub("", text).splitlines()]
        super().__init__(printable("; ".join(filter(None, lines)), LONGEST))
        self.network = network
        found = dict.fromkeys(match[0] for match in _CODE.finditer(text))
        self.codes = tuple(sorted(found, key=lambda code: not code.startswith("ORA")))


@dataclass(frozen=True)
class Login:
    """How to log in. ``dsn`` None is the local instance of $ORACLE_SID; ``external`` needs neither user nor password.

    ``thick`` loads the Oracle Client libraries, from ``lib_dir`` if that is given. ``config_dir`` is the folder of
    tnsnames.ora.
    """

    dsn: str | None = field(repr=False)
    user: str = ""
    password: str = field(default="", repr=False)
    sysdba: bool = False
    external: bool = False
    thick: bool = False
    lib_dir: str | None = None
    wallet: str | None = None
    wallet_password: str = field(default="", repr=False)
    config_dir: str | None = None


class Connection:
    """An open session. Every error of the driver is raised as Trouble."""

    def __init__(
        self, raw: Any, error: type[Exception], monotonic: Callable[[], float] = time.monotonic, *, dsn: str = ""
    ) -> None:
        self._raw = raw
        self._error = error
        self._dsn = dsn
        self._clock = monotonic
        self._timeout = math.inf
        self.can_hang = False
        """Whether the time of a call cannot be limited."""

    def tag(self, action: str, timeout: float) -> None:
        """Name the session in V$SESSION, and limit each call to ``timeout`` seconds.

        The driver sends the names together with the next statement. Client libraries before 18c cannot limit calls.
        """
        with _as_trouble(self._error, self._dsn):
            try:
                self._raw.call_timeout = round(timeout * 1000)
                self._timeout = timeout
            except self._error as error:
                if _OLD_CLIENT not in str(error):
                    raise
                self.can_hang = True
            self._raw.module = MODULE
            self._raw.action = action.encode()[:ACTION_BYTES].decode(errors="ignore")

    def rows(self, statement: str, binds: Binds) -> list[DriverRow]:
        """Run a SELECT and return all its rows."""
        with self._timed(), _as_trouble(self._error, self._dsn):
            cursor = self._raw.cursor()
            cursor.arraysize, cursor.prefetchrows = FETCH_ROWS, FETCH_ROWS + 1
            try:
                return list(cursor.execute(statement, dict(binds)).fetchall())
            finally:
                with suppress(self._error):  # if the connection is lost, there is nothing to close
                    cursor.close()

    @contextmanager
    def _timed(self) -> Iterator[None]:
        """Mark a trouble as late if the call has timed out. The driver breaks off a call that takes too long; if the
        database does not answer the break either, the driver only reports that the connection is closed.
        """
        end = self._clock() + self._timeout
        try:
            yield
        except Trouble as trouble:
            trouble.late = self._clock() >= end
            raise

    def close(self) -> None:
        """Log off; errors are ignored, because the connection can be lost already."""
        with suppress(self._error, OSError):
            self._raw.close()


class Driver:
    """One of the two driver modules."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self._has_client = False

    def connect(self, login: Login) -> Connection:
        """Log in. Raises Trouble."""
        with _as_trouble(self._module.Error, login.dsn or ""):
            if self._is_legacy:
                self._load_client(login)
                raw = self._module.connect(**self._legacy(login))
            else:
                if login.thick:
                    self._load_client(login)
                raw = self._module.connect(**self._modern(login))
        return Connection(raw, self._module.Error, dsn=login.dsn or "")

    @property
    def _is_legacy(self) -> bool:
        return bool(self._module.__name__ == "cx_Oracle")

    def _load_client(self, login: Login) -> None:
        """Load the client libraries, which is possible only once. cx_Oracle loads them by itself unless we say where
        they are.
        """
        wanted = login.thick or login.lib_dir or login.wallet
        if self._has_client or not wanted:
            return
        places = {"lib_dir": login.lib_dir, "config_dir": login.wallet or login.config_dir}
        self._module.init_oracle_client(**{name: place for name, place in places.items() if place})
        self._has_client = True

    def _legacy(self, login: Login) -> dict[str, Any]:
        """The arguments for cx_Oracle. Without a user it logs in with external authentication."""
        given = {"dsn": login.dsn, "mode": self._module.SYSDBA if login.sysdba else None}
        return {**_present(given), **_credentials(login)}

    def _modern(self, login: Login) -> dict[str, Any]:
        given = {
            "dsn": login.dsn,
            "mode": self._module.AUTH_MODE_SYSDBA if login.sysdba else None,
            "externalauth": login.external or None,
        }
        if not login.thick:
            given |= {
                "config_dir": login.wallet or login.config_dir,
                "wallet_location": login.wallet,
                "wallet_password": login.wallet_password or None,
                "tcp_connect_timeout": CONNECT_SECONDS,
            }
        return {**_present(given), **_credentials(login)}


def load_driver(names: Iterable[str] = NAMES) -> Driver:
    """The first driver that is installed; raises MissingPackage if there is none."""
    for name in names:
        with suppress(ModuleNotFoundError):
            return Driver(importlib.import_module(name))
    raise MissingPackage("no driver for Oracle Database is installed", "oracledb")


def _credentials(login: Login) -> dict[str, str]:
    return {} if login.external else {"user": login.user, "password": login.password}


def _present(given: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if value is not None}


@contextmanager
def _as_trouble(error: type[Exception], dsn: str) -> Iterator[None]:
    """Raise errors of the driver as Trouble; also OSError, which Python raises if it cannot look up a host name.

    Drivers quote from the connect string, which may hold a password.
    """
    try:
        yield
    except error as caught:
        raise Trouble(without_secrets(str(caught), dsn)) from None
    except OSError as caught:
        raise Trouble(without_secrets(caught.strerror or str(caught), dsn), network=True) from None

"""python-oracledb, or cx_Oracle where only that is installed. Nothing else in the package imports either.

What is passed to the driver follows the documentation of python-oracledb (``connect()``, ``init_oracle_client()``) and
of cx_Oracle 8.
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

from ...errors import SourceError
from ...text.clean import printable

NAMES = ("oracledb", "cx_Oracle")
MODULE = "pylatencymap"
"""V$SESSION.MODULE of our sessions; the ACTION is what they look at."""
ACTION_BYTES = 64
"""V$SESSION.ACTION holds no more."""
CONNECT_SECONDS = 10.0
"""How long a host may take to accept a connection (thin mode)."""
FETCH_ROWS = 2000
"""More rows than a sample has, so that they all come with the answer to the statement: one round trip."""
LONGEST = 300
"""Characters of a driver's message that are worth reading."""

DriverRow: TypeAlias = tuple[Any, ...]
Binds: TypeAlias = Mapping[str, object]

_CODE = re.compile(r"\b(ORA|DPY|DPI)-\d{4,5}\b")
_NOISE = re.compile(r"\s*\(CONNECTION_ID=[^)]*\)|^Help: .*$", re.MULTILINE)


class Trouble(SourceError):
    """What the driver or the database said. ``codes`` such as ORA-01017, those of the database first; none where
    ``network`` failed before either had a word. ``late``: it came when the time of the call was over.
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

    ``thick`` loads the Oracle Client libraries, from ``lib_dir`` where it is named. ``config_dir`` holds tnsnames.ora.
    """

    dsn: str | None
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

    def __init__(self, raw: Any, error: type[Exception], monotonic: Callable[[], float] = time.monotonic) -> None:
        self._raw = raw
        self._error = error
        self._clock = monotonic
        self._timeout = math.inf

    def tag(self, action: str, timeout: float) -> None:
        """Name the session for whoever looks at V$SESSION, and limit each call to ``timeout`` seconds.

        The names travel with the next statement.
        """
        self._timeout = timeout
        with _as_trouble(self._error):
            self._raw.call_timeout = round(timeout * 1000)
            self._raw.module = MODULE
            self._raw.action = action.encode()[:ACTION_BYTES].decode(errors="ignore")

    def rows(self, statement: str, binds: Binds) -> list[DriverRow]:
        """All rows of a SELECT."""
        with self._timed(), _as_trouble(self._error):
            cursor = self._raw.cursor()
            cursor.arraysize, cursor.prefetchrows = FETCH_ROWS, FETCH_ROWS + 1
            try:
                return list(cursor.execute(statement, dict(binds)).fetchall())
            finally:
                with suppress(self._error):  # of a connection that is lost there is nothing to close
                    cursor.close()

    @contextmanager
    def _timed(self) -> Iterator[None]:
        """When a call takes too long, the driver breaks it off; where the break is not answered either, it only says
        that the connection is closed.
        """
        end = self._clock() + self._timeout
        try:
            yield
        except Trouble as trouble:
            trouble.late = self._clock() >= end
            raise

    def close(self) -> None:
        """Log off; of a connection that is lost nothing is heard."""
        with suppress(self._error, OSError):
            self._raw.close()


class Driver:
    """One of the two modules."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self._has_client = False

    def connect(self, login: Login) -> Connection:
        """Log in. Raises Trouble."""
        with _as_trouble(self._module.Error):
            if self._is_legacy:
                self._load_client(login)
                raw = self._module.connect(**self._legacy(login))
            else:
                if login.thick:
                    self._load_client(login)
                raw = self._module.connect(**self._modern(login))
        return Connection(raw, self._module.Error)

    @property
    def _is_legacy(self) -> bool:
        return bool(self._module.__name__ == "cx_Oracle")

    def _load_client(self, login: Login) -> None:
        """The client libraries can be loaded once; cx_Oracle loads them by itself unless their place is told."""
        wanted = login.thick or login.lib_dir or login.wallet
        if self._has_client or not wanted:
            return
        places = {"lib_dir": login.lib_dir, "config_dir": login.wallet or login.config_dir}
        self._module.init_oracle_client(**{name: place for name, place in places.items() if place})
        self._has_client = True

    def _legacy(self, login: Login) -> dict[str, Any]:
        """Without a user cx_Oracle takes the credentials from outside."""
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
    """The first driver that is installed; raises SourceError without one."""
    for name in names:
        with suppress(ModuleNotFoundError):
            return Driver(importlib.import_module(name))
    raise SourceError("no driver for Oracle Database is installed: pip install 'pylatencymap[oracle]'")


def _credentials(login: Login) -> dict[str, str]:
    return {} if login.external else {"user": login.user, "password": login.password}


def _present(given: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if value is not None}


@contextmanager
def _as_trouble(error: type[Exception]) -> Iterator[None]:
    """Errors of the driver as Trouble. Names of hosts are looked up by Python, which raises OSError."""
    try:
        yield
    except error as told:
        raise Trouble(str(told)) from None
    except OSError as told:
        raise Trouble(told.strerror or str(told), network=True) from None

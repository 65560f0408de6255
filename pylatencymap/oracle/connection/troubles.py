"""Explains database errors in plain words: what happened, whether it will pass by itself, and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .driver import Trouble
from .privileges import grant_statement


class KnownTrouble(NamedTuple):
    """The explanation of an error. ``what`` is short enough for one line of the screen. ``cure`` can contain {user} and
    {grants}. A ``final`` trouble does not pass by itself, and trying again could lock the account.
    """

    what: str
    cure: str = ""
    final: bool = False


NO_COLUMN = "ORA-00904"
"""A view has no such column, for it came with a later release."""

_NEW_PASSWORD = 'a DBA sets a new password with: ALTER USER {user} IDENTIFIED BY "...";'
_NO_ALIAS = "write it as --dsn HOST:PORT/SERVICE, or set TNS_ADMIN to the folder of tnsnames.ora"
_THICK = "use --thick, with Oracle Client libraries"
_UNREADABLE = KnownTrouble("the connect string cannot be read", _NO_ALIAS, final=True)
_NO_NETWORK = KnownTrouble("no connection", "check the host's name and that this machine knows it")
_LOST = KnownTrouble(
    "the connection was lost", f"if every login ends so, the server may want native encryption: {_THICK}"
)
_LATE = KnownTrouble("no answer in time")
_NO_MORE = KnownTrouble(
    "the database takes no more sessions", "close some, or a DBA raises PROCESSES (and restarts); it is tried again"
)
_RESTRICTED = KnownTrouble(
    "the database is in restricted mode",
    "a DBA runs: ALTER SYSTEM DISABLE RESTRICTED SESSION; or GRANT RESTRICTED SESSION TO {user};",
)
_NO_HANDLER = KnownTrouble("the listener has no free handler", "often PROCESSES is exhausted; see: lsnrctl services")
_STARTING = KnownTrouble("the service takes no connections now", "the instance may be starting; see: lsnrctl services")

_UNREACHED = KnownTrouble("the host did not answer in time", "check host and port, and firewalls on the way")

CASES = {
    "ORA-01017": KnownTrouble("wrong user or password", f"check both; {_NEW_PASSWORD}", final=True),
    "ORA-01005": KnownTrouble("the password is empty", "check where it comes from", final=True),
    "ORA-28000": KnownTrouble("the account is locked", "a DBA runs: ALTER USER {user} ACCOUNT UNLOCK;", final=True),
    "ORA-28001": KnownTrouble("the password has expired", _NEW_PASSWORD, final=True),
    "ORA-01045": KnownTrouble(
        "the user may not log in", "a user with the privilege runs: GRANT CREATE SESSION TO {user};", final=True
    ),
    "ORA-00942": KnownTrouble("a view is missing, or the privilege to read it", "as SYS run: {grants}", final=True),
    "ORA-01031": KnownTrouble("the privilege is missing", "as SYS run: {grants}", final=True),
    "ORA-12154": KnownTrouble("the name of the database is unknown", _NO_ALIAS, final=True),
    "DPY-4000": KnownTrouble("the name of the database is not in tnsnames.ora", _NO_ALIAS, final=True),
    "DPY-4026": KnownTrouble("tnsnames.ora is not there", _NO_ALIAS, final=True),
    "DPY-4027": KnownTrouble("the name of the database needs a tnsnames.ora", _NO_ALIAS, final=True),
    "DPY-4018": _UNREADABLE,
    "DPY-4017": _UNREADABLE,
    "DPY-2049": _UNREADABLE,
    "DPY-2018": KnownTrouble("the wallet lacks a file", "check the folder of --wallet", final=True),
    "DPY-3001": KnownTrouble("the server wants what thin mode cannot do", _THICK, final=True),
    "DPY-3010": KnownTrouble("the server is older than 12.1, too old for thin mode", _THICK, final=True),
    "DPY-3015": KnownTrouble("the password has only an old verifier (10G)", f"{_NEW_PASSWORD} Or {_THICK}", final=True),
    "DPI-1047": KnownTrouble(
        "the Oracle Client libraries cannot be loaded",
        "name their folder, --thick LIB_DIR, or on Linux set LD_LIBRARY_PATH to it; --dsn HOST:PORT/SERVICE with "
        "--user needs none",
        final=True,
    ),
    "ORA-01109": KnownTrouble("the database is mounted, but not open", "a DBA runs: ALTER DATABASE OPEN;"),
    "ORA-00018": _NO_MORE,
    "ORA-00020": _NO_MORE,
    "ORA-01035": _RESTRICTED,
    "ORA-12526": _RESTRICTED,
    "ORA-12527": _RESTRICTED,
    "ORA-12528": _STARTING,
    "ORA-12516": _NO_HANDLER,
    "ORA-12518": _NO_HANDLER,
    "ORA-12519": _NO_HANDLER,
    "ORA-12520": _NO_HANDLER,
    "ORA-00257": KnownTrouble(
        "no room for archive logs: SYSDBA only",
        "a DBA makes room, in RMAN: BACKUP ARCHIVELOG ALL DELETE INPUT;",
    ),
    "ORA-28040": KnownTrouble(
        "server and driver have no login method in common",
        "a DBA lowers SQLNET.ALLOWED_LOGON_VERSION_SERVER in the server's sqlnet.ora, and sets the password anew; or "
        f"{_THICK} as old as the server",
        final=True,
    ),
    "ORA-65162": KnownTrouble(
        "the password of a common user has expired", _NEW_PASSWORD.replace(";", " CONTAINER=ALL;"), final=True
    ),
    "ORA-12170": _UNREACHED,
    "ORA-00028": KnownTrouble("the session was killed"),
    "ORA-01033": KnownTrouble("the database is starting or stopping"),
    "ORA-01034": KnownTrouble("the database is down", "a DBA runs: STARTUP"),
    "ORA-01089": KnownTrouble("the database is shutting down"),
    "ORA-02391": KnownTrouble(
        "the user has too many sessions", "close others, or raise SESSIONS_PER_USER in the profile"
    ),
    "ORA-03113": _LOST,
    "ORA-03114": _LOST,
    "ORA-03135": _LOST,
    "ORA-12505": KnownTrouble("the listener does not know the SID", "compare it with: lsnrctl services"),
    "ORA-12514": KnownTrouble("the listener does not know the service", "compare the name with: lsnrctl services"),
    "ORA-12541": KnownTrouble("no listener", "on its host run: lsnrctl status"),
    "DPY-4024": _LATE,
    "DPI-1067": _LATE,
    "DPI-1080": _LOST,
    "DPY-6005": KnownTrouble("no connection", "check host and port; on the host run: lsnrctl status"),
    "DPY-1001": _LOST,
    "DPY-4011": _LOST,
}


def is_final(trouble: Trouble) -> bool:
    """Whether a trouble will not pass by itself."""
    return any(CASES[code].final for code in trouble.codes if code in CASES)


def is_known(trouble: Trouble) -> bool:
    """Whether an error is explained here, or the network failed: the statement is not to blame."""
    return trouble.network or any(code in CASES for code in trouble.codes)


def is_missing_view(trouble: Trouble) -> bool:
    """Whether a view does not exist or the privilege to read it is missing; the database reports both the same way."""
    return bool({"ORA-00942", "ORA-01031"} & set(trouble.codes))


def in_short(trouble: Trouble) -> str:
    """A short description with the code: ``the session was killed (ORA-00028)``."""
    if trouble.network:
        return f"{_NO_NETWORK.what} ({trouble})"
    code, known = _case(trouble)
    return str(trouble) if known is None else f"{known.what} ({code})"


def in_full(trouble: Trouble, where: str, user: str, views: Iterable[str]) -> str:
    """The database, what happened, the driver's message, and what to do. ``views`` are those that we tried to read."""
    known = _NO_NETWORK if trouble.network else _case(trouble)[1]
    if known is None:
        return f"{where}: {trouble}"
    grants = " ".join(grant_statement(view, user) for view in views)
    cure = known.cure.format(user=user or "the_user", grants=grants)
    return f"{where}: {known.what} ({trouble})" + (f". {cure[0].upper()}{cure[1:]}" if cure else "")


def _case(trouble: Trouble) -> tuple[str, KnownTrouble | None]:
    """The first known code of a trouble, and its explanation. If a connection is reported lost after the call had timed
    out, the real trouble is that the database did not answer in time.
    """
    code = next((code for code in trouble.codes if code in CASES), "")
    known = CASES.get(code)
    return code, _LATE if known is _LOST and trouble.late else known

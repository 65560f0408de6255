"""Finds the database to connect to in options, environment and configuration file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ...errors import UsageError
from ...files import config_path, read_config
from .connect_string import dsn_for_display
from .password import NO_PASSWORD

CONFIG_FILE = Path(".config", "pylatencymap", "config.toml")
"""The usual path of the configuration file, relative to the home folder."""
CONFIG_SECTION = "oracle"
KEYS = ("dsn", "user", "password_file")
DSN_VARIABLE, USER_VARIABLE = "ORALATENCYMAP_DSN", "ORALATENCYMAP_USER"
NOWHERE = (
    "no database is named. The first of these decides: --dsn HOST:PORT/SERVICE (or a name of tnsnames.ora), "
    f"${DSN_VARIABLE}, dsn in [{CONFIG_SECTION}] of ~/{CONFIG_FILE}, $TWO_TASK, $ORACLE_SID"
)


class ConnectTarget(NamedTuple):
    """The database to connect to. ``dsn`` None is the local instance of $ORACLE_SID. ``name`` is the same for messages,
    without the passwords that it may hold. ``origin`` is where it was named.

    ``user`` and ``password_file`` come from the configuration file, and only if that file also names the database, so
    that a password is never sent to another database.
    """

    dsn: str | None
    name: str
    origin: str
    user: str = ""
    password_file: str = ""


def find_target(dsn: str | None, environ: Mapping[str, str], home: Path) -> ConnectTarget:
    """The database that the user means; raises UsageError if nothing names one, or if a name contains a password."""
    if dsn:
        return _named(dsn, "--dsn")
    if value := environ.get(DSN_VARIABLE):
        return _named(value, f"${DSN_VARIABLE}")
    path = Path(config_path(environ, str(home)))
    settings = read_settings(path)
    if value := settings.get("dsn"):
        target = _named(value, f"~/{CONFIG_FILE}" if path == home / CONFIG_FILE else str(path))
        return target._replace(user=settings.get("user", ""), password_file=settings.get("password_file", ""))
    if value := environ.get("TWO_TASK"):
        return _named(value, "$TWO_TASK")
    if value := environ.get("ORACLE_SID"):
        return ConnectTarget(None, value, "$ORACLE_SID")
    raise UsageError(NOWHERE)


def read_settings(path: Path) -> dict[str, str]:
    """Our section of the configuration file; empty if there is none. Raises UsageError if the file cannot be read or
    has wrong settings.
    """
    file = read_config(str(path))
    section = file.tables.get(CONFIG_SECTION, {}) if file else {}
    if file is None or not isinstance(section, dict):
        return {}
    for key, value in section.items():
        place = file.place(CONFIG_SECTION, key)
        if key not in KEYS:
            secret = "; a password does not belong here: name a password_file" if "password" in key else ""
            raise UsageError(f"{place}: [{CONFIG_SECTION}] has {' and '.join(KEYS)}, not {key!r}{secret}")
        if not isinstance(value, str):
            raise UsageError(f'{place}: write {key} as a text, {key} = "..."')
    return section


def network_folder(environ: Mapping[str, str]) -> str | None:
    """The folder of tnsnames.ora: $TNS_ADMIN, else $ORACLE_HOME/network/admin if that exists."""
    if folder := environ.get("TNS_ADMIN"):
        return folder
    home = environ.get("ORACLE_HOME")
    usual = Path(home, "network", "admin") if home else None
    return str(usual) if usual and usual.is_dir() else None


def check_user(user: str, origin: str = "--user") -> str:
    """Return the user; raises UsageError, which names ``origin``, if a password or database is next to the name."""
    if "/" in user or "@" in user:
        raise UsageError(f"{origin} takes the name alone, the database is --dsn; {NO_PASSWORD}")
    return user


def _named(dsn: str, origin: str) -> ConnectTarget:
    if "@" in dsn and not dsn.lstrip().startswith("("):
        raise UsageError(f"{origin} names the database alone, without USER/PASSWORD@; give the user with --user")
    return ConnectTarget(dsn, dsn_for_display(dsn), origin)

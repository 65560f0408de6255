"""The login of oralatencymap, from options, environment and configuration file."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, MutableMapping
from pathlib import Path

from ...errors import UsageError
from ...oracle.connection import (
    CONFIG_FILE,
    CONFIG_SECTION,
    USER_VARIABLE,
    WALLET_VARIABLE,
    ConnectTarget,
    Database,
    Login,
    ask_on_terminal,
    check_user,
    find_password,
    find_target,
    load_driver,
    network_folder,
)
from ..standard_streams import print_notice
from .options import DEFAULT_SECONDS

LEAST_TIMEOUT = 10.0
"""Time limit of a call in seconds, unless two intervals are longer."""


def database_of(
    options: argparse.Namespace, environ: MutableMapping[str, str] = os.environ, home: Path | None = None
) -> Database:
    """The database of the options, with its driver and login. Raises UsageError and SourceError."""
    target = find_target(options.dsn, environ, home or Path.home())
    login = login_of(options, target, environ)
    timeout = max(LEAST_TIMEOUT, 2 * (options.interval or DEFAULT_SECONDS))
    return Database(load_driver(), login, f"{target.name} ({target.origin})", timeout)


def login_of(options: argparse.Namespace, target: ConnectTarget, environ: MutableMapping[str, str]) -> Login:
    """The login. Without a user it is external: by the operating system or a wallet."""
    user = _user(options.user, target, environ)
    if options.external and options.user:
        raise UsageError("--external takes the user from outside; leave out --user, or --external")
    outside = options.external or (not user and (options.wallet or options.sysdba or target.dsn is None))
    if not user and not outside:
        raise UsageError(
            f"no user: --user NAME, ${USER_VARIABLE}, or user in [oracle] of ~/{CONFIG_FILE} where that names the "
            "database; --external and --wallet do without"
        )
    wallet_password = environ.pop(WALLET_VARIABLE, "")
    password = ""
    if not outside:
        password = find_password(
            options.password_file,
            target.password_file,
            environ,
            ask=lambda: ask_on_terminal(f"{user} at {target.name}"),
            on_notice=print_notice,
        ).text
    return Login(
        dsn=target.dsn,
        user="" if outside else user,
        password=password,
        sysdba=options.sysdba,
        external=bool(outside),
        thick=options.thick is not None or bool(outside) or target.dsn is None,
        lib_dir=options.thick or None,
        wallet=options.wallet,
        wallet_password=wallet_password,
        config_dir=network_folder(environ),
    )


def _user(given: str, target: ConnectTarget, environ: Mapping[str, str]) -> str:
    """The user of the option, else of the environment, else of the file that names the database; or empty."""
    named = (
        (given, "--user"),
        (environ.get(USER_VARIABLE, ""), f"${USER_VARIABLE}"),
        (target.user, f"user in [{CONFIG_SECTION}] of ~/{CONFIG_FILE}"),
    )
    return next((check_user(user, origin) for user, origin in named if user), "")

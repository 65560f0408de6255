"""Connects to Oracle Database: finds the database and the login, and explains errors."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .config import (
        CONFIG_FILE as CONFIG_FILE,
        CONFIG_SECTION as CONFIG_SECTION,
        USER_VARIABLE as USER_VARIABLE,
        ConnectTarget as ConnectTarget,
        check_user as check_user,
        find_target as find_target,
        network_folder as network_folder,
    )
    from .database import Database as Database
    from .driver import Connection as Connection, Login as Login, Trouble as Trouble, load_driver as load_driver
    from .password import (
        NO_PASSWORD as NO_PASSWORD,
        WALLET_VARIABLE as WALLET_VARIABLE,
        ask_on_terminal as ask_on_terminal,
        find_password as find_password,
    )
    from .privileges import (
        container_data as container_data,
        grant_script as grant_script,
        grant_statement as grant_statement,
    )
else:
    __getattr__ = lazily(
        __name__,
        {
            "config": "CONFIG_FILE CONFIG_SECTION ConnectTarget USER_VARIABLE check_user find_target network_folder",
            "database": "Database",
            "driver": "Connection Login Trouble load_driver",
            "password": "NO_PASSWORD WALLET_VARIABLE ask_on_terminal find_password",
            "privileges": "container_data grant_script grant_statement",
        },
    )

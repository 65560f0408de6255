"""Gets the password from a file, the environment or a prompt, but never from a command line."""

from __future__ import annotations

import sys
from collections.abc import Callable, MutableMapping
from pathlib import Path
from stat import S_IRWXG, S_IRWXO
from typing import NamedTuple

from ...errors import UsageError
from ...text.clean import printable

VARIABLE, WALLET_VARIABLE = "ORALATENCYMAP_PASSWORD", "ORALATENCYMAP_WALLET_PASSWORD"
NO_PASSWORD = f"passwords do not belong in command lines; --password-file, ${VARIABLE} and the prompt take them"


class Password(NamedTuple):
    """A password and where it came from. Its repr hides the password."""

    text: str
    origin: str

    def __repr__(self) -> str:
        return f"Password(origin={self.origin!r})"


def find_password(
    file_of_option: str,
    file_of_config: str,
    environ: MutableMapping[str, str],
    ask: Callable[[], str],
    on_notice: Callable[[str], object],
    variable: str = VARIABLE,
) -> Password:
    """The password, from the first of these that there is: the file of --password-file, the environment variable, the
    file that the configuration names, the answer to ``ask``. An empty name stands for no file. Raises UsageError.

    The variable is removed from the environment, so that no program that we start inherits it.
    """
    taken = environ.pop(variable, "")
    if file_of_option:
        return _from_file(file_of_option, on_notice)
    if taken:
        return Password(taken, f"${variable}")
    if file_of_config:
        return _from_file(file_of_config, on_notice)
    return Password(ask(), "the prompt")


def ask_on_terminal(whom: str, variable: str = VARIABLE) -> str:
    """Ask for a password without showing it. Raises UsageError if there is no terminal to ask on."""
    from getpass import getpass

    try:
        with open("/dev/tty"):
            pass
    except OSError:
        if not sys.stdin.isatty():
            raise UsageError(f"no password, and no terminal to ask on: use --password-file or ${variable}") from None
    try:
        return getpass(f"Password of {printable(whom)}: ")
    except EOFError:
        raise UsageError("no password was given") from None


def _from_file(name: str, on_notice: Callable[[str], object]) -> Password:
    """The password on the first line of a file; warns if other users can read the file."""
    path = Path(name).expanduser()
    try:
        with path.open(encoding="utf-8") as file:
            text = file.readline().rstrip("\r\n")
        mode = path.stat().st_mode
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise UsageError(f"the password file {name} cannot be read: {reason}") from None
    if not text:
        raise UsageError(f"the password file {name} is empty: its first line is the password")
    if mode & (S_IRWXG | S_IRWXO) and path.is_file():
        on_notice(f"others may read the password file {name}; chmod 600 {name}")
    return Password(text, name)

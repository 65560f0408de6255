"""The password: from a file, the environment, or a prompt; never from a command line."""

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
    """A password and where it came from. It does not show itself."""

    text: str
    origin: str

    def __repr__(self) -> str:
        return f"Password(origin={self.origin!r})"


def find_password(
    file_of_option: str,
    file_of_config: str,
    environ: MutableMapping[str, str],
    ask: Callable[[], str],
    say: Callable[[str], object],
) -> Password:
    """The password in the file that --password-file names, else of the environment, else in the file that the
    configuration names, else what ``ask`` gets. A name that is empty names none. Raises UsageError.

    The variable is taken out of the environment, so that no program that is started from here inherits it.
    """
    taken = environ.pop(VARIABLE, "")
    if file_of_option:
        return _from_file(file_of_option, say)
    if taken:
        return Password(taken, f"${VARIABLE}")
    if file_of_config:
        return _from_file(file_of_config, say)
    return Password(ask(), "the prompt")


def ask_on_terminal(whom: str) -> str:
    """Ask for a password without showing it. Raises UsageError where nobody can be asked."""
    from getpass import getpass

    try:
        with open("/dev/tty"):
            pass
    except OSError:
        if not sys.stdin.isatty():
            raise UsageError(f"no password, and no terminal to ask on: use --password-file or ${VARIABLE}") from None
    try:
        return getpass(f"Password of {printable(whom)}: ")
    except EOFError:
        raise UsageError("no password was given") from None


def _from_file(name: str, say: Callable[[str], object]) -> Password:
    """The first line of a file."""
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
        say(f"others may read the password file {name}; chmod 600 {name}")
    return Password(text, name)

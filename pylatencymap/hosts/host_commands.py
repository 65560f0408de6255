"""Which hosts there are, what is run for each, and whether the system allows so many."""

from __future__ import annotations

import re
import resource
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import UsageError
from ..text.clean import line_of_file

PLACE = "{host}"
"""Where the name of a host stands in a command for all of them."""
DESCRIPTORS_EACH = 2
"""Of each host: its output, and a file with its messages."""
DESCRIPTORS_BESIDE = 64
_NAME = re.compile(r"[\w.@:/-]{1,100}", re.ASCII)


class HostCommand(NamedTuple):
    """The name of a host, and what a shell runs to get its stream."""

    host: str
    command: str


def named_command(text: str) -> HostCommand:
    """A host and its command, given as ``NAME=COMMAND``. Raises UsageError."""
    host, equals, command = text.partition("=")
    if not equals or not _NAME.fullmatch(host) or not command.strip():
        raise UsageError(f"{text}: write NAME=COMMAND, as in db1='ssh -o BatchMode=yes db1 biolatency 1'")
    return HostCommand(host, command)


def hosts_of_file(path: str, words: Sequence[str]) -> list[HostCommand]:
    """The hosts that a file names, one a line, each with a command in whose words ``{host}`` is its name. Raises
    UsageError.
    """
    if not words:
        raise UsageError(f"--hosts {path}: write the command behind --, as in -- ssh {PLACE} biolatency 1")
    if not any(PLACE in word for word in words):
        raise UsageError(f"the command behind -- does not say where the host is: write {PLACE} there")
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise UsageError(f"--hosts {path}: cannot be read: {reason}") from None
    names = [line.partition("#")[0].strip() for line in lines]
    found = []
    for number, name in enumerate(names, 1):
        if name and (not _NAME.fullmatch(name) or name.startswith("-")):
            raise UsageError(f"{line_of_file(path, number)}: {name!r} is no name of a host")
        if name:
            found.append(HostCommand(name, shlex.join(word.replace(PLACE, name) for word in words)))
    return found


def check_hosts(hosts: Sequence[HostCommand]) -> None:
    """Raise the limit of open files as far as these hosts need. Raises UsageError if a name comes twice, or if the
    system does not allow so many.
    """
    seen: set[str] = set()
    for one in hosts:
        if one.host in seen:
            raise UsageError(f"the host {one.host} is named twice: give one of them another name")
        seen.add(one.host)
    if not hosts:
        raise UsageError("no host: name some as NAME=COMMAND, or --hosts FILE -- COMMAND")
    needed = len(hosts) * DESCRIPTORS_EACH + DESCRIPTORS_BESIDE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < needed:
        if hard != resource.RLIM_INFINITY and hard < needed:
            raise UsageError(f"{len(hosts)} hosts need {needed} open files, and the limit here is {hard}: ulimit -n")
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))

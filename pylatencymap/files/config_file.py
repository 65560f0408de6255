"""The configuration file of the user: where it is, what it says, and in which line."""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from ..errors import UsageError
from ..text.clean import line_of_file

CONFIG_NAME = os.path.join("pylatencymap", "config.toml")
"""The path of the file in the folder for configurations."""
_TABLE = re.compile(r"\s*\[\s*([\w-]+)\s*\]")
_KEY = re.compile(r"""\s*["']?([\w-]+)["']?\s*[=.]""")


class ConfigFile(NamedTuple):
    """A configuration file: its path, its text, and its tables by name, with what stands above the first one."""

    path: str
    text: str
    tables: Mapping[str, Any]

    def place(self, table: str, key: str | None = None) -> str:
        """File and line of a key in a table, or of the table's head; ``""`` is what stands above the first table."""
        inside = ""
        for number, line in enumerate(self.text.splitlines(), 1):
            if head := _TABLE.match(line):
                inside = head[1]
                if key is None and inside == table:
                    return line_of_file(self.path, number)
            elif (found := _KEY.match(line)) and inside == table and found[1] == key:
                return line_of_file(self.path, number)
        return self.path


def config_path(environ: Mapping[str, str], home: str) -> str:
    """The path of the file: in $XDG_CONFIG_HOME, if that is an absolute path, else in ~/.config."""
    folder = environ.get("XDG_CONFIG_HOME", "")
    return os.path.join(folder if os.path.isabs(folder) else os.path.join(home, ".config"), CONFIG_NAME)


def read_config(path: str) -> ConfigFile | None:
    """The file; None if there is none. Raises UsageError if it cannot be read or is no TOML."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from error
    return ConfigFile(path, text, _parsed(path, text))


def _parsed(path: str, text: str) -> dict[str, Any]:
    for name in ("tomllib", "tomli"):
        with suppress(ModuleNotFoundError):
            toml: Any = importlib.import_module(name)
            try:
                return dict(toml.loads(text))
            except toml.TOMLDecodeError as error:
                line = re.search(r"at line (\d+)", str(error))
                where = line_of_file(path, int(line[1])) if line else path
                raise UsageError(f"{where} is no TOML: {error}") from None
    raise UsageError(f"{path} needs Python 3.11, or the package tomli, to be read")

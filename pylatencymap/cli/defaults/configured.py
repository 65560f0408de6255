"""What options are if a command line does not give them: the environment first, then the configuration file.

What is wrong there is said, with its place, and left out; everything else counts all the same.
"""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...files import config_path, read_config
from ...view.style import AUTO, BACKGROUNDS, PALETTES
from ..option_values import latency
from ..standard_streams import print_notice

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from ...files import ConfigFile

TABLE = "defaults"
TABLES = (TABLE, "oracle")
"""The tables of the file. The second one is read by those who connect to a database."""
PREFIX = "PYLATENCYMAP_"


def _one_of(words: Collection[str]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in words:
            raise UsageError(f"{text!r} is none of {', '.join(words)}")
        return text

    return read


def _zone(text: str) -> str:
    """The name of a time zone that exists."""
    from ...text import zone_named

    try:
        zone_named(text)
    except UsageError as error:
        raise UsageError(str(error).removeprefix("--tz ")) from None
    return text


CONFIGURABLE: dict[str, Callable[[str], object]] = {
    "palette": _one_of(PALETTES),
    "background": _one_of((AUTO, *BACKGROUNDS)),
    "tz": _zone,
    "slo": latency,
}
"""The options, each with what reads its value; in the environment their names are $PYLATENCYMAP_PALETTE and so on."""
_NOT_GIVEN = object()


def parsed_with_defaults(parser: argparse.ArgumentParser, words: list[str]) -> argparse.Namespace:
    """Parse; what the words do not give is as the environment or the configuration file says, else as usual.
    ``configured`` of what it returns are the names of the options that come from there.
    """
    usual = {action: action.default for action in parser._actions if action.dest in CONFIGURABLE}
    for action in usual:
        action.default = _NOT_GIVEN
    options = parser.parse_intermixed_args(words)
    left = {action.dest: usual[action] for action in usual if getattr(options, action.dest) is _NOT_GIVEN}
    found = configured(left, os.environ, os.path.expanduser("~"), print_notice) if left else {}
    vars(options).update({**left, **found, "configured": frozenset(found)})
    return options


def configured(
    wanted: Collection[str], environ: Mapping[str, str], home: str, say: Callable[[str], object]
) -> dict[str, object]:
    """The values of the wanted options, as far as the environment or the file sets them. ``say`` gets what is wrong.

    $TZ is the environment's word on the time zone: the file does not overrule it.
    """
    found: dict[str, object] = {}
    for name in wanted:
        variable = f"{PREFIX}{name.upper()}"
        if text := environ.get(variable):
            _take(found, name, text, f"${variable}", say)
    of_file = _of_file(config_path(environ, home), say)
    for name, (value, place) in of_file.items():
        if name in wanted and name not in found and not (name == "tz" and environ.get("TZ")):
            _take(found, name, value, place, say)
    return found


def _take(found: dict[str, object], name: str, value: object, place: str, say: Callable[[str], object]) -> None:
    """Add the value of an option, or say what is wrong with it."""
    if not isinstance(value, str):
        say(f'{place}: write {name} as a text, {name} = "..."; it is left out')
        return
    try:
        found[name] = CONFIGURABLE[name](value)
    except (UsageError, argparse.ArgumentTypeError) as error:
        say(f"{place}: {name}: {error}; it is left out")


def _of_file(path: str, say: Callable[[str], object]) -> dict[str, tuple[Any, str]]:
    """The options that the file sets, each with its place."""
    try:
        file = read_config(path)
    except UsageError as error:
        say(f"{error}; nothing of it is used")
        return {}
    if file is None:
        return {}
    for name in file.tables:
        if name not in TABLES:
            say(_unknown(file, name))
    section = file.tables.get(TABLE, {})
    if not isinstance(section, dict):
        say(f"{file.place('', TABLE)}: [{TABLE}] is a table; what is here is left out")
        return {}
    for name in section:
        if name not in CONFIGURABLE:
            say(f"{file.place(TABLE, name)}: [{TABLE}] has {', '.join(CONFIGURABLE)}, not {name!r}{_meant(name)}")
    return {name: (section[name], file.place(TABLE, name)) for name in CONFIGURABLE if name in section}


def _unknown(file: ConfigFile, name: str) -> str:
    """What to say about a table, or about a key above all tables, that means nothing."""
    if name in CONFIGURABLE:
        return f"{file.place('', name)}: {name} belongs below a line [{TABLE}]; it is left out"
    place = file.place(name) if isinstance(file.tables[name], dict) else file.place("", name)
    return f"{place}: {name!r} is none of the tables [{'], ['.join(TABLES)}]; it is left out"


def _meant(name: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, CONFIGURABLE, 1, 0.7)
    return f"; did you mean {close[0]}?" if close else ""

"""``pylatencymap completions SHELL``: print the script with which a shell completes our command lines."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from .... import registry
from ....errors import Exit, LatencyMapError
from ...arguments import Parser, parser
from ...standard_streams import print_text
from .parsers import COLLECTORS, SERIES, SHELLS

if TYPE_CHECKING:
    from collections.abc import Iterable

DESCRIPTION = "Prints the script with which a shell completes the words of pylatencymap and oralatencymap."
EPILOG = """\
  bash    eval "$(pylatencymap completions bash)"         in ~/.bashrc
  zsh     eval "$(pylatencymap completions zsh)"          in ~/.zshrc, after compinit
  fish    pylatencymap completions fish | source          in ~/.config/fish/config.fish

The scripts ask for names with these two:
  series FILE...    the series of the files, one each line
  collectors        what --format takes
"""
SCRIPTS = Path(__file__).parent / "scripts"
"""Where the scripts are in an installed package: a file for each shell."""
SOME_INTERVALS = 2000
"""Intervals of a file that are read for the names of its series: a Tab must not take seconds."""


def arguments() -> Parser:
    """The parser of this command."""
    made = parser("completions", DESCRIPTION, EPILOG)
    made.add_argument("what", metavar="SHELL", choices=(*SHELLS, SERIES, COLLECTORS), help=" ".join(SHELLS))
    made.add_argument("files", metavar="FILE", nargs="*", help="with series: what has them")
    return made


def run(argv: list[str]) -> int:
    """Run with these arguments; the exit status."""
    if argv[:1] == [SERIES]:  # the words of an unfinished line follow, which need not be valid
        print_text("".join(f"{name}\n" for name in series_of(argv[1:])))
        return Exit.OK
    options = arguments().parsed(argv)
    if options.what == COLLECTORS:
        print_text("".join(f"{name}\n" for name in (*registry.collector_names(), *registry.foreign_names())))
    else:
        print_text(script_of(options.what))
    return Exit.OK


def script_of(shell: str) -> str:
    """The script that came with the package; in a checkout it is made now, if shtab is there."""
    try:
        return (SCRIPTS / shell).read_text(encoding="utf-8")
    except FileNotFoundError:
        from .shell_scripts import whole_script

        return whole_script(shell)


def series_of(words: Iterable[str]) -> list[str]:
    """The series of those words that are files; those of a file that cannot be read, as marks, are left out."""
    found: dict[str, None] = {}
    for word in words:
        if os.path.exists(word):
            found.update(dict.fromkeys(_series_in(os.path.abspath(word))))
    return [*found]


def _series_in(path: str) -> list[str]:
    from ...inputs import Inputs
    from ...setup import plan_of
    from ..convert import arguments as reading

    options = reading().parsed([path])
    inputs = Inputs(options, plan_of(options))
    try:
        inputs.open([path])
        return sorted({interval.series for interval in islice(inputs.intervals(lambda _: None), SOME_INTERVALS)})
    except LatencyMapError:
        return []
    finally:
        inputs.stop.set()
        inputs.close()

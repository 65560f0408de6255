"""``pylatencymap help [COMMAND...]``: what ``--help`` prints."""

from __future__ import annotations

from ....errors import UsageError
from ...arguments import Parser, parser
from ...main import COMMANDS, run_command
from ..view import meant_command
from .parsers import EARLIER_PROGRAM, PROGRAM

DESCRIPTION = "Prints the help of pylatencymap, or that of a command."
EPILOG = """\
  pylatencymap help                  as pylatencymap --help
  pylatencymap help report           as pylatencymap report --help
  pylatencymap help live bpf         as pylatencymap live bpf --help
"""


def arguments() -> Parser:
    """The parser of this command."""
    made = parser("help", DESCRIPTION, EPILOG)
    made.add_argument("helped", metavar="COMMAND", nargs="*", help="a command, and what measures if it takes one")
    return made


def run(argv: list[str]) -> int:
    """Run with these arguments; the exit status."""
    words = list(arguments().parsed(argv).helped)
    if words[:1] in ([PROGRAM], [EARLIER_PROGRAM]):
        del words[0]
    if words and words[0] not in COMMANDS:
        raise UsageError(f"{words[0]}: no such command{meant_command(words[0])}")
    return run_command([*words, "--help"])

"""The command oralatencymap: latency of Oracle wait events.

The live view comes next. What works is the record stream of oralatencymap.sql, which this command prints.
"""

import argparse
import sys
from collections.abc import Sequence

from .. import __version__
from ..errors import Exit
from .arguments import Parser
from .main import guarded
from .streams import emit

NEXT = """\
oralatencymap: the live view of Oracle wait events comes next. What works today, with SQL*Plus or SQLcl:
  oralatencymap --print-sql > oralatencymap.sql
  sqlplus -S user@db @oralatencymap stream 3 "EVENT" | pylatencymap
"""


def run(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (default: the process's own); returns the exit status.

    argparse ends ``--help`` and ``--version`` by SystemExit(0).
    """
    return guarded(_run, list(sys.argv[1:] if argv is None else argv))


def _run(arguments: list[str]) -> int:
    options, _ = _parser().parse_known_args(arguments)
    if not options.print_sql:
        sys.stderr.write(NEXT)
        return Exit.USAGE
    emit(script())
    return Exit.OK


def script() -> str:
    """The text of the packaged oralatencymap.sql."""
    from importlib.resources import files

    return files("pylatencymap").joinpath("oralatencymap.sql").read_text(encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="oralatencymap",
        description="Latency of Oracle wait events over time.",
        epilog='Today: sqlplus -S user@db @oralatencymap stream 3 "EVENT" | pylatencymap. The live view comes next.',
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    parser.add_argument("--print-sql", action="store_true", help="print the SQL*Plus script oralatencymap.sql")
    return parser

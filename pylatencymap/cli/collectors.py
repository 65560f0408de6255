"""``pylatencymap collectors``: what can be read, and how it is recognised."""

from __future__ import annotations

from .. import registry
from ..errors import Exit
from .arguments import parser
from .streams import emit

FOOT = """
Text is recognised by what it holds; --format NAME skips that. What is read today needs nothing but its text:
pipe the tool that prints it into pylatencymap, or name a file that holds its output.
"""


def run(argv: list[str]) -> int:
    """Run with these arguments; the exit status."""
    parser("collectors", "The sources that can be read.").parsed(argv)
    names = registry.names()
    width = max(len(name) for name in names)
    lines = [f"{name:<{width}}  {registry.load(name).DESCRIPTION}\n" for name in names]
    emit("".join(lines) + FOOT)
    return Exit.OK

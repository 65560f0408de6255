"""``pylatencymap collectors``: the formats that can be read, the probes that can run here, and what they lack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import registry
from ...errors import Exit, PluginError
from ...probes import Machine
from ..arguments import Parser, parser
from ..standard_streams import print_text

if TYPE_CHECKING:
    from ...probes import Check

FOOT = """
The format of a text is detected from its content; --format NAME skips the detection. Reading text needs no other
software: pipe the output of a tool into pylatencymap, or name a file with its output.
"""
MEASURING = """
These can measure by themselves (pylatencymap live NAME); --check NAME shows details:
"""
SIGNS = {True: "ok", False: "missing", None: "?"}


def arguments() -> Parser:
    """The parser of this command."""
    made = parser(
        "collectors", "Lists the formats that can be read, and the collectors that can measure on this machine."
    )
    made.add_argument("--check", metavar="NAME", help="show what NAME needs to measure here, and how to get it")
    return made


def run(argv: list[str]) -> int:
    """Run with these arguments. The exit status is 0, or 3 if ``--check`` finds something missing."""
    options = arguments().parsed(argv)
    return _check(options.check, Machine()) if options.check else _list(Machine())


def _list(machine: Machine) -> int:
    names = [*registry.collector_names(), *registry.foreign_names()]
    width = max(len(name) for name in [*names, *registry.all_probe_names()])
    lines = [f"{name:<{width}}  {_described(name)}\n" for name in names]
    probes = [f"{name:<{width}}  {_verdict(name, machine)}\n" for name in registry.all_probe_names()]
    print_text("".join(lines) + FOOT + MEASURING + "".join(probes))
    return Exit.OK


def _described(name: str) -> str:
    """What a collector reads; for a broken plug-in, what is wrong with it."""
    try:
        return registry.load_collector(name).DESCRIPTION
    except PluginError as error:
        return f"broken: {error}"


def _verdict(name: str, machine: Machine) -> str:
    """Whether a probe can run here, as far as we can find out without starting it."""
    missing = [check for check in registry.load_probe(name).checks(machine, tries=False) if check.ok is False]
    if not missing:
        return "can run here"
    return "cannot run here: " + "; ".join(f"{check.what}: {check.found}" for check in missing)


def _check(name: str, machine: Machine) -> int:
    if name not in registry.all_probe_names():
        registry.load_collector(name)
        print_text(f"{name} reads text and needs nothing but that text\n")
        return Exit.OK
    checks = registry.load_probe(name).checks(machine)
    print_text("".join(_check_lines(check) for check in checks))
    return Exit.SOURCE if any(check.ok is False for check in checks) else Exit.OK


def _check_lines(check: Check) -> str:
    fix = f"{'':<22}{check.fix}\n" if check.fix and check.ok is False else ""
    return f"{SIGNS[check.ok]:<8} {check.what:<12} {check.found}\n{fix}"

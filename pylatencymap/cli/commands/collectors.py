"""``pylatencymap collectors``: what can be read, what can measure here, and what is missing for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import registry
from ...errors import Exit, PluginError
from ...probes import Machine
from ..arguments import parser
from ..standard_streams import print_text

if TYPE_CHECKING:
    from ...probes import Check

FOOT = """
Text is recognised by what it holds; --format NAME skips that. To read it nothing is needed but the text: pipe the tool
that prints it into pylatencymap, or name a file that holds its output.
"""
MEASURING = """
These can measure by themselves (pylatencymap live NAME); --check NAME says more:
"""
SIGNS = {True: "ok", False: "missing", None: "?"}


def run(argv: list[str]) -> int:
    """Run with these arguments; the exit status: 0, or with ``--check`` 3 where something is missing."""
    made = parser("collectors", "The sources that can be read, and those that can measure on this machine.")
    made.add_argument("--check", metavar="NAME", help="what this one needs to measure here, and how to get it")
    options = made.parsed(argv)
    return _check(options.check, Machine()) if options.check else _list(Machine())


def _list(machine: Machine) -> int:
    names = [*registry.collector_names(), *registry.foreign_names()]
    width = max(len(name) for name in [*names, *registry.all_probe_names()])
    lines = [f"{name:<{width}}  {_described(name)}\n" for name in names]
    probes = [f"{name:<{width}}  {_verdict(name, machine)}\n" for name in registry.all_probe_names()]
    print_text("".join(lines) + FOOT + MEASURING + "".join(probes))
    return Exit.OK


def _described(name: str) -> str:
    """What a collector reads; of one of another package that is broken, what is wrong with it."""
    try:
        return registry.load_collector(name).DESCRIPTION
    except PluginError as error:
        return f"broken: {error}"


def _verdict(name: str, machine: Machine) -> str:
    """Whether a probe can run here, as far as that can be told without starting it."""
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
    print_text("".join(_told(check) for check in checks))
    return Exit.SOURCE if any(check.ok is False for check in checks) else Exit.OK


def _told(check: Check) -> str:
    fix = f"{'':<22}{check.fix}\n" if check.fix and check.ok is False else ""
    return f"{SIGNS[check.ok]:<8} {check.what:<12} {check.found}\n{fix}"

"""Which collectors there are: the modules and folders of ``collectors/``, and those of other packages."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, cast

from . import collectors, plugins
from .collector import Collector
from .errors import UsageError
from .probes import external_programs
from .probes.contract import Probe

if TYPE_CHECKING:
    from .scan.contract import ScanModule

PROBE = "probe_command"
"""The module of a collector's folder that starts its probe."""
SCAN = "scan"
"""The module of a collector's folder that scans large files, many lines at a time."""


@cache
def collector_names() -> list[str]:
    """The built-in collectors' names in alphabetical order, found without importing any of them."""
    return sorted(
        module.name for module in pkgutil.iter_modules(collectors.__path__) if not module.name.startswith("_")
    )


def foreign_names() -> list[str]:
    """The names of other packages' collectors; one that has the name of a built-in one cannot be reached by it."""
    return [name for name in plugins.plugin_names() if name not in collector_names()]


def load_collector(name: str) -> Collector:
    """The collector of that name. Raises UsageError, with the known names, where there is none, and PluginError where
    that of another package cannot be used.
    """
    if name in collector_names():
        return cast(Collector, importlib.import_module(f"{collectors.__name__}.{name}"))
    if name in plugins.plugin_names():
        return plugins.load_plugin(name)
    known = ", ".join([*collector_names(), *foreign_names()])
    raise UsageError(f"no collector is named {name!r}; the known ones are {known}")


@cache
def probe_names() -> list[str]:
    """The built-in collectors that can measure by themselves: those with a probe."""
    folders = (module.name for module in pkgutil.iter_modules(collectors.__path__) if module.ispkg)
    return sorted(name for name in folders if find_spec(f"{collectors.__name__}.{name}.{PROBE}"))


def all_probe_names() -> list[str]:
    """These, and the probes of other packages; one that has the name of a built-in one cannot be reached by it."""
    return [
        *probe_names(),
        *(name for name in external_programs.external_programs_in_path() if name not in probe_names()),
    ]


def load_probe(name: str) -> Probe:
    """The probe of that name; raises UsageError, with those that there are, where there is none."""
    if name in probe_names():
        return cast(Probe, importlib.import_module(f"{collectors.__name__}.{name}.{PROBE}"))
    if name in external_programs.external_programs_in_path():
        return external_programs.ExternalProbe(external_programs.external_programs_in_path()[name])
    raise UsageError(f"{name!r} has no probe; {' and '.join(all_probe_names())} can measure by themselves")


def load_scan(collector: Collector) -> ScanModule | None:
    """The scan of a built-in collector; None where it has none. It needs numpy, which is loaded with it."""
    package = getattr(collector, "__name__", "")
    if not package.startswith(f"{collectors.__name__}.") or not hasattr(collector, "__path__"):
        return None
    name = f"{package}.{SCAN}"
    return cast("ScanModule", importlib.import_module(name)) if find_spec(name) else None

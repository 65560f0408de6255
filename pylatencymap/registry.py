"""The list of collectors: the modules and folders of ``collectors/``, and the collectors from other packages."""

from __future__ import annotations

import importlib
import os
from functools import cache
from typing import TYPE_CHECKING, cast

from . import collectors
from .errors import UsageError

if TYPE_CHECKING:
    from .collector import BulkModule, Collector
    from .probes import Probe
    from .scan import ScanModule

SUFFIX = ".py"
PROBE = "probe_command"
"""The module of a collector's folder that starts its probe."""
BULK = "bulk"
"""The module of a collector's folder that decodes many records at once."""
SCAN = "scan"
"""The module of a collector's folder that scans large files, many lines at a time."""


@cache
def collector_names() -> list[str]:
    """The names of the built-in collectors in alphabetical order; imports none of them."""
    return sorted(name for name in (*_modules(), *_folders()) if not name.startswith("_"))


@cache
def _modules() -> list[str]:
    """The names of the collectors that are a single module."""
    return [name[: -len(SUFFIX)] for name in _listed() if name.endswith(SUFFIX)]


@cache
def _folders() -> list[str]:
    """The names of the collectors that are a folder."""
    return [name for name in _listed() if name.isidentifier() and _has(name, "__init__")]


@cache
def _listed() -> list[str]:
    if archived := _archived():
        return list(dict.fromkeys(name.partition("/")[0] for name in archived))
    return [name for folder in collectors.__path__ for name in os.listdir(folder)]


@cache
def _archived() -> tuple[str, ...]:
    """The files below ``collectors/`` if this package is in a zip archive, as on the executors of Spark."""
    archive = getattr(collectors.__loader__, "archive", None)
    if archive is None:
        return ()
    from zipfile import ZipFile

    below = "/".join(collectors.__name__.split(".")) + "/"
    with ZipFile(archive) as file:
        return tuple(name.removeprefix(below) for name in file.namelist() if name.startswith(below))


def _has(name: str, module: str) -> bool:
    """Whether a collector's folder contains a module."""
    if archived := _archived():
        return f"{name}/{module}{SUFFIX}" in archived
    return any(os.path.isfile(os.path.join(folder, name, module + SUFFIX)) for folder in collectors.__path__)


def foreign_names() -> list[str]:
    """The names of the collectors from other packages. A built-in collector hides one with the same name."""
    from . import plugins

    return [name for name in plugins.plugin_names() if name not in collector_names()]


def load_collector(name: str) -> Collector:
    """The collector with this name. Raises UsageError, which lists the known names, if there is none, and PluginError
    if it is from another package and cannot be used.
    """
    if name in collector_names():
        return cast("Collector", importlib.import_module(f"{collectors.__name__}.{name}"))
    from . import plugins

    if name in plugins.plugin_names():
        return plugins.load_plugin(name)
    known = ", ".join([*collector_names(), *foreign_names()])
    raise UsageError(f"no collector is named {name!r}; the known ones are {known}")


@cache
def probe_names() -> list[str]:
    """The names of the built-in collectors that have a probe, so that they can measure by themselves."""
    return sorted(name for name in _folders() if _has(name, PROBE))


def all_probe_names() -> list[str]:
    """The names of all probes, those from other packages included. A built-in probe hides one with the same name."""
    from .probes import external_programs_in_path

    return [*probe_names(), *(name for name in external_programs_in_path() if name not in probe_names())]


def load_probe(name: str) -> Probe:
    """The probe with this name; raises UsageError, which lists all probes, if there is none."""
    if name in probe_names():
        return cast("Probe", importlib.import_module(f"{collectors.__name__}.{name}.{PROBE}"))
    from .probes import ExternalProbe, external_programs_in_path

    if name in external_programs_in_path():
        return ExternalProbe(external_programs_in_path()[name])
    raise UsageError(f"{name!r} has no probe; {' and '.join(all_probe_names())} can measure by themselves")


def is_collector(collector: Collector, name: str) -> bool:
    """Whether a collector is the built-in one with this name."""
    return getattr(collector, "__name__", "") == f"{collectors.__name__}.{name}"


def load_scan(collector: Collector) -> ScanModule | None:
    """The scan of a built-in collector, or None if it has none. Importing a scan also imports numpy."""
    return cast("ScanModule | None", _own_module(collector, SCAN))


def load_bulk(collector: Collector) -> BulkModule | None:
    """The bulk decoder of a built-in collector, or None if it has none. Importing it also imports numpy."""
    return cast("BulkModule | None", _own_module(collector, BULK))


def _own_module(collector: Collector, module: str) -> object | None:
    package, _, name = getattr(collector, "__name__", "").rpartition(".")
    if package != collectors.__name__ or not _has(name, module):
        return None
    return importlib.import_module(f"{package}.{name}.{module}")

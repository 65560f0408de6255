"""Collectors from other packages: the entry points of the group ``pylatencymap.collectors``.

A broken plug-in never breaks the program: it is named in a message and skipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from .collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from .errors import LatencyMapError, PluginError
from .record import Decoded, EventKey, Mark, Pause, Record, Sample, Tick
from .report import Report
from .text.clean import printable
from .text.lines import Lines

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "pylatencymap.collectors"
_NEEDED = ("DESCRIPTION", "detect", "decode")
_WRONG = (Exception, SystemExit)
"""What a plug-in can raise. SystemExit is included so that a plug-in that exits does not end the program."""
_YIELDED = (Record, Tick, Mark, Sample, Pause)


@cache
def _entry_points() -> dict[str, EntryPoint]:
    # Imported only here because the import takes as long as drawing the first picture of a recording.
    from importlib.metadata import entry_points

    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}


def plugin_names() -> list[str]:
    """The names of the collectors from other packages, in alphabetical order; imports none of them."""
    return list(_entry_points())


@cache
def load_plugin(name: str) -> PluginCollector:
    """The collector with this name. If it cannot be used, raises PluginError with the package and what is wrong."""
    point = _entry_points()[name]
    try:
        module = point.load()
    except _WRONG as error:
        raise PluginError(f"{_origin(name)} cannot be imported: {_error_text(error)}") from error
    missing = [what for what in _NEEDED if not hasattr(module, what)]
    if missing:
        raise PluginError(f"{_origin(name)} is no collector: it has no {' and no '.join(missing)}")
    return PluginCollector(name, module)


class PluginCollector:
    """A collector from another package, with the interface of a built-in one."""

    def __init__(self, name: str, module: Any) -> None:
        self.DESCRIPTION = f"{printable(str(module.DESCRIPTION))} ({_package(name)})"
        self._name = name
        self._module = module

    def detect(self, head: str) -> Likelihood:
        """The likelihood that the plug-in returns for a text; raises PluginError if the plug-in fails."""
        try:
            value, reason = self._module.detect(head)
            return Likelihood(float(value), str(reason)) if value else NOT_MINE
        except _WRONG as error:
            raise PluginError(f"{_origin(self._name)} failed to look at a text: {_error_text(error)}") from error

    def decode(self, lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Decoded]:
        """The events that the plug-in decodes. Raises PluginError if the plug-in fails, and passes on every
        LatencyMapError that the plug-in raises.
        """
        try:
            for event in self._module.decode(lines, report, known):
                if not isinstance(event, _YIELDED):
                    raise TypeError(f"it yielded a {type(event).__name__}")
                yield _cleaned(event)
        except LatencyMapError:
            raise
        except _WRONG as error:
            raise PluginError(f"{_origin(self._name)} failed to decode {report.name}: {_error_text(error)}") from error


def _cleaned(event: Decoded) -> Decoded:
    """The event with its texts made printable. Built-in decoders do that themselves."""
    if isinstance(event, Sample):
        if event.keys:
            keys = (EventKey(*map(printable, key)) for key in event.keys)
            event = event._replace(keys=tuple({key.name: key for key in keys}.values()))
        if (event.series + event.label + event.source).isprintable():
            return event
        return event._replace(
            series=printable(event.series), label=printable(event.label), source=printable(event.source)
        )
    if isinstance(event, Mark):
        return replace(event, note=printable(event.note), series=printable(event.series))
    if not isinstance(event, Record):
        return event
    if "".join((event.series, event.label, event.source, event.note, *event.flags)).isprintable():
        return event
    return replace(
        event,
        series=printable(event.series),
        label=printable(event.label),
        source=printable(event.source),
        note=printable(event.note),
        flags=frozenset(map(printable, event.flags)),
    )


def _package(name: str) -> str:
    distribution = _entry_points()[name].dist
    return printable(f"{distribution.name} {distribution.version}" if distribution else "of an unknown package")


def _origin(name: str) -> str:
    return f"the collector {printable(name)} of {_package(name)}"


def _error_text(error: BaseException) -> str:
    return printable(f"{type(error).__name__}: {error}")

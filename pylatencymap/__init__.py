"""Latency over time as two heat maps, frequency and intensity: in a terminal, in files, and as numpy arrays.

    import pylatencymap as lm
    run = lm.read("monday.lmap")

docs/python.md describes the library. Each part is imported on first use.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .api import ComparedRuns, Run, compare, from_spark, read
    from .errors import LatencyMapError
    from .interval import Interval
    from .window import Matrix, Quantity, Summary

__version__ = "2.0.0"
__all__ = [
    "ComparedRuns",
    "Interval",
    "LatencyMapError",
    "Matrix",
    "Quantity",
    "Run",
    "Summary",
    "__version__",
    "compare",
    "from_spark",
    "read",
]

_HOMES = {
    "ComparedRuns": "api.comparing",
    "Interval": "interval",
    "LatencyMapError": "errors",
    "Matrix": "window.matrix",
    "Quantity": "window.statistics",
    "Run": "api.run",
    "Summary": "window.statistics",
    "compare": "api.comparing",
    "from_spark": "api.reading",
    "read": "api.reading",
}
"""The module of each public name."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)

"""Which formats can be scanned."""

from __future__ import annotations

from collections.abc import Callable

from ..collector import TIM_UNITS, Collector, Known
from .found import Scan


def _oracle_trace(known: Known) -> Scan | None:
    from .oracle_trace import OracleTraceScan

    return OracleTraceScan() if known.tim_unit == TIM_UNITS[0] else None


_SCANS: dict[str, Callable[[Known], Scan | None]] = {"oracle_trace": _oracle_trace}


def scan_of(collector: Collector, known: Known) -> Scan | None:
    """A scan for the text of a collector; None where there is none for it."""
    name = getattr(collector, "__name__", "").rpartition(".")[2]
    make = _SCANS.get(name)
    return make(known) if make else None

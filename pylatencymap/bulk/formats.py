"""Which formats can be scanned."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..collector import TIM_UNITS, Collector, Known
from .begin import Begin, begin_of
from .found import Scan


class Fit(NamedTuple):
    """A scan for a file, and the lines at its beginning that the decoder has to see."""

    scan: Scan
    leading: tuple[bytes, ...] = ()


def _oracle_trace(known: Known) -> Scan | None:
    from .oracle_trace import OracleTraceScan

    return OracleTraceScan() if known.tim_unit == TIM_UNITS[0] else None


def _fio_log(begin: Begin) -> Scan | None:
    from .fio_log import FioLogScan

    return FioLogScan(begin)


def _strace(begin: Begin) -> Scan | None:
    from .strace import strace_scan

    return strace_scan(begin)


def _biosnoop(begin: Begin) -> Scan | None:
    from .columns import columns_scan

    return columns_scan(begin)


_BY_NAME: dict[str, Callable[[Known], Scan | None]] = {"oracle_trace": _oracle_trace}
_BY_BEGIN: dict[str, Callable[[Begin], Scan | None]] = {"fio_log": _fio_log, "strace": _strace, "biosnoop": _biosnoop}


def scan_of(collector: Collector, head: bytes, known: Known, file: str) -> Fit | None:
    """A scan for a file of a collector's text, given its first bytes and its name; None where there is none for it."""
    name = getattr(collector, "__name__", "").rpartition(".")[2]
    if name in _BY_NAME:
        scan = _BY_NAME[name](known)
        return Fit(scan) if scan else None
    begin = begin_of(collector, head, known, file) if name in _BY_BEGIN else None
    found = _BY_BEGIN[name](begin) if begin else None
    return Fit(found, begin.lines) if begin and found else None

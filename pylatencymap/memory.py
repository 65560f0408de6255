"""Says when memory that is free goes back to the system."""

from __future__ import annotations

import ctypes
import sys
from typing import Any

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Options of mallopt(3)."""
_LARGE, _FREE = 4 << 20, 32 << 20
"""Bytes of an array that is given back at once, and bytes that may be free at the end of the heap."""


def give_memory_back() -> None:
    """Return what was freed to the system, after work that took much for a while: the C library of Linux (glibc) keeps
    tens of MB of it, as free places between those in use, for as long as the process lives.
    """
    trim = _of_library("malloc_trim")
    if trim is not None:
        trim(0)


def keep_freed_arrays() -> None:
    """Let what was freed be used again, up to tens of MB, before any of it goes back to the system. Else large arrays
    that are made and freed all the time cost a quarter more CPU, for memory that the system hands over page by page.
    """
    set_option = _of_library("mallopt")
    if set_option is not None:
        set_option(_MMAP_THRESHOLD, _LARGE)
        set_option(_TRIM_THRESHOLD, _FREE)


def _of_library(name: str) -> Any:
    """A function of the C library of Linux (glibc); None where there is none."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None

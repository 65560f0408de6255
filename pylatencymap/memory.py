"""Gives memory that is free back to the system."""

from __future__ import annotations

import ctypes
import sys


def give_memory_back() -> None:
    """Return what was freed to the system, after work that took much for a while: the C library of Linux (glibc) keeps
    tens of MB of it, as free places between those in use, for as long as the process lives.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)

"""How much of an always-on recording is kept: ``7d`` or ``2GB``."""

from __future__ import annotations

import re
from typing import NamedTuple

_SECONDS = {"min": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
_BYTES = {"kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12, "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40}
_FORM = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)\s*([a-z]+)", re.ASCII)
LEAST_SECONDS = 600
LEAST_BYTES = 100_000
PARTS = 8
"""A segment never gets more than this part of the bytes to keep, so that removing one leaves most of the history."""
EXAMPLES = "write a time as in 7d or 12h, or the size of the compressed files as in 2GB or 500MB"


class Keep(NamedTuple):
    """What is kept: ``seconds`` of history, or ``size`` bytes of compressed segments; None is no limit."""

    seconds: float | None = None
    size: int | None = None

    @property
    def segment_size(self) -> int | None:
        """Compressed bytes after which a new segment begins; None if only the hour decides."""
        return None if self.size is None else self.size // PARTS


ALL = Keep()


def parse_keep(text: str) -> Keep:
    """Parse ``7d``, ``12h``, ``2GB`` or ``500MB``; upper and lower case do not matter. Raises ValueError with what is
    right.
    """
    found = _FORM.fullmatch(text.strip().lower())
    if found is None:
        raise ValueError(f"{text!r}: {EXAMPLES}")
    number, unit = float(found[1]), found[2]
    if unit in _SECONDS:
        seconds = number * _SECONDS[unit]
        if seconds < LEAST_SECONDS:
            raise ValueError(f"{text}: must be at least {LEAST_SECONDS // 60}min")
        return Keep(seconds=seconds)
    if unit in _BYTES:
        size = round(number * _BYTES[unit])
        if size < LEAST_BYTES:
            raise ValueError(f"{text}: must be at least {LEAST_BYTES // 1000}kB")
        return Keep(size=size)
    units = " ".join((*_SECONDS, "kB MB GB TB KiB MiB GiB TiB"))
    raise ValueError(f"{text!r}: the unit {found[2]!r} is none of {units}; {EXAMPLES}")

"""``--start FILE=TIME``: when files begin whose own times do not tell, or tell wrongly."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import tzinfo

from ..errors import UsageError
from ..text.dates import parse_date

EXAMPLE = "--start fio_lat.1.log='2026-01-31 10:00:00', or =1769853600"


def starts_of(words: Sequence[str], names: Sequence[str], tz: tzinfo | None) -> dict[str, int]:
    """Epoch microseconds by the names of the files, given as FILE=TIME; raises UsageError."""
    found: dict[str, int] = {}
    for word in words:
        file, equals, time = word.rpartition("=")
        meant = [name for name in names if file in (name, os.path.basename(name))]
        if not equals or len(meant) != 1:
            raise UsageError(f"--start {word}: write one of the files and a time, as in {EXAMPLE}")
        found[meant[0]] = _micros(word, time, tz)
    return found


def _micros(word: str, text: str, tz: tzinfo | None) -> int:
    try:
        moment = parse_date(text)
        seconds = (
            float(text) if moment is None else (moment if moment.tzinfo else moment.replace(tzinfo=tz)).timestamp()
        )
        return round(seconds * 1e6)
    except (ValueError, OverflowError) as error:
        raise UsageError(
            f"--start {word}: {text!r} is no time; write a date or seconds of the epoch: {EXAMPLE}"
        ) from error

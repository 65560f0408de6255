"""``pylatencymap replay FILE...``: play recordings, as they were recorded or at another speed."""

from __future__ import annotations

from . import view


def run(argv: list[str]) -> int:
    """Run with these arguments; the exit status."""
    return view.run(argv, plays=True)

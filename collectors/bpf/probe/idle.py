"""Disks on which nothing has completed yet: their time passes too."""

from __future__ import annotations

from collections.abc import Iterable

from .kernel import Sums

USUAL = ("read", "write")
"""What an idle disk is said to have none of; other operations are told when there are some."""


class Idle:
    """Gives each of these disks series without requests, until it has series of its own.

    Series that were told once are told in every interval from then on.
    """

    def __init__(self, disks: Iterable[str]) -> None:
        self._disks = list(disks)
        self._told: set[str] = set()

    def filled(self, found: dict[str, Sums]) -> dict[str, Sums]:
        """One interval with the idle series in it."""
        busy = {name.rpartition(",")[0] for name in found}
        idle = [disk for disk in self._disks if disk not in busy]
        self._told.update(f"{disk},{operation}" for disk in idle for operation in USUAL)
        return {**{name: Sums(0, []) for name in self._told}, **found}

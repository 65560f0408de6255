"""Finds histograms that lack a bound which those before had: the events below it would count in another range."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import NamedTuple


class _Layout(NamedTuple):
    """The bounds of the last histogram, those that only it had, and the other bounds of one dropped since then."""

    usual: frozenset[Hashable]
    new: frozenset[Hashable] = frozenset()
    other: frozenset[Hashable] = frozenset()


class UsualBounds:
    """The bounds of all series. The caller limits how many series there are."""

    def __init__(self) -> None:
        self._layouts: dict[Hashable, _Layout] = {}

    def flaw(self, series: Hashable, bounds: Iterable[Hashable], what: str) -> str:
        """Why the histogram of a series cannot be used; empty if it can. ``what``: what a bound is called.

        Bounds that come are a new layout at once, and so are those that are there twice in a row. A bound that came
        with one histogram and goes with the next was damage to the first.
        """
        now, last = frozenset(bounds), self._layouts.get(series)
        if last is None or last.usual - last.new <= now or now == last.other:
            self._layouts[series] = _Layout(now, now - last.usual if last is not None else frozenset())
            return ""
        self._layouts[series] = last._replace(other=now)
        return f"{len(last.usual - now)} of {len(last.usual)} {what} are missing, or have other bounds"

"""Finds where one scrape ends and the next one begins, so that no single damaged or doubled line looks like that.

Lines that a scrape already has are there again when the next scrape begins. So they are after a damaged digit in an
``le`` or after a doubled line, but then only one of them: what follows it is new to the scrape.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from ...text.lines import Line
from .._bounded import BoundedDict
from .._metrics.names import MetricKey
from .histograms import ScrapedHistogram
from .samples import Meta, MetricSample

MOST_HELD = 100
"""Lines to wait for a second repetition. With more, the first one is a bad line."""

Place: TypeAlias = tuple[int, int]
"""The place of a line in its scrape: the line at which its histogram or comment is, and its place in the histogram."""


class ScrapeLine(NamedTuple):
    """A line that can belong to two scrapes, as a sample or as a comment."""

    line: Line
    content: MetricSample | Meta

    @property
    def key(self) -> MetricKey:
        """The histogram of a sample."""
        assert isinstance(self.content, MetricSample)
        return self.content.metric, self.content.labels.pairs, ()


class SeenLines:
    """What the current scrape has so far: its histograms, and the lines of its comments."""

    def __init__(self) -> None:
        self.histograms: dict[MetricKey, ScrapedHistogram] = {}
        self.metas: BoundedDict[tuple[str, str], int] = BoundedDict()
        self._first: Place | None = None
        self._last: Place | None = None

    def place(self, one: ScrapeLine) -> Place | None:
        """Where the scrape has this line already, or would have it if it had not been damaged; None if it is new."""
        if isinstance(one.content, Meta):
            line = self.metas.get((one.content.kind, one.content.metric))
            return None if line is None else (line, 0)
        histogram = self.histograms.get(one.key)
        if histogram is None:
            return None
        number = histogram.place(one.content)
        if number is not None:
            return histogram.line, number + 1
        left = histogram.closed or (self._last is not None and self._last[0] != histogram.line)
        return (histogram.line, 0) if left and histogram.begins_again(one.content) else None

    def note(self, one: ScrapeLine) -> None:
        """The line has been added."""
        self._last = self.place(one) or self._last
        self._first = self._first or self._last

    def is_first(self, place: Place) -> bool:
        """Whether the scrape began with this line."""
        return place == self._first

    def is_last(self, place: Place) -> bool:
        """Whether this is the last line that the scrape has."""
        return place == self._last


class Boundary:
    """Lines held back: a repetition, what followed it, and the places where the scrape has them (None if it has not).

    ``add`` and ``end`` say what they mean.
    """

    def __init__(self) -> None:
        self._held: list[tuple[ScrapeLine, Place | None]] = []
        self._paused = False

    @property
    def waits(self) -> bool:
        """Whether any lines are held."""
        return bool(self._held)

    def pause(self) -> None:
        """The source pauses. If the line after it is the first one of the scrape again, the next scrape begins."""
        self._paused = True

    def add(self, one: ScrapeLine, seen: SeenLines) -> ScrapeVerdict:
        """What a line means, with those before it that are held."""
        place, paused, self._paused = seen.place(one), self._paused, False
        if not self._held:
            return self._begin(one, place, seen, paused)
        before = self._held[-1][1]
        first = self._held[0][1]
        self._held.append((one, place))
        if len(self._held) > MOST_HELD:
            return self._dropped()
        if place is None or first is None:
            return WAIT
        if place == before:  # a scrape can have a single line: then the third one in a row shows it
            single = seen.is_first(place) and seen.is_last(place)
            return ScrapeVerdict(self._taken(), begins=True) if single else WAIT
        if before is None:
            return WAIT if place > first else self._dropped()
        if before > place and seen.is_last(before):
            return self._dropped()
        return ScrapeVerdict(self._taken(), begins=True)

    def end(self, seen: SeenLines) -> ScrapeVerdict:
        """What the held lines mean if nothing follows them in their scrape."""
        begins = len(self._held) == 1 and self._held[0][1] is not None and seen.is_first(self._held[0][1])
        return ScrapeVerdict(self._taken(), begins=True) if begins else self._dropped()

    def _begin(self, one: ScrapeLine, place: Place | None, seen: SeenLines, paused: bool) -> ScrapeVerdict:
        if place is None:
            return ScrapeVerdict([one])
        if paused and seen.is_first(place):
            return ScrapeVerdict([one], begins=True)
        self._held.append((one, place))
        return WAIT

    def _dropped(self) -> ScrapeVerdict:
        first, *rest = self._taken()
        return ScrapeVerdict(rest, bad=first)

    def _taken(self) -> list[ScrapeLine]:
        taken, self._held = [one for one, _ in self._held], []
        return taken


class ScrapeVerdict(NamedTuple):
    """Lines to go on with; ``begins``: a scrape begins with the first one; ``bad``: a line to leave out before them."""

    lines: list[ScrapeLine]
    begins: bool = False
    bad: ScrapeLine | None = None


WAIT = ScrapeVerdict([])

"""Reads the keys of single lines of a large file: a decoder of its own sees these lines, and those that hold for them.

Which events count, and when, is found out elsewhere, with all lines of the file.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from ..collector import Collector, Known
from ..errors import BadInput, Refused
from ..record import EventKey, Sample
from ..report import Report
from ..text.lines import Line, line_of

MOST_SUBJECTS = 20_000
"""Of so many subjects the last context is remembered until an event needs it; the oldest are forgotten first."""

Keys = dict[tuple[int, str], tuple[EventKey, ...]]
"""Keys by line and series."""
Context = tuple[int, bytes, list[bytes]]
"""Lines that hold for the keys of later events: the number of the first, what they are about, and their texts."""


class KeyReader:
    """Reads lines in their order. ``leading`` are the first lines of the file, which every decoder needs."""

    def __init__(self, collector: Collector, known: Known, name: str, leading: Sequence[bytes] = ()) -> None:
        self._waiting = deque(Line(number, line_of(line)) for number, line in enumerate(leading, 1))
        self._leading = len(leading)
        self._context: dict[bytes, Context] = {}
        self._has_ended = False
        decoded = collector.decode(self._lines(), Report(name), known._replace(keys=True))
        self._samples = _samples_of(iter(decoded))

    def read(self, lines: Mapping[int, str], context: Sequence[Context] = ()) -> Keys:
        """The keys that the decoder finds now. It can hold some back until later lines, or the end."""
        earlier = deque(context)
        for number in sorted(lines):
            while earlier and earlier[0][0] < number:
                self._remember(earlier.popleft())
            if number > self._leading:
                self._show_context()
                self._waiting.append(Line(number, lines[number]))
        for one in earlier:
            self._remember(one)
        return self._found() if self._waiting else {}

    def rest(self) -> Keys:
        """The keys that the decoder held back to the end."""
        self._has_ended = True
        return self._found()

    def _remember(self, context: Context) -> None:
        self._context.pop(context[1], None)
        self._context[context[1]] = context
        if len(self._context) > MOST_SUBJECTS:
            del self._context[next(iter(self._context))]

    def _show_context(self) -> None:
        for first, _, lines in sorted(self._context.values()):
            self._waiting.extend(Line(first + place, line_of(line)) for place, line in enumerate(lines))
        self._context.clear()

    def _found(self) -> Keys:
        found: Keys = {}
        for sample in self._samples:
            if sample is None:
                break
            found[sample.line, sample.series] = sample.keys
        return found

    def _lines(self) -> Iterator[Line | None]:
        while not self._has_ended:
            while self._waiting:
                yield self._waiting.popleft()
            yield None


def _samples_of(decoded: Iterator[object]) -> Iterator[Sample | None]:
    """The samples, and None where the decoder has seen all lines so far."""
    try:
        for event in decoded:
            yield event if isinstance(event, Sample) else None
    except (Refused, BadInput):
        return  # these lines alone are no text that could be read: there are no keys then

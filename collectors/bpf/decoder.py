"""Turns lines of a BPF tool into ticks and records; the meaning of a line depends on the lines before it."""

import re
from collections.abc import Callable, Iterator

from ...collector import Known
from ...record import Event, Stamp, Tick
from ...report import Report
from ...text import unit_named
from ...text.clean import is_noise
from ...text.lines import Line, Lines
from ...units import Unit
from .._given_unit import ABOVE, GivenUnit
from .._missing import Missing
from .._undated import BETWEEN
from .dictionaries import SIGN, Dictionaries, dictionary_of
from .headings import (
    Heading,
    PrintedSeries,
    Sections,
    exact_of,
    heading_of,
    heading_unit,
    is_bad_clock,
    reason_against,
    section_of,
    stamp_of,
)
from .histogram import BpfHistogram
from .linear import linear_row as slot_row
from .signs import refusal_of
from .spacing import Spacing, known_spacing
from .tools import tool_label

MAX_LINE = 1_000
"""Longest line that is matched, in characters. No tool prints longer ones, and near matches are slow."""

_row = re.compile(
    r"\s*(?P<lower>[0-9]{1,20}) -> (?P<upper>[0-9]{1,20})\s*: (?P<count>-?[0-9]{1,20})\s*(?P<bar>\|[* ]*\+?\|)?\s*$"
).match
"""``512 -> 1023 : 43 |****|``: both bounds are inclusive; the bar is missing if a program cut the text by columns."""
_CLOCK = re.compile(r"\[?[0-9][0-9/: .T-]{6,34}\]?:?$")
_AFTER = "its print is placed after the one before"
"""What happens to a live print without a time."""
_NOISE = re.compile(r"Lost [0-9]|Possibly lost|[Ww]arning|WARNING|libbpf:|Detaching|Exiting trace")


class BpfDecoder:
    """Reads one text. Blank lines separate intervals only until the first time stamp."""

    def __init__(self, report: Report, known: Known) -> None:
        self._report = report
        self._missing = Missing(report, live=known.live)
        self._given = GivenUnit(report, known.unit)
        self._mentioned: Unit | None = None
        self._dictionaries = Dictionaries(report)
        self._row: Callable[[str], re.Match[str] | None] = _row
        self._spacing = Spacing()
        self._label = ""
        self._stamp: Stamp | None = None
        self._is_timed = False
        self._sections = Sections(report)
        self._printed = PrintedSeries()
        self._histogram: BpfHistogram | None = None
        self._any_rows = False
        self._skipping = False
        self._last = Line(0, "")
        self._place = _AFTER if known.live else BETWEEN

    def events(self, lines: Lines) -> Iterator[Event]:
        """Yield ticks and records, each as soon as it is complete."""
        for line in lines:
            if line is None:
                yield from self._pause()
                continue
            match = self._row(line.text) if len(line.text) <= MAX_LINE else None
            if match:
                self._add(line, match)
            else:
                yield from self._other(line)
        yield from self._pause()
        if not self._any_rows:
            self._missing.refuse()

    def _add(self, line: Line, match: re.Match[str]) -> None:
        """Add a row, with bounds or with a slot."""
        histogram = self._histogram
        if histogram is None or histogram.closed:
            self._skip(line, "rows without the heading that names their unit")
            return
        *bounds, count, bar = match.groups()
        self._any_rows = True
        histogram.rows += 1
        if bar is not None:
            histogram.barred = True
        elif histogram.barred:
            self._report.bad(line.number, f"a row that was cut off: {line.text.strip()}")
            return
        if count != "0":
            lower, upper = int(bounds[0]), int(bounds[-1])
            if len(bounds) > 1:
                wrong = histogram.add(lower, upper, int(count), line.number, bar or "")
            else:
                wrong = histogram.add_slot(lower, int(count))
            if wrong:
                self._report.bad(line.number, wrong)

    def _skip(self, line: Line, why: str) -> None:
        """Skip rows that cannot be used; report it once until something else follows."""
        if not self._skipping:
            self._report.bad(line.number, why)
        self._skipping = True

    def _other(self, line: Line) -> Iterator[Event]:
        """Process any line that is not a row. A Ctrl-C that the terminal echoed can be glued to its front."""
        self._last = line
        text = line.text.strip(" \r")
        overlong, text = len(text) > MAX_LINE, text[:MAX_LINE]
        while text.startswith("^C"):
            text = text[2:].lstrip(" ")
        if not text and not overlong:
            self._blank()
        elif match := _row(text):
            self._row = _row
            self._add(line, match)
        elif match := slot_row(text):
            self._row = slot_row  # tried first from now on: all rows of a histogram are of one kind
            self._add(line, match)
        elif text.startswith(SIGN):
            yield from self._dictionary(line)
        elif overlong:
            self._unknown(line, text)
        elif text.endswith("distribution") and (heading := heading_of(text)):
            yield from self._begin(line, heading)
        elif _CLOCK.match(text) and (stamp := stamp_of(text)):
            yield from self._clock(line, stamp)
        elif is_bad_clock(text):
            self._report.bad(line.number, f"no time of day: {text!r}; {self._place}")
            yield from self._clock(line, None)
        elif text.startswith("avg ="):
            self._exact(text)
        elif " =" in text and (keys := section_of(text)):
            yield from self._section(line, dict(keys))
        else:
            self._unknown(line, text)

    def _dictionary(self, line: Line) -> Iterator[Event]:
        """Process a histogram printed with -j."""
        try:
            found = dictionary_of(line.text[line.text.index(SIGN) :])
        except ValueError as error:
            self._report.bad(line.number, str(error))
            return
        unit = self._given.against(heading_unit(found.word), line.number, repr(found.word))
        if unit is None:
            self._refuse(line, reason_against(found.word))
            return
        self._any_rows = True
        empty = BpfHistogram("", unit, None, self._label or "bpf", line.number, line.arrival)
        yield from self._dictionaries.take(line, found, empty)

    def _blank(self) -> None:
        self._spacing.blank()
        self._dictionaries.blank()
        self._close()

    def _close(self) -> None:
        """Close the histogram: no more rows belong to it, and pending sections have no histogram."""
        self._sections.clear()
        self._skipping = False
        if self._histogram:
            self._histogram.closed = True

    def _flush(self) -> Iterator[Event]:
        histogram, self._histogram = self._histogram, None
        for one in histogram.impossible() if histogram else ():
            self._report.bad(one.line, f"not a row of a histogram: {one.text}")
        record = histogram.record() if histogram and not histogram.is_refused else None
        if record:
            yield record

    def _pause(self) -> Iterator[Event]:
        """The source pauses: yield what there is. If only a buffer was full, the rows of a histogram continue."""
        going_on = self._histogram
        yield from self._flush()
        yield from self._dictionaries.flush()
        if going_on and not going_on.closed:
            self._histogram = going_on.rest()
        if not self._is_timed and not self._sections.pending and not self._dictionaries.used:
            yield from self._ticks(self._spacing.pause(), self._last)

    def _ticks(self, count: int, line: Line) -> Iterator[Event]:
        if limit := self._spacing.left_out():
            self._report.bad(line.number, f"blank lines for more than {limit} intervals; the others are left out")
        for _ in range(count):
            yield Tick(None, line.arrival, line.number)

    def _clock(self, line: Line, stamp: Stamp | None) -> Iterator[Event]:
        yield from self._flush()
        self._close()
        self._stamp, self._is_timed = stamp, True
        self._printed.begin()
        yield Tick(stamp, line.arrival, line.number)

    def _section(self, line: Line, keys: dict[str, str]) -> Iterator[Event]:
        yield from self._flush()
        self._skipping = False
        self._sections.add(line, keys)

    def _exact(self, text: str) -> None:
        self._spacing.exact()
        exact = exact_of(text)
        if exact and self._histogram:
            if not self._histogram.add_exact(exact):
                what = f"a sum of {exact.events} events does not fit its histogram: the time waited is estimated"
                self._report.note(self._last.number, what)
        elif exact:
            self._dictionaries.exact(exact)
        self._close()

    def _begin(self, line: Line, heading: Heading) -> Iterator[Event]:
        yield from self._flush()
        self._skipping = False
        unit = self._unit(line, heading)
        if unit is None:
            self._sections.clear()
            self._refuse(line, heading.reason)
            return
        series, keys, begins, shared = self._sections.take(line)
        if not self._is_timed:
            spacing = known_spacing(keys, self._label, libbpf=heading.libbpf)
            count = self._spacing.histogram(series, spacing=spacing, sectioned=bool(keys), shared=shared)
            yield from self._ticks(count, begins)
        elif not shared:
            name = self._printed.name(series, keyed=bool(keys))
            if not name:
                self._report.bad(begins.number, f"{series!r} again without a time above it; {self._place}")
                yield from self._clock(begins, None)
                name = self._printed.name(series, keyed=bool(keys))
            series = name
        histogram = BpfHistogram(series, unit, self._stamp, self._label or "bpf", line.number, line.arrival)
        histogram.width, histogram.libbpf = heading.width, heading.libbpf
        self._histogram = histogram

    def _unit(self, line: Line, heading: Heading) -> Unit | None:
        """The unit of a histogram: that of its heading, else one that a line above mentions, else the user's."""
        if heading.unit is None and heading.is_open:
            return self._given.against(self._mentioned, line.number, ABOVE)
        return self._given.against(heading.unit, line.number, "the heading")

    def _refuse(self, line: Line, reason: str) -> None:
        """Skip a part of the text; the text is refused if nothing else comes."""
        if self._any_rows:
            self._skip(line, reason)
        else:
            self._missing.add(line.number, reason)
            self._skipping = True

    def _unknown(self, line: Line, text: str) -> None:
        """Process a banner, a refused form or noise; inside a histogram, report a line that is none of these."""
        histogram, label = self._histogram, tool_label(text)
        if histogram is None or histogram.closed:
            self._mentioned = unit_named(text) or self._mentioned
            self._printed.text()
        if label:
            self._close()
            self._label = label
            self._spacing.banner()
        elif reason := refusal_of(text):
            self._refuse(line, reason)
        elif histogram and not histogram.closed and not (_NOISE.match(text) or is_noise(text)):
            histogram.rejected += 1
            self._report.bad(line.number, f"neither a row nor a heading: {text}")

"""Turns the output of a DTrace or SystemTap script into ticks and records."""

from collections import Counter
from collections.abc import Iterator

from ...collector import Known
from ...record import Event, Record
from ...report import Report
from ...stream import is_begin, is_end
from ...text import moment_of
from ...text.lines import Line, Lines
from .envelope import Envelope
from .forms import PrintedHistogram, PrintedRow, ToolForm
from .heading_lines import HeadingLines
from .records import PrintedRecords
from .snapshots import SnapshotTicks, numbered

MAX_LINE = 1_000
"""Longest line that is matched, in characters. No tool prints longer ones, and the patterns would be slow on them."""
MOST_BETWEEN = 3
"""Lines between two rows of a histogram that can be noise, for example from standard error."""
MAX_ROWS = 70_000
"""Most rows in one histogram: DTrace has up to 65,537."""


class PrintedDecoder:
    """Reads one text. A histogram is complete at the blank line after it."""

    def __init__(self, form: ToolForm, report: Report, known: Known) -> None:
        self._form = form
        self._report = report
        self._naming = HeadingLines(form)
        self._snapshots = SnapshotTicks()
        self._records = PrintedRecords(form, report, known, self._naming)
        self._envelope: Envelope | None = None
        self._open: PrintedHistogram | None = None
        self._between: list[Line] = []
        self._stray = False
        self._unended = 0

    def events(self, lines: Lines) -> Iterator[Event]:
        """Yield ticks and records, each as soon as it is complete."""
        row = self._form.row
        for line in lines:
            if line is None:
                yield from self._pause()
                continue
            self._unended = 0 if line.ended else line.number
            found = row(line.text) if len(line.text) <= MAX_LINE else None
            if found is None:
                yield from self._other(line)
            elif self._open is not None and len(self._open.rows) < MAX_ROWS:
                if self._between:
                    self._pass_over()
                self._open.rows.append(PrintedRow(line.number, *found))
            else:
                self._stray_row(line)
        yield from self._finish()

    def _finish(self) -> Iterator[Event]:
        """Complete everything at the end of the input."""
        yield from self._released()
        yield from self._complete(at_end=True)
        if self._envelope is not None:
            self._report.bad(self._envelope.begin.number, "the input ends within a record; it is dropped")
        yield from self._snapshots.passed()
        self._records.end()

    def _pause(self) -> Iterator[Event]:
        if self._open is None and self._envelope is None:
            yield from self._snapshots.passed()

    def _stray_row(self, line: Line) -> None:
        """Report rows that belong to no histogram, once until something else follows."""
        if not self._stray:
            self._report.bad(line.number, "rows without the heading of a histogram")
        self._stray = True

    def _pass_over(self) -> None:
        """A row followed, so the lines before it were noise in the middle of the histogram: report them."""
        for line in self._between:
            self._report.note(line.number, f"between the rows of a histogram: {line.text[:MAX_LINE].strip()}")
        self._between = []

    def _released(self) -> Iterator[Event]:
        """No row followed, so the histogram had ended before the lines that were held back: process them."""
        between, self._between = self._between, []
        for line in between:
            yield from self._line(line, _text_of(line))

    def _other(self, line: Line) -> Iterator[Event]:
        """Process any line that is not a row. A line that could be noise is held back until the next row."""
        text = _text_of(line)
        if self._open is not None and text.startswith(("dtrace: ", "WARNING: ", "ERROR: ")):
            self._report.note(line.number, text)  # from standard error of the tool
        elif self._open is not None and len(self._between) < MOST_BETWEEN and self._may_be_noise(text):
            self._between.append(line)
        else:
            yield from self._released()
            yield from self._line(line, text)

    def _may_be_noise(self, text: str) -> bool:
        form = self._form
        return bool(text) and not (is_end(text) or form.heading.match(text) or form.marker(text) or moment_of(text))

    def _line(self, line: Line, text: str) -> Iterator[Event]:
        """Process a line of the script's own text, or a heading."""
        yield from self._complete(at_end=not line.ended)
        self._stray = False
        if not text:
            self._naming.blank()
        elif self._form.heading.match(text):
            self._open = PrintedHistogram(line, [], *self._naming.take())
        elif marked := self._form.marker(text):
            yield from self._marked(line, *marked)
        else:
            yield from self._script_text(line, text)

    def _marked(self, line: Line, kind: str, rest: str) -> Iterator[Event]:
        """A probe of DTrace has fired; its output can be on the same line.

        Only the output of probes that fire once per interval describes the histograms.
        """
        if kind == "tick" and self._envelope is None:
            self._naming.fresh()
            yield from self._snapshots.fired(line)
        elif kind == "end":
            self._naming.fresh()
            yield from self._snapshots.ends(line)
        if kind == "begin":
            self._naming.mention(rest)
        elif kind != "other" and rest.strip():
            yield from self._script_text(line, rest)

    def _script_text(self, line: Line, text: str) -> Iterator[Event]:
        """Text of the script: records of the record stream, moments, names."""
        if is_begin(text):
            self._begin(line)
        elif is_end(text):
            yield from self._end(line)
        elif self._envelope is not None and self._metadata(line, text):
            pass
        elif self._envelope is None and (stamp := moment_of(text)):
            self._naming.fresh()
            yield self._snapshots.moment(stamp, line)
        elif reason := self._form.refusal(text):
            self._records.refuse(line.number, reason)
        else:
            self._naming.add(text)

    def _begin(self, line: Line) -> None:
        if self._envelope is not None:
            self._report.bad(self._envelope.begin.number, "a record without <end record>; it is dropped")
        self._naming.fresh()
        self._snapshots.dated()
        self._envelope = Envelope(line)

    def _metadata(self, line: Line, text: str) -> bool:
        try:
            return self._envelope is not None and self._envelope.take(text)
        except ValueError as error:
            self._report.bad(line.number, f"{error}; the line is skipped")
            return True

    def _end(self, line: Line) -> Iterator[Record]:
        envelope, self._envelope = self._envelope, None
        if envelope is None:
            self._report.bad(line.number, "<end record> without <begin record>")
            return
        seen: Counter[str] = Counter()
        for printed in envelope.held:
            series = numbered(self._records.series(printed, envelope), seen)
            record = self._records.made(printed, series, envelope.stamp, envelope)
            if record is not None:
                yield record

    def _is_cut(self, rows: list[PrintedRow], at_end: bool) -> bool:
        """Whether rows are probably missing: tools usually end in an empty row or in an overflow row.

        If the text ends with another row, a line feed shows that it is whole. It is used only if the rows show
        where it ends.
        """
        if not rows or not rows[-1].events or rows[-1].sign.startswith(">"):
            return False
        return rows[-1].line == self._unended or (at_end and not _show_their_widths(rows))

    def _complete(self, *, at_end: bool = False) -> Iterator[Event]:
        """The current histogram is complete."""
        printed, self._open = self._open, None
        if printed is None:
            return
        if self._is_cut(printed.rows, at_end):
            self._report.bad(printed.rows[-1].line, "a histogram that is cut off after this row; it is dropped")
        elif self._envelope is not None:
            self._envelope.hold(printed)
        else:
            yield from self._snapshots.opened()
            series = self._snapshots.distinct(self._records.series(printed, None))
            record = self._records.made(printed, series, self._snapshots.stamp, None)
            if record is not None:
                yield record


def _text_of(line: Line) -> str:
    """The line's text without surrounding blanks and without a Ctrl-C that the terminal echoed in front."""
    text = line.text[:MAX_LINE].rstrip(" \t\r")
    while text.startswith("^C"):
        text = text[2:]
    return text


def _show_their_widths(rows: list[PrintedRow]) -> bool:
    """Whether the labels are either powers of two or of equal distance, and not both, as 1 and 2 are."""
    labels = [one.label for one in rows if not one.sign and one.label > 0]
    if any(label & (label - 1) for label in labels):
        return len(labels) > 1
    return len(labels) > 2

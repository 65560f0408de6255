"""Turns printed histograms into records: finds their unit and name, and skips those that cannot be used."""

from ...collector import Known
from ...errors import Refused
from ...record import Record, Semantics, Stamp, lost_record, tidy_ranges
from ...report import Report
from ...text import reason_not_time, unit_named
from ...text.clean import printable
from ...units import Unit
from .._bounded import BoundedDict
from .._given_unit import ABOVE, GivenUnit
from .._missing import Missing
from .._series import SeriesNames
from .envelope import Envelope
from .forms import MeasuredRanges, PrintedHistogram, ToolForm
from .heading_lines import HeadingLines


class PrintedRecords:
    """Makes records, and refuses the text if no record can be made."""

    def __init__(self, form: ToolForm, report: Report, known: Known, naming: HeadingLines) -> None:
        self._form = form
        self._report = report
        self._missing = Missing(report, live=known.live)
        self._given = GivenUnit(report, known.unit)
        self._naming = naming
        self._names = SeriesNames(report)
        self._any = False
        self._refused: BoundedDict[str, str] = BoundedDict()

    def made(
        self, printed: PrintedHistogram, series: str, stamp: Stamp | None, envelope: Envelope | None
    ) -> Record | None:
        """The record of a histogram; None, after a report, if it cannot be used."""
        number = printed.heading.number
        measured = self._form.measured(printed.rows)
        if measured.trouble:
            self._report.bad(number, f"{measured.trouble}; the histogram is dropped")
            if not self._any:
                return None
            return lost_record(self._record(printed, measured, Unit.US, series, stamp, envelope))
        unit = self._unit(printed, envelope)
        if unit is None:
            return None
        if measured.below:
            self._report.bad(number, f"{measured.below} events of less than 0 are left out: no latency is negative")
        self._any = True
        return self._record(printed, measured, unit, self._names.capped(series, number), stamp, envelope)

    def _record(
        self,
        printed: PrintedHistogram,
        measured: MeasuredRanges,
        unit: Unit,
        series: str,
        stamp: Stamp | None,
        envelope: Envelope | None,
    ) -> Record:
        return Record(
            series=series,
            unit=unit,
            ranges=tidy_ranges(measured.ranges),
            semantics=Semantics.OPEN,
            stamp=stamp,
            label=(envelope.label if envelope else "") or printed.title or self._form.tool,
            source=self._form.source,
            arrival=printed.heading.arrival,
            line=printed.heading.number,
        )

    def series(self, printed: PrintedHistogram, envelope: Envelope | None) -> str:
        """The name of a histogram's series."""
        if envelope is not None and not printed.keys:
            return envelope.label or printed.title or "all"
        return self._naming.series(printed.keys, printed.title)

    def refuse(self, line: int, reason: str) -> None:
        """Skip a part of the text, and report it once; the text is refused if nothing else comes."""
        if not self._any:
            self._missing.add(line, reason)
        elif reason not in self._refused:
            self._refused[reason] = reason
            self._report.bad(line, reason)

    def end(self) -> None:
        """At the end, refuse a text in which every histogram was skipped."""
        if not self._any:
            if self._refused:
                raise Refused(next(iter(self._refused.values())))
            self._missing.refuse()

    def _unit(self, printed: PrintedHistogram, envelope: Envelope | None) -> Unit | None:
        """The unit of a histogram: from its own names, from the text before it, or from the user."""
        number, name = printed.heading.number, printed.title or ",".join(printed.keys)
        own = (envelope and envelope.unit) or unit_named(",".join(printed.keys)) or unit_named(printed.title)
        if own:
            return self._given.against(own, number, repr(name) if name else "latencyunit")
        reason = reason_not_time(",".join(printed.keys)) or reason_not_time(printed.title)
        if reason and self._given.unit is None:
            self._skip(printed, reason)
            return None
        mentioned = self._naming.unit or unit_named(envelope.label if envelope else "")
        unit = self._given.against(mentioned, number, ABOVE)
        if unit is None:
            self.refuse(
                number,
                f"{self._form.tool} prints no unit, and neither does the script: what would work is --unit ns (or us, "
                "ms), whatever the script measures in",
            )
        return unit

    def _skip(self, printed: PrintedHistogram, reason: str) -> None:
        """Skip a histogram that is not a latency. If it comes again before any latency, say what is awaited."""
        name = printable(",".join(printed.keys) or printed.title)
        what = (
            f"{self._report.where(printed.heading.number)}: a histogram of {name!r}: {reason}; what would work is one "
            "of latencies, or --unit if this is one"
        )
        if name in self._refused and not self._any:
            self._missing.add(printed.heading.number, reason)
        if name not in self._refused:
            self._refused[name] = what
            self._report.bad(printed.heading.number, f"a histogram of {name!r}: {reason}; it is left out")

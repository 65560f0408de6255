"""Counts several SQL traces together, whatever the order of the files and of the lines in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .... import registry
from ....intervals import Batches, Counted, EventJudge, bin_width, on_one_clock, within_limits
from ....record import Clock, Sample
from ....report import Report
from ....units import Unit
from ..large_files import bins_of_large_file
from ..pipeline import decoded_lines, recognised
from ..plan import ReadPlan, RecognisedText
from ..source import Source

if TYPE_CHECKING:
    from ....scan import PackedBins

POOLED = "oracle_trace"
"""The collector whose files are pooled: one session can write many of them."""


class _Kind(NamedTuple):
    """What all events of the traces have in common."""

    unit: Unit
    clock: Clock
    label: str
    source: str


def pooled_traces(sources: Sequence[Source], reports: Sequence[Report], plan: ReadPlan) -> Iterator[Batches] | None:
    """The intervals of all traces as those of one; None if they are not all SQL traces with real times: then nothing
    was reported.
    """
    if len(sources) < 2 or any(type(source) is not Source or source.live for source in sources):
        return None
    texts = list[RecognisedText]()
    for source in sources:
        text = recognised(source, plan.afresh(), Report(source.name))
        if text is None or not registry.is_collector(text.collector, POOLED):
            return None
        texts.append(text)
    firsts = [_first_of(text) for text in texts]
    known = [first for first in firsts if first is not None]
    if not known or any(first.clock is not Clock.EPOCH for first in known):
        return None
    kind = _Kind(known[0].unit, Clock.EPOCH, known[0].label, known[0].source)
    return _counted(texts, reports, plan, kind)


def _first_of(text: RecognisedText) -> Sample | None:
    """The first event of a trace."""
    found = text.collector.decode(text.source.lines(), Report(""), text.known._replace(keys=False))
    return next((one for one in found if isinstance(one, Sample)), None)


def _counted(
    texts: Sequence[RecognisedText], reports: Sequence[Report], plan: ReadPlan, kind: _Kind
) -> Iterator[Batches] | None:
    from ....scan import DeferredReport, NotScannable, PackedBins

    bins = PackedBins(bin_width(plan.time), kind)
    held = [DeferredReport(report) for report in reports]
    try:
        for text, report in zip(texts, held, strict=True):
            part = bins_of_large_file(text, plan, report)
            if part is None:
                _add_lines(bins, text, plan, report)
            else:
                bins.absorb(part)
    except NotScannable:
        return None  # the times of one of them change to another clock, or cannot be added up
    except BaseException:
        for report in held:
            report.release()
        raise
    for report in held:
        report.release()
    return bins.batches(0)


def _add_lines(bins: PackedBins, text: RecognisedText, plan: ReadPlan, report: Report) -> None:
    """Count the events of a short trace. Raises NotScannable."""
    from ....scan import NotScannable

    judge = EventJudge(Clock.EPOCH, bins.width, report, live=False)
    for event in on_one_clock(within_limits(decoded_lines(text, text.source.lines(), plan, report), report), report):
        if not isinstance(event, Sample):
            continue
        if event.clock is not Clock.EPOCH:
            raise NotScannable
        for one in judge.take(event):
            bins.add(one.sample, one.doubtful)
        if text.source.stop.is_set:
            break
    for one in (*judge.rest(), *map(Counted, judge.settled())):
        bins.add(one.sample, one.doubtful)

"""Who is in a cell, as far as a server knows: exemplars, single events with the trace to which they belong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, tzinfo
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from ..collectors.prometheus_api.answers import micros_of
from ..collectors.prometheus_api.samples import HistogramKey, key_of
from ..errors import SourceError
from ..events import CellQuestion, EventQuestion, EventsFound, EventTally
from ..record import EventKey, Sample
from ..session.input import StopRequest
from ..units import Unit
from .client import ApiClient, ServerTrouble
from .selector import Selector

if TYPE_CHECKING:
    from ..events import FilteredInputs, Only

NOT_ALONE = "exemplars are a sample, which cannot be drawn alone"
NONE_KEPT = (
    "the server has no exemplars of this time: it keeps those of OpenMetrics with "
    "--enable-feature=exemplar-storage, if the program that is measured exposes any"
)


class NamedSeries(NamedTuple):
    """The name of a histogram's series, and the length of one unit of its metric in seconds."""

    name: str
    seconds: float


class Exemplars:
    """Asks a server for the exemplars of what ``selector`` names. ``series_of`` says which series a histogram is, None
    if it is not drawn.
    """

    are_files = False
    is_sample = True

    def __init__(
        self,
        client: ApiClient,
        selector: Selector,
        series_of: Callable[[HistogramKey], NamedSeries | None],
        tz: tzinfo | None,
    ) -> None:
        self._client = client
        self._selector = selector
        self._series_of = series_of
        self._tz = tz

    def read(
        self, asked: CellQuestion, _stop: StopRequest, _on_progress: Callable[[str, int, int], object]
    ) -> Iterator[EventsFound]:
        """The exemplars that are asked for, as one answer. Raises SourceError."""
        first, last = asked.first or 0, asked.last or 0
        try:
            told = self._client.exemplars(self._selector.of_exemplars(), first / 1e6, last / 1e6)
        except ServerTrouble as trouble:
            raise SourceError(str(trouble)) from None
        wanted = EventQuestion(first, last, asked.low, asked.high, lambda series, _: series in asked.series)
        tally = EventTally()
        seen = 0
        for series in told:
            named = self._series_of(key_of(series.labels))
            for exemplar in series.exemplars if named is not None else ():
                sample = _sample(named, exemplar)
                # A sample of a server belongs to the time up to its moment.
                if sample is not None and first < sample.micros <= last and wanted.is_of(sample):
                    tally.add(sample, sample.micros, self._text(sample))
                    seen += 1
        note = "" if any(series.exemplars for series in told) else NONE_KEPT
        yield tally.found()._replace(is_complete=True, seen=seen, note=note)

    def alone(self, _only: Only) -> FilteredInputs:
        """A picture of some exemplars alone would be one of a sample."""
        raise SourceError(NOT_ALONE)

    def _text(self, sample: Sample) -> str:
        at = datetime.fromtimestamp(sample.micros / 1e6, self._tz)
        keys = " ".join(f"{key.name}={key.value}" for key in sample.keys)
        return f"{at:%H:%M:%S}.{at.microsecond // 1000:03d}  {keys}"


def _sample(named: NamedSeries | None, told: object) -> Sample | None:
    """An exemplar as an event of a trace; None if it is none of a latency."""
    if named is None or not isinstance(told, dict):
        return None
    labels = told.get("labels")
    try:
        seconds = float(str(told.get("value"))) * named.seconds
        micros = micros_of(told.get("timestamp"))
    except (ValueError, OverflowError):
        return None
    if not isfinite(seconds) or seconds < 0:
        return None
    pairs = labels.items() if isinstance(labels, dict) else ()
    keys = tuple(EventKey(str(name), str(value)) for name, value in pairs)
    return Sample(named.name, Unit.NS, round(seconds * 1e9), micros, keys=keys)

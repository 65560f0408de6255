"""Histograms inside a record of the record stream, as the probes of the earlier PyLatencyMap print them.

Between ``<begin record>`` and ``<end record>`` are the lines of metadata, in any order, and in place of buckets the
text of the tool.
"""

from ...record import Stamp
from ...stream import read_stamp
from ...text.clean import printable
from ...text.lines import Line
from ...units import Unit, unit_from
from .forms import PrintedHistogram

KEYS = frozenset({"timestamp", "label", "latencyunit", "datasource"})
MOST = 10_000
"""Most histograms in one record."""
NAMELESS = "myhistogram"
"""The key that the earlier tool requires for its only histogram."""


class Envelope:
    """The metadata of one record and the histograms in it."""

    def __init__(self, begin: Line) -> None:
        self.begin = begin
        self.stamp: Stamp | None = None
        self.label = ""
        self.unit: Unit | None = None
        self.held: list[PrintedHistogram] = []

    def take(self, text: str) -> bool:
        """Take a line of metadata; return False if it is none. Raise ValueError if its value cannot be read."""
        key, comma, value = text.partition(",")
        key, value = key.strip().lower(), value.strip()
        if not comma or key not in KEYS:
            return False
        if key == "timestamp":
            self.stamp = read_stamp(value)
        elif key == "label":
            self.label = printable(value)
        elif key == "latencyunit":
            self.unit = unit_from(value)
            if self.unit is None:
                raise ValueError(f"latencyunit {value!r} is no time")
        return True

    def hold(self, printed: PrintedHistogram) -> bool:
        """Keep a histogram until the record ends; return False if there are too many."""
        if len(self.held) >= MOST:
            return False
        keys = [key for key in printed.keys if key != NAMELESS]
        self.held.append(printed._replace(keys=keys))
        return True

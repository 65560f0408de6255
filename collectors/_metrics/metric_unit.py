"""Finds the unit of a metric, from its declared unit or from its name."""

import re
from decimal import Decimal
from typing import NamedTuple

from ...text import PER_SECOND, reason_not_time, seconds_of_unit
from ...text.clean import printable
from ...units import Unit

_WORDS = re.compile(r"[a-z]+|[A-Z][a-z]*")
_NO_TIMES = {"bytes", "bits", "ratio", "percent", "celsius", "meters", "volts", "amperes", "joules", "grams", "rows"}
_NO_UNITS_IN_NAMES = frozenset(("h", "min", "H", "S", "Min"))
"""In a name these mean a minimum, or are a letter of another word."""

LONGEST_SHOWN = 40
"""Characters of a declared unit that a message repeats."""


class MetricUnit(NamedTuple):
    """``seconds``: the length of one unit of the metric's bounds; None, with the reason, if it is not a time.

    ``against``: why the user's unit is not used.
    """

    seconds: Decimal | None
    reason: str = ""
    against: str = ""


def unit_of_metric(metric: str, unit: str, given: Unit | None) -> MetricUnit:
    """What a metric measures: from its declared ``unit``, else from its name, else from the user's option."""
    name = printable(metric)
    for word in [unit] if unit else reversed(_WORDS.findall(metric)):
        seconds = None if not unit and word in _NO_UNITS_IN_NAMES else seconds_of_unit(word)
        if seconds is not None:
            is_other = given is not None and 1 / PER_SECOND[given] != seconds
            against = (
                f"{name} names its unit, {word}, so --unit {given.value} is not used" if given and is_other else ""
            )
            return MetricUnit(seconds, against=against)
        if word.lower() in _NO_TIMES or reason_not_time(word):
            return MetricUnit(None, f"{name} counts {printable(word.lower(), LONGEST_SHOWN)}, not a time")
    if unit:
        return MetricUnit(None, f"{name} is in {printable(unit, LONGEST_SHOWN)}, not a time")
    if given is not None:
        return MetricUnit(1 / PER_SECOND[given])
    return MetricUnit(None, f"{name} does not name its unit; with --unit it can be read")

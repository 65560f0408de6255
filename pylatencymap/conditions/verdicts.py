"""Verdicts about conditions: what holds, what was measured, in words and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

from ..errors import Exit
from ..units import format_measured, format_range, measured_digits
from .measures import Measured

NAMED = 3
"""At most so many series are in a sentence."""


@dataclass(frozen=True, slots=True)
class SeriesCheck:
    """One comparison of a condition, made for one series.

    ``holds`` and ``sure`` are None where it cannot be told, and ``reason`` says why; ``sure``: the answer is the same
    wherever in the bands the truth is. ``whole``: whether all that stands inside ``any`` or ``all`` holds for this
    series; the same as ``holds`` outside of them. ``measures``: what was measured, at most one value a side.
    """

    series: str
    comparison: str
    holds: bool | None
    sure: bool | None
    whole: bool | None
    measures: tuple[Measured, ...]
    reason: str = ""

    @property
    def sentence(self) -> str:
        """``loop0 p99 15.6 ms (8.19-16.4 ms)``."""
        if self.reason:
            return self.reason
        return f"{self.series} " + ", ".join(map(measured_text, self.measures))


@dataclass(frozen=True, slots=True)
class ConditionVerdict:
    """Whether a condition holds; see ``SeriesCheck``, of which there is one for each comparison and series.

    ``holds`` is None where it cannot be told: too few events, no interval, a series that is not there. ``reason`` says
    why.
    """

    condition: str
    holds: bool | None
    sure: bool | None
    checks: tuple[SeriesCheck, ...] = ()
    reason: str = ""

    @property
    def sentence(self) -> str:
        """The verdict in one sentence."""
        if self.holds is None:
            return f"{self.condition} cannot be told: {self.reason}"
        said = "holds" if self.holds else "does not hold"
        return f"{self.condition} {said}{'' if self.sure else ', but not surely'}: {self.measured}"

    def as_json(self) -> dict[str, Any]:
        """The verdict as values of JSON; an end of a band that is infinite is null."""
        checks = [
            {
                "series": check.series,
                "comparison": check.comparison,
                "holds": check.holds,
                "sure": check.sure,
                "whole": check.whole,
                "measures": [_measure_json(one) for one in check.measures],
                "reason": check.reason,
            }
            for check in self.checks
        ]
        return {
            "condition": self.condition,
            "holds": self.holds,
            "sure": self.sure,
            "reason": self.reason,
            "sentence": self.sentence,
            "checks": checks,
        }

    @property
    def telling(self) -> list[SeriesCheck]:
        """The comparisons of the series that decide: those that are as the condition, if there are."""
        telling = [check for check in self.checks if check.whole is self.holds]
        telling = telling or [check for check in self.checks if not check.reason]
        return [check for check in telling if check.holds is self.holds] or telling

    @property
    def measured(self) -> str:
        """What was measured in them."""
        measured: dict[str, dict[str, None]] = {}
        for check in self.telling:
            texts = [check.reason] if check.reason else map(measured_text, check.measures)
            measured.setdefault(check.series, {}).update(dict.fromkeys(texts))
        sentences = [f"{series} {', '.join(texts)}" for series, texts in measured.items()]
        more = len(sentences) - NAMED
        return "; ".join(sentences[:NAMED]) + (f"; and {more} more" if more > 0 else "")


def exit_status(verdicts: Sequence[ConditionVerdict]) -> Exit:
    """The status of a run: that of a condition that holds, else of one that cannot be told, else OK."""
    if any(verdict.holds for verdict in verdicts):
        return Exit.CONDITION_HOLDS
    return Exit.NO_INTERVAL if any(verdict.holds is None for verdict in verdicts) else Exit.OK


def undecided(condition: str, reason: str) -> ConditionVerdict:
    """The verdict where nothing could be measured at all."""
    return ConditionVerdict(condition, None, None, (), reason)


def measured_text(measured: Measured) -> str:
    """``p99 15.6 ms (8.19-16.4 ms)``; without a band where that has no width."""
    value = _number(measured.value, measured.unit)
    if measured.most == inf and measured.least < inf:
        return f"{measured.measure} at least {_number(measured.least, measured.unit)}"
    if measured.low == measured.high:
        return f"{measured.measure} {value}"
    return f"{measured.measure} {value} ({_band(measured.low, measured.high, measured.unit)})"


def _band(low: float, high: float, unit: str) -> str:
    if high == inf:
        return f"at least {_number(low, unit)}"
    if low <= 0 and unit == "s":
        return f"at most {_number(high, unit)}"
    if unit == "s":
        return format_range(low, high)
    least, most = _number(low, unit), _number(high, unit)
    of = most.lstrip("0123456789.,")
    return f"{least.removesuffix(of) if least.lstrip('0123456789.,') == of else least}-{most}"


def _number(value: float, unit: str) -> str:
    if unit == "s":
        return format_measured(value)
    if unit == "s per second":
        return f"{format_measured(value)}/s"
    if unit == "share":
        percent = 100 * value
        if 99 < percent < 99.95:
            return f"{percent:.1f} %"
        return f"{percent:.0f} %" if percent >= 9.95 else f"{percent:.2g} %"
    if unit == "per second":
        return f"{measured_digits(value) if value > 0 else '0'}/s"
    return f"{value:,.0f}" if value == round(value) else f"{value:,.2f}"


def _measure_json(measured: Measured) -> dict[str, Any]:
    numbers = {"value": measured.value, "low": measured.low, "high": measured.high}
    told = {name: number if isfinite(number) else None for name, number in numbers.items()}
    return {"measure": measured.measure, "series": measured.series, **told, "unit": measured.unit}

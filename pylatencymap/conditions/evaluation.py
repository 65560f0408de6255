"""Evaluates conditions. Where something cannot be told, the logic is that of three values: ``or`` holds if one part
does, whatever is not known about others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from math import inf
from typing import NamedTuple

from .measures import Measured, NotMeasured, Recorded, SeriesMeasures
from .syntax import Compared, Condition, Constant, Joined, MeasureCall, Negated, Node, PerSeries, Surely
from .verdicts import ConditionVerdict, SeriesCheck, measured_text

EQUAL = 1e-9
"""Numbers that differ by less than this part of themselves are equal: edges and units are computed."""
NAMED = 10
"""At most so many series are named in a message."""


def check_conditions(
    conditions: Sequence[Condition], run: Recorded, before: Recorded | None = None, series: str | None = None
) -> tuple[ConditionVerdict, ...]:
    """The verdict of each condition about a run.

    ``before``: the run that ``before.`` means, for conditions that were parsed with ``comparing``. ``series``: the one
    that is meant outside of ``any`` and ``all``; default: that with the most time waited.
    """
    sides = _Sides(run, before)
    return tuple(_Evaluation(sides, series).verdict(condition) for condition in conditions)


class _Truth(NamedTuple):
    """Whether something holds by the estimates, wherever in the bands the truth is, and somewhere in the bands; None
    where it cannot be told.
    """

    holds: bool | None
    surely: bool | None
    possibly: bool | None

    def negated(self) -> _Truth:
        return _Truth(_not(self.holds), _not(self.possibly), _not(self.surely))

    @property
    def is_sure(self) -> bool | None:
        """Whether the bands leave no other answer."""
        if self.holds is None:
            return None
        return self.surely is True if self.holds else self.possibly is False


UNKNOWN = _Truth(None, None, None)


class _NoSeries(Exception):
    """A series that a condition is about is not there; the message says which."""


class _Sides:
    """The series of both runs, each measured once."""

    def __init__(self, run: Recorded, before: Recorded | None) -> None:
        self.run = run
        self.before = before
        self._known: dict[tuple[str, bool], SeriesMeasures] = {}

    def measured(self, call: MeasureCall, series: str) -> Measured:
        key = (series, call.of_before)
        if key not in self._known:
            side, name = (self._paired(series)) if call.of_before else (self.run, series)
            self._known[key] = SeriesMeasures(name, side.select(name), of_itself=side.of_itself)
        return self._known[key].measure(call)

    def matching(self, pattern: str | None) -> list[str]:
        """The series of the run whose names match, or the one of that very name; raises _NoSeries if there are none."""
        if pattern is not None and pattern in self.run.names:
            return [pattern]
        found = [name for name in self.run.names if pattern is None or fnmatchcase(name.lower(), pattern.lower())]
        if not found:
            raise _NoSeries(_absent(pattern or '""', self.run.names, "no series is called"))
        return found

    def _paired(self, series: str) -> tuple[Recorded, str]:
        """The series of the same name in ``before``; where both runs have a single one, the names can differ."""
        before = self.before
        if before is None:  # a condition that was parsed with ``comparing`` and has nothing to compare with
            raise _NoSeries("there is no second run to compare with")
        if series in before.names:
            return before, series
        if len(before.names) == len(self.run.names) == 1:
            return before, before.names[0]
        raise _NoSeries(_absent(series, before.names, "before has no series called"))


class _Evaluation:
    """One condition: its truth, and what was measured on the way."""

    def __init__(self, sides: _Sides, series: str | None) -> None:
        self._sides = sides
        self._series = series
        self._checks: list[SeriesCheck] = []

    def verdict(self, condition: Condition) -> ConditionVerdict:
        try:
            truth = self._truth(condition.root, self._default())
        except _NoSeries as error:
            return ConditionVerdict(condition.text, None, None, tuple(self._checks), str(error))
        checks = tuple(dict.fromkeys(self._checks))
        reasons = list(dict.fromkeys(check.reason for check in checks if check.reason))
        reason = ""
        if truth.holds is None:
            reason = "; ".join(reasons[:NAMED]) + (f"; and {len(reasons) - NAMED} more" * (len(reasons) > NAMED))
        return ConditionVerdict(condition.text, truth.holds, truth.is_sure, checks, reason)

    def _default(self) -> str | None:
        if self._series is not None:
            return self._series
        return self._sides.run.names[0] if self._sides.run.names else None

    def _truth(self, node: Node, series: str | None) -> _Truth:
        if isinstance(node, Joined):
            return _joined(node.word, [self._truth(part, series) for part in node.parts])
        if isinstance(node, Negated):
            return self._truth(node.inner, series).negated()
        if isinstance(node, Surely):
            return _Truth(*[self._truth(node.inner, series).surely] * 3)
        if isinstance(node, PerSeries):
            each = [self._inside(node.inner, name) for name in self._sides.matching(node.pattern)]
            return _joined("or" if node.word == "any" else "and", each)
        if series is None:
            raise _NoSeries("there is no series")
        return self._compared(node, series)

    def _inside(self, node: Node, series: str) -> _Truth:
        """The truth of what stands inside ``any`` or ``all`` for one series; its comparisons note it."""
        begin = len(self._checks)
        truth = self._truth(node, series)
        self._checks[begin:] = [replace(check, whole=truth.holds) for check in self._checks[begin:]]
        return truth

    def _compared(self, node: Compared, series: str) -> _Truth:
        """The truth of a comparison, which is noted."""
        sides: list[Measured] = []
        measures: list[Measured] = []
        try:
            for operand in (node.left, node.right):
                sides.append(self._operand(operand, series, measures))
        except NotMeasured as error:
            return self._noted(node, series, UNKNOWN, measures, str(error))
        left, right = sides
        holds = _decided(node.operator, (left.least, left.most), (right.least, right.most))
        if holds is None:
            told = ", ".join(map(measured_text, measures))
            why = f"{series}: {told}: events in the range without an end leave {node} open"
            return self._noted(node, series, UNKNOWN, measures, why)
        always = _decided(node.operator, (left.low, left.high), (right.low, right.high))
        return self._noted(node, series, _Truth(holds, always is True, always is not False), measures)

    def _noted(
        self, node: Compared, series: str, truth: _Truth, measures: Sequence[Measured], reason: str = ""
    ) -> _Truth:
        check = SeriesCheck(series, str(node), truth.holds, truth.is_sure, truth.holds, tuple(measures), reason)
        self._checks.append(check)
        return truth

    def _operand(self, operand: Constant | MeasureCall, series: str, measures: list[Measured]) -> Measured:
        """One side of a comparison; what is measured is added to ``measures``."""
        if isinstance(operand, Constant):
            value = operand.value
            return Measured(str(operand), series, value, value, value, "", value, value)
        found = self._sides.measured(operand, series)
        measures.append(found)
        return found.times(operand.factor)


def _joined(word: str, parts: Sequence[_Truth]) -> _Truth:
    """``and`` or ``or`` of three values, one field after the other."""
    telling = word == "or"
    return _Truth(*(_three_valued(telling, values) for values in zip(*parts, strict=True)))


def _three_valued(telling: bool, values: Sequence[bool | None]) -> bool | None:
    if telling in values:
        return telling
    return None if None in values else not telling


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value


def _decided(operator: str, left: tuple[float, float], right: tuple[float, float]) -> bool | None:
    """Whether a comparison holds for all numbers within both limits (True), for none (False), or for some (None)."""
    answers = set(_answers(operator, left, right))
    return answers.pop() if len(answers) == 1 else None


def _answers(operator: str, left: tuple[float, float], right: tuple[float, float]) -> Iterator[bool]:
    """The answers at the ends. Two limits with room inside them can be equal, and can differ."""
    if operator in ("==", "!="):
        apart = _below(left[1], right[0]) or _below(right[1], left[0])
        exact = left[0] == left[1] and right[0] == right[1]
        yield apart is (operator == "!=")
        if not apart and not exact:
            yield operator == "!="
        return
    if operator in ("<", ">="):
        yield _below(left[1], right[0]) is (operator == "<")
        yield _below(left[0], right[1]) is (operator == "<")
    else:
        yield _below(right[1], left[0]) is (operator == ">")
        yield _below(right[0], left[1]) is (operator == ">")


def _below(small: float, large: float) -> bool:
    """Whether one number is really less than another."""
    return small < large and (large == inf or large - small > EQUAL * max(abs(small), abs(large)))


def _absent(name: str, names: Sequence[str], what: str) -> str:
    close = get_close_matches(name, names, 1)
    listed = "; ".join(names[:NAMED]) + (f"; and {len(names) - NAMED} more" if len(names) > NAMED else "")
    return f"{what} {name}; " + (f"did you mean {close[0]}?" if close else f"there are: {listed}")

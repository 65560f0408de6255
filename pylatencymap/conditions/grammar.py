"""The grammar of conditions, read with pyparsing. Import this module only when there is a condition.

What a condition means is checked in its tree: which measures there are, and that both sides of a comparison are of one
kind. So a wrong word and a wrong unit get their own messages, with the column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from math import isfinite
from typing import Any

import pyparsing as pp

from .syntax import (
    ABOVE,
    EQUALITIES,
    MEASURES,
    UNITS,
    Compared,
    Condition,
    ConditionError,
    Constant,
    Joined,
    Kind,
    LastingCondition,
    MeasureCall,
    Negated,
    Node,
    PerSeries,
    Surely,
    rank_of,
)

MOST_CHARACTERS = 2000
DEEPEST = 20
"""Parentheses within parentheses; also ``not`` after ``not``."""
_EXAMPLES = {
    Kind.LATENCY: "10ms",
    Kind.SHARE: "20%",
    Kind.RATE: "100/s",
    Kind.WAIT: "500ms/s",
    Kind.NUMBER: "2",
}
LENGTHS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86_400.0}
"""Seconds by the unit of a duration; without one they are seconds."""
SHORTEST, LONGEST = 1.0, 7 * 86_400.0
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"' r"|'(?:[^'\\]|\\.)*'", re.DOTALL)
_MANY_NOT = re.compile(rf"(?:\bnot\b\s*){{{DEEPEST + 1},}}")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_MICRO = str.maketrans("\u00b5\u03bc", "uu")


def parse_conditions(texts: Sequence[str], *, comparing: bool = False) -> tuple[Condition, ...]:
    """Parse the conditions of one run; see ``parse_condition``."""
    return tuple(parse_condition(text, comparing=comparing) for text in texts)


def parse_condition(text: str, *, comparing: bool = False) -> Condition:
    """Parse a condition. ``comparing``: there is a second run, ``before``. Raises ConditionError, a UsageError."""
    (root,) = _parsed(_condition, text)
    _check_tree(root, text, comparing=comparing)
    return Condition(text, root)


def parse_lasting(text: str) -> LastingCondition:
    """Parse a condition and how long it is to hold: ``p99 > 20ms for 1m``. Raises ConditionError, a UsageError."""
    root, (number, unit, column) = _parsed(_lasting, text)
    _check_tree(root, text)
    if unit not in LENGTHS:
        raise ConditionError(f"{unit!r} is no unit of a duration; write 30s, 5m or 2h", text, column)
    seconds = number * LENGTHS[unit]
    if not SHORTEST <= seconds <= LONGEST:
        message = f"{number:g}{unit or ' s'} is not between 1 s and 7 days; write 30s, 5m or 2h"
        raise ConditionError(message, text, column)
    return LastingCondition(text, Condition(str(root), root), seconds)


def _parsed(make: Callable[[], pp.ParserElement], text: str) -> list[Any]:
    """What the grammar that ``make`` makes, once, finds in a text."""
    _check_size(text)
    try:
        return list(_made_once(make).parse_string(text, parse_all=True))
    except pp.ParseBaseException as error:
        raise _pointed(error, text) from None


@cache
def _made_once(make: Callable[[], pp.ParserElement]) -> pp.ParserElement:
    return make().parse_with_tabs()


def _check_tree(root: Node, text: str, *, comparing: bool = False) -> None:
    """Raise ConditionError for what has no meaning."""
    for compared in _comparisons(root):
        _check(compared, text, comparing)
    _check_series(root, text)


def _lasting() -> pp.ParserElement:
    """A condition, ``for``, and how long."""
    length = pp.Regex(r"(?P<number>\d{1,9}(?:\.\d{1,9})?)\s*(?P<unit>[^\W\d_]*)").set_name("how long, as in 1m")

    def made(_: str, place: int, found: pp.ParseResults) -> tuple[float, str, int]:
        return float(found["number"]), found["unit"], place + 1

    word = pp.Suppress(pp.Keyword("for")).set_name("'for' and how long, as in 'for 1m'")
    return _condition() - word - length.set_parse_action(made)


def _condition() -> pp.ParserElement:
    condition = pp.Forward().set_name("a condition")
    opened, closed = pp.Suppress("(").set_name("'('"), pp.Suppress(")").set_name("')'")
    pattern = pp.Regex(_QUOTED.pattern, re.DOTALL).set_name("a name in quotes")
    named = pp.Optional(pattern - pp.Suppress(",").set_name("','"))
    each = pp.Regex(r"(?:any|all)\b") - opened - pp.Group(named) - condition - closed
    sure = pp.Suppress(pp.Keyword("sure")) - opened - condition - closed
    group = opened - condition - closed
    atom = (
        each.set_parse_action(_per_series) | sure.set_parse_action(lambda found: Surely(found[0])) | group | _compared()
    ).set_name("a condition")
    negated = (pp.ZeroOrMore(pp.Keyword("not")) + atom).set_parse_action(_negated)
    condition << _joined("or", _joined("and", negated))  # type: ignore[operator]
    return condition


def _joined(word: str, part: pp.ParserElement) -> pp.ParserElement:
    """Parts with a word between them; one part stays as it is."""

    def made(found: pp.ParseResults) -> Node:
        return Joined(word, tuple(found)) if len(found) > 1 else found[0]

    return (part + pp.ZeroOrMore(pp.Suppress(pp.Keyword(word)) - part)).set_parse_action(made)


def _compared() -> pp.ParserElement:
    """Two operands and what compares them."""
    operand = _operand()
    operator = pp.one_of("> >= < <= == !=").set_name("a comparison (>, >=, < or <=)")

    def placed(_: str, place: int, found: pp.ParseResults) -> list[tuple[str, int]]:
        return [(found[0], place + 1)]

    def made(found: pp.ParseResults) -> Compared:
        left, (sign, column), right = found
        return Compared(left, sign, right, column)

    return (operand - operator.set_parse_action(placed) - operand).set_parse_action(made)


def _operand() -> pp.ParserElement:
    """A number with its unit, or what is measured, with a factor before or after it."""
    wanted = "a measure or a number with a unit"
    number = r"(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
    times = pp.Suppress("*")
    unit = r"(?:\s*(?!(?:and|or|not|for)\b)[^\W\d_]+(?:/[^\W\d_]+)?|\s*%|\s*/\s*[^\W\d_]+)?"
    constant = pp.Regex(rf"(?P<number>{number})(?P<unit>{unit})").set_name("a number with a unit")
    constant = constant.set_parse_action(_constant)
    plain = pp.Regex(number).set_parse_action(lambda found: float(found[0])).set_name("a factor")
    name = pp.Regex(r"(?!(?:and|or|not|any|all|sure|for)\b)[A-Za-z]\w*(?:\.\d+)?").set_name("a measure")
    before = pp.Regex(r"before(?=\s*\.)") - pp.Suppress(".")
    limit = pp.Suppress("(") - constant - pp.Suppress(")").set_name("')'")
    called = (pp.Group(before) - name | pp.Group(pp.Empty()) + name).set_name("a measure")
    measure = (called + pp.Optional(limit)).set_parse_action(_measure)
    before_it = (plain.copy().set_name(wanted) + times - measure).set_parse_action(
        lambda found: _times(found[0], found[1])
    )
    after_it = (measure + times - plain).set_parse_action(lambda found: _times(found[1], found[0]))
    return (before_it | after_it | measure | constant).set_name(wanted)


def _constant(_: str, place: int, found: pp.ParseResults) -> Constant:
    unit = "".join(found["unit"].split()).translate(_MICRO)
    return Constant(float(found["number"]), unit, place + 1)


def _measure(_: str, place: int, found: pp.ParseResults) -> MeasureCall:
    before, name, *argument = found
    return MeasureCall(name, argument[0] if argument else None, bool(before), column=place + 1)


def _times(factor: float, call: MeasureCall) -> MeasureCall:
    return MeasureCall(call.name, call.argument, call.of_before, factor, call.column)


def _negated(found: pp.ParseResults) -> Node:
    *words, node = found
    for _ in words:
        node = Negated(node)
    return node  # type: ignore[no-any-return]


def _per_series(_: str, place: int, found: pp.ParseResults) -> PerSeries:
    word, pattern, inner = found
    name = _ESCAPED.sub(r"\1", pattern[0][1:-1]) if pattern else None
    return PerSeries(word, name, inner, place + 1)


def _check_size(text: str) -> None:
    """Raise ConditionError for what no grammar should be given."""
    if not text.strip():
        raise ConditionError("the condition is empty; write one as in p99 > 10ms", text, 1)
    if len(text) > MOST_CHARACTERS:
        raise ConditionError(f"a condition has {MOST_CHARACTERS} characters at most", text[:60], 1)
    bare, depth = _QUOTED.sub(lambda quoted: " " * len(quoted[0]), text), 0
    if many := _MANY_NOT.search(bare):
        raise ConditionError(f"more than {DEEPEST} times 'not'", text, many.start() + 1)
    for place, character in enumerate(bare):
        depth += (character == "(") - (character == ")")
        if depth > DEEPEST:
            raise ConditionError(f"more than {DEEPEST} parentheses within each other", text, place + 1)


def _pointed(error: pp.ParseBaseException, text: str) -> ConditionError:
    """What pyparsing found, in our words, at its column."""
    place = error.loc + len(text[error.loc :]) - len(text[error.loc :].lstrip())
    rest = text[place:]
    found = re.match(r"\w+|[^\w\s]+", rest)
    # pyparsing before 3.1.4 overwrites the message with the names of what is around the place; the arguments keep it.
    said = str(error.args[2] if isinstance(error, pp.ParseFatalException) else error.msg)
    wanted = said.removeprefix("Expected ")
    if wanted == "end of text":
        wanted = "'and', 'or' or the end"
        if rest.startswith(("<", ">", "=", "!")):
            wanted += "; two comparisons are joined by 'and'"
    ends = f"{found[0]!r} is none" if found else "the condition ends here"
    return ConditionError(f"expected {wanted}; {ends}" if found else f"{ends}; expected {wanted}", text, place + 1)


def _comparisons(node: Node) -> Iterator[Compared]:
    """All comparisons in a tree."""
    if isinstance(node, Compared):
        yield node
    else:
        for part in node.parts if isinstance(node, Joined) else (node.inner,):
            yield from _comparisons(part)


def _check(compared: Compared, text: str, comparing: bool) -> None:
    """Raise ConditionError if a comparison has no meaning."""
    for side in (compared.left, compared.right):
        if isinstance(side, Constant):
            _check_constant(side, text)
        else:
            _check_measure(side, text, comparing)
    left, right = compared.left, compared.right
    if isinstance(left, Constant) and isinstance(right, Constant):
        raise ConditionError("nothing is measured on either side", text, compared.column)
    if left.kind is not right.kind:
        wrong, other = (left, right) if isinstance(left, Constant) else (right, left)
        example = f"; write it as in {_EXAMPLES[other.kind]}" if isinstance(wrong, Constant) else ""
        message = f"{wrong} is {wrong.kind.value}, and {other} is {other.kind.value}{example}"
        raise ConditionError(message, text, wrong.column)
    if compared.operator in EQUALITIES and left.kind is not Kind.NUMBER:
        raise ConditionError(f"{compared.operator} is for numbers, as in modes == 2", text, compared.column)


def _check_constant(constant: Constant, text: str) -> None:
    if constant.unit not in UNITS:
        known = ", ".join(unit for unit in UNITS if unit)
        raise ConditionError(f"{constant.unit!r} is no unit; there are {known}", text, constant.column)
    if not isfinite(constant.number):
        raise ConditionError("the number is too large", text, constant.column)


def _check_measure(call: MeasureCall, text: str, comparing: bool) -> None:
    if call.name not in MEASURES and rank_of(call.name) is None:
        raise ConditionError(_unknown(call.name), text, call.column)
    if call.name in ABOVE:
        if call.argument is None:
            raise ConditionError(f"{call.name} needs a latency, as in {call.name}(8ms)", text, call.column)
        _check_constant(call.argument, text)
        if call.argument.kind is not Kind.LATENCY:
            message = f"{call.argument} is {call.argument.kind.value}, and {call.name} needs a latency, as in 8ms"
            raise ConditionError(message, text, call.argument.column)
    elif call.argument is not None:
        raise ConditionError(f"{call.name} has nothing in parentheses", text, call.argument.column)
    if not isfinite(call.factor):
        raise ConditionError("the factor is too large", text, call.column)
    if call.of_before and not comparing:
        raise ConditionError("before. needs a second run to compare with, and there is one only", text, call.column)


def _unknown(name: str) -> str:
    known = sorted(MEASURES)
    close = get_close_matches(name, known, 1)
    advice = f"did you mean {close[0]}?" if close else f"there are p50, p99.9 and the like, {', '.join(known)}"
    return f"{name!r} is no measure; {advice}"


def _check_series(node: Node, text: str, inside: PerSeries | None = None) -> None:
    """Raise ConditionError for ``any`` or ``all`` within one another: which series is meant would not be clear."""
    if isinstance(node, PerSeries):
        if inside is not None:
            raise ConditionError(f"{node.word}(...) stands inside {inside.word}(...) already", text, node.column)
        inside = node
    if not isinstance(node, Compared):
        for part in node.parts if isinstance(node, Joined) else (node.inner,):
            _check_series(part, text, inside)

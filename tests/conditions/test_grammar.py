"""The language of conditions: what it reads, what it writes, and where its errors point."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pylatencymap.conditions import parse_condition, parse_lasting
from pylatencymap.conditions.syntax import (
    ABOVE,
    MEASURES,
    UNITS,
    Compared,
    ConditionError,
    Constant,
    Joined,
    Kind,
    MeasureCall,
    Negated,
    Node,
    PerSeries,
    Surely,
)
from pylatencymap.errors import Exit

NUMBERS = st.floats(0, 1e15).map(abs)


def constants(kind: Kind) -> st.SearchStrategy[Constant]:
    units = [unit for unit, (_, of) in UNITS.items() if of is kind]
    return st.builds(Constant, NUMBERS, st.sampled_from(units))


@st.composite
def calls(draw: Any, kind: Kind | None = None) -> MeasureCall:
    names = [name for name, of in MEASURES.items() if kind in (None, of)]
    if kind in (None, Kind.LATENCY):
        names += ["p50", "p99", "p99.9", "p0.001"]
    name = draw(st.sampled_from(names))
    argument = draw(constants(Kind.LATENCY)) if name in ABOVE else None
    return MeasureCall(name, argument, draw(st.booleans()), draw(st.one_of(st.just(1.0), NUMBERS)))


@st.composite
def comparisons(draw: Any) -> Compared:
    measured = draw(calls())
    signs = ["<", "<=", ">", ">="] + ["==", "!="] * (measured.kind is Kind.NUMBER)
    sides = [measured, draw(st.one_of(constants(measured.kind), calls(measured.kind)))]
    left, right = draw(st.permutations(sides))
    return Compared(left, draw(st.sampled_from(signs)), right)


def wider(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    joined = st.builds(Joined, st.sampled_from(["and", "or"]), st.lists(inner, min_size=2, max_size=3).map(tuple))
    return st.one_of(joined, st.builds(Negated, inner), st.builds(Surely, inner))


PLAIN = st.recursive(comparisons(), wider, max_leaves=6)
EACH = st.builds(PerSeries, st.sampled_from(["any", "all"]), st.none() | st.text(max_size=8), PLAIN)
TREES = st.recursive(st.one_of(comparisons(), EACH), wider, max_leaves=4)


@given(TREES)
def test_what_is_printed_is_parsed_as_the_same(tree: Node) -> None:
    assert parse_condition(str(tree), comparing=True).root == tree


@given(TREES)
def test_blanks_make_no_difference(tree: Node) -> None:
    if '"' not in str(tree):
        spread = str(tree).replace("(", " (  ").replace(")", "\t) ").replace(" ", " \n ")
        assert parse_condition(spread, comparing=True).root == tree


FAST, RARE, ONE = (
    Compared(MeasureCall("p99"), "<", Constant(1, "ms")),
    Compared(MeasureCall("rate"), "<", Constant(5, "/s")),
    Compared(MeasureCall("modes"), "==", Constant(1)),
)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("p99 < 1ms", FAST),
        ("((p99<1 ms))", FAST),
        ("p99 < 1ms or rate < 5/s and modes == 1", Joined("or", (FAST, Joined("and", (RARE, ONE))))),
        ("p99 < 1ms and rate < 5/s or modes == 1", Joined("or", (Joined("and", (FAST, RARE)), ONE))),
        ("(p99 < 1ms or rate < 5/s) and modes == 1", Joined("and", (Joined("or", (FAST, RARE)), ONE))),
        ("p99 < 1ms and (rate < 5/s and modes == 1)", Joined("and", (FAST, Joined("and", (RARE, ONE))))),
        ("not p99 < 1ms and rate < 5 / s", Joined("and", (Negated(FAST), RARE))),
        ("not (p99 < 1ms and rate < 5/s)", Negated(Joined("and", (FAST, RARE)))),
        ("not not p99 < 1ms", Negated(Negated(FAST))),
        ("sure(p99 < 1ms) or modes == 1", Joined("or", (Surely(FAST), ONE))),
        ('any("sd[ab]", p99 < 1ms)', PerSeries("any", "sd[ab]", FAST)),
        ("all( 'sda,read' , not modes==1)", PerSeries("all", "sda,read", Negated(ONE))),
        (r'any("a\"b\\", modes == 1)', PerSeries("any", 'a"b\\', ONE)),
        ("10\u00b5s < p99 * 2", Compared(Constant(10, "us"), "<", MeasureCall("p99", factor=2))),
        (
            "p99 > 1.2*before.p99",
            Compared(MeasureCall("p99"), ">", MeasureCall("p99", of_before=True, factor=1.2)),
        ),
        (
            "time_above(8ms) >= 20 %",
            Compared(MeasureCall("time_above", Constant(8, "ms")), ">=", Constant(20, "%")),
        ),
        ("waited > 1.5s/s", Compared(MeasureCall("waited"), ">", Constant(1.5, "s/s"))),
    ],
)
def test_what_a_text_means(text: str, tree: Node) -> None:
    condition = parse_condition(text, comparing=True)
    assert (condition.root, condition.text) == (tree, text)


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("", 1, "the condition is empty"),
        ("p99", 4, "the condition ends here; expected a comparison"),
        ("p99 >", 6, "expected a measure or a number with a unit"),
        ("p99 > 10", 7, "10 is a number, and p99 is a latency; write it as in 10ms"),
        ("p99 > 20%", 7, "20% is a share, and p99 is a latency"),
        ("rate < 5ms", 8, "5ms is a latency, and rate is a rate; write it as in 100/s"),
        ("time_above(8ms) > 0.2", 19, "0.2 is a number, and time_above(8ms) is a share; write it as in 20%"),
        ("p99 > rate", 7, "rate is a rate, and p99 is a latency"),
        ("modes > 1 and p99 > rate", 21, "rate is a rate"),
        ("pp99 > 1ms", 1, "'pp99' is no measure"),
        ("1ms > p100", 7, "'p100' is no measure"),
        ("p0 > 1ms", 1, "'p0' is no measure"),
        ("rates > 1/s", 1, "did you mean rate?"),
        ("p99 > 10 parsec", 7, "'parsec' is no unit; there are ns, us, ms, s"),
        ("(p99 > 10ms", 12, "the condition ends here; expected ')'"),
        ("p99 > 10ms)", 11, "')' is none"),
        ("1ms < p99 < 2ms", 11, "two comparisons are joined by 'and'"),
        ("10ms > 5ms", 6, "nothing is measured"),
        ("time_above > 10%", 1, "needs a latency, as in time_above(8ms)"),
        ("time_above(5%) > 10%", 12, "5% is a share, and time_above needs a latency"),
        ("p99(5ms) > 1ms", 5, "p99 has nothing in parentheses"),
        ("any(any(p99 > 1ms))", 5, "any(...) stands inside any(...) already"),
        ('any("x" p99 > 1ms)', 9, "expected ','; 'p99' is none"),
        ("any p99 > 1ms", 5, "expected '('"),
        ("sure p99 > 1ms", 6, "expected '('"),
        ("p99 => 5ms", 5, "expected a comparison"),
        ("p99 == 1ms", 5, "== is for numbers, as in modes == 2"),
        ("p99 > 1ms AND rate < 1/s", 11, "expected 'and', 'or' or the end; 'AND' is none"),
        ("p99 > 1ms and", 14, "the condition ends here"),
        ("p99 > -1ms", 7, "'-' is none"),
        ("p99 > 1e999ms", 7, "too large"),
        ("before p99 > 1ms", 8, "expected a comparison"),
        ("before. > 1ms", 9, "expected a measure; '>' is none"),
        ("p99 > 2 * 3", 11, "expected a measure; '3' is none"),
        ("p99 > and", 7, "expected a measure or a number with a unit; 'and' is none"),
        ("p99 * x > 1ms", 7, "expected a factor; 'x' is none"),
        ("p99 > 1.2 * before.p99", 13, "before. needs a second run"),
        ("(" * 30 + "p99 > 1ms" + ")" * 30, 21, "more than 20 parentheses"),
        ("modes > 1 or " + "not " * 400 + "modes > 1", 14, "more than 20 times 'not'"),
        ("p99 > 1ms or " * 300 + "modes > 1", 1, "2000 characters at most"),
    ],
)
def test_an_error_points_at_its_column(text: str, column: int, said: str) -> None:
    with pytest.raises(ConditionError) as found:
        parse_condition(text)
    error = found.value
    assert error.message.startswith(f"column {column}: ")
    assert said in error.message
    _, caret = error.excerpt
    assert caret == " " * (column - 1) + "^"
    assert error.status is Exit.USAGE


def test_the_caret_stands_below_its_place_whatever_is_before_it() -> None:
    with pytest.raises(ConditionError) as found:
        parse_condition('any("\u78c1\u76d8\x1b", pp99 > 1ms)')
    text, caret = found.value.excerpt
    assert text == 'any("\u78c1\u76d8\\x1b", pp99 > 1ms)'
    assert len(caret) - 1 == text.index("pp99") + 2  # two characters take two cells each


@given(st.text(max_size=60) | st.text("p9.>10ms ()andortsuebf*/%\"'", max_size=60))
def test_no_text_is_an_error_of_another_kind(text: str) -> None:
    with suppress(ConditionError):
        parse_condition(text)


@pytest.mark.parametrize(
    ("text", "condition", "seconds"),
    [
        ("p99 > 20ms for 1m", "p99 > 20ms", 60),
        ("modes == 2 for 30 s", "modes == 2", 30),
        ("p99 > p50 for 90", "p99 > p50", 90),
        ('any("for*", p99 > 20ms and rate > 5/s) for 1.5h', 'any("for*", p99 > 20ms and rate > 5/s)', 5400),
        ("not waited < 1ms/s or rate > 3 /s for 2min", "not waited < 1ms/s or rate > 3 /s", 120),
        ("rate > 100/s for 7d", "rate > 100/s", 7 * 86_400),
    ],
)
def test_a_lasting_condition_says_for_how_long(text: str, condition: str, seconds: float) -> None:
    found = parse_lasting(text)
    assert (found.text, found.seconds) == (text, seconds)
    assert found.condition.root == parse_condition(condition).root


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("p99 > 20ms", 11, "the condition ends here; expected 'for' and how long, as in 'for 1m'"),
        ("p99 > 20ms fur 1m", 12, "expected 'for' and how long, as in 'for 1m'; 'fur' is none"),
        ("p99 > 20ms for", 15, "the condition ends here; expected how long, as in 1m"),
        ("p99 > 20ms for ever", 16, "expected how long, as in 1m; 'ever' is none"),
        ("p99 > 20ms for 5x", 16, "'x' is no unit of a duration; write 30s, 5m or 2h"),
        ("p99 > 20ms for 500ms", 16, "'ms' is no unit of a duration; write 30s, 5m or 2h"),
        ("p99 > 20ms for 0s", 16, "0s is not between 1 s and 7 days; write 30s, 5m or 2h"),
        ("p99 > 20ms for 8d", 16, "8d is not between 1 s and 7 days; write 30s, 5m or 2h"),
        ("p99 > 20% for 1m", 7, "20% is a share, and p99 is a latency; write it as in 10ms"),
        ("p99 > before.p99 for 1m", 7, "before. needs a second run to compare with, and there is one only"),
        ("for 1m", 1, "expected a condition; 'for' is none"),
        ("", 1, "the condition is empty; write one as in p99 > 10ms"),
    ],
)
def test_an_error_in_a_lasting_condition_points_at_its_column(text: str, column: int, said: str) -> None:
    with pytest.raises(ConditionError) as caught:
        parse_lasting(text)
    assert caught.value.message == f"column {column}: {said}"
    assert caught.value.excerpt[1].index("^") == column - 1

"""JUnit XML: whole, escaped, and without what XML cannot hold."""

from xml.etree import ElementTree

from hypothesis import given, strategies as st

from pylatencymap.conditions import check_conditions, junit_xml, parse_condition, undecided
from tests.conditions.runs import check, one_range, recorded


def test_each_condition_is_a_test_case() -> None:
    run = {"a": one_range(1000, 1024)}
    verdicts = [check("p99 > 1us", run), check("p99 > 1s", run), check('any("b", p99 > 1s)', run)]
    suites = ElementTree.fromstring(junit_xml(verdicts, "monday.lmap"))
    (suite,) = suites
    assert (suites.tag, suite.tag) == ("testsuites", "testsuite")
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "3",
        "failures": "1",
        "errors": "1",
        "skipped": "0",
    }
    failed, passed, unknown = suite
    assert [case.get("name") for case in suite] == ["p99 > 1us", "p99 > 1s", 'any("b", p99 > 1s)']
    assert {case.get("classname") for case in suite} == {"monday.lmap"}
    assert [part.tag for case in (failed, passed, unknown) for part in case] == ["failure", "system-out", "error"]
    assert failed[0].get("message") == "p99 > 1us holds: a p99 2.03 ms (1.02-2.05 ms)"
    assert "no series is called b" in (unknown[0].get("message") or "")


@given(st.text(), st.text(min_size=1))
def test_any_text_can_be_read_again(name: str, series: str) -> None:
    run = recorded(**{series: one_range(1000, 1024)})
    verdicts = check_conditions([parse_condition("p99 > 1us")], run)
    document = junit_xml([*verdicts, undecided(name, series)], name)
    text = document.decode()
    assert not any(character < " " and character != "\n" for character in text)
    tree = ElementTree.fromstring(document)
    assert len(tree[0]) == 2


def test_markup_and_escape_sequences_are_text() -> None:
    name = "<b>&\"'\x1b[31m\x00\ud800\ufffe]]>"
    document = junit_xml([undecided(name, name)], name)
    (case,) = ElementTree.fromstring(document)[0]
    assert case.get("classname") == "<b>&\"'\\x1b[31m\\x00\\ud800\\ufffe]]>"
    assert b"\x1b" not in document

"""Verdicts as JUnit XML, which CI systems read: one test case for each condition.

A condition that holds is a failure, one that cannot be told is an error. Text is without control characters, which XML
cannot hold in any way: ``printable`` writes their codes.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from ..text.clean import printable
from .verdicts import ConditionVerdict

LONGEST = 10_000
"""Characters of a text."""


def junit_xml(verdicts: Sequence[ConditionVerdict], name: str) -> bytes:
    """A test suite in UTF-8. ``name`` says what was tested, such as the names of files."""
    failures = sum(verdict.holds is True for verdict in verdicts)
    errors = sum(verdict.holds is None for verdict in verdicts)
    counted = {"tests": str(len(verdicts)), "failures": str(failures), "errors": str(errors)}
    suites = ElementTree.Element("testsuites", counted)
    about = {"name": "pylatencymap", **counted, "skipped": "0", "time": "0"}
    suite = ElementTree.SubElement(suites, "testsuite", about)
    for verdict in verdicts:
        _add_case(suite, verdict, name)
    ElementTree.indent(suites)
    document: bytes = ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def _add_case(suite: ElementTree.Element, verdict: ConditionVerdict, name: str) -> None:
    about = {"classname": _clean(name), "name": _clean(verdict.condition), "time": "0"}
    case = ElementTree.SubElement(suite, "testcase", about)
    details = "\n".join(_clean(f"{check.comparison}: {check.sentence}") for check in verdict.checks)
    if verdict.holds is False:
        ElementTree.SubElement(case, "system-out").text = details or _clean(verdict.sentence)
        return
    said = {"message": _clean(verdict.sentence), "type": "condition" if verdict.holds else "undecided"}
    ElementTree.SubElement(case, "failure" if verdict.holds else "error", said).text = details or said["message"]


def _clean(text: str) -> str:
    """The text as XML can hold it."""
    return printable(text, LONGEST)

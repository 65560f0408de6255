"""docs/troubleshooting.md quotes messages that the program has."""

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.pinned.runner import ROOT

PAGE = (ROOT / "docs/troubleshooting.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (?!it says)(?P<symptom>[^|]*`[^|]*) \|", re.MULTILINE)
FOREIGN = re.compile(r"^(?:bcc|pip)\b")
"""Rows about what other programs say."""
NO_MESSAGES = {"pylatencymap", "latencymap", "REC FULL", "G", "R", "*", "NO_COLOR", "estimated"}
"""Words and signs of the picture; programs."""
VARIES = re.compile(r"\.\.\.|\d+")


def messages() -> list[str]:
    rows = [row["symptom"] for row in ROW.finditer(PAGE) if not FOREIGN.match(row["symptom"])]
    found = [span for row in rows for span in re.findall(r"`([^`]+)`", row)]
    return [span for span in found if span not in NO_MESSAGES]


def literals() -> Iterator[str]:
    """The texts in the program's code; those of one expression joined where nothing stands between them."""
    for path in (path for folder in ("pylatencymap", "collectors") for path in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


@cache
def program() -> str:
    return "\n".join(literals())


def missing(message: str) -> list[str]:
    """The parts of a message that no text of the program has."""
    return [part for part in VARIES.split(message) if part.strip(" ;:") and part.strip(" ;:") not in program()]


@pytest.mark.parametrize("message", messages())
def test_the_program_says_so(message: str) -> None:
    assert missing(message) == []


def test_messages_are_found() -> None:
    assert len(messages()) > 30
    assert {"no database is named", "cannot measure here"} <= {*messages()}


def test_a_message_that_does_not_exist_is_seen() -> None:
    assert missing("the disk is on fire") == ["the disk is on fire"]

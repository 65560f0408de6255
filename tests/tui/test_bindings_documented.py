"""docs/keys.md and docs/viewer.md name the keys that there are, and no others; README names none that there is not."""

import re
from pathlib import Path

import pytest

from pylatencymap.tui.bindings import BINDINGS

ROOT = Path(__file__).parent.parent.parent
CODE = re.compile(r"`([^`]+)`")


def keys() -> set[str]:
    """All keys of the bindings, one by one; a range by its ends."""
    found = {key for binding in BINDINGS for key in binding.keys.split()}
    return {end for key in found for end in (key.split("-") if re.fullmatch(r"\d-\d", key) else [key])}


def keys_in_table(page: str) -> list[str]:
    """What stands in the key columns of a table."""
    rows = [line.split("|") for line in (ROOT / page).read_text().splitlines() if re.match(r"\| `", line)]
    tables = [row for row in rows if len(row) == 6]
    return [key for row in tables for cell in (row[1], row[3]) for key in CODE.findall(cell)]


def test_the_table_has_every_key() -> None:
    missing = keys() - set(CODE.findall((ROOT / "docs/keys.md").read_text()))
    assert not missing


@pytest.mark.parametrize(("page", "least"), [("docs/keys.md", 30), ("README.md", 10)])
def test_no_table_has_a_key_that_does_nothing(page: str, least: int) -> None:
    assert len(keys_in_table(page)) > least
    assert set(keys_in_table(page)) <= keys()


def test_the_description_of_the_view_has_every_key() -> None:
    assert not keys() - set(CODE.findall((ROOT / "docs" / "viewer.md").read_text()))


@pytest.mark.parametrize("binding", BINDINGS, ids=lambda binding: binding.keys)
def test_a_key_that_acts_is_named_by_its_binding(binding) -> None:
    """Single characters: the names of other keys are written otherwise in the help."""
    named = set(binding.keys.replace("1-9", "1 2 3 4 5 6 7 8 9").replace("space", "").split()) | {"=", " "}
    assert {event for event in binding.acts if len(event) == 1} <= named

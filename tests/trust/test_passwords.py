"""Passwords typed on the terminal while a view waits for its source: the short form of passwords.py."""

from pathlib import Path

import pytest

from tests.trust.passwords import PROMPTS, typed_into


@pytest.mark.parametrize("name", PROMPTS)
def test_a_password_reaches_the_source_that_asks_for_it(name: str, tmp_path: Path) -> None:
    assert typed_into(name, "Wq3lcome 12g?", 0.0, 0.0, tmp_path) == []


def test_so_it_does_after_the_advice_about_a_silent_source(tmp_path: Path) -> None:
    assert typed_into("sqlplus", "tiger_q", 0.0, 0.0, tmp_path, waits_for="no data for") == []

"""How much a test tries: few in ``make test``, many in ``make thorough``."""

from typing import Any

import pytest
from hypothesis import settings

MANY = 100
"""Examples of a property test in ``make thorough``, where it does not say how many."""


def few_or_many(few: Any, many: Any) -> list[Any]:
    """Values of one parameter of a test, which runs twice: with few, and, marked thorough, with many."""
    return [few, pytest.param(many, marks=pytest.mark.thorough)]


def seeds(few: int, many: int) -> list[Any]:
    """Seeds of a random test; those behind the first few are thorough ones."""
    return [*range(few), *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(few, many))]


def examples(many: int) -> int:
    """How many examples a property test tries of those that are many in its case."""
    return max(1, many * settings().max_examples // MANY)

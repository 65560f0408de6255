"""How much a test tries: few in ``make test``, many in ``make thorough``."""

from typing import Any

import pytest


def few_or_many(few: Any, many: Any) -> list[Any]:
    """Values of one parameter of a test, which runs twice: with few, and, marked thorough, with many."""
    return [few, pytest.param(many, marks=pytest.mark.thorough)]

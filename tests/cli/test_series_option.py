"""``--series sum``: all series added up, where a picture is drawn."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pylatencymap.cli.arguments import SUM
from pylatencymap.session import SUM_SERIES

Command = Callable[..., Any]


def test_the_sum_of_all_series_has_a_name_on_the_command_line(quick: Command, root: Path) -> None:
    both = [root / f"examples/{name}.lmap.gz" for name in ("steady", "spindle")]
    ran = quick(*both, "--once", "--series", "sum", "--tz", "UTC")
    assert " sum   ALL " in ran.out.splitlines()[0]
    assert "all 2 series" in ran.out.splitlines()[0]
    part = quick(*both, "--once", "--series", "sum", "--series", "vda", "--tz", "UTC")
    assert " vda   ALL " in part.out.splitlines()[0], "a single series is its own sum"
    assert quick("report", *both[:1], "--series", "sum").status == 1, "a report has no sum"


def test_that_word_is_that_of_the_picture() -> None:
    assert SUM == SUM_SERIES

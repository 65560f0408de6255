"""The column with the most time waited, as ``n`` and the list name it."""

from typing import Any

import pytest

import pylatencymap as lm
from pylatencymap.session import Viewpoint
from pylatencymap.session.page import page_content
from tests.cli.conftest import stream


@pytest.mark.parametrize(("busy", "said"), [(0, []), (5, ["usually nothing waits"])])
def test_where_usually_nothing_waits_it_is_said_so(busy: int, said: list[str]) -> None:
    """A recording without an event, or with a few in one column."""
    counters = [{128: busy if column > 10 else 0} for column in range(40)]
    run: Any = lm.read(stream("sda", *counters), tz="UTC")
    content = page_content(run._window, run._marks, Viewpoint(), run.tz)
    told = [one.what for one in content.series[0].moments]
    assert [text.partition("; ")[2] for text in told] == said

"""What the thread that reads says while the view asks, and while another one prints."""

import argparse
import io
import sys

import pytest

from pylatencymap.cli import standard_streams
from pylatencymap.cli.inputs import Inputs
from pylatencymap.cli.standard_streams import print_notice
from pylatencymap.session.input import ReadPlan
from tests.other_thread import acting_within


@pytest.mark.parametrize("step", range(1, 40))
def test_a_notice_can_come_while_the_view_looks_for_the_first(step: int) -> None:
    plan = ReadPlan()
    inputs = Inputs(argparse.Namespace(strict=False), plan)
    plan.notices["a.trc"] = "its day is assumed"
    with acting_within(Inputs.closing_notice, step, lambda: plan.notices.update({"b.trc": "its day, too"})):
        assert inputs.closing_notice() == "its day is assumed"


def test_a_message_is_one_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two, another thread could write its own on the same line."""
    written: list[str] = []

    class Standard(io.StringIO):
        def write(self, text: str) -> int:
            written.append(text)
            return len(text)

    monkeypatch.setattr(sys, "stderr", Standard())
    monkeypatch.setattr(standard_streams, "_command", "pylatencymap")
    print_notice("one")
    assert [text for text in written if text] == ["pylatencymap: one\n"]

"""The terminal that tests run programs on."""

import os
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest


def test_what_a_program_prints_last_is_seen_however_soon_it_ends_then(
    terminal: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here it prints and ends when a read has found nothing, and before that asks whether it is there still."""
    view = terminal("read line; printf 'last words'")
    is_alive, looks = view.child.isalive, count()

    def ends_meanwhile() -> bool:
        if next(looks) == 1:
            view.press("\r")
            os.waitid(os.P_PID, view.child.pid, os.WEXITED | os.WNOWAIT)
        return bool(is_alive())

    monkeypatch.setattr(view.child, "isalive", ends_meanwhile)
    assert view.ends() == 0
    assert "last words" in view.text

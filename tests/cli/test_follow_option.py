"""What does not go together with ``--follow``."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


@pytest.mark.parametrize(
    ("words", "said"),
    [(("--once",), "--once draws what there is: leave out --follow"), ((), "its view needs a terminal")],
)
def test_one_picture_needs_an_end(quick: Command, three: Path, words: tuple[str, ...], said: str) -> None:
    ran = quick("--follow", three, *words)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--speed", "10x"), "a replay has its own pace"),
        (("FILE",), "takes one file or folder"),
        (("--record", "x.lmap"), "leave out --record"),
        (("--last", "5m"), "leave out --last and --to"),
    ],
)
def test_other_options(
    quick: Command, three: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.setattr("pylatencymap.cli.commands.view.has_live_view", lambda _: True)
    ran = quick("--follow", three, *(str(three) if word == "FILE" else word for word in words))
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
